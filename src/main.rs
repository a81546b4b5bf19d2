//! The `latchwork` command.

fn main() {
    // Recursion over C's syntax needs more stack than the main thread may have.
    std::process::exit(latchwork::base::with_deep_stack(latchwork::cli::run));
}

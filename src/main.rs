//! The `latchwork` command.

fn main() {
    std::process::exit(latchwork::cli::run());
}

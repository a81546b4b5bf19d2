//! A readable text of a thread program, for people and for golden tests.
//!
//! Constants are decimal, with `:width` only where an extension or a concatenation leaves the
//! width open. `/s`, `%s`, `<s`, `<=s`, `>>s` are the signed operators, `x[7:0]` an extraction,
//! `{h, l}` a concatenation. `&o` is an object's address, `?i` a choice, `*d0` the value at a
//! dereference and `valid(d0)` whether it is valid. An operator expression that an edge uses more
//! than once is written once, as `let`.

mod edge;
mod expr;
mod whole;

#[cfg(test)]
mod tests;

pub use whole::print;

//! Simplification while building (only in pools made by [`Pool::rewriting`](super::Pool)).
//!
//! Each rule looks at an operator and a few levels of its operands and gives an equal expression
//! or nothing. Rules may build further expressions; [`Pool::simplified`](super::Pool) bounds how
//! many rules one call of a builder may set off, whatever the expression's depth.
//!
//! Normal forms: a constant is the right operand of a commutative operator, the other operands
//! are in order of their ids; no `<=` (it is the complement of `<`), no subtraction of a
//! constant, no shift or multiplication by a power of two (they are concatenations and
//! extracts), no concatenation with a constant zero on the left (it is a zero extension),
//! concatenations nest to the right, conditions of ite are not complemented, of 1-bit operators
//! only complement, and, or, xor and ite with two variable branches are left.

mod arith;
mod bitwise;
mod bounds;
mod compare;
mod dispatch;
mod eq;
mod ite;
mod slices;
#[cfg(test)]
mod tests;

pub(super) use dispatch::Fuel;

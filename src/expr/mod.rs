//! Hash-consed word-level expressions over bit-vectors of 1 to 128 bits.
//!
//! A [`Pool`] owns its expressions; an [`ExprId`] is an index into one pool and means nothing in
//! another. Leaves are of a type that the owner chooses (program variables, states of a
//! transition system). A pool either keeps every expression as it is built ([`Pool::raw`]: what
//! the interpreter evaluates, so that a wrong rewrite cannot hide on both sides) or simplifies
//! while building ([`Pool::rewriting`]: what becomes a circuit).
//!
//! The meaning of each operator is that of SMT-LIB's theory of fixed-size bit-vectors, division
//! by zero included, and is fixed by [`Op1::apply`], [`Op2::apply`].

mod op;
mod pool;
mod print;
mod rewrite;

pub use op::{Op1, Op2, mask, sign_extend};
pub use pool::{ExprId, Leaf, MAX_WIDTH, Node, Pool};

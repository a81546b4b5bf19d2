//! From the typed tree to a thread program: one control-flow graph per thread instance, calls
//! inlined as long as it is not too large.
//!
//! | file | part |
//! |---|---|
//! | `options` | what the caller may choose |
//! | `state` | what is built, diagnostics, variables, sites |
//! | `block` | edges and locations: what is pending becomes an edge |
//! | `arith` | expressions with constants folded, conversions, substitution |
//! | `globals` | memory objects, initial values |
//! | `place`, `access` | lvalues, and loads and stores through them |
//! | `expr`, `cond` | expressions, branches |
//! | `atomic` | atomic operations |
//! | `stmt`, `scope` | statements, lifetimes |
//! | `heap`, `library.c` | allocation; functions of the C library that are C |
//! | `indirect` | calls through function pointers |
//! | `call`, `variadic` | inlining; dispatch to what is built in; variable arguments |
//! | `shared` | bodies that calls share |
//! | `builtin`, `threads`, `join`, `cleanup`, `mutex`, `waiting`, `c11` | functions that are modelled |
//! | `sync` | the edges of an operation on a library object |
//! | `late` | edges that need to know all thread instances |
//! | `loops` | constant bounds of loops |
//! | `program` | all thread instances, and the finished program |
//! | `firmware` | what options say of programs for bare hardware |
//! | `finish`, `names` | one graph cleaned up; names |
//!
//! An edge makes at most one shared access. Assignments to locals are pending until the next
//! access, branch or statement, and values that they compute are substituted into later ones, so
//! that a statement is as few edges as its accesses allow.

mod access;
mod arguments;
mod arith;
mod atomic;
mod atomic_struct;
mod block;
mod builtin;
mod c11;
mod call;
mod cleanup;
mod cond;
mod expr;
mod finish;
mod firmware;
mod globals;
mod heap;
mod indirect;
mod join;
mod late;
mod loops;
mod mutex;
mod names;
mod options;
mod overflow;
mod place;
mod print;
mod program;
mod scope;
mod shared;
mod state;
mod stmt;
mod sync;
mod threads;
mod variadic;
mod waiting;

pub use options::{Checks, Failed, LowerOptions, Lowered};
pub use program::lower;

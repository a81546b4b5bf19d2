//! From lang-c's syntax tree to the typed tree of [`super::hir`]: names, types, conversions,
//! constants.
//!
//! Only functions that `main` can reach are analysed; what stands in others does not matter.
//! Integer constant expressions are expressions that folding turned into constants (`fold`).

mod atomics;
mod calls;
mod declare;
mod expr;
mod fold;
mod func;
mod init;
mod literal;
mod ops;
mod overflow;
mod scope;
mod spawn;
mod stmt;
mod types;
mod usage;
mod vla;

pub use fold::{apply, convert, operator};
pub use scope::analyse;
pub use spawn::SPAWN;
pub use usage::base_local;

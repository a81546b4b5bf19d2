//! What a caller may choose about reading C.

use std::path::PathBuf;

/// Sizes and alignments of the target's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// `long` and pointers have 64 bits (x86-64 Linux).
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits (i386 Linux).
    Ilp32,
}

/// How to get from a file to preprocessed text.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// Directories searched for headers before the system's, in order (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// The language standard, as `-std` takes it (`gnu11`).
    pub std: Option<String>,
    /// The target; [`DataModel::Ilp32`] preprocesses with `-m32`.
    pub data_model: DataModel,
    /// The C compiler that preprocesses; `cc` where none is named.
    pub compiler: Option<PathBuf>,
}

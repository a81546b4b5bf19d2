//! Front ends: text to [`crate::program`] with diagnostics.

pub mod c;

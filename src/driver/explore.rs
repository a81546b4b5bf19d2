//! `explore`: the explicit-state reference.

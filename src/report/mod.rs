//! What a run found ([`CheckReport`], [`SolveReport`]), and its reports: one file a form.

mod json;
mod overview;
mod result;
mod solve;
mod text;
mod trace;

pub use json::{json_replay, json_report};
pub use overview::{dot_overview, json_overview, text_overview};
pub use result::{
    CheckReport, CircuitReport, Evidence, ExplorationCounts, Proof, PropertyReport,
    PropertyVerdict, Statistics, Violation,
};
pub use solve::{SolveReport, SolvedProperty, SolvedVerdict, json_solve, text_solve};
pub use text::{TraceDetail, text_lasso, text_report, text_violation};
pub use trace::{TraceLine, trace_lines};

//! `latchwork export`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::{
    DriverError, ExportFormat, ExportOptions, Liveness, export_model, write_files,
};

use super::options::{LimitArgs, ProgramArgs, PropertyArgs, ReductionArgs};
use super::run::{exit, print};

/// Options of `export`.
#[derive(Debug, StructOpt)]
pub(super) struct Export {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    properties: PropertyArgs,
    #[structopt(flatten)]
    reduction: ReductionArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
    /// The form of the model.
    #[structopt(long, possible_values = &["aag", "aig", "btor2", "smv"])]
    to: String,
    /// The file to write; a map file is written beside it.
    #[structopt(short = "o", parse(from_os_str))]
    output: PathBuf,
    /// One file for each bad state: OUT.0.aig, OUT.1.aig and so on.
    #[structopt(long)]
    split: bool,
    /// Bad states count only while no frame has stuttered: faster for other tools' bounded
    /// model checking.
    #[structopt(long)]
    no_stutter: bool,
    /// Bad states as plain outputs, for readers of AIGER 1.0.
    #[structopt(long)]
    outputs_as_bad: bool,
    /// Keeps the scheduler's signals as outputs.
    #[structopt(long, conflicts_with_all = &["split", "outputs-as-bad"])]
    probe: bool,
    /// How a temporal formula is written: justice (with fairness; LTLSPEC in SMV), or l2s, as a bad
    /// state, for AIGER. Default: justice; l2s with --outputs-as-bad.
    #[structopt(long, possible_values = &["justice", "l2s"])]
    liveness: Option<String>,
}

impl Export {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let aiger = matches!(self.to.as_str(), "aag" | "aig");
        if self.outputs_as_bad && !aiger {
            return Err(DriverError::File("--outputs-as-bad is for AIGER only".into()));
        }
        let options = ExportOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            format: match self.to.as_str() {
                "aag" => ExportFormat::Aag,
                "btor2" => ExportFormat::Btor2,
                "smv" => ExportFormat::Smv,
                _ => ExportFormat::Aig,
            },
            split: self.split,
            no_stutter: self.no_stutter,
            reduction: self.reduction.choice()?,
            context_bound: self.reduction.context_bound(),
            lock_sets: self.reduction.lock_sets()?,
            outputs_as_bad: self.outputs_as_bad,
            probe: self.probe,
            liveness: match self.liveness.as_deref() {
                Some("l2s") => Liveness::ToSafety,
                None if self.outputs_as_bad => Liveness::ToSafety,
                _ => Liveness::Justice,
            },
        };
        let files = export_model(&options, &self.output, &self.limits.budget()?)?;
        write_files(&files)?;
        if files.is_empty() {
            print("nothing can be violated: no file written\n");
        }
        for file in &files {
            print(&format!("wrote {}\n", file.path.display()));
        }
        Ok(exit::SAFE)
    }
}

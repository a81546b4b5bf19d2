//! The ways in which tools are driven.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::process::Finished;
use super::smv::Check;
use super::tool::ToolKind;
use super::{abc, ric3, smv};
use crate::aig::Aig;
use crate::engine::Capabilities;
use crate::outcome::Trace;

/// A way of driving a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// rIC3's IC3, with the certificate.
    Ric3,
    /// ABC's property-directed reachability (`pdr`), with the invariant.
    AbcPdr,
    /// ABC's bounded model checking (`bmc3`).
    AbcBmc3,
    /// ABC's interpolation (`int`).
    AbcInt,
    /// nuXmv's IC3 (`check_invar_ic3`).
    NuxmvIc3,
    /// nuXmv's reachability on decision diagrams (`check_invar`).
    NuxmvBdd,
    /// NuSMV's reachability on decision diagrams (`check_invar`).
    NusmvBdd,
    /// NuSMV's induction by SAT (`check_invar_bmc_inc`).
    NusmvInduction,
}

impl Method {
    /// All of them, the preferred one of each tool first.
    pub const ALL: [Method; 8] = [
        Method::Ric3,
        Method::AbcPdr,
        Method::AbcBmc3,
        Method::AbcInt,
        Method::NuxmvIc3,
        Method::NuxmvBdd,
        Method::NusmvBdd,
        Method::NusmvInduction,
    ];

    /// The method with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Its name on the command line and in verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Method::Ric3 => "ric3",
            Method::AbcPdr => "abc-pdr",
            Method::AbcBmc3 => "abc-bmc3",
            Method::AbcInt => "abc-int",
            Method::NuxmvIc3 => "nuxmv",
            Method::NuxmvBdd => "nuxmv-bdd",
            Method::NusmvBdd => "nusmv",
            Method::NusmvInduction => "nusmv-induction",
        }
    }

    /// One line about it.
    pub fn description(self) -> &'static str {
        match self {
            Method::Ric3 => "rIC3's IC3; its certificates are audited",
            Method::AbcPdr => "ABC's property-directed reachability; its invariants are audited",
            Method::AbcBmc3 => "ABC's bounded model checking",
            Method::AbcInt => "ABC's interpolation; proves without evidence",
            Method::NuxmvIc3 => "nuXmv's IC3; proves without evidence",
            Method::NuxmvBdd => {
                "nuXmv's reachability on decision diagrams; proves without evidence"
            }
            Method::NusmvBdd => {
                "NuSMV's reachability on decision diagrams; proves without evidence"
            }
            Method::NusmvInduction => "NuSMV's induction by SAT; proves without evidence",
        }
    }

    /// The tool.
    pub fn tool(self) -> ToolKind {
        match self {
            Method::Ric3 => ToolKind::Ric3,
            Method::AbcPdr | Method::AbcBmc3 | Method::AbcInt => ToolKind::Abc,
            Method::NuxmvIc3 | Method::NuxmvBdd => ToolKind::Nuxmv,
            Method::NusmvBdd | Method::NusmvInduction => ToolKind::Nusmv,
        }
    }

    /// What it can do.
    pub fn capabilities(self) -> Capabilities {
        let proves = self != Method::AbcBmc3;
        Capabilities {
            refutes: true,
            proves_terminating: proves,
            proves_looping: proves,
            shortest: matches!(self, Method::AbcBmc3 | Method::NusmvBdd | Method::NuxmvBdd),
        }
    }

    /// Whether its proofs come with evidence.
    pub fn certifies(self) -> bool {
        matches!(self, Method::AbcPdr | Method::Ric3)
    }

    /// Whether only runs without stuttering frames should be looked at: a bounded search of all
    /// runs is slower by orders of magnitude.
    pub(super) fn only_moves(self) -> bool {
        self == Method::AbcBmc3
    }

    /// Writes the files of a question about the model's only bad; the tool's arguments.
    pub(super) fn prepare(self, model: &Aig, directory: &Path) -> io::Result<Vec<OsString>> {
        match self.driver() {
            Driver::Ric3 => ric3::prepare(model, directory),
            Driver::Abc(command) => abc::prepare(command, model, directory),
            Driver::Smv(check) => smv::prepare(check, model, directory),
        }
    }

    /// What a run claims about the model.
    ///
    /// # Errors
    /// Why it claims nothing that makes sense, in one line.
    pub(super) fn claim(
        self,
        model: &Aig,
        finished: &Finished,
        directory: &Path,
    ) -> Result<Claim, String> {
        match self.driver() {
            Driver::Ric3 => ric3::claim(model, finished, directory),
            Driver::Abc(command) => abc::claim(command, model, finished, directory),
            Driver::Smv(_) => smv::claim(model, finished, directory),
        }
    }

    fn driver(self) -> Driver {
        match self {
            Method::Ric3 => Driver::Ric3,
            Method::AbcPdr => Driver::Abc(abc::PDR),
            Method::AbcBmc3 => Driver::Abc(abc::BMC3),
            Method::AbcInt => Driver::Abc(abc::INT),
            Method::NuxmvIc3 => Driver::Smv(Check::Ic3),
            Method::NuxmvBdd | Method::NusmvBdd => Driver::Smv(Check::Bdd),
            Method::NusmvInduction => Driver::Smv(Check::Induction),
        }
    }
}

/// The file that knows the tool, and what it wants to know.
enum Driver {
    Ric3,
    Abc(&'static str),
    Smv(Check),
}

/// What a run claims, about the model that it got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// The bad cannot be reached.
    Safe(Grounds),
    /// This run reaches it.
    Unsafe(Trace),
    /// Nothing, for this reason.
    Unknown(String),
}

/// Why a property should be safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Grounds {
    /// Clauses of an inductive invariant: (position of a latch of the model, value).
    Clauses(Vec<Vec<(usize, bool)>>),
    /// An inductive invariant as a circuit: an input for each latch of the model, one output.
    Circuit(Box<Aig>),
    /// The tool gives none.
    None,
}

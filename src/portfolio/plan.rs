//! Which engines run.

use std::fmt;

use super::member::{EngineOptions, Member};
use super::preset;
use crate::engine::Engine;
use crate::engine::external::Search;

/// Engines to run side by side.
pub struct Plan {
    /// Its name in reports: that of the only engine, or of the preset.
    pub name: &'static str,
    /// The engines, in the order in which they start.
    pub members: Vec<Member>,
    /// Engines of the preset that are not on this machine, with the reason.
    pub missing: Vec<(String, String)>,
    /// How many run at a time, at least one. (A preset runs at least two: one that proves and
    /// one that refutes.)
    pub slots: usize,
    /// Stop at the first violation.
    pub first: bool,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// There is no engine or preset with this name.
    NoEngine(String),
    /// There is no preset with this name.
    NoPreset(String),
    /// The program behind the engine is not on this machine.
    Missing {
        /// The engine.
        engine: String,
        /// Where it was looked for.
        why: String,
    },
    /// The command line is wrong.
    Command {
        /// The command line.
        command: String,
        /// What is wrong.
        what: String,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::NoEngine(name) => write!(
                f,
                "there is no engine {name}; there are auto, {}, and portfolio:PRESET",
                Member::names().join(", ")
            ),
            PlanError::NoPreset(name) => {
                write!(f, "there is no preset {name}; there are {}", preset::names().join(", "))
            }
            PlanError::Missing { engine, why } => write!(f, "engine {engine}: {why}"),
            PlanError::Command { command, what } => write!(f, "engine `{command}`: {what}"),
        }
    }
}

impl std::error::Error for PlanError {}

/// What a choice of engine begins with that is a preset's.
const PRESET: &str = "portfolio:";

impl Plan {
    /// The plan for a choice of engine: `auto`, `portfolio:PRESET`, or an engine's command line;
    /// on this many cores.
    ///
    /// # Errors
    /// If there is no such engine, preset or option; if the engine's program is not on this
    /// machine. Members of a preset that are not are left out.
    pub fn new(
        choice: &str,
        cores: usize,
        options: EngineOptions,
        tools: &Search,
    ) -> Result<Self, PlanError> {
        if choice == preset::AUTO {
            Self::preset(preset::AUTO, cores, options, tools)
        } else if let Some(name) = choice.strip_prefix(PRESET) {
            Self::preset(name, cores, options, tools)
        } else {
            Ok(Self::single(Member::parse(choice, options, tools)?, options))
        }
    }

    /// One engine.
    pub fn single(member: Member, options: EngineOptions) -> Self {
        Plan {
            name: member.engine.name(),
            members: vec![member],
            missing: vec![],
            slots: 1,
            first: options.first,
        }
    }

    fn preset(
        name: &str,
        cores: usize,
        options: EngineOptions,
        tools: &Search,
    ) -> Result<Self, PlanError> {
        let no_preset = || PlanError::NoPreset(name.into());
        let name = preset::names().into_iter().find(|n| *n == name).ok_or_else(no_preset)?;
        let (mut members, mut missing) = (vec![], vec![]);
        for command in preset::commands(name) {
            match Member::parse(command, options, tools) {
                Ok(member) => members.push(member),
                Err(PlanError::Missing { engine, why }) => missing.push((engine, why)),
                Err(other) => return Err(other),
            }
        }
        Ok(Plan { name, members, missing, slots: cores.max(2), first: options.first })
    }

    /// Memory in MB that each member gets of `total`, and all embedded ones together: they are
    /// one process, whose limit must leave room for the others.
    pub(super) fn memory(&self, total: u64) -> (u64, u64) {
        let in_turns = self.members.iter().filter(|m| !m.beside).count();
        let running = self.slots.min(in_turns).max(1) as u64;
        let share = total / running;
        let external = self.members.iter().filter(|m| m.external).count() as u64;
        (share.max(1), (total - share * external.min(running)).max(share).max(1))
    }
}

/// An embedded engine alone.
impl<E: Engine + Clone + 'static> From<&E> for Plan {
    fn from(engine: &E) -> Self {
        Plan::single(Member::embedded(engine.clone()), EngineOptions::default())
    }
}

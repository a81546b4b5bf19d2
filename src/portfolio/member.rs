//! An engine with its options, from a command line.

use std::sync::Arc;
use std::time::Duration;

use super::plan::PlanError;
use crate::engine::Engine;
use crate::engine::bdd::{Bdd, BddOptions};
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::engine::external::{External, ExternalOptions, Method, Search};
use crate::engine::ic3::{Ic3, Ic3Options};
use crate::engine::kind::{Kind, KindOptions};
use crate::engine::sim::{Sim, SimOptions};

/// What all engines of a plan are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineOptions {
    /// Stop at the first violation.
    pub first: bool,
}

/// An engine in a plan.
pub struct Member {
    /// Its command line.
    pub command: String,
    /// The engine; a thread that does not end in time keeps it.
    pub engine: Arc<dyn Engine>,
    /// Whether it is a program of others: what it says wrongly is its fault, and it has memory of
    /// its own.
    pub external: bool,
    /// How long it runs where others wait.
    pub slice: Option<Duration>,
    /// It runs beside those that take turns on the cores, from the start to the end.
    pub beside: bool,
}

/// A command line, read.
struct Command<'a> {
    engine: &'a str,
    slice: Option<Duration>,
    max_depth: Option<usize>,
    beside: bool,
}

impl<'a> Command<'a> {
    fn parse(line: &'a str) -> Result<Self, PlanError> {
        let bad = |what: &str| PlanError::Command { command: line.into(), what: what.into() };
        let mut words = line.split_whitespace();
        let engine = words.next().ok_or_else(|| bad("no engine"))?;
        let mut command = Command { engine, slice: None, max_depth: None, beside: false };
        while let Some(option) = words.next() {
            if option == "--beside" {
                command.beside = true;
                continue;
            }
            let value = words.next().and_then(|v| v.parse::<u32>().ok());
            let value = value.ok_or_else(|| bad(&format!("{option} takes a number")))?;
            match option {
                "--slice" => command.slice = Some(Duration::from_secs(value.into())),
                "--max-depth" => command.max_depth = Some(value as usize),
                _ => return Err(bad(&format!("there is no option {option}"))),
            }
        }
        Ok(command)
    }
}

/// Names of the engines that are part of the program.
const EMBEDDED: [&str; 5] = ["bmc", "ic3", "kind", "bdd", "sim"];

/// What runs beside others starts after what is easy, and takes little of a core.
const BESIDE: (Duration, u32) = (Duration::from_millis(300), 7);

impl Member {
    /// An embedded engine that runs to its end.
    pub fn embedded(engine: impl Engine + 'static) -> Self {
        Self {
            command: engine.name().into(),
            engine: Arc::new(engine),
            external: false,
            slice: None,
            beside: false,
        }
    }

    /// Names of all engines, on this machine or not.
    pub fn names() -> Vec<&'static str> {
        EMBEDDED.into_iter().chain(Method::ALL.map(Method::name)).collect()
    }

    /// The engine that the command line is about.
    ///
    /// # Errors
    /// If there is no such engine or option, or the engine's program is not on this machine.
    pub fn parse(line: &str, options: EngineOptions, tools: &Search) -> Result<Self, PlanError> {
        let command = Command::parse(line)?;
        let EngineOptions { first } = options;
        let max_depth = command.max_depth;
        if command.beside && command.engine != "sim" {
            let what = "--beside is for sim".into();
            return Err(PlanError::Command { command: line.into(), what });
        }
        let engine: Arc<dyn Engine> = match command.engine {
            "bmc" => Arc::new(Bmc(BmcOptions { max_depth, first, ..Default::default() })),
            "ic3" => Arc::new(Ic3(Ic3Options { max_depth, first, ..Default::default() })),
            "kind" => Arc::new(Kind(KindOptions { max_depth, first, ..Default::default() })),
            "bdd" if max_depth.is_some() => {
                let what = "--max-depth is not for bdd".into();
                return Err(PlanError::Command { command: line.into(), what });
            }
            "bdd" => Arc::new(Bdd(BddOptions { first, ..Default::default() })),
            "sim" => {
                let (delay, rest) = if command.beside { BESIDE } else { Default::default() };
                Arc::new(Sim(SimOptions { max_depth, first, delay, rest, ..Default::default() }))
            }
            name => return Self::external(line, name, &command, options, tools),
        };
        let Command { slice, beside, .. } = command;
        Ok(Self { command: line.into(), engine, external: false, slice, beside })
    }

    fn external(
        line: &str,
        name: &str,
        command: &Command,
        options: EngineOptions,
        tools: &Search,
    ) -> Result<Self, PlanError> {
        let method = Method::named(name).ok_or_else(|| PlanError::NoEngine(name.into()))?;
        let tool = tools
            .find(method.tool())
            .map_err(|why| PlanError::Missing { engine: name.into(), why })?;
        if command.max_depth.is_some() {
            let what = "--max-depth is for embedded engines".into();
            return Err(PlanError::Command { command: line.into(), what });
        }
        let options = ExternalOptions { first: options.first, ..Default::default() };
        let engine = Arc::new(External { tool, method, options });
        Ok(Self {
            command: line.into(),
            engine,
            external: true,
            slice: command.slice,
            beside: false,
        })
    }
}

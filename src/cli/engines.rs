//! `latchwork engines`.

use structopt::StructOpt;

use crate::base::Budget;
use crate::driver::DriverError;
use crate::engine::external::{Method, ToolKind};
use crate::engine::{Capabilities, embedded};
use crate::portfolio::preset;

use super::engine::tools;
use super::run::{exit, print};

/// Options of `engines`.
#[derive(Debug, StructOpt)]
pub(super) struct Engines {}

impl Engines {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        print(&format!("latchwork {}, embedded:\n", env!("CARGO_PKG_VERSION")));
        for engine in embedded() {
            line(engine.name(), engine.description(), engine.capabilities());
        }
        let (tools, budget) = (tools(), Budget::unlimited());
        for kind in ToolKind::ALL {
            let name = kind.name();
            match tools.find(kind) {
                Err(why) => print(&format!("{name}: {why}\n")),
                Ok(tool) => {
                    let version = tool.version(&budget).unwrap_or("of unknown version".into());
                    print(&format!("{name} {version}, {}:\n", tool.path.display()));
                    for method in Method::ALL.into_iter().filter(|m| m.tool() == kind) {
                        line(method.name(), method.description(), method.capabilities());
                    }
                }
            }
        }
        print(&format!("presets: {}\n", preset::names().join(", ")));
        for name in preset::names() {
            print(&format!("  {name:<16} {}\n", preset::commands(name).join("; ")));
        }
        Ok(exit::SAFE)
    }
}

/// An engine and what it can do.
fn line(name: &str, what: &str, can: Capabilities) {
    let abilities: Vec<&str> = [
        (can.refutes, "finds violations"),
        (can.proves_terminating, "proves programs that terminate"),
        (can.proves_looping, "proves programs that loop"),
    ]
    .into_iter()
    .filter_map(|(has, what)| has.then_some(what))
    .collect();
    print(&format!("  {name:<16} {what} ({})\n", abilities.join(", ")));
}

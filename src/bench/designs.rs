//! The list of designs.

use std::fmt;
use std::path::Path;

use super::{control, data};
use crate::base::Budget;
use crate::bitblast::bitblast;
use crate::format::aiger::{Encoding, WriteOptions, write};
use crate::ts::TransitionSystem;

/// A design with one bad-state property.
#[derive(Clone, Debug)]
pub struct Design {
    /// Family, size and verdict, such as `fifo-4-safe`.
    pub name: String,
    /// Whether the bad state cannot be reached.
    pub safe: bool,
    /// The design.
    pub system: TransitionSystem,
}

type Family = (&'static str, fn(usize, bool) -> TransitionSystem, &'static [usize]);

/// Each family with the sizes that are measured.
const FAMILIES: [Family; 11] = [
    ("counter", data::counter, &[4, 10]),
    ("in-step", data::in_step, &[5, 9]),
    ("delay", data::delay, &[3, 6]),
    ("fifo", data::fifo, &[2, 4]),
    ("feedback", data::feedback, &[4, 10]),
    ("pipeline", data::pipeline, &[4, 10]),
    ("arbiter", control::arbiter, &[4, 10]),
    ("cache", control::cache, &[3, 8]),
    ("tickets", control::tickets, &[2, 5]),
    ("timers", control::timers, &[3, 6]),
    ("credits", control::credits, &[3, 7]),
];

/// All designs that are measured, safe and unsafe ones of each family and size.
pub fn designs() -> Vec<Design> {
    of_sizes(|sizes| sizes.to_vec())
}

/// The designs of the sizes that `choose` makes of those that are measured.
pub(super) fn of_sizes(choose: impl Fn(&[usize]) -> Vec<usize>) -> Vec<Design> {
    let mut designs = vec![];
    for (name, make, sizes) in FAMILIES {
        for size in choose(sizes) {
            for safe in [true, false] {
                let verdict = if safe { "safe" } else { "unsafe" };
                let name = format!("{name}-{size}-{verdict}");
                designs.push(Design { name, safe, system: make(size, safe) });
            }
        }
    }
    designs
}

/// A file that cannot be written.
#[derive(Debug)]
pub struct DesignError(String);

impl fmt::Display for DesignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DesignError {}

/// Writes each design as binary AIGER, NAME.aig, into the directory, which is made if need be.
///
/// # Errors
/// If the directory cannot be made or a file cannot be written.
pub fn write_designs(directory: &Path) -> Result<(), DesignError> {
    let failed = |path: &Path, e| DesignError(format!("{}: {e}", path.display()));
    std::fs::create_dir_all(directory).map_err(|e| failed(directory, e))?;
    for design in designs() {
        let (aig, _) = bitblast(&design.system, &Budget::unlimited())
            .expect("an unlimited budget does not end");
        let bytes = write(&aig, WriteOptions::new(Encoding::Binary))
            .expect("names of designs have no line break");
        let path = directory.join(format!("{}.aig", design.name));
        std::fs::write(&path, bytes).map_err(|e| failed(&path, e))?;
    }
    Ok(())
}

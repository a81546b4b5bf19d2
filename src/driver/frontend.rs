//! C files to a thread program whose dereferences are resolved.

use std::path::PathBuf;

use crate::analysis::points_to;
use crate::base::{Diagnostic, SourceMap};
use crate::frontend::c::{Checks, LowerOptions, SourceOptions, lower, parse_file};
use crate::program::{Program, remember_readers, validate};
use crate::property::PropertyKind;

use super::DriverError;

/// Which program, and how its C is read.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// The source files; together they are one program.
    pub files: Vec<PathBuf>,
    /// How they are preprocessed and parsed.
    pub source: SourceOptions,
    /// How they become a thread program.
    pub lower: LowerOptions,
    /// Whether it remembers who holds read-write locks for reading.
    pub remember_readers: bool,
}

impl ProgramOptions {
    /// With the sites that these properties are about, and what they must know.
    #[must_use]
    pub fn for_properties(&self, properties: &[PropertyKind]) -> Self {
        let mut options = self.clone();
        options.lower.checks = Checks {
            relock: properties.contains(&PropertyKind::LockMisuse),
            arithmetic: properties.contains(&PropertyKind::Overflow),
        };
        options.remember_readers = properties.contains(&PropertyKind::LocalDeadlock);
        options
    }
}

/// A program and what the front end remarked.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Remarks.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the files.
///
/// # Errors
/// If a file is refused, or (an internal error) the front end made an invalid program.
pub fn load(options: &ProgramOptions) -> Result<Loaded, DriverError> {
    let mut sources = SourceMap::new();
    let mut units = vec![];
    let mut errors = vec![];
    for file in &options.files {
        match parse_file(file, &options.source, &mut sources) {
            Ok(unit) => units.push(unit),
            Err(list) => errors.extend(list),
        }
    }
    if !errors.is_empty() {
        return Err(DriverError::Input(errors, Box::new(sources)));
    }
    let lowered = lower(&units, sources, &options.lower)
        .map_err(|failed| DriverError::Input(failed.errors, Box::new(failed.sources)))?;
    let mut program = lowered.program;
    points_to(&mut program);
    if options.remember_readers {
        remember_readers(&mut program);
    }
    validate(&program).map_err(|e| DriverError::Internal(format!("invalid program: {e}")))?;
    Ok(Loaded { program, warnings: lowered.warnings })
}

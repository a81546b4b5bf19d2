//! Which tools there are, and where.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::{End, Job, Limits, run};
use crate::base::Budget;

/// A model checker that can be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolKind {
    /// ABC, of the University of California at Berkeley.
    Abc,
    /// rIC3.
    Ric3,
    /// nuXmv, of the Fondazione Bruno Kessler.
    Nuxmv,
    /// NuSMV, nuXmv's open predecessor.
    Nusmv,
}

impl ToolKind {
    /// All of them, the preferred one first.
    pub const ALL: [ToolKind; 4] =
        [ToolKind::Ric3, ToolKind::Abc, ToolKind::Nuxmv, ToolKind::Nusmv];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ToolKind::Abc => "abc",
            ToolKind::Ric3 => "ric3",
            ToolKind::Nuxmv => "nuxmv",
            ToolKind::Nusmv => "nusmv",
        }
    }

    /// The environment variable that names its executable.
    pub fn variable(self) -> &'static str {
        match self {
            ToolKind::Abc => "LATCHWORK_ABC",
            ToolKind::Ric3 => "LATCHWORK_RIC3",
            ToolKind::Nuxmv => "LATCHWORK_NUXMV",
            ToolKind::Nusmv => "LATCHWORK_NUSMV",
        }
    }

    /// Names of its executable, the usual one first.
    fn executables(self) -> &'static [&'static str] {
        match self {
            ToolKind::Abc => &["berkeley-abc", "abc", "yosys-abc"],
            ToolKind::Ric3 => &["rIC3", "ric3"],
            ToolKind::Nuxmv => &["nuXmv", "nuxmv"],
            ToolKind::Nusmv => &["NuSMV", "nusmv"],
        }
    }
}

/// A tool on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Which one it is.
    pub kind: ToolKind,
    /// Its executable.
    pub path: PathBuf,
}

/// Where to look for tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Executables that the user named. Where one is named no other is looked for.
    pub named: Vec<(ToolKind, PathBuf)>,
    /// Directories, searched in order.
    pub directories: Vec<PathBuf>,
}

impl Search {
    /// The directories of `path` (in the form of `PATH`) and then `cache`, and what
    /// `variable` says about [`ToolKind::variable`] (empty is like unset).
    pub fn new(
        path: Option<&OsStr>,
        cache: Option<PathBuf>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        let named = ToolKind::ALL.into_iter().filter_map(|kind| {
            let value = variable(kind.variable()).filter(|v| !v.is_empty())?;
            Some((kind, PathBuf::from(value)))
        });
        let directories = path.into_iter().flat_map(std::env::split_paths).chain(cache);
        Search { named: named.collect(), directories: directories.collect() }
    }

    /// The tool, or why there is none.
    ///
    /// # Errors
    /// If it is not there: a line that says where it was looked for.
    pub fn find(&self, kind: ToolKind) -> Result<Tool, String> {
        if let Some((_, path)) = self.named.iter().find(|(k, _)| *k == kind) {
            return match is_executable(path) {
                true => Ok(Tool { kind, path: absolute(path) }),
                false => {
                    let (variable, path) = (kind.variable(), path.display());
                    Err(format!("{variable} names {path}, which is not an executable file"))
                }
            };
        }
        let places = kind.executables().iter();
        let places = places.flat_map(|name| self.directories.iter().map(move |d| d.join(name)));
        match places.into_iter().find(|path| is_executable(path)) {
            Some(path) => Ok(Tool { kind, path: absolute(&path) }),
            None => {
                let (names, variable) = (kind.executables().join(", "), kind.variable());
                Err(format!("not found on PATH ({names}), and {variable} is not set"))
            }
        }
    }
}

/// Runs happen in other directories.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

impl Tool {
    /// What it says about its version; `None` if it says nothing that looks like one.
    pub fn version(&self, budget: &Budget) -> Option<String> {
        let directory = tempfile::tempdir().ok()?;
        let (arguments, mark): (Vec<OsString>, &str) = match self.kind {
            ToolKind::Abc => (["-q", "version"].map(OsString::from).into(), "ABC "),
            ToolKind::Ric3 => (vec!["--version".into()], "rIC3 "),
            // The banner comes whatever they are told.
            ToolKind::Nuxmv => (vec!["-help".into()], "This is nuXmv "),
            ToolKind::Nusmv => (vec!["-help".into()], "This is NuSMV "),
        };
        let job = Job {
            program: self.path.clone(),
            arguments,
            directory: directory.path().to_owned(),
            limits: Limits { wall: Some(Duration::from_secs(5)), ..Limits::default() },
        };
        let finished = run(&job, budget);
        if !matches!(finished.end, End::Exit(_)) {
            return None;
        }
        let text = finished.stdout + &finished.stderr;
        let at = text.to_ascii_lowercase().find(&mark.to_ascii_lowercase())? + mark.len();
        let version = text[at..].split_whitespace().next()?;
        version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
    }
}

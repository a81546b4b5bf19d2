//! Running the `latchwork` binary, and the verdicts that the programs of `testdata` state.

mod parallel;

pub use parallel::for_all;

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

/// The `latchwork` binary with `args`, run from the root of the package; killed after two minutes.
pub fn latchwork<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Run {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_latchwork"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).timeout(Duration::from_secs(120)).args(args);
    let Output { status, stdout, stderr } = command.output().expect("the binary starts");
    Run {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// How a run of the binary ended.
pub struct Run {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "exit code {:?}\n{}{}", self.code, self.stdout, self.stderr)
    }
}

/// The files of `dir` below `testdata`, in order of their names.
pub fn testdata(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new("testdata").join(dir);
    let entries = Path::new(env!("CARGO_MANIFEST_DIR")).join(&dir).read_dir().expect("testdata");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| dir.join(entry.expect("an entry").file_name())).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

//! What the machine's C compiler makes of programs.

use latchwork::frontend::c::DataModel;
use std::fs;
use std::process::Command;

/// Compiles `text` with `flags`, runs it and returns the numbers that it prints.
///
/// # Errors
/// The compiler's or the program's own message.
pub fn run(text: &str, model: DataModel, flags: &[&str]) -> Result<Vec<u64>, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (source, binary) = (dir.path().join("p.c"), dir.path().join("p"));
    fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu11", "-fwrapv"]).args(flags).arg("-o").arg(&binary).arg(&source);
    if model == DataModel::Ilp32 {
        cc.arg("-m32");
    }
    let compiled = cc.output().map_err(|e| format!("cc: {e}"))?;
    if !compiled.status.success() {
        let message = String::from_utf8_lossy(&compiled.stderr);
        return Err(message.lines().take(8).collect::<Vec<_>>().join("\n"));
    }
    let ran = Command::new(&binary).output().map_err(|e| e.to_string())?;
    let printed = String::from_utf8_lossy(&ran.stdout);
    if !ran.status.success() || !ran.stderr.is_empty() {
        let stderr = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("{} after {} results\n{stderr}", ran.status, printed.lines().count()));
    }
    printed.lines().map(|l| l.parse().map_err(|_| format!("`{l}` is no result"))).collect()
}

/// The data models that this machine can run programs of.
pub fn models() -> Vec<DataModel> {
    let runs = |model: &DataModel| {
        let works = run("int main(void) { return 0; }", *model, &[]).is_ok();
        if !works {
            println!("skipped {model:?}: the C compiler here makes no such programs");
        }
        works
    };
    [DataModel::Lp64, DataModel::Ilp32].into_iter().filter(runs).collect()
}

//! What the machine's C compiler makes of programs.

use crate::generate::Program;
use crate::skip::skipped;
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
        // What gcc says of a crash of its own has not always the word error in it.
        if message.contains("Please submit a full bug report") {
            return Err("internal compiler error".into());
        }
        // Thousands of warnings may come before the error.
        let errors = message.lines().filter(|l| l.contains("error"));
        return Err(errors.take(8).collect::<Vec<_>>().join("\n"));
    }
    let ran = Command::new(&binary).output().map_err(|e| e.to_string())?;
    let printed = String::from_utf8_lossy(&ran.stdout);
    if !ran.status.success() || !ran.stderr.is_empty() {
        let stderr = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("{} after {} results\n{stderr}", ran.status, printed.lines().count()));
    }
    printed.lines().map(|l| l.parse().map_err(|_| format!("`{l}` is no result"))).collect()
}

/// The results of programs that are compiled together; `None` where the compiler itself crashes
/// on the program (gcc 14 does on some comma operators of constants).
///
/// # Panics
/// If a program does not compile for another reason, or does not run.
pub fn results(programs: &[Program], model: DataModel) -> Vec<Option<u64>> {
    match run(&Program::reference(programs), model, &["-O0"]) {
        Ok(results) => results.into_iter().map(Some).collect(),
        Err(e) if !e.contains("internal compiler error") => {
            panic!("{model:?}, seeds from {}: {e}", programs[0].seed)
        }
        Err(_) if programs.len() == 1 => vec![None],
        Err(_) => {
            let (left, right) = programs.split_at(programs.len() / 2);
            let mut all = results(left, model);
            all.extend(results(right, model));
            all
        }
    }
}

/// The data models that this machine can run programs of.
pub fn models() -> Vec<DataModel> {
    let runs = |model: &DataModel| {
        let works = run("int main(void) { return 0; }", *model, &[]).is_ok();
        if !works {
            skipped(format_args!("{model:?}: the C compiler here makes no such programs"));
        }
        works
    };
    [DataModel::Lp64, DataModel::Ilp32].into_iter().filter(runs).collect()
}

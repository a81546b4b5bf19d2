//! `latchwork bench run`.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use structopt::StructOpt;

use crate::base::{Budget, Cancel};
use crate::bench::suite::{Manifest, Observer, Place, Row, SuiteError, Summary, Task, run};
use crate::driver::DriverError;

use super::progress::cancel_on_interrupt;
use super::run::{exit, print};

/// Options of `bench run`.
#[derive(Debug, StructOpt)]
pub(super) struct RunSuite {
    /// The suite's manifest.
    #[structopt(parse(from_os_str))]
    suite: PathBuf,
    /// Where the table, the summary and the plots go, named after the suite.
    #[structopt(long, parse(from_os_str), default_value = "bench-results")]
    out: PathBuf,
    /// Only tasks whose name and parameter (P1-50) contain the word. May be given several times.
    #[structopt(long, number_of_values = 1)]
    only: Vec<String>,
    /// Seconds for each run, in place of the manifest's.
    #[structopt(long)]
    seconds: Option<u64>,
    /// Runs of each task, in place of the manifest's.
    #[structopt(long)]
    runs: Option<u32>,
    /// The program that is measured, in place of this one.
    #[structopt(long, parse(from_os_str))]
    latchwork: Option<PathBuf>,
}

impl RunSuite {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let failed = |path: &Path, e: &dyn std::fmt::Display| {
            DriverError::File(format!("{}: {e}", path.display()))
        };
        let text = fs::read_to_string(&self.suite).map_err(|e| failed(&self.suite, &e))?;
        let mut manifest = Manifest::read(&text).map_err(|e| failed(&self.suite, &e))?;
        manifest.limit(self.seconds, self.runs);
        let name = self.suite.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        fs::create_dir_all(&self.out).map_err(|e| failed(&self.out, &e))?;
        let file = |suffix: &str| self.out.join(format!("{name}{suffix}"));
        let mut place = place(file(".csv"))?;
        if let Some(path) = &self.latchwork {
            place.latchwork = fs::canonicalize(path).map_err(|e| failed(path, &e))?;
        }
        let cancel = Cancel::new();
        cancel_on_interrupt(&cancel);
        let budget = Budget::new(None, None, cancel);
        let mut bar = Bar { terminal: std::io::stderr().is_terminal() };
        let rows = run(&manifest, &place, &self.only, &mut bar, &budget).map_err(|e| match e {
            SuiteError::File(why) => DriverError::File(why),
            SuiteError::Stopped(stop) => DriverError::Stopped(stop),
        })?;
        let summary = Summary::new(&manifest, &rows);
        let mut files = vec![(file("-summary.csv"), summary.csv())];
        if !summary.growth.is_empty() {
            files.push((file("-growth.csv"), summary.growth_csv()));
        }
        for plot in &manifest.plots {
            let svg = plot.draw(&manifest, &summary).map_err(|e| failed(&self.suite, &e))?;
            files.push((file(&format!("-{}.svg", plot.name())), svg));
        }
        for (path, text) in files {
            fs::write(&path, text).map_err(|e| failed(&path, &e))?;
        }
        print(&told(&summary));
        Ok(if summary.wrong() { exit::UNSAFE } else { exit::SAFE })
    }
}

/// Where things are, seen from the root of the sources.
fn place(table: PathBuf) -> Result<Place, DriverError> {
    let latchwork = std::env::current_exe()
        .map_err(|e| DriverError::File(format!("this program is not found: {e}")))?;
    // What the figures depend on.
    let sources =
        ["src", "Cargo.toml", "Cargo.lock", "scripts/family", "testdata/suites", "testdata/daisy"];
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).arg("--").args(sources).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let mut commit = git(&["log", "-1", "--format=%h"]).unwrap_or_default();
    if git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty()) {
        commit += "+";
    }
    Ok(Place {
        latchwork,
        family: PathBuf::from("scripts/family"),
        table,
        commit,
        machine: machine(),
    })
}

/// Processor and number of cores.
fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).replace(',', " ");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model} x {cores}")
}

/// A line for each run, and a bar on a terminal.
struct Bar {
    terminal: bool,
}

impl Observer for Bar {
    fn begin(&mut self, done: usize, total: usize, task: &Task) {
        if self.terminal {
            const WIDTH: usize = 30;
            let full = done * WIDTH / total.max(1);
            eprint!(
                "\r\x1b[K[{}{}] {done}/{total} {}, {}",
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                task.name(),
                task.configuration.name
            );
            let _ = std::io::stderr().flush();
        }
    }

    fn end(&mut self, row: &Row) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
        print(&format!(
            "{:28} {:22} {:8} {:>9.2} s {:>6.0} MB{}\n",
            row.name(),
            row.configuration,
            row.verdict,
            row.seconds,
            row.peak_mb,
            if row.wrong() { "  WRONG" } else { "" }
        ));
    }
}

/// The summary for people: wrong answers first.
fn told(summary: &Summary) -> String {
    let mut text = String::new();
    for line in summary.lines.iter().filter(|l| l.row.wrong()) {
        let row = &line.row;
        let (name, configuration) = (row.name(), &row.configuration);
        text += &format!("WRONG: {name}, {configuration}: {} is {}\n", row.stated, row.verdict);
    }
    text += "\ntask                         configuration          verdict    seconds     MB\
             \x20     paper    times faster\n";
    for line in &summary.lines {
        let row = &line.row;
        let paper = line.paper.map_or_else(String::new, |p| format!("{p:.1}"));
        let ratio = line.ratio().map_or_else(String::new, |r| format!("{r:.1}"));
        let missed = if line.met() == Some(false) { "  target missed" } else { "" };
        text += &format!(
            "{:28} {:22} {:8} {:>9.2} {:>6.0} {:>10} {:>15}{missed}\n",
            row.name(),
            row.configuration,
            row.verdict,
            line.seconds,
            line.peak_mb,
            paper,
            ratio
        );
    }
    for g in &summary.growth {
        text += &format!(
            "{}, {}: x {} to {}: time {:.2} per doubling, {:.3} per step; memory {:.2}, {:.3}\n",
            g.task,
            g.configuration,
            g.range[0],
            g.range[1],
            g.seconds_per_doubling,
            g.seconds_per_step,
            g.memory_per_doubling,
            g.memory_per_step
        );
    }
    text
}

//! Runs the tasks of a suite, each in a process of its own, one after another.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::manifest::{Manifest, Task};
use super::row::Row;
use crate::base::{Budget, Stop};
use crate::engine::external::process::{self, End, Finished, Job, Limits};

/// Where things are, and what the rows say about this machine.
#[derive(Clone, Debug)]
pub struct Place {
    /// The program that is measured.
    pub latchwork: PathBuf,
    /// The program that prints the programs of families.
    pub family: PathBuf,
    /// The table: what it has is not run again.
    pub table: PathBuf,
    /// Rows of other commits are old.
    pub commit: String,
    /// Rows of other machines are old.
    pub machine: String,
}

/// Is told how far the suite is.
pub trait Observer {
    /// A run begins; `done` of `total` tasks are behind it.
    fn begin(&mut self, done: usize, total: usize, task: &Task);
    /// A run has ended.
    fn end(&mut self, row: &Row);
}

/// Why a suite could not be run to its end.
#[derive(Debug)]
pub enum SuiteError {
    /// A file or program that cannot be used.
    File(String),
    /// The budget was used up; the table has what was measured.
    Stopped(Stop),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(why) => f.write_str(why),
            Self::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}

impl std::error::Error for SuiteError {}

fn failed(path: &Path, why: impl fmt::Display) -> SuiteError {
    SuiteError::File(format!("{}: {why}", path.display()))
}

/// Seconds that a run may need to end after its time is over.
const GRACE: u64 = 10;

/// Lines about these are there whatever the question is.
const IMPLICIT: [&str; 3] = ["undefined", "bound-reached", "atomic-blocked"];

/// Runs what the table does not have of the tasks whose names contain one of the words (all, if
/// there are none), and returns the rows of all tasks that it has then.
///
/// # Errors
/// If a file cannot be used, or the budget ends.
pub fn run(
    manifest: &Manifest,
    place: &Place,
    words: &[String],
    observer: &mut dyn Observer,
    budget: &Budget,
) -> Result<Vec<Row>, SuiteError> {
    let mut table = Table::open(place)?;
    let tasks = manifest.tasks();
    let chosen = |task: &&Task| {
        let name = task.name();
        words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
    };
    let total = tasks.iter().filter(chosen).count();
    // The sets and configurations that have not decided a task.
    let mut given_up: Vec<(&str, &str)> = vec![];
    for (done, task) in tasks.iter().filter(chosen).enumerate() {
        let series = (task.set.name.as_str(), task.configuration.name.as_str());
        if given_up.contains(&series) {
            continue;
        }
        let mut observe = |row: Option<&Row>| match row {
            None => observer.begin(done, total, task),
            Some(row) => observer.end(row),
        };
        if !run_task(manifest, task, place, &mut table, budget, &mut observe)? {
            given_up.push(series);
        }
    }
    Ok(tasks.iter().flat_map(|task| table.rows(task)).cloned().collect())
}

/// Brings the table's rows of a task up to date; whether the task is decided.
fn run_task(
    manifest: &Manifest,
    task: &Task,
    place: &Place,
    table: &mut Table,
    budget: &Budget,
    observe: &mut dyn FnMut(Option<&Row>),
) -> Result<bool, SuiteError> {
    let limit = task.set.seconds.unwrap_or(manifest.seconds);
    table.drop_old(task, limit, place);
    for run in 1..=manifest.runs {
        let there = table.rows(task).find(|row| row.run == run);
        let decided = if let Some(row) = there {
            row.decided()
        } else {
            observe(None);
            let row = measure(manifest, task, place, limit, run, budget)?;
            observe(Some(&row));
            let decided = row.decided();
            table.add(task, row)?;
            decided
        };
        if !decided {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One run.
fn measure(
    manifest: &Manifest,
    task: &Task,
    place: &Place,
    limit: u64,
    run: u32,
    budget: &Budget,
) -> Result<Row, SuiteError> {
    let directory = tempfile::tempdir().map_err(|e| failed(&std::env::temp_dir(), e))?;
    let program = program(task, place, directory.path())?;
    let job = Job {
        program: place.latchwork.clone(),
        arguments: arguments(manifest, task, &program, limit),
        directory: directory.path().to_owned(),
        limits: Limits {
            wall: Some(Duration::from_secs(limit + GRACE)),
            cpu: manifest.cpu,
            ..Limits::default()
        },
    };
    let finished = process::run(&job, budget);
    if let (End::Stopped(_), Some(stop)) = (&finished.end, budget.check()) {
        return Err(SuiteError::Stopped(stop));
    }
    let mut row = Row {
        task: task.set.name.clone(),
        x: task.x,
        configuration: task.configuration.name.clone(),
        run,
        stated: task.set.verdict.clone(),
        seconds: finished.usage.wall,
        cpu: finished.usage.cpu,
        peak_mb: finished.usage.peak_mb,
        limit,
        commit: place.commit.clone(),
        machine: place.machine.clone(),
        ..Row::default()
    };
    read_answer(&finished, &task.set.property, &mut row);
    if row.decided() && row.seconds > limit as f64 {
        row.verdict = "UNKNOWN".into();
    }
    Ok(row)
}

/// The task's program; one of a family is written to the directory.
fn program(task: &Task, place: &Place, directory: &Path) -> Result<PathBuf, SuiteError> {
    if let Some(path) = &task.set.program {
        return fs::canonicalize(path).map_err(|e| failed(path, e));
    }
    let words = task.fill(task.set.family.as_deref().unwrap_or_default());
    let output = Command::new(&place.family).args(words.split_whitespace()).output();
    let output = output.map_err(|e| failed(&place.family, e))?;
    if !output.status.success() {
        return Err(failed(&place.family, format!("no family `{words}`")));
    }
    let path = directory.join("program.c");
    fs::write(&path, output.stdout).map_err(|e| failed(&path, e))?;
    Ok(path)
}

fn arguments(manifest: &Manifest, task: &Task, program: &Path, limit: u64) -> Vec<OsString> {
    let set = task.set;
    let implicit = IMPLICIT.contains(&set.property.as_str());
    let property = if implicit { "assert" } else { &set.property };
    let timeout = limit.to_string();
    let memory = manifest.memory.to_string();
    let mut words = vec![task.configuration.command.as_str()];
    words.extend(["--property", property, "--format", "json", "--timeout", &timeout]);
    if task.configuration.command == "check" {
        words.extend(["--memory", &memory, "--quiet"]);
        if !implicit {
            words.push("--first");
        }
    }
    let mut arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    arguments.insert(1, program.into());
    let options = set.options.iter().chain(&task.configuration.options);
    arguments.extend(options.map(|option| OsString::from(task.fill(option))));
    arguments
}

/// Verdict, depth and sizes of what the run has printed.
fn read_answer(finished: &Finished, property: &str, row: &mut Row) {
    let answer: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
    let properties = answer["properties"].as_array().map(Vec::as_slice).unwrap_or_default();
    let asked = properties.iter().find(|p| p["name"] == property);
    row.verdict = match (&finished.end, asked.and_then(|p| p["verdict"].as_str())) {
        (End::Exit(0 | 5 | 10), Some(verdict)) => verdict.to_owned(),
        // Stopped before there was a circuit, by its own limit or ours.
        (End::Exit(5) | End::Stopped(_) | End::Signal(libc::SIGXCPU), _) => "UNKNOWN".to_owned(),
        _ => "ERROR".to_owned(),
    };
    row.depth = asked.and_then(|p| p["depth"].as_u64());
    let circuits = answer["circuits"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_own =
        |c: &&Value| c["properties"].as_array().is_some_and(|p| p.contains(&property.into()));
    if let Some(own) = circuits.iter().find(is_own) {
        row.latches = own["statistics"]["latches"].as_u64();
        row.ands = own["statistics"]["ands"].as_u64();
    }
    row.states = answer["exploration"]["states"].as_u64();
}

/// The rows that were measured so far, also in the file.
struct Table {
    path: PathBuf,
    /// By the task's set, parameter and configuration.
    rows: BTreeMap<(String, Option<u64>, String), Vec<Row>>,
}

impl Table {
    fn open(place: &Place) -> Result<Self, SuiteError> {
        let path = place.table.clone();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(failed(&path, e)),
        };
        let mut rows: BTreeMap<_, Vec<Row>> = BTreeMap::new();
        for row in text.lines().skip(1).filter_map(Row::read) {
            let key = (row.task.clone(), row.x, row.configuration.clone());
            rows.entry(key).or_default().push(row);
        }
        Ok(Self { path, rows })
    }

    fn key(task: &Task) -> (String, Option<u64>, String) {
        (task.set.name.clone(), task.x, task.configuration.name.clone())
    }

    fn rows(&self, task: &Task) -> impl Iterator<Item = &Row> {
        self.rows.get(&Self::key(task)).into_iter().flatten()
    }

    /// Forgets rows of the task that were measured on something else.
    fn drop_old(&mut self, task: &Task, limit: u64, place: &Place) {
        if let Some(rows) = self.rows.get_mut(&Self::key(task)) {
            rows.retain(|row| {
                let same = row.commit == place.commit && row.machine == place.machine;
                same && row.limit == limit && row.stated == task.set.verdict
            });
        }
    }

    /// Adds a row and writes the table, so that the suite can be taken up from here.
    fn add(&mut self, task: &Task, row: Row) -> Result<(), SuiteError> {
        self.rows.entry(Self::key(task)).or_default().push(row);
        let mut text = format!("{}\n", Row::HEADER);
        for row in self.rows.values().flatten() {
            text += &format!("{}\n", row.line());
        }
        let beside = self.path.with_extension("csv.new");
        fs::write(&beside, text).map_err(|e| failed(&beside, e))?;
        fs::rename(&beside, &self.path).map_err(|e| failed(&self.path, e))
    }
}

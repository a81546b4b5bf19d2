//! What a suite runs: the manifest in TOML, and the tasks that it stands for.

use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

/// A suite.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// One line: what the suite measures.
    pub about: String,
    /// Runs of each task, of which the median counts; one that is not decided is run once.
    #[serde(default = "one")]
    pub runs: u32,
    /// Wall time of a run in seconds.
    pub seconds: u64,
    /// CPU time of a run in seconds; none if missing.
    pub cpu: Option<u64>,
    /// Resident memory of a run in MB (2^20 bytes).
    pub memory: u64,
    /// A run's target is the paper's figure divided by this.
    pub factor: Option<f64>,
    /// Seconds that are good enough whatever the paper's figure is.
    #[serde(default)]
    pub floor: f64,
    /// What is compared.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
    /// What is measured.
    #[serde(rename = "task")]
    pub tasks: Vec<TaskSet>,
    /// What is drawn.
    #[serde(default, rename = "plot")]
    pub plots: Vec<Plot>,
}

fn one() -> u32 {
    1
}

/// A way of running the tasks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// Its name in tables and plots.
    pub name: String,
    /// The subcommand: `check` or `explore`.
    #[serde(default = "check")]
    pub command: String,
    /// Its options.
    #[serde(default)]
    pub options: Vec<String>,
}

fn check() -> String {
    "check".into()
}

/// A program, or a family of programs with a parameter `x`. `{x}` in `family` and `options` stands
/// for the parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSet {
    /// Its name in tables and plots.
    pub name: String,
    /// A C file, from the current directory.
    pub program: Option<PathBuf>,
    /// The arguments of scripts/family that print the program.
    pub family: Option<String>,
    /// The values of the parameter, upwards. When a configuration has not decided one, it is not
    /// asked about later ones.
    #[serde(default)]
    pub x: Vec<u64>,
    /// The property.
    #[serde(default = "assert")]
    pub property: String,
    /// Options for all configurations.
    #[serde(default)]
    pub options: Vec<String>,
    /// SAFE or UNSAFE, the right answer.
    pub verdict: String,
    /// The configurations; by default all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Seconds in a paper, for each value of `x` (or one, where there is no parameter).
    #[serde(default)]
    pub paper: Vec<f64>,
    /// Wall time of a run in seconds, in place of the suite's.
    pub seconds: Option<u64>,
}

fn assert() -> String {
    "assert".into()
}

/// A plot of the suite's table; it becomes NAME of the suite, a hyphen, and the plot's name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "lowercase")]
pub enum Plot {
    /// How many tasks each configuration solves within a time.
    Cactus {
        /// The plot's name.
        name: String,
    },
    /// Seconds of two configurations for each task.
    Scatter {
        /// The plot's name.
        name: String,
        /// The configurations on the axes.
        of: [String; 2],
    },
    /// Seconds against `x`.
    Growth {
        /// The plot's name.
        name: String,
        /// The names of the families; each with each configuration is a curve.
        tasks: Vec<String>,
    },
}

/// One task for one configuration.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The task's set.
    pub set: &'a TaskSet,
    /// The parameter, if the set has one.
    pub x: Option<u64>,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// Seconds in the paper.
    pub paper: Option<f64>,
}

impl Task<'_> {
    /// Its name with the parameter.
    pub fn name(&self) -> String {
        self.x.map_or_else(|| self.set.name.clone(), |x| format!("{}-{x}", self.set.name))
    }

    /// The text with the parameter filled in.
    pub fn fill(&self, text: &str) -> String {
        self.x.map_or_else(|| text.to_owned(), |x| text.replace("{x}", &x.to_string()))
    }
}

/// Why a manifest is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError(String);

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// If the text is no manifest, or contradicts itself.
    pub fn read(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text).map_err(|e| ManifestError(e.to_string()))?;
        manifest.validate().map_err(ManifestError)?;
        Ok(manifest)
    }

    /// Other limits than the manifest's, where they are given.
    pub fn limit(&mut self, seconds: Option<u64>, runs: Option<u32>) {
        if let Some(seconds) = seconds {
            self.seconds = seconds;
            self.tasks.iter_mut().for_each(|set| set.seconds = None);
        }
        self.runs = runs.unwrap_or(self.runs).max(1);
    }

    fn validate(&self) -> Result<(), String> {
        for c in &self.configurations {
            plain(&c.name)?;
            if !matches!(c.command.as_str(), "check" | "explore") {
                return Err(format!("configuration {}: no command `{}`", c.name, c.command));
            }
        }
        for set in &self.tasks {
            plain(&set.name)?;
            let fault = |why: &str| Err(format!("task {}: {why}", set.name));
            if set.program.is_some() == set.family.is_some() {
                return fault("one of `program` and `family` is needed");
            }
            if !matches!(set.verdict.as_str(), "SAFE" | "UNSAFE") {
                return fault("the verdict is SAFE or UNSAFE");
            }
            if !set.x.is_sorted_by(|a, b| a < b) {
                return fault("`x` goes upwards");
            }
            if !set.paper.is_empty() && set.paper.len() != set.x.len().max(1) {
                return fault("as many figures of the paper as values of `x` are needed");
            }
            if let Some(name) = set.only.iter().find(|&n| !self.has(n)) {
                return fault(&format!("no configuration `{name}`"));
            }
        }
        for plot in &self.plots {
            match plot {
                Plot::Scatter { of, .. } if !of.iter().all(|n| self.has(n)) => {
                    return Err("a scatter plot of configurations that are not there".into());
                }
                Plot::Growth { tasks, .. }
                    if !tasks.iter().all(|t| self.tasks.iter().any(|s| s.name == *t)) =>
                {
                    return Err("a plot of tasks that are not there".into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn has(&self, configuration: &str) -> bool {
        self.configurations.iter().any(|c| c.name == configuration)
    }

    /// All tasks: set by set, `x` upwards, configuration by configuration.
    pub fn tasks(&self) -> Vec<Task<'_>> {
        let mut tasks = vec![];
        for set in &self.tasks {
            let values: Vec<Option<u64>> = match set.x.as_slice() {
                [] => vec![None],
                x => x.iter().copied().map(Some).collect(),
            };
            for (k, x) in values.into_iter().enumerate() {
                for configuration in &self.configurations {
                    if set.only.is_empty() || set.only.contains(&configuration.name) {
                        tasks.push(Task {
                            set,
                            x,
                            configuration,
                            paper: set.paper.get(k).copied(),
                        });
                    }
                }
            }
        }
        tasks
    }

    /// The seconds that a task with this figure in the paper should take at most.
    pub fn target(&self, paper: Option<f64>) -> Option<f64> {
        Some((paper? / self.factor?).max(self.floor))
    }
}

/// Names are fields of tables in CSV without quotes.
fn plain(name: &str) -> Result<(), String> {
    let good = !name.is_empty() && !name.contains(|c: char| c == ',' || c == '"' || c.is_control());
    if good { Ok(()) } else { Err(format!("`{name}` is no name")) }
}

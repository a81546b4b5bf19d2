//! What a table comes to: a line for each task and configuration, and how figures grow with `x`.

use super::manifest::{Manifest, Task};
use super::row::Row;

/// The runs of a task under a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// One of the runs: a wrong one, else one that is not decided, else the first.
    pub row: Row,
    /// Median wall time in seconds.
    pub seconds: f64,
    /// Median CPU time in seconds.
    pub cpu: f64,
    /// Largest resident size of a run in MB (2^20 bytes).
    pub peak_mb: f64,
    /// Seconds in the paper.
    pub paper: Option<f64>,
    /// Seconds that are aimed at.
    pub target: Option<f64>,
}

impl Line {
    fn new(manifest: &Manifest, task: &Task, rows: &[&Row]) -> Option<Self> {
        let first = *rows.first()?;
        let row = rows.iter().find(|r| r.wrong()).or(rows.iter().find(|r| !r.decided()));
        let all = |value: fn(&Row) -> f64| rows.iter().map(|r| value(r)).collect::<Vec<f64>>();
        Some(Self {
            row: (*row.copied().unwrap_or(first)).clone(),
            seconds: median(all(|r| r.seconds)),
            cpu: median(all(|r| r.cpu)),
            peak_mb: all(|r| r.peak_mb).into_iter().fold(0.0, f64::max),
            paper: task.paper,
            target: manifest.target(task.paper),
        })
    }

    /// How many times faster than the paper, where the task is decided.
    pub fn ratio(&self) -> Option<f64> {
        self.paper.filter(|_| self.row.decided()).map(|paper| paper / self.seconds)
    }

    /// Whether the target is met; nothing where there is none.
    pub fn met(&self) -> Option<bool> {
        self.target.map(|target| self.row.decided() && self.seconds <= target)
    }

    fn csv(&self) -> String {
        let row = &self.row;
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        let real = |n: Option<f64>| n.map_or_else(String::new, |n| format!("{n:.3}"));
        let met = self.met().map_or("", |met| if met { "yes" } else { "no" });
        format!(
            "{},{},{},{},{},{},{:.3},{:.3},{:.0},{},{},{},{}",
            row.task,
            number(row.x),
            row.configuration,
            row.stated,
            row.verdict,
            number(row.depth),
            self.seconds,
            self.cpu,
            self.peak_mb,
            real(self.paper),
            real(self.ratio()),
            real(self.target),
            met
        )
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

/// How a figure grows with `x`, as the line through the upper half of the values of `x` that were
/// decided: for small ones the time of starting counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// Name of the task's set.
    pub task: String,
    /// The configuration.
    pub configuration: String,
    /// The least and the largest `x` that count.
    pub range: [u64; 2],
    /// Factor of the time when `x` doubles, if it is a power of `x`.
    pub seconds_per_doubling: f64,
    /// Factor of the time when `x` goes up by one, if it is exponential in `x`.
    pub seconds_per_step: f64,
    /// Factor of the memory when `x` doubles.
    pub memory_per_doubling: f64,
    /// Factor of the memory when `x` goes up by one.
    pub memory_per_step: f64,
}

/// The table's sense.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// A line for each task and configuration that was run: wrong ones first, then in order.
    pub lines: Vec<Line>,
    /// For each set and configuration with at least four values of `x` decided.
    pub growth: Vec<Growth>,
}

impl Summary {
    /// Of the rows of a table.
    pub fn new(manifest: &Manifest, rows: &[Row]) -> Self {
        let mut lines: Vec<Line> = vec![];
        for task in manifest.tasks() {
            let mine: Vec<&Row> = rows
                .iter()
                .filter(|r| {
                    r.task == task.set.name
                        && r.x == task.x
                        && r.configuration == task.configuration.name
                })
                .collect();
            lines.extend(Line::new(manifest, &task, &mine));
        }
        let growth = growth(manifest, &lines);
        lines.sort_by_key(|line| !line.row.wrong());
        Self { lines, growth }
    }

    /// Whether an answer is wrong or missing.
    pub fn wrong(&self) -> bool {
        self.lines.iter().any(|line| line.row.wrong())
    }

    /// The lines as CSV.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "task,x,configuration,stated,verdict,depth,seconds,cpu_seconds,peak_mb,\
             paper_seconds,times_faster,target_seconds,met\n",
        );
        for line in &self.lines {
            text += &line.csv();
            text.push('\n');
        }
        text
    }

    /// The growth as CSV; empty where there is none.
    pub fn growth_csv(&self) -> String {
        if self.growth.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "task,configuration,from_x,to_x,seconds_per_doubling,seconds_per_step,\
             memory_per_doubling,memory_per_step\n",
        );
        for g in &self.growth {
            text += &format!(
                "{},{},{},{},{:.2},{:.3},{:.2},{:.3}\n",
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
}

fn growth(manifest: &Manifest, lines: &[Line]) -> Vec<Growth> {
    let mut result = vec![];
    for (k, set) in manifest.tasks.iter().enumerate() {
        // Tasks of one name, such as for one configuration each, are one family.
        if manifest.tasks[..k].iter().any(|earlier| earlier.name == set.name) {
            continue;
        }
        for configuration in &manifest.configurations {
            let points: Vec<(u64, &Line)> = lines
                .iter()
                .filter(|l| l.row.task == set.name && l.row.configuration == configuration.name)
                .filter(|l| l.row.decided())
                .filter_map(|l| Some((l.row.x?, l)))
                .collect();
            if points.len() < 4 {
                continue;
            }
            let upper = &points[points.len() / 2 - 1..];
            let seconds: Vec<_> = upper.iter().map(|(x, l)| (*x as f64, l.seconds)).collect();
            let memory: Vec<_> = upper.iter().map(|(x, l)| (*x as f64, l.peak_mb)).collect();
            result.push(Growth {
                task: set.name.clone(),
                configuration: configuration.name.clone(),
                range: [upper[0].0, upper[upper.len() - 1].0],
                seconds_per_doubling: slope(&seconds, f64::log2).exp2(),
                seconds_per_step: slope(&seconds, |x| x).exp2(),
                memory_per_doubling: slope(&memory, f64::log2).exp2(),
                memory_per_step: slope(&memory, |x| x).exp2(),
            });
        }
    }
    result
}

/// Slope of log2 of the values against `scale` of `x`, by least squares.
fn slope(points: &[(f64, f64)], scale: fn(f64) -> f64) -> f64 {
    let points: Vec<(f64, f64)> =
        points.iter().map(|&(x, y)| (scale(x), y.max(1e-3).log2())).collect();
    let n = points.len() as f64;
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
    let up: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let down: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    up / down
}

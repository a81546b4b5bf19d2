//! The plots of a suite.

use std::error::Error;

use super::manifest::{Manifest, Plot};
use super::summary::{Line, Summary};
use crate::bench::{Captions, Curve, Measurement, cactus, curves, scatter};

impl Plot {
    /// The plot's name.
    pub fn name(&self) -> &str {
        match self {
            Plot::Cactus { name } | Plot::Scatter { name, .. } | Plot::Growth { name, .. } => name,
        }
    }

    /// The plot as SVG.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn draw(&self, manifest: &Manifest, summary: &Summary) -> Result<String, Box<dyn Error>> {
        let limit = summary.lines.iter().map(|l| l.row.limit).max().unwrap_or(1) as f64;
        match self {
            Plot::Cactus { .. } => {
                let rows: Vec<Measurement> = summary.lines.iter().map(measurement).collect();
                Ok(cactus(&rows, limit)?)
            }
            Plot::Scatter { of, .. } => {
                let pairs = pairs(summary, of);
                scatter(&manifest.about, [&of[0], &of[1]], &pairs, limit)
            }
            Plot::Growth { tasks, .. } => {
                let lines = series(manifest, summary, tasks);
                let most = lines.iter().flat_map(|c| &c.points).map(|p| p.0).fold(1.0, f64::max);
                let captions = Captions { title: &manifest.about, x: "x" };
                curves(captions, &lines, most * 1.05, limit)
            }
        }
    }
}

fn measurement(line: &Line) -> Measurement {
    let row = &line.row;
    Measurement { engine: row.configuration.clone(), solved: row.decided(), seconds: line.seconds }
}

/// Seconds under both configurations of the tasks that one of them has decided; one that is not
/// decided is on the edge of the plot.
fn pairs(summary: &Summary, of: &[String; 2]) -> Vec<(f64, f64)> {
    let seconds = |line: &Line| if line.row.decided() { line.seconds } else { f64::MAX };
    let lines = |name: &'_ String| {
        let name = name.clone();
        summary.lines.iter().filter(move |l| l.row.configuration == name)
    };
    lines(&of[0])
        .filter_map(|first| {
            let name = first.row.name();
            let second = lines(&of[1]).find(|l| l.row.name() == name)?;
            let decided = first.row.decided() || second.row.decided();
            decided.then(|| (seconds(first), seconds(second)))
        })
        .collect()
}

/// A curve for each of the sets under each configuration.
fn series(manifest: &Manifest, summary: &Summary, tasks: &[String]) -> Vec<Curve> {
    let mut result = vec![];
    for task in tasks {
        for configuration in &manifest.configurations {
            let mine = summary.lines.iter().filter(|l| {
                l.row.task == *task && l.row.configuration == configuration.name && l.row.decided()
            });
            let points: Vec<_> = mine.filter_map(|l| Some((l.row.x? as f64, l.seconds))).collect();
            if !points.is_empty() {
                let name = format!("{task}, {}", configuration.name);
                result.push(Curve { name, points });
            }
        }
    }
    result
}

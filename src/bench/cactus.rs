//! The cactus plot: for each engine, how many models it has solved within a time.

use std::fmt;

use super::plot::{Captions, Curve, LEAST, curves};

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The engine.
    pub engine: String,
    /// Whether it said SAFE or UNSAFE.
    pub solved: bool,
    /// Wall time.
    pub seconds: f64,
}

/// Why there is no plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CactusError {
    /// The table has no column of this name.
    Column(&'static str),
    /// A line of the table (1-based) has too few fields, or no number of seconds.
    Line(usize),
    /// The plot cannot be drawn.
    Drawing(String),
}

impl fmt::Display for CactusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(name) => write!(f, "the table has no column `{name}`"),
            Self::Line(n) => write!(f, "line {n}: not a measurement"),
            Self::Drawing(why) => write!(f, "the plot cannot be drawn: {why}"),
        }
    }
}

impl std::error::Error for CactusError {}

/// The rows of a table in CSV (without quotes) with columns `engine`, `verdict` and `seconds`.
///
/// # Errors
/// If a column is missing or a line is not a measurement.
pub fn read_measurements(csv: &str) -> Result<Vec<Measurement>, CactusError> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name| header.iter().position(|&h| h == name).ok_or(CactusError::Column(name));
    let (engine, verdict, seconds) = (column("engine")?, column("verdict")?, column("seconds")?);
    let mut rows = vec![];
    for (k, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |c: usize| fields.get(c).copied().ok_or(CactusError::Line(k + 2));
        rows.push(Measurement {
            engine: field(engine)?.to_string(),
            solved: matches!(field(verdict)?, "SAFE" | "UNSAFE"),
            seconds: field(seconds)?.parse().map_err(|_| CactusError::Line(k + 2))?,
        });
    }
    Ok(rows)
}

/// The plot as SVG; engines in the order of the table, times up to `limit` seconds.
///
/// # Errors
/// If it cannot be drawn.
pub fn cactus(rows: &[Measurement], limit: f64) -> Result<String, CactusError> {
    let mut engines: Vec<(&str, Vec<f64>)> = vec![];
    for row in rows {
        if !engines.iter().any(|(name, _)| *name == row.engine) {
            engines.push((&row.engine, vec![]));
        }
        if row.solved
            && let Some((_, times)) = engines.iter_mut().find(|(name, _)| *name == row.engine)
        {
            times.push(row.seconds.clamp(LEAST, limit));
        }
    }
    let most = engines.iter().map(|(_, times)| times.len()).max().unwrap_or(0).max(1);
    let lines: Vec<Curve> = engines
        .into_iter()
        .map(|(name, mut times)| {
            times.sort_by(f64::total_cmp);
            let name = format!("{name} ({})", times.len());
            let points = times.into_iter().zip(1..).map(|(t, k)| (f64::from(k), t)).collect();
            Curve { name, points }
        })
        .collect();
    let captions = Captions { title: "Models solved within a time", x: "models solved" };
    curves(captions, &lines, (most + 1) as f64, limit)
        .map_err(|e| CactusError::Drawing(e.to_string()))
}

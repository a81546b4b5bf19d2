//! The cactus plot: for each engine, how many models it has solved within a time.

use std::fmt;

use plotters::prelude::{
    BLACK, ChartBuilder, Color, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, SVGBackend,
    SeriesLabelPosition, WHITE,
};
use plotters::style::{Palette, Palette99};

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

/// Below this many seconds the plot does not tell times apart.
const LEAST: f64 = 0.01;

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
    for (_, times) in &mut engines {
        times.sort_by(f64::total_cmp);
    }
    let mut svg = String::new();
    draw(&mut svg, &engines, limit).map_err(|e| CactusError::Drawing(e.to_string()))?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    engines: &[(&str, Vec<f64>)],
    limit: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let most = engines.iter().map(|(_, times)| times.len()).max().unwrap_or(0).max(1);
    let area = SVGBackend::with_string(svg, (900, 600)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(15)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .caption("Models solved within a time", ("sans-serif", 20))
        .build_cartesian_2d(0..most + 1, (LEAST..limit).log_scale())?;
    chart.configure_mesh().x_desc("models solved").y_desc("seconds").draw()?;
    for (k, (name, times)) in engines.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let points = times.iter().enumerate().map(|(k, &t)| (k + 1, t));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(format!("{name} ({})", times.len()))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .border_style(BLACK)
        .background_style(WHITE)
        .draw()?;
    area.present()?;
    Ok(())
}

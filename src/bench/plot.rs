//! Plots as SVG, with seconds on logarithmic axes.

use std::error::Error;

use plotters::prelude::{
    BLACK, ChartBuilder, Circle, Color, IntoDrawingArea, IntoLogRange, LineSeries, PathElement,
    SVGBackend, SeriesLabelPosition, WHITE,
};
use plotters::style::{Palette, Palette99};

/// Below this many seconds plots do not tell times apart.
pub(super) const LEAST: f64 = 0.01;

/// Points that are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// Abscissa and seconds.
    pub points: Vec<(f64, f64)>,
}

/// What the plot and its horizontal axis are called.
#[derive(Clone, Copy, Debug)]
pub struct Captions<'a> {
    /// Above the plot.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub x: &'a str,
}

/// Curves over `x` from 0 to `most`, up to `limit` seconds.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn curves(
    captions: Captions,
    curves: &[Curve],
    most: f64,
    limit: f64,
) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (900, 600)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .margin(15)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .caption(captions.title, ("sans-serif", 20))
            .build_cartesian_2d(0.0..most, (LEAST..limit).log_scale())?;
        chart
            .configure_mesh()
            .x_label_formatter(&|x| format!("{x}"))
            .x_desc(captions.x)
            .y_desc("seconds")
            .draw()?;
        for (k, curve) in curves.iter().enumerate() {
            let color = Palette99::pick(k).to_rgba();
            let clamped = |&(x, y): &(f64, f64)| (x, y.clamp(LEAST, limit));
            let points: Vec<_> = curve.points.iter().map(clamped).collect();
            let dots = points.iter().map(|&p| Circle::new(p, 3, color.filled()));
            chart.draw_series(dots)?;
            chart
                .draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?
                .label(curve.name.as_str())
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .border_style(BLACK)
            .background_style(WHITE)
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

/// A point for each pair of seconds, and the line on which both are the same.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn scatter(
    title: &str,
    axes: [&str; 2],
    points: &[(f64, f64)],
    limit: f64,
) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (600, 600)).into_drawing_area();
        area.fill(&WHITE)?;
        let range = || (LEAST..limit).log_scale();
        let mut chart = ChartBuilder::on(&area)
            .margin(15)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .caption(title, ("sans-serif", 20))
            .build_cartesian_2d(range(), range())?;
        chart
            .configure_mesh()
            .x_desc(format!("seconds, {}", axes[0]))
            .y_desc(format!("seconds, {}", axes[1]))
            .draw()?;
        chart.draw_series(LineSeries::new([(LEAST, LEAST), (limit, limit)], BLACK))?;
        let dots = points.iter().map(|&(x, y)| {
            let place = (x.clamp(LEAST, limit), y.clamp(LEAST, limit));
            Circle::new(place, 4, Palette99::pick(0).filled())
        });
        chart.draw_series(dots)?;
        area.present()?;
    }
    Ok(svg)
}

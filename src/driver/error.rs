//! Why the pipeline ended without a report.

use std::fmt;

use crate::base::{Diagnostic, SourceMap, Stop};
use crate::property::ParseError;

/// An end without a report.
#[derive(Debug)]
pub enum DriverError {
    /// The user's program or options are refused: exit code 2.
    Input(Vec<Diagnostic>, Box<SourceMap>),
    /// A property is refused: exit code 2.
    Property(ParseError),
    /// A file that the user named cannot be read, written or understood: exit code 2.
    File(String),
    /// A limit was reached before an engine could start.
    Stopped(Stop),
    /// An internal check failed: exit code 70.
    Internal(String),
}

impl From<Stop> for DriverError {
    fn from(stop: Stop) -> Self {
        DriverError::Stopped(stop)
    }
}

impl From<ParseError> for DriverError {
    fn from(error: ParseError) -> Self {
        DriverError::Property(error)
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DriverError::Input(list, sources) => {
                list.iter().try_for_each(|d| f.write_str(&d.render(sources)))
            }
            DriverError::Property(e) => write!(f, "error: {e}"),
            DriverError::File(e) => write!(f, "error: {e}"),
            DriverError::Stopped(stop) => write!(f, "{stop}"),
            DriverError::Internal(e) => write!(f, "internal error: {e}"),
        }
    }
}

impl std::error::Error for DriverError {}

//! `latchwork bench`: suites of measurements (`bench run`), and what scripts/bench-engines and
//! scripts/bench-reduction need.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::base::Budget;
use crate::bench::{cactus, read_measurements, write_designs};
use crate::driver::{DriverError, circuit_sizes};

use super::bench_suite as suite;
use super::options::ProgramArgs;
use super::run::{exit, print};

/// Options of `bench`.
#[derive(Debug, StructOpt)]
pub(super) enum Bench {
    /// Runs a suite, or the rest of it: what its table has from this machine and state of the
    /// sources is not run again. Exit code 10: an answer is wrong, or there was none.
    Run(suite::RunSuite),
    /// Writes the generated designs as AIGER files.
    Designs {
        /// Where to.
        #[structopt(parse(from_os_str))]
        directory: PathBuf,
    },
    /// Draws the cactus plot of a table.
    Plot {
        /// CSV with columns engine, verdict and seconds.
        #[structopt(parse(from_os_str))]
        table: PathBuf,
        /// The file to write.
        #[structopt(parse(from_os_str))]
        svg: PathBuf,
        /// The time limit of the runs in seconds.
        #[structopt(long, default_value = "60")]
        limit: f64,
    },
    /// Prints the sizes of a program's circuit under each reduction, and of the scheduler in it, as
    /// a table in CSV.
    Sizes {
        #[structopt(flatten)]
        program: Box<ProgramArgs>,
    },
}

impl Bench {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        match self {
            Bench::Run(suite) => return suite.run(),
            Bench::Designs { directory } => {
                write_designs(directory).map_err(|e| DriverError::File(e.to_string()))?;
            }
            Bench::Plot { table, svg, limit } => {
                let failed = |path: &PathBuf, e: &dyn std::fmt::Display| {
                    DriverError::File(format!("{}: {e}", path.display()))
                };
                let text = std::fs::read_to_string(table).map_err(|e| failed(table, &e))?;
                let rows = read_measurements(&text).map_err(|e| failed(table, &e))?;
                let plot = cactus(&rows, *limit).map_err(|e| failed(table, &e))?;
                std::fs::write(svg, plot).map_err(|e| failed(svg, &e))?;
            }
            Bench::Sizes { program } => {
                let rows = circuit_sizes(&program.options()?, &Budget::unlimited())?;
                let mut text = String::from("reduction,latches,ands,scheduler_ands\n");
                for row in rows {
                    let (name, sizes) = (row.reduction, row.sizes);
                    text += &format!("{name},{},{},{}\n", sizes.latches, sizes.ands, row.scheduler);
                }
                print(&text);
            }
        }
        Ok(exit::SAFE)
    }
}

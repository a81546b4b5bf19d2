//! `latchwork explore`.
use crate::driver::DriverError;
use structopt::StructOpt;
/// Options of `explore`.
#[derive(Debug, StructOpt)]
pub(super) struct Explore {}
impl Explore {
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        Ok(0)
    }
}

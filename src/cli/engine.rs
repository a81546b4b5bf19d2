//! The choice of engines, and where programs of others are looked for.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::DriverError;
use crate::engine::external::Search;
use crate::portfolio::{EngineOptions, Plan};

/// Which engines.
#[derive(Debug, StructOpt)]
pub(super) struct EngineArgs {
    /// The engine: auto (several side by side), one that `latchwork engines` lists, with its
    /// options ("bmc --max-depth 20"), or portfolio:PRESET.
    #[structopt(long, default_value = "auto")]
    engine: String,
    /// Cores for engines that run side by side; by default all.
    #[structopt(long)]
    cores: Option<NonZeroUsize>,
}

impl EngineArgs {
    /// The engines to run.
    pub(super) fn plan(&self, options: EngineOptions) -> Result<Plan, DriverError> {
        let cores = self.cores.or_else(|| std::thread::available_parallelism().ok());
        let cores = cores.map_or(1, NonZeroUsize::get);
        Plan::new(&self.engine, cores, options, &tools())
            .map_err(|e| DriverError::File(e.to_string()))
    }
}

/// Where programs are looked for: the variables `LATCHWORK_<NAME>`, then `PATH`, then where
/// scripts/setup puts what it builds.
pub(super) fn tools() -> Search {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    Search::new(variable("PATH").as_deref(), cache(variable), variable)
}

/// As in scripts/setup.
fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let own = variable("LATCHWORK_CACHE").map(PathBuf::from);
    let general = || variable("XDG_CACHE_HOME").map(|dir| PathBuf::from(dir).join("latchwork"));
    let home = || variable("HOME").map(|dir| PathBuf::from(dir).join(".cache/latchwork"));
    own.or_else(general).or_else(home).map(|dir| dir.join("bin"))
}

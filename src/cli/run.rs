//! Dispatch, exit codes and error messages.

use std::io::Write;

use structopt::StructOpt;
use structopt::clap::{AppSettings, ErrorKind};

use crate::driver::DriverError;

use super::{analyze, bench, check, engines, explore, export, replay, solve};

/// Exit codes.
pub(super) mod exit {
    /// Every property is safe.
    pub const SAFE: i32 = 0;
    /// Bad usage or input.
    pub const INPUT: i32 = 2;
    /// Some property is unknown and none unsafe.
    pub const UNKNOWN: i32 = 5;
    /// Some property is unsafe.
    pub const UNSAFE: i32 = 10;
    /// An internal check failed.
    pub const INTERNAL: i32 = 70;
}

/// Model checking of multi-threaded C by translation to hardware circuits.
#[derive(Debug, StructOpt)]
#[structopt(name = "latchwork", global_settings = &[AppSettings::VersionlessSubcommands])]
enum Command {
    /// Checks a program's properties.
    Check(check::Check),
    /// Writes a program's circuit as AIGER, for other model checkers.
    Export(export::Export),
    /// Decides the properties of a model of somebody else: AIGER or BTOR2.
    Solve(solve::Solve),
    /// Runs a witness that was found on an exported circuit on the program.
    Replay(replay::Replay),
    /// Enumerates a program's states one by one: the reference for small programs.
    Explore(explore::Explore),
    /// Shows what the analyses found: mutexes held, movers, transactions.
    Analyze(analyze::Analyze),
    /// Lists the engines that are found on this machine.
    Engines(engines::Engines),
    /// Measures suites of programs; draws plots.
    Bench(bench::Bench),
}

/// Runs the command line of this process and returns the exit code.
pub fn run() -> i32 {
    let command = match Command::from_iter_safe(std::env::args_os()) {
        Ok(command) => command,
        Err(e) if matches!(e.kind, ErrorKind::HelpDisplayed | ErrorKind::VersionDisplayed) => {
            print(&(e.message + "\n"));
            return exit::SAFE;
        }
        Err(e) => {
            eprintln!("{}", e.message);
            return exit::INPUT;
        }
    };
    let result = match &command {
        Command::Check(c) => c.run(),
        Command::Export(c) => c.run(),
        Command::Solve(c) => c.run(),
        Command::Replay(c) => c.run(),
        Command::Explore(c) => c.run(),
        Command::Analyze(c) => c.run(),
        Command::Engines(c) => c.run(),
        Command::Bench(c) => c.run(),
    };
    result.unwrap_or_else(|e| fail(&e))
}

/// Prints to standard output. A reader that has gone away is no error of ours.
pub(super) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn fail(error: &DriverError) -> i32 {
    match error {
        DriverError::Input(..) => {
            eprint!("{error}");
            exit::INPUT
        }
        DriverError::Property(_) | DriverError::File(_) => {
            eprintln!("{error}");
            exit::INPUT
        }
        DriverError::Stopped(stop) => {
            print(&format!("UNKNOWN ({stop})\n"));
            exit::UNKNOWN
        }
        DriverError::Internal(message) => {
            report_bug(message);
            exit::INTERNAL
        }
    }
}

/// Says what went wrong, and writes a file to attach to a bug report.
fn report_bug(message: &str) {
    eprintln!("internal error: {message}");
    let arguments: Vec<String> =
        std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let text = format!(
        "latchwork {}\narguments: {arguments:?}\nerror: {message}\n",
        env!("CARGO_PKG_VERSION")
    );
    let path = format!("latchwork-bug-{}.txt", std::process::id());
    match std::fs::write(&path, text) {
        Ok(()) => eprintln!(
            "this is a bug in latchwork: please report it with the source files and {path}"
        ),
        Err(_) => eprintln!("this is a bug in latchwork: please report it with the source files"),
    }
}

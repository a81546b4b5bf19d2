//! Tools, real ones and impostors, against explicit-state search.

mod impostors;
mod real;
#[path = "../../../tests/common/skip.rs"]
mod skip;

use skip::skipped;
use std::path::{Path, PathBuf};

use super::{External, ExternalOptions, Method, Search, Tool, ToolKind};

/// The tool if it is on this machine, as the command line finds it; else the reason is printed.
fn tool(kind: ToolKind) -> Option<Tool> {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let home = |below: &str| variable("HOME").map(|home| PathBuf::from(home).join(below));
    let cache = variable("LATCHWORK_CACHE").map(PathBuf::from).or_else(|| {
        let general = variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| home(".cache"));
        general.map(|dir| dir.join("latchwork"))
    });
    let path = variable("PATH");
    let search = Search::new(path.as_deref(), cache.map(|dir| dir.join("bin")), variable);
    let found = search.find(kind);
    if let Err(why) = &found {
        skipped(format_args!("{}: {why}", kind.name()));
    }
    found.ok()
}

fn engine(tool: &Tool, method: Method) -> External {
    External { tool: tool.clone(), method, options: ExternalOptions::default() }
}

/// An executable shell script.
fn script(directory: &Path, name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

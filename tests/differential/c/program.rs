//! From the generated text to a thread program.

use std::process::Command;

use latchwork::analysis::points_to;
use latchwork::base::{Diagnostic, SourceMap};
use latchwork::frontend::c::{Checks, LowerOptions, lower, parse_text};
use latchwork::program::{Program, validate};

use super::generate::Source;

/// What both compilers include.
pub const INCLUDES: &str = "#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
";

/// Time passes as it likes, and threads are interrupted anywhere.
const MACROS: &str = "
#define Y()
#define SOON() (&soon)
static struct timespec soon;
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int), __VERIFIER_assert(int);
extern _Bool __VERIFIER_nondet_bool(void);
";

const NEXT: &str = "LATCHWORK_NEXT";

/// The thread programs of some texts, which are preprocessed together; with sites that are made on
/// demand only, where `checks` is set.
///
/// # Panics
/// If one is refused.
pub fn lowered(sources: &[Source], checks: bool) -> Vec<Program> {
    let mut text = format!("{INCLUDES}{MACROS}");
    for source in sources {
        text += &format!("{NEXT}\n{}int main(void) {{ run_{}(); }}\n", source.text, source.id);
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("p.c");
    std::fs::write(&file, text).expect("a new file");
    let output = Command::new("cc").args(["-E", "-P"]).arg(&file).output().expect("cc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut parts = text.split(NEXT);
    let header = parts.next().expect("the header");
    let checks = Checks { relock: checks, arithmetic: checks };
    let pairs = sources.iter().zip(parts);
    pairs.map(|(source, own)| one(source, &format!("{header}{own}"), checks)).collect()
}

fn one(source: &Source, text: &str, checks: Checks) -> Program {
    let refused = |list: Vec<Diagnostic>, sources: &SourceMap| -> ! {
        let messages: String = list.iter().map(|d| d.render(sources)).collect();
        panic!("seed {}: {messages}\n{}", source.seed, source.text)
    };
    let mut sources = SourceMap::new();
    let unit = parse_text("p.c", text, &mut sources).unwrap_or_else(|list| refused(list, &sources));
    let options = LowerOptions { checks, ..LowerOptions::default() };
    let lowered = lower(&[unit], sources, &options)
        .unwrap_or_else(|failed| refused(failed.errors, &failed.sources));
    let mut program = lowered.program;
    points_to(&mut program);
    validate(&program).unwrap_or_else(|e| panic!("seed {}: {e}\n{}", source.seed, source.text));
    program
}

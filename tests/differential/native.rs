//! Real runs: programs compiled by the machine's C compiler and run many times with random delays.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use latchwork::base::{Budget, Id};
use latchwork::program::explore::{ExploreError, ExploreOptions, Explorer};
use latchwork::program::{LocKind, Machine, Program, State, ThreadId, VarId};

use crate::c::{INCLUDES, Source};

/// How a run ended: the line that `main` printed, or `hang` or `signal N`.
pub type Outcome = String;

/// Delays and clocks, and the runs: each in a process of its own, with so many seconds.
const RUNTIME: &str = r#"
#include <sched.h>
#include <sys/wait.h>
static __thread unsigned noise;
static unsigned draw(void) {
    if (!noise) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        noise = (unsigned) now.tv_nsec ^ (unsigned) (unsigned long) &noise | 1;
    }
    noise ^= noise << 13, noise ^= noise >> 17, noise ^= noise << 5;
    return noise;
}
static void Y(void) {
    unsigned r = draw();
    if (r % 4 == 0) sched_yield();
    if (r % 16 == 1) usleep(r % 97);
    if (r % 4 == 2) for (volatile unsigned i = 0; i < r / 4 % 512; i++) {}
}
static const struct timespec *SOON(void) {
    static __thread struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += draw() % 300000;
    if (time.tv_nsec >= 1000000000) time.tv_nsec -= 1000000000, time.tv_sec++;
    return &time;
}
static void run(void (*program)(void), int times, int seconds) {
    for (int i = 0; i < times; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(seconds);
            program();
            fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) {
            if (WTERMSIG(status) == SIGALRM) printf("hang\n");
            else printf("signal %d\n", WTERMSIG(status));
        }
    }
    printf("next\n");
}
"#;

/// Runs each program so many times: its outcomes, with how often they occurred.
///
/// # Panics
/// If the compiler refuses the text.
pub fn run(sources: &[&Source], times: usize, seconds: u32) -> Vec<BTreeMap<Outcome, usize>> {
    let mut text = format!("{INCLUDES}#include <signal.h>\n{RUNTIME}");
    let mut main = String::new();
    for source in sources {
        text += &source.text;
        main += &format!("    run(run_{}, {times}, {seconds});\n", source.id);
    }
    text += &format!("int main(void) {{\n{main}    return 0;\n}}\n");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (file, binary) = (dir.path().join("p.c"), dir.path().join("p"));
    std::fs::write(&file, text).expect("a new file");
    // The compiler may not reorder what races, as far as that can be had.
    let flags = ["-std=gnu11", "-w", "-O0", "-fwrapv", "-pthread"];
    let compiled = Command::new("cc").args(flags).arg("-o").args([&binary, &file]).output();
    let compiled = compiled.expect("cc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().expect("the program runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let mut all = vec![];
    let mut counts = BTreeMap::new();
    for line in printed.lines() {
        match line {
            "next" => all.push(std::mem::take(&mut counts)),
            _ => *counts.entry(line.to_string()).or_default() += 1,
        }
    }
    assert_eq!(all.len(), sources.len(), "every program has its runs");
    all
}

/// What the explorer says of a program.
pub struct Reachable {
    /// Lines that `main` can print.
    pub outcomes: BTreeSet<Outcome>,
    /// Whether some run does not end.
    pub deadlock: bool,
    /// Whether some run is not defined or reaches a bound: then nothing can be said.
    pub undefined: bool,
}

/// All outcomes; `None` if the program has more than `states` states or too many choices.
pub fn reachable(source: &Source, program: &Program, states: usize) -> Option<Reachable> {
    let shown: Vec<VarId> = (0..source.shown)
        .map(|k| {
            let end = format!(".o{k}");
            let found = program.vars.iter_enumerated().find(|(_, v)| v.name.ends_with(&end));
            found.unwrap_or_else(|| panic!("no {end}\n{}", source.text)).0
        })
        .collect();
    let main = ThreadId::new(0);
    let mut outcomes = BTreeSet::new();
    let mut visit = |state: &State, _| {
        if program.threads[main].locations[state.loc(main)].kind == LocKind::Stopped {
            let values: Vec<String> = shown.iter().map(|&v| state.value(v).to_string()).collect();
            outcomes.insert(values.join(" "));
        }
    };
    let machine = Machine::new(program);
    let options = ExploreOptions { max_states: Some(states), ..ExploreOptions::default() };
    let explorer = Explorer::new(&machine, options).visit(&mut visit);
    let found = match explorer.run(&Budget::unlimited()) {
        Ok(found) => found,
        // A cell of the heap that is not written chooses all of its bits at once.
        Err(ExploreError::InputTooWide { .. }) => return None,
        Err(e) => panic!("seed {}: {e}\n{}", source.seed, source.text),
    };
    if found.incomplete.is_some() {
        return None;
    }
    let (undefined, deadlock) = (found.violated().next().is_some(), found.terminals.deadlock > 0);
    Some(Reachable { outcomes, deadlock, undefined })
}

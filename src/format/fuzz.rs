//! Damage to files, for tests of readers.

use std::time::Instant;

use super::{aiger, btor2, smv, witness};
use crate::base::Rng;
use crate::outcome::Trace;
use crate::{aig, ts};

/// Changes, removes, doubles or adds some bytes.
pub(super) fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len() + 1);
    let end = (at + 1 + rng.below(4)).min(bytes.len());
    match rng.below(7) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        3 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        4 if at < bytes.len() => bytes[at] = *rng.pick(b"0123456789 \nabcfijlo\xff"),
        5 => bytes.insert(at, *rng.pick(b"0123456789 \ncb\x80")),
        _ => {
            bytes.splice(at..at, rng.next_u64().to_string().bytes().take(1 + rng.below(19)));
        }
    }
}

/// Moves, removes, doubles lines, or puts words in other words' places: most of the result is
/// still of the form of its format.
fn rearrange(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    match rng.below(5) {
        0 => lines.swap(a, b),
        1 => drop(lines.remove(a)),
        2 => lines.insert(a, lines[b].clone()),
        _ => {
            let donor: Vec<Vec<u8>> = lines[b].split(|&c| c == b' ').map(<[u8]>::to_vec).collect();
            let mut words: Vec<Vec<u8>> =
                lines[a].split(|&c| c == b' ').map(<[u8]>::to_vec).collect();
            let at = rng.below(words.len());
            words[at] = rng.pick(&donor).clone();
            lines[a] = words.join(&b' ');
        }
    }
    *bytes = lines.join(&b'\n');
}

fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(3) {
        if rng.one_in(2) {
            mutate(rng, bytes);
        } else {
            rearrange(rng, bytes);
        }
    }
}

/// How long to go on: a few rounds, or what `LATCHWORK_FUZZ` says: a number of rounds, or with
/// an `s` behind it of seconds.
struct Rounds {
    start: Instant,
    rounds: u64,
    seconds: Option<u64>,
}

impl Rounds {
    fn new(few: u64) -> Self {
        let text = std::env::var("LATCHWORK_FUZZ").unwrap_or_default();
        let seconds = text.strip_suffix('s').and_then(|n| n.parse().ok());
        let rounds = text.parse().unwrap_or(few);
        Rounds { start: Instant::now(), rounds, seconds }
    }

    fn more(&self, done: u64) -> bool {
        match self.seconds {
            Some(seconds) => self.start.elapsed().as_secs() < seconds,
            None => done < self.rounds,
        }
    }
}

/// A reader's fuzz: a file, damaged, read; whether it was accepted. What is accepted must be
/// well formed.
type Target = fn(&mut Rng) -> bool;

const TARGETS: [(&str, Target); 6] = [
    ("AIGER", fuzz_aiger),
    ("BTOR2", fuzz_btor2),
    ("AIGER witness", fuzz_witness),
    ("BTOR2 witness", fuzz_btor2_witness),
    ("SMV trace", fuzz_smv),
    ("SMV trace in XML", fuzz_smv_xml),
];

fn fuzz_aiger(rng: &mut Rng) -> bool {
    let options = aig::random::RandomOptions::everything(rng, 8);
    let graph = aig::random::random_aig(rng, &options);
    let encoding = *rng.pick(&[aiger::Encoding::Ascii, aiger::Encoding::Binary]);
    let mut bytes = aiger::write(&graph, aiger::WriteOptions::new(encoding)).unwrap();
    damage(rng, &mut bytes);
    let Ok(back) = aiger::read(&bytes) else { return false };
    // It can be written and run.
    let text = aiger::write(&back, aiger::WriteOptions::new(encoding)).unwrap();
    assert_eq!(aiger::read(&text).unwrap(), aig::reorder(&back).0);
    let inputs = aig::random::random_inputs(rng, &back, 2);
    aig::run(&back, &aig::random::random_initial(rng, &back), &inputs);
    true
}

fn fuzz_btor2(rng: &mut Rng) -> bool {
    let options = ts::random::RandomOptions::everything(rng);
    let system = ts::random::random_system(rng, &options);
    let mut bytes = btor2::write(&system).into_bytes();
    if rng.one_in(4) {
        bytes = ARRAYS.to_vec();
    }
    damage(rng, &mut bytes);
    let Ok(model) = btor2::read(&bytes) else { return false };
    model.ts.validate().unwrap();
    let run = ts::random::random_run(rng, &model.ts, 3);
    let observe = |ts: &ts::TransitionSystem| {
        let mut seen = vec![];
        run.frames(ts, |frame| {
            seen.extend(ts.property_roots().map(|e| frame.value(e)).collect::<Vec<_>>());
        });
        seen
    };
    let back = btor2::read(btor2::write(&model.ts).as_bytes()).unwrap();
    assert_eq!(observe(&back.ts), observe(&model.ts));
    smv::write(&model.ts);
    true
}

/// A file with what the writer never makes.
const ARRAYS: &[u8] = b"1 sort bitvec 1\n2 sort bitvec 3\n3 sort array 2 2\n4 input 2 at\n5 state 3 m\n\
    6 constd 2 -3\n7 init 3 5 6\n8 write 3 5 4 6\n9 next 3 5 8\n10 read 2 5 4\n11 state 2 loose\n\
    12 state 2 late\n13 add 2 11 10\n14 next 2 12 13\n15 smulo 1 12 11\n16 bad -15 x\n17 state 2\n\
    18 init 2 17 12\n19 rol 2 17 10\n20 ror 2 19 12\n21 redxor 1 20\n22 justice 2 21 -21\n23 fair 15\n";

fn fuzz_witness(rng: &mut Rng) -> bool {
    let mut options = aig::random::RandomOptions::everything(rng, 6);
    options.bads += 1;
    let graph = aig::random::random_aig(rng, &options);
    let frames = 1 + rng.below(4);
    let trace = Trace {
        bad: rng.below(graph.bads.len()),
        initial: aig::random::random_initial(rng, &graph),
        inputs: aig::random::random_inputs(rng, &graph, frames),
    };
    let mut bytes = witness::write(&witness::Witness::Violated(trace)).into_bytes();
    damage(rng, &mut bytes);
    let Ok(found) = witness::read(&bytes, &graph, 0) else { return false };
    if let witness::Witness::Violated(trace) = found {
        aig::run(&graph, &trace.initial, &trace.inputs);
    }
    true
}

fn fuzz_btor2_witness(rng: &mut Rng) -> bool {
    let model = btor2::read(ARRAYS).unwrap();
    let witness = btor2::Witness {
        properties: vec![btor2::Property::Bad(0)],
        run: ts::random::random_run(rng, &model.ts, 2),
    };
    let mut bytes = btor2::write_witness(&witness, &model.ts, &model.layout).into_bytes();
    damage(rng, &mut bytes);
    let Ok(found) = btor2::read_witness(&bytes, &model.ts, &model.layout) else { return false };
    found.run.frames(&model.ts, |_| {});
    true
}

/// A trace of a small system in text form or XML.
fn smv_trace(rng: &mut Rng, xml: bool) -> bool {
    let options = ts::random::RandomOptions { inputs: 2, ..ts::random::RandomOptions::tiny() };
    let system = ts::random::random_system(rng, &options);
    let model = smv::write(&system);
    let run = ts::random::random_run(rng, &system, 3);
    let names: Vec<&String> = model.variables.iter().map(|v| &v.name).collect();
    let leaves = system.inputs.iter().map(|i| i.expr);
    let leaves: Vec<_> = leaves.chain(system.states.iter().map(|s| s.expr)).collect();
    let mut text = String::new();
    let mut number = 0;
    run.frames(&system, |frame| {
        number += 1;
        text += &match xml {
            true => format!("<node>\n<state id=\"{number}\">\n"),
            false => format!("-> State: 1.{number} <-\n"),
        };
        for (name, &e) in names.iter().zip(&leaves) {
            let value = match (system.pool.width(e), frame.value(e)) {
                (1, 0) => "FALSE".to_string(),
                (1, _) => "TRUE".to_string(),
                (width, value) => format!("0ud{width}_{value}"),
            };
            text += &match xml {
                true => format!("<value variable=\"{name}\">{value}</value>\n"),
                false => format!("  {name} = {value}\n"),
            };
        }
        text += if xml { "</state>\n</node>\n" } else { "" };
    });
    if xml {
        text = format!(
            "<?xml version=\"1.0\"?>\n<counter-example>\n{text}<loops> 1 </loops>\n</counter-example>\n"
        );
    }
    let mut bytes = text.into_bytes();
    damage(rng, &mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let found = if xml {
        smv::read_xml(&text, &model.variables)
    } else {
        smv::read_text(&text, &model.variables)
    };
    let Ok(trace) = found else { return false };
    trace.run.frames(&system, |_| {});
    true
}

fn fuzz_smv(rng: &mut Rng) -> bool {
    smv_trace(rng, false)
}

fn fuzz_smv_xml(rng: &mut Rng) -> bool {
    smv_trace(rng, true)
}

/// Names itself if it fails; millions of cases need not be named if they do not.
struct Case(&'static str, u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}, seed {}", self.0, self.1);
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let rounds = Rounds::new(600);
    let mut accepted = [0u64; TARGETS.len()];
    let mut seed = 0;
    while rounds.more(seed) {
        for (count, (name, target)) in accepted.iter_mut().zip(TARGETS) {
            let _case = Case(name, seed);
            *count += u64::from(target(&mut Rng::new(seed)));
        }
        seed += 1;
    }
    for (count, (name, _)) in accepted.iter().zip(TARGETS) {
        let (few, most) = (seed / 50, seed - seed / 50);
        assert!((few..most).contains(count), "{name}: {count} of {seed} accepted");
    }
}

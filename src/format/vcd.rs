//! Value change dumps (IEEE 1364-2005, section 18): the runs of a system or graph for waveform
//! viewers. Frame `k` is time `k`; a dot in a name separates scopes, so that the variables of a
//! thread stand together. An extra time marks the end of the last frame.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::aig::{Aig, Simulator};
use crate::ts::{Run, TransitionSystem};

/// A signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Width in bits, 1 to 128.
    pub width: u32,
}

/// Values of signals over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waves {
    /// The signals.
    pub signals: Vec<Signal>,
    /// For each frame, the value of each signal.
    pub frames: Vec<Vec<u128>>,
}

impl Waves {
    /// The inputs, states, constraints, bads and outputs of a system in a run.
    ///
    /// # Panics
    /// If it is not a run of the system.
    pub fn of_system(ts: &TransitionSystem, run: &Run) -> Self {
        let inputs = ts.inputs.iter().map(|i| (&i.name, i.expr));
        let states = ts.states.iter().map(|s| (&s.name, s.expr));
        let lists = [&ts.constraints, &ts.bads, &ts.outputs];
        let properties = lists.into_iter().flatten().map(|p| (&p.name, p.value));
        let all: Vec<_> = inputs.chain(states).chain(properties).collect();
        let signal =
            |&(name, e): &(&String, _)| Signal { name: name.clone(), width: ts.pool.width(e) };
        let signals = all.iter().map(signal).collect();
        let mut frames = vec![];
        run.frames(ts, |frame| frames.push(all.iter().map(|&(_, e)| frame.value(e)).collect()));
        Waves { signals, frames }
    }

    /// The inputs, latches, constraints, bads and outputs of a graph in a run. What has no
    /// name is called after its AIGER kind and position, such as `l3`.
    ///
    /// # Panics
    /// If it is not a run of the graph.
    pub fn of_graph(aig: &Aig, initial: &[bool], inputs: &[Vec<bool>]) -> Self {
        let mut names = vec![];
        let mut lits = vec![];
        let name = |name: &Option<String>, kind: char, k: usize| {
            name.clone().unwrap_or_else(|| format!("{kind}{k}"))
        };
        for (k, input) in aig.inputs().iter().enumerate() {
            names.push(name(&input.name, 'i', k));
            lits.push(crate::aig::Lit::new(input.var, false));
        }
        for (k, latch) in aig.latches().iter().enumerate() {
            names.push(name(&latch.name, 'l', k));
            lits.push(crate::aig::Lit::new(latch.var, false));
        }
        for (kind, list) in [('c', &aig.constraints), ('b', &aig.bads), ('o', &aig.outputs)] {
            for (k, property) in list.iter().enumerate() {
                names.push(name(&property.name, kind, k));
                lits.push(property.value);
            }
        }
        let mut simulator = Simulator::new(aig, initial);
        let mut frames = vec![];
        for frame in inputs {
            simulator.eval(frame);
            frames.push(lits.iter().map(|&l| u128::from(simulator.value(l))).collect());
            simulator.advance();
        }
        let signals = names.into_iter().map(|name| Signal { name, width: 1 }).collect();
        Waves { signals, frames }
    }
}

/// Further dots of a name separate nothing.
const MAX_SCOPES: usize = 16;

/// A scope of the dump.
#[derive(Default)]
struct Scope<'a> {
    scopes: BTreeMap<&'a str, Scope<'a>>,
    /// Positions of signals and their names here.
    signals: Vec<(usize, &'a str)>,
}

/// The text of a dump.
pub fn write(waves: &Waves) -> String {
    let mut root = Scope::default();
    for (k, signal) in waves.signals.iter().enumerate() {
        let mut scope = &mut root;
        let mut rest = signal.name.as_str();
        for _ in 0..MAX_SCOPES {
            match rest.split_once('.') {
                Some((head, tail)) if !head.is_empty() && !tail.is_empty() => {
                    scope = scope.scopes.entry(head).or_default();
                    rest = tail;
                }
                _ => break,
            }
        }
        scope.signals.push((k, rest));
    }
    let mut out = String::from("$timescale 1 ns $end\n");
    declare(&mut out, &root, "model", waves);
    out += "$enddefinitions $end\n";
    let mut before: Option<&Vec<u128>> = None;
    for (time, frame) in waves.frames.iter().enumerate() {
        let _ = writeln!(out, "#{time}");
        for (k, (&value, signal)) in frame.iter().zip(&waves.signals).enumerate() {
            if before.is_some_and(|b| b[k] == value) {
                continue;
            }
            let _ = match signal.width {
                1 => writeln!(out, "{value}{}", code(k)),
                _ => writeln!(out, "b{value:b} {}", code(k)),
            };
        }
        before = Some(frame);
    }
    let _ = writeln!(out, "#{}", waves.frames.len());
    out
}

/// The short code of a signal: digits of base 94 in printable characters.
fn code(mut k: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + (k % 94) as u8));
        k /= 94;
        if k == 0 {
            return code;
        }
        k -= 1;
    }
}

/// A name without what would end it.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect()
}

fn declare(out: &mut String, scope: &Scope<'_>, name: &str, waves: &Waves) {
    let _ = writeln!(out, "$scope module {} $end", plain(name));
    for &(k, name) in &scope.signals {
        let width = waves.signals[k].width;
        let _ = writeln!(out, "$var wire {width} {} {} $end", code(k), plain(name));
    }
    for (name, inner) in &scope.scopes {
        declare(out, inner, name, waves);
    }
    out.push_str("$upscope $end\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aig::{Lit, Named, Reset};
    use crate::base::{HashSet, IndexVec};
    use crate::expr::Op2;
    use crate::ts::TsNamed;

    #[test]
    fn counter() {
        let mut ts = TransitionSystem::new();
        let (_, enable) = ts.add_input("T1.enable", 1);
        let (state, count) = ts.add_state("T1.f.count", 3, Some(6));
        let more = ts.pool.zero_extend(enable, 3);
        ts.states[state].next = ts.pool.op2(Op2::Add, count, more);
        let zero = ts.pool.constant(0, 3);
        let bad = ts.pool.eq(count, zero);
        ts.bads.push(TsNamed { name: "wraps".into(), value: bad });
        let run = Run {
            initial: IndexVec::from_vec(vec![6]),
            inputs: [1, 0, 1, 1].map(|v| IndexVec::from_vec(vec![v])).to_vec(),
        };
        let expected = "\
$timescale 1 ns $end
$scope module model $end
$var wire 1 # wraps $end
$scope module T1 $end
$var wire 1 ! enable $end
$scope module f $end
$var wire 3 \" count $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
1!
b110 \"
0#
#1
0!
b111 \"
#2
1!
#3
b0 \"
1#
#4
";
        assert_eq!(write(&Waves::of_system(&ts, &run)), expected);
    }

    #[test]
    fn graphs_have_names_for_everything() {
        let mut aig = Aig::new();
        let x = aig.input(None);
        let latch = aig.latch(Reset::Zero, Some("a b".into()));
        aig.set_next(latch, x);
        aig.bads.push(Named { value: latch, name: None });
        aig.outputs.push(Named { value: Lit::TRUE, name: Some(".odd.".into()) });
        let waves = Waves::of_graph(&aig, &[false], &[vec![true], vec![false]]);
        assert_eq!(waves.frames, [[1, 0, 0, 1], [0, 1, 1, 1]]);
        let text = write(&waves);
        let deep = Signal { name: "x.".repeat(200_000) + "y", width: 1 };
        let waves_of_deep = Waves { signals: vec![deep], frames: vec![vec![1]] };
        assert_eq!(write(&waves_of_deep).matches("$scope").count(), 17);
        for line in ["$var wire 1 ! i0 $end", "$var wire 1 \" a_b $end", "$var wire 1 # b0 $end"] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn codes_differ() {
        let codes: HashSet<String> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
    }
}

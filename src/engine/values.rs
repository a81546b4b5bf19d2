//! Which values small words of latches can have in the first frames: a bound from below on the
//! frame of a violation that needs no unrolling.
//!
//! Latches that are bits of one word by their names, such as a program counter's, are looked at
//! together, and words apart from each other (a cartesian abstraction; after Cousot, Cousot:
//! Static determination of dynamic properties of programs, 1976, with the circuit itself as the
//! transfer function). From frame to frame a solver is asked for a step from known values of all
//! words to a new value of one, so all frames together cost about as many small questions as there
//! are values. A bad state that no combination of the values contains is not reachable so soon;
//! and when there are no new values any more it is not reachable at all.

use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::cnf::Encoder;
use super::relations::Clause;
use super::unroll::{Unroller, cone};
use crate::aig::{Aig, Latch, Lit, Reset};
use crate::base::{Budget, HashMap, Stop};
use crate::sat::{self, Answer, Backend, Solver};

/// Words with more bits are not looked at.
const BITS: usize = 8;
/// A word with more new values in one step is data, not control: it counts as having all values.
const NEW_VALUES: usize = 16;

/// Values of words, frame after frame.
pub(super) struct Values<'a> {
    unroller: Unroller<'a>,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    words: Vec<Word>,
    /// For each latch that belongs to a word, the word and the bit's position.
    places: HashMap<usize, (usize, usize)>,
    /// Positions in the circuit's list, and functions, of the bad states that were not possible
    /// so far.
    never: Vec<(usize, Lit)>,
    /// Whether there were no new values in the last step.
    stable: bool,
}

/// A word. Its values have a bit for each of its latches.
struct Word {
    /// Positions of the latches.
    latches: Vec<usize>,
    /// Their functions in a frame, and after it.
    now: Vec<Lit>,
    next: Vec<Lit>,
    /// The values that it may have had so far.
    values: BTreeSet<u32>,
    /// Can only be true where its next value is another one.
    fresh: sat::Lit,
    /// Must be false, for the word to have one of the values now.
    more: Option<sat::Lit>,
}

impl Word {
    fn is_full(&self) -> bool {
        self.values.len() == 1 << self.latches.len()
    }

    /// Allows all values.
    fn fill(&mut self) {
        self.values = (0..1 << self.latches.len()).collect();
    }
}

impl<'a> Values<'a> {
    /// The values in the first frame.
    pub(super) fn new(problem: &Problem<'a>) -> Self {
        let aig = problem.aig;
        let roots = problem.roots();
        let unroller = Unroller::anywhere(aig, &roots);
        let live = cone(aig, &roots);
        let mut values = Self {
            encoder: Encoder::default(),
            solver: Backend::Scoped.solver(),
            words: vec![],
            places: HashMap::default(),
            never: problem.bads.iter().map(|&b| (b, unroller.lit(aig.bads[b].value))).collect(),
            stable: false,
            unroller,
        };
        for constraint in &aig.constraints {
            let lit = values.unroller.lit(constraint.value);
            values.demand(&[lit], &[]);
        }
        for latches in words(aig, |latch| live[latch.var]) {
            values.enter(aig, latches);
        }
        values
    }

    /// Adds a word with the values that the resets allow.
    fn enter(&mut self, aig: &Aig, latches: Vec<usize>) {
        for (bit, &latch) in latches.iter().enumerate() {
            self.places.insert(latch, (self.words.len(), bit));
        }
        let mut first = vec![0];
        for (bit, &k) in latches.iter().enumerate() {
            let with: Vec<u32> = first.iter().map(|v| v | 1 << bit).collect();
            match aig.latches()[k].reset {
                Reset::Zero => {}
                Reset::One => first = with,
                Reset::Free => first.extend(with),
            }
        }
        let functions = |of: &dyn Fn(&Latch) -> Lit| {
            latches.iter().map(|&k| self.unroller.lit(of(&aig.latches()[k]))).collect()
        };
        let word = Word {
            now: functions(&|l| Lit::new(l.var, false)),
            next: functions(&|l| l.next),
            latches,
            values: BTreeSet::new(),
            fresh: self.solver.new_var().into(),
            more: None,
        };
        self.words.push(word);
        self.extend(self.words.len() - 1, &first);
        for &value in &first {
            self.exclude(self.words.len() - 1, value);
        }
    }

    /// Demands one of these functions or literals.
    fn demand(&mut self, lits: &[Lit], others: &[sat::Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        let open = lits.iter().filter(|&&l| l != Lit::FALSE);
        let mut clause: Vec<sat::Lit> =
            open.map(|&l| self.encoder.lit(&self.unroller.graph, &mut *self.solver, l)).collect();
        clause.extend(others);
        self.solver.add_clause(&clause);
    }

    /// True where these bits are the value.
    fn equal(&mut self, bits: &[Lit], value: u32) -> Lit {
        let bits = bits.iter().enumerate().map(|(k, b)| b.xor(value >> k & 1 == 0));
        self.unroller.graph.and_all(bits.collect::<Vec<_>>())
    }

    /// Allows values of the word now.
    fn extend(&mut self, word: usize, values: &[u32]) {
        let now = self.words[word].now.clone();
        let equal: Vec<Lit> = values.iter().map(|&v| self.equal(&now, v)).collect();
        let more = sat::Lit::from(self.solver.new_var());
        let before = self.words[word].more.replace(more);
        self.words[word].values.extend(values);
        let others: Vec<sat::Lit> = before.map(|m| !m).into_iter().chain([more]).collect();
        self.demand(&equal, &others);
    }

    /// Says that the value, as the word's next one, is not fresh.
    fn exclude(&mut self, word: usize, value: u32) {
        let next = self.words[word].next.clone();
        let equal = self.equal(&next, value);
        let fresh = self.words[word].fresh;
        self.demand(&[!equal], &[!fresh]);
    }

    /// Is one of the literals possible, all words having known values?
    fn ask(&mut self, goals: &[sat::Lit], budget: &Budget) -> Result<bool, Stop> {
        let open = self.words.iter().filter(|w| !w.is_full());
        let known: Vec<sat::Lit> = open.filter_map(|w| Some(!w.more?)).collect();
        match self.solver.solve_with(goals, &known, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// Goes to the next frame: adds the values that words can have after a step.
    pub(super) fn advance(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut fresh: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        while !self.stable {
            let open = self.words.iter().filter(|w| !w.is_full());
            let goals: Vec<sat::Lit> = open.map(|w| w.fresh).collect();
            if goals.is_empty() || !self.ask(&goals, budget)? {
                break;
            }
            for (k, value) in self.fresh_values(&fresh) {
                self.exclude(k, value);
                let values = fresh.entry(k).or_default();
                values.push(value);
                if values.len() > NEW_VALUES {
                    self.words[k].fill();
                }
            }
        }
        self.stable = fresh.is_empty();
        fresh.retain(|_, values| values.len() <= NEW_VALUES);
        for (word, values) in fresh {
            self.extend(word, &values);
        }
        Ok(())
    }

    /// The words whose next value in the solver's model is new.
    fn fresh_values(&self, fresh: &BTreeMap<usize, Vec<u32>>) -> Vec<(usize, u32)> {
        let model = self.encoder.model(&self.unroller.graph, &*self.solver);
        let mut found = vec![];
        for (k, word) in self.words.iter().enumerate() {
            let bits = word.next.iter().enumerate();
            let value = bits.map(|(bit, &l)| u32::from(model.value(l)) << bit).sum();
            let known = fresh.get(&k).is_some_and(|v| v.contains(&value));
            if !known && !word.values.contains(&value) {
                found.push((k, value));
            }
        }
        assert!(!found.is_empty(), "the model has a new value");
        found
    }

    /// Looks which bad states the values of the current frame allow, those that `is_open` says
    /// are of interest.
    pub(super) fn look(
        &mut self,
        is_open: impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.never.retain(|&(bad, lit)| is_open(bad) && lit != Lit::TRUE);
        loop {
            let lits = self.never.iter().map(|&(_, l)| l).filter(|&l| l != Lit::FALSE);
            let goals: Vec<sat::Lit> = lits
                .map(|l| self.encoder.lit(&self.unroller.graph, &mut *self.solver, l))
                .collect();
            if goals.is_empty() || !self.ask(&goals, budget)? {
                return Ok(());
            }
            let (model, before) =
                (self.encoder.model(&self.unroller.graph, &*self.solver), self.never.len());
            let never = self.never.iter().copied().filter(|&(_, lit)| !model.value(lit));
            self.never = never.collect();
            assert!(self.never.len() < before, "the model has a bad state");
        }
    }

    /// Whether the bad state at this position of the circuit's list is not reachable up to the
    /// current frame.
    pub(super) fn excludes(&self, bad: usize) -> bool {
        self.never.iter().any(|&(b, _)| b == bad)
    }

    /// Whether no bad state is excluded any more, so that nothing is to be found out.
    pub(super) fn is_done(&self) -> bool {
        self.never.is_empty()
    }

    /// The latch's value in the current frame, if it can have only one.
    pub(super) fn constant(&self, latch: usize) -> Option<bool> {
        let &(word, bit) = self.places.get(&latch)?;
        let mut values = self.words[word].values.iter().map(|v| v >> bit & 1 == 1);
        let first = values.next()?;
        values.all(|v| v == first).then_some(first)
    }

    /// An inductive invariant that contains none of the excluded bad states, if the values are
    /// those of all frames.
    pub(super) fn invariant(&self) -> Option<Vec<Clause>> {
        let clause = |word: &Word, value: u32| {
            let bits = word.latches.iter().enumerate();
            bits.map(|(bit, &latch)| (latch, value >> bit & 1 == 0)).collect()
        };
        let clauses = self.words.iter().flat_map(|word| {
            let all = 0..1u32 << word.latches.len();
            all.filter(|v| !word.values.contains(v)).map(move |v| clause(word, v))
        });
        self.stable.then(|| clauses.collect())
    }
}

/// The words of up to [`BITS`] bits: positions of latches, of those wanted.
fn words(aig: &Aig, wanted: impl Fn(&Latch) -> bool) -> Vec<Vec<usize>> {
    let mut words: Vec<Vec<usize>> = vec![];
    let mut named: HashMap<&str, usize> = HashMap::default();
    for (k, latch) in aig.latches().iter().enumerate().filter(|(_, l)| wanted(l)) {
        let name = latch.name.as_deref().and_then(|n| n.strip_suffix(']')?.rsplit_once('['));
        let Some((name, _)) = name else {
            words.push(vec![k]);
            continue;
        };
        match named.get(name) {
            Some(&word) => words[word].push(k),
            None => {
                named.insert(name, words.len());
                words.push(vec![k]);
            }
        }
    }
    words.retain(|w| w.len() <= BITS);
    words
}

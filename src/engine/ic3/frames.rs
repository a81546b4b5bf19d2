//! The sequence of frames and their lemmas.

use super::circuit::Circuit;
use super::cube::{Cube, StateLit};
use super::frame::{Frame, Step};
use super::model::Model;
use super::options::Ic3Options;
use crate::aig::Lit;
use crate::base::{Budget, Stop};
use crate::sat;

/// Frames 0 to [`Frames::top`]. Each contains all states that can be reached in at most as many
/// steps, and from frame 1 on each contains the one before.
pub(super) struct Frames<'a> {
    model: &'a Model<'a>,
    options: &'a Ic3Options,
    solvers: Vec<Frame<'a>>,
    /// For each frame the lemmas that hold in it and the frames below, but are not known to hold
    /// above. A lemma is the cube that it excludes.
    lemmas: Vec<Vec<Cube>>,
    /// Number of questions for a step so far.
    questions: usize,
}

impl<'a> Frames<'a> {
    /// Frame 0 alone.
    pub(super) fn new(model: &'a Model<'a>, options: &'a Ic3Options) -> Self {
        let solvers = vec![Frame::initial(model, options.backend)];
        Self { model, options, solvers, lemmas: vec![vec![]], questions: 0 }
    }

    /// Number of the last frame.
    pub(super) fn top(&self) -> usize {
        self.solvers.len() - 1
    }

    /// Number of questions for a step so far.
    pub(super) fn questions(&self) -> usize {
        self.questions
    }

    /// Appends a frame of all states.
    pub(super) fn extend(&mut self) {
        self.solvers.push(Frame::new(self.model, self.options.backend));
        self.lemmas.push(vec![]);
    }

    /// Sizes of the last frame's solver.
    pub(super) fn stats(&self) -> sat::Stats {
        self.solvers[self.top()].circuit.stats()
    }

    /// The solver with the answer to the last question about the frame.
    pub(super) fn answer(&self, level: usize) -> &Circuit<'a> {
        &self.solvers[level].circuit
    }

    /// The frame's solver, for a question.
    fn ready(&mut self, level: usize) -> &mut Frame<'a> {
        if self.solvers[level].circuit.passing() >= self.options.restart {
            self.solvers[level] = self.rebuilt(level);
        }
        &mut self.solvers[level]
    }

    fn rebuilt(&self, level: usize) -> Frame<'a> {
        if level == 0 {
            return Frame::initial(self.model, self.options.backend);
        }
        let mut frame = Frame::new(self.model, self.options.backend);
        for cube in self.lemmas[level..].iter().flatten() {
            frame.block(cube);
        }
        frame
    }

    /// Is there a step from frame `level`, but if `induct` not from the cube itself, into the
    /// cube?
    pub(super) fn step_into(
        &mut self,
        level: usize,
        cube: &[StateLit],
        induct: bool,
        budget: &Budget,
    ) -> Result<Step, Stop> {
        self.questions += 1;
        self.ready(level).step_into(cube, induct, budget)
    }

    /// Is one of `bads` true somewhere in the last frame?
    pub(super) fn bad(&mut self, bads: &[Lit], budget: &Budget) -> Result<bool, Stop> {
        self.ready(self.top()).bad(bads, budget)
    }

    /// The last frame, not before `level`, in which a single lemma excludes the cube.
    pub(super) fn excluded(&self, level: usize, cube: &Cube) -> Option<usize> {
        (level..self.lemmas.len()).rev().find(|&l| self.lemmas[l].iter().any(|c| c.contains(cube)))
    }

    /// Excludes the cube from the frames up to `level`; it must not meet the reset.
    pub(super) fn add(&mut self, level: usize, cube: Cube) {
        self.insert(level, 1, cube);
    }

    /// Excludes the cube from the frames `from` to `level`, those below doing so already.
    fn insert(&mut self, level: usize, from: usize, cube: Cube) {
        for frame in &mut self.solvers[from..=level] {
            frame.block(&cube);
        }
        for lemmas in &mut self.lemmas[..=level] {
            lemmas.retain(|c| !cube.contains(c));
        }
        self.lemmas[level].push(cube);
    }

    /// Pushes the lemmas of all frames but the last as far as they hold; returns the first frame
    /// that equals its successor, if there is one.
    pub(super) fn propagate(&mut self, budget: &Budget) -> Result<Option<usize>, Stop> {
        for level in 1..self.top() {
            // The lemmas stay in the list meanwhile: a solver that is made anew needs them all.
            for cube in self.lemmas[level].clone() {
                if self.excluded(level + 1, &cube).is_some() {
                    self.lemmas[level].retain(|c| *c != cube);
                    continue;
                }
                if let Step::Impossible(_) = self.step_into(level, cube.lits(), false, budget)? {
                    self.insert(level + 1, level + 1, cube);
                }
            }
            if self.lemmas[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The cubes that are excluded from the frame.
    pub(super) fn excluded_cubes(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.lemmas[level..].iter().flatten()
    }
}

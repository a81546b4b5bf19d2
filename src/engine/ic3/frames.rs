//! The sequence of frames and their lemmas.

use std::rc::Rc;

use super::circuit::Circuit;
use super::cube::{Cube, Partial, StateLit};
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
    /// above.
    lemmas: Vec<Vec<Lemma>>,
    /// What was excluded so far, in order: the cube, and the first and the last frame that had
    /// not excluded it before.
    exclusions: Vec<(Cube, usize, usize)>,
    /// Number of questions for a step so far.
    questions: usize,
}

/// A cube that is excluded.
#[derive(Clone)]
struct Lemma {
    cube: Cube,
    /// Why the next frame cannot exclude it.
    obstacle: Option<Obstacle>,
}

/// What was seen of a state of a frame that has a step into a lemma's cube.
#[derive(Clone)]
struct Obstacle {
    /// Values of latches.
    state: Rc<Partial>,
    /// None of so many exclusions takes it out of the frame.
    exclusions: usize,
}

impl<'a> Frames<'a> {
    /// Frame 0 alone.
    pub(super) fn new(model: &'a Model<'a>, options: &'a Ic3Options) -> Self {
        let solvers = vec![Frame::initial(model, options.backend)];
        Self { model, options, solvers, lemmas: vec![vec![]], exclusions: vec![], questions: 0 }
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
        for lemma in self.lemmas[level..].iter().flatten() {
            frame.block(&lemma.cube);
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
        (level..self.lemmas.len())
            .rev()
            .find(|&l| self.lemmas[l].iter().any(|l| l.cube.contains(cube)))
    }

    /// Excludes the cube from the frames up to `level`; it must not meet the reset. `obstacle` is a
    /// state of that frame that has a step into the cube.
    pub(super) fn add(&mut self, level: usize, cube: Cube, obstacle: Option<Partial>) {
        let exclusions = self.exclusions.len() + 1;
        let obstacle = obstacle.map(|state| Obstacle { state: Rc::new(state), exclusions });
        self.insert(level, 1, Lemma { cube, obstacle });
    }

    /// Excludes the lemma's cube from the frames `from` to `level`, those below doing so already.
    fn insert(&mut self, level: usize, from: usize, lemma: Lemma) {
        let cube = &lemma.cube;
        self.exclusions.push((cube.clone(), from, level));
        for frame in &mut self.solvers[from..=level] {
            frame.block(cube);
        }
        for lemmas in &mut self.lemmas[..=level] {
            lemmas.retain(|l| !cube.contains(&l.cube));
        }
        self.lemmas[level].push(lemma);
    }

    /// Pushes the lemmas of all frames but the last as far as they hold; returns the first frame
    /// that equals its successor, if there is one. Where the state that was in a lemma's way is
    /// still one of the frame, nothing is asked.
    pub(super) fn propagate(&mut self, budget: &Budget) -> Result<Option<usize>, Stop> {
        for level in 1..self.top() {
            // The lemmas stay in the list meanwhile: a solver that is made anew needs them all.
            for Lemma { cube, obstacle } in self.lemmas[level].clone() {
                if self.excluded(level + 1, &cube).is_some() {
                    self.lemmas[level].retain(|l| l.cube != cube);
                    continue;
                }
                let obstacle = match obstacle.filter(|o| self.stands(o, level)) {
                    Some(Obstacle { state, .. }) => state,
                    None => match self.step_into(level, cube.lits(), false, budget)? {
                        Step::Impossible(_) => {
                            self.insert(level + 1, level + 1, Lemma { cube, obstacle: None });
                            continue;
                        }
                        Step::Possible => Rc::new(Partial::of(&self.answer(level).state())),
                    },
                };
                let exclusions = self.exclusions.len();
                if let Some(lemma) = self.lemmas[level].iter_mut().find(|l| l.cube == cube) {
                    lemma.obstacle = Some(Obstacle { state: obstacle, exclusions });
                }
            }
            if self.lemmas[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Whether the obstacle's state is known to be one of the frame still.
    fn stands(&self, obstacle: &Obstacle, level: usize) -> bool {
        let later = self.exclusions[obstacle.exclusions..].iter();
        let mut of_level = later.filter(|(_, from, to)| (from..=to).contains(&&level));
        self.options.triggered_pushing && of_level.all(|(cube, ..)| obstacle.state.avoids(cube))
    }

    /// The cubes that are excluded from the frame.
    pub(super) fn excluded_cubes(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.lemmas[level..].iter().flatten().map(|l| &l.cube)
    }
}

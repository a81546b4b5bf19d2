//! What members on threads of their own tell the one who waits for them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use crate::base::Budget;
use crate::engine::{Engine, FrameReport, Problem, Progress};
use crate::outcome::Verdict;

/// A message, and the number of the turn that it comes from.
pub(super) struct Message {
    pub(super) turn: usize,
    pub(super) news: News,
}

/// What happened.
pub(super) enum News {
    /// A frame starts.
    Frame(FrameReport),
    /// A property of the turn's problem is decided.
    Decided(usize, Verdict),
    /// The engine is done.
    Done(Vec<Verdict>),
    /// The engine panicked.
    Panicked(Box<dyn Any + Send>),
}

/// Which of a problem's properties are answered, for all engines to see.
#[derive(Clone)]
pub(super) struct Closed(Arc<[AtomicBool]>);

impl Closed {
    /// None of so many.
    pub(super) fn none(count: usize) -> Self {
        Self((0..count).map(|_| AtomicBool::new(false)).collect())
    }

    pub(super) fn close(&self, position: usize) {
        self.0[position].store(true, Ordering::Relaxed);
    }

    fn get(&self, position: usize) -> bool {
        self.0[position].load(Ordering::Relaxed)
    }
}

/// The observer of an engine on its thread.
pub(super) struct Relay {
    pub(super) turn: usize,
    /// The turn's properties: positions in those of `closed`.
    pub(super) positions: Vec<usize>,
    pub(super) closed: Closed,
    pub(super) sender: Sender<Message>,
}

impl Relay {
    /// Runs the engine and tells all.
    pub(super) fn run(mut self, engine: &dyn Engine, problem: &Problem, budget: &Budget) {
        // After a panic nothing of the engine is used any more.
        let work = AssertUnwindSafe(|| engine.run(problem, &mut self, budget));
        let news = match catch_unwind(work) {
            Ok(verdicts) => News::Done(verdicts),
            Err(panic) => News::Panicked(panic),
        };
        self.tell(news);
    }

    fn tell(&self, news: News) {
        // The other end is only gone if it is unwinding itself.
        let _ = self.sender.send(Message { turn: self.turn, news });
    }
}

impl Progress for Relay {
    fn frame(&mut self, report: &FrameReport) {
        self.tell(News::Frame(*report));
    }

    fn decided(&mut self, position: usize, verdict: &Verdict) {
        self.tell(News::Decided(position, verdict.clone()));
    }

    fn is_closed(&self, position: usize) -> bool {
        self.closed.get(self.positions[position])
    }
}

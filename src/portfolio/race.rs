//! The run of a plan: turns of its members on threads, and one place that judges their answers.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::accept::part;
use super::plan::Plan;
use super::relay::{Closed, Message, News, Relay};
use super::solve::{Fault, MemberReport, Replayer, Solved};
use super::table::{Rest, Table};
use crate::aig::Aig;
use crate::base::{Budget, Cancel, Stop};
use crate::engine::{Problem, Progress};
use crate::outcome::{Reason, Verdict};

/// How often the clock is looked at while nobody says anything.
const POLL: Duration = Duration::from_millis(20);

/// Least time for which a proof that was not audited waits for a better answer; it waits as long
/// as it took, but no longer than half of the time that was left.
const GRACE: Duration = Duration::from_secs(10);

/// How long one waits for a member that was asked to stop. Then it is left to itself: a single
/// operation of `bdd` can take longer than any limit.
const PATIENCE: Duration = Duration::from_secs(2);

/// A member that waits for a core.
struct Waiting {
    member: usize,
    slice: Option<Duration>,
}

/// A member that runs.
struct Turn {
    member: usize,
    /// Positions in `problem.bads` of the properties that it is asked about.
    positions: Vec<usize>,
    cancel: Cancel,
    /// When it was asked to stop, on the budget's clock.
    stopped: Option<Duration>,
    /// The length of its slice, and its end on the budget's clock.
    slice: Option<(Duration, Duration)>,
    /// Whether it was stopped because its slice is over.
    over: bool,
    done: bool,
}

impl Turn {
    /// Asks it to stop.
    fn stop(&mut self, now: Duration) {
        self.stopped.get_or_insert(now);
        self.cancel.cancel();
    }

    /// Whether there is something to wait for.
    fn runs(&self, now: Duration) -> bool {
        !self.done && self.stopped.is_none_or(|at| now < at + PATIENCE)
    }
}

/// What is known of a member.
#[derive(Default)]
struct State {
    depth: Option<usize>,
    end: Option<String>,
}

pub(super) struct Race<'a> {
    plan: &'a Plan,
    problem: &'a Problem<'a>,
    /// The problem's circuit, for threads.
    aig: Arc<Aig>,
    budget: &'a Budget,
    table: Table<'a>,
    waiting: VecDeque<Waiting>,
    /// All turns so far; their positions are the numbers that messages have.
    turns: Vec<Turn>,
    states: Vec<State>,
    /// What `table` has answers to.
    closed: Closed,
    /// Which limit has ended the race. (Memory in use goes down when engines stop.)
    stop: Option<Stop>,
}

impl<'a> Race<'a> {
    pub(super) fn new(plan: &'a Plan, problem: &'a Problem<'a>, budget: &'a Budget) -> Self {
        let rest = match () {
            () if plan.members.len() == 1 => Rest::Nothing,
            () if plan.first => Rest::All,
            () => Rest::Implicit,
        };
        let member = |(member, m): (usize, &super::Member)| Waiting { member, slice: m.slice };
        Self {
            table: Table::new(problem, rest, budget),
            waiting: plan.members.iter().enumerate().filter(|m| !m.1.beside).map(member).collect(),
            turns: vec![],
            closed: Closed::none(problem.bads.len()),
            states: plan.members.iter().map(|_| State::default()).collect(),
            stop: None,
            plan,
            problem,
            aig: Arc::new(problem.aig.clone()),
            budget,
        }
    }

    pub(super) fn run(
        mut self,
        replay: &mut Replayer,
        progress: &mut dyn Progress,
    ) -> Result<Solved, Fault> {
        let (sender, receiver) = channel();
        let result = self.listen(&sender, &receiver, replay, progress);
        self.stop_all();
        // Programs of others must not survive a fault.
        while result.is_err() && self.running().next().is_some() {
            if let Ok(Message { turn, news: News::Done(_) | News::Panicked(_) }) =
                receiver.recv_timeout(POLL)
            {
                self.turns[turn].done = true;
            }
        }
        result?;
        for turn in self.turns.iter().filter(|turn| !turn.done) {
            let end = &mut self.states[turn.member].end;
            end.get_or_insert_with(|| "did not stop in time".into());
        }
        let stop = self.stop.or_else(|| self.budget.check());
        let answers = self.table.finish(stop, replay)?;
        let answered = |k: usize| {
            let name = self.plan.members[k].engine.name();
            answers.iter().filter(|a| a.by == Some(name)).count()
        };
        let mut members: Vec<MemberReport> = vec![];
        for (k, state) in self.states.into_iter().enumerate() {
            members.push(MemberReport {
                engine: self.plan.members[k].engine.name().into(),
                answers: answered(k),
                depth: state.depth,
                end: state.end,
            });
        }
        for (engine, why) in &self.plan.missing {
            let end = Some(why.clone());
            members.push(MemberReport { engine: engine.clone(), answers: 0, depth: None, end });
        }
        Ok(Solved { answers, members })
    }

    fn running(&self) -> impl Iterator<Item = &Turn> {
        let now = self.budget.elapsed();
        self.turns.iter().filter(move |t| t.runs(now))
    }

    /// Those that run, but for what runs beside others.
    fn in_turns(&self) -> impl Iterator<Item = &Turn> {
        self.running().filter(|t| !self.plan.members[t.member].beside)
    }

    /// Starts members and judges what they say, until none runs and none waits.
    fn listen(
        &mut self,
        sender: &Sender<Message>,
        receiver: &Receiver<Message>,
        replay: &mut Replayer,
        progress: &mut dyn Progress,
    ) -> Result<(), Fault> {
        for (member, _) in self.plan.members.iter().enumerate().filter(|m| m.1.beside) {
            self.start(sender, Waiting { member, slice: None });
        }
        loop {
            self.stop = self.stop.or_else(|| self.budget.check());
            if self.table.all_closed() || self.stop.is_some() || self.grace_is_over() {
                self.stop_all();
            }
            while self.in_turns().count() < self.plan.slots
                && let Some(next) = self.waiting.pop_front()
            {
                self.start(sender, next);
            }
            // What runs beside others may know no end of its own.
            if self.in_turns().next().is_none() {
                self.stop_all();
            }
            if self.running().next().is_none() {
                return Ok(());
            }
            match receiver.recv_timeout(POLL) {
                Ok(message) => self.hear(message, replay, progress)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("a sender is at hand"),
            }
            self.end_slices();
        }
    }

    /// Whether the proofs that were not audited have waited long enough, and nothing else is open.
    fn grace_is_over(&self) -> bool {
        let held = self.table.all_held_since();
        held.is_some_and(|given| {
            let left = self.budget.timeout().map(|t| t.saturating_sub(given) / 2);
            let grace = given.max(GRACE).min(left.unwrap_or(Duration::MAX));
            self.budget.elapsed() >= given + grace
        })
    }

    fn stop_all(&mut self) {
        self.waiting.clear();
        let now = self.budget.elapsed();
        self.turns.iter_mut().for_each(|turn| turn.stop(now));
    }

    /// Stops turns whose slice is over if there is somebody to take their place.
    fn end_slices(&mut self) {
        let (now, mut waiting) = (self.budget.elapsed(), self.waiting.len());
        for turn in self.turns.iter_mut().filter(|t| !t.done && !t.over) {
            if waiting > 0 && turn.slice.is_some_and(|(_, end)| now >= end) {
                turn.over = true;
                turn.stop(now);
                waiting -= 1;
            }
        }
    }

    fn start(&mut self, sender: &Sender<Message>, next: Waiting) {
        let positions = self.table.open();
        let member = &self.plan.members[next.member];
        let cancel = self.budget.cancel().child();
        let memory = self.budget.memory_mb().map(|total| {
            let (each, embedded) = self.plan.memory(total);
            if member.external { each } else { embedded }
        });
        let budget = self.budget.cancelled_by(cancel.clone()).with_memory(memory);
        let slice = next.slice.map(|slice| {
            let length = self.budget.remaining().map_or(slice, |left| slice.min(left / 2));
            (slice, self.budget.elapsed() + length)
        });
        let Problem { aig: _, bads, asked, moved, can_move, parts } =
            part(self.problem, positions.iter().copied());
        let relay = Relay {
            turn: self.turns.len(),
            positions: positions.clone(),
            closed: self.closed.clone(),
            sender: sender.clone(),
        };
        let (aig, engine) = (Arc::clone(&self.aig), Arc::clone(&member.engine));
        thread::spawn(move || {
            let problem = Problem { aig: &aig, bads, asked, moved, can_move, parts };
            relay.run(engine.as_ref(), &problem, &budget);
        });
        self.turns.push(Turn {
            member: next.member,
            positions,
            cancel,
            stopped: None,
            slice,
            over: false,
            done: false,
        });
    }

    fn hear(
        &mut self,
        message: Message,
        replay: &mut Replayer,
        progress: &mut dyn Progress,
    ) -> Result<(), Fault> {
        let turn = &self.turns[message.turn];
        let state = &mut self.states[turn.member];
        match message.news {
            News::Frame(report) => {
                state.depth = state.depth.max(Some(report.depth));
                progress.frame(&report);
                Ok(())
            }
            News::Decided(k, verdict) => {
                let verdicts = vec![(turn.positions[k], verdict)];
                self.judge(message.turn, verdicts, replay)
            }
            News::Done(verdicts) => {
                let verdicts = turn.positions.iter().copied().zip(verdicts).collect();
                let (over, slice) = (turn.over, turn.slice);
                if over && let Some((slice, _)) = slice {
                    let slice = Some(slice * 2);
                    self.waiting.push_back(Waiting { member: turn.member, slice });
                }
                self.turns[message.turn].done = true;
                self.judge(message.turn, verdicts, replay)
            }
            News::Panicked(panic) => {
                self.stop_all();
                resume_unwind(panic)
            }
        }
    }

    fn judge(
        &mut self,
        turn: usize,
        verdicts: Vec<(usize, Verdict)>,
        replay: &mut Replayer,
    ) -> Result<(), Fault> {
        let member = self.turns[turn].member;
        for (_, verdict) in &verdicts {
            if let Verdict::Unknown(reason) = verdict {
                let state = &mut self.states[member];
                state.depth = state.depth.max(reason.depth());
                state.end = Some(match reason {
                    Reason::Stopped { stop: Stop::Cancelled, .. } => "stopped".into(),
                    other => other.to_string(),
                });
            }
        }
        if let Some(end) = self.table.judge(&self.plan.members[member], verdicts, replay)? {
            self.states[member].end = Some(end);
        }
        let open = self.table.open();
        let closed = (0..self.problem.bads.len()).filter(|k| !open.contains(k));
        closed.for_each(|k| self.closed.close(k));
        Ok(())
    }
}

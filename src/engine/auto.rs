//! [`bmc`](super::bmc) and [`ic3`](super::ic3) side by side on two threads. The first one that
//! decides all ends the other; what one has decided counts where the other has not.
//!
//! Which of the two is faster may differ from run to run. What is said about a property does not,
//! as both are sound: only its evidence may, and whether it is decided before a limit.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::bmc::{Bmc, BmcOptions};
use super::ic3::{Ic3, Ic3Options};
use super::{Capabilities, Engine, FrameReport, Problem, Progress};
use crate::base::{Budget, Cancel};
use crate::outcome::{Reason, Verdict};

/// Options of both engines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AutoOptions {
    /// Of bounded model checking.
    pub bmc: BmcOptions,
    /// Of IC3.
    pub ic3: Ic3Options,
}

/// Both engines.
#[derive(Clone, Debug, Default)]
pub struct Auto(pub AutoOptions);

impl Engine for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn description(&self) -> &'static str {
        "bmc and ic3 side by side"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: true,
            shortest: false,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let engines: [&(dyn Engine + Sync); 2] =
            [&Bmc(self.0.bmc.clone()), &Ic3(self.0.ic3.clone())];
        let cancels = [Cancel::new(), Cancel::new()];
        let answers = std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for (k, engine) in engines.into_iter().enumerate() {
                let relay = Relay { engine: k, sender: sender.clone() };
                let budget = budget.cancelled_by(cancels[k].clone());
                scope.spawn(move || relay.run(engine, problem, &budget));
            }
            drop(sender);
            listen(&receiver, &cancels, progress, budget)
        });
        let [first, second] = answers.map(|a| a.expect("each engine answers"));
        first.into_iter().zip(second).map(|(a, b)| better(a, b)).collect()
    }
}

/// What a thread has to say.
enum Message {
    Frame(FrameReport),
    Answer(usize, Vec<Verdict>),
}

/// The observer of an engine on a thread of its own.
struct Relay {
    /// The engine's position.
    engine: usize,
    sender: Sender<Message>,
}

impl Relay {
    fn run(mut self, engine: &dyn Engine, problem: &Problem, budget: &Budget) {
        let verdicts = engine.run(problem, &mut self, budget);
        self.send(Message::Answer(self.engine, verdicts));
    }

    fn send(&self, message: Message) {
        self.sender.send(message).expect("the receiver waits for all answers");
    }
}

impl Progress for Relay {
    fn frame(&mut self, report: &FrameReport) {
        self.send(Message::Frame(*report));
    }
}

/// How often a cancellation from outside is looked for.
const POLL: Duration = Duration::from_millis(20);

/// Waits for both answers, and ends both engines when one has said all there is to say.
fn listen(
    receiver: &Receiver<Message>,
    cancels: &[Cancel; 2],
    progress: &mut dyn Progress,
    budget: &Budget,
) -> [Option<Vec<Verdict>>; 2] {
    let mut answers = [None, None];
    loop {
        match receiver.recv_timeout(POLL) {
            Ok(Message::Frame(report)) => progress.frame(&report),
            Ok(Message::Answer(engine, verdicts)) => {
                if verdicts.iter().all(is_final) {
                    cancels.iter().for_each(Cancel::cancel);
                }
                answers[engine] = Some(verdicts);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return answers,
        }
        if budget.cancel().is_cancelled() {
            cancels.iter().for_each(Cancel::cancel);
        }
    }
}

/// Whether another engine need not go on with the property.
fn is_final(verdict: &Verdict) -> bool {
    let enough = |r: &Reason| matches!(r, Reason::AllAskedViolated(_) | Reason::FirstOnly(_));
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => true,
        Verdict::Unknown(reason) => enough(reason),
    }
}

/// The verdict that says more; the first one, whose violations are shortest, if both are alike.
fn better(first: Verdict, second: Verdict) -> Verdict {
    let weight = |v: &Verdict| match v {
        Verdict::Safe(_) | Verdict::Unsafe(_) => (2, 0),
        Verdict::Unknown(r) if is_final(v) => (1, r.depth().unwrap_or(0)),
        Verdict::Unknown(r) => (0, r.depth().unwrap_or(0)),
    };
    if weight(&second) > weight(&first) { second } else { first }
}

//! What is known of each property, and what changes it.

use std::time::Duration;

use super::accept::{audits, doubts};
use super::member::Member;
use super::solve::{Answer, Fault, Replayer};
use crate::base::{Budget, Stop};
use crate::engine::Problem;
use crate::engine::audit::Audit;
use crate::outcome::{Certificate, Reason, Verdict};

/// What is known of a property.
enum Slot {
    /// Nothing, but for the best reason why.
    Open(Option<Reason>),
    /// A proof that was not audited, given at this time on the budget's clock.
    Held(Certificate, &'static str, Duration),
    /// The answer.
    Closed(Answer),
}

/// What is left undone after a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Nothing.
    Nothing,
    /// All.
    All,
    /// The implicit properties, if all that the user asked about are violated.
    Implicit,
}

pub(super) struct Table<'a> {
    problem: &'a Problem<'a>,
    /// Whether a violation may end the rest of the work. (One engine alone does that itself.)
    rest: Rest,
    budget: &'a Budget,
    /// In the order of `problem.bads`.
    slots: Vec<Slot>,
    /// Frames below this position are clean, as an engine whose violations are shortest has found
    /// one there.
    clean: Option<usize>,
}

impl<'a> Table<'a> {
    pub(super) fn new(problem: &'a Problem<'a>, rest: Rest, budget: &'a Budget) -> Self {
        let slots = problem.bads.iter().map(|_| Slot::Open(None)).collect();
        Self { problem, rest, budget, slots, clean: None }
    }

    pub(super) fn all_closed(&self) -> bool {
        self.slots.iter().all(|s| matches!(s, Slot::Closed(_)))
    }

    /// Positions in `problem.bads` of the properties without an answer.
    pub(super) fn open(&self) -> Vec<usize> {
        (0..self.slots.len()).filter(|&k| !matches!(self.slots[k], Slot::Closed(_))).collect()
    }

    /// If no property is open, but some have unaudited proofs only: when the last was given.
    pub(super) fn all_held_since(&self) -> Option<Duration> {
        let mut latest = None;
        for slot in &self.slots {
            match slot {
                Slot::Open(_) => return None,
                Slot::Held(_, _, since) => latest = latest.max(Some(*since)),
                Slot::Closed(_) => {}
            }
        }
        latest
    }

    /// Judges a member's verdicts on positions of `problem.bads`. The result says what is wrong
    /// with a program of others.
    pub(super) fn judge(
        &mut self,
        member: &Member,
        verdicts: Vec<(usize, Verdict)>,
        replay: &mut Replayer,
    ) -> Result<Option<String>, Fault> {
        let mut complaint = None;
        let mut judged = vec![];
        for (k, verdict) in verdicts {
            match (&verdict, &self.slots[k]) {
                (Verdict::Unknown(reason), Slot::Open(_)) => self.reason(k, reason),
                (Verdict::Unknown(_), _) => {}
                (Verdict::Safe(_), Slot::Closed(_)) => {}
                (Verdict::Safe(_), Slot::Held(_, by, _)) if *by == member.engine.name() => {}
                (Verdict::Unsafe(_), Slot::Closed(answer))
                    if matches!(answer.verdict, Verdict::Unsafe(_)) => {}
                _ => judged.push((k, verdict)),
            }
        }
        let list: Vec<(usize, &Verdict)> = judged.iter().map(|(k, v)| (*k, v)).collect();
        let given = self.budget.elapsed();
        let audits = match (self.rest, self.budget.remaining()) {
            // There are other members, and one may find a proof that is easier to audit.
            (Rest::All | Rest::Implicit, Some(left)) => {
                audits(self.problem, &list, &self.budget.shorter(left / 2))
            }
            _ => audits(self.problem, &list, self.budget),
        };
        let name = member.engine.name();
        for ((k, verdict), audit) in judged.into_iter().zip(audits) {
            match (audit, verdict) {
                (Audit::Refuted(fault), _) if member.external => {
                    let what = format!("{name}: the audit refutes its answer: {fault}");
                    self.reason(k, &Reason::Tool(what.clone()));
                    complaint = Some(what);
                }
                (Audit::Refuted(fault), _) => return Err(Fault::Refuted(name, fault)),
                (Audit::Confirmed, verdict) => {
                    if let Verdict::Unsafe(trace) = &verdict
                        && member.engine.capabilities().shortest
                    {
                        self.clean = self.clean.max(Some(trace.inputs.len() - 1));
                    }
                    self.confirmed(k, verdict, name, replay)?;
                }
                (Audit::NotDone(_) | Audit::NoEvidence, Verdict::Safe(certificate)) => {
                    self.hold(k, certificate, name, given);
                }
                (Audit::NotDone(_) | Audit::NoEvidence, _) => {}
            }
        }
        self.leave_the_rest();
        Ok(complaint)
    }

    /// An answer is right.
    fn confirmed(
        &mut self,
        k: usize,
        verdict: Verdict,
        name: &'static str,
        replay: &mut Replayer,
    ) -> Result<(), Fault> {
        if let Verdict::Unsafe(trace) = &verdict {
            if let Slot::Closed(Answer { verdict: Verdict::Safe(_), by, .. }) = &self.slots[k] {
                return Err(Fault::Contradiction(by.unwrap_or_default(), name));
            }
            replay(k, trace).map_err(Fault::Replay)?;
        }
        self.slots[k] = Slot::Closed(Answer { verdict, audited: true, by: Some(name) });
        Ok(())
    }

    /// Keeps a proof that was not audited; one with evidence is better than one without.
    fn hold(&mut self, k: usize, certificate: Certificate, name: &'static str, given: Duration) {
        let better = match &self.slots[k] {
            Slot::Open(_) => true,
            Slot::Held(Certificate::Claim, ..) => certificate != Certificate::Claim,
            _ => false,
        };
        if better {
            self.slots[k] = Slot::Held(certificate, name, given);
        }
    }

    /// Notes why a property is open; the reason with the larger depth stays.
    fn reason(&mut self, k: usize, reason: &Reason) {
        if let Slot::Open(known) = &mut self.slots[k] {
            let cancelled = |r: &Reason| matches!(r, Reason::Stopped { stop: Stop::Cancelled, .. });
            let better = match known {
                None => true,
                Some(old) => reason.depth() > old.depth() || cancelled(old) && !cancelled(reason),
            };
            if better {
                *known = Some(reason.clone());
            }
        }
    }

    /// Closes the open properties that need not be pursued after a violation.
    fn leave_the_rest(&mut self) {
        let violated = |slot: &Slot| matches!(slot, Slot::Closed(a) if matches!(a.verdict, Verdict::Unsafe(_)));
        let all = self.problem.bads.iter().zip(&self.slots);
        let mut asked = all.filter(|(bad, _)| self.problem.asks(**bad));
        let all_asked =
            !self.problem.asked.is_empty() && asked.clone().all(|(_, slot)| violated(slot));
        let reason = match self.rest {
            Rest::All if asked.any(|(_, slot)| violated(slot)) => Reason::FirstOnly,
            Rest::Implicit if all_asked => Reason::AllAskedViolated,
            _ => return,
        };
        for slot in &mut self.slots {
            if let Slot::Open(known) = slot {
                let depth = known.as_ref().and_then(Reason::depth).max(self.clean);
                let verdict = Verdict::Unknown(reason(depth));
                *slot = Slot::Closed(Answer { verdict, audited: false, by: None });
            }
        }
    }

    /// The answers, when nobody says anything more; `stop` is the limit that has ended the work.
    pub(super) fn finish(
        &mut self,
        stop: Option<Stop>,
        replay: &mut Replayer,
    ) -> Result<Vec<Answer>, Fault> {
        self.doubt(replay)?;
        let unknown =
            |reason| Answer { verdict: Verdict::Unknown(reason), audited: false, by: None };
        let memory = self.budget.memory_mb().map(Stop::Memory);
        let slots = self.slots.drain(..);
        let answers = slots.map(|slot| match slot {
            Slot::Closed(answer) => answer,
            Slot::Held(certificate, by, _) => {
                Answer { verdict: Verdict::Safe(certificate), audited: false, by: Some(by) }
            }
            Slot::Open(Some(reason)) => unknown(own_stop(reason, stop, memory)),
            Slot::Open(None) => {
                let stop = stop.unwrap_or(Stop::Cancelled);
                unknown(Reason::Stopped { stop, depth: None })
            }
        });
        Ok(answers.collect())
    }

    /// Looks for violations of what is only claimed to be safe.
    fn doubt(&mut self, replay: &mut Replayer) -> Result<(), Fault> {
        let claimed: Vec<usize> = (0..self.slots.len())
            .filter(|&k| matches!(self.slots[k], Slot::Held(Certificate::Claim, ..)))
            .collect();
        if claimed.is_empty() {
            return Ok(());
        }
        let verdicts = doubts(self.problem, &claimed, self.budget);
        let found: Vec<(usize, &Verdict)> =
            claimed.iter().copied().zip(&verdicts).filter(|(_, v)| !unknown(v)).collect();
        let audits = audits(self.problem, &found, self.budget);
        for ((k, verdict), audit) in found.into_iter().zip(audits) {
            match audit {
                Audit::Confirmed => self.confirmed(k, verdict.clone(), "bmc", replay)?,
                Audit::Refuted(fault) => return Err(Fault::Refuted("bmc", fault)),
                Audit::NotDone(_) | Audit::NoEvidence => {}
            }
        }
        Ok(())
    }
}

fn unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// Members are cancelled when the whole budget ends; then that is the reason. The memory that one
/// may use is a share of the limit that the user knows.
fn own_stop(reason: Reason, stop: Option<Stop>, memory: Option<Stop>) -> Reason {
    match reason {
        Reason::Stopped { stop: own, depth } => {
            let whole = memory.filter(|_| matches!(own, Stop::Memory(_)));
            Reason::Stopped { stop: stop.or(whole).unwrap_or(own), depth }
        }
        other => other,
    }
}

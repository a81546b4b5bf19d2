//! Which reduction is used for what.

use crate::property::{PropertyKind, Question};
use crate::sched::Reduction;

use super::error::DriverError;
use super::part::Part;

/// The reduction that was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionChoice {
    /// The one that measured best for the properties and the engine (`docs/reduction.md`).
    #[default]
    Auto,
    /// This one.
    Fixed(Reduction),
}

impl ReductionChoice {
    /// The choice with this name: `auto`, or that of a reduction.
    ///
    /// # Errors
    /// A message that lists the names, if there is none.
    pub fn parse(name: &str) -> Result<Self, DriverError> {
        if name == "auto" {
            return Ok(Self::Auto);
        }
        Reduction::parse(name).map(Self::Fixed).ok_or_else(|| {
            let names: Vec<&str> = Reduction::ALL.iter().map(|r| r.name()).collect();
            DriverError::File(format!(
                "no reduction `{name}`: there are auto, {}",
                names.join(", ")
            ))
        })
    }

    /// The parts of a question with one reduction each: what does not keep a property is turned off
    /// for that property alone. Formulas are in no part; the implicit properties are in each.
    ///
    /// # Errors
    /// If a reduction and a bound on switches of threads are given.
    pub(super) fn split(
        self,
        question: &Question,
        engine: &str,
        context_bound: Option<u32>,
    ) -> Result<Vec<Part>, DriverError> {
        let candidates = self.candidates(engine, context_bound)?;
        let mut groups: Vec<Vec<PropertyKind>> = vec![vec![]; 2 * candidates.len()];
        let is_formula = |p: &PropertyKind| {
            question.targets.iter().any(|t| t.property == *p && t.kind.is_formula())
        };
        for p in question.properties.iter().filter(|p| !p.is_implicit() && !is_formula(p)) {
            let own = candidates.iter().position(|r| keeps(*r, p)).expect("none keeps all");
            // Where these make transactions stop, others need not wait for them.
            let stops = matches!(p, PropertyKind::Race | PropertyKind::Deadlock);
            let apart = stops && candidates[own].has_transactions();
            groups[2 * own + usize::from(apart)].push(p.clone());
        }
        groups.retain(|g| !g.is_empty());
        if groups.is_empty() {
            groups.push(vec![]);
        }
        let part = |own: Vec<PropertyKind>| {
            let (reduction, reduction_off) = self.weakest(&candidates, &own);
            let is_in = |p: &PropertyKind| p.is_implicit() || own.contains(p);
            let properties = question.properties.iter().filter(|p| is_in(p)).cloned().collect();
            let all = question.targets.iter().enumerate();
            let (targets, list) =
                all.filter(|(_, t)| is_in(&t.property)).map(|(k, t)| (k, t.clone())).unzip();
            let question = Question { properties, targets: list };
            Part { question, targets, reduction, reduction_off }
        };
        Ok(groups.into_iter().map(part).collect())
    }

    /// The one reduction for all properties of a question, and why it is another one than asked for,
    /// if it is: what does not keep a property is turned off.
    ///
    /// # Errors
    /// If a reduction and a bound on switches of threads are given.
    pub fn resolve(
        self,
        question: &Question,
        engine: &str,
        context_bound: Option<u32>,
    ) -> Result<(Reduction, Option<String>), DriverError> {
        let candidates = self.candidates(engine, context_bound)?;
        Ok(self.weakest(&candidates, &question.properties))
    }

    /// What to use, best first. The last one is none, which keeps everything.
    fn candidates(
        self,
        engine: &str,
        context_bound: Option<u32>,
    ) -> Result<Vec<Reduction>, DriverError> {
        let mut list = match self {
            Self::Auto | Self::Fixed(Reduction::None) if context_bound.is_some() => vec![],
            Self::Fixed(reduction) if context_bound.is_some() => {
                return Err(DriverError::File(format!(
                    "--context-bound counts the switches that --reduction {reduction} leaves out: \
                     use one of them"
                )));
            }
            Self::Auto if engine == "ic3" => vec![Reduction::Transactions],
            Self::Auto => vec![Reduction::ParallelTransactions, Reduction::Foata],
            Self::Fixed(Reduction::ParallelTransactions) => {
                vec![Reduction::ParallelTransactions, Reduction::Foata]
            }
            Self::Fixed(Reduction::None) => vec![],
            Self::Fixed(reduction) => vec![reduction],
        };
        list.push(Reduction::None);
        Ok(list)
    }

    /// The best candidate that keeps these properties, and what the best of all does not keep, if
    /// it was asked for.
    fn weakest(
        self,
        candidates: &[Reduction],
        properties: &[PropertyKind],
    ) -> (Reduction, Option<String>) {
        let best = candidates[0];
        let lost: Vec<String> =
            properties.iter().filter(|p| !keeps(best, p)).map(PropertyKind::name).collect();
        let all = |r: &&Reduction| properties.iter().all(|p| keeps(**r, p));
        let used = *candidates.iter().find(all).expect("none keeps all");
        let asked = self != Self::Auto && !lost.is_empty();
        (used, asked.then(|| format!("{best} does not keep {}", lost.join(", "))))
    }
}

/// Whether the property is violated under the reduction exactly if it is violated at all.
pub fn keeps(reduction: Reduction, property: &PropertyKind) -> bool {
    match property {
        // Violated by one step of one thread.
        PropertyKind::Assert
        | PropertyKind::Undefined
        | PropertyKind::Bound
        | PropertyKind::AtomicBlocked
        | PropertyKind::Overflow => true,
        // Locking a lock again violates it and leaves the thread waiting, which no proof of the
        // reductions is about.
        PropertyKind::LockMisuse => !reduction.has_transactions() && !reduction.is_stubborn(),
        // Transactions do not move over what an invariant looks at; parallel steps keep all states.
        PropertyKind::Invariant(_) => true,
        // An invariant, or checked on a circuit of its own that has no reduction.
        PropertyKind::Ltl(..) => true,
        // Parallel steps and peepholes keep all states between steps, in which these are looked for;
        // stubborn sets keep the states without a successor, and both orders of steps that race,
        // but a leak depends on the end of the process, which is no step to them. Transactions stop
        // where a thread may wait or race.
        PropertyKind::Race | PropertyKind::Deadlock => true,
        PropertyKind::Memory => !reduction.has_transactions() && !reduction.is_stubborn(),
    }
}

//! Which reduction is used for what.

use crate::property::{PropertyKind, Question};
use crate::sched::Reduction;

use super::error::DriverError;

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

    /// The reduction to use, and why it is another one than asked for, if it is: what does not keep
    /// a property is turned off. None goes with a bound on switches of threads.
    ///
    /// # Errors
    /// If a reduction and a bound are given.
    pub fn resolve(
        self,
        question: &Question,
        engine: &str,
        context_bound: Option<u32>,
    ) -> Result<(Reduction, Option<String>), DriverError> {
        let asked = match self {
            Self::Auto | Self::Fixed(Reduction::None) if context_bound.is_some() => {
                return Ok((Reduction::None, None));
            }
            Self::Fixed(reduction) if context_bound.is_some() => {
                return Err(DriverError::File(format!(
                    "--context-bound counts the switches that --reduction {reduction} leaves out: \
                     use one of them"
                )));
            }
            Self::Auto => return Ok((auto(question, engine), None)),
            Self::Fixed(asked) => asked,
        };
        let lost: Vec<String> = question
            .properties
            .iter()
            .filter(|p| !keeps(asked, p))
            .map(PropertyKind::name)
            .collect();
        if lost.is_empty() {
            return Ok((asked, None));
        }
        let weaker = match asked {
            Reduction::ParallelTransactions => Reduction::Foata,
            _ => Reduction::None,
        };
        Ok((weaker, Some(format!("{asked} does not keep {}", lost.join(", ")))))
    }
}

/// Whether the property is violated under the reduction exactly if it is violated at all.
pub fn keeps(reduction: Reduction, property: &PropertyKind) -> bool {
    match property {
        // Violated by one step of one thread. Who locks again what it has finds that out by its own
        // doing, and then waits as others do.
        PropertyKind::Assert
        | PropertyKind::Undefined
        | PropertyKind::Bound
        | PropertyKind::AtomicBlocked
        | PropertyKind::LockMisuse
        | PropertyKind::Overflow => true,
        // Transactions do not move over what an invariant looks at; parallel steps keep all states.
        PropertyKind::Invariant(_) => true,
        // An invariant, or checked on a circuit of its own that has no reduction.
        PropertyKind::Ltl(..) => true,
        // Parallel steps and peepholes keep all states between steps, in which these are looked for;
        // stubborn sets keep the states without a successor, and both orders of steps that race,
        // but leaks and local deadlocks depend on the end of the process, which is no step to them. Transactions pass
        // over states that no assertion tells apart from others (REDUCTION.md, Q9).
        PropertyKind::Race | PropertyKind::Deadlock => !reduction.has_transactions(),
        PropertyKind::Memory | PropertyKind::LocalDeadlock => {
            !reduction.has_transactions() && !reduction.is_stubborn()
        }
    }
}

fn auto(question: &Question, engine: &str) -> Reduction {
    let preferred = match engine {
        "ic3" => [Reduction::Transactions, Reduction::None],
        _ => [Reduction::ParallelTransactions, Reduction::Foata],
    };
    let kept = |r: &Reduction| question.properties.iter().all(|p| keeps(*r, p));
    preferred.into_iter().find(kept).unwrap_or(Reduction::None)
}

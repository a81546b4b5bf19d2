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
    /// a property is turned off.
    pub fn resolve(self, question: &Question, engine: &str) -> (Reduction, Option<String>) {
        let Self::Fixed(asked) = self else { return (auto(question, engine), None) };
        let lost: Vec<String> = question
            .properties
            .iter()
            .filter(|p| !keeps(asked, p))
            .map(PropertyKind::name)
            .collect();
        if lost.is_empty() {
            return (asked, None);
        }
        let weaker = match asked {
            Reduction::ParallelTransactions => Reduction::Foata,
            _ => Reduction::None,
        };
        (weaker, Some(format!("{asked} does not keep {}", lost.join(", "))))
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
        | PropertyKind::LockMisuse
        | PropertyKind::Overflow => true,
        // Transactions do not move over what an invariant looks at; parallel steps keep all states.
        PropertyKind::Invariant(_) => true,
        // Parallel steps keep all states between steps, in which these are looked for. Transactions
        // pass over states that no assertion tells apart from others (REDUCTION.md, Q9).
        PropertyKind::Race | PropertyKind::Deadlock | PropertyKind::Memory => {
            !reduction.has_transactions()
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

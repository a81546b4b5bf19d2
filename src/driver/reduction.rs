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

    /// The reduction to use.
    ///
    /// # Errors
    /// If the one that was asked for does not keep the properties.
    pub fn resolve(self, question: &Question, engine: &str) -> Result<Reduction, DriverError> {
        match self {
            Self::Auto => Ok(auto(question, engine)),
            Self::Fixed(reduction) => {
                match question.properties.iter().find(|p| !keeps(reduction, p)) {
                    None => Ok(reduction),
                    Some(p) => Err(DriverError::File(format!(
                        "--reduction {reduction} does not keep the property {}",
                        p.name()
                    ))),
                }
            }
        }
    }
}

/// Whether the property is violated under the reduction exactly if it is violated at all.
fn keeps(_: Reduction, property: &PropertyKind) -> bool {
    match property {
        // Violated by one step of one thread.
        PropertyKind::Assert
        | PropertyKind::Undefined
        | PropertyKind::Bound
        | PropertyKind::AtomicBlocked => true,
        // Transactions do not move over what an invariant looks at; parallel steps keep all states.
        PropertyKind::Invariant(_) => true,
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

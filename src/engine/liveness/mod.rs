//! Justice properties with engines for bad states: liveness to safety, which decides each one and
//! whose violations are lassos, and k-liveness, which often proves faster.
//!
//! [`solve`] answers, [`audit`] checks a lasso by simulation and a proof on the reduction's
//! circuit, made anew.

mod check;
mod solve;
#[cfg(test)]
mod tests;

pub use check::audit;
pub use solve::{LivenessOptions, Method, lasso_of, monitored, solve};

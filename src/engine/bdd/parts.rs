//! The disjunctive parts of a transition relation, and images under them.

use super::relation::{Halt, LiveLatch, Relation};
use crate::aig::Lit;
use crate::base::{Budget, Id};
use crate::bdd::{Bdd, Level, Manager, OutOfNodes, Renaming};
use crate::engine::Problem;

/// The frames of a part.
pub(super) struct PartSpec {
    /// True in the frames of this part, which all meet the constraints.
    guard: Bdd,
    /// Literals that the guard implies.
    implied: Vec<(Level, bool)>,
}

impl PartSpec {
    /// A part for each of the problem's, and one for the frames of none of them. Frames that do
    /// not move are left out: they lead nowhere new.
    pub fn all(
        problem: &Problem,
        relation: &mut Relation,
        budget: &Budget,
    ) -> Result<Vec<Self>, Halt> {
        let mut rest = relation.frames(problem.moved.unwrap_or(Lit::TRUE), budget)?;
        let mut specs = vec![];
        for &part in problem.parts.iter().filter(|&&part| relation.covers(part)).collect::<Vec<_>>()
        {
            let frames = relation.frames(part, budget)?;
            let guard = frames.and(&rest)?;
            rest = rest.without(&frames)?;
            specs.push(Self::new(&relation.manager, guard)?);
        }
        specs.push(Self::new(&relation.manager, rest)?);
        specs.retain(|spec| !spec.guard.is_false());
        Ok(specs)
    }

    fn new(manager: &Manager, guard: Bdd) -> Result<Self, OutOfNodes> {
        let implied = implied(manager, &guard)?;
        Ok(Self { guard, implied })
    }
}

/// The literals that the function implies.
fn implied(manager: &Manager, function: &Bdd) -> Result<Vec<(Level, bool)>, OutOfNodes> {
    let mut found = vec![];
    for level in function.support() {
        let var = manager.var(level)?;
        if function.implies(&var)? {
            found.push((level, true));
        } else if !function.meets(&var)? {
            found.push((level, false));
        }
    }
    Ok(found)
}

/// A part of a transition relation: frames, and the latches that change in them.
pub(super) struct Part {
    /// The frames, with the constraints.
    guard: Bdd,
    /// The latches that change: position in `Relation::latches`, next state.
    changed: Vec<(usize, Bdd)>,
    /// For images: the guard and the relations of the changed latches, each with the variables
    /// that no later one has.
    forward: Vec<(Bdd, Bdd)>,
    /// Likewise for preimages.
    backward: Vec<(Bdd, Bdd)>,
    /// Next to current values of the changed latches.
    to_now: Renaming,
    /// Current to next values of the changed latches.
    to_next: Renaming,
}

impl Part {
    /// `None` if no latch changes in its frames.
    pub fn new(
        spec: &PartSpec,
        relation: &mut Relation,
        cluster_size: usize,
        budget: &Budget,
    ) -> Result<Option<Self>, Halt> {
        let next: Vec<Lit> =
            relation.latches.iter().map(|l| relation.aig.latches()[l.position].next).collect();
        let functions = relation.functions_where(&next, &spec.implied, budget)?;
        let mut changed = vec![];
        for (k, function) in functions.into_iter().enumerate() {
            let now = relation.manager.var(relation.latches[k].now)?;
            if function.xor(&now)?.meets(&spec.guard)? {
                changed.push((k, function));
            }
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let manager = &relation.manager;
        let latches: Vec<LiveLatch> = changed.iter().map(|&(k, _)| relation.latches[k]).collect();
        let clusters = clusters(manager, spec, &latches, &changed, cluster_size)?;
        let inputs: Vec<Level> = relation.inputs.iter().map(|&(_, level)| level).collect();
        let now: Vec<Level> = latches.iter().map(|l| l.now).collect();
        let next: Vec<Level> = latches.iter().map(|l| l.next).collect();
        let quantified = |more: &[Level]| inputs.iter().chain(more).copied().collect::<Vec<_>>();
        let pairs: Vec<(Level, Level)> = latches.iter().map(|l| (l.next, l.now)).collect();
        let back: Vec<(Level, Level)> = latches.iter().map(|l| (l.now, l.next)).collect();
        Ok(Some(Self {
            guard: spec.guard.clone(),
            forward: schedule(manager, clusters.clone(), &quantified(&now))?,
            backward: schedule(manager, clusters, &quantified(&next))?,
            changed,
            to_now: Renaming::new(manager, &pairs)?,
            to_next: Renaming::new(manager, &back)?,
        }))
    }

    /// States that the set leads to in this part's frames.
    pub fn image(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        multiply(set, &self.forward)?.rename(&self.to_now)
    }

    /// States that lead to the set in this part's frames.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        multiply(&set.rename(&self.to_next)?, &self.backward)
    }

    /// The inputs under which the state `from`, as a set `here`, leads to `to` in this part's
    /// frames.
    pub fn step(
        &self,
        latches: &[LiveLatch],
        here: &Bdd,
        from: &[bool],
        to: &[bool],
    ) -> Result<Bdd, OutOfNodes> {
        let mut changed = vec![false; latches.len()];
        let mut inputs = self.guard.restrict(here)?;
        for (k, function) in &self.changed {
            changed[*k] = true;
            let next = function.restrict(here)?;
            inputs = inputs.and(&if to[*k] { next } else { !&next })?;
        }
        let kept = (0..latches.len()).all(|k| changed[k] || from[k] == to[k]);
        if kept { Ok(inputs) } else { inputs.without(&inputs) }
    }
}

fn multiply(set: &Bdd, schedule: &[(Bdd, Bdd)]) -> Result<Bdd, OutOfNodes> {
    let mut product = set.clone();
    for (factor, cube) in schedule {
        product = product.and_exists(factor, cube)?;
    }
    Ok(product)
}

/// The guard and the relations of the latches, in their order, multiplied as long as a product
/// has at most `size` nodes.
fn clusters(
    manager: &Manager,
    spec: &PartSpec,
    latches: &[LiveLatch],
    changed: &[(usize, Bdd)],
    size: usize,
) -> Result<Vec<Bdd>, OutOfNodes> {
    let mut clusters = vec![spec.guard.clone()];
    for (latch, (_, function)) in latches.iter().zip(changed) {
        let relation = manager.var(latch.next)?.iff(function)?;
        let last = clusters.last_mut().expect("the guard is there");
        let product = last.and(&relation)?;
        if product.size() <= size {
            *last = product;
        } else {
            clusters.push(relation);
        }
    }
    Ok(clusters)
}

/// An order of the factors, and for each the variables to quantify with it: those that no later
/// factor has. Variables of one factor only, inputs among them, but never those that the set has,
/// are quantified in it once and for all.
fn schedule(
    manager: &Manager,
    mut factors: Vec<Bdd>,
    quantified: &[Level],
) -> Result<Vec<(Bdd, Bdd)>, OutOfNodes> {
    let mut supports: Vec<Vec<Level>> = factors.iter().map(Bdd::support).collect();
    let mut is_quantified = vec![false; manager.levels()];
    for level in quantified {
        is_quantified[level.index()] = true;
    }
    let mut schedule = vec![];
    let mut open: Vec<Level> = quantified.to_vec();
    while !factors.is_empty() {
        let best = (0..factors.len())
            .max_by_key(|&k| (gain(&supports, k, &is_quantified), std::cmp::Reverse(k)))
            .expect("a factor is left");
        let (factor, _) = (factors.remove(best), supports.remove(best));
        let later = |level: &Level| supports.iter().any(|s| s.contains(level));
        let (stay, go): (Vec<Level>, Vec<Level>) = open.into_iter().partition(later);
        open = stay;
        schedule.push((factor, manager.cube(go.into_iter().map(|level| (level, true)))?));
    }
    Ok(schedule)
}

/// How many more variables the factor lets go than it brings in.
fn gain(supports: &[Vec<Level>], factor: usize, quantified: &[bool]) -> i64 {
    let mut gain = 0;
    for level in &supports[factor] {
        let elsewhere = supports.iter().enumerate().any(|(k, s)| k != factor && s.contains(level));
        if !quantified[level.index()] {
            gain -= 1;
        } else if !elsewhere {
            gain += 1;
        }
    }
    gain
}

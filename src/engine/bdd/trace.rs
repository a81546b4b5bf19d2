//! Concrete runs from layers of states.

use super::reach::{Direction, Layers};
use super::relation::Relation;
use crate::bdd::{Bdd, OutOfNodes};
use crate::outcome::Trace;

/// The run from an initial state through the layers to a state of `goal` (for layers that go
/// backwards: from a state of `goal`, a set of initial states, to a bad one). The layer at position
/// `last` has states of `goal`. `frames` are the bad frames of the property at position `bad`.
pub(super) fn trace(
    relation: &Relation,
    layers: &Layers,
    last: usize,
    goal: &Bdd,
    frames: &Bdd,
    bad: usize,
) -> Result<Trace, OutOfNodes> {
    let mut path = vec![relation.choose(&layers.sets[last].and(goal)?)];
    let mut layer = last;
    while layer > 0 {
        let here = relation.state(path.last().expect("it has a state"))?;
        let near = match layers.direction {
            Direction::Forward => relation.preimage(&here)?,
            Direction::Backward => relation.image(&here)?,
        };
        let mut earlier = 0;
        while !layers.sets[earlier].meets(&near)? {
            earlier += 1;
        }
        assert!(earlier < layer, "a state of a layer has a neighbour in an earlier one");
        layer = earlier;
        path.push(relation.choose(&layers.sets[layer].and(&near)?));
    }
    if layers.direction == Direction::Forward {
        path.reverse();
    }
    let mut inputs = vec![];
    for pair in path.windows(2) {
        inputs.push(relation.step(&pair[0], &pair[1])?.expect("the states are neighbours"));
    }
    let end = relation.state(path.last().expect("it has a state"))?;
    inputs.push(relation.choose_inputs(&frames.restrict(&end)?));
    Ok(Trace { bad, initial: relation.whole(&path[0]), inputs })
}

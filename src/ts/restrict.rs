//! Passes that make a system smaller: cone of influence, and states that never change.

use super::system::{InputId, StateId, TransitionSystem, TsExpr, TsLeaf, TsNamed, TsPool};
use crate::base::{Budget, HashMap, Id, IndexVec, Stop};
use crate::expr::Node;

/// Where the parts of an original system are in a smaller one.
#[derive(Clone, Debug)]
pub struct TsMap {
    inputs: IndexVec<InputId, Option<InputId>>,
    states: IndexVec<StateId, Option<StateId>>,
    exprs: HashMap<TsExpr, TsExpr>,
}

impl TsMap {
    /// The smaller system's input, `None` if it is gone (any value will do).
    pub fn input(&self, original: InputId) -> Option<InputId> {
        self.inputs[original]
    }

    /// The smaller system's state, `None` if it is gone: it is constant, or nothing that is left
    /// depends on it.
    pub fn state(&self, original: StateId) -> Option<StateId> {
        self.states[original]
    }

    /// The smaller system's expression for one that was below what was to be kept.
    pub fn expr(&self, original: TsExpr) -> Option<TsExpr> {
        self.exprs.get(&original).copied()
    }

    /// From the original of `self` to the result of `next`, whose original is the result of
    /// `self`.
    #[must_use]
    pub fn then(&self, next: &TsMap) -> TsMap {
        let exprs = self.exprs.iter().filter_map(|(&e, &x)| Some((e, next.expr(x)?)));
        TsMap {
            inputs: self.inputs.iter().map(|k| k.and_then(|k| next.input(k))).collect(),
            states: self.states.iter().map(|k| k.and_then(|k| next.state(k))).collect(),
            exprs: exprs.collect(),
        }
    }
}

/// Keeps the inputs and states that constraints, properties, outputs or `extra` expressions
/// depend on, over any number of frames.
pub fn cone_of_influence(ts: &TransitionSystem, extra: &[TsExpr]) -> (TransitionSystem, TsMap) {
    rebuild(ts, extra, &IndexVec::filled(None, ts.states.len()))
}

/// Replaces states that keep their initial value for ever by constants, then takes the cone of
/// influence, until nothing changes. Such states are found by running the system with unknown
/// inputs, a changed word being unknown from then on.
///
/// # Errors
/// If the budget is used up.
pub fn remove_constant_states(
    ts: &TransitionSystem,
    extra: &[TsExpr],
    budget: &Budget,
) -> Result<(TransitionSystem, TsMap), Stop> {
    let constants = constant_states(ts, budget)?;
    let (mut small, mut map) = rebuild(ts, extra, &constants);
    loop {
        // With the constants in place, the rules of the pool may show more of them.
        let constants = constant_states(&small, budget)?;
        if constants.iter().all(Option::is_none) {
            return Ok((small, map));
        }
        let extra: Vec<TsExpr> = extra.iter().filter_map(|&e| map.expr(e)).collect();
        let (next, step) = rebuild(&small, &extra, &constants);
        map = map.then(&step);
        small = next;
    }
}

/// The states' values that no run changes.
fn constant_states(
    ts: &TransitionSystem,
    budget: &Budget,
) -> Result<IndexVec<StateId, Option<u128>>, Stop> {
    let mut states: IndexVec<StateId, Option<u128>> = ts.states.iter().map(|s| s.init).collect();
    let mut values: Vec<Option<u128>> = vec![None; ts.pool.len()];
    loop {
        if let Some(stop) = budget.check() {
            return Err(stop);
        }
        for e in (0..ts.pool.len()).map(TsExpr::new) {
            values[e.index()] = known_value(ts, e, &values, &states);
        }
        let mut changed = false;
        for (id, state) in ts.states.iter_enumerated() {
            if states[id].is_some() && values[state.next.index()] != states[id] {
                states[id] = None;
                changed = true;
            }
        }
        if !changed {
            return Ok(states);
        }
    }
}

/// The expression's value if the known values below it determine it.
fn known_value(
    ts: &TransitionSystem,
    e: TsExpr,
    values: &[Option<u128>],
    states: &IndexVec<StateId, Option<u128>>,
) -> Option<u128> {
    let value = |x: TsExpr| values[x.index()];
    match ts.pool.node(e) {
        Node::Leaf(TsLeaf::Input(_)) => None,
        Node::Leaf(TsLeaf::State(id)) => states[id],
        Node::Ite(c, a, b) => match value(c) {
            Some(1) => value(a),
            Some(_) => value(b),
            None => value(a).filter(|_| value(a) == value(b)),
        },
        _ => {
            let operands: Vec<TsExpr> = ts.pool.operands(e).collect();
            if operands.iter().all(|&x| value(x).is_some()) {
                return ts.pool.apply(e, |x| value(x).expect("all are known"));
            }
            absorbed(ts, e, &value)
        }
    }
}

/// The value of an and or an or of which one operand decides.
fn absorbed(
    ts: &TransitionSystem,
    e: TsExpr,
    value: &impl Fn(TsExpr) -> Option<u128>,
) -> Option<u128> {
    use crate::expr::{Op2, mask};
    let Node::Op2(op, a, b) = ts.pool.node(e) else { return None };
    let deciding = match op {
        Op2::And | Op2::Mul => 0,
        Op2::Or => mask(ts.pool.width(e)),
        _ => return None,
    };
    [a, b].iter().any(|&x| value(x) == Some(deciding)).then_some(deciding)
}

/// The inputs and states that the roots depend on, over any number of frames; a state with a
/// constant value depends on nothing and is not marked.
fn mark(
    ts: &TransitionSystem,
    extra: &[TsExpr],
    constants: &IndexVec<StateId, Option<u128>>,
) -> (IndexVec<InputId, bool>, IndexVec<StateId, bool>) {
    let mut inputs = IndexVec::filled(false, ts.inputs.len());
    let mut states = IndexVec::filled(false, ts.states.len());
    let mut seen = vec![false; ts.pool.len()];
    let mut open: Vec<TsExpr> = ts.property_roots().chain(extra.iter().copied()).collect();
    while let Some(e) = open.pop() {
        if std::mem::replace(&mut seen[e.index()], true) {
            continue;
        }
        match ts.pool.node(e) {
            Node::Leaf(TsLeaf::Input(id)) => inputs[id] = true,
            Node::Leaf(TsLeaf::State(id)) if constants[id].is_none() => {
                states[id] = true;
                open.push(ts.states[id].next);
            }
            _ => open.extend(ts.pool.operands(e)),
        }
    }
    (inputs, states)
}

/// The system with constants in place of states, and only what its properties depend on.
fn rebuild(
    ts: &TransitionSystem,
    extra: &[TsExpr],
    constants: &IndexVec<StateId, Option<u128>>,
) -> (TransitionSystem, TsMap) {
    let (keep_inputs, keep_states) = mark(ts, extra, constants);
    let mut new = TransitionSystem::new();
    let mut exprs = HashMap::default();
    let inputs = ts.inputs.iter_enumerated().map(|(id, input)| {
        keep_inputs[id].then(|| {
            let (new_id, e) = new.add_input(&input.name, input.width);
            exprs.insert(input.expr, e);
            new_id
        })
    });
    let inputs: IndexVec<InputId, Option<InputId>> = inputs.collect();
    let states = ts.states.iter_enumerated().map(|(id, state)| {
        if let Some(v) = constants[id] {
            exprs.insert(state.expr, new.pool.constant(v, state.width));
        }
        keep_states[id].then(|| {
            let (new_id, e) = new.add_state(&state.name, state.width, state.init);
            exprs.insert(state.expr, e);
            new_id
        })
    });
    let states: IndexVec<StateId, Option<StateId>> = states.collect();
    let kept = || ts.states.iter_enumerated().filter_map(|(id, s)| Some((states[id]?, s.next)));
    let roots = ts.property_roots().chain(extra.iter().copied());
    for e in roots.chain(kept().map(|(_, next)| next)) {
        let mut leaf = |_: &mut TsPool, l, _| unreachable!("{l:?} is below a root, so marked");
        ts.pool.translate(e, &mut new.pool, &mut leaf, &mut exprs);
    }
    for (id, next) in kept() {
        new.states[id].next = exprs[&next];
    }
    let one = |p: &TsNamed<TsExpr>| TsNamed { name: p.name.clone(), value: exprs[&p.value] };
    new.constraints = ts.constraints.iter().map(one).collect();
    new.bads = ts.bads.iter().map(one).collect();
    new.fairness = ts.fairness.iter().map(one).collect();
    new.outputs = ts.outputs.iter().map(one).collect();
    for TsNamed { name, value } in &ts.justice {
        let value = value.iter().map(|e| exprs[e]).collect();
        new.justice.push(TsNamed { name: name.clone(), value });
    }
    (new, TsMap { inputs, states, exprs })
}

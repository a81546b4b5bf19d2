use super::*;
use crate::base::{Budget, Id, Rng};
use crate::expr::{ExprId, Op2, mask};

fn named<T>(name: &str, value: T) -> TsNamed<T> {
    TsNamed { name: name.into(), value }
}

/// A counter with enable, a state that nothing reads, one that never changes, and one that stays
/// constant only because that one does.
fn sample() -> TransitionSystem {
    let mut ts = TransitionSystem::new();
    let (_, enable) = ts.add_input("enable", 1);
    let (_, unused_input) = ts.add_input("unused.input", 4);
    let (count_id, count) = ts.add_state("count", 4, Some(0));
    let (unused, u) = ts.add_state("unused", 4, None);
    let (fixed, limit) = ts.add_state("limit", 4, Some(9));
    let (follower, f) = ts.add_state("follower", 1, Some(0));
    let p = &mut ts.pool;
    let one = p.constant(1, 4);
    let up = p.op2(Op2::Add, count, one);
    let zero = p.constant(0, 4);
    let at_limit = p.eq(count, limit);
    let wrapped = p.ite(at_limit, zero, up);
    ts.states[count_id].next = p.ite(enable, wrapped, count);
    ts.states[unused].next = p.op2(Op2::Xor, u, unused_input);
    ts.states[fixed].next = limit;
    let other = p.constant(8, 4);
    let never = p.eq(limit, other);
    ts.states[follower].next = p.and(never, enable);
    let above = p.op2(Op2::Ult, limit, count);
    let bad = p.or(above, f);
    ts.bads.push(named("above", bad));
    ts.outputs.push(named("up", up));
    ts.justice.push(named("wraps", vec![at_limit, enable]));
    ts
}

#[test]
fn text_form() {
    let text = sample().to_string();
    let expected = "\
input enable : 1
input unused.input : 4
state count : 4 = 0
state unused : 4
state limit : 4 = 9
state follower : 1 = 0
e7 : 4 = (count + 1)
e9 : 1 = (count == limit)
next count = (enable ? (e9 ? 0 : e7) : count)
next unused = (unused.input ^ unused)
next limit = limit
next follower = (enable & (limit == 8))
bad above = (follower | (limit <u count))
output up = e7
justice wraps = e9, enable
";
    assert_eq!(text, expected);
}

#[test]
fn deep_systems_print_in_linear_size() {
    let mut ts = TransitionSystem { pool: crate::expr::Pool::raw(), ..TransitionSystem::new() };
    let (_, a) = ts.add_input("a", 8);
    let e = (0..10_000).fold(a, |e, _| ts.pool.op2(Op2::Add, e, a));
    ts.outputs.push(named("sum", e));
    let text = ts.to_string();
    assert!(!text.contains('…') && text.len() < 200_000);
    assert_eq!(text.matches(" + ").count(), 10_000);
}

#[test]
fn cone_and_constant_states() {
    let ts = sample();
    let (small, map) = cone_of_influence(&ts, &[]);
    small.validate().unwrap();
    let names: Vec<_> = small.states.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["count", "limit", "follower"]);
    assert_eq!(map.state(StateId::new(1)), None);
    assert_eq!(map.state(StateId::new(3)), Some(StateId::new(2)));
    assert_eq!(map.input(InputId::new(1)), None);

    let extra = ts.states[StateId::new(1)].expr;
    let (kept, map) = cone_of_influence(&ts, &[extra]);
    assert_eq!(map.expr(extra), Some(kept.states[StateId::new(1)].expr));

    let (small, map) = remove_constant_states(&ts, &[], &Budget::unlimited()).unwrap();
    small.validate().unwrap();
    let names: Vec<_> = small.states.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["count"]);
    assert_eq!(map.state(StateId::new(0)), Some(StateId::new(0)));
    let limit = ts.states[StateId::new(2)].expr;
    assert_eq!(small.pool.as_const(map.expr(limit).unwrap()), Some(9));
}

#[test]
fn validation_names_what_is_wrong() {
    assert_eq!(sample().validate(), Ok(()));
    let broken = |f: &dyn Fn(&mut TransitionSystem)| {
        let mut ts = sample();
        f(&mut ts);
        ts.validate().unwrap_err()
    };
    let state = StateId::new;
    let e = broken(&|ts| ts.states[state(1)].name = "enable".into());
    assert_eq!(e, TsError::DuplicateName("enable".into()));
    let e = broken(&|ts| ts.states[state(1)].width = 5);
    assert_eq!(e, TsError::Leaf("unused".into()));
    let e = broken(&|ts| ts.states[state(0)].next = ts.states[state(3)].expr);
    assert_eq!(e, TsError::Width { name: "count".into(), found: 1, expected: 4 });
    let e = broken(&|ts| ts.states[state(0)].init = Some(16));
    assert_eq!(e, TsError::Init("count".into()));
    let e = broken(&|ts| ts.bads[0].value = ts.states[state(0)].expr);
    assert_eq!(e, TsError::Width { name: "above".into(), found: 4, expected: 1 });
    let e = broken(&|ts| ts.outputs[0].value = ExprId::new(1000));
    assert_eq!(e, TsError::NotInPool("up".into()));
}

/// A random system; many of its states start with 0 and stay so.
fn random_system(rng: &mut Rng) -> TransitionSystem {
    let mut ts = TransitionSystem::new();
    let mut exprs = vec![];
    for k in 0..2 + rng.below(3) {
        exprs.push(ts.add_input(format!("i{k}"), 2).1);
    }
    let states: Vec<_> = (0..2 + rng.below(6))
        .map(|k| ts.add_state(format!("s{k}"), 2, (!rng.one_in(4)).then(|| rng.below(2) as u128)))
        .collect();
    exprs.extend(states.iter().map(|s| s.1));
    for _ in 0..12 {
        let (a, b, c) = (*rng.pick(&exprs), *rng.pick(&exprs), *rng.pick(&exprs));
        let c = ts.pool.extract(c, 0, 1);
        let e = match rng.below(4) {
            0 => ts.pool.and(a, b),
            1 => ts.pool.op2(Op2::Mul, a, b),
            2 => ts.pool.ite(c, a, b),
            _ => ts.pool.op2(Op2::Sub, a, b),
        };
        exprs.push(e);
    }
    for (id, _) in &states {
        ts.states[*id].next = *rng.pick(&exprs);
    }
    for k in 0..2 {
        ts.outputs.push(named(&format!("o{k}"), *rng.pick(&exprs)));
    }
    ts
}

#[test]
fn smaller_systems_run_alike() {
    let mut removed = 0;
    for seed in 0..400 {
        println!("seed {seed}");
        let mut rng = Rng::new(seed);
        let ts = random_system(&mut rng);
        let extra = [ts.states[StateId::new(rng.below(ts.states.len()))].next];
        let (small, map) = if seed % 2 == 0 {
            cone_of_influence(&ts, &extra)
        } else {
            remove_constant_states(&ts, &extra, &Budget::unlimited()).unwrap()
        };
        small.validate().unwrap();
        removed += ts.states.len() - small.states.len();
        let initial: Vec<u128> = ts.states.iter().map(|_| rng.next_u128() & mask(2)).collect();
        let mut big_run = Simulator::new(&ts, |s| initial[s.index()]);
        let original =
            |s: StateId| ts.states.ids().find(|&k| map.state(k) == Some(s)).expect("from one");
        let mut small_run = Simulator::new(&small, |s| initial[original(s).index()]);
        for _ in 0..10 {
            let frame: Vec<u128> = ts.inputs.iter().map(|_| rng.next_u128() & mask(2)).collect();
            big_run.evaluate(|i| frame[i.index()]);
            small_run.evaluate(|i| {
                let id = ts.inputs.ids().find(|&k| map.input(k) == Some(i)).expect("from one");
                frame[id.index()]
            });
            for (x, y) in ts.outputs.iter().zip(&small.outputs) {
                assert_eq!(big_run.value(x.value), small_run.value(y.value));
            }
            let kept = map.expr(extra[0]).expect("kept");
            assert_eq!(big_run.value(extra[0]), small_run.value(kept));
            big_run.advance();
            small_run.advance();
        }
    }
    assert!(removed > 100, "only {removed} states were removed");
}

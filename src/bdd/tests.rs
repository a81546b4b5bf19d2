//! Every operation against truth tables: bit a of a table is the value where variable k has
//! bit k of a.

use super::*;
use crate::base::{Id, Rng};

const VARS: usize = 5;
const ROWS: u32 = 1 << VARS;

fn manager() -> Manager {
    Manager::new(VARS, 1 << 16).unwrap()
}

fn level(k: usize) -> Level {
    Level::new(k)
}

/// The table of the variable.
fn column(k: usize) -> u32 {
    (0..ROWS).filter(|a| a >> k & 1 == 1).map(|a| 1 << a).sum()
}

/// The table's function as the disjunction of its rows.
fn build(m: &Manager, table: u32) -> Bdd {
    let mut f = m.constant(false);
    for row in (0..ROWS).filter(|a| table >> a & 1 == 1) {
        let cube = m.cube((0..VARS).map(|k| (level(k), row >> k & 1 == 1))).unwrap();
        f = f.or(&cube).unwrap();
    }
    f
}

/// The function's table, read off its nodes.
fn table(f: &Bdd) -> u32 {
    (0..ROWS).filter(|&row| value(f, row)).map(|row| 1 << row).sum()
}

fn value(f: &Bdd, row: u32) -> bool {
    match f.branch() {
        None => f.is_true(),
        Some((l, high, low)) => {
            let below = if row >> l.index() & 1 == 1 { high } else { low };
            assert!(below.branch().is_none_or(|(next, ..)| next > l), "not in order");
            value(&below, row)
        }
    }
}

fn random_table(rng: &mut Rng) -> u32 {
    let bits = rng.next_u64();
    // Some are sparse, some depend on few variables.
    match rng.below(4) {
        0 => (bits & bits >> 32 & rng.next_u64()) as u32,
        1 => *rng.pick(&[0, u32::MAX, column(1), !column(3), column(0) & column(4)]),
        2 => {
            let byte = bits as u32 & 0xff;
            byte | byte << 8 | byte << 16 | byte << 24
        }
        _ => bits as u32,
    }
}

fn exists(table: u32, vars: &[usize]) -> u32 {
    vars.iter().fold(table, |t, &k| {
        let (high, low) = (t & column(k), t & !column(k));
        high | high >> (1 << k) | low | low << (1 << k)
    })
}

#[test]
fn operations_agree_with_truth_tables() {
    let m = manager();
    let mut rng = Rng::new(7);
    for round in 0..400 {
        let (a, b) = (random_table(&mut rng), random_table(&mut rng));
        let (f, g) = (build(&m, a), build(&m, b));
        let at = format!("round {round}: {a:#x} {b:#x}");
        assert_eq!(table(&f), a, "{at}");
        assert_eq!(f == g, a == b, "{at}");
        assert_eq!(table(&f.and(&g).unwrap()), a & b, "{at}");
        assert_eq!(table(&f.or(&g).unwrap()), a | b, "{at}");
        assert_eq!(table(&f.xor(&g).unwrap()), a ^ b, "{at}");
        assert_eq!(table(&f.iff(&g).unwrap()), !(a ^ b), "{at}");
        assert_eq!(table(&f.without(&g).unwrap()), a & !b, "{at}");
        assert_eq!(table(&!&f), !a, "{at}");
        assert_eq!(f.implies(&g).unwrap(), a & !b == 0, "{at}");
        assert_eq!(f.meets(&g).unwrap(), a & b != 0, "{at}");
        assert_eq!((f.is_false(), f.is_true()), (a == 0, a == u32::MAX), "{at}");
        let vars: Vec<usize> = (0..VARS).filter(|_| rng.one_in(2)).collect();
        let cube = m.cube(vars.iter().map(|&k| (level(k), true))).unwrap();
        assert_eq!(table(&f.exists(&cube).unwrap()), exists(a, &vars), "{at} {vars:?}");
        let both = f.and_exists(&g, &cube).unwrap();
        assert_eq!(table(&both), exists(a & b, &vars), "{at} {vars:?}");
    }
}

#[test]
fn restriction_renaming_support_and_choice_agree_with_truth_tables() {
    let m = manager();
    let mut rng = Rng::new(8);
    for round in 0..400 {
        let a = random_table(&mut rng);
        let f = build(&m, a);
        let at = format!("round {round}: {a:#x}");
        let lits: Vec<(Level, bool)> =
            (0..VARS).filter(|_| rng.one_in(3)).map(|k| (level(k), k % 2 == 0)).collect();
        let (mut kept, vars): (u32, Vec<usize>) =
            (a, lits.iter().map(|(l, _)| l.index()).collect());
        for &(l, value) in &lits {
            kept &= if value { column(l.index()) } else { !column(l.index()) };
        }
        let restricted = f.restrict(&m.cube(lits.iter().copied()).unwrap()).unwrap();
        assert_eq!(table(&restricted), exists(kept, &vars), "{at} {lits:?}");

        // 0 and 1 swap, 4 becomes 2: only where it does not depend on 2.
        let g = f.exists(&m.cube([(level(2), true)]).unwrap()).unwrap();
        let pairs = [(0, 1), (1, 0), (4, 2)].map(|(a, b)| (level(a), level(b)));
        let renamed = g.rename(&Renaming::new(&m, &pairs).unwrap()).unwrap();
        let old = |row: u32| {
            let bit = |k: u32| row >> k & 1;
            bit(1) | bit(0) << 1 | bit(3) << 3 | bit(2) << 4
        };
        assert!((0..ROWS).all(|row| value(&renamed, row) == value(&g, old(row))), "{at}");

        let support: Vec<Level> = (0..VARS).filter(|&k| exists(a, &[k]) != a).map(level).collect();
        assert_eq!(f.support(), support, "{at}");
        match f.pick() {
            None => assert_eq!(a, 0, "{at}"),
            Some(values) => {
                let fits = |row: u32| {
                    values
                        .iter()
                        .enumerate()
                        .all(|(k, v)| v.is_none_or(|v| v == (row >> k & 1 == 1)))
                };
                let mut rows = (0..ROWS).filter(|&row| fits(row)).peekable();
                assert!(rows.peek().is_some() && rows.all(|row| value(&f, row)), "{at}");
            }
        }
    }
}

/// The function with the most nodes for its variables in a bad order: pairs far apart.
fn pairs(m: &Manager, n: usize) -> Result<Bdd, OutOfNodes> {
    let mut f = m.constant(true);
    for k in 0..n {
        f = f.and(&m.var(level(k))?.iff(&m.var(level(n + k))?)?)?;
    }
    Ok(f)
}

#[test]
fn the_limit_is_an_error_and_leaves_the_rest_usable() {
    let m = Manager::new(60, 1 << 14).unwrap();
    let small = pairs(&m, 6).unwrap();
    assert_eq!(pairs(&m, 30), Err(OutOfNodes));
    assert_eq!(pairs(&m, 6), Ok(small));
    assert!(m.nodes() <= 1 << 14);
}

#[test]
fn garbage_is_collected_where_nodes_are_needed() {
    let m = Manager::new(60, 1 << 14).unwrap();
    let mut rng = Rng::new(3);
    let kept = pairs(&m, 8).unwrap();
    let size = kept.size();
    for _ in 0..1000 {
        let mut f = m.constant(true);
        for _ in 0..4 {
            let lits: Vec<_> = (0..8).map(|_| (level(rng.below(60)), rng.one_in(2))).collect();
            if let Ok(cube) = m.cube(lits) {
                f = f.xor(&cube).unwrap();
            }
        }
    }
    assert_eq!(kept.size(), size);
    assert_eq!(pairs(&m, 8), Ok(kept));
}

#[test]
fn tidying_frees_what_nobody_needs() {
    let mut m = Manager::new(60, 1 << 14).unwrap();
    let kept = pairs(&m, 5).unwrap();
    drop(pairs(&m, 11).unwrap());
    let before = m.nodes();
    assert!(before > 1 << 13);
    m.tidy();
    assert!(m.nodes() < before && m.nodes() >= kept.size() - 2, "{before} {}", m.nodes());
}

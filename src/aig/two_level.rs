//! Rules about an and and the ands that are its operands, which never add a node (Brummayer,
//! Biere: Local two-level and-inverter graph minimization without blowup, MEMICS 2006).

use super::{Aig, Lit, Node};

/// What a conjunction is the same as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    /// This literal.
    Lit(Lit),
    /// This other conjunction, nearer to the inputs.
    And(Lit, Lit),
    /// No rule applies.
    Keep,
}

impl Aig {
    /// The operands, if the literal's node is an and (whatever its sign).
    fn operands(&self, lit: Lit) -> Option<[Lit; 2]> {
        match self.node(lit.var()) {
            Node::And(a, b) => Some([a, b]),
            _ => None,
        }
    }

    /// The rules for `a & b`. They look at structure only, not at the order of literals, so that
    /// a graph that is built again in another order stays as it is.
    pub(super) fn two_level(&self, a: Lit, b: Lit) -> Local {
        let (x, y) = (self.operands(a), self.operands(b));
        for (ops, this, other, others) in [(x, a, b, y), (y, b, a, x)] {
            let Some(ops) = ops else { continue };
            let rule = if this.is_negated() {
                negated_and(ops, other, others)
            } else {
                plain_and(ops, this, other, others)
            };
            if rule != Local::Keep {
                return rule;
            }
        }
        Local::Keep
    }
}

/// `(p & q) & other`, where `other` may be an and, perhaps complemented, of `others`.
fn plain_and(ops: [Lit; 2], this: Lit, other: Lit, others: Option<[Lit; 2]>) -> Local {
    if ops.contains(&!other) {
        return Local::Lit(Lit::FALSE);
    }
    if ops.contains(&other) {
        return Local::Lit(this);
    }
    let Some([r, s]) = others.filter(|_| !other.is_negated()) else { return Local::Keep };
    if ops.contains(&!r) || ops.contains(&!s) {
        Local::Lit(Lit::FALSE)
    } else if ops.contains(&r) {
        Local::And(this, s)
    } else if ops.contains(&s) {
        Local::And(this, r)
    } else {
        Local::Keep
    }
}

/// `!(p & q) & other`, where `other` may be an and, perhaps complemented, of `others`.
fn negated_and([p, q]: [Lit; 2], other: Lit, others: Option<[Lit; 2]>) -> Local {
    if p == !other || q == !other {
        return Local::Lit(other);
    }
    if p == other {
        return Local::And(!q, other);
    }
    if q == other {
        return Local::And(!p, other);
    }
    let Some(others) = others else { return Local::Keep };
    if other.is_negated() {
        // !(p & q) & !(p & !q) = !p
        return match (others.contains(&p), others.contains(&!q)) {
            (true, true) => Local::Lit(!p),
            _ if others.contains(&q) && others.contains(&!p) => Local::Lit(!q),
            _ => Local::Keep,
        };
    }
    if others.contains(&!p) || others.contains(&!q) {
        Local::Lit(other)
    } else if others.contains(&p) {
        Local::And(!q, other)
    } else if others.contains(&q) {
        Local::And(!p, other)
    } else {
        Local::Keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    /// Truth tables of six inputs, with a variable's value in bit k of word i iff bit i of k.
    const INPUTS: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];

    #[test]
    fn random_graphs_keep_their_functions() {
        for seed in 0..2000 {
            let mut rng = Rng::new(seed);
            let mut aig = Aig::new();
            // Few inputs, so that operands meet again.
            let mut signals: Vec<(Lit, u64)> =
                INPUTS[..2 + rng.below(4)].iter().map(|&t| (aig.input(None), t)).collect();
            for _ in 0..40 {
                let [(a, x), (b, y)] = [0, 1].map(|_| {
                    let (l, t) = *rng.pick(&signals);
                    if rng.one_in(2) { (!l, !t) } else { (l, t) }
                });
                let nodes = aig.nodes().len();
                let and = aig.and(a, b);
                assert!(aig.nodes().len() <= nodes + 1, "seed {seed}: more than one new node");
                signals.push((and, x & y));
            }
            let inputs = &INPUTS[..aig.inputs().len()];
            let mut simulator = super::super::Simulator::new(&aig, &[]);
            simulator.eval(inputs);
            for &(lit, table) in &signals {
                assert_eq!(simulator.value(lit), table, "seed {seed}: {lit:?}");
            }
        }
    }

    #[test]
    fn each_rule_applies() {
        let mut aig = Aig::new();
        let [a, b, c] = [0; 3].map(|_| aig.input(None));
        let ab = aig.and(a, b);
        let ac = aig.and(a, c);
        let not_a_c = aig.and(!a, c);
        let a_not_b = aig.and(a, !b);
        let before = aig.num_ands();
        assert_eq!(aig.and(ab, !a), Lit::FALSE);
        assert_eq!(aig.and(ab, not_a_c), Lit::FALSE);
        assert_eq!(aig.and(ab, b), ab);
        assert_eq!(aig.and(!ab, !a), !a);
        assert_eq!(aig.and(!ab, not_a_c), not_a_c);
        assert_eq!(aig.and(!ab, !a_not_b), !a);
        assert_eq!(aig.and(!ab, a), a_not_b);
        assert_eq!(aig.num_ands(), before);
        let abc = aig.and(ac, b);
        assert_eq!(aig.and(ab, ac), abc);
        let expected = aig.and(ac, !b);
        assert_eq!(aig.and(!ab, ac), expected);
    }
}

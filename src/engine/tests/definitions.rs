//! Definitions after elimination against the circuit itself.

use crate::aig::random::{ALL_RESETS, RandomOptions, random_aig};
use crate::aig::{Aig, Lit, Node, Simulator};
use crate::base::{Budget, Rng};
use crate::engine::cnf::Encoder;
use crate::engine::definitions::Definitions;
use crate::sat::{self, Answer, Backend};

fn random_circuit(rng: &mut Rng) -> Aig {
    let options = RandomOptions {
        inputs: 1 + rng.below(3),
        latches: 1 + rng.below(3),
        ands: 4 + rng.below(40),
        bads: 1 + rng.below(3),
        resets: &ALL_RESETS,
        ..RandomOptions::tiny()
    };
    random_aig(rng, &options)
}

fn roots(aig: &Aig) -> Vec<Lit> {
    let next = aig.latches().iter().map(|l| l.next);
    let all: Vec<Lit> = next.chain(aig.bads.iter().map(|b| b.value)).collect();
    all.into_iter().filter(|l| !l.is_const()).collect()
}

/// Every root has, under every state and every input, the circuit's value and no other one.
#[test]
fn roots_keep_their_functions() {
    let (mut gates, mut defined) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let aig = random_circuit(&mut rng);
        let roots = roots(&aig);
        let definitions = Definitions::new(&aig, &roots);
        let ands = (0..aig.nodes().len()).map(crate::base::Id::new);
        let ands = ands.filter(|&v| matches!(aig.node(v), Node::And(..)));
        for var in ands {
            gates += 1;
            defined += usize::from(definitions.of(var).is_some());
        }
        let mut solver = (*rng.pick(&Backend::ALL)).solver();
        let mut encoder = Encoder::default();
        let known: Vec<sat::Lit> =
            roots.iter().map(|&l| encoder.lit_by(&definitions, &aig, &mut *solver, l)).collect();
        let (inputs, latches) = (aig.inputs().len(), aig.latches().len());
        for assignment in 0..1u32 << (inputs + latches) {
            let bit = |k: usize| assignment >> k & 1 == 1;
            let values: Vec<bool> = (0..inputs).map(bit).collect();
            let state: Vec<bool> = (inputs..inputs + latches).map(bit).collect();
            let mut simulator = Simulator::new(&aig, &state);
            simulator.eval(&values);
            let vars =
                aig.inputs().iter().map(|i| i.var).chain(aig.latches().iter().map(|l| l.var));
            let given: Vec<sat::Lit> = vars
                .enumerate()
                .filter_map(|(k, var)| encoder.known(Lit::new(var, !bit(k))))
                .collect();
            for (&root, &lit) in roots.iter().zip(&known) {
                let lit = lit.xor(!simulator.value(root));
                let mut ask = |lit| {
                    let mut assumptions = given.clone();
                    assumptions.push(lit);
                    solver.solve(&assumptions, &Budget::unlimited())
                };
                assert_eq!(ask(lit), Answer::Sat, "seed {seed}, {root:?}");
                assert_eq!(ask(!lit), Answer::Unsat, "seed {seed}, {root:?}");
            }
        }
    }
    assert!(defined * 2 < gates, "{defined} of {gates} gates are left");
}

/// A root that another root uses stays, as what is asked about.
#[test]
fn roots_stay() {
    let mut aig = Aig::new();
    let inputs: Vec<Lit> = (0..4).map(|_| aig.input(None)).collect();
    let first = aig.and(inputs[0], inputs[1]);
    let second = aig.and(first, inputs[2]);
    let third = aig.and(second, inputs[3]);
    let definitions = Definitions::new(&aig, &[first, third]);
    assert!(definitions.of(first.var()).is_some());
    assert!(definitions.of(second.var()).is_none());
    let third = definitions.of(third.var()).expect("a root is defined");
    assert_eq!(third.operands, [inputs[2], inputs[3], first]);
    assert_eq!(third.clauses.len(), 4);
}

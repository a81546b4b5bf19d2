//! Functions of four variables, and small circuits for them.

use crate::aig::{Aig, Lit};
use crate::base::HashMap;

/// A truth table: bit k is the value where variable i is bit i of k.
pub(super) type Table = u16;

/// The tables of the variables.
pub(super) const VARIABLES: [Table; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// The ways to split four variables into two pairs.
const PAIRS: [[[usize; 2]; 2]; 3] = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

/// How a function is made from simpler ones. Only functions that are false at 0 have one; the
/// others are complements.
#[derive(Clone, Copy, Debug)]
enum Recipe {
    Zero,
    Variable(usize),
    And(Table, Table),
    Or(Table, Table),
    Xor(Table, Table),
    /// If the variable then the first else the second.
    Ite(usize, Table, Table),
}

impl Recipe {
    fn ands(self) -> usize {
        match self {
            Recipe::Zero | Recipe::Variable(_) => 0,
            Recipe::And(..) | Recipe::Or(..) => 1,
            Recipe::Xor(..) | Recipe::Ite(..) => 3,
        }
    }

    fn operands(self) -> Vec<Table> {
        match self {
            Recipe::Zero | Recipe::Variable(_) => vec![],
            Recipe::And(a, b) | Recipe::Or(a, b) | Recipe::Xor(a, b) => vec![a, b],
            Recipe::Ite(x, a, b) => vec![VARIABLES[x], a, b],
        }
    }
}

/// Known recipes.
#[derive(Default)]
pub(super) struct Functions(HashMap<Table, (usize, Recipe)>);

impl Functions {
    /// Number of ands that the function takes, at most.
    pub(super) fn ands(&mut self, table: Table) -> usize {
        self.find(table).0
    }

    /// The function of these four literals.
    pub(super) fn build(&mut self, graph: &mut Aig, table: Table, leaves: &[Lit; 4]) -> Lit {
        let lit = match self.find(table).1 {
            Recipe::Zero => Lit::FALSE,
            Recipe::Variable(k) => leaves[k],
            Recipe::And(a, b) => {
                let (a, b) = (self.build(graph, a, leaves), self.build(graph, b, leaves));
                graph.and(a, b)
            }
            Recipe::Or(a, b) => {
                let (a, b) = (self.build(graph, a, leaves), self.build(graph, b, leaves));
                graph.or(a, b)
            }
            Recipe::Xor(a, b) => {
                let (a, b) = (self.build(graph, a, leaves), self.build(graph, b, leaves));
                graph.xor(a, b)
            }
            Recipe::Ite(x, a, b) => {
                let (a, b) = (self.build(graph, a, leaves), self.build(graph, b, leaves));
                graph.ite(leaves[x], a, b)
            }
        };
        lit.xor(table & 1 == 1)
    }

    /// The cheapest recipe found for the table or its complement, whichever is false at 0, and its
    /// number of ands with all operands.
    fn find(&mut self, table: Table) -> (usize, Recipe) {
        let table = if table & 1 == 1 { !table } else { table };
        if let Some(&known) = self.0.get(&table) {
            return known;
        }
        let cost = |functions: &mut Self, recipe: Recipe| {
            let operands = recipe.operands().into_iter();
            recipe.ands() + operands.map(|t| functions.ands(t)).sum::<usize>()
        };
        let found = recipes(table).into_iter().map(|r| (cost(self, r), r));
        let best = found.min_by_key(|r| r.0).expect("each function has a recipe");
        self.0.insert(table, best);
        best
    }
}

/// The function where the variable has this value.
fn cofactor(table: Table, variable: usize, value: bool) -> Table {
    let (mask, shift) = (VARIABLES[variable], 1 << variable);
    if value {
        let half = table & mask;
        half | half >> shift
    } else {
        let half = table & !mask;
        half | half << shift
    }
}

fn exists(table: Table, variables: [usize; 2]) -> Table {
    variables.iter().fold(table, |t, &x| cofactor(t, x, false) | cofactor(t, x, true))
}

/// All recipes for a function that is false at 0, each of functions of fewer variables.
fn recipes(table: Table) -> Vec<Recipe> {
    if table == 0 {
        return vec![Recipe::Zero];
    }
    if let Some(k) = VARIABLES.iter().position(|&v| v == table) {
        return vec![Recipe::Variable(k)];
    }
    let mut recipes = vec![];
    for (k, &x) in VARIABLES.iter().enumerate() {
        let (low, high) = (cofactor(table, k, false), cofactor(table, k, true));
        if low == high {
            continue;
        }
        recipes.push(if low == 0 {
            Recipe::And(x, high)
        } else if high == 0 {
            Recipe::And(!x, low)
        } else if high == Table::MAX {
            Recipe::Or(x, low)
        } else if low == !high {
            Recipe::Xor(x, low)
        } else {
            Recipe::Ite(k, high, low)
        });
    }
    for [first, second] in PAIRS {
        let (a, b) = (exists(table, second), exists(table, first));
        if a & b == table && a != table && b != table {
            recipes.push(Recipe::And(a, b));
        }
        let (a, b) = (!exists(!table, second), !exists(!table, first));
        if a | b == table && a != table && b != table {
            recipes.push(Recipe::Or(a, b));
        }
        let a = second.iter().fold(table, |t, &x| cofactor(t, x, false));
        let b = first.iter().fold(table ^ a, |t, &x| cofactor(t, x, false));
        if a ^ b == table && a != table && b != table && a != 0 && b != 0 {
            recipes.push(Recipe::Xor(a, b));
        }
    }
    recipes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aig::Simulator;

    #[test]
    fn every_function_is_built_with_the_ands_announced() {
        let mut functions = Functions::default();
        let inputs = VARIABLES.map(u64::from);
        for table in 0..=Table::MAX {
            let mut graph = Aig::new();
            let leaves = [(); 4].map(|()| graph.input(None));
            let lit = functions.build(&mut graph, table, &leaves);
            assert!(graph.num_ands() <= functions.ands(table), "{table:04x}");
            let mut simulator = Simulator::new(&graph, &[]);
            simulator.eval(&inputs);
            assert_eq!(simulator.value(lit) as Table, table, "{table:04x}");
        }
        let ands = |table: Table| Functions::default().ands(table);
        assert_eq!([0x8000, 0xfffe, 0xf888, 0x6666, 0xcaca].map(ands), [3, 3, 3, 3, 3]);
    }
}

//! Functions and their operations.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Not;

use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel,
    Manager as _, Node, Subst,
};

use super::manager::{Level, Manager, OutOfNodes, with_room};
use crate::base::{HashSet, Id};

/// A Boolean function of the variables of one [`Manager`]; clones share the nodes.
///
/// # Panics
/// Operations panic if their operands belong to different managers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(pub(super) BCDDFunction);

/// What the root of a function tests: the variable, and the function where it is true and where
/// it is false.
pub type Branch = (Level, Bdd, Bdd);

/// Replaces variables by others, all at once.
pub struct Renaming(Subst<BCDDFunction>);

impl Renaming {
    /// The renaming of the first variable of each pair to the second.
    ///
    /// # Errors
    /// If there are too many nodes.
    pub fn new(manager: &Manager, pairs: &[(Level, Level)]) -> Result<Self, OutOfNodes> {
        let from = pairs.iter().map(|(from, _)| from.index() as u32).collect();
        let to: Result<Vec<_>, _> =
            pairs.iter().map(|&(_, to)| manager.var(to).map(|v| v.0)).collect();
        Ok(Self(Subst::new(from, to?)))
    }
}

impl Bdd {
    fn alloc(
        &self,
        operation: impl Fn(&BCDDFunction) -> AllocResult<BCDDFunction>,
    ) -> Result<Bdd, OutOfNodes> {
        with_room(&self.0.manager_ref(), || operation(&self.0)).map(Bdd)
    }

    /// Conjunction.
    ///
    /// # Errors
    /// If there are too many nodes; likewise for the operations below.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.and(&other.0))
    }

    /// Disjunction.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.or(&other.0))
    }

    /// Exclusive or.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.xor(&other.0))
    }

    /// Equivalence.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.equiv(&other.0))
    }

    /// True where this is and the other is not.
    pub fn without(&self, other: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.and(&!other)
    }

    /// Whether the other is true wherever this is.
    pub fn implies(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(self.without(other)?.is_false())
    }

    /// Whether both are true somewhere.
    pub fn meets(&self, other: &Bdd) -> Result<bool, OutOfNodes> {
        Ok(!self.and(other)?.is_false())
    }

    /// True where some values of the cube's variables make this true.
    pub fn exists(&self, cube: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.exists(&cube.0))
    }

    /// `self.and(other)?.exists(cube)` in one go.
    pub fn and_exists(&self, other: &Bdd, cube: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.apply_exists(BooleanOperator::And, &other.0, &cube.0))
    }

    /// With the literals of the cube made true.
    pub fn restrict(&self, cube: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.restrict(&cube.0))
    }

    /// With other variables.
    pub fn rename(&self, renaming: &Renaming) -> Result<Bdd, OutOfNodes> {
        self.alloc(|f| f.substitute(&renaming.0))
    }

    /// Whether it is true nowhere.
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether it is true everywhere.
    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// Number of nodes, terminals included.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }

    /// What its root tests; `None` for a constant.
    pub fn branch(&self) -> Option<Branch> {
        let (high, low) = self.0.cofactors()?;
        let level = self.0.with_manager_shared(|m, edge| match m.get_node(edge) {
            Node::Inner(node) => node.level(),
            Node::Terminal(_) => unreachable!("a constant has no cofactors"),
        });
        Some((Level::new(level as usize), Bdd(high), Bdd(low)))
    }

    /// A number of its root node, and whether it is the complement of the node's function. Stays
    /// the same as long as some function needs the node.
    pub fn node(&self) -> (usize, bool) {
        self.0.with_manager_shared(|_, edge| (edge.node_id(), edge.tag() != Default::default()))
    }

    /// Values of some variables, in the order of the levels, that make it true whatever the
    /// others are; `None` if it is false. Always the same ones for the same function.
    pub fn pick(&self) -> Option<Vec<Option<bool>>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        let value = |v| match v {
            OptBool::None => None,
            OptBool::False => Some(false),
            OptBool::True => Some(true),
        };
        Some(cube.into_iter().map(value).collect())
    }

    /// The variables that it depends on, in order.
    pub fn support(&self) -> Vec<Level> {
        let mut levels = BTreeSet::new();
        let mut seen = HashSet::default();
        let mut open = vec![self.clone()];
        while let Some(f) = open.pop() {
            if let Some((level, high, low)) = f.branch()
                && seen.insert(f.node().0)
            {
                levels.insert(level);
                open.extend([high, low]);
            }
        }
        levels.into_iter().collect()
    }
}

impl Not for &Bdd {
    type Output = Bdd;
    fn not(self) -> Bdd {
        Bdd(self.0.not().expect("a complement needs no node"))
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.size())
    }
}

//! What threads can race for: definitions, and the reference for single states.
//!
//! Two threads race in a state in which each is about to access the same byte of data, one of them
//! writes, and not both accesses are atomic. An access inside an atomic section is atomic, and that
//! a section shuts the other thread out makes no difference. Edges that leave a blocking location
//! synchronise: they do not race. What frees an object writes all of it.

use std::collections::BTreeMap;

use super::accesses::{Place, accesses, candidates};
use super::interp::{InternalError, Machine, State};
use super::types::{
    DerefId, Edge, EdgeId, Leaf, ObjId, Program, Role, Scope, Sync, ThreadId, VarId,
};

/// Data that several threads touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// A variable that belongs to no object.
    Var(VarId),
    /// An object.
    Object(ObjId),
}

impl Item {
    /// Its name in C.
    pub fn name(self, program: &Program) -> &str {
        match self {
            Item::Var(v) => &program.vars[v].name,
            Item::Object(o) => &program.objects[o].name,
        }
    }
}

/// Bytes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes {
    /// The item.
    pub item: Item,
    /// The first byte in the item.
    pub offset: u64,
    /// How many.
    pub len: u64,
}

impl Bytes {
    /// The bytes of a variable that is named directly; `None` if it is no data.
    pub fn of_var(program: &Program, v: VarId) -> Option<Self> {
        let var = &program.vars[v];
        let len = u64::from(var.width).div_ceil(8);
        let is_data = var.role == Role::Data && var.scope == Scope::Shared;
        is_data.then(|| match var.object {
            None => Self { item: Item::Var(v), offset: 0, len },
            Some(o) => {
                let leaves = &program.objects[o].leaves;
                let leaf = leaves.iter().find(|l| l.1 == v).expect("a leaf of its object");
                Self { item: Item::Object(o), offset: leaf.0, len }
            }
        })
    }

    /// All bytes of an object.
    pub fn of_object(program: &Program, o: ObjId) -> Self {
        Self { item: Item::Object(o), offset: 0, len: program.objects[o].size }
    }

    /// Whether a byte is in both.
    pub fn overlap(&self, other: &Self) -> bool {
        self.item == other.item
            && self.offset < other.offset + other.len
            && other.offset < self.offset + self.len
    }
}

/// Where an access that can race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataPlace {
    /// At a place of the edge.
    Some(Place),
    /// All over this object: it is freed.
    Whole(ObjId),
}

/// One access of an edge that can race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataAccess {
    /// What is accessed.
    pub place: DataPlace,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
}

/// The accesses of an edge that can race: those to shared data, reads and writes apart.
pub fn data_accesses(program: &Program, thread: ThreadId, edge: EdgeId) -> Vec<DataAccess> {
    let t = &program.threads[thread];
    let e = &t.edges[edge];
    let from = &t.locations[e.from];
    if from.blocking {
        return vec![];
    }
    let atomic = e.atomic_access || from.atomic;
    let mut result: Vec<DataAccess> = vec![];
    for access in accesses(program, e) {
        let is_data = match access.place {
            Place::Var(v) => Bytes::of_var(program, v).is_some(),
            Place::Deref(_) => true,
        };
        let (place, write) = (DataPlace::Some(access.place), access.is_write());
        let known = |a: &DataAccess| (a.place, a.write) == (place, write);
        if is_data && !result.iter().any(known) {
            result.push(DataAccess { place, write, atomic });
        }
    }
    if let Sync::Free(o) = e.sync {
        let place = DataPlace::Whole(o);
        result.push(DataAccess { place, write: true, atomic: from.atomic });
    }
    result
}

/// The items that two threads touch, one by a write, one not atomically; ascending.
pub fn contended(program: &Program) -> Vec<Item> {
    #[derive(Default)]
    struct Use {
        users: Vec<ThreadId>,
        written: bool,
        plain: bool,
    }
    let mut uses: BTreeMap<Item, Use> = BTreeMap::new();
    for (t, thread) in program.threads.iter_enumerated() {
        for (e, edge) in thread.edges.iter_enumerated() {
            for access in data_accesses(program, t, e) {
                for item in items(program, edge, access.place) {
                    let entry = uses.entry(item).or_default();
                    entry.written |= access.write;
                    entry.plain |= !access.atomic;
                    if entry.users.last() != Some(&t) {
                        entry.users.push(t);
                    }
                }
            }
        }
    }
    uses.retain(|_, u| u.users.len() > 1 && u.written && u.plain);
    uses.into_keys().collect()
}

/// The items that may be accessed at a place of an edge.
pub fn items(program: &Program, edge: &Edge, place: DataPlace) -> Vec<Item> {
    match place {
        DataPlace::Some(Place::Var(v)) => {
            Bytes::of_var(program, v).map(|b| b.item).into_iter().collect()
        }
        DataPlace::Some(Place::Deref(d)) => {
            candidates(program, edge, d).into_iter().map(Item::Object).collect()
        }
        DataPlace::Whole(o) => vec![Item::Object(o)],
    }
}

/// A thread that is about to access something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The thread.
    pub thread: ThreadId,
    /// The edge that it is about to take.
    pub edge: EdgeId,
    /// What it accesses.
    pub bytes: Bytes,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
}

impl Touch {
    /// Whether the two race.
    pub fn races_with(&self, other: &Self) -> bool {
        self.thread != other.thread
            && self.bytes.overlap(&other.bytes)
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }
}

/// What a thread is about to access in a state.
///
/// # Errors
/// If the program is wrong.
pub fn touches(
    machine: &Machine,
    state: &State,
    thread: ThreadId,
) -> Result<Vec<Touch>, InternalError> {
    let program = machine.program();
    let Some(edge) = machine.guarded(state, thread)? else { return Ok(vec![]) };
    let e = &program.threads[thread].edges[edge];
    let mut result = vec![];
    for access in data_accesses(program, thread, edge) {
        let bytes = match access.place {
            DataPlace::Some(Place::Var(v)) => Bytes::of_var(program, v),
            DataPlace::Some(Place::Deref(d)) => resolve(machine, state, e, d),
            DataPlace::Whole(o) => Some(Bytes::of_object(program, o)),
        };
        let DataAccess { write, atomic, .. } = access;
        result.extend(bytes.map(|bytes| Touch { thread, edge, bytes, write, atomic }));
    }
    Ok(result)
}

/// The bytes of a dereference, if it is valid.
fn resolve(machine: &Machine, state: &State, edge: &Edge, d: DerefId) -> Option<Bytes> {
    let program = machine.program();
    let deref = &edge.derefs[d];
    let mut leaf = |leaf| match leaf {
        Leaf::Var(v) => state.value(v),
        Leaf::Address(o) => u128::from(program.objects[o].address),
        Leaf::Input(_) | Leaf::Loaded(_) | Leaf::Valid(_) => {
            unreachable!("addresses read variables only")
        }
    };
    let address = program.pool.eval(deref.addr, &mut leaf);
    let objects = candidates(program, edge, d);
    let (object, offset) = machine.resolve(state, address, deref.bytes, &objects)?;
    Some(Bytes { item: Item::Object(object), offset, len: u64::from(deref.bytes) })
}

/// Two threads that race for the item in the state, if there are such; the lower one first.
///
/// # Errors
/// If the program is wrong.
pub fn race(
    machine: &Machine,
    state: &State,
    item: Item,
) -> Result<Option<(Touch, Touch)>, InternalError> {
    let mut before: Vec<Touch> = vec![];
    for t in machine.program().threads.ids() {
        let mut own = touches(machine, state, t)?;
        own.retain(|touch| touch.bytes.item == item);
        for b in &own {
            if let Some(a) = before.iter().find(|a| a.races_with(b)) {
                return Ok(Some((*a, *b)));
            }
        }
        before.extend(own);
    }
    Ok(None)
}

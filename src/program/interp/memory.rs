//! Byte-exact access to memory objects through their leaves.

use super::state::State;
use crate::base::Id;
use crate::expr::mask;
use crate::program::{Lifetime, ObjId, Program, VarId};

/// A scalar leaf of an object.
struct LeafCell {
    /// First byte in the object.
    start: u64,
    /// One past its last byte.
    end: u64,
    var: VarId,
}

struct Cell {
    address: u64,
    size: u64,
    alive: Option<VarId>,
    leaves: Box<[LeafCell]>,
}

/// The objects of a program, laid out for lookup.
pub(super) struct Memory {
    cells: Box<[Cell]>,
    /// All objects by address.
    by_address: Box<[(u64, ObjId)]>,
}

/// Where a valid dereference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) object: ObjId,
    /// First byte in the object.
    pub(super) offset: u64,
}

impl At {
    /// The place, or none, as a register value.
    pub(super) fn encode(at: Option<At>) -> u128 {
        at.map_or(0, |at| ((at.object.index() as u128 + 1) << 64) | u128::from(at.offset))
    }

    /// The inverse of [`At::encode`].
    pub(super) fn decode(register: u128) -> Option<At> {
        let object = (register >> 64) as usize;
        Some(At { object: ObjId::new(object.checked_sub(1)?), offset: register as u64 })
    }
}

impl Memory {
    pub(super) fn new(program: &Program) -> Self {
        let cells = program.objects.iter().map(|o| Cell {
            address: o.address,
            size: o.size,
            alive: match o.lifetime {
                Lifetime::Static => None,
                Lifetime::While(v) => Some(v),
            },
            leaves: o
                .leaves
                .iter()
                .map(|&(start, var)| LeafCell {
                    start,
                    end: start + u64::from(program.vars[var].width / 8),
                    var,
                })
                .collect(),
        });
        let mut by_address: Vec<_> =
            program.objects.iter_enumerated().map(|(id, o)| (o.address, id)).collect();
        by_address.sort_unstable();
        Self { cells: cells.collect(), by_address: by_address.into() }
    }

    pub(super) fn address(&self, o: ObjId) -> u64 {
        self.cells[o.index()].address
    }

    /// The place of `bytes` bytes at an address: inside one object that is alive and, where the
    /// candidates (ascending) are known, one of them.
    pub(super) fn resolve(
        &self,
        state: &State,
        address: u128,
        bytes: u32,
        candidates: Option<&[ObjId]>,
    ) -> Option<At> {
        let at = self.inside(address, bytes, candidates)?;
        let alive = self.cells[at.object.index()].alive;
        alive.is_none_or(|v| state.value(v) == 1).then_some(at)
    }

    /// As [`Memory::resolve`], alive or not.
    fn inside(&self, address: u128, bytes: u32, candidates: Option<&[ObjId]>) -> Option<At> {
        let after = self.by_address.partition_point(|&(a, _)| u128::from(a) <= address);
        let (base, object) = *self.by_address.get(after.checked_sub(1)?)?;
        let offset = address - u128::from(base);
        let size = self.cells[object.index()].size;
        let inside = offset + u128::from(bytes) <= u128::from(size);
        let candidate = candidates.is_none_or(|list| list.binary_search(&object).is_ok());
        (inside && candidate).then_some(At { object, offset: offset as u64 })
    }

    /// The variable that decides whether [`Memory::resolve`] gives a place, if one does.
    pub(super) fn lifetime(
        &self,
        address: u128,
        bytes: u32,
        candidates: Option<&[ObjId]>,
    ) -> Option<VarId> {
        let at = self.inside(address, bytes, candidates)?;
        self.cells[at.object.index()].alive
    }

    /// The leaves that overlap `bytes` bytes.
    pub(super) fn leaves(&self, at: At, bytes: u32) -> impl Iterator<Item = VarId> {
        self.overlaps(at, bytes).map(|o| o.0)
    }

    /// The leaves that overlap `bytes` bytes, each as (variable, low bit in the leaf, low bit in
    /// the access, bits).
    fn overlaps(&self, at: At, bytes: u32) -> impl Iterator<Item = (VarId, u32, u32, u32)> {
        let end = at.offset + u64::from(bytes);
        let leaves = &self.cells[at.object.index()].leaves;
        let first = leaves.partition_point(|l| l.end <= at.offset);
        leaves[first..].iter().take_while(move |l| l.start < end).map(move |l| {
            let (from, to) = (l.start.max(at.offset), l.end.min(end));
            let bit = |byte: u64| 8 * byte as u32;
            (l.var, bit(from - l.start), bit(from - at.offset), bit(to - from))
        })
    }

    /// The value of `bytes` bytes, little-endian.
    pub(super) fn load(&self, state: &State, at: At, bytes: u32) -> u128 {
        self.overlaps(at, bytes).fold(0, |sum, (var, in_leaf, in_access, bits)| {
            sum | (((state.value(var) >> in_leaf) & mask(bits)) << in_access)
        })
    }

    /// Calls `write` with each leaf that `value` is stored to and the leaf's new value.
    pub(super) fn store<E>(
        &self,
        state: &State,
        at: At,
        bytes: u32,
        value: u128,
        mut write: impl FnMut(VarId, u128) -> Result<(), E>,
    ) -> Result<(), E> {
        for (var, in_leaf, in_access, bits) in self.overlaps(at, bytes) {
            let kept = state.value(var) & !(mask(bits) << in_leaf);
            write(var, kept | (((value >> in_access) & mask(bits)) << in_leaf))?;
        }
        Ok(())
    }
}

//! Functions with variable arguments.
//!
//! A `va_list` is a number: which of the open calls its arguments are of, and which one is next.
//! Calls are inlined, so that what they were given is known where it is asked for.

use super::super::hir::Expr;
use super::super::types::TypeId;
use super::state::{Lower, R};
use crate::program::{ProgExpr, Undefined, VarId};

/// Width of a `va_list`.
const BITS: u32 = 32;
/// Lowest bit of the call's number, which counts from 1.
const CALL: u32 = 16;

/// An argument behind the named ones; none if it is no scalar.
pub type Extra = Option<(VarId, TypeId)>;

impl Lower<'_> {
    /// What `va_start` makes of a `va_list` in the current function.
    pub fn first_argument(&mut self) -> ProgExpr {
        self.constant((self.frames.len() as u128) << CALL, BITS)
    }

    /// `va_arg`: the next argument of the list, which has to be one of as many bits.
    pub fn next_argument(&mut self, e: &Expr, list: &Expr) -> R<ProgExpr> {
        let width = self.width(e.ty.id);
        let (at, result) = (self.temp(BITS), self.temp(width));
        let place = self.place(list)?;
        let value = self.load(&place, BITS, list.loc)?;
        self.assign(at, value);
        let (value, one) = (self.var(at), self.constant(1, BITS));
        let next = self.op2(crate::expr::Op2::Add, value, one);
        self.store(&place, next, list.loc)?;
        self.flush()?;
        let mut known = vec![];
        for (call, frame) in self.frames.iter().enumerate() {
            for (i, extra) in frame.extra.iter().enumerate() {
                if let Some((v, ty)) = *extra
                    && self.hir.types.width(ty) == width
                {
                    known.push(((call as u128 + 1) << CALL | i as u128, v));
                }
            }
        }
        let end = self.new_loc();
        for (number, v) in known {
            let (here, rest) = (self.new_loc(), self.new_loc());
            let value = self.var(at);
            let is = self.eq_const(value, number);
            self.branch(is, here, rest)?;
            self.set_cur(here);
            let value = self.var(v);
            self.assign(result, value);
            self.jump(end)?;
            self.set_cur(rest);
        }
        if self.cur.is_some() {
            self.fail_undefined(Undefined::InvalidDereference, e.loc)?;
        }
        self.set_cur(end);
        Ok(self.var(result))
    }
}

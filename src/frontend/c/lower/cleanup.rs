//! `pthread_cleanup_push` and `pthread_cleanup_pop`.
//!
//! They are macros that open and close a block. In the block of glibc there are the variables
//! `__cancel_routine` and `__cancel_arg`, so that the handlers that `pthread_exit` has to run are
//! those of the blocks that it is in. Nobody can be cancelled: `pthread_cancel` is an error.

use super::super::hir::{Expr, ExprKind, LocalId};
use super::super::types::Qt;
use super::state::{Lower, R};
use crate::program::ProgExpr;

/// The variables of the macro.
const ROUTINE: &str = "__cancel_routine";
const ARGUMENT: &str = "__cancel_arg";
/// Whether the block is entered again, by a cancellation: never.
const AGAIN: &str = "__not_first_call";

/// Whether a local that was made unique in its function was declared with this name.
fn is_named(local: &str, name: &str) -> bool {
    local.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

impl Lower<'_> {
    /// The innermost handler of the current function among its first variables in scope: the
    /// position of the routine, the routine and its argument.
    pub fn cleanup_handler(&mut self, before: usize) -> Option<(usize, LocalId, LocalId)> {
        let (f, scope) = (self.frame().func, self.frame().in_scope.clone());
        let scope = &scope[..before.min(scope.len())];
        let at = scope.iter().rposition(|&l| is_named(&self.local(f, l).name, ROUTINE))?;
        let argument = *scope.get(at + 1)?;
        is_named(&self.local(f, argument).name, ARGUMENT).then_some((at, scope[at], argument))
    }

    /// Whether a local is the macro's that tells of a cancellation.
    pub fn is_cleanup_flag(&mut self, l: LocalId) -> bool {
        let f = self.frame().func;
        let local = self.local(f, l);
        is_named(&local.name, AGAIN) && local.assigned == 0 && !local.address_taken
    }

    /// Runs the handlers of all open blocks, the innermost first, before the thread ends with this
    /// value, which it gives as it is afterwards. A handler that ends the thread runs those that
    /// are left.
    pub fn run_cleanup_handlers(&mut self, value: ProgExpr) -> R<ProgExpr> {
        let mut result = value;
        let mut kept = None;
        for i in (0..self.frames.len()).rev() {
            let inner = self.frames.split_off(i + 1);
            let scope = self.frame().in_scope.clone();
            let mut before = scope.len();
            while let Some((at, routine, argument)) = self.cleanup_handler(before) {
                if kept.is_none() {
                    let t = self.temp(self.pointer_bits());
                    self.assign(t, value);
                    result = self.var(t);
                    kept = Some(t);
                }
                self.frame().in_scope.truncate(at);
                self.run_handler(routine, argument)?;
                before = at;
            }
            self.frame().in_scope = scope;
            self.frames.extend(inner);
        }
        Ok(result)
    }

    fn run_handler(&mut self, routine: LocalId, argument: LocalId) -> R<()> {
        self.flush()?;
        if self.cur.is_none() {
            return Ok(());
        }
        let f = self.frame().func;
        let loc = self.local(f, routine).loc;
        let [routine, argument] = [routine, argument].map(|l| {
            let ty = self.local(f, l).ty;
            let lv = Box::new(Expr { kind: ExprKind::Local(l), ty, loc });
            Expr { kind: ExprKind::Load(lv), ty: Qt::plain(ty.id), loc }
        });
        let to = self.hir.types.pointee(routine.ty.id).unwrap_or(routine.ty);
        let ty = match *self.hir.types.get(to.id) {
            super::super::types::Type::Function { ret, .. } => ret,
            _ => to,
        };
        let args = vec![argument];
        let call = Expr { kind: ExprKind::Call(Box::new(routine), args), ty, loc };
        self.effect(&call)
    }
}

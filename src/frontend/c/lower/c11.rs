//! The locks and conditions of `<threads.h>`: those of pthreads with other return codes.

use super::super::hir::Expr;
use super::super::layout::{MUTEX_COUNT, MUTEX_KIND};
use super::mutex::{EBUSY, ETIMEDOUT};
use super::state::{Lower, R};
use super::sync::Field;
use crate::program::ProgExpr;

/// Return codes, as glibc numbers them; success is 0.
const THRD_BUSY: u128 = 1;
pub const THRD_ERROR: u128 = 2;
const THRD_TIMEDOUT: u128 = 4;

/// The bit of a mutex's type that makes it recursive (`mtx_recursive`), and the kind that it then
/// has.
const MTX_RECURSIVE: u128 = 1;

const OWNER: Field = (0, 32);

impl Lower<'_> {
    /// Lowers a call of a function of `<threads.h>` and gives what it returns, or one of pthreads;
    /// `None` if it is none.
    pub fn c11_function(&mut self, name: &str, args: &[Expr]) -> R<Option<ProgExpr>> {
        let same = match name {
            "mtx_lock" => "pthread_mutex_lock",
            "mtx_trylock" => "pthread_mutex_trylock",
            "mtx_timedlock" => "pthread_mutex_timedlock",
            "mtx_unlock" => "pthread_mutex_unlock",
            "mtx_destroy" => "pthread_mutex_destroy",
            "cnd_wait" => "pthread_cond_wait",
            "cnd_timedwait" => "pthread_cond_timedwait",
            "cnd_signal" => "pthread_cond_signal",
            "cnd_broadcast" => "pthread_cond_broadcast",
            "cnd_destroy" => "pthread_cond_destroy",
            "mtx_init" if args.len() == 2 => return self.mtx_init(&args[0], &args[1]).map(Some),
            "cnd_init" if args.len() == 1 => return self.cond_init(&args[0]).map(Some),
            _ => return self.mutex_function(name, args),
        };
        match self.mutex_function(same, args)? {
            Some(code) => Ok(Some(self.thrd_code(code))),
            None => Ok(None),
        }
    }

    /// What `<threads.h>` returns where pthreads returns this.
    fn thrd_code(&mut self, code: ProgExpr) -> ProgExpr {
        let mut result = self.constant(THRD_ERROR, 32);
        for (from, to) in [(0, 0), (EBUSY, THRD_BUSY), (ETIMEDOUT, THRD_TIMEDOUT)] {
            let is = self.eq_const(code, from);
            let to = self.constant(to, 32);
            result = self.ite(is, to, result);
        }
        result
    }

    fn mtx_init(&mut self, m: &Expr, kind: &Expr) -> R<ProgExpr> {
        let kind = self.rvalue(kind)?;
        let recursive = self.constant(MTX_RECURSIVE, 32);
        let kind = self.op2(crate::expr::Op2::And, kind, recursive);
        let zero = self.constant(0, 32);
        if !self.has_kinds() {
            return self.set_field(m, OWNER, zero);
        }
        self.set_fields(m, &[(OWNER, zero), (MUTEX_COUNT, zero), (MUTEX_KIND, kind)])
    }
}

//! gcc's `__atomic_*` and `__sync_*` functions, which also `<stdatomic.h>` is made of, and
//! accesses to `_Atomic` objects.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{Atomic, AtomicOp, BinOp, Expr, ExprKind, Loc};
use super::super::types::{Qt, Type};
use super::scope::{R, Sema};

/// `__ATOMIC_SEQ_CST`.
const SEQ_CST: u128 = 5;

type Args = [Node<ast::Expression>];

/// The operator of `fetch_add` and its like; `None` is nand.
fn operator(word: &str) -> Option<Option<BinOp>> {
    Some(match word {
        "add" => Some(BinOp::Add),
        "sub" => Some(BinOp::Sub),
        "and" => Some(BinOp::And),
        "or" => Some(BinOp::Or),
        "xor" => Some(BinOp::Xor),
        "nand" => None,
        _ => return None,
    })
}

/// The operator of `fetch_and_OP` (false) or `OP_and_fetch` (true) without the prefix.
fn update(name: &str, middle: &str) -> Option<(Option<BinOp>, bool)> {
    if let Some(word) = name.strip_prefix("fetch").and_then(|w| w.strip_prefix(middle)) {
        return Some((operator(word)?, false));
    }
    let word = name.strip_suffix("fetch")?.strip_suffix(middle)?;
    Some((operator(word)?, true))
}

impl Sema<'_> {
    /// A call of an atomic function; `None` if it is none.
    pub fn atomic_function(
        &mut self,
        name: &str,
        c: &Node<ast::CallExpression>,
    ) -> R<Option<Expr>> {
        let loc = self.loc(c.span);
        let args: Vec<Node<ast::Expression>> = c.node.arguments.clone();
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync_function(rest, &args, loc);
        }
        let clang = name.strip_prefix("__c11_atomic_");
        let Some(rest) = name.strip_prefix("__atomic_").or(clang) else { return Ok(None) };
        if let Some((op, new)) = update(rest, "_").or_else(|| {
            let word = rest.strip_prefix("fetch_")?;
            Some((operator(word)?, false))
        }) {
            let [p, v, order] = &args[..] else { return self.arity(name, loc) };
            self.memory_order(order)?;
            return self.update_call(op, new, p, v, loc).map(Some);
        }
        if clang.is_some() {
            return self.clang_access(rest, name, &args, loc);
        }
        self.atomic_access(rest, name, &args, loc)
    }

    /// clang's `__c11_atomic_*` that are not as gcc's: they take values where gcc's of the same
    /// name take pointers.
    fn clang_access(&mut self, rest: &str, name: &str, args: &Args, loc: Loc) -> R<Option<Expr>> {
        let e = match (rest, args) {
            ("init", [p, v]) => {
                let v = self.value(v)?;
                let target = self.pointed(p, loc)?;
                let ty = Qt::plain(target.ty.id);
                let (target, value) = (Expr { ty, ..target }, self.assignable(v, ty)?);
                Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, loc }
            }
            ("store" | "exchange", [..]) => {
                return self.atomic_access(&format!("{rest}_n"), name, args, loc);
            }
            ("compare_exchange_strong" | "compare_exchange_weak", [p, expected, v, yes, no]) => {
                self.memory_order(yes)?;
                self.memory_order(no)?;
                let v = self.value(v)?;
                self.compare_exchange(p, expected, v, rest.ends_with("weak"), loc)?
            }
            _ => return self.atomic_access(rest, name, args, loc),
        };
        Ok(Some(e))
    }

    fn arity<T>(&self, name: &str, loc: Loc) -> R<T> {
        Err(self.error_at(loc, format!("wrong number of arguments to `{name}`")))
    }

    fn atomic_access(&mut self, rest: &str, name: &str, args: &Args, loc: Loc) -> R<Option<Expr>> {
        let e = match (rest, args) {
            ("load_n" | "load", [p, order]) => {
                self.memory_order(order)?;
                self.atomic(AtomicOp::Load, p, vec![], loc)?
            }
            ("load", [p, to, order]) => {
                self.memory_order(order)?;
                let v = self.atomic(AtomicOp::Load, p, vec![], loc)?;
                self.store_through(to, v, loc)?
            }
            ("store_n", [p, v, order]) => {
                self.memory_order(order)?;
                let v = self.value(v)?;
                self.atomic(AtomicOp::Store, p, vec![v], loc)?
            }
            ("store", [p, from, order]) => {
                self.memory_order(order)?;
                let v = self.load_through(from, loc)?;
                self.atomic(AtomicOp::Store, p, vec![v], loc)?
            }
            ("exchange_n", [p, v, order]) => {
                self.memory_order(order)?;
                let v = self.value(v)?;
                self.atomic(AtomicOp::Exchange, p, vec![v], loc)?
            }
            ("exchange", [p, from, to, order]) => {
                self.memory_order(order)?;
                let v = self.load_through(from, loc)?;
                let old = self.atomic(AtomicOp::Exchange, p, vec![v], loc)?;
                self.store_through(to, old, loc)?
            }
            ("compare_exchange_n" | "compare_exchange", [p, expected, desired, weak, yes, no]) => {
                self.memory_order(yes)?;
                self.memory_order(no)?;
                let desired = match rest {
                    "compare_exchange_n" => self.value(desired)?,
                    _ => self.load_through(desired, loc)?,
                };
                let weak = self.value(weak)?.as_int() != Some(0);
                self.compare_exchange(p, expected, desired, weak, loc)?
            }
            ("test_and_set", [p, order]) => {
                self.memory_order(order)?;
                self.test_and_set(p, loc)?
            }
            ("clear", [p, order]) => {
                self.memory_order(order)?;
                let target = self.flag(p, loc)?;
                let zero = self.int_const(0, loc);
                self.atomic_on(AtomicOp::Store, target, vec![zero], loc)?
            }
            ("thread_fence" | "signal_fence", [order]) => {
                self.memory_order(order)?;
                self.nothing(loc)
            }
            ("is_lock_free" | "always_lock_free", _) => self.int_const(1, loc),
            (
                "load_n" | "load" | "store_n" | "store" | "exchange_n" | "exchange" | "clear"
                | "compare_exchange_n" | "compare_exchange" | "test_and_set" | "thread_fence",
                _,
            ) => return self.arity(name, loc),
            _ => return Ok(None),
        };
        Ok(Some(e))
    }

    fn sync_function(&mut self, rest: &str, args: &Args, loc: Loc) -> R<Option<Expr>> {
        if let (Some((op, new)), [p, v, ..]) = (update(rest, "_and_"), args) {
            return self.update_call(op, new, p, v, loc).map(Some);
        }
        let e = match (rest, args) {
            ("bool_compare_and_swap" | "val_compare_and_swap", [p, old, new, ..]) => {
                let (old, new) = (self.value(old)?, self.value(new)?);
                let op = AtomicOp::Swap { value: rest.starts_with("val") };
                self.atomic(op, p, vec![old, new], loc)?
            }
            ("lock_test_and_set", [p, v, ..]) => {
                let v = self.value(v)?;
                self.atomic(AtomicOp::Exchange, p, vec![v], loc)?
            }
            ("lock_release", [p, ..]) => {
                let zero = self.int_const(0, loc);
                self.atomic(AtomicOp::Store, p, vec![zero], loc)?
            }
            ("synchronize", _) => self.nothing(loc),
            ("bool_compare_and_swap" | "val_compare_and_swap", _)
            | ("lock_test_and_set" | "lock_release", _) => {
                return self.arity(&format!("__sync_{rest}"), loc);
            }
            _ if update(rest, "_and_").is_some() => {
                return self.arity(&format!("__sync_{rest}"), loc);
            }
            _ => return Ok(None),
        };
        Ok(Some(e))
    }

    /// Notes a memory order that is weaker than sequential consistency.
    fn memory_order(&mut self, order: &Node<ast::Expression>) -> R<()> {
        let order = self.value(order)?;
        if order.as_int() != Some(SEQ_CST) {
            self.weak_order.get_or_insert(order.loc);
        }
        Ok(())
    }

    fn nothing(&mut self, loc: Loc) -> Expr {
        let zero = self.int_const(0, loc);
        let void = self.types.intern(Type::Void);
        Expr { kind: ExprKind::Cast(Box::new(zero)), ty: Qt::plain(void), loc }
    }

    /// What a pointer argument points to.
    fn pointed(&mut self, p: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        let p = self.value(p)?;
        self.deref(p, loc)
    }

    fn load_through(&mut self, p: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        let lv = self.pointed(p, loc)?;
        self.rvalue(lv)
    }

    fn store_through(&mut self, p: &Node<ast::Expression>, v: Expr, loc: Loc) -> R<Expr> {
        let target = self.pointed(p, loc)?;
        let value = self.assignable(v, target.ty)?;
        let ty = Qt::plain(target.ty.id);
        Ok(Expr { kind: ExprKind::Assign(Box::new(target), Box::new(value)), ty, loc })
    }

    fn atomic(
        &mut self,
        op: AtomicOp,
        p: &Node<ast::Expression>,
        args: Vec<Expr>,
        loc: Loc,
    ) -> R<Expr> {
        let target = self.pointed(p, loc)?;
        self.atomic_on(op, target, args, loc)
    }

    /// An atomic operation on an lvalue; arguments are converted to its type.
    pub fn atomic_on(&mut self, op: AtomicOp, target: Expr, args: Vec<Expr>, loc: Loc) -> R<Expr> {
        let to = Qt::plain(target.ty.id);
        let whole = matches!(
            op,
            AtomicOp::Load
                | AtomicOp::Store
                | AtomicOp::Exchange
                | AtomicOp::CompareExchange { .. }
        );
        let record = matches!(self.types.get(to.id), Type::Record(_));
        if matches!(op, AtomicOp::CompareExchange { .. }) && self.types.has_padding(to.id) {
            let ty = self.types.show(to.id);
            let what = format!("a compare-exchange of `{ty}`, whose padding it compares, too,");
            return Err(self.unsupported_at(loc, &what));
        }
        if !(self.types.is_scalar(to.id) || record && whole) {
            let ty = self.types.show(to.id);
            return Err(self.unsupported_at(loc, &format!("an atomic access to a `{ty}`")));
        }
        let mut list = vec![];
        for a in args {
            list.push(self.assignable(a, to)?);
        }
        let ty = match op {
            AtomicOp::CompareExchange { .. } | AtomicOp::Swap { value: false } => {
                Qt::plain(self.types.intern(Type::Bool))
            }
            _ => to,
        };
        let atomic = Atomic { op, target, args: list };
        Ok(Expr { kind: ExprKind::Atomic(Box::new(atomic)), ty, loc })
    }

    fn update_call(
        &mut self,
        op: Option<BinOp>,
        new: bool,
        p: &Node<ast::Expression>,
        v: &Node<ast::Expression>,
        loc: Loc,
    ) -> R<Expr> {
        let v = self.value(v)?;
        self.atomic(AtomicOp::Update { op, new }, p, vec![v], loc)
    }

    fn compare_exchange(
        &mut self,
        p: &Node<ast::Expression>,
        expected: &Node<ast::Expression>,
        desired: Expr,
        weak: bool,
        loc: Loc,
    ) -> R<Expr> {
        let expected = self.pointed(expected, loc)?;
        let target = self.pointed(p, loc)?;
        let desired = self.assignable(desired, Qt::plain(target.ty.id))?;
        let op = AtomicOp::CompareExchange { weak };
        let mut e = self.atomic_on(op, target, vec![], loc)?;
        if let ExprKind::Atomic(a) = &mut e.kind {
            a.args = vec![expected, desired];
        }
        Ok(e)
    }

    /// The byte that a flag function works on: of a `_Bool`, a character, or the flag's member.
    fn flag(&mut self, p: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        let p = self.value(p)?;
        let void = self.types.intern(Type::Void);
        let bool = self.types.intern(Type::Bool);
        let to_void = self.types.pointee(p.ty.id).is_some_and(|t| t.id == void);
        let is_record = self
            .types
            .pointee(p.ty.id)
            .is_some_and(|t| matches!(self.types.get(t.id), Type::Record(_)));
        let p = if to_void || is_record {
            let ty = self.types.pointer(Qt::plain(bool));
            self.cast(p, ty)
        } else {
            p
        };
        self.deref(p, loc)
    }

    fn test_and_set(&mut self, p: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        let target = self.flag(p, loc)?;
        let one = self.int_const(1, loc);
        let old = self.atomic_on(AtomicOp::Exchange, target, vec![one], loc)?;
        let bool = self.types.intern(Type::Bool);
        Ok(self.cast(old, bool))
    }
}

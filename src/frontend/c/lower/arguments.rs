//! What `main` is given: at least the name of the program, as the system does it.
//!
//! Where the body looks at `argv`, there are as many arguments, of as many characters less one, as
//! the bound on arrays allows; more are a site of their own.

use super::super::hir::{Body, Expr, ExprKind, FuncId, LocalId, Stmt};
use super::super::layout::{LeafInfo, LeafKind};
use super::scope::Argument;
use super::state::{Lower, Name, R};
use crate::expr::Op2;
use crate::program::{Bound, ObjId, SiteKind};

impl Lower<'_> {
    /// The arguments of the entry, unknown ones where it is no `main(int, char **)`.
    pub fn main_arguments(&mut self, f: FuncId) -> R<Vec<Argument>> {
        let hir = self.hir;
        let body = hir.funcs[f].body.as_ref().expect("the entry has a body");
        let text = |p: LocalId| {
            let strings = hir.types.pointee(body.locals[p].ty.id)?.id;
            let char = hir.types.pointee(strings)?.id;
            (hir.types.is_integer(char) && hir.types.width(char) == 8).then_some(strings)
        };
        let (count, strings) = match body.params[..] {
            [count, argv, ..] if hir.types.is_integer(body.locals[count].ty.id) => {
                match text(argv).filter(|_| hir.funcs[f].name == "main") {
                    Some(strings) if names(body, argv) => (count, strings),
                    _ => return self.unknown_arguments(f, 0),
                }
            }
            _ => return self.unknown_arguments(f, 0),
        };
        let most = self.options.array_length.max(1);
        let bits = most.ilog2() + 1;
        // One less than their number.
        let more = self.choose("argc", bits, 32)?;
        let limit = self.constant(most.into(), 32);
        let known = self.op2(Op2::Ult, more, limit);
        let site = self.site_here(SiteKind::Bound(Bound::ArrayLength));
        self.check(known, Some(site))?;
        self.flush()?;
        let loc = body.locals[count].loc;
        let leaf = |kind, size: u64| {
            move |i: u64| LeafInfo { offset: i * size, kind, path: format!("[{i}]") }
        };
        let word = u64::from(self.pointer_bits() / 8);
        let name = |rest: String| Name { thread: None, rest };
        let leaves: Vec<_> = (0..=most).map(leaf(LeafKind::Scalar(strings), word)).collect();
        let list = self.raw_object(name("argv".into()), (most + 1) * word, word, &leaves, loc)?;
        let leaves: Vec<_> = (0..most).map(leaf(LeafKind::Bytes(1), 1)).collect();
        let mut texts = vec![];
        for i in 0..most {
            texts.push(self.raw_object(name(format!("argv[{i}]")), most, 1, &leaves, loc)?);
        }
        self.begin_access()?;
        // No other thread exists yet.
        self.block.atomic_access = true;
        for (i, &o) in texts.iter().enumerate() {
            self.unknown_text(i, o);
        }
        for (i, (_, v)) in self.prog.objects[list].leaves.clone().into_iter().enumerate() {
            let null = self.constant(0, self.pointer_bits());
            let value = match texts.get(i) {
                Some(&o) => {
                    let (here, i) = (self.prog.address(o), self.constant(i as u128, 32));
                    let beyond = self.op2(Op2::Ult, more, i);
                    self.ite(beyond, null, here)
                }
                None => null,
            };
            self.assign_shared(v, value);
        }
        self.flush()?;
        let one = self.constant(1, 32);
        let total = self.op2(Op2::Add, more, one);
        let width = hir.types.width(body.locals[count].ty.id);
        let mut args = vec![
            Argument::Scalar(self.resize(total, width, false)),
            Argument::Scalar(self.prog.address(list)),
        ];
        args.extend(self.unknown_arguments(f, 2)?);
        Ok(args)
    }

    /// Any characters, and a zero at the end.
    fn unknown_text(&mut self, i: usize, o: ObjId) {
        let leaves = self.prog.objects[o].leaves.clone();
        for (k, &(_, v)) in leaves.iter().enumerate() {
            let value = match k + 1 < leaves.len() {
                true => self.fresh_input(&format!("argv[{i}][{k}]"), 8),
                false => self.constant(0, 8),
            };
            self.assign_shared(v, value);
        }
    }
}

/// Whether a function names one of its variables.
fn names(body: &Body, local: LocalId) -> bool {
    body.stmts.iter().any(|s| in_statement(s, local))
}

fn in_statement(s: &Stmt, local: LocalId) -> bool {
    let mut found = false;
    s.visit(&mut |_| {}, &mut |e| found |= in_expression(e, local));
    found
}

fn in_expression(e: &Expr, local: LocalId) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= match &e.kind {
            ExprKind::Local(l) => *l == local,
            ExprKind::Block(stmts, _) => stmts.iter().any(|s| in_statement(s, local)),
            _ => false,
        }
    });
    found
}

//! Edges compiled to straight-line code.
//!
//! The instruction at position `k` of a tape writes register `k`. The first instructions compute
//! the guard, the others the addresses and values of the assignments; expressions that occur more
//! than once are computed once.

use super::memory::{At, Memory};
use super::state::State;
use crate::base::{HashMap, Id, IndexVec};
use crate::expr::{Node, Op1, Op2, mask, sign_extend};
use crate::program::{DerefId, Edge, InputId, Leaf, ObjId, ProgExpr, Program, Target, VarId};

/// A register of a tape.
pub(super) type Reg = u32;

#[derive(Clone, Copy)]
enum Instr {
    Const(u128),
    Var(VarId),
    Address(ObjId),
    Input(InputId),
    /// The encoded place of a dereference, 0 if it is invalid.
    Resolve(DerefId, Reg),
    /// Whether a place is valid.
    IsPlace(Reg),
    /// The value of that many bytes at a place, 0 if it is invalid.
    Load(Reg, u32),
    Op1(Op1, Reg, u32),
    /// The width is the operands'.
    Op2(Op2, Reg, Reg, u32),
    Ite(Reg, Reg, Reg),
    /// High, low, and the width of low.
    Concat(Reg, Reg, u32),
    /// Operand, low bit, width.
    Extract(Reg, u32, u32),
    /// Operand, its width, the result's width.
    SignExtend(Reg, u32, u32),
}

/// Where an assignment goes; its value is in a register.
pub(super) enum Write {
    Var(VarId, Reg),
    /// Place, number of bytes, value.
    Bytes(Reg, u32, Reg),
}

struct DerefCode {
    bytes: u32,
    /// Ascending.
    candidates: Option<Box<[ObjId]>>,
}

/// A compiled edge.
pub(super) struct Tape {
    code: Box<[Instr]>,
    /// Number of instructions that compute the guard.
    guard_len: usize,
    /// `None` if the guard is the constant 1.
    guard: Option<Reg>,
    derefs: Box<[DerefCode]>,
    /// The assignments.
    pub(super) writes: Box<[Write]>,
    /// The inputs that it reads, ascending.
    pub(super) inputs: Box<[InputId]>,
}

impl Tape {
    pub(super) fn new(program: &Program, edge: &Edge) -> Self {
        let mut compiler = Compiler::new(program, edge);
        let constant = program.pool.is_true(edge.guard);
        let guard = (!constant).then(|| compiler.expression(edge.guard));
        let guard_len = compiler.code.len();
        let mut writes = vec![];
        for assign in &edge.assigns {
            writes.push(match assign.target {
                Target::Var(v) => Write::Var(v, compiler.expression(assign.value)),
                Target::Deref(d) => {
                    let place = compiler.place(d);
                    Write::Bytes(place, edge.derefs[d].bytes, compiler.expression(assign.value))
                }
            });
        }
        let mut inputs: Vec<InputId> = compiler
            .code
            .iter()
            .filter_map(|i| if let Instr::Input(input) = i { Some(*input) } else { None })
            .collect();
        inputs.sort_unstable();
        let derefs = edge.derefs.iter().map(|d| DerefCode {
            bytes: d.bytes,
            candidates: d.objects.as_ref().map(|list| {
                let mut list = list.to_vec();
                list.sort_unstable();
                list.into()
            }),
        });
        Self {
            guard_len,
            guard,
            derefs: derefs.collect(),
            writes: writes.into(),
            inputs: inputs.into(),
            code: compiler.code.into(),
        }
    }

    /// Number of registers.
    pub(super) fn len(&self) -> usize {
        self.code.len()
    }

    /// Computes the guard in `regs` (at least [`Tape::len`] long).
    pub(super) fn guard(&self, state: &State, memory: &Memory, regs: &mut [u128]) -> bool {
        let Some(guard) = self.guard else { return true };
        self.run(0, self.guard_len, state, memory, regs, &mut |_| unreachable!("in no guard"));
        regs[guard as usize] == 1
    }

    /// Computes the rest, after [`Tape::guard`] in the same state and registers.
    pub(super) fn body(
        &self,
        state: &State,
        memory: &Memory,
        regs: &mut [u128],
        inputs: &mut dyn FnMut(InputId) -> u128,
    ) {
        self.run(self.guard_len, self.code.len(), state, memory, regs, inputs);
    }

    /// Calls `f` with each variable that the guard reads (or, if `body`, all the rest), after
    /// [`Tape::guard`] (and [`Tape::body`]) in the same state and registers.
    pub(super) fn reads(
        &self,
        body: bool,
        memory: &Memory,
        regs: &[u128],
        f: &mut dyn FnMut(VarId),
    ) {
        let code = if body { &self.code[self.guard_len..] } else { &self.code[..self.guard_len] };
        for instr in code {
            match *instr {
                Instr::Var(v) => f(v),
                Instr::Resolve(d, addr) => {
                    let deref = &self.derefs[d.index()];
                    let list = deref.candidates.as_deref();
                    memory
                        .lifetime(regs[addr as usize], deref.bytes, list)
                        .into_iter()
                        .for_each(&mut *f);
                }
                Instr::Load(place, bytes) => {
                    if let Some(at) = At::decode(regs[place as usize]) {
                        memory.leaves(at, bytes).for_each(&mut *f);
                    }
                }
                _ => {}
            }
        }
    }

    fn run(
        &self,
        from: usize,
        to: usize,
        state: &State,
        memory: &Memory,
        regs: &mut [u128],
        inputs: &mut dyn FnMut(InputId) -> u128,
    ) {
        for (k, instr) in self.code[from..to].iter().enumerate() {
            let r = |reg: Reg| regs[reg as usize];
            regs[from + k] = match *instr {
                Instr::Const(v) => v,
                Instr::Var(v) => state.value(v),
                Instr::Address(o) => u128::from(memory.address(o)),
                Instr::Input(i) => inputs(i),
                Instr::Resolve(d, addr) => {
                    let deref = &self.derefs[d.index()];
                    let list = deref.candidates.as_deref();
                    At::encode(memory.resolve(state, r(addr), deref.bytes, list))
                }
                Instr::IsPlace(place) => u128::from(At::decode(r(place)).is_some()),
                Instr::Load(place, bytes) => {
                    At::decode(r(place)).map_or(0, |at| memory.load(state, at, bytes))
                }
                Instr::Op1(op, a, w) => op.apply(r(a), w),
                Instr::Op2(op, a, b, w) => op.apply(r(a), r(b), w),
                Instr::Ite(c, a, b) => r(if r(c) == 1 { a } else { b }),
                Instr::Concat(high, low, w) => (r(high) << w) | r(low),
                Instr::Extract(a, lo, w) => (r(a) >> lo) & mask(w),
                Instr::SignExtend(a, from, to) => sign_extend(r(a), from) as u128 & mask(to),
            };
        }
    }
}

struct Compiler<'a> {
    program: &'a Program,
    edge: &'a Edge,
    code: Vec<Instr>,
    known: HashMap<ProgExpr, Reg>,
    places: IndexVec<DerefId, Option<Reg>>,
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program, edge: &'a Edge) -> Self {
        let places = IndexVec::filled(None, edge.derefs.len());
        Self { program, edge, code: vec![], known: HashMap::default(), places }
    }

    fn push(&mut self, instr: Instr) -> Reg {
        let reg = Reg::try_from(self.code.len()).expect("a tape is shorter than 2^32");
        self.code.push(instr);
        reg
    }

    /// The register of a dereference's place.
    fn place(&mut self, d: DerefId) -> Reg {
        if let Some(reg) = self.places[d] {
            return reg;
        }
        let addr = self.expression(self.edge.derefs[d].addr);
        let reg = self.push(Instr::Resolve(d, addr));
        self.places[d] = Some(reg);
        reg
    }

    /// The register of an expression's value. Recursion is only into addresses, which contain no
    /// dereference.
    fn expression(&mut self, e: ProgExpr) -> Reg {
        let pool = &self.program.pool;
        let mut stack = vec![(e, false)];
        while let Some((e, ready)) = stack.pop() {
            if self.known.contains_key(&e) {
                continue;
            }
            let operands: Vec<ProgExpr> = pool.operands(e).collect();
            if !ready && !operands.is_empty() {
                stack.push((e, true));
                stack.extend(operands.into_iter().map(|x| (x, false)));
                continue;
            }
            let reg = match pool.node(e) {
                Node::ZeroExtend(a) => self.known[&a],
                node => {
                    let instr = self.instruction(node, e);
                    self.push(instr)
                }
            };
            self.known.insert(e, reg);
        }
        self.known[&e]
    }

    fn instruction(&mut self, node: Node<Leaf>, e: ProgExpr) -> Instr {
        let pool = &self.program.pool;
        let reg = |x: ProgExpr| self.known[&x];
        match node {
            Node::Const(v) => Instr::Const(v),
            Node::Leaf(Leaf::Var(v)) => Instr::Var(v),
            Node::Leaf(Leaf::Address(o)) => Instr::Address(o),
            Node::Leaf(Leaf::Input(i)) => Instr::Input(i),
            Node::Leaf(Leaf::Valid(d)) => Instr::IsPlace(self.place(d)),
            Node::Leaf(Leaf::Loaded(d)) => {
                let bytes = self.edge.derefs[d].bytes;
                Instr::Load(self.place(d), bytes)
            }
            Node::Op1(op, a) => Instr::Op1(op, reg(a), pool.width(a)),
            Node::Op2(op, a, b) => Instr::Op2(op, reg(a), reg(b), pool.width(a)),
            Node::Ite(c, a, b) => Instr::Ite(reg(c), reg(a), reg(b)),
            Node::Concat(h, l) => Instr::Concat(reg(h), reg(l), pool.width(l)),
            Node::Extract(a, lo) => Instr::Extract(reg(a), lo, pool.width(e)),
            Node::SignExtend(a) => Instr::SignExtend(reg(a), pool.width(a), pool.width(e)),
            Node::ZeroExtend(_) => unreachable!("shares its operand's register"),
        }
    }
}

//! The walk over a transition system's expressions.

use std::ops::Range;

use super::map::BitMap;
use super::{arith, word};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Id, Stop};
use crate::expr::{Node, Op1, Op2};
use crate::ts::{TransitionSystem, TsExpr, TsLeaf, TsNamed};

/// How many expressions are translated between two looks at the budget.
const CHECK_EVERY: usize = 1 << 10;

/// A graph under construction that remembers the literals of every translated expression.
#[derive(Debug)]
pub struct Bitblaster<'a> {
    ts: &'a TransitionSystem,
    aig: Aig,
    map: BitMap,
    memo: Memo,
}

/// The literals of translated expressions.
#[derive(Debug)]
struct Memo {
    /// All of them, one word after the other.
    lits: Vec<Lit>,
    /// Where in `lits` an expression's word is, by the expression's index.
    words: Vec<Option<Range<usize>>>,
}

impl Memo {
    fn insert(&mut self, e: TsExpr, bits: Vec<Lit>) {
        let start = self.lits.len();
        self.lits.extend(bits);
        self.words[e.index()] = Some(start..self.lits.len());
    }

    fn contains(&self, e: TsExpr) -> bool {
        self.words[e.index()].is_some()
    }

    fn word(&self, e: TsExpr) -> &[Lit] {
        let range = self.words[e.index()].clone();
        &self.lits[range.expect("operands are translated first")]
    }
}

/// The graph of the whole system.
///
/// # Errors
/// If the budget is used up.
pub fn bitblast(ts: &TransitionSystem, budget: &Budget) -> Result<(Aig, BitMap), Stop> {
    let mut blaster = Bitblaster::new(ts);
    blaster.translate_system(budget)?;
    Ok(blaster.finish())
}

/// The symbol of bit `k` of a word.
fn bit_name(name: &str, width: u32, k: u32) -> String {
    if width == 1 { name.to_string() } else { format!("{name}[{k}]") }
}

impl<'a> Bitblaster<'a> {
    /// Starts with all inputs and latches; no next state and no property is translated.
    pub fn new(ts: &'a TransitionSystem) -> Self {
        let mut blaster = Self {
            ts,
            aig: Aig::new(),
            map: BitMap::new(ts),
            memo: Memo { lits: vec![], words: vec![None; ts.pool.len()] },
        };
        for input in &ts.inputs {
            let bits = (0..input.width)
                .map(|k| blaster.aig.input(Some(bit_name(&input.name, input.width, k))))
                .collect();
            blaster.memo.insert(input.expr, bits);
        }
        for state in &ts.states {
            let bits = (0..state.width)
                .map(|k| {
                    let reset = match state.init {
                        None => Reset::Free,
                        Some(v) if v >> k & 1 == 1 => Reset::One,
                        Some(_) => Reset::Zero,
                    };
                    blaster.aig.latch(reset, Some(bit_name(&state.name, state.width, k)))
                })
                .collect();
            blaster.memo.insert(state.expr, bits);
        }
        blaster
    }

    /// Translates next states, constraints, properties and outputs. An output wider than one
    /// bit becomes one output per bit.
    ///
    /// # Errors
    /// If the budget is used up.
    pub fn translate_system(&mut self, budget: &Budget) -> Result<(), Stop> {
        let ts = self.ts;
        for state in &ts.states {
            let current = self.lits(state.expr, budget)?;
            let next = self.lits(state.next, budget)?;
            for (&latch, &next) in current.iter().zip(&next) {
                self.aig.set_next(latch, next);
            }
        }
        self.aig.constraints = self.named(&ts.constraints, budget)?;
        self.aig.bads = self.named(&ts.bads, budget)?;
        self.aig.fairness = self.named(&ts.fairness, budget)?;
        for justice in &ts.justice {
            let value =
                justice.value.iter().map(|&e| self.lit(e, budget)).collect::<Result<_, _>>()?;
            self.aig.justice.push(Named { value, name: Some(justice.name.clone()) });
        }
        for output in &ts.outputs {
            let width = ts.pool.width(output.value);
            for (k, value) in (0..).zip(self.lits(output.value, budget)?) {
                let name = Some(bit_name(&output.name, width, k));
                self.aig.outputs.push(Named { value, name });
            }
        }
        Ok(())
    }

    fn named(
        &mut self,
        list: &[TsNamed<TsExpr>],
        budget: &Budget,
    ) -> Result<Vec<Named<Lit>>, Stop> {
        list.iter()
            .map(|x| Ok(Named { value: self.lit(x.value, budget)?, name: Some(x.name.clone()) }))
            .collect()
    }

    /// The graph so far and where the words are.
    pub fn finish(self) -> (Aig, BitMap) {
        (self.aig, self.map)
    }

    /// The graph so far.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }

    /// The literal of an expression of width 1.
    ///
    /// # Errors
    /// If the budget is used up.
    ///
    /// # Panics
    /// If the expression has another width.
    pub fn lit(&mut self, e: TsExpr, budget: &Budget) -> Result<Lit, Stop> {
        assert_eq!(self.ts.pool.width(e), 1, "a literal is one bit");
        self.translate(e, budget)?;
        Ok(self.memo.word(e)[0])
    }

    /// The literals of any expression of the system's pool, lowest bit first.
    ///
    /// # Errors
    /// If the budget is used up.
    pub fn lits(&mut self, e: TsExpr, budget: &Budget) -> Result<Vec<Lit>, Stop> {
        self.translate(e, budget)?;
        Ok(self.memo.word(e).to_vec())
    }

    fn translate(&mut self, e: TsExpr, budget: &Budget) -> Result<(), Stop> {
        let ts = self.ts;
        let mut stack = vec![(e, false)];
        let mut count = 0;
        while let Some((e, ready)) = stack.pop() {
            if self.memo.contains(e) {
                continue;
            }
            if !ready {
                stack.push((e, true));
                stack.extend(ts.pool.operands(e).map(|x| (x, false)));
                continue;
            }
            count += 1;
            if count % CHECK_EVERY == 0
                && let Some(stop) = budget.check()
            {
                return Err(stop);
            }
            let bits = self.node(e);
            self.memo.insert(e, bits);
        }
        Ok(())
    }

    /// The literals of an expression whose operands are translated.
    fn node(&mut self, e: TsExpr) -> Vec<Lit> {
        let width = self.ts.pool.width(e) as usize;
        let aig = &mut self.aig;
        let word = |e: TsExpr| self.memo.word(e);
        match self.ts.pool.node(e) {
            Node::Const(v) => word::constant(v, width as u32),
            Node::Leaf(TsLeaf::Input(_) | TsLeaf::State(_)) => {
                unreachable!("all leaves are translated at the start")
            }
            Node::Op1(Op1::Not, a) => word::not(word(a)),
            Node::Op1(Op1::Neg, a) => arith::neg(aig, word(a)),
            Node::Op2(op, a, b) => op2(aig, op, word(a), word(b)),
            Node::Ite(c, a, b) => word::mux(aig, word(c)[0], word(a), word(b)),
            Node::Concat(high, low) => [word(low), word(high)].concat(),
            Node::Extract(a, lo) => word(a)[lo as usize..][..width].to_vec(),
            Node::ZeroExtend(a) => extended(word(a), width, Lit::FALSE),
            Node::SignExtend(a) => extended(word(a), width, *word(a).last().expect("not empty")),
        }
    }
}

fn extended(a: &[Lit], width: usize, fill: Lit) -> Vec<Lit> {
    let mut bits = a.to_vec();
    bits.resize(width, fill);
    bits
}

fn op2(aig: &mut Aig, op: Op2, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let sign = a[a.len() - 1];
    match op {
        Op2::And => word::zip(aig, a, b, Aig::and),
        Op2::Or => word::zip(aig, a, b, Aig::or),
        Op2::Xor => word::zip(aig, a, b, Aig::xor),
        Op2::Add => arith::add(aig, a, b),
        Op2::Sub => arith::sub(aig, a, b).0,
        Op2::Mul => arith::mul(aig, a, b),
        Op2::UDiv => arith::udiv_rem(aig, a, b).0,
        Op2::URem => arith::udiv_rem(aig, a, b).1,
        Op2::SDiv => arith::sdiv(aig, a, b),
        Op2::SRem => arith::srem(aig, a, b),
        Op2::Shl => word::shift_up(aig, a, b, Lit::FALSE),
        Op2::LShr => word::shift_down(aig, a, b, Lit::FALSE),
        Op2::AShr => word::shift_down(aig, a, b, sign),
        Op2::Eq => vec![word::equal(aig, a, b)],
        Op2::Ult => vec![arith::less(aig, a, b, false)],
        Op2::Ule => vec![arith::less(aig, a, b, true)],
        Op2::Slt => vec![arith::signed_less(aig, a, b, false)],
        Op2::Sle => vec![arith::signed_less(aig, a, b, true)],
    }
}

//! From a parsed file to a graph: definitions, order of ands, uses.

use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::HashMap;

use super::parse::{Parser, Raw, RawLatch, Symbols, Use};
use super::{ReadError, ReadErrorKind};

type Result<T> = std::result::Result<T, ReadError>;

/// Reads an ASCII or binary file. Ands are folded and hashed; in an ASCII file they may stand in
/// any order. Comments that are not UTF-8 are read with replacement characters.
///
/// # Errors
/// The first thing that is wrong, with its line (ASCII) or offset (binary).
pub fn read(bytes: &[u8]) -> Result<Aig> {
    let mut parser = Parser::new(bytes)?;
    let mut raw = parser.file()?;
    let symbols = std::mem::take(&mut raw.symbols);
    let [inputs, latches, outputs, bads, constraints, justice, fairness] = symbols;
    let mut builder =
        Builder { parser: &parser, raw: &raw, aig: Aig::new(), lits: HashMap::default() };
    builder.lits.insert(0, Lit::FALSE);
    for (input, name) in raw.inputs.iter().zip(inputs) {
        let lit = builder.aig.input(name);
        builder.define(*input, lit)?;
    }
    for (latch, name) in raw.latches.iter().zip(latches) {
        let reset = builder.reset(latch)?;
        let lit = builder.aig.latch(reset, name);
        builder.define(latch.lit, lit)?;
    }
    builder.ands()?;
    for latch in &raw.latches {
        let (lit, next) = (builder.resolve(latch.lit)?, builder.resolve(latch.next)?);
        builder.aig.set_next(lit, next);
    }
    builder.aig.outputs = builder.named(&raw.outputs, outputs)?;
    builder.aig.bads = builder.named(&raw.bads, bads)?;
    builder.aig.constraints = builder.named(&raw.constraints, constraints)?;
    builder.aig.fairness = builder.named(&raw.fairness, fairness)?;
    for (set, name) in raw.justice.iter().zip(justice) {
        let value = set.iter().map(|&u| builder.resolve(u)).collect::<Result<_>>()?;
        builder.aig.justice.push(Named { value, name });
    }
    let mut aig = builder.aig;
    aig.comments = raw.comments;
    Ok(aig)
}

struct Builder<'a> {
    /// Knows where errors are.
    parser: &'a Parser<'a>,
    raw: &'a Raw,
    aig: Aig,
    /// For each variable of the file that is defined already, its literal.
    lits: HashMap<u32, Lit>,
}

impl Builder<'_> {
    fn error<T>(&self, at: Use, kind: ReadErrorKind) -> Result<T> {
        Err(self.parser.error(at.at, kind))
    }

    fn define(&mut self, defined: Use, lit: Lit) -> Result<()> {
        if defined.literal < 2 || defined.literal & 1 == 1 {
            return self.error(defined, ReadErrorKind::NotAVariable(defined.literal));
        }
        if self.lits.insert(defined.literal >> 1, lit).is_some() {
            return self.error(defined, ReadErrorKind::DefinedTwice(defined.literal));
        }
        Ok(())
    }

    fn lookup(&self, used: Use) -> Option<Lit> {
        Some(self.lits.get(&(used.literal >> 1))?.xor(used.literal & 1 == 1))
    }

    fn resolve(&self, used: Use) -> Result<Lit> {
        match self.lookup(used) {
            Some(lit) => Ok(lit),
            None => self.error(used, ReadErrorKind::Undefined(used.literal)),
        }
    }

    fn reset(&self, latch: &RawLatch) -> Result<Reset> {
        match latch.reset.literal {
            0 => Ok(Reset::Zero),
            1 => Ok(Reset::One),
            own if own == latch.lit.literal => Ok(Reset::Free),
            other => self.error(latch.reset, ReadErrorKind::Reset(other)),
        }
    }

    fn named(&self, uses: &[Use], symbols: Symbols) -> Result<Vec<Named<Lit>>> {
        uses.iter()
            .zip(symbols)
            .map(|(&u, name)| Ok(Named { value: self.resolve(u)?, name }))
            .collect()
    }

    /// Defines all ands, each after its operands, else in the file's order.
    fn ands(&mut self) -> Result<()> {
        let mut positions = HashMap::default();
        for (k, and) in self.raw.ands.iter().enumerate() {
            let Use { literal, .. } = and.lit;
            if literal < 2 || literal & 1 == 1 {
                return self.error(and.lit, ReadErrorKind::NotAVariable(literal));
            }
            let variable = literal >> 1;
            if self.lits.contains_key(&variable) || positions.insert(variable, k).is_some() {
                return self.error(and.lit, ReadErrorKind::DefinedTwice(literal));
            }
        }
        // The path of ands from the outermost one inwards that wait for an operand.
        let mut path = Vec::new();
        let mut on_path = vec![false; self.raw.ands.len()];
        for k in 0..self.raw.ands.len() {
            path.push(k);
            while let Some(&top) = path.last() {
                let and = &self.raw.ands[top];
                if self.lits.contains_key(&(and.lit.literal >> 1)) {
                    path.pop();
                    continue;
                }
                on_path[top] = true;
                let missing = and.operands.into_iter().find(|&u| self.lookup(u).is_none());
                let Some(missing) = missing else {
                    let [a, b] = and.operands;
                    let (a, b) = (self.resolve(a)?, self.resolve(b)?);
                    let lit = self.aig.and(a, b);
                    self.define(and.lit, lit)?;
                    path.pop();
                    continue;
                };
                match positions.get(&(missing.literal >> 1)) {
                    None => return self.error(missing, ReadErrorKind::Undefined(missing.literal)),
                    Some(&operand) if on_path[operand] => {
                        let literal = self.raw.ands[operand].lit.literal;
                        return self.error(missing, ReadErrorKind::Cycle(literal));
                    }
                    Some(&operand) => path.push(operand),
                }
            }
        }
        Ok(())
    }
}

//! From a graph to a file.

use std::fmt::Display;

use crate::aig::{Aig, Lit, Named, Node, Reset, Var};
use crate::base::IndexVec;

use super::WriteError;
use super::parse::printable;

/// The two forms of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `aag`.
    Ascii,
    /// `aig`.
    Binary,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// The form.
    pub encoding: Encoding,
    /// Writes the bads as plain outputs, for readers of AIGER 1.0. The graph's own plain outputs
    /// are left out, as they would be taken for bads.
    pub outputs_as_bad: bool,
}

impl WriteOptions {
    /// AIGER 1.9 in this form.
    pub fn new(encoding: Encoding) -> Self {
        WriteOptions { encoding, outputs_as_bad: false }
    }
}

/// The file of a graph. In both forms variables are numbered inputs first, then latches, then
/// ands, each in the graph's order.
///
/// # Errors
/// If a symbol is not printable ASCII, or `outputs_as_bad` would change the meaning: constraints,
/// justice, fairness, latches without reset.
pub fn write(aig: &Aig, options: WriteOptions) -> Result<Vec<u8>, WriteError> {
    if options.outputs_as_bad {
        check_old(aig)?;
    }
    let mut writer = Writer::new(aig, options);
    writer.header();
    writer.latches();
    writer.properties();
    writer.ands();
    writer.symbols()?;
    if !aig.comments.is_empty() {
        writer.line("c");
        aig.comments.iter().for_each(|c| writer.line(c));
    }
    Ok(writer.out)
}

/// What readers of AIGER 1.0 would not see or see wrongly.
fn check_old(aig: &Aig) -> Result<(), WriteError> {
    if !aig.constraints.is_empty() {
        return Err(WriteError::ConstraintsLost);
    }
    if !aig.justice.is_empty() || !aig.fairness.is_empty() {
        return Err(WriteError::JusticeLost);
    }
    match aig.latches().iter().position(|l| l.reset == Reset::Free) {
        None => Ok(()),
        Some(k) => {
            let name = aig.latches()[k].name.clone();
            Err(WriteError::FreeLatch(name.unwrap_or_else(|| k.to_string())))
        }
    }
}

struct Writer<'a> {
    aig: &'a Aig,
    options: WriteOptions,
    /// For each node, the file's literal.
    codes: IndexVec<Var, u32>,
    outputs: &'a [Named<Lit>],
    bads: &'a [Named<Lit>],
    out: Vec<u8>,
}

impl<'a> Writer<'a> {
    fn new(aig: &'a Aig, options: WriteOptions) -> Self {
        let mut codes = IndexVec::filled(0, aig.nodes().len());
        let mut next = 0;
        let ands = aig.nodes().iter_enumerated().filter(|(_, n)| matches!(n, Node::And(..)));
        let order = aig.inputs().iter().map(|i| i.var);
        let order = order.chain(aig.latches().iter().map(|l| l.var)).chain(ands.map(|(v, _)| v));
        for var in order {
            next += 2;
            codes[var] = next;
        }
        let (outputs, bads): (&[_], &[_]) =
            if options.outputs_as_bad { (&aig.bads, &[]) } else { (&aig.outputs, &aig.bads) };
        Writer { aig, options, codes, outputs, bads, out: Vec::new() }
    }

    fn line(&mut self, text: impl Display) {
        self.out.extend_from_slice(format!("{text}\n").as_bytes());
    }

    fn code(&self, lit: Lit) -> u32 {
        self.codes[lit.var()] | u32::from(lit.is_negated())
    }

    fn is_ascii(&self) -> bool {
        self.options.encoding == Encoding::Ascii
    }

    fn header(&mut self) {
        let aig = self.aig;
        let mut counts = vec![
            aig.nodes().len() - 1,
            aig.inputs().len(),
            aig.latches().len(),
            self.outputs.len(),
            aig.num_ands(),
            self.bads.len(),
            aig.constraints.len(),
            aig.justice.len(),
            aig.fairness.len(),
        ];
        while counts.len() > 5 && counts.last() == Some(&0) {
            counts.pop();
        }
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let magic = if self.is_ascii() { "aag" } else { "aig" };
        self.line(format_args!("{magic} {}", counts.join(" ")));
    }

    fn latches(&mut self) {
        let aig = self.aig;
        if self.is_ascii() {
            aig.inputs().iter().for_each(|i| self.line(self.codes[i.var]));
        }
        for latch in aig.latches() {
            let own = self.codes[latch.var];
            let mut text = self.code(latch.next).to_string();
            if self.is_ascii() {
                text = format!("{own} {text}");
            }
            match latch.reset {
                Reset::Zero => {}
                Reset::One => text += " 1",
                Reset::Free => text += &format!(" {own}"),
            }
            self.line(text);
        }
    }

    fn properties(&mut self) {
        let aig = self.aig;
        for p in self.outputs.iter().chain(self.bads).chain(&aig.constraints) {
            self.line(self.code(p.value));
        }
        aig.justice.iter().for_each(|set| self.line(set.value.len()));
        let justice = aig.justice.iter().flat_map(|set| &set.value);
        for &lit in justice.chain(aig.fairness.iter().map(|p| &p.value)) {
            self.line(self.code(lit));
        }
    }

    fn ands(&mut self) {
        for (var, &node) in self.aig.nodes().iter_enumerated() {
            let Node::And(a, b) = node else { continue };
            let (lhs, a, b) = (self.codes[var], self.code(a), self.code(b));
            let (a, b) = (a.max(b), a.min(b));
            if self.is_ascii() {
                self.line(format_args!("{lhs} {a} {b}"));
            } else {
                self.difference(lhs - a);
                self.difference(a - b);
            }
        }
    }

    fn difference(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    fn symbols(&mut self) -> Result<(), WriteError> {
        let aig = self.aig;
        self.symbols_of('i', aig.inputs().iter().map(|i| &i.name))?;
        self.symbols_of('l', aig.latches().iter().map(|l| &l.name))?;
        self.symbols_of('o', self.outputs.iter().map(|p| &p.name))?;
        self.symbols_of('b', self.bads.iter().map(|p| &p.name))?;
        self.symbols_of('c', aig.constraints.iter().map(|p| &p.name))?;
        self.symbols_of('j', aig.justice.iter().map(|p| &p.name))?;
        self.symbols_of('f', aig.fairness.iter().map(|p| &p.name))
    }

    fn symbols_of(
        &mut self,
        kind: char,
        names: impl Iterator<Item = &'a Option<String>>,
    ) -> Result<(), WriteError> {
        for (k, name) in names.enumerate() {
            let Some(name) = name else { continue };
            if !name.bytes().all(printable) {
                return Err(WriteError::Symbol(name.clone()));
            }
            self.line(format_args!("{kind}{k} {name}"));
        }
        Ok(())
    }
}

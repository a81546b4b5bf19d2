//! The text and bytes of a file as numbers, each with its place; nothing is resolved yet.

use super::{Place, ReadError, ReadErrorKind};

/// Inputs of a binary file take no bytes, so their number must be believed; but not beyond this,
/// unless the file is that large: an input that matters is used somewhere.
const MAX_IMPLIED_INPUTS: usize = 1 << 20;

/// A literal, at most `2 * maximum + 1`, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub literal: u32,
    /// Offset in the file.
    pub at: usize,
}

/// A latch as the file has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawLatch {
    pub lit: Use,
    pub next: Use,
    pub reset: Use,
}

/// An and as the file has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawAnd {
    pub lit: Use,
    pub operands: [Use; 2],
}

/// Symbols of one kind, by position.
pub(super) type Symbols = Vec<Option<String>>;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(super) struct Raw {
    pub inputs: Vec<Use>,
    pub latches: Vec<RawLatch>,
    pub outputs: Vec<Use>,
    pub bads: Vec<Use>,
    pub constraints: Vec<Use>,
    pub justice: Vec<Vec<Use>>,
    pub fairness: Vec<Use>,
    pub ands: Vec<RawAnd>,
    /// For the letters of [`KINDS`].
    pub symbols: [Symbols; 7],
    pub comments: Vec<String>,
}

/// Letters of the symbol table.
const KINDS: &[u8; 7] = b"ilobcjf";

/// Whether the byte may be part of a symbol.
pub(super) fn printable(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte == b' '
}

/// The header's counts.
#[derive(Clone, Copy, Debug, Default)]
struct Header {
    maximum: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    ands: u32,
    bads: u32,
    constraints: u32,
    justice: u32,
    fairness: u32,
}

/// Reads a file from front to back.
#[derive(Clone, Debug)]
pub(super) struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    binary: bool,
    header: Header,
}

type Result<T> = std::result::Result<T, ReadError>;

impl<'a> Parser<'a> {
    /// A parser of a file whose first word has already been looked at.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let binary = bytes.starts_with(b"aig ");
        let parser = Parser { bytes, at: 4, binary, header: Header::default() };
        if binary || bytes.starts_with(b"aag ") {
            Ok(parser)
        } else {
            Err(parser.error(0, ReadErrorKind::Magic))
        }
    }

    /// An error at this offset.
    pub fn error(&self, at: usize, kind: ReadErrorKind) -> ReadError {
        let place = if self.binary {
            Place::Byte(at)
        } else {
            let before = &self.bytes[..at.min(self.bytes.len())];
            Place::Line(1 + before.iter().filter(|&&b| b == b'\n').count())
        };
        ReadError { place, kind }
    }

    /// The whole file.
    pub fn file(&mut self) -> Result<Raw> {
        self.read_header()?;
        let mut raw = Raw::default();
        self.read_inputs(&mut raw)?;
        self.read_latches(&mut raw)?;
        raw.outputs = self.literal_lines(self.header.outputs)?;
        raw.bads = self.literal_lines(self.header.bads)?;
        raw.constraints = self.literal_lines(self.header.constraints)?;
        let mut sizes = Vec::new();
        for _ in 0..self.header.justice {
            sizes.push(self.number()?);
            self.end_of_line()?;
        }
        for size in sizes {
            raw.justice.push(self.literal_lines(size)?);
        }
        raw.fairness = self.literal_lines(self.header.fairness)?;
        self.read_ands(&mut raw)?;
        self.read_symbols(&mut raw)?;
        Ok(raw)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expected<T>(&self, what: &'static str) -> Result<T> {
        Err(self.error(self.at, ReadErrorKind::Expected(what, self.peek())))
    }

    fn byte(&mut self, byte: u8, what: &'static str) -> Result<()> {
        if self.peek() != Some(byte) {
            return self.expected(what);
        }
        self.at += 1;
        Ok(())
    }

    fn space(&mut self) -> Result<()> {
        self.byte(b' ', "a space")
    }

    fn end_of_line(&mut self) -> Result<()> {
        self.byte(b'\n', "the end of the line")
    }

    fn number(&mut self) -> Result<u32> {
        let start = self.at;
        let mut value: u32 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u32::from(digit - b'0')))
                .ok_or_else(|| self.error(start, ReadErrorKind::NumberTooLarge))?;
            self.at += 1;
        }
        if self.at == start { self.expected("a number") } else { Ok(value) }
    }

    fn literal(&mut self) -> Result<Use> {
        let at = self.at;
        let literal = self.number()?;
        // At most 2^31 - 1, so this does not overflow.
        let largest = 2 * self.header.maximum + 1;
        if literal > largest {
            return Err(self.error(at, ReadErrorKind::LiteralTooLarge { literal, largest }));
        }
        Ok(Use { literal, at })
    }

    fn literal_lines(&mut self, count: u32) -> Result<Vec<Use>> {
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(self.literal()?);
            self.end_of_line()?;
        }
        Ok(list)
    }

    fn read_header(&mut self) -> Result<()> {
        let start = self.at;
        let maximum = self.number()?;
        if maximum >= 1 << 31 {
            return Err(self.error(start, ReadErrorKind::TooManyVariables(maximum)));
        }
        let mut counts = [0; 8];
        for (k, count) in counts.iter_mut().enumerate() {
            if k >= 4 && self.peek() == Some(b'\n') {
                break;
            }
            self.space()?;
            *count = self.number()?;
        }
        self.end_of_line()?;
        let [inputs, latches, outputs, ands, bads, constraints, justice, fairness] = counts;
        let sum = u64::from(inputs) + u64::from(latches) + u64::from(ands);
        if u64::from(maximum) < sum || self.binary && u64::from(maximum) != sum {
            return Err(self.error(start, ReadErrorKind::Counts { maximum, sum }));
        }
        self.header = Header {
            maximum,
            inputs,
            latches,
            outputs,
            ands,
            bads,
            constraints,
            justice,
            fairness,
        };
        Ok(())
    }

    fn read_inputs(&mut self, raw: &mut Raw) -> Result<()> {
        let count = self.header.inputs;
        if !self.binary {
            raw.inputs = self.literal_lines(count)?;
        } else if count as usize > MAX_IMPLIED_INPUTS.max(self.bytes.len()) {
            return Err(self.error(4, ReadErrorKind::TooManyInputs(count)));
        } else {
            let at = self.at;
            raw.inputs = (1..=count).map(|k| Use { literal: 2 * k, at }).collect();
        }
        Ok(())
    }

    fn read_latches(&mut self, raw: &mut Raw) -> Result<()> {
        for k in 1..=self.header.latches {
            let lit = if self.binary {
                Use { literal: 2 * (self.header.inputs + k), at: self.at }
            } else {
                let lit = self.literal()?;
                self.space()?;
                lit
            };
            let next = self.literal()?;
            let mut reset = Use { literal: 0, at: self.at };
            if self.peek() == Some(b' ') {
                self.at += 1;
                reset = self.literal()?;
            }
            self.end_of_line()?;
            raw.latches.push(RawLatch { lit, next, reset });
        }
        Ok(())
    }

    fn read_ands(&mut self, raw: &mut Raw) -> Result<()> {
        let first = self.header.maximum - self.header.ands + 1;
        for k in 0..self.header.ands {
            let and =
                if self.binary { self.binary_and(2 * (first + k))? } else { self.ascii_and()? };
            raw.ands.push(and);
        }
        Ok(())
    }

    fn ascii_and(&mut self) -> Result<RawAnd> {
        let lit = self.literal()?;
        self.space()?;
        let a = self.literal()?;
        self.space()?;
        let b = self.literal()?;
        self.end_of_line()?;
        Ok(RawAnd { lit, operands: [a, b] })
    }

    fn binary_and(&mut self, literal: u32) -> Result<RawAnd> {
        let at = self.at;
        let (to_first, to_second) = (self.difference()?, self.difference()?);
        let first = literal.checked_sub(to_first).filter(|&first| first < literal);
        let second = first.and_then(|first| first.checked_sub(to_second));
        let (Some(first), Some(second)) = (first, second) else {
            return Err(self.error(at, ReadErrorKind::Difference));
        };
        let [lit, a, b] = [literal, first, second].map(|literal| Use { literal, at });
        Ok(RawAnd { lit, operands: [a, b] })
    }

    /// Seven bits a byte, the lowest first; all bytes but the last have the highest bit set.
    fn difference(&mut self) -> Result<u32> {
        let start = self.at;
        let mut value: u64 = 0;
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.peek() else { return self.expected("an and") };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value)
                    .map_err(|_| self.error(start, ReadErrorKind::NumberTooLarge));
            }
        }
        Err(self.error(start, ReadErrorKind::NumberTooLarge))
    }

    fn read_symbols(&mut self, raw: &mut Raw) -> Result<()> {
        let counts = [
            raw.inputs.len(),
            raw.latches.len(),
            raw.outputs.len(),
            raw.bads.len(),
            raw.constraints.len(),
            raw.justice.len(),
            raw.fairness.len(),
        ];
        raw.symbols = counts.map(|n| vec![None; n]);
        while let Some(letter) = self.peek() {
            if letter == b'c' && self.bytes.get(self.at + 1) == Some(&b'\n') {
                self.at += 2;
                raw.comments = self.comments();
                return Ok(());
            }
            let Some(kind) = KINDS.iter().position(|&k| k == letter) else {
                return self.expected("a symbol or a comment");
            };
            let at = self.at;
            self.at += 1;
            let position = self.number()?;
            self.space()?;
            let name = self.symbol()?;
            match raw.symbols[kind].get_mut(position as usize) {
                None => return Err(self.error(at, ReadErrorKind::SymbolPosition(position))),
                Some(Some(_)) => return Err(self.error(at, ReadErrorKind::SymbolTwice(position))),
                Some(slot) => *slot = Some(name),
            }
        }
        Ok(())
    }

    /// The rest of the line.
    fn symbol(&mut self) -> Result<String> {
        let start = self.at;
        let rest = &self.bytes[start..];
        let Some(len) = rest.iter().position(|&b| b == b'\n') else {
            self.at = self.bytes.len();
            return self.expected("the end of the line");
        };
        let name = &rest[..len];
        if let Some(k) = name.iter().position(|&b| !printable(b)) {
            return Err(self.error(start + k, ReadErrorKind::NotAscii(name[k])));
        }
        self.at += len + 1;
        Ok(name.iter().map(|&b| char::from(b)).collect())
    }

    /// The lines up to the end of the file; they mean nothing, so anything is accepted.
    fn comments(&mut self) -> Vec<String> {
        let rest = String::from_utf8_lossy(&self.bytes[self.at..]);
        self.at = self.bytes.len();
        rest.split_terminator('\n').map(str::to_string).collect()
    }
}

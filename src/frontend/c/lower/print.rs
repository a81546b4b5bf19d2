//! `sprintf` and `snprintf` with a literal format: exact text, without a loop but for `%s`.
//!
//! A number's digits are computed by comparing and subtracting, which is less of a circuit than
//! dividing; where its length is not known, each of its characters is stored behind a branch.

use super::super::hir::{Expr, ExprKind, Loc};
use super::state::{Lower, R, below_casts};
use crate::expr::Op2;
use crate::program::ProgExpr;

/// Widest field that is written without a loop.
const WIDEST: u64 = 64;

/// How a format wants one argument.
#[derive(Clone, Copy, Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    zero: bool,
    width: u64,
    precision: Option<u64>,
    /// Bits of the argument, and of what is shown of it.
    bits: (u32, u32),
    letter: u8,
}

/// A part of a format.
enum Piece {
    Text(Vec<u8>),
    Argument(Spec, String),
}

/// The parts of a format, or the conversion that is not modelled.
fn parse(format: &[u8], long: u32) -> Result<Vec<Piece>, String> {
    let (mut pieces, mut text) = (vec![], vec![]);
    let mut at = 0;
    while at < format.len() && format[at] != 0 {
        if format[at] != b'%' {
            text.push(format[at]);
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let mut spec = Spec { bits: (32, 32), ..Spec::default() };
        loop {
            match format.get(at) {
                Some(b'-') => spec.minus = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'0') => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let mut n = 0u64;
            while let Some(d) = format.get(*at).filter(|d| d.is_ascii_digit()) {
                n = (n * 10 + u64::from(d - b'0')).min(1 << 20);
                *at += 1;
            }
            n
        };
        spec.width = number(&mut at);
        if format.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = Some(number(&mut at));
        }
        for (word, bits) in [
            ("hh", (32, 8)),
            ("h", (32, 16)),
            ("ll", (64, 64)),
            ("l", (long, long)),
            ("j", (64, 64)),
            ("z", (long, long)),
            ("t", (long, long)),
        ] {
            if format[at..].starts_with(word.as_bytes()) {
                at += word.len();
                spec.bits = bits;
                break;
            }
        }
        let letter = format.get(at).copied().unwrap_or(0);
        at += 1;
        let shown = String::from_utf8_lossy(&format[start..at.min(format.len())]).into_owned();
        match letter {
            b'%' if at == start + 2 => text.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's'
                if spec.width.max(spec.precision.unwrap_or(0)) <= WIDEST
                    && (!matches!(letter, b'c' | b's') || spec.bits == (32, 32)) =>
            {
                spec.letter = letter;
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Argument(spec, shown));
            }
            _ => return Err(shown.trim_end_matches('\0').to_string()),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

/// Where text goes.
struct Sink {
    to: ProgExpr,
    /// The size of the array, if it is given.
    size: Option<ProgExpr>,
    /// How much has been written, or would have been.
    at: ProgExpr,
    loc: Loc,
}

/// The digits of a number, the lowest one first, each with the condition that it is shown.
struct Digits {
    list: Vec<(ProgExpr, ProgExpr)>,
    negative: Option<ProgExpr>,
}

impl Lower<'_> {
    /// `sprintf` (without `size`) or `snprintf`; `None` if the format is not known or has a
    /// conversion that is not modelled.
    ///
    /// # Errors
    /// The conversion that is not modelled, for `sprintf`; arguments that do not fit the format.
    pub fn print_into(
        &mut self,
        name: &str,
        e: &Expr,
        args: &[Expr],
        fixed: usize,
    ) -> R<Option<ProgExpr>> {
        let sized = fixed == 3;
        let format = match self.literal(&args[fixed - 1]) {
            Some(format) => parse(&format, self.pointer_bits()),
            None => Err("a format that is no literal".to_string()),
        };
        let pieces = match format {
            Ok(pieces) => pieces,
            Err(_) if sized => return Ok(None),
            Err(what) => return Err(self.unsupported(e.loc, &format!("`{what}` in `{name}`"))),
        };
        let needed = pieces.iter().filter(|p| matches!(p, Piece::Argument(..))).count();
        let given = &args[fixed..];
        if given.len() < needed {
            let message = format!(
                "the format of `{name}` needs {needed} arguments: there are {}",
                given.len()
            );
            return Err(self.error(e.loc, message));
        }
        let mut values = vec![];
        for a in given.iter().rev() {
            values.push(match self.literal(a) {
                Some(_) => None,
                None => Some(self.kept(a)?),
            });
        }
        values.reverse();
        let size = if sized { Some(self.kept(&args[1])?) } else { None };
        let to = self.kept(&args[0])?;
        let at = self.constant(0, self.pointer_bits());
        let mut sink = Sink { to, size, at, loc: e.loc };
        let mut next = 0;
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.put_text(&mut sink, &text)?,
                Piece::Argument(spec, shown) => {
                    let (a, v) = (&given[next], values[next]);
                    next += 1;
                    self.put_argument(&mut sink, spec, &shown, a, v)?;
                }
            }
        }
        self.put_end(&sink)?;
        Ok(Some(self.resize(sink.at, 32, false)))
    }

    /// The bytes of a string literal, up to its end.
    fn literal(&self, e: &Expr) -> Option<Vec<u8>> {
        match &below_casts(e).kind {
            ExprKind::AddrOf(s) => match s.kind {
                ExprKind::Str(id) => {
                    let bytes = &self.hir.strings[id];
                    let end = bytes.iter().position(|&b| b == 0)?;
                    Some(bytes[..end].to_vec())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an argument, in a temporary if it is no constant.
    fn kept(&mut self, a: &Expr) -> R<ProgExpr> {
        let v = self.rvalue(a)?;
        if self.is_constant(v) {
            return Ok(v);
        }
        Ok(self.in_temp(v))
    }

    fn in_temp(&mut self, v: ProgExpr) -> ProgExpr {
        let t = self.temp(self.prog.pool.width(v));
        self.assign(t, v);
        self.var(t)
    }

    fn put_argument(
        &mut self,
        sink: &mut Sink,
        spec: Spec,
        shown: &str,
        a: &Expr,
        v: Option<ProgExpr>,
    ) -> R<()> {
        let types = &self.hir.types;
        let fits = match spec.letter {
            b's' => types.is_pointer(a.ty.id),
            _ => types.is_integer(a.ty.id) && types.width(a.ty.id) == spec.bits.0,
        };
        if !fits {
            let ty = types.show(a.ty.id);
            return Err(self.error(a.loc, format!("`{shown}` of a `{ty}`")));
        }
        match (spec.letter, v) {
            (b's', None) => {
                let mut text = self.literal(a).expect("it has no value");
                text.truncate(spec.precision.unwrap_or(u64::MAX).min(1 << 20) as usize);
                let missing = (spec.width as usize).saturating_sub(text.len());
                let blanks = vec![b' '; missing];
                let text = if spec.minus { [text, blanks] } else { [blanks, text] };
                self.put_text(sink, &text.concat())
            }
            (b's', Some(_)) if spec.width > 0 || spec.precision.is_some() => {
                Err(self.unsupported(a.loc, &format!("`{shown}` of what is no literal")))
            }
            (b's', Some(v)) => self.put_string(sink, v),
            (b'c', Some(v)) => {
                let c = self.resize(v, 8, false);
                let blanks = vec![b' '; (spec.width as usize).saturating_sub(1)];
                if !spec.minus {
                    self.put_text(sink, &blanks)?;
                }
                self.put(sink, c)?;
                if spec.minus { self.put_text(sink, &blanks) } else { Ok(()) }
            }
            (_, Some(v)) => self.put_number(sink, spec, v),
            (_, None) => unreachable!("an integer is no string literal"),
        }
    }

    fn put_text(&mut self, sink: &mut Sink, text: &[u8]) -> R<()> {
        for &c in text {
            let c = self.constant(c.into(), 8);
            self.put(sink, c)?;
        }
        Ok(())
    }

    /// Writes one character.
    fn put(&mut self, sink: &mut Sink, c: ProgExpr) -> R<()> {
        let next = self.add_const(sink.at, 1);
        let room = match sink.size {
            Some(size) => self.op2(Op2::Ult, next, size),
            None => self.prog.pool.bool(true),
        };
        let (yes, end) = (self.new_loc(), self.new_loc());
        self.branch(room, yes, end)?;
        self.set_cur(yes);
        let address = self.add(sink.to, sink.at);
        let place = self.place_at(address, sink.loc);
        self.store(&place, c, sink.loc)?;
        self.jump(end)?;
        self.set_cur(end);
        sink.at = match self.prog.pool.as_const(next) {
            Some(_) => next,
            None => self.in_temp(next),
        };
        Ok(())
    }

    /// Writes one character if the condition holds.
    fn put_if(&mut self, sink: &mut Sink, shown: ProgExpr, c: ProgExpr) -> R<()> {
        if self.prog.pool.is_true(shown) {
            return self.put(sink, c);
        }
        if self.prog.pool.is_false(shown) {
            return Ok(());
        }
        let at = self.temp(self.pointer_bits());
        self.assign(at, sink.at);
        let (yes, end) = (self.new_loc(), self.new_loc());
        self.branch(shown, yes, end)?;
        self.set_cur(yes);
        self.put(sink, c)?;
        self.assign(at, sink.at);
        self.jump(end)?;
        self.set_cur(end);
        sink.at = self.var(at);
        Ok(())
    }

    /// The zero at the end.
    fn put_end(&mut self, sink: &Sink) -> R<()> {
        let zero = self.constant(0, 8);
        let mut at = sink.at;
        let end = self.new_loc();
        if let Some(size) = sink.size {
            let none = self.eq_const(size, 0);
            let some = self.new_loc();
            self.branch(none, end, some)?;
            self.set_cur(some);
            let one = self.constant(1, self.pointer_bits());
            let last = self.op2(Op2::Sub, size, one);
            let inside = self.op2(Op2::Ult, at, size);
            at = self.ite(inside, at, last);
        }
        let address = self.add(sink.to, at);
        let place = self.place_at(address, sink.loc);
        self.store(&place, zero, sink.loc)?;
        self.jump(end)?;
        self.set_cur(end);
        Ok(())
    }

    fn put_string(&mut self, sink: &mut Sink, s: ProgExpr) -> R<()> {
        let bits = self.pointer_bits();
        let (i, at) = (self.temp(bits), self.temp(bits));
        let zero = self.constant(0, bits);
        self.assign(i, zero);
        self.assign(at, sink.at);
        let (head, body, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.flush()?;
        self.jump(head)?;
        self.set_cur(head);
        let index = self.var(i);
        let address = self.add(s, index);
        let place = self.place_at(address, sink.loc);
        let c = self.load(&place, 8, sink.loc)?;
        let c = self.in_temp(c);
        let done = self.eq_const(c, 0);
        self.branch(done, end, body)?;
        self.set_cur(body);
        sink.at = self.var(at);
        self.put(sink, c)?;
        self.assign(at, sink.at);
        let (index, one) = (self.var(i), self.constant(1, bits));
        let next = self.op2(Op2::Add, index, one);
        self.assign(i, next);
        self.jump(head)?;
        self.set_cur(end);
        sink.at = self.var(at);
        Ok(())
    }

    fn put_number(&mut self, sink: &mut Sink, spec: Spec, v: ProgExpr) -> R<()> {
        let v = self.resize(v, spec.bits.1, false);
        let Digits { list, negative } = self.digits(spec, v);
        let sign = match (negative, spec.plus, spec.space) {
            (Some(negative), plus, space) => {
                let minus = self.constant(b'-'.into(), 8);
                let other = if plus { b'+' } else { b' ' };
                let other = self.constant(other.into(), 8);
                let c = self.ite(negative, minus, other);
                let yes = self.prog.pool.bool(true);
                Some((if plus || space { yes } else { negative }, c))
            }
            (None, ..) => None,
        };
        let mut length = self.constant(0, 8);
        for shown in list.iter().map(|d| d.1).chain(sign.map(|s| s.0)) {
            let one = self.number(shown, 8);
            length = self.op2(Op2::Add, length, one);
        }
        if spec.width > 0 && !self.is_constant(length) {
            length = self.in_temp(length);
        }
        let zeros = spec.zero && !spec.minus && spec.precision.is_none();
        if !zeros && !spec.minus {
            self.put_padding(sink, spec.width, length, b' ')?;
        }
        if let Some((shown, c)) = sign {
            self.put_if(sink, shown, c)?;
        }
        if zeros {
            self.put_padding(sink, spec.width, length, b'0')?;
        }
        for (digit, shown) in list.into_iter().rev() {
            self.put_if(sink, shown, digit)?;
        }
        if spec.minus {
            self.put_padding(sink, spec.width, length, b' ')?;
        }
        Ok(())
    }

    /// As many characters as `length` is below `width`.
    fn put_padding(&mut self, sink: &mut Sink, width: u64, length: ProgExpr, c: u8) -> R<()> {
        let c = self.constant(c.into(), 8);
        for k in 0..width {
            let limit = self.constant((width - k).into(), 8);
            let missing = self.op2(Op2::Ult, length, limit);
            self.put_if(sink, missing, c)?;
        }
        Ok(())
    }

    /// The digits of a value, held in temporaries where they are no constants.
    fn digits(&mut self, spec: Spec, v: ProgExpr) -> Digits {
        let width = self.prog.pool.width(v);
        let signed = matches!(spec.letter, b'd' | b'i');
        let base: u128 = match spec.letter {
            b'x' | b'X' => 16,
            b'o' => 8,
            _ => 10,
        };
        let zero = self.constant(0, width);
        let (mut rest, negative) = match signed {
            true => {
                let negative = self.op2(Op2::Slt, v, zero);
                let minus = self.op2(Op2::Sub, zero, v);
                let negative = if self.is_constant(v) { negative } else { self.in_temp(negative) };
                (self.ite(negative, minus, v), Some(negative))
            }
            false => (v, None),
        };
        if !self.is_constant(rest) {
            rest = self.in_temp(rest);
        }
        let magnitude = rest;
        let least = spec.precision.unwrap_or(1);
        let mut powers = vec![1u128];
        while powers[powers.len() - 1] * base <= crate::expr::mask(width) {
            powers.push(powers[powers.len() - 1] * base);
        }
        let mut list = vec![];
        for (i, &power) in powers.iter().enumerate().rev() {
            let mut digit = self.constant(0, 8);
            for k in [8, 4, 2, 1].into_iter().filter(|k| k * power <= crate::expr::mask(width)) {
                let step = self.constant(k * power, width);
                let below = self.op2(Op2::Ult, rest, step);
                let less = self.op2(Op2::Sub, rest, step);
                rest = self.ite(below, rest, less);
                let value = self.constant(k, 8);
                let more = self.op2(Op2::Add, digit, value);
                digit = self.ite(below, digit, more);
            }
            let c = self.digit_character(digit, spec.letter);
            let smallest = self.constant(power, width);
            let above = self.op2(Op2::Ult, magnitude, smallest);
            let shown = match (i as u64) < least {
                true => self.prog.pool.bool(true),
                false => self.not(above),
            };
            let (c, shown) = match self.is_constant(c) {
                true => (c, shown),
                false if self.is_constant(shown) => (self.in_temp(c), shown),
                false => (self.in_temp(c), self.in_temp(shown)),
            };
            list.push((c, shown));
        }
        for _ in powers.len() as u64..least {
            let zero = self.constant(b'0'.into(), 8);
            list.insert(0, (zero, self.prog.pool.bool(true)));
        }
        list.reverse();
        Digits { list, negative }
    }

    fn digit_character(&mut self, digit: ProgExpr, letter: u8) -> ProgExpr {
        let zero = self.constant(b'0'.into(), 8);
        let plain = self.op2(Op2::Add, digit, zero);
        if !matches!(letter, b'x' | b'X') {
            return plain;
        }
        let first = if letter == b'x' { b'a' - 10 } else { b'A' - 10 };
        let first = self.constant(first.into(), 8);
        let other = self.op2(Op2::Add, digit, first);
        let ten = self.constant(10, 8);
        let small = self.op2(Op2::Ult, digit, ten);
        self.ite(small, plain, other)
    }
}

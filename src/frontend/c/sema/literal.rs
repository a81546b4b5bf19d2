//! Constants and string literals.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::hir::{Expr, ExprKind, Loc};
use super::super::types::{IntKind, Qt, Type};
use super::scope::{R, Sema};
use crate::expr::{mask, sign_extend};

impl Sema<'_> {
    pub fn constant(&mut self, c: &Node<ast::Constant>) -> R<Expr> {
        match &c.node {
            ast::Constant::Float(_) => Err(self.unsupported(c.span, "a floating-point number")),
            ast::Constant::Character(text) => self.character(text, c.span),
            ast::Constant::Integer(i) => self.integer(i, c.span),
        }
    }

    fn integer(&mut self, i: &ast::Integer, span: LSpan) -> R<Expr> {
        use IntKind as K;
        let radix = match i.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        let digits = if i.number.is_empty() { "0" } else { &i.number };
        let value = u64::from_str_radix(digits, radix)
            .map_err(|_| self.error(span, "an integer constant that is too large"))?;
        if i.suffix.imaginary {
            return Err(self.unsupported(span, "a complex number"));
        }
        let kinds: &[K] = match i.suffix.size {
            ast::IntegerSize::Int => {
                &[K::Int, K::UInt, K::Long, K::ULong, K::LongLong, K::ULongLong]
            }
            ast::IntegerSize::Long => &[K::Long, K::ULong, K::LongLong, K::ULongLong],
            ast::IntegerSize::LongLong => &[K::LongLong, K::ULongLong],
        };
        let decimal = radix == 10;
        let fits = |s: &Self, k: K| {
            let bits = 8 * s.types.int_size(k) as u32 - u32::from(k.signed());
            (k.signed() || i.suffix.unsigned || !decimal)
                && !(i.suffix.unsigned && k.signed())
                && u128::from(value) <= mask(bits)
        };
        let kind = kinds.iter().copied().find(|&k| fits(self, k)).unwrap_or(K::ULongLong);
        let ty = Qt::plain(self.types.int(kind));
        Ok(Expr { kind: ExprKind::Int(value.into()), ty, loc: self.loc(span) })
    }

    fn character(&mut self, text: &str, span: LSpan) -> R<Expr> {
        let (kind, body) = self.split_prefix(text);
        let body = body.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
        let units = self.units(body.unwrap_or(text), kind, span)?;
        let value = match units[..] {
            [] => return Err(self.error(span, "an empty character constant")),
            [one] if kind == IntKind::Char => sign_extend(one.into(), 8) as u128,
            // gcc packs several characters, the first one highest; of wide ones it takes the last.
            _ if kind == IntKind::Char => units.iter().fold(0, |v, &b| (v << 8) | u128::from(b)),
            _ => units.last().copied().unwrap_or(0).into(),
        };
        let kind = if kind == IntKind::Char { IntKind::Int } else { kind };
        let ty = Qt::plain(self.types.int(kind));
        let value = value & mask(self.types.width(ty.id));
        Ok(Expr { kind: ExprKind::Int(value), ty, loc: self.loc(span) })
    }

    pub fn string_literal(&mut self, parts: &[String], span: LSpan) -> R<Expr> {
        let (kind, units) = self.string_units(parts, span)?;
        let size = self.types.int_size(kind) as usize;
        let bytes = units.iter().flat_map(|u| u.to_le_bytes().into_iter().take(size)).collect();
        Ok(self.string_expr(bytes, kind, self.loc(span)))
    }

    /// The type of the characters of a string literal, and their numbers with the final zero.
    pub fn string_units(&mut self, parts: &[String], span: LSpan) -> R<(IntKind, Vec<u32>)> {
        let wide = parts.iter().map(|p| self.split_prefix(p).0).find(|&k| k != IntKind::Char);
        let kind = wide.unwrap_or(IntKind::Char);
        let mut units = vec![];
        for p in parts {
            let body = self.split_prefix(p).1;
            let body = body.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(body);
            units.extend(self.units(body, kind, span)?);
        }
        units.push(0);
        Ok((kind, units))
    }

    /// A string literal of these bytes, the final zero included.
    pub fn string_expr(&mut self, bytes: Vec<u8>, kind: IntKind, loc: Loc) -> Expr {
        let n = bytes.len() as u64 / self.types.int_size(kind);
        let of = Qt::plain(self.types.int(kind));
        let ty = Qt::plain(self.types.intern(Type::Array(of, Some(n))));
        let id = self.strings.push(bytes);
        Expr { kind: ExprKind::Str(id), ty, loc }
    }

    /// The characters between quotes: bytes of UTF-8, or units of UTF-16 or UTF-32.
    fn units(&self, text: &str, kind: IntKind, span: LSpan) -> R<Vec<u32>> {
        let bad = || self.error(span, "an unknown escape sequence");
        let limit = match self.types.int_size(kind) {
            1 => 0xff,
            2 => 0xffff,
            _ => u32::MAX,
        };
        let mut out = vec![];
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                match limit {
                    0xff => out.extend(c.to_string().bytes().map(u32::from)),
                    0xffff => {
                        out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u)));
                    }
                    _ => out.push(c.into()),
                }
                continue;
            }
            let at = rest.as_str();
            let digits = |radix, at: &str| at.chars().take_while(|c| c.is_digit(radix)).count();
            let (n, value) = match at.chars().next().ok_or_else(bad)? {
                'x' => {
                    let n = 1 + digits(16, &at[1..]);
                    (n, u128::from_str_radix(&at[1..n], 16).map_err(|_| bad())? as u32)
                }
                '0'..='7' => {
                    let n = digits(8, at).min(3);
                    (n, u32::from_str_radix(&at[..n], 8).map_err(|_| bad())?)
                }
                c => {
                    let byte = u8::try_from(c).map_err(|_| bad())?;
                    (1, simple_escape(byte).ok_or_else(bad)?.into())
                }
            };
            out.push(value & limit);
            rest = at[n..].chars();
        }
        Ok(out)
    }

    /// The type of the characters of a literal, which its prefix tells, and what follows the
    /// prefix.
    fn split_prefix<'t>(&self, text: &'t str) -> (IntKind, &'t str) {
        // wchar_t of Linux.
        let wide = if self.types.word == 8 { IntKind::Int } else { IntKind::Long };
        for (prefix, kind) in
            [("u8", IntKind::Char), ("L", wide), ("u", IntKind::UShort), ("U", IntKind::UInt)]
        {
            if let Some(rest) = text.strip_prefix(prefix) {
                return (kind, rest);
            }
        }
        (IntKind::Char, text)
    }
}

fn simple_escape(c: u8) -> Option<u8> {
    Some(match c {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' => 27,
        b'\\' | b'\'' | b'"' | b'?' => c,
        _ => return None,
    })
}

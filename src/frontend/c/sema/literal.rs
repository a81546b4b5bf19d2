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
        if text.starts_with(['L', 'u', 'U']) {
            return Err(self.unsupported(span, "a wide character"));
        }
        let body = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
        let bytes = self.unescape(body.unwrap_or(text), span)?;
        let value = match bytes[..] {
            [] => return Err(self.error(span, "an empty character constant")),
            [one] => sign_extend(one.into(), 8) as u128,
            // gcc packs several characters, the first one highest.
            _ => bytes.iter().fold(0, |v, &b| (v << 8) | u128::from(b)),
        };
        let ty = Qt::plain(self.int_type());
        Ok(Expr { kind: ExprKind::Int(value & mask(32)), ty, loc: self.loc(span) })
    }

    pub fn string_literal(&mut self, parts: &[String], span: LSpan) -> R<Expr> {
        let bytes = self.string_bytes(parts, span)?;
        Ok(self.string_expr(bytes, self.loc(span)))
    }

    /// The bytes of a string literal with the final zero.
    pub fn string_bytes(&mut self, parts: &[String], span: LSpan) -> R<Vec<u8>> {
        let mut bytes = vec![];
        for p in parts {
            let Some(body) = p.strip_prefix("u8").unwrap_or(p).strip_prefix('"') else {
                return Err(self.unsupported(span, "a wide string"));
            };
            bytes.extend(self.unescape(body.strip_suffix('"').unwrap_or(body), span)?);
        }
        bytes.push(0);
        Ok(bytes)
    }

    pub fn string_expr(&mut self, bytes: Vec<u8>, loc: Loc) -> Expr {
        let char = Qt::plain(self.types.int(IntKind::Char));
        let ty = Qt::plain(self.types.intern(Type::Array(char, Some(bytes.len() as u64))));
        let id = self.strings.push(bytes);
        Expr { kind: ExprKind::Str(id), ty, loc }
    }

    fn unescape(&self, text: &str, span: LSpan) -> R<Vec<u8>> {
        let bad = || self.error(span, "an unknown escape sequence");
        let bytes = text.as_bytes();
        let mut out = vec![];
        let mut i = 0;
        while let Some(&b) = bytes.get(i) {
            i += 1;
            if b != b'\\' {
                out.push(b);
                continue;
            }
            let c = *bytes.get(i).ok_or_else(bad)?;
            i += 1;
            match c {
                b'x' => {
                    let n = bytes[i..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
                    let v = u128::from_str_radix(&text[i..i + n], 16).map_err(|_| bad())?;
                    out.push(v as u8);
                    i += n;
                }
                b'0'..=b'7' => {
                    let octal = |b: &&u8| matches!(b, b'0'..=b'7');
                    let n = bytes[i - 1..].iter().take(3).take_while(octal).count();
                    let v = u32::from_str_radix(&text[i - 1..i - 1 + n], 8).map_err(|_| bad())?;
                    out.push(v as u8);
                    i += n - 1;
                }
                _ => out.push(simple_escape(c).ok_or_else(bad)?),
            }
        }
        Ok(out)
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

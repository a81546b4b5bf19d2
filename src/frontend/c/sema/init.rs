//! Initialisers (C11 6.7.9), flattened to offsets and values.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::hir::{BitPlace, Expr, ExprKind, Init};
use super::super::layout::MUTEX_KIND;
use super::super::types::{Field, IntKind, Opaque, Qt, Type, TypeId};
use super::scope::{R, Sema};

type Items = [Node<ast::InitializerListItem>];

/// A braced list that is being read.
struct List<'i> {
    items: &'i Items,
    next: usize,
    /// The item whose designators have been followed.
    followed: Option<usize>,
}

impl Sema<'_> {
    /// The type, its length now known, and the initialisation of an object.
    pub fn initialiser(&mut self, ty: Qt, init: &Node<ast::Initializer>) -> R<(Qt, Init)> {
        match &init.node {
            ast::Initializer::List(items) => self.initialiser_list(ty, items, init.span),
            ast::Initializer::Expression(e) => {
                let mut out = Init::default();
                if self.is_opaque(ty.id) {
                    self.opaque(ty.id, 0, init.span, &mut out);
                    out.zero = true;
                    return Ok((ty, out));
                }
                if let Type::Array(of, n) = *self.types.get(ty.id) {
                    let Some(units) = self.string_for(of, e)? else {
                        return Err(self.error(e.span, "an array is initialised by no list"));
                    };
                    out.zero = true;
                    let n = n.unwrap_or(units.len() as u64);
                    self.string_entries(&units, of, 0, n, e.span, &mut out);
                    let ty = self.types.intern(Type::Array(of, Some(n)));
                    return Ok((Qt::plain(ty), out));
                }
                let v = self.value(e)?;
                let v = self.assignable(v, ty)?;
                out.entries.push((0, v));
                Ok((ty, out))
            }
        }
    }

    /// As [`Sema::initialiser`], for the items between braces.
    pub fn initialiser_list(&mut self, ty: Qt, items: &Items, span: LSpan) -> R<(Qt, Init)> {
        let mut out = Init { entries: vec![], zero: true };
        let length = self.braced(ty, 0, items, span, &mut out)?;
        let ty = match (self.types.get(ty.id).clone(), length) {
            (Type::Array(of, None), n) => {
                Qt { id: self.types.intern(Type::Array(of, Some(n))), quals: ty.quals }
            }
            _ => ty,
        };
        Ok((ty, out))
    }

    fn is_opaque(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Opaque(_))
    }

    /// Initialisers of library objects mean the default, unless they name a kind of mutex.
    fn opaque(&mut self, ty: TypeId, offset: u64, span: LSpan, out: &mut Init) {
        let text = &self.units[self.unit].text;
        let text = text.get(span.start..span.end).unwrap_or("");
        let mutex = *self.types.get(ty) == Type::Opaque(Opaque::Mutex);
        for (kind, number) in [("RECURSIVE", 1), ("ERRORCHECK", 2)] {
            if mutex && text.contains(kind) {
                self.mutex_kinds = true;
                let ty = Qt::plain(self.types.int(IntKind::UInt));
                let (kind, loc) = (ExprKind::Int(number), self.loc(span));
                out.entries.push((offset + MUTEX_KIND.0, Expr { kind, ty, loc }));
            }
        }
    }

    /// Reads a braced list for an object at `offset`; gives the number of elements reached.
    fn braced(
        &mut self,
        ty: Qt,
        offset: u64,
        items: &Items,
        span: LSpan,
        out: &mut Init,
    ) -> R<u64> {
        if self.is_opaque(ty.id) {
            self.opaque(ty.id, offset, span, out);
            return Ok(0);
        }
        let mut list = List { items, next: 0, followed: None };
        if let (Type::Array(of, n), [only]) = (self.types.get(ty.id).clone(), items)
            && only.node.designation.is_empty()
            && let ast::Initializer::Expression(e) = &only.node.initializer.node
            && let Some(units) = self.string_for(of, e)?
        {
            let n = n.unwrap_or(units.len() as u64);
            self.string_entries(&units, of, offset, n, e.span, out);
            return Ok(n);
        }
        let length = match self.types.get(ty.id) {
            Type::Array(..) | Type::Record(_) => {
                self.fill(ty, offset, &mut list, true, &[], out)?
            }
            _ => {
                if let Some(first) = items.first() {
                    list.next = 1;
                    match &first.node.initializer.node {
                        ast::Initializer::List(inner) => {
                            self.braced(ty, offset, inner, first.span, out)?;
                        }
                        ast::Initializer::Expression(e) => self.entry(ty, offset, e, out)?,
                    }
                }
                0
            }
        };
        match items.get(list.next) {
            Some(extra) => Err(self.error(extra.span, "too many initialisers")),
            None => Ok(length),
        }
    }

    fn entry(&mut self, ty: Qt, offset: u64, e: &Node<ast::Expression>, out: &mut Init) -> R<()> {
        let v = self.value(e)?;
        let v = self.assignable(v, ty)?;
        out.entries.push((offset, v));
        Ok(())
    }

    /// Reads items for the elements of an array or struct from `start` on. Without braces of its
    /// own it stops when it is full or a designator follows.
    fn fill(
        &mut self,
        ty: Qt,
        offset: u64,
        list: &mut List,
        braces: bool,
        start: &[Node<ast::Designator>],
        out: &mut Init,
    ) -> R<u64> {
        let (mut position, mut reached) = (0u64, 0u64);
        let mut path: Vec<Node<ast::Designator>> = start.to_vec();
        let is_union = match self.types.get(ty.id) {
            Type::Record(r) => self.types.records[*r].union,
            _ => false,
        };
        while let Some(item) = list.items.get(list.next) {
            let designated = !item.node.designation.is_empty();
            if path.is_empty() && designated && list.followed != Some(list.next) {
                if !braces {
                    break;
                }
                path = item.node.designation.clone();
                list.followed = Some(list.next);
            }
            let mut last = position;
            let mut rest = vec![];
            if let Some(first) = path.first() {
                let (from, to, again) = self.designated(ty, first)?;
                (position, last) = (from, to);
                rest = path[usize::from(!again)..].to_vec();
            }
            path.clear();
            // A union takes one initialiser, unless another one is designated.
            let full = is_union && reached > 0 && !designated;
            if full || self.element(ty, position).is_none() {
                break;
            }
            let here = list.next;
            for i in position..=last {
                let Some((at, element, bits)) = self.element(ty, i) else {
                    return Err(self.error(item.span, "a designator outside of the object"));
                };
                list.next = here;
                if let Some(place) = bits {
                    self.bit_field_entry(element, offset + at, place, list, out)?;
                    continue;
                }
                self.fill_element(element, offset + at, list, &rest, out)?;
            }
            position = last + 1;
            reached = reached.max(position);
        }
        Ok(reached)
    }

    /// The elements that a designator selects, and whether it must be looked up again inside
    /// (a member of an anonymous member).
    fn designated(&mut self, ty: Qt, d: &Node<ast::Designator>) -> R<(u64, u64, bool)> {
        let index = |s: &mut Self, e: &Node<ast::Expression>| -> R<u64> {
            let v = s.int_constant(e)?;
            u64::try_from(v)
                .ok()
                .filter(|&v| v < super::super::layout::MAX_LEAVES)
                .ok_or_else(|| s.error(e.span, "a designator outside of the object"))
        };
        match (&d.node, self.types.get(ty.id).clone()) {
            (ast::Designator::Index(e), Type::Array(..)) => {
                let i = index(self, e)?;
                Ok((i, i, false))
            }
            (ast::Designator::Range(r), Type::Array(..)) => {
                Ok((index(self, &r.node.from)?, index(self, &r.node.to)?, false))
            }
            (ast::Designator::Member(id), Type::Record(r)) => {
                let fields = self.members(r);
                let direct = fields.iter().position(|f| f.name == id.node.name);
                let nested = || {
                    fields.iter().position(|f| match self.types.get(f.ty.id) {
                        Type::Record(inner) if f.name.is_empty() => {
                            self.types.find_field(*inner, &id.node.name).is_some()
                        }
                        _ => false,
                    })
                };
                match direct.map(|i| (i, false)).or_else(|| nested().map(|i| (i, true))) {
                    Some((i, again)) => Ok((i as u64, i as u64, again)),
                    None => Err(self.error(id.span, format!("no member `{}`", id.node.name))),
                }
            }
            _ => Err(self.error(d.span, "a designator that does not fit the type")),
        }
    }

    /// The members that can be initialised.
    fn members(&self, r: super::super::types::RecordId) -> Vec<Field> {
        let fields = self.types.records[r].fields.clone().unwrap_or_default();
        fields.into_iter().filter(|f| f.bits.is_none() || !f.name.is_empty()).collect()
    }

    /// Offset and type of an element of an array or struct, and where it is if it is a bit-field.
    fn element(&self, ty: Qt, i: u64) -> Option<(u64, Qt, Option<BitPlace>)> {
        match self.types.get(ty.id) {
            Type::Array(of, n) => {
                let size = self.types.size(of.id)?;
                (n.is_none_or(|n| i < n)).then_some((i * size, *of, None))
            }
            Type::Record(r) => {
                let f = self.members(*r).into_iter().nth(i as usize)?;
                Some((f.offset, f.ty, f.bit_place()))
            }
            _ => None,
        }
    }

    /// Reads the item for a bit-field whose storage unit is at this offset.
    fn bit_field_entry(
        &mut self,
        ty: Qt,
        offset: u64,
        place: BitPlace,
        list: &mut List,
        out: &mut Init,
    ) -> R<()> {
        let items = list.items;
        let item = &items[list.next];
        list.next += 1;
        let ast::Initializer::Expression(e) = &item.node.initializer.node else {
            return Err(self.unsupported(item.span, "a bit-field initialised in braces"));
        };
        let v = self.value(e)?;
        let v = self.assignable(v, ty)?;
        let loc = v.loc;
        let kind = ExprKind::Bits(Box::new(v), place);
        out.entries.push((offset, Expr { kind, ty: Qt::plain(ty.id), loc }));
        Ok(())
    }

    fn fill_element(
        &mut self,
        ty: Qt,
        offset: u64,
        list: &mut List,
        rest: &[Node<ast::Designator>],
        out: &mut Init,
    ) -> R<()> {
        if !rest.is_empty() {
            self.fill(ty, offset, list, false, rest, out)?;
            return Ok(());
        }
        let items = list.items;
        let item = &items[list.next];
        let e = match &item.node.initializer.node {
            ast::Initializer::List(inner) => {
                list.next += 1;
                self.braced(ty, offset, inner, item.span, out)?;
                return Ok(());
            }
            ast::Initializer::Expression(e) => e,
        };
        match self.types.get(ty.id).clone() {
            Type::Array(_, None) => {
                return Err(self.unsupported(item.span, "an initialiser of a flexible array"));
            }
            Type::Array(of, n) => {
                if let Some(units) = self.string_for(of, e)? {
                    list.next += 1;
                    let n = n.unwrap_or(units.len() as u64);
                    self.string_entries(&units, of, offset, n, e.span, out);
                    return Ok(());
                }
            }
            Type::Record(_) => {
                let v = self.value_unevaluated(e)?;
                if matches!(self.types.get(v.ty.id), Type::Record(_)) {
                    list.next += 1;
                    return self.entry(ty, offset, e, out);
                }
            }
            Type::Opaque(_) => {
                list.next += 1;
                self.opaque(ty.id, offset, e.span, out);
                return Ok(());
            }
            _ => {
                list.next += 1;
                return self.entry(ty, offset, e, out);
            }
        }
        let before = list.next;
        self.fill(ty, offset, list, false, &[], out)?;
        if list.next == before {
            return Err(self.error(item.span, "an initialiser for an object without members"));
        }
        Ok(())
    }

    /// The characters of a string literal that initialises an array of such.
    fn string_for(&mut self, of: Qt, e: &Node<ast::Expression>) -> R<Option<Vec<u32>>> {
        use super::super::types::IntKind as K;
        let ast::Expression::StringLiteral(s) = &e.node else { return Ok(None) };
        let &Type::Int(element) = self.types.get(of.id) else { return Ok(None) };
        let (kind, units) = self.string_units(&s.node, s.span)?;
        let fits = match kind {
            K::Char => matches!(element, K::Char | K::SChar | K::UChar),
            _ => kind == element,
        };
        Ok(fits.then_some(units))
    }

    fn string_entries(
        &mut self,
        units: &[u32],
        of: Qt,
        offset: u64,
        n: u64,
        span: LSpan,
        out: &mut Init,
    ) {
        let loc = self.loc(span);
        let size = self.types.size(of.id).unwrap_or(1);
        for (i, &u) in units.iter().enumerate().take(n as usize) {
            let kind = ExprKind::Int(u.into());
            let entry = Expr { kind, ty: Qt::plain(of.id), loc };
            out.entries.push((offset + size * i as u64, entry));
        }
    }
}

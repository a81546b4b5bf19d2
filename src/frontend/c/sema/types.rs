//! Specifiers and declarators to types.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::types::{
    Field, IntKind, LARGEST_ALIGNMENT, Opaque, Qt, Quals, Record, RecordId, Type, TypeId,
};
use super::scope::{R, Sema, Sym, Tag};

/// What a list of specifiers says.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub ty: Qt,
    pub typedef: bool,
    pub external: bool,
    pub internal: bool,
    pub thread_local: bool,
    /// What is declared is aligned to this many bytes; 0 if nothing is said.
    pub align: u64,
    /// What is declared is packed.
    pub packed: bool,
    /// The type is that of the initialiser (`__auto_type`).
    pub auto: bool,
}

/// The type specifiers of one declaration, counted.
#[derive(Default)]
struct Words {
    void: bool,
    bool: bool,
    char: bool,
    short: u32,
    int: bool,
    long: u32,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    other: Option<Qt>,
    auto: bool,
}

/// What attributes change in the layout of a record.
#[derive(Clone, Copy, Default)]
struct Layout {
    packed: bool,
    align: u64,
}

/// The types of <stdint.h> and <stddef.h>.
fn exact_type(name: &str, word: u64) -> Option<IntKind> {
    use IntKind as K;
    let lp64 = word == 8;
    Some(match name {
        "int8_t" => K::SChar,
        "int16_t" => K::Short,
        "int32_t" => K::Int,
        "int64_t" | "intmax_t" if lp64 => K::Long,
        "int64_t" | "intmax_t" => K::LongLong,
        "uint8_t" => K::UChar,
        "uint16_t" => K::UShort,
        "uint32_t" => K::UInt,
        "uint64_t" | "uintmax_t" if lp64 => K::ULong,
        "uint64_t" | "uintmax_t" => K::ULongLong,
        "intptr_t" | "ptrdiff_t" if lp64 => K::Long,
        "intptr_t" | "ptrdiff_t" => K::Int,
        "uintptr_t" | "size_t" if lp64 => K::ULong,
        "uintptr_t" | "size_t" => K::UInt,
        _ => return None,
    })
}

enum Part<'a> {
    Type(&'a Node<ast::TypeSpecifier>),
    Qualifier(&'a ast::TypeQualifier),
    Extension(&'a [Node<ast::Extension>]),
    Storage(&'a ast::StorageClassSpecifier),
    Alignment(&'a ast::AlignmentSpecifier),
    Ignored,
}

impl Sema<'_> {
    pub fn decl_specifiers(
        &mut self,
        specs: &[Node<ast::DeclarationSpecifier>],
        span: LSpan,
    ) -> R<Spec> {
        use ast::DeclarationSpecifier as D;
        let parts = specs.iter().map(|s| match &s.node {
            D::StorageClass(c) => Part::Storage(&c.node),
            D::TypeSpecifier(t) => Part::Type(t),
            D::TypeQualifier(q) => Part::Qualifier(&q.node),
            D::Extension(e) => Part::Extension(e),
            D::Alignment(a) => Part::Alignment(&a.node),
            D::Function(_) => Part::Ignored,
        });
        self.specifiers(parts.collect(), span)
    }

    pub fn type_specifiers(
        &mut self,
        specs: &[Node<ast::SpecifierQualifier>],
        span: LSpan,
    ) -> R<Spec> {
        use ast::SpecifierQualifier as S;
        let parts = specs.iter().map(|s| match &s.node {
            S::TypeSpecifier(t) => Part::Type(t),
            S::TypeQualifier(q) => Part::Qualifier(&q.node),
            S::Extension(e) => Part::Extension(e),
        });
        self.specifiers(parts.collect(), span)
    }

    fn specifiers(&mut self, parts: Vec<Part>, span: LSpan) -> R<Spec> {
        // Attributes right behind the members are the record's, others those of what is declared.
        let mut record = Layout::default();
        let mut declared = Layout::default();
        let mut behind_members = false;
        for p in &parts {
            if let Part::Extension(list) = p {
                let layout = if behind_members { &mut record } else { &mut declared };
                self.layout_attributes(list, layout)?;
            } else {
                behind_members = matches!(p, Part::Type(t) if defines_record(&t.node));
            }
        }
        let mut words = Words::default();
        let mut quals = Quals::default();
        let (mut typedef, mut external, mut internal, mut tls) = (false, false, false, false);
        for p in parts {
            match p {
                Part::Type(t) => self.type_word(t, record, &mut words)?,
                Part::Alignment(a) => self.alignment(a, &mut declared)?,
                Part::Qualifier(q) => add_qualifier(&mut quals, q),
                Part::Storage(ast::StorageClassSpecifier::Typedef) => typedef = true,
                Part::Storage(ast::StorageClassSpecifier::Extern) => external = true,
                Part::Storage(ast::StorageClassSpecifier::Static) => internal = true,
                Part::Storage(ast::StorageClassSpecifier::ThreadLocal) => tls = true,
                Part::Storage(_) | Part::Extension(_) | Part::Ignored => {}
            }
        }
        let auto = words.auto;
        let ty = self.words_type(&words, span)?;
        let ty = Qt { id: ty.id, quals: ty.quals.with(quals) };
        let Layout { align, packed } = declared;
        Ok(Spec { ty, typedef, external, internal, thread_local: tls, align, packed, auto })
    }

    fn layout_attributes(&mut self, list: &[Node<ast::Extension>], out: &mut Layout) -> R<()> {
        for e in list {
            let ast::Extension::Attribute(a) = &e.node else { continue };
            match a.name.node.trim_matches('_') {
                "packed" => out.packed = true,
                "aligned" => {
                    let align = match a.arguments.first() {
                        Some(n) => self.alignment_constant(n)?,
                        None => 16,
                    };
                    out.align = out.align.max(align);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `_Alignas`
    fn alignment(&mut self, a: &ast::AlignmentSpecifier, out: &mut Layout) -> R<()> {
        let align = match a {
            ast::AlignmentSpecifier::Constant(n) => self.alignment_constant(n)?,
            ast::AlignmentSpecifier::Type(t) => {
                let ty = self.type_name(t)?;
                self.types.align_of(ty)
            }
        };
        out.align = out.align.max(align);
        Ok(())
    }

    fn alignment_constant(&mut self, n: &Node<ast::Expression>) -> R<u64> {
        match self.int_constant(n)? {
            v if v > LARGEST_ALIGNMENT.into() => {
                Err(self.error(n.span, "an alignment above 65536"))
            }
            v if v < 0 || v.count_ones() > 1 => {
                Err(self.error(n.span, "an alignment that is no power of two"))
            }
            v => Ok(v as u64),
        }
    }

    /// What attributes of a declarator, and the specifiers before it, say about its layout.
    fn declared_layout(&mut self, spec: &Spec, d: &Node<ast::Declarator>) -> R<Layout> {
        let mut layout = Layout { packed: spec.packed, align: spec.align };
        self.layout_attributes(&d.node.extensions, &mut layout)?;
        Ok(layout)
    }

    /// The type of what is declared, aligned as the declaration says: a typedef name exactly so,
    /// an object at least so.
    pub fn aligned(&mut self, ty: Qt, spec: &Spec, d: &Node<ast::Declarator>) -> R<Qt> {
        let align = self.declared_layout(spec, d)?.align;
        let size = self.types.size(ty.id).is_some();
        if align == 0 || !size && !matches!(self.types.get(ty.id), Type::Array(..)) {
            return Ok(ty);
        }
        let align = if spec.typedef { align } else { align.max(self.types.align_of(ty)) };
        Ok(Qt { quals: Quals { align: align as u32, ..ty.quals }, ..ty })
    }

    fn type_word(
        &mut self,
        t: &Node<ast::TypeSpecifier>,
        layout: Layout,
        words: &mut Words,
    ) -> R<()> {
        use ast::TypeSpecifier as T;
        match &t.node {
            T::Void => words.void = true,
            T::Char => words.char = true,
            T::Short => words.short += 1,
            T::Int => words.int = true,
            T::Long => words.long += 1,
            T::Float => words.float = true,
            T::Double | T::TS18661Float(_) => words.double = true,
            T::Signed => words.signed = true,
            T::Unsigned => words.unsigned = true,
            T::Bool => words.bool = true,
            T::Complex => words.complex = true,
            T::Atomic(name) => {
                let mut ty = self.type_name(name)?;
                ty.quals.atomic = true;
                words.other = Some(ty);
            }
            T::Struct(s) => words.other = Some(Qt::plain(self.record_type(s, layout)?)),
            T::Enum(e) => words.other = Some(Qt::plain(self.enum_type(e)?)),
            T::TypedefName(id) => match self.typedef_name(id)? {
                Some(ty) => words.other = Some(ty),
                None => words.auto = true,
            },
            T::TypeOf(of) => {
                let ty = match &of.node {
                    ast::TypeOf::Type(name) => self.type_name(name)?,
                    ast::TypeOf::Expression(e) => self.expr_unevaluated(e)?.ty,
                };
                words.other = Some(ty);
            }
        }
        Ok(())
    }

    /// The meaning of a typedef name; `None` for `__auto_type`.
    fn typedef_name(&mut self, id: &Node<ast::Identifier>) -> R<Option<Qt>> {
        let name = id.node.name.as_str();
        match name {
            "__auto_type" => return Ok(None),
            "__builtin_va_list" => {
                // As on the target, an array: parameters are pointers to it.
                let number = Qt::plain(self.types.int(IntKind::UInt));
                let ty = self.types.intern(Type::Array(number, Some(1)));
                return Ok(Some(Qt::plain(ty)));
            }
            "__int128_t" | "__uint128_t" | "__int128" => {
                let ty = Type::Unsupported("a 128-bit integer");
                return Ok(Some(Qt::plain(self.types.intern(ty))));
            }
            _ => {}
        }
        match self.lookup(name) {
            Some(Sym::Typedef(ty)) => Ok(Some(*ty)),
            None if let Some(kind) = exact_type(name, self.types.word) => {
                Ok(Some(Qt::plain(self.types.int(kind))))
            }
            _ => Err(self.error(id.span, format!("unknown type name `{name}`"))),
        }
    }

    fn words_type(&mut self, w: &Words, span: LSpan) -> R<Qt> {
        use IntKind as K;
        if let Some(ty) = w.other {
            return Ok(ty);
        }
        let kind = match (w.char, w.short, w.long, w.unsigned) {
            _ if w.complex => {
                let ty = Type::Unsupported("a complex number");
                return Ok(Qt::plain(self.types.intern(ty)));
            }
            _ if w.void => return Ok(Qt::plain(self.types.intern(Type::Void))),
            _ if w.bool => return Ok(Qt::plain(self.types.intern(Type::Bool))),
            _ if w.float => return Ok(Qt::plain(self.types.intern(Type::Float(4)))),
            (_, _, 0, _) if w.double => return Ok(Qt::plain(self.types.intern(Type::Float(8)))),
            _ if w.double => return Ok(Qt::plain(self.types.intern(Type::Float(16)))),
            (true, _, _, true) => K::UChar,
            (true, _, _, false) if w.signed => K::SChar,
            (true, _, _, false) => K::Char,
            (_, 1.., _, true) => K::UShort,
            (_, 1.., _, false) => K::Short,
            (_, _, 1, true) => K::ULong,
            (_, _, 1, false) => K::Long,
            (_, _, 2.., true) => K::ULongLong,
            (_, _, 2.., false) => K::LongLong,
            (_, _, _, true) => K::UInt,
            (_, _, _, false) if w.int || w.signed || w.auto => K::Int,
            _ => return Err(self.error(span, "a declaration without a type")),
        };
        Ok(Qt::plain(self.types.int(kind)))
    }

    fn record_type(&mut self, s: &Node<ast::StructType>, layout: Layout) -> R<TypeId> {
        let union = s.node.kind.node == ast::StructKind::Union;
        let tag = s.node.identifier.as_ref().map(|i| i.node.name.clone());
        let known = match (&tag, &s.node.declarations) {
            (Some(t), None) => self.lookup_tag(t),
            (Some(t), Some(_)) => self.scope().tags.get(t).copied(),
            (None, _) => None,
        };
        let id = match known {
            Some(Tag::Record(id)) if self.types.records[id].union == union => id,
            Some(_) => {
                let name = tag.unwrap_or_default();
                return Err(self.error(s.span, format!("`{name}` is another kind of tag")));
            }
            None => self.new_record(tag, union),
        };
        if let Some(list) = &s.node.declarations {
            if self.types.records[id].fields.is_some() {
                let name = self.types.records[id].name.clone();
                return Err(self.error(s.span, format!("`{name}` is defined twice")));
            }
            self.types.records[id].packed = layout.packed;
            self.types.records[id].align = layout.align.max(1);
            let mut fields = vec![];
            for d in list {
                match &d.node {
                    ast::StructDeclaration::Field(f) => self.struct_field(f, &mut fields)?,
                    ast::StructDeclaration::StaticAssert(a) => self.static_assert(a)?,
                }
            }
            self.types.complete_record(id, fields);
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    fn new_record(&mut self, tag: Option<String>, union: bool) -> RecordId {
        let name = tag.clone().unwrap_or_else(|| {
            self.anonymous += 1;
            format!("<anonymous {}>", self.anonymous)
        });
        let record = Record { name, union, fields: None, size: 0, align: 1, packed: false };
        let id = self.types.records.push(record);
        if let Some(t) = tag {
            self.scope().tags.insert(t, Tag::Record(id));
        }
        id
    }

    fn struct_field(&mut self, f: &Node<ast::StructField>, out: &mut Vec<Field>) -> R<()> {
        let spec = self.type_specifiers(&f.node.specifiers, f.span)?;
        let base = spec.ty;
        let (align, packed) = (spec.align, spec.packed);
        if f.node.declarators.is_empty() {
            out.push(Field { align, packed, ..Field::new(String::new(), base, None) });
        }
        for d in &f.node.declarators {
            let (name, ty) = match &d.node.declarator {
                Some(x) => {
                    let (name, ty) = self.declarator(base, x)?;
                    (name.map(|n| n.node.name.clone()).unwrap_or_default(), ty)
                }
                None => (String::new(), base),
            };
            let bits = match &d.node.bit_width {
                Some(e) => Some(self.int_constant(e)?.clamp(0, 64) as u64),
                None => None,
            };
            let Layout { align, packed } = match &d.node.declarator {
                Some(x) => self.declared_layout(&spec, x)?,
                None => Layout { align, packed },
            };
            out.push(Field { align, packed, ..Field::new(name, ty, bits) });
        }
        Ok(())
    }

    fn enum_type(&mut self, e: &Node<ast::EnumType>) -> R<TypeId> {
        let tag = e.node.identifier.as_ref().map(|i| i.node.name.clone());
        if e.node.enumerators.is_empty() {
            let name = tag.unwrap_or_default();
            return match self.lookup_tag(&name) {
                Some(Tag::Enum(ty)) => Ok(ty),
                Some(_) => Err(self.error(e.span, format!("`{name}` is another kind of tag"))),
                None => Ok(self.types.int(IntKind::UInt)),
            };
        }
        let (mut next, mut low, mut high) = (0i128, 0i128, 0i128);
        let mut values = vec![];
        for x in &e.node.enumerators {
            if let Some(v) = &x.node.expression {
                next = self.int_constant(v)?;
            }
            low = low.min(next);
            high = high.max(next);
            let kind = if i32::try_from(next).is_ok() { IntKind::Int } else { IntKind::Long };
            let ty = self.types.int(kind);
            let width = self.types.width(ty);
            let sym = Sym::Constant(next as u128 & crate::expr::mask(width), ty);
            self.scope().names.insert(x.node.identifier.node.name.clone(), sym);
            values.push(next);
            next += 1;
        }
        // gcc takes unsigned int unless a value is negative, and long types where int is short.
        let kind = match (low < 0, low < i128::from(i32::MIN) || high > i128::from(u32::MAX)) {
            (false, false) => IntKind::UInt,
            (true, false) if high <= i128::from(i32::MAX) => IntKind::Int,
            (true, _) => IntKind::Long,
            (false, true) => IntKind::ULong,
        };
        let ty = self.types.int(kind);
        if let Some(t) = tag {
            self.scope().tags.insert(t, Tag::Enum(ty));
        }
        Ok(ty)
    }

    /// The type that a declarator makes of a base type, and the name that it declares.
    pub fn declarator<'d>(
        &mut self,
        base: Qt,
        d: &'d Node<ast::Declarator>,
    ) -> R<(Option<&'d Node<ast::Identifier>>, Qt)> {
        let mut ty = base;
        let pointers = d.node.derived.iter().filter(|x| is_pointer(&x.node));
        for p in pointers {
            ty = self.derive(ty, p)?;
        }
        let others: Vec<_> = d.node.derived.iter().filter(|x| !is_pointer(&x.node)).collect();
        for x in others.into_iter().rev() {
            ty = self.derive(ty, x)?;
        }
        match &d.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok((None, ty)),
            ast::DeclaratorKind::Identifier(id) => Ok((Some(id), ty)),
            ast::DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    fn derive(&mut self, ty: Qt, d: &Node<ast::DerivedDeclarator>) -> R<Qt> {
        use ast::DerivedDeclarator as D;
        match &d.node {
            D::Pointer(quals) => {
                let mut q = Quals::default();
                for x in quals {
                    if let ast::PointerQualifier::TypeQualifier(x) = &x.node {
                        add_qualifier(&mut q, &x.node);
                    }
                }
                Ok(Qt { id: self.types.pointer(ty), quals: q })
            }
            D::Block(_) => Err(self.unsupported(d.span, "a block")),
            D::Array(a) => self.array_of(ty, &a.node.size, d.span),
            D::Function(f) => {
                let params = self.parameter_types(&f.node)?;
                let variadic = f.node.ellipsis == ast::Ellipsis::Some;
                Ok(Qt::plain(self.types.intern(Type::Function { ret: ty, params, variadic })))
            }
            D::KRFunction(_) => {
                let f = Type::Function { ret: ty, params: None, variadic: false };
                Ok(Qt::plain(self.types.intern(f)))
            }
        }
    }

    fn array_of(&mut self, of: Qt, size: &ast::ArraySize, span: LSpan) -> R<Qt> {
        let ty = match size {
            ast::ArraySize::Unknown => Type::Array(of, None),
            ast::ArraySize::VariableUnknown => Type::Vla(of, None),
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => {
                match self.try_int_constant(e).unwrap_or(None) {
                    Some(n) if n < 0 => {
                        return Err(self.error(span, "an array of negative length"));
                    }
                    Some(_) if matches!(self.types.get(of.id), Type::Vla(..)) => {
                        Type::Vla(of, self.declare_length(e)?)
                    }
                    Some(n) => Type::Array(of, Some(u64::try_from(n).unwrap_or(u64::MAX))),
                    None => Type::Vla(of, self.declare_length(e)?),
                }
            }
        };
        Ok(Qt::plain(self.types.intern(ty)))
    }

    /// The parameter types of a prototype; `None` for `()`.
    fn parameter_types(&mut self, f: &ast::FunctionDeclarator) -> R<Option<Vec<Qt>>> {
        if f.parameters.is_empty() {
            return Ok(None);
        }
        let mut out = vec![];
        self.prototype_depth += 1;
        for p in &f.parameters {
            match self.parameter(p) {
                Ok((_, ty)) => out.push(ty),
                Err(e) => {
                    self.prototype_depth -= 1;
                    return Err(e);
                }
            }
        }
        self.prototype_depth -= 1;
        if let [only] = out[..]
            && *self.types.get(only.id) == Type::Void
        {
            out.clear();
        }
        Ok(Some(out))
    }

    /// The name and the adjusted type of a parameter.
    pub fn parameter<'d>(
        &mut self,
        p: &'d Node<ast::ParameterDeclaration>,
    ) -> R<(Option<&'d Node<ast::Identifier>>, Qt)> {
        let base = self.decl_specifiers(&p.node.specifiers, p.span)?.ty;
        let (name, ty) = match &p.node.declarator {
            Some(d) => self.declarator(base, d)?,
            None => (None, base),
        };
        Ok((name, self.adjust_parameter(ty)))
    }

    /// Arrays and functions as parameters are pointers.
    pub fn adjust_parameter(&mut self, ty: Qt) -> Qt {
        match self.types.get(ty.id).clone() {
            Type::Array(of, _) | Type::Vla(of, _) => Qt::plain(self.types.pointer(of)),
            Type::Function { .. } => Qt::plain(self.types.pointer(ty)),
            _ => ty,
        }
    }

    pub fn type_name(&mut self, t: &Node<ast::TypeName>) -> R<Qt> {
        let base = self.type_specifiers(&t.node.specifiers, t.span)?.ty;
        match &t.node.declarator {
            Some(d) => Ok(self.declarator(base, d)?.1),
            None => Ok(base),
        }
    }

    pub fn static_assert(&mut self, a: &Node<ast::StaticAssert>) -> R<()> {
        if self.int_constant(&a.node.expression)? == 0 {
            return Err(self.error(a.span, "a static assertion fails"));
        }
        Ok(())
    }

    /// The type that a typedef name stands for: types of the thread library are opaque, but for
    /// `pthread_t`.
    pub fn typedef_type(&mut self, name: &str, ty: Qt) -> Qt {
        let number = *self.types.get(ty.id) == Type::Int(IntKind::ULong);
        match Opaque::from_name(name) {
            None if matches!(name, "pthread_t" | "thrd_t") && number => {
                Qt { id: self.types.thread_id, ..ty }
            }
            Some(o) => Qt { id: self.types.intern(Type::Opaque(o)), quals: ty.quals },
            None => ty,
        }
    }
}

fn defines_record(t: &ast::TypeSpecifier) -> bool {
    matches!(t, ast::TypeSpecifier::Struct(s) if s.node.declarations.is_some())
}

fn is_pointer(d: &ast::DerivedDeclarator) -> bool {
    matches!(d, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
}

fn add_qualifier(q: &mut Quals, x: &ast::TypeQualifier) {
    match x {
        ast::TypeQualifier::Const => q.constant = true,
        ast::TypeQualifier::Volatile => q.volatile = true,
        ast::TypeQualifier::Atomic => q.atomic = true,
        _ => {}
    }
}

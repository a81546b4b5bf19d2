//! Calls and statement expressions.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{Expr, ExprKind, Loc, StmtKind};
use super::super::source::TYPES_COMPATIBLE;
use super::super::types::{IntKind, Qt, Type};
use super::scope::{R, Sema, Sym};

/// Functions of the C library that gcc also knows as `__builtin_NAME`, with their results and
/// parameters: `v` nothing, `p` a pointer, `z` a size, `i` an int, `u`, `l` and `q` an unsigned,
/// an unsigned long and an unsigned long long, `.` any more.
const LIBRARY_BUILTINS: &[(&str, &str)] = &[
    ("abort", "v"),
    ("bswap32", "uu"),
    ("bswap64", "qq"),
    ("clz", "iu"),
    ("clzl", "il"),
    ("clzll", "iq"),
    ("ctz", "iu"),
    ("ctzl", "il"),
    ("ctzll", "iq"),
    ("ffs", "iu"),
    ("ffsl", "il"),
    ("ffsll", "iq"),
    ("parity", "iu"),
    ("popcount", "iu"),
    ("popcountl", "il"),
    ("popcountll", "iq"),
    ("printf", "ip."),
    ("putchar", "ii"),
    ("puts", "ip"),
    ("snprintf", "ipzp."),
    ("sprintf", "ipp."),
    ("unreachable", "v"),
    ("alloca", "pz"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("free", "vp"),
    ("malloc", "pz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("realloc", "ppz"),
    ("strcat", "ppp"),
    ("strchr", "ppi"),
    ("strcmp", "ipp"),
    ("strcpy", "ppp"),
    ("strlen", "zp"),
    ("strncmp", "ippz"),
    ("strncpy", "pppz"),
    ("trap", "v"),
];

/// Whether a function of the list is no function of the C library but gcc's alone.
fn is_of_gcc(name: &str) -> bool {
    let bits = ["bswap", "clz", "ctz", "ffs", "parity", "popcount", "unreachable"];
    bits.iter().any(|b| name.starts_with(b))
}

/// Whether a name is one of those that compilers keep for their own functions.
fn is_of_compiler(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_"].iter().any(|own| name.starts_with(own))
}

impl Sema<'_> {
    pub fn call(&mut self, c: &Node<ast::CallExpression>) -> R<Expr> {
        let loc = self.loc(c.span);
        let callee = match &c.node.callee.node {
            ast::Expression::Identifier(id) if self.may_be_builtin(&id.node.name) => {
                let name = &id.node.name;
                let plain = name.strip_prefix("__builtin_");
                if let Some(f) =
                    self.library_builtin(plain.unwrap_or(name), plain.is_some(), loc)?
                {
                    f
                } else if let Some(e) = self.compiler_builtin(&id.node.name, c)? {
                    return Ok(e);
                } else if self.lookup(name).is_none() {
                    self.implicit_function(id)?
                } else {
                    self.callee(&c.node.callee)?
                }
            }
            _ => self.callee(&c.node.callee)?,
        };
        let fty = self.types.pointee(callee.ty.id).unwrap_or(callee.ty);
        let Type::Function { ret, params, variadic } = self.types.get(fty.id).clone() else {
            return Err(self.error_at(loc, "a call of what is no function"));
        };
        let given = &c.node.arguments;
        if let Some(p) = &params
            && (given.len() < p.len() || (given.len() > p.len() && !variadic))
        {
            let message = format!("{} arguments where {} are needed", given.len(), p.len());
            return Err(self.error_at(loc, message));
        }
        let mut args = vec![];
        for (i, a) in given.iter().enumerate() {
            let v = self.value(a)?;
            let v = match params.as_ref().and_then(|p| p.get(i)) {
                Some(ty) => self.assignable(v, *ty)?,
                None if self.types.is_integer(v.ty.id) => self.promoted(v)?,
                None => v,
            };
            args.push(v);
        }
        let kind = ExprKind::Call(Box::new(callee), args);
        Ok(Expr { kind, ty: Qt::plain(ret.id), loc })
    }

    /// Whether the compiler may know the function by itself: it is not declared, or, as in text that
    /// a tool wrote, declared under a name of the compiler and not defined.
    fn may_be_builtin(&self, name: &str) -> bool {
        match self.lookup(name) {
            None => true,
            Some(Sym::Func(f)) => !self.defs.contains_key(f) && is_of_compiler(name),
            Some(_) => false,
        }
    }

    /// The function designator, or the value of a function pointer.
    fn callee(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let mut v = self.value(e)?;
        while let ExprKind::AddrOf(inner) = v.kind {
            v = *inner;
        }
        Ok(v)
    }

    fn implicit_function(&mut self, id: &Node<ast::Identifier>) -> R<Expr> {
        let loc = self.loc(id.span);
        let ret = Qt::plain(self.int_type());
        let ty = Type::Function { ret, params: None, variadic: false };
        let ty = self.types.intern(ty);
        let f = self.declare_function(&id.node.name, ty, false, loc)?;
        self.name_function(f);
        Ok(Expr { kind: ExprKind::Func(f), ty: Qt::plain(self.funcs[f].ty), loc })
    }

    /// The function of the C library that `__builtin_NAME` is, or `NAME` without a declaration.
    fn library_builtin(&mut self, name: &str, builtin: bool, loc: Loc) -> R<Option<Expr>> {
        let Some(&(_, signature)) = LIBRARY_BUILTINS.iter().find(|(n, _)| *n == name) else {
            return Ok(None);
        };
        let plain = match name {
            "trap" => "abort".to_string(),
            _ if !is_of_gcc(name) => name.to_string(),
            _ if !builtin => return Ok(None),
            _ => format!("__builtin_{name}"),
        };
        let f = match self.lookup(&plain) {
            Some(&Sym::Func(f)) => f,
            _ => {
                let (signature, variadic) = match signature.strip_suffix('.') {
                    Some(fixed) => (fixed, true),
                    None => (signature, false),
                };
                let mut types = signature.chars().map(|c| Qt::plain(self.letter_type(c)));
                let ret = types.next().expect("a signature begins with the result");
                let params = Some(types.collect());
                let ty = self.types.intern(Type::Function { ret, params, variadic });
                self.declare_function(&plain, ty, false, loc)?
            }
        };
        self.name_function(f);
        Ok(Some(Expr { kind: ExprKind::Func(f), ty: Qt::plain(self.funcs[f].ty), loc }))
    }

    fn letter_type(&mut self, letter: char) -> super::super::types::TypeId {
        let void = self.types.intern(Type::Void);
        match letter {
            'v' => void,
            'p' => self.types.pointer(Qt::plain(void)),
            'z' => self.types.size_type(),
            'u' => self.types.int(IntKind::UInt),
            'l' => self.types.int(IntKind::ULong),
            'q' => self.types.int(IntKind::ULongLong),
            _ => self.int_type(),
        }
    }

    /// Functions of the compiler that are no functions.
    fn compiler_builtin(&mut self, name: &str, c: &Node<ast::CallExpression>) -> R<Option<Expr>> {
        let loc = self.loc(c.span);
        let args = &c.node.arguments;
        match (name, args.len()) {
            ("__builtin_expect", 2) | ("__builtin_expect_with_probability", 3) => {
                let v = self.value(&args[0])?;
                let long = self.types.int(IntKind::Long);
                let v = self.promoted(v)?;
                Ok(Some(self.cast(v, long)))
            }
            ("__builtin_assume_aligned", 2 | 3) => {
                let v = self.value(&args[0])?;
                let pointer = self.letter_type('p');
                Ok(Some(self.cast(v, pointer)))
            }
            ("__builtin_prefetch", 1..=3) => {
                let v = self.value(&args[0])?;
                let void = self.types.intern(Type::Void);
                Ok(Some(self.cast(v, void)))
            }
            ("__builtin_va_start", 1 | 2) => {
                let list = self.argument_list(&args[0])?;
                self.open.va_start = true;
                let first = Expr { kind: ExprKind::VaStart, ..list.clone() };
                self.set_argument_list(list, first).map(Some)
            }
            ("__builtin_va_copy", 2) => {
                let (list, from) = (self.argument_list(&args[0])?, self.argument_list(&args[1])?);
                let from = self.rvalue(from)?;
                self.set_argument_list(list, from).map(Some)
            }
            ("__builtin_va_end", 1) => {
                let list = self.argument_list(&args[0])?;
                let list = self.rvalue(list)?;
                let void = self.types.intern(Type::Void);
                Ok(Some(self.cast(list, void)))
            }
            ("__builtin_constant_p", 1) => {
                let known = self.value_unevaluated(&args[0])?.as_int().is_some();
                Ok(Some(self.int_const(known.into(), loc)))
            }
            (TYPES_COMPATIBLE, 2) => {
                let same = self.types_compatible(&args[0], &args[1])?;
                Ok(Some(self.int_const(same.into(), loc)))
            }
            _ if let Some(e) = self.overflow_function(name, c)? => Ok(Some(e)),
            _ if let Some(e) = self.atomic_function(name, c)? => Ok(Some(e)),
            _ if is_of_compiler(name) => Err(self.unsupported(c.span, &format!("`{name}`"))),
            _ => Ok(None),
        }
    }

    /// Whether two types are compatible, whatever their own qualifiers are.
    fn types_compatible(
        &mut self,
        a: &Node<ast::Expression>,
        b: &Node<ast::Expression>,
    ) -> R<bool> {
        let (ast::Expression::SizeOfTy(x), ast::Expression::SizeOfTy(y)) = (&a.node, &b.node)
        else {
            return Err(self.error(a.span, "two types are needed"));
        };
        let (x, y) = (self.type_name(&x.node.0)?.id, self.type_name(&y.node.0)?.id);
        Ok(match (self.types.get(x), self.types.get(y)) {
            (Type::Array(p, None), Type::Array(q, _))
            | (Type::Array(p, _), Type::Array(q, None)) => self.one_type(p.id, q.id),
            (Type::Function { .. }, Type::Function { .. }) => self.compatible(x, y, 0),
            _ => self.one_type(x, y),
        })
    }

    /// The number in a `va_list`, an lvalue.
    pub fn argument_list(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let pointer = self.value(e)?;
        let loc = pointer.loc;
        let list = self.deref(pointer, loc)?;
        match self.types.get(list.ty.id) {
            Type::Int(IntKind::UInt) => Ok(list),
            _ => Err(self.error_at(loc, "a variable argument list is needed")),
        }
    }

    fn set_argument_list(&mut self, list: Expr, value: Expr) -> R<Expr> {
        let (ty, loc) = (Qt::plain(list.ty.id), list.loc);
        let kind = ExprKind::Assign(Box::new(list), Box::new(value));
        let void = self.types.intern(Type::Void);
        Ok(self.cast(Expr { kind, ty, loc }, void))
    }

    pub fn statement_expression(&mut self, s: &Node<ast::Statement>, loc: Loc) -> R<Expr> {
        let ast::Statement::Compound(items) = &s.node else {
            return Err(self.error(s.span, "a statement expression that is no block"));
        };
        if self.at_file_scope() {
            return Err(self.error(s.span, "a statement expression outside of a function"));
        }
        let mut stmts = vec![];
        self.in_block(|s| s.block_items(items, &mut stmts))?;
        let value = match stmts.pop_if(|s| matches!(s.kind, StmtKind::Expr(_))) {
            Some(last) => match last.kind {
                StmtKind::Expr(e) => Some(Box::new(e)),
                _ => None,
            },
            None => None,
        };
        let ty = match &value {
            Some(v) => v.ty,
            None => Qt::plain(self.types.intern(Type::Void)),
        };
        Ok(Expr { kind: ExprKind::Block(stmts, value), ty, loc })
    }
}

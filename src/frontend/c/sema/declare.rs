//! Declarations: typedefs, functions, objects with and without linkage.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{
    Func, FuncId, Global, GlobalId, Init, Loc, Local, LocalId, Stmt, StmtKind,
};
use super::super::source::authored_name;
use super::super::types::{Qt, Type, TypeId};
use super::scope::{R, Sema, Sym};
use super::types::Spec;
use crate::base::Diagnostic;

impl<'a> Sema<'a> {
    pub fn external_declaration(&mut self, d: &'a Node<ast::ExternalDeclaration>) -> R<()> {
        match &d.node {
            ast::ExternalDeclaration::StaticAssert(a) => self.static_assert(a),
            ast::ExternalDeclaration::Declaration(d) => self.declaration(d, &mut vec![]),
            ast::ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f),
        }
    }

    fn function_definition(&mut self, f: &'a Node<ast::FunctionDefinition>) -> R<()> {
        let spec = self.decl_specifiers(&f.node.specifiers, f.span)?;
        let (name, ty) = self.declarator(spec.ty, &f.node.declarator)?;
        let Some(id) = name else { return Err(self.error(f.span, "a function without a name")) };
        if !matches!(self.types.get(ty.id), Type::Function { .. }) {
            return Err(self.error(id.span, "a body for what is no function"));
        }
        let loc = self.loc(id.span);
        let func = self.declare_function(&id.node.name, ty.id, spec.internal, loc)?;
        if self.defs.contains_key(&func) {
            let message = format!("function `{}` is defined twice", id.node.name);
            let first = self.span(self.funcs[func].loc);
            return Err(self.error(id.span, message).note_at("the first definition is at", first));
        }
        self.funcs[func].loc = loc;
        self.defs.insert(func, (self.unit, f));
        Ok(())
    }

    /// Declares what a declaration says; automatic variables become statements.
    pub fn declaration(&mut self, d: &Node<ast::Declaration>, out: &mut Vec<Stmt>) -> R<()> {
        let spec = self.decl_specifiers(&d.node.specifiers, d.span)?;
        for x in &d.node.declarators {
            self.init_declarator(spec, x, out)?;
        }
        Ok(())
    }

    fn init_declarator(
        &mut self,
        mut spec: Spec,
        x: &Node<ast::InitDeclarator>,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        if spec.auto
            && let Some(i) = &x.node.initializer
            && let ast::Initializer::Expression(e) = &i.node
        {
            spec.ty = self.value_unevaluated(e)?.ty;
        }
        let (name, ty) = self.declarator(spec.ty, &x.node.declarator)?;
        out.append(&mut self.lengths);
        let Some(id) = name else { return Err(self.error(x.span, "a declaration without a name")) };
        let name = id.node.name.as_str();
        let loc = self.loc(id.span);
        let ty = self.aligned(ty, &spec, &x.node.declarator)?;
        if spec.typedef {
            let ty = self.typedef_type(name, ty);
            self.scope().names.insert(name.to_string(), Sym::Typedef(ty));
            return Ok(());
        }
        if matches!(self.types.get(ty.id), Type::Function { .. }) {
            self.declare_function(name, ty.id, spec.internal, loc)?;
            return Ok(());
        }
        let init = x.node.initializer.as_ref();
        if self.at_file_scope() || spec.external {
            self.declare_global(name, ty, spec, init, loc)?;
        } else if spec.internal || spec.thread_local {
            self.declare_static_local(name, ty, spec, init, loc)?;
        } else {
            self.declare_automatic(name, ty, init, loc, self.loc(x.span), out)?;
        }
        Ok(())
    }

    /// Declares a function in the current scope.
    pub fn declare_function(
        &mut self,
        name: &str,
        ty: TypeId,
        internal: bool,
        loc: Loc,
    ) -> R<FuncId> {
        let here = self.scopes[0].names.get(name).cloned();
        let known = match here {
            Some(Sym::Func(f)) => Some(f),
            Some(other) => {
                let message = format!("`{name}` is declared as another kind of entity");
                return Err(self.conflict(loc, message, &other));
            }
            None if internal => None,
            None => match self.externals.get(name) {
                Some(Sym::Func(f)) => Some(*f),
                Some(other) => {
                    let message = format!("`{name}` is a variable in another source file");
                    return Err(self.conflict(loc, message, other));
                }
                None => None,
            },
        };
        let func = match known {
            Some(f) => {
                let old = self.funcs[f].ty;
                if !self.compatible(old, ty, 0) {
                    let message = format!("conflicting declarations of function `{name}`");
                    return Err(self.conflict(loc, message, &Sym::Func(f)));
                }
                if matches!(self.types.get(old), Type::Function { params: None, .. }) {
                    self.funcs[f].ty = ty;
                }
                f
            }
            None => {
                let f = Func { name: authored_name(name), ty, loc, body: None };
                let f = self.funcs.push(f);
                if !internal {
                    self.externals.insert(name.to_string(), Sym::Func(f));
                }
                self.scopes[0].names.insert(name.to_string(), Sym::Func(f));
                f
            }
        };
        self.scope().names.insert(name.to_string(), Sym::Func(func));
        Ok(func)
    }

    /// The error of a declaration that contradicts another one.
    fn conflict(&self, loc: Loc, message: String, other: &Sym) -> Diagnostic {
        let error = self.error_at(loc, message);
        let other = match other {
            Sym::Func(f) => self.funcs[*f].loc,
            Sym::Global(g) => self.globals[*g].loc,
            Sym::Typedef(_) | Sym::Constant(..) | Sym::Local(_) => return error,
        };
        error.note_at("the other declaration is at", self.span(other))
    }

    fn declare_global(
        &mut self,
        name: &str,
        ty: Qt,
        spec: Spec,
        init: Option<&Node<ast::Initializer>>,
        loc: Loc,
    ) -> R<()> {
        let conflict = |s: &Self, other: &Sym| {
            Err(s.conflict(loc, format!("conflicting declarations of `{name}`"), other))
        };
        let known = match (self.scopes[0].names.get(name), self.externals.get(name)) {
            (Some(Sym::Global(g)), _) => Some(*g),
            (Some(other), _) => return conflict(self, other),
            (None, _) if spec.internal => None,
            (None, Some(Sym::Global(g))) => Some(*g),
            (None, Some(other)) => return conflict(self, other),
            (None, None) => None,
        };
        let id = match known {
            Some(g) => g,
            None => {
                let name = self.unique_global_name(name);
                let defined = false;
                self.globals
                    .push(Global { defined, ..new_global(name, ty, spec.thread_local, loc) })
            }
        };
        let old = self.globals[id].ty;
        if !self.compatible(old.id, ty.id, 0) {
            return conflict(self, &Sym::Global(id));
        }
        if self.globals[id].thread_local != spec.thread_local {
            let message = format!("conflicting declarations of `{name}`: only one is thread-local");
            return Err(self.error_at(loc, message));
        }
        // The definition says whether it is const; others may only see it so.
        let only_declared = spec.external && init.is_none();
        let settled = self.globals[id].defined && only_declared;
        if !settled && !matches!(self.types.get(ty.id), Type::Array(_, None)) {
            self.globals[id].ty = ty;
        }
        if !spec.internal {
            self.externals.insert(name.to_string(), Sym::Global(id));
        }
        self.scopes[0].names.insert(name.to_string(), Sym::Global(id));
        self.scope().names.insert(name.to_string(), Sym::Global(id));
        if only_declared {
            return Ok(());
        }
        let g = &self.globals[id];
        if g.defined && (g.loc.unit != loc.unit || (init.is_some() && g.init.is_some())) {
            let first = self.span(g.loc);
            let error = self.error_at(loc, format!("`{name}` is defined twice"));
            return Err(error.note_at("the first definition is at", first));
        }
        self.globals[id].defined = true;
        self.globals[id].loc = loc;
        self.initialise_global(id, init);
        Ok(())
    }

    /// Analyses the initialiser. What is wrong with it matters only if the object is used.
    fn initialise_global(&mut self, id: GlobalId, init: Option<&Node<ast::Initializer>>) {
        let Some(init) = init else { return };
        let ty = self.globals[id].ty;
        match self.unevaluated(|s| s.initialiser(ty, init)) {
            Ok((ty, init)) => {
                self.globals[id].ty = ty;
                self.globals[id].init = Some(init);
            }
            Err(e) => self.globals[id].error = Some(e),
        }
    }

    fn declare_static_local(
        &mut self,
        name: &str,
        ty: Qt,
        spec: Spec,
        init: Option<&Node<ast::Initializer>>,
        loc: Loc,
    ) -> R<()> {
        let full = format!("{}.{name}", self.open.name);
        let full = self.unique_global_name(&full);
        let id = self.globals.push(new_global(full, ty, spec.thread_local, loc));
        self.scope().names.insert(name.to_string(), Sym::Global(id));
        self.initialise_global(id, init);
        match self.globals[id].error.clone() {
            Some(e) => Err(e),
            None => Ok(()),
        }
    }

    fn declare_automatic(
        &mut self,
        name: &str,
        ty: Qt,
        init: Option<&Node<ast::Initializer>>,
        loc: Loc,
        whole: Loc,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        if matches!(self.types.get(ty.id), Type::Vla(..)) {
            return self.declare_variable_array(name, ty, init.is_some(), loc, whole, out);
        }
        let local = self.declare_local(name, ty, loc);
        let init = match init {
            Some(i) => {
                let (ty, init) = self.initialiser(ty, i)?;
                self.open.locals[local].ty = ty;
                Some(init)
            }
            None => None,
        };
        self.check_object(self.open.locals[local].ty, loc)?;
        let stmt = self.stmt_at(StmtKind::Decl(local, init), whole);
        out.push(stmt);
        Ok(())
    }

    /// An error if no object of this type can be made.
    fn check_object(&mut self, ty: Qt, loc: Loc) -> R<()> {
        let problem = match self.types.leaves(ty.id) {
            Err(what) => what,
            Ok(_) if self.types.size(ty.id).is_none() => "an object of an incomplete type".into(),
            Ok(_) => return Ok(()),
        };
        Err(self.error_at(loc, format!("{problem} is not modelled yet")))
    }

    /// Adds a variable to the function and the current scope.
    pub fn declare_local(&mut self, name: &str, ty: Qt, loc: Loc) -> LocalId {
        let n = self.open.local_names.entry(name.to_string()).or_insert(0);
        *n += 1;
        let shown = authored_name(name);
        let unique = if *n == 1 { shown } else { format!("{shown}#{n}") };
        let local = self.open.locals.push(Local {
            name: unique,
            ty,
            loc,
            address_taken: false,
            in_memory: false,
            assigned: 0,
            length: None,
            array: None,
        });
        self.scope().names.insert(name.to_string(), Sym::Local(local));
        self.open.in_scope.push(local);
        local
    }

    /// An object for a compound literal at file scope.
    pub fn literal_global(&mut self, ty: Qt, init: Init, loc: Loc) -> GlobalId {
        let name = self.unique_global_name("<literal>");
        let init = Some(init);
        self.globals.push(Global { init, ..new_global(name, ty, false, loc) })
    }
}

/// A defined global variable without an initialiser.
fn new_global(name: String, ty: Qt, thread_local: bool, loc: Loc) -> Global {
    let (defined, address_taken) = (true, false);
    Global { name, ty, loc, defined, init: None, thread_local, address_taken, error: None }
}

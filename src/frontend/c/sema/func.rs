//! Function bodies.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{FuncId, LocalId};
use super::super::types::{Qt, Type};
use super::scope::{OpenFunc, R, Scope, Sema};

impl Sema<'_> {
    /// Analyses the definition of `f`.
    pub fn function_body(&mut self, f: FuncId, def: &Node<ast::FunctionDefinition>) -> R<()> {
        self.open = OpenFunc { name: self.funcs[f].name.clone(), ..OpenFunc::default() };
        self.scopes.push(Scope::default());
        self.lengths.clear();
        let params = self.parameters(&def.node.declarator, &def.node.declarations)?;
        let Type::Function { ret, .. } = *self.types.get(self.funcs[f].ty) else {
            return Err(self.error(def.span, "a body for what is no function"));
        };
        self.open.ret = Some(ret);
        // The lengths that the types of parameters name.
        let mut stmts = std::mem::take(&mut self.lengths);
        match &def.node.statement.node {
            ast::Statement::Compound(items) => self.block_items(items, &mut stmts)?,
            _ => return Err(self.error(def.span, "a function body that is no block")),
        }
        if let Some(label) = self.open.labels.iter().find(|l| l.at.is_none()) {
            let name = label.name.as_deref().unwrap_or("case");
            return Err(self.error_at(label.loc, format!("label `{name}` is not defined")));
        }
        let mut end = self.loc(def.node.statement.span);
        end.start = end.end.saturating_sub(1);
        let mut body = self.close_function(params, end);
        body.stmts = stmts;
        super::usage::mark(&mut body, self);
        self.funcs[f].body = Some(body);
        Ok(())
    }

    /// Declares the parameters of the function that `d` declares.
    fn parameters(
        &mut self,
        d: &Node<ast::Declarator>,
        old_style: &[Node<ast::Declaration>],
    ) -> R<Vec<LocalId>> {
        let mut innermost = d;
        while let ast::DeclaratorKind::Declarator(inner) = &innermost.node.kind.node {
            innermost = inner;
        }
        for derived in &innermost.node.derived {
            match &derived.node {
                ast::DerivedDeclarator::Function(f) => return self.new_style(&f.node),
                ast::DerivedDeclarator::KRFunction(names) => {
                    return self.old_style(names, old_style);
                }
                _ => {}
            }
        }
        Err(self.error(d.span, "a function definition without a parameter list"))
    }

    fn new_style(&mut self, f: &ast::FunctionDeclarator) -> R<Vec<LocalId>> {
        let mut params = vec![];
        for p in &f.parameters {
            let (name, ty) = self.parameter(p)?;
            if *self.types.get(ty.id) == Type::Void {
                continue;
            }
            let loc = self.loc(name.map_or(p.span, |n| n.span));
            let name = name.map_or("<unnamed>", |n| n.node.name.as_str());
            if let Err(what) = self.types.leaves(ty.id) {
                return Err(self.error_at(loc, format!("{what} is not modelled yet")));
            }
            params.push(self.declare_local(name, ty, loc));
        }
        Ok(params)
    }

    fn old_style(
        &mut self,
        names: &[Node<ast::Identifier>],
        declarations: &[Node<ast::Declaration>],
    ) -> R<Vec<LocalId>> {
        let mut params = vec![];
        for n in names {
            let ty = Qt::plain(self.int_type());
            let loc = self.loc(n.span);
            params.push(self.declare_local(&n.node.name, ty, loc));
        }
        for d in declarations {
            let spec = self.decl_specifiers(&d.node.specifiers, d.span)?;
            for x in &d.node.declarators {
                let (name, ty) = self.declarator(spec.ty, &x.node.declarator)?;
                let ty = self.adjust_parameter(ty);
                let position =
                    names.iter().position(|n| name.is_some_and(|m| m.node.name == n.node.name));
                match position {
                    Some(i) => self.open.locals[params[i]].ty = ty,
                    None => return Err(self.error(x.span, "a declaration of no parameter")),
                }
            }
        }
        Ok(params)
    }
}

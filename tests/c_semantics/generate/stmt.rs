//! Declarations and statements.

use super::{Generator, Shape, Uses, Var};

impl Generator {
    /// Declares a variable of the current block; in an inner block it may hide another one.
    pub fn declare(&mut self) {
        let hidden: Vec<_> = (self.scope.iter().map(|v| v.name.clone()))
            .filter(|n| self.nesting > 0 && !self.block_names.contains(n))
            .collect();
        let name = if !hidden.is_empty() && self.rng.one_in(4) {
            self.rng.pick(&hidden).clone()
        } else {
            self.fresh("v")
        };
        // The scope of a name begins before its initialiser.
        self.scope.retain(|v| v.name != name);
        self.block_names.insert(name.clone());
        let ty = self.ty();
        let shape = match self.rng.below(8) {
            0 => Shape::Array(vec![4]),
            1 => Shape::Struct,
            _ => Shape::Scalar,
        };
        match shape {
            Shape::Scalar => {
                let value = self.full_expr_without(self.config.depth, &name);
                self.line(&format!("{ty} {name} = {value};"));
            }
            Shape::Array(_) => {
                self.uses = Uses::default();
                let (a, b, c) = (self.operand(1), self.operand(1), self.operand(1));
                self.line(&format!("{ty} {name}[] = {{ {a}, {b}, [3] = {c} }};"));
            }
            Shape::Struct => {
                self.uses = Uses::default();
                let fields: Vec<_> = self.fields.iter().filter(|f| f.len.is_none()).collect();
                let field = fields.first().map_or("f0", |f| f.name.as_str()).to_string();
                let value = self.operand(2);
                self.line(&format!("struct pair@ {name} = {{ .{field} = {value} }};"));
            }
        }
        self.scope.push(Var { name, ty, shape, writable: true });
    }

    pub fn declare_static(&mut self) {
        let (ty, name, value) = (self.ty(), self.fresh("s"), self.constant());
        self.line(&format!("static {ty} {name} = {value};"));
        self.scope.push(Var { name, ty, shape: Shape::Scalar, writable: true });
    }

    pub fn statement(&mut self) {
        if let Some(n) = self.config.memory
            && !self.pure
            && self.rng.one_in(n)
        {
            return self.memory();
        }
        let simple = self.nesting >= 2;
        match self.rng.below(if simple { 9 } else { 18 }) {
            0..=2 => self.assign(),
            3 => {
                self.uses = Uses::default();
                match self.effect(self.config.depth) {
                    Some(e) => self.line(&format!("{e};")),
                    None => self.line(";"),
                }
            }
            4 => self.sequenced(),
            5 => self.call_with_effects(),
            6 => self.copy_struct(),
            7 => self.pointer(),
            8 => self.jump(),
            9 => self.declare(),
            10 | 11 => self.branch(),
            12 | 13 => self.switch(),
            14 => self.block(),
            15 => self.goto_forward(),
            _ if self.config.loops => self.repeat(),
            _ => self.assign(),
        }
    }

    fn body(&mut self, statements: usize) {
        let (scope, names) = (self.scope.clone(), std::mem::take(&mut self.block_names));
        self.nesting += 1;
        self.indent += 1;
        if self.rng.one_in(3) {
            self.declare();
        }
        for _ in 0..statements {
            self.statement();
        }
        self.indent -= 1;
        self.nesting -= 1;
        (self.scope, self.block_names) = (scope, names);
    }

    fn block(&mut self) {
        self.line("{");
        self.body(2);
        self.line("}");
    }

    fn target(&mut self) -> Option<Var> {
        let vars: Vec<_> = self.scope.iter().filter(|v| v.writable).cloned().collect();
        if vars.is_empty() { None } else { Some(self.rng.pick(&vars).clone()) }
    }

    /// An assignment, whose right-hand side may read the target.
    fn assign(&mut self) {
        let Some(var) = self.target() else { return self.line(";") };
        self.uses = Uses::default();
        // Reads of the target come before its write, other writes of it would clash.
        self.uses.read.insert(var.name.clone());
        let place = self.place(&var);
        let depth = self.config.depth;
        if self.rng.one_in(3) {
            let rest = self.compound(depth);
            self.line(&format!("{place} {rest};"));
        } else {
            let value = self.expr(depth).text;
            self.line(&format!("{place} = {value};"));
        }
    }

    /// Writes and reads of one variable with sequence points between.
    fn sequenced(&mut self) {
        let scalars: Vec<_> = (self.scope.iter())
            .filter(|v| v.writable && v.shape == Shape::Scalar)
            .map(|v| v.name.clone())
            .collect();
        let [a, b] = [0, 1].map(|_| (!scalars.is_empty()).then(|| self.rng.pick(&scalars).clone()));
        let (Some(a), Some(b)) = (a, b) else { return self.line(";") };
        if a == b {
            return self.line(&format!("{a}++;"));
        }
        let e = self.full_expr_without(2, &a);
        // The expression must not write `b` either, which is read behind it.
        let e = if e.contains(&b) { self.constant() } else { e };
        let text = match self.rng.below(6) {
            0 => format!("{b} = ({a} = {e}, {a} + 1);"),
            1 => format!("{b} = ({a}++ > 3 && {a} < 9) ? {a} : --{a};"),
            2 => format!("{b} = {a}-- || ({a} = 5);"),
            3 => format!("{b} = ({a} = {e}) ? {a} : {a} - 1;"),
            4 => format!("{b} = (({a} |= 1), {a}++, {a} * 2);"),
            _ => format!("({a} & 1) && ({b} = {a}) && ({b}++);"),
        };
        self.line(&text);
    }

    /// A call whose effects on globals nothing else in its statement can see.
    fn call_with_effects(&mut self) {
        let locals: Vec<_> = (self.scope.iter())
            .filter(|v| v.writable && v.shape == Shape::Scalar)
            .map(|v| v.name.clone())
            .collect();
        if self.functions.is_empty() || locals.is_empty() || self.pure {
            return self.assign();
        }
        let f = self.rng.pick(&self.functions).clone();
        let target = self.rng.pick(&locals).clone();
        self.uses = Uses::default();
        self.uses.written.insert(target.clone());
        let arguments: Vec<_> = (0..f.parameters).map(|_| self.operand(2)).collect();
        self.line(&format!("{target} = {}({});", f.name, arguments.join(", ")));
    }

    fn copy_struct(&mut self) {
        let structs: Vec<_> = self
            .scope
            .iter()
            .filter(|v| v.shape == Shape::Struct)
            .map(|v| v.name.clone())
            .collect();
        if structs.is_empty() {
            return self.assign();
        }
        let (a, b) = (self.rng.pick(&structs).clone(), self.rng.pick(&structs).clone());
        self.line(&format!("{a} = {b};"));
    }

    /// Writes and reads through a pointer into a variable.
    fn pointer(&mut self) {
        let vars: Vec<_> = (self.scope.iter())
            .filter(|v| v.writable && v.shape != Shape::Struct)
            .cloned()
            .collect();
        if !self.config.pointers || vars.is_empty() {
            return self.assign();
        }
        let (var, p) = (self.rng.pick(&vars).clone(), self.fresh("q"));
        let (ty, name) = (var.ty, &var.name);
        let value = self.full_expr_without(2, name);
        self.uses = Uses::default();
        let place = self.place(&var);
        match (&var.shape, self.rng.below(2)) {
            (Shape::Array(dims), 0) if dims.len() == 1 => {
                let last = dims[0] - 1;
                let offset = self.full_expr_without(1, "");
                self.line(&format!(
                    "{{ {ty} *{p} = {name}; {p} += ({offset}) & {last}; *{p} = {value}; \
                     {name}[{last}] ^= &{name}[{last}] - {p}; ({p} == {name}) && {p}++; *{p} -= 1; }}"
                ));
            }
            _ => {
                let rest = self.compound_without(name);
                self.line(&format!(
                    "{{ {ty} *{p} = &{place}; *{p} = {value}; *{p} {rest}; (*{p})++; }}"
                ));
            }
        }
    }

    fn compound_without(&mut self, name: &str) -> String {
        self.uses = Uses::default();
        self.uses.written.insert(name.to_string());
        self.compound(1)
    }

    /// `break`, `continue` or `return` under a condition.
    fn jump(&mut self) {
        let condition = self.full_expr(2);
        let value = if self.returns.is_empty() { String::new() } else { self.full_expr(1) };
        let jump = match self.rng.below(3) {
            0 if self.loops > 0 => "break".to_string(),
            1 if self.loops > 0 => "continue".to_string(),
            2 if !self.returns.is_empty() => format!("return {value}"),
            _ => return self.assign(),
        };
        self.line(&format!("if ({condition}) {jump};"));
    }

    fn branch(&mut self) {
        let condition = self.full_expr(self.config.depth);
        self.line(&format!("if ({condition}) {{"));
        self.body(2);
        if self.rng.one_in(2) {
            self.line("} else {");
            self.body(1);
        }
        self.line("}");
    }

    fn switch(&mut self) {
        let value = self.full_expr(3);
        // Labels beyond a type's values, too: they never match.
        let (value, labels) = match self.rng.below(4) {
            0 => (format!("({value}) & 3"), ["0", "1", "2"]),
            1 => (format!("({value}) % 3"), ["-1", "1", "(unsigned char) 2"]),
            2 => (format!("(unsigned char) ({value})"), ["255", "0 ... 9", "300"]),
            _ => (value, ["0", "P7@", "0xffffffffffffffff"]),
        };
        self.line(&format!("switch ({value}) {{"));
        let default = self.rng.below(4);
        for (i, label) in labels.iter().enumerate() {
            if default == i {
                self.line("default:");
            }
            self.line(&format!("case {label}: {{"));
            self.body(1);
            let end = if self.rng.one_in(2) { "} break;" } else { "}" };
            self.line(end);
        }
        if default == 3 {
            self.line("default: ;");
        }
        self.line("}");
    }

    fn goto_forward(&mut self) {
        let (label, condition) = (self.fresh("l"), self.full_expr(2));
        self.line(&format!("if ({condition}) goto {label};"));
        self.assign();
        self.line(&format!("{label}: ;"));
    }

    /// A loop of at most three rounds.
    fn repeat(&mut self) {
        let (i, n) = (self.fresh("i"), self.rng.below(3) + 1);
        let counter = Var { name: i.clone(), ty: "int", shape: Shape::Scalar, writable: false };
        let scope = self.scope.clone();
        self.loops += 1;
        self.scope.push(counter);
        match self.rng.below(4) {
            0 => {
                self.line(&format!("for (int {i} = 0, z = 9; {i} < {n} && z; {i}++, z -= 2) {{"));
                self.body(2);
                self.line("}");
            }
            1 => {
                self.line(&format!("{{ int {i} = {n}; while ({i}-- > 0) {{"));
                self.body(2);
                self.line("} }");
            }
            2 => {
                self.line(&format!("{{ unsigned char {i} = {n}; do {{"));
                self.body(2);
                self.line(&format!("}} while (--{i}); }}"));
            }
            _ => {
                let label = self.fresh("l");
                let (loops, returns) = (std::mem::take(&mut self.loops), self.returns);
                self.line(&format!("{{ int {i} = 0; {label}: {{"));
                self.body(1);
                self.line(&format!("}} if (++{i} < {n}) goto {label}; }}"));
                (self.loops, self.returns) = (loops, returns);
            }
        }
        self.loops -= 1;
        self.scope = scope;
    }
}

//! Expressions.

use super::{Generator, Shape, TYPES, Uses, Var};

/// Constants at the edges of types, and of every form of literal.
const CONSTANTS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "(-1)",
    "(-2)",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "2147483647",
    "(-2147483647 - 1)",
    "2147483648",
    "4294967295",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0xFFFFFFFFFF",
    "9223372036854775807",
    "(-9223372036854775807LL - 1)",
    "0x8000000000000000",
    "0xffffffffffffffff",
    "1u",
    "1l",
    "1UL",
    "1ll",
    "1uLL",
    "3U",
    "2147483648u",
    "'a'",
    "'\\xff'",
    "'\\0'",
    "'\\177'",
    "'\\n'",
    "010",
    "0777u",
    "0b1011",
    "'\\\\'",
];

const ARITHMETIC: &[&str] = &["+", "-", "*", "&", "|", "^", "+", "-"];
const COMPARISONS: &[&str] = &["<", ">", "<=", ">=", "==", "!="];

/// Text of an expression.
pub struct Expr {
    pub text: String,
    /// Whether it may be an operand of a binary operator without parentheses: all operators
    /// in it and around it are defined for all values.
    plain: bool,
}

impl Expr {
    fn wrapped(text: String) -> Self {
        Self { text, plain: false }
    }
}

impl Generator {
    pub fn constant(&mut self) -> String {
        match self.rng.below(4) {
            0 => format!("{}", self.rng.below(100)),
            1 => format!("{:#x}u", self.rng.next_u64() as u32),
            _ => self.rng.pick::<&str>(CONSTANTS).to_string(),
        }
    }

    /// An expression that is a full expression by itself.
    pub fn full_expr(&mut self, depth: usize) -> String {
        self.uses = Uses::default();
        self.expr(depth).text
    }

    /// A full expression that does not access `name`.
    pub fn full_expr_without(&mut self, depth: usize, name: &str) -> String {
        self.uses = Uses::default();
        self.uses.written.insert(name.to_string());
        self.expr(depth).text
    }

    /// An expression that is an operand: in parentheses unless it is a plain one and fate wants
    /// precedence to matter.
    pub fn operand(&mut self, depth: usize) -> String {
        let e = self.expr(depth);
        if e.plain && self.rng.one_in(2) { e.text } else { format!("({})", e.text) }
    }

    pub fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.rng.one_in(8) {
            return self.leaf();
        }
        let d = depth - 1;
        let text = match self.rng.below(17) {
            0..=4 => {
                let (a, b) = (self.operand(d), self.operand(d));
                let op = self.rng.pick::<&str>(ARITHMETIC);
                return Expr { text: format!("{a} {op} {b}"), plain: true };
            }
            5 | 6 => {
                let (a, b) = (self.operand(d), self.operand(d));
                let op = self.rng.pick::<&str>(COMPARISONS);
                return Expr { text: format!("{a} {op} {b}"), plain: true };
            }
            7 => {
                let (a, b) = (self.operand(d), self.operand(d));
                let op = *self.rng.pick(&["&&", "||"]);
                format!("{a} {op} {b}")
            }
            8 => {
                let (c, a, b) = (self.operand(d), self.operand(d), self.operand(d));
                format!("{c} ? {a} : {b}")
            }
            9 => self.shift(d),
            10 => {
                let (a, op) = (self.operand(d), *self.rng.pick(&["/", "%"]));
                let divisor = self.divisor(d);
                format!("({a}) {op} {divisor}")
            }
            11 => {
                let (op, a) = (*self.rng.pick(&["-", "~", "!", "+"]), self.operand(d));
                return Expr { text: format!("{op} {a}"), plain: true };
            }
            12 | 13 => {
                let (ty, a) = (self.rng.pick(&TYPES[..14]).to_string(), self.operand(d));
                return Expr { text: format!("({ty}) {a}"), plain: true };
            }
            14 => self.call(d).unwrap_or_else(|| self.operand(d)),
            15 => self.effect(d).unwrap_or_else(|| self.operand(d)),
            _ => {
                let (a, b) = (self.expr(d).text, self.operand(d));
                format!("(({a}), {b})")
            }
        };
        Expr::wrapped(text)
    }

    fn leaf(&mut self) -> Expr {
        let text = match self.rng.below(12) {
            0..=7 => self.read().unwrap_or_else(|| self.constant()),
            8 | 9 => self.constant(),
            10 => self.rng.pick(&["P0@", "P7@", "P8@", "S0@", "S1@", "S9@"]).to_string(),
            _ => {
                // Nothing in it is evaluated, so what it accesses does not count.
                let uses = std::mem::take(&mut self.uses);
                let text = match self.rng.below(3) {
                    0 => format!("sizeof({})", self.ty()),
                    1 => self.effect(0).map_or("sizeof 1".into(), |e| format!("sizeof({e})")),
                    _ => format!("sizeof({})", self.expr(1).text),
                };
                self.uses = uses;
                text
            }
        };
        Expr { text, plain: true }
    }

    fn shift(&mut self, depth: usize) -> String {
        let (a, b) = (self.operand(depth), self.operand(depth));
        let op = *self.rng.pick(&["<<", ">>"]);
        match self.rng.below(3) {
            0 => {
                let ty = *self.rng.pick(&["long long", "unsigned long long"]);
                format!("(({ty}) ({a})) {op} (({b}) & 63)")
            }
            // The width of `long` is the data model's.
            1 => format!("((long) ({a})) {op} (({b}) & (8 * sizeof(long) - 1))"),
            _ => format!("({a}) {op} (({b}) & 31)"),
        }
    }

    /// Neither 0 nor -1 for any values.
    pub fn divisor(&mut self, depth: usize) -> String {
        match self.rng.below(4) {
            0 => self.rng.pick(&["3", "(-3)", "7u", "(-128)", "100ll", "65537ul"]).to_string(),
            1 => format!("((unsigned long long) ({}) | 1)", self.expr(depth).text),
            _ => format!("((({}) & 255) | 1)", self.expr(depth).text),
        }
    }

    /// A call of a function that touches only its own variables.
    fn call(&mut self, depth: usize) -> Option<String> {
        let pure: Vec<_> = self.functions.iter().filter(|f| f.pure).cloned().collect();
        if pure.is_empty() {
            return None;
        }
        let f = self.rng.pick(&pure).clone();
        let arguments: Vec<_> = (0..f.parameters).map(|_| self.operand(depth.min(1))).collect();
        Some(format!("{}({})", f.name, arguments.join(", ")))
    }

    /// A scalar that may be read here.
    fn read(&mut self) -> Option<String> {
        let written = &self.uses.written;
        let vars: Vec<_> = self.scope.iter().filter(|v| !written.contains(&v.name)).collect();
        if vars.is_empty() {
            return None;
        }
        let var = (*self.rng.pick(&vars)).clone();
        self.uses.read.insert(var.name.clone());
        Some(self.place(&var))
    }

    /// A variable that may be written here and is accessed nowhere else in the expression.
    fn writable(&mut self) -> Option<Var> {
        let uses = &self.uses;
        let free = |v: &&Var| {
            v.writable && !uses.written.contains(&v.name) && !uses.read.contains(&v.name)
        };
        let vars: Vec<_> = self.scope.iter().filter(free).collect();
        if vars.is_empty() {
            return None;
        }
        let var = (*self.rng.pick(&vars)).clone();
        self.uses.written.insert(var.name.clone());
        Some(var)
    }

    /// An expression that writes a variable.
    pub fn effect(&mut self, depth: usize) -> Option<String> {
        let var = self.writable()?;
        let place = self.place(&var);
        Some(match self.rng.below(5) {
            0 => format!("{place}++"),
            1 => format!("--{place}"),
            2 => format!("({place} = {})", self.operand(depth)),
            3 => format!("++{place}"),
            _ => format!("({place} {})", self.compound(depth)),
        })
    }

    /// The operator and right-hand side of a compound assignment.
    pub fn compound(&mut self, depth: usize) -> String {
        match self.rng.below(10) {
            op @ (0 | 1) => format!("{} ({}) & 31", ["<<=", ">>="][op], self.operand(depth)),
            op @ (2 | 3) => format!("{} {}", ["/=", "%="][op - 2], self.divisor(depth)),
            _ => {
                let op = *self.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                format!("{op} {}", self.operand(depth))
            }
        }
    }

    /// One scalar of a variable, as an lvalue.
    pub fn place(&mut self, var: &Var) -> String {
        match &var.shape {
            Shape::Scalar => var.name.clone(),
            Shape::Array(dims) => {
                let indices: Vec<_> = dims.iter().map(|n| self.index(*n)).collect();
                format!("{}{}", var.name, indices.concat())
            }
            Shape::Struct => {
                let field = self.rng.pick(&self.fields).clone();
                let index = field.len.map_or(String::new(), |n| self.index(n));
                format!("{}.{}{index}", var.name, field.name)
            }
        }
    }

    /// `[i]` within an array of `len` elements.
    fn index(&mut self, len: usize) -> String {
        let index = self.leaf().text;
        format!("[({index}) & {}]", len - 1)
    }
}

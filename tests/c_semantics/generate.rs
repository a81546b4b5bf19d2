//! Random sequential C programs whose result C defines.
//!
//! What keeps undefined and unspecified behaviour out:
//! * divisors are masked to 1..255 or are constants other than -1; shift counts are masked;
//!   indices are masked to the array, whose length is a power of two;
//! * signed overflow is left in: the reference is compiled with `-fwrapv`, and latchwork wraps;
//! * within one full expression a variable that is written is not accessed anywhere else, unless
//!   a sequence point of a fixed template stands between ([`Uses`]); functions called within
//!   expressions touch no globals;
//! * every variable is initialised, loops are bounded by counters that nothing else writes, and
//!   `goto` goes forward or is counted.
//!
//! Names end in `@`, which becomes the program's number, so that many programs fit one file.

use latchwork::base::Rng;
use std::collections::HashSet;

mod expr;
mod memory;
mod stmt;

/// How large and how rich the programs are.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Functions besides `run`.
    pub functions: usize,
    /// Statements of a function's outermost block.
    pub statements: usize,
    /// Depth of expressions.
    pub depth: usize,
    /// Whether there are loops and backward jumps.
    pub loops: bool,
    /// Whether there are pointers.
    pub pointers: bool,
    /// Whether statements of [`memory`] take the places of others, and how often: one in so many.
    pub memory: Option<usize>,
}

impl Config {
    /// Every construct.
    pub const FULL: Self =
        Self { functions: 3, statements: 7, depth: 4, loops: true, pointers: true, memory: None };
    /// Every construct, with much about memory.
    pub const MEMORY: Self = Self { statements: 8, memory: Some(2), ..Self::FULL };
    /// Small enough for a circuit.
    pub const SMALL: Self =
        Self { functions: 1, statements: 3, depth: 3, loops: false, pointers: false, memory: None };
    /// Small, about memory.
    pub const SMALL_MEMORY: Self = Self { depth: 2, memory: Some(1), ..Self::SMALL };
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Number in its batch; part of its names.
    pub id: usize,
    /// The seed that makes it again.
    pub seed: u64,
    /// Declarations and functions: `run` computes `result`.
    body: String,
}

impl Program {
    /// The text with a `main` that asserts that the result is `expected`.
    pub fn checked(&self, expected: u64) -> String {
        let Self { id, body, .. } = self;
        format!(
            "extern void __VERIFIER_assert(int);\n{body}\nint main(void) {{\n    run_{id}();\n    \
             __VERIFIER_assert(result_{id} == {expected:#x}ULL);\n    return 0;\n}}\n"
        )
    }

    /// One text that computes the results of all `programs` and prints them, one a line.
    pub fn reference(programs: &[Self]) -> String {
        let mut out = String::from("#include <stdio.h>\n");
        for p in programs {
            out += &p.body;
        }
        out += "int main(void) {\n";
        for Self { id, .. } in programs {
            out += &format!("    run_{id}(); printf(\"%llu\\n\", result_{id}); fflush(stdout);\n");
        }
        out + "    return 0;\n}\n"
    }
}

/// The program that `seed` stands for.
pub fn generate(id: usize, seed: u64, config: Config) -> Program {
    let mut g = Generator::new(seed, config);
    g.declarations();
    for i in 0..config.functions {
        g.function(i);
    }
    g.run();
    Program { id, seed, body: g.code.replace('@', &format!("_{id}")) }
}

/// Types of scalars. Which of them are equally wide is the data model's business.
const TYPES: [&str; 16] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum plain@",
    "enum signs@",
    "word@",
    "volatile int",
];

/// A variable in scope.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    /// Type of the scalars in it, for structs the empty string.
    ty: &'static str,
    shape: Shape,
    /// Whether statements may write it; loop counters may not be.
    writable: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    Scalar,
    /// Lengths, outermost first, each a power of two.
    Array(Vec<usize>),
    /// `struct pair@`.
    Struct,
}

/// A member of `struct pair@`.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    /// Length of an array member.
    len: Option<usize>,
}

#[derive(Clone, Debug)]
struct Function {
    name: String,
    parameters: usize,
    /// Whether it touches only its own variables.
    pure: bool,
}

/// Variables that the full expression under construction accesses.
#[derive(Clone, Debug, Default)]
struct Uses {
    read: HashSet<String>,
    written: HashSet<String>,
}

struct Generator {
    rng: Rng,
    config: Config,
    code: String,
    indent: usize,
    fields: Vec<Field>,
    functions: Vec<Function>,
    /// Variables in scope, the innermost last; hidden ones left out.
    scope: Vec<Var>,
    /// Names declared in the current block.
    block_names: HashSet<String>,
    uses: Uses,
    /// Blocks around the current statement within its function.
    nesting: usize,
    /// Loops around the current statement.
    loops: usize,
    /// Whether the current function may only touch its own variables.
    pure: bool,
    /// Type that the current function returns; empty for none.
    returns: &'static str,
    /// Names made so far.
    fresh: usize,
}

impl Generator {
    fn new(seed: u64, config: Config) -> Self {
        Self {
            rng: Rng::new(seed),
            config,
            code: String::new(),
            indent: 0,
            fields: vec![],
            functions: vec![],
            scope: vec![],
            block_names: HashSet::new(),
            uses: Uses::default(),
            nesting: 0,
            loops: 0,
            pure: false,
            returns: "",
            fresh: 0,
        }
    }

    fn line(&mut self, text: &str) {
        self.code += &"    ".repeat(self.indent);
        self.code += text;
        self.code.push('\n');
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}@", self.fresh)
    }

    fn ty(&mut self) -> &'static str {
        self.rng.pick::<&str>(&TYPES)
    }

    /// Types, globals and the result.
    fn declarations(&mut self) {
        self.line("enum plain@ { P0@, P1@, P7@ = 7, P8@ };");
        self.line("enum signs@ { S0@ = -3, S1@, S9@ = 9 };");
        let word = *self.rng.pick(&TYPES[..12]);
        self.line(&format!("typedef {word} word@;"));
        let mut members = String::new();
        for i in 0..4 {
            let len = self.rng.one_in(4).then_some(2);
            let name = format!("f{i}");
            let ty = self.ty();
            let bounds = len.map_or(String::new(), |n: usize| format!("[{n}]"));
            members += &format!(" {ty} {name}{bounds};");
            self.fields.push(Field { name, len });
        }
        self.line(&format!("struct pair@ {{{members} }};"));
        self.line("unsigned long long result@ = 1;");
        for _ in 0..4 {
            let (ty, name) = (self.ty(), self.fresh("g"));
            let value = self.constant();
            self.line(&format!("{ty} {name} = {value};"));
            self.scope.push(Var { name, ty, shape: Shape::Scalar, writable: true });
        }
        let (ty, name, values) = (self.ty(), self.fresh("ga"), [self.constant(), self.constant()]);
        let text =
            format!("{ty} {name}[2][2] = {{ {{ {} }}, [1][1] = {} }};", values[0], values[1]);
        self.line(&text);
        self.scope.push(Var { name, ty, shape: Shape::Array(vec![2, 2]), writable: true });
        let (name, value) = (self.fresh("gs"), self.constant());
        self.line(&format!("struct pair@ {name} = {{ .f1 = {value}, {value} }};"));
        self.scope.push(Var { name, ty: "", shape: Shape::Struct, writable: true });
        if self.config.memory.is_some() {
            self.memory_declarations();
        }
    }

    /// A function of up to three parameters.
    fn function(&mut self, number: usize) {
        let pure = self.rng.below(3) != 0;
        let parameters = self.rng.below(4);
        let name = format!("fun{number}@");
        let globals = self.scope.clone();
        if pure {
            self.scope.clear();
        }
        let mut list = vec![];
        for i in 0..parameters {
            let (ty, name) = (self.ty(), format!("p{i}"));
            list.push(format!("{ty} {name}"));
            self.scope.push(Var { name, ty, shape: Shape::Scalar, writable: true });
        }
        let list = if list.is_empty() { "void".to_string() } else { list.join(", ") };
        self.returns = self.ty();
        self.pure = pure;
        self.line(&format!("static {} {name}({list})", self.returns));
        self.function_body(self.config.statements / 2 + 1);
        self.scope = globals;
        self.functions.push(Function { name, parameters, pure });
    }

    /// The block of a function, which ends by returning a mix of what is in scope.
    fn function_body(&mut self, statements: usize) {
        self.line("{");
        self.indent += 1;
        self.block_names = (0..3).map(|i| format!("p{i}")).collect();
        self.declare();
        if !self.pure && self.rng.one_in(2) {
            self.declare_static();
        }
        for _ in 0..statements {
            self.statement();
        }
        let value = self.full_expr(2);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.line("}");
    }

    /// `run`, which works on globals and its own variables and mixes all of them into the result.
    fn run(&mut self) {
        let globals = self.scope.clone();
        self.pure = false;
        self.returns = "";
        self.line("void run@(void)");
        self.line("{");
        self.indent += 1;
        self.block_names.clear();
        for _ in 0..3 {
            self.declare();
        }
        for _ in 0..self.config.statements {
            self.statement();
        }
        // Globals that a local hides cannot be mixed by name; here nothing is hidden.
        debug_assert!(globals.iter().all(|g| self.scope.iter().any(|v| v.name == g.name)));
        for var in self.scope.clone() {
            for part in self.parts(&var) {
                self.mix(&part);
            }
        }
        if self.config.memory.is_some() {
            self.memory_result();
        }
        self.indent -= 1;
        self.line("}");
    }

    /// Mixes a value into the result.
    fn mix(&mut self, value: &str) {
        self.line(&format!(
            "result@ = (result@ << 7 | result@ >> 57) ^ (unsigned long long) ({value});"
        ));
    }

    /// All scalars of a variable.
    fn parts(&self, var: &Var) -> Vec<String> {
        let name = &var.name;
        match &var.shape {
            Shape::Scalar => vec![name.clone()],
            Shape::Array(dims) => dims.iter().fold(vec![name.clone()], |parts, n| {
                parts.iter().flat_map(|p| (0..*n).map(move |i| format!("{p}[{i}]"))).collect()
            }),
            Shape::Struct => (self.fields.iter())
                .flat_map(|f| match f.len {
                    None => vec![format!("{name}.{}", f.name)],
                    Some(n) => (0..n).map(|i| format!("{name}.{}[{i}]", f.name)).collect(),
                })
                .collect(),
        }
    }
}

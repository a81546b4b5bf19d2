//! The frame of a program: declarations, threads, what `main` shows at the end.

use latchwork::base::Rng;

/// What a program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To compare latchwork with itself: anything goes, undefined behaviour included.
    Any,
    /// To compare with real runs: mostly defined, and `main` shows what it saw at the end.
    Native,
    /// As `Native`, `main` alone.
    Single,
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Source {
    /// Number in its batch; part of its names.
    pub id: usize,
    /// The seed that makes it again.
    pub seed: u64,
    /// Declarations and functions; `run_ID` is the program's `main`.
    pub text: String,
    /// How many values `main` has at the end, in `o0`, `o1` and so on.
    pub shown: usize,
}

/// What a program uses besides plain variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    Mutex,
    /// Mutexes in an array, in the heap and behind pointers.
    Locks,
    /// `<threads.h>`.
    Eleven,
    Condition,
    ReadWrite,
    Spin,
    Barrier,
    Semaphore,
    Once,
    Atomic,
    Heap,
    Pointer,
    Union,
    Fields,
    Recursion,
    Struct,
    Bytes,
    Detach,
    /// Variables of each thread: `_Thread_local`, and keys with destructors.
    Own,
    Keys,
    /// Atomic sections, choices, ends of the process: not for real runs.
    Verifier,
}

use Feature::{
    Atomic, Barrier, Bytes, Condition, Detach, Eleven, Fields, Heap, Keys, Locks, Mutex, Once, Own,
    Pointer, ReadWrite, Recursion, Semaphore, Spin, Struct, Union, Verifier,
};

const FEATURES: [Feature; 21] = [
    Mutex, Locks, Eleven, Own, Keys, Condition, ReadWrite, Spin, Barrier, Semaphore, Once, Atomic,
    Heap, Pointer, Union, Fields, Recursion, Struct, Bytes, Detach, Verifier,
];

/// The program that `seed` stands for.
pub fn generate(id: usize, seed: u64, mode: Mode) -> Source {
    let mut g = Generator::new(seed, mode);
    g.pick_features();
    g.declarations();
    let workers = match mode {
        Mode::Single => 0,
        _ => 1 + g.rng.below(2),
    };
    for k in 1..=workers {
        g.worker(k);
    }
    g.main(workers);
    Source { id, seed, text: g.code.replace('@', &format!("_{id}")), shown: g.shown.len() }
}

pub(super) struct Generator {
    pub rng: Rng,
    pub mode: Mode,
    pub features: Vec<Feature>,
    /// 1 to 3: how the mutexes are initialised, `m0` and `m1`.
    pub kinds: [Kind; 2],
    /// Whether the mutex of `<threads.h>` is recursive.
    pub recursive: bool,
    code: String,
    indent: usize,
    /// What the thread under construction holds, if all went as it should.
    pub held: Held,
    /// Blocks around the current statement.
    pub nesting: usize,
    /// Threads that wait at the barrier.
    pub arrivals: usize,
    /// Expressions that `main` shows at the end.
    shown: Vec<String>,
    fresh: usize,
    /// Whether the second worker is created when the first one has ended: only where a deadlock is
    /// an answer.
    phases: bool,
}

/// Kinds of mutexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Recursive,
    ErrorCheck,
}

/// How often a thread holds what.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub mutex: [u32; 2],
    pub readers: u32,
    pub writer: bool,
    pub spin: bool,
    /// The mutex of `<threads.h>`.
    pub eleven: u32,
    /// The semaphore's value as far as a single thread knows.
    pub tokens: u32,
}

impl Generator {
    fn new(seed: u64, mode: Mode) -> Self {
        Self {
            rng: Rng::new(seed),
            mode,
            features: vec![],
            kinds: [Kind::Normal; 2],
            recursive: false,
            code: String::new(),
            indent: 0,
            held: Held::default(),
            nesting: 0,
            arrivals: 0,
            shown: vec![],
            fresh: 0,
            phases: mode == Mode::Any && seed % 8 == 3,
        }
    }

    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    pub fn line(&mut self, text: &str) {
        self.code += &"    ".repeat(self.indent);
        self.code += text;
        self.code.push('\n');
    }

    pub fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
        self.nesting += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.nesting -= 1;
        self.line("}");
    }

    /// A statement that mixes a value into what the thread has seen.
    pub fn note(&mut self, value: &str) {
        self.line(&format!("a = a * 3 + (unsigned char) ({value});"));
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// Now and then a thread does what it should not.
    pub fn slips(&mut self) -> bool {
        self.rng.one_in(match self.mode {
            Mode::Any => 12,
            Mode::Native => 60,
            Mode::Single => 1_000_000,
        })
    }

    fn pick_features(&mut self) {
        let count = match self.mode {
            Mode::Single => 4 + self.rng.below(3),
            _ => 1 + self.rng.below(3),
        };
        while self.features.len() < count {
            let feature = *self.rng.pick(&FEATURES);
            let fits = match feature {
                Verifier => self.mode == Mode::Any,
                Detach => self.mode != Mode::Single,
                _ => true,
            };
            if fits && !self.has(feature) {
                self.features.push(feature);
            }
        }
        if self.has(Condition) && !self.has(Mutex) {
            self.features.push(Mutex);
        }
        let kinds = [Kind::Normal, Kind::Recursive, Kind::ErrorCheck];
        self.kinds = [*self.rng.pick(&kinds), *self.rng.pick(&kinds)];
        self.recursive = self.rng.one_in(2);
        if self.rng.one_in(3) {
            self.kinds = [Kind::Normal; 2];
        }
    }

    fn declarations(&mut self) {
        self.line("static unsigned char g0@, g1@;");
        self.shown = vec!["g0@".into(), "g1@".into()];
        self.line("static pthread_t t1@, t2@;");
        self.line("static void quit@(unsigned char v) { g1@++; pthread_exit((void *) (long) v); }");
        for feature in self.features.clone() {
            self.declare(feature);
        }
    }

    fn declare(&mut self, feature: Feature) {
        match feature {
            Mutex => self.declare_mutexes(),
            Locks => self.declare_locks(),
            Condition => self.line("static pthread_cond_t c@ = PTHREAD_COND_INITIALIZER;"),
            ReadWrite => self.line("static pthread_rwlock_t rw@ = PTHREAD_RWLOCK_INITIALIZER;"),
            Spin => self.line("static pthread_spinlock_t sp@;"),
            Barrier => self.line("static pthread_barrier_t ba@;"),
            Semaphore => self.line("static sem_t se@;"),
            Once => {
                self.line("static pthread_once_t on@ = PTHREAD_ONCE_INIT;");
                self.line("static void first@(void) { g1@ += 3; g0@ = g1@; }");
            }
            Detach => self.line("static sem_t done@;"),
            Eleven => self.line("static mtx_t em@;"),
            Own => {
                self.line("static _Thread_local unsigned char own@ = 3;");
                self.line("static unsigned char *lent@ = &g1@;");
            }
            Keys => {
                self.line("static pthread_key_t key@;");
                self.line("static void drop@(void *v) { g0@ += (unsigned char) (long) v; g1@++; }");
            }
            Verifier => {}
            _ => self.declare_data(feature),
        }
    }

    /// Expressions whose values `main` shows at the end.
    pub fn show(&mut self, value: &str) {
        self.shown.push(value.to_string());
    }

    fn worker(&mut self, k: usize) {
        self.held = Held::default();
        self.line(&format!("static void *worker{k}@(void *arg) {{"));
        self.indent += 1;
        self.locals("(unsigned char) (long) arg");
        if self.has(Detach) && k == 2 && self.rng.one_in(2) {
            self.note("pthread_detach(pthread_self())");
        }
        let statements = 1 + self.rng.below(4);
        self.body(statements);
        if self.has(Detach) && k == 2 {
            self.line("sem_post(&done@);");
        }
        match self.rng.below(6) {
            0 | 1 => self.line("pthread_exit((void *) (long) a);"),
            2 => self.note("pthread_equal(pthread_self(), t1@) != 0"),
            3 => self.line("if (a == g0@) quit@(a + 1);"),
            _ => {}
        }
        self.line("return (void *) (long) a;");
        self.indent -= 1;
        self.line("}");
    }

    fn locals(&mut self, first: &str) {
        self.line(&format!("unsigned char a = {first}, r = 0;"));
        if self.has(Atomic) {
            self.line("unsigned char e = 0;");
        }
        if self.has(Semaphore) {
            self.line("int v = 0;");
        }
        if self.has(Heap) {
            self.line("struct cell@ *p = 0;");
        }
        if self.has(Struct) {
            self.line("struct pair@ q = { 0, 0 };");
        }
    }

    /// Top-level statements of a thread.
    fn body(&mut self, statements: usize) {
        let arrival = match self.has(Barrier) && self.arrivals < 2 {
            true => {
                self.arrivals += 1;
                Some(self.rng.below(statements + 1))
            }
            false => None,
        };
        for k in 0..=statements {
            if arrival == Some(k) {
                self.yields();
                self.note("pthread_barrier_wait(&ba@)");
            }
            if k < statements {
                self.yields();
                self.statement();
            }
        }
        if !self.slips() {
            self.release_all();
        }
    }

    pub fn yields(&mut self) {
        self.line("Y();");
    }

    pub fn statement(&mut self) {
        let plain = match self.mode {
            Mode::Single => 6,
            _ => 3,
        };
        if self.rng.one_in(plain) {
            return self.plain();
        }
        let feature = *self.rng.pick(&self.features.clone());
        self.feature_statement(feature);
    }

    fn feature_statement(&mut self, feature: Feature) {
        match feature {
            Mutex => self.mutex(),
            Locks => self.locks(),
            Eleven => self.eleven(),
            Own => self.own(),
            Keys => match self.rng.one_in(2) {
                true => self.note("pthread_setspecific(key@, (void *) (long) a)"),
                false => self.note("(long) pthread_getspecific(key@)"),
            },
            Condition => self.condition(),
            ReadWrite => self.read_write(),
            Spin => self.spin(),
            Semaphore => self.semaphore(),
            Once => self.line("pthread_once(&on@, first@);"),
            Barrier | Detach => self.plain(),
            Verifier => self.verifier(),
            _ => self.data(feature),
        }
    }

    /// A block of one or two statements.
    pub fn inner(&mut self, text: &str) {
        self.open(text);
        for _ in 0..1 + self.rng.below(2) {
            self.yields();
            if self.nesting > 2 || self.mode == Mode::Single {
                self.plain();
            } else {
                self.simple();
            }
        }
        self.close();
    }

    /// A statement that leaves no lock held.
    fn simple(&mut self) {
        let data = [Atomic, Heap, Pointer, Union, Fields, Recursion, Struct, Bytes, Once];
        let list: Vec<Feature> =
            self.features.iter().copied().filter(|f| data.contains(f)).collect();
        match list.is_empty() || self.rng.one_in(2) {
            true => self.plain(),
            false => {
                let feature = *self.rng.pick(&list);
                self.feature_statement(feature);
            }
        }
    }

    /// A statement on plain variables.
    pub fn plain(&mut self) {
        let k = self.rng.below(4);
        let (x, y) = if self.rng.one_in(2) { ("g0@", "g1@") } else { ("g1@", "g0@") };
        if self.mode == Mode::Any && self.rng.one_in(8) {
            // Not defined for some values.
            return match self.rng.below(3) {
                0 => self.line(&format!("r = (2147483647 + {x}) % 5;")),
                1 => self.line(&format!("r = -2147483647 - 2 * {x};")),
                _ => self.line(&format!("r = 1u << ({x} + 31);")),
            };
        }
        match self.rng.below(if self.nesting > 1 { 6 } else { 8 }) {
            0 => self.line(&format!("{x} = a;")),
            1 => self.line(&format!("{x} = {k};")),
            2 => self.note(x),
            3 => self.line(&format!("{x}++;")),
            4 => self.line(&format!("{x} = {y} + {k};")),
            5 => self.line(&format!("r = {x}; {y} = r;")),
            6 => {
                self.inner(&format!("if ({x} == {k})"));
                if self.rng.one_in(2) {
                    self.inner("else");
                }
            }
            _ => {
                let i = self.fresh("i");
                self.inner(&format!("for (unsigned char {i} = 0; {i} < 2; {i}++)"));
            }
        }
    }

    fn main(&mut self, workers: usize) {
        self.held = Held::default();
        self.line("static void run@(void) {");
        self.indent += 1;
        self.locals("1");
        self.line("void *result = 0;");
        self.initialise(workers);
        let before = self.rng.below(2);
        (0..before).for_each(|_| self.plain());
        let (detached, joined) = self.create(workers);
        let statements = match self.mode {
            Mode::Single => 6 + self.rng.below(8),
            _ => self.rng.below(3),
        };
        self.body(statements);
        let joins = self.mode != Mode::Any || !self.rng.one_in(4);
        for k in 1..=workers {
            if detached == Some(k) {
                self.line("sem_wait(&done@);");
            } else if joins && joined != Some(k) {
                self.join(k);
            }
        }
        self.shown.push("a".into());
        let shown = self.shown.clone();
        for (k, value) in shown.iter().enumerate() {
            self.line(&format!("unsigned char o{k} = (unsigned char) ({value});"));
        }
        let list: Vec<String> = (0..shown.len()).map(|k| format!("o{k}")).collect();
        let format = vec!["%d"; shown.len()].join(" ");
        self.line(&format!("printf(\"{format}\\n\", {});", list.join(", ")));
        self.indent -= 1;
        self.line("}");
    }

    fn initialise(&mut self, workers: usize) {
        if self.has(Mutex) {
            self.initialise_mutexes();
        }
        if self.has(Locks) {
            self.line("box@ = calloc(1, sizeof *box@);");
            self.note("pthread_mutex_init(&box@->m, 0)");
        }
        if self.has(Eleven) {
            let kind = if self.recursive { "mtx_timed | mtx_recursive" } else { "mtx_timed" };
            self.note(&format!("mtx_init(&em@, {kind})"));
        }
        if self.has(Keys) {
            self.note("pthread_key_create(&key@, drop@)");
        }
        if self.has(Spin) {
            self.line("pthread_spin_init(&sp@, 0);");
        }
        if self.has(Barrier) {
            // A program without enough arrivals waits for ever; those are few and known.
            let most = (workers + 1).min(2);
            self.line(&format!("pthread_barrier_init(&ba@, 0, {most});"));
        }
        if self.has(Semaphore) {
            let value = self.rng.below(3);
            self.held.tokens = value as u32;
            self.line(&format!("sem_init(&se@, 0, {value});"));
        }
        if self.has(Detach) {
            self.line("sem_init(&done@, 0, 0);");
        }
        self.initialise_data();
    }

    /// Creates the threads: the one that is detached, and the one that is joined already.
    fn create(&mut self, workers: usize) -> (Option<usize>, Option<usize>) {
        let detached = (self.has(Detach) && workers == 2).then_some(2);
        if workers == 2 && detached.is_none() && self.rng.one_in(5) {
            // Both run the same function.
            self.line("for (long k = 0; k < 2; k++)");
            self.line("    pthread_create(k ? &t2@ : &t1@, 0, worker1@, (void *) k);");
            return (None, None);
        }
        let phases = self.phases && workers == 2 && detached.is_none();
        for k in 1..=workers {
            let argument = self.rng.below(3);
            self.line(&format!("pthread_create(&t{k}@, 0, worker{k}@, (void *) {argument}L);"));
            if phases && k == 1 {
                self.join(1);
            }
        }
        let itself = self.code.contains("pthread_detach(pthread_self())");
        if detached.is_some() && !itself {
            self.note("pthread_detach(t2@)");
        }
        (detached, phases.then_some(1))
    }

    fn join(&mut self, worker: usize) {
        self.note(&format!("pthread_join(t{worker}@, &result)"));
        self.note("(long) result");
    }
}

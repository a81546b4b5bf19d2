//! The frame of a random program: variables, threads, and how statements nest.

use super::loops::Loop;
use super::statements::{ARRAY, COMPOUND_KINDS, LIFETIME, STATEMENT_KINDS};
use crate::base::{Id, Rng};
use crate::program::build::ProgramBuilder;
use crate::program::{ObjId, Program, Role, ThreadId, VarId};

/// What random programs are like.
#[derive(Clone, Debug)]
pub struct RandomOptions {
    /// Most threads, 1 to 4.
    pub threads: usize,
    /// Most statements of all threads together, not counting those that create threads.
    pub statements: usize,
    /// Most shared variables, at least 1.
    pub shared: usize,
    /// Largest width of a variable, 1 to 64. Small widths are more frequent.
    pub width: u32,
    /// Most mutexes.
    pub mutexes: usize,
    /// Whether there may be an array that is accessed by address.
    pub arrays: bool,
    /// Whether there may be loops.
    pub loops: bool,
    /// Whether there may be atomic sections.
    pub atomic_sections: bool,
    /// Whether there may be assumptions.
    pub assumes: bool,
    /// Whether some threads may be created again after they ended and were joined.
    pub reuse: bool,
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self {
            threads: 4,
            statements: 10,
            shared: 3,
            width: 4,
            mutexes: 2,
            arrays: true,
            loops: true,
            atomic_sections: true,
            assumes: true,
            reuse: true,
        }
    }
}

/// A random program; it is a function of the generator's state and the options.
pub fn random_program(rng: &mut Rng, options: &RandomOptions) -> Program {
    Generator::new(rng, options).run()
}

/// What a program is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    /// Everything.
    Mixed,
    /// Accesses by address.
    Arrays,
    /// Loops at the starts of threads, and who watches them.
    Starts,
    /// What threads do when they end, and who joins them.
    Ends,
}

/// An array whose elements are accessed by address.
pub(super) struct Array {
    pub(super) object: ObjId,
    /// The only thread that accesses it, if there is but one.
    pub(super) owner: Option<ThreadId>,
    /// What is left of a variable index.
    pub(super) index_mask: u128,
    /// Its lifetime, if it may end.
    pub(super) alive: Option<VarId>,
    /// Size in bytes.
    pub(super) size: u64,
}

pub(super) struct Generator<'a> {
    pub(super) b: ProgramBuilder,
    pub(super) rng: &'a mut Rng,
    pub(super) options: &'a RandomOptions,
    pub(super) threads: Vec<ThreadId>,
    pub(super) shared: Vec<VarId>,
    pub(super) mutexes: Vec<VarId>,
    /// A read-write lock, perhaps: its owner and its number of readers.
    pub(super) rwlock: Option<(VarId, VarId)>,
    pub(super) array: Option<Array>,
    /// The result of each thread, where it has one.
    pub(super) results: Vec<Option<VarId>>,
    pub(super) theme: Theme,
    /// Kinds of statements that this program has more of (Groce et al., Swarm testing, ISSTA
    /// 2012), and the kind of statement with a block.
    pub(super) favourites: ([usize; 2], usize),
    /// Locals of each thread, at least one.
    pub(super) locals: Vec<Vec<VarId>>,
    /// Statements that the current thread may still get.
    pub(super) left: usize,
    /// The loops that the current thread's cursor is in, the innermost last.
    pub(super) loops: Vec<Loop>,
    /// Number of names given to loop counters and inputs.
    pub(super) names: usize,
}

impl<'a> Generator<'a> {
    fn new(rng: &'a mut Rng, options: &'a RandomOptions) -> Self {
        let b = ProgramBuilder::new(4);
        let theme = match rng.below(6) {
            0 if options.arrays => Theme::Arrays,
            1 if options.loops => Theme::Starts,
            2 => Theme::Ends,
            _ => Theme::Mixed,
        };
        let kinds = match theme {
            Theme::Arrays => [ARRAY, LIFETIME],
            _ => [rng.below(STATEMENT_KINDS), rng.below(STATEMENT_KINDS)],
        };
        let favourites = (kinds, rng.below(COMPOUND_KINDS));
        Self {
            b,
            theme,
            favourites,
            results: vec![],
            rng,
            options,
            threads: vec![],
            shared: vec![],
            mutexes: vec![],
            rwlock: None,
            array: None,
            locals: vec![],
            left: 0,
            loops: vec![],
            names: 0,
        }
    }

    fn run(mut self) -> Program {
        self.declare();
        let threads = self.threads.clone();
        self.workers(&threads[1..]);
        self.left = self.share();
        self.main(threads[0], &threads[1..]);
        for &t in &threads {
            while self.options.loops && self.rng.one_in(6) {
                self.rewire(t);
            }
        }
        self.b.finish()
    }

    /// Number of statements for one thread.
    pub(super) fn share(&mut self) -> usize {
        let most = (self.options.statements / self.threads.len()).max(1);
        most.div_ceil(2) + self.rng.below(most / 2 + 1)
    }

    fn declare(&mut self) {
        let most = self.options.threads.clamp(1, 4);
        let threads =
            if most == 1 || self.rng.one_in(12) { 1 } else { 2 + self.rng.below(most - 1) };
        for k in 0..threads {
            let name = if k == 0 { "main".to_string() } else { format!("worker{k}") };
            let t = self.b.thread(&name);
            if k > 0 && self.options.reuse && self.rng.one_in(4) {
                self.b.reusable(t);
            }
            self.threads.push(t);
        }
        for k in 0..1 + self.rng.below(self.options.shared.max(1)) {
            let (width, init) = self.width_and_init();
            let v = self.b.shared(&format!("x{k}"), width, init);
            self.shared.push(v);
        }
        for k in 0..self.rng.below(self.options.mutexes + 1) {
            let m = self.b.mutex(&format!("m{k}"));
            self.mutexes.push(m);
        }
        if self.options.mutexes > 0 && self.rng.one_in(3) {
            let owner = self.b.mutex("rw");
            let readers = self.b.shared("rw.readers", 3, 0);
            self.b.program().vars[readers].role = Role::Readers;
            self.rwlock = Some((owner, readers));
        }
        for t in self.threads.clone() {
            let mut list = vec![];
            for k in 0..1 + self.rng.below(2) {
                let (width, init) = self.width_and_init();
                list.push(self.local_variable(t, &format!("l{k}"), width, init));
            }
            self.locals.push(list);
            let result = ((self.theme == Theme::Ends && !self.rng.one_in(3)) || self.rng.one_in(3))
                .then(|| {
                    let v = self.b.shared(&format!("T{}.result", t.index()), 2, 0);
                    self.b.program().vars[v].role = Role::Result(t);
                    v
                });
            self.results.push(result);
        }
        let about = self.theme == Theme::Arrays;
        if self.options.arrays && (about || !self.rng.one_in(3)) {
            self.declare_array();
        }
    }

    fn width_and_init(&mut self) -> (u32, u128) {
        let most = 1 + self.rng.below(self.options.width.clamp(1, 64) as usize);
        let width = 1 + self.rng.below(most) as u32;
        let init = if self.rng.one_in(3) { self.rng.next_u128() } else { 0 };
        (width, init)
    }

    /// An array of bytes and perhaps a two-byte leaf, with a gap or without, and perhaps another
    /// object behind it.
    fn declare_array(&mut self) {
        let init = |rng: &mut Rng| u128::from(rng.next_u64() & 1);
        let (layout, index_mask): (&[(u64, u32)], u128) = match self.rng.below(5) {
            0 => (&[(0, 8), (1, 8)], 3),
            1 => (&[(0, 8), (1, 8), (2, 8)], 3),
            2 => (&[(0, 16), (2, 8)], 3),
            3 => (&[(0, 8), (2, 16)], 3),
            // Too large for analyses that count places one by one.
            _ => (&[(0, 8), (4, 16), (38, 8)], 31),
        };
        let leaves: Vec<_> = layout.iter().map(|&(at, w)| (at, w, init(self.rng))).collect();
        let size = layout.iter().map(|&(at, w)| at + u64::from(w / 8)).max().unwrap_or(1);
        let (object, _) = self.b.object("a", 16, size, &leaves);
        if self.rng.one_in(2) {
            let leaf = (0, 8, init(self.rng));
            self.b.object("b", 16 + size + 1, 1, &[leaf]);
        }
        let alive = self.rng.one_in(3).then(|| {
            let alive = !self.rng.one_in(4);
            self.b.lifetime(object, alive)
        });
        let owner = self.rng.one_in(2).then(|| *self.rng.pick(&self.threads));
        self.array = Some(Array { object, owner, index_mask, alive, size });
    }

    /// Some statements, at least one; blocks in them nest up to `depth` deep.
    pub(super) fn block(&mut self, t: ThreadId, depth: usize) {
        self.statement(t, depth);
        while self.left > 0 && (depth == 2 || !self.rng.one_in(3)) {
            self.statement(t, depth);
        }
    }

    /// A new name.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A new local variable.
    pub(super) fn local_variable(
        &mut self,
        t: ThreadId,
        name: &str,
        width: u32,
        init: u128,
    ) -> VarId {
        self.b.local(t, &format!("T{}.{name}", t.index()), width, init)
    }
}

//! Statements on the objects of the thread library.

use super::generate::{Generator, Held, Kind, Mode};

const SOON: &str = "SOON()";

impl Generator {
    pub(super) fn declare_mutexes(&mut self) {
        // Recursive and error checking mutexes are initialised in `main`, some of them.
        self.line("static pthread_mutex_t m0@ = PTHREAD_MUTEX_INITIALIZER;");
        let by = match self.kinds[1] {
            Kind::Normal => "PTHREAD_MUTEX_INITIALIZER",
            Kind::Recursive => "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
            Kind::ErrorCheck => "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
        };
        self.line(&format!("static pthread_mutex_t m1@ = {by};"));
    }

    pub(super) fn initialise_mutexes(&mut self) {
        let kind = match self.kinds[0] {
            Kind::Normal => return,
            Kind::Recursive => "PTHREAD_MUTEX_RECURSIVE",
            Kind::ErrorCheck => "PTHREAD_MUTEX_ERRORCHECK",
        };
        self.line("pthread_mutexattr_t attr;");
        self.line("pthread_mutexattr_init(&attr);");
        self.line(&format!("pthread_mutexattr_settype(&attr, {kind});"));
        self.line("pthread_mutex_init(&m0@, &attr);");
    }

    /// Releases what the thread holds.
    pub(super) fn release_all(&mut self) {
        for k in 0..2 {
            for _ in 0..self.held.mutex[k] {
                self.note(&format!("pthread_mutex_unlock(&m{k}@)"));
            }
        }
        for _ in 0..self.held.readers + u32::from(self.held.writer) {
            self.line("pthread_rwlock_unlock(&rw@);");
        }
        if self.held.spin {
            self.line("pthread_spin_unlock(&sp@);");
        }
        for _ in 0..self.held.eleven {
            self.note("mtx_unlock(&em@)");
        }
        self.held = Held { tokens: self.held.tokens, ..Held::default() };
    }

    /// A call whose result is 0 if it takes something: then a block, and the release.
    fn attempt(&mut self, call: &str, release: &str) {
        self.line(&format!("r = (unsigned char) {call};"));
        self.note("r");
        self.open("if (r == 0)");
        self.yields();
        self.plain();
        self.line(release);
        self.close();
    }

    pub(super) fn mutex(&mut self) {
        let k = self.rng.below(2);
        let (kind, held) = (self.kinds[k], self.held.mutex[k]);
        if self.mode == Mode::Single {
            return self.single_mutex(k);
        }
        let slips = self.slips();
        match self.rng.below(6) {
            0 if held == 0 => self.attempt(
                &format!("pthread_mutex_trylock(&m{k}@)"),
                &format!("pthread_mutex_unlock(&m{k}@);"),
            ),
            1 if held == 0 && self.rng.one_in(3) => self.attempt(
                &format!("pthread_mutex_timedlock(&m{k}@, {SOON})"),
                &format!("pthread_mutex_unlock(&m{k}@);"),
            ),
            2 if kind != Kind::Normal || slips => {
                self.note(&format!("pthread_mutex_unlock(&m{k}@)"));
                if kind == Kind::Recursive || held == 1 {
                    self.held.mutex[k] = held.saturating_sub(1);
                }
            }
            3 if held > 0 => {
                self.note(&format!("pthread_mutex_unlock(&m{k}@)"));
                self.held.mutex[k] -= 1;
            }
            _ if held == 0 || kind == Kind::Recursive && held < 2 => {
                self.note(&format!("pthread_mutex_lock(&m{k}@)"));
                self.held.mutex[k] += 1;
            }
            _ if kind == Kind::ErrorCheck || slips || self.relocks() => {
                self.note(&format!("pthread_mutex_lock(&m{k}@)"));
            }
            _ => self.plain(),
        }
    }

    /// Whether a thread locks again what it has, and so waits for itself.
    fn relocks(&mut self) -> bool {
        self.mode == Mode::Any && self.rng.one_in(4)
    }

    /// Only what is defined, and every code is known.
    fn single_mutex(&mut self, k: usize) {
        let (kind, held) = (self.kinds[k], self.held.mutex[k]);
        let m = format!("&m{k}@");
        let takes = held == 0 || kind == Kind::Recursive;
        match self.rng.below(4) {
            0 if takes || kind == Kind::ErrorCheck => {
                self.note(&format!("pthread_mutex_lock({m})"));
                self.held.mutex[k] += u32::from(takes);
            }
            1 => {
                self.note(&format!("pthread_mutex_trylock({m})"));
                self.held.mutex[k] += u32::from(takes);
            }
            2 if takes || kind == Kind::ErrorCheck => {
                self.note(&format!("pthread_mutex_timedlock({m}, {SOON})"));
                self.held.mutex[k] += u32::from(takes);
            }
            _ if held > 0 || kind != Kind::Normal => {
                self.note(&format!("pthread_mutex_unlock({m})"));
                self.held.mutex[k] = held.saturating_sub(1);
            }
            _ if self.rng.one_in(2) => {
                self.note(&format!("pthread_mutex_destroy({m})"));
                self.note(&format!("pthread_mutex_init({m}, 0)"));
                self.kinds[k] = Kind::Normal;
            }
            _ => self.plain(),
        }
    }

    pub(super) fn declare_locks(&mut self) {
        let list = "{ PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER }";
        self.line(&format!("static pthread_mutex_t ms@[2] = {list};"));
        self.line("static struct { unsigned char v; pthread_mutex_t m; } *box@;");
        self.line("static pthread_mutex_t *chosen@ = &ms@[1];");
        self.show("box@->v");
    }

    /// A block under a mutex that is found at run time.
    pub(super) fn locks(&mut self) {
        let mutex = *self.rng.pick(&[
            "&ms@[a & 1]",
            "&ms@[g0@ & 1]",
            "&box@->m",
            "(a & 1) ? &ms@[0] : &box@->m",
            "chosen@",
        ]);
        self.open("");
        self.line(&format!("pthread_mutex_t *l = {mutex};"));
        let tries = self.rng.one_in(3);
        match tries {
            true => self.open("if (pthread_mutex_trylock(l) == 0)"),
            false => self.line("pthread_mutex_lock(l);"),
        }
        match self.rng.below(4) {
            0 => self.line("box@->v++;"),
            1 => self.note("box@->v"),
            2 => {
                let k = self.rng.below(2);
                self.line(&format!("chosen@ = &ms@[{k}];"));
            }
            _ => self.plain(),
        }
        self.yields();
        if !self.slips() {
            self.line("pthread_mutex_unlock(l);");
        }
        if tries {
            self.close();
        }
        self.close();
    }

    pub(super) fn condition(&mut self) {
        let wake = match self.rng.one_in(3) {
            true => "pthread_cond_broadcast(&c@)",
            false => "pthread_cond_signal(&c@)",
        };
        let single = self.mode == Mode::Single;
        let held = self.held.mutex[0];
        // A wait releases one lock of a recursive mutex only.
        if held == 0 && !self.slips() {
            self.note("pthread_mutex_lock(&m0@)");
        }
        let timed = format!("pthread_cond_timedwait(&c@, &m0@, {SOON})");
        match self.rng.below(if single { 2 } else { 8 }) {
            0 => self.note(wake),
            1 => self.note(&timed),
            2 => self.note("pthread_cond_wait(&c@, &m0@)"),
            3 | 4 => {
                // An error-checking mutex that the thread does not have lets no wait begin, and a
                // loop go on for ever.
                self.line("while (g0@ == 0)");
                self.line("    if (pthread_cond_wait(&c@, &m0@)) break;");
                self.note("g1@");
            }
            5 => {
                self.line("if (g0@ == 0)");
                self.line("    pthread_cond_wait(&c@, &m0@);");
                self.note("g0@");
            }
            _ => {
                self.line("g0@ = 1;");
                self.plain();
                self.note(wake);
            }
        }
        if held == 0 && !self.slips() {
            self.note("pthread_mutex_unlock(&m0@)");
        }
        if self.rng.one_in(3) {
            self.note(wake);
        }
    }

    pub(super) fn read_write(&mut self) {
        let Held { readers, writer, .. } = self.held;
        let free = readers == 0 && !writer;
        let single = self.mode == Mode::Single;
        let slips = self.slips();
        match self.rng.below(7) {
            0 if !writer && readers < 2 => {
                self.note("pthread_rwlock_rdlock(&rw@)");
                self.held.readers += 1;
            }
            1 if free || slips => {
                self.note("pthread_rwlock_wrlock(&rw@)");
                self.held.writer = true;
            }
            // Both give EDEADLK.
            0 if writer => self.note("pthread_rwlock_rdlock(&rw@)"),
            1 if writer => self.note("pthread_rwlock_wrlock(&rw@)"),
            2 if free && !single => {
                self.attempt("pthread_rwlock_tryrdlock(&rw@)", "pthread_rwlock_unlock(&rw@);");
            }
            3 if free && !single => {
                self.attempt("pthread_rwlock_trywrlock(&rw@)", "pthread_rwlock_unlock(&rw@);");
            }
            2 if single => {
                self.note("pthread_rwlock_tryrdlock(&rw@)");
                self.held.readers += u32::from(!writer);
            }
            3 if single => {
                self.note("pthread_rwlock_trywrlock(&rw@)");
                self.held.writer |= free;
            }
            4 if free && !single => {
                let kind = if self.rng.one_in(2) { "rd" } else { "wr" };
                self.attempt(
                    &format!("pthread_rwlock_timed{kind}lock(&rw@, {SOON})"),
                    "pthread_rwlock_unlock(&rw@);",
                );
            }
            _ if !free || slips => {
                self.note("pthread_rwlock_unlock(&rw@)");
                match writer {
                    true => self.held.writer = false,
                    false => self.held.readers = readers.saturating_sub(1),
                }
            }
            _ => self.plain(),
        }
    }

    pub(super) fn spin(&mut self) {
        let slips = self.slips();
        match (self.held.spin, self.rng.below(3)) {
            (true, 0) if self.mode == Mode::Single => self.note("pthread_spin_trylock(&sp@)"),
            (true, _) => {
                self.note("pthread_spin_unlock(&sp@)");
                self.held.spin = false;
            }
            (false, 0) if self.mode != Mode::Single => {
                self.attempt("pthread_spin_trylock(&sp@)", "pthread_spin_unlock(&sp@);");
            }
            (false, 1) if slips => self.note("pthread_spin_unlock(&sp@)"),
            (false, _) => {
                self.note("pthread_spin_lock(&sp@)");
                self.held.spin = true;
            }
        }
    }

    /// The mutex of `<threads.h>`, whose codes are others.
    pub(super) fn eleven(&mut self) {
        let (held, single) = (self.held.eleven, self.mode == Mode::Single);
        let takes = held == 0 || self.recursive && held < 3;
        match self.rng.below(5) {
            0 if takes && !single => self.attempt("mtx_trylock(&em@)", "mtx_unlock(&em@);"),
            0 if single => {
                self.note("mtx_trylock(&em@)");
                self.held.eleven += u32::from(held == 0 || self.recursive);
            }
            1 if takes && !single => {
                self.attempt(&format!("mtx_timedlock(&em@, {SOON})"), "mtx_unlock(&em@);");
            }
            2 | 3 if takes => {
                self.note("mtx_lock(&em@)");
                self.held.eleven += 1;
            }
            _ if held > 0 => {
                self.note("mtx_unlock(&em@)");
                self.held.eleven -= 1;
            }
            _ => self.line("thrd_yield();"),
        }
    }

    pub(super) fn semaphore(&mut self) {
        let single = self.mode == Mode::Single;
        match self.rng.below(6) {
            0 if !single || self.held.tokens > 0 => {
                self.note("sem_wait(&se@)");
                self.held.tokens = self.held.tokens.saturating_sub(1);
            }
            1 | 2 => {
                let call = match self.rng.one_in(3) {
                    true => format!("sem_timedwait(&se@, {SOON})"),
                    false => "sem_trywait(&se@)".to_string(),
                };
                self.line("errno = 0;");
                self.note(&call);
                self.note("errno");
                self.held.tokens = self.held.tokens.saturating_sub(1);
            }
            3 => {
                self.note("sem_getvalue(&se@, &v)");
                self.note("v");
            }
            _ => {
                self.note("sem_post(&se@)");
                self.held.tokens += 1;
            }
        }
    }

    /// What only a model checker knows.
    pub(super) fn verifier(&mut self) {
        match self.rng.below(6) {
            0 | 1 => {
                self.line("__VERIFIER_atomic_begin();");
                self.plain();
                if self.rng.one_in(3) {
                    self.simple_lock();
                }
                self.plain();
                self.line("__VERIFIER_atomic_end();");
            }
            2 => self.note("__VERIFIER_nondet_bool()"),
            3 => self.line("__VERIFIER_assume(g0@ < 2);"),
            4 => {
                let how = *self.rng.pick(&["exit(1);", "abort();", "pthread_exit(0);"]);
                self.line(&format!("if (g1@ == a) {how}"));
            }
            _ => self.line("__VERIFIER_assert(g0@ != 3 || g1@ != a);"),
        }
    }

    fn simple_lock(&mut self) {
        if self.has(super::generate::Feature::Mutex) {
            self.note("pthread_mutex_trylock(&m0@)");
        }
    }
}

//! Statements on shared memory of all kinds.

use super::generate::{Feature, Generator, Mode};

impl Generator {
    pub(super) fn declare_data(&mut self, feature: Feature) {
        match feature {
            Feature::Atomic => {
                self.line("static _Atomic unsigned char x@;");
                self.line("static _Atomic signed char y@;");
                self.line("static atomic_flag flag@ = ATOMIC_FLAG_INIT;");
                self.show("x@");
                self.show("y@");
            }
            Feature::Heap => {
                self.line("struct cell@ { unsigned char v; struct cell@ *next; };");
                self.line("static struct cell@ *h@;");
                self.show("h@ ? h@->v : 77");
                self.show("h@ && h@->next ? h@->next->v : 78");
            }
            Feature::Pointer => {
                self.line("static unsigned char plus@(unsigned char v) { return v + 1; }");
                self.line("static unsigned char last@(unsigned char v) { g1@ = v; return g0@; }");
                self.line("static unsigned char (*f@)(unsigned char) = plus@;");
                self.line("static unsigned char *d@ = &g0@;");
                self.show("*d@");
            }
            Feature::Union => {
                self.line("static union {");
                self.line("    unsigned char bytes[2];");
                self.line("    unsigned short word;");
                self.line("    struct { unsigned short low : 5, high : 11; } parts;");
                self.line("} u@;");
                self.show("u@.bytes[0]");
                self.show("u@.word >> 8");
            }
            Feature::Fields => {
                self.line("static struct { unsigned char a : 3, b : 4; signed char c : 4; } s@;");
                for field in ["a", "b", "c"] {
                    self.show(&format!("s@.{field}"));
                }
            }
            Feature::Recursion => {
                self.line("static unsigned char deep@(unsigned char n) {");
                self.line("    if (n == 0) return g0@;");
                self.line("    unsigned char below = deep@(n - 1);");
                self.line("    g1@ = below;");
                self.line("    return below + n;");
                self.line("}");
            }
            Feature::Struct => {
                self.line("struct pair@ { unsigned char x, y; };");
                self.line("static struct pair@ one@, two@;");
                self.line("static struct pair@ both@(struct pair@ p) {");
                self.line("    struct pair@ out = { p.y, g0@ };");
                self.line("    return out;");
                self.line("}");
                self.show("one@.x * 16 + one@.y");
                self.show("two@.x * 16 + two@.y");
            }
            _ => {
                self.line("static unsigned char w@[3];");
                self.line("static unsigned char z@[3] = \"ab\";");
                self.show("w@[0] + w@[1] * 5 + w@[2] * 25");
                self.show("z@[0] + z@[1] * 5 + z@[2] * 25");
            }
        }
    }

    pub(super) fn initialise_data(&mut self) {
        if self.has(Feature::Heap) {
            self.line("h@ = calloc(1, sizeof *h@);");
        }
    }

    pub(super) fn data(&mut self, feature: Feature) {
        match feature {
            Feature::Atomic => self.atomic(),
            Feature::Heap => self.heap(),
            Feature::Pointer => self.one_of(&[
                "f@ = plus@;",
                "f@ = last@;",
                "a = a * 3 + f@(a);",
                "d@ = &g1@;",
                "*d@ = a;",
                "a = a * 3 + *d@;",
                "(*d@)++;",
            ]),
            Feature::Union => self.one_of(&[
                "u@.bytes[0] = a;",
                "u@.bytes[1]++;",
                "u@.word += 300;",
                "a = a * 3 + u@.bytes[a & 1];",
                "a = a * 3 + (unsigned char) (u@.word >> 4);",
                "u@.parts.low = a;",
                "u@.parts.high++;",
                "a = a * 3 + u@.parts.low;",
            ]),
            Feature::Fields => self.one_of(&[
                "s@.a = a;",
                "s@.b = a + 1;",
                "s@.c--;",
                "s@.a++;",
                "a = a * 3 + s@.b;",
                "a = a * 3 + (unsigned char) s@.c;",
            ]),
            Feature::Recursion => self.one_of(&["a = a * 3 + deep@(a & 1);", "a = deep@(2);"]),
            Feature::Struct => self.one_of(&[
                "one@ = two@;",
                "two@ = one@;",
                "two@.y = a;",
                "q = both@(one@);",
                "one@ = both@(q);",
                "q = one@; a = a * 3 + q.y;",
                "one@.x++;",
            ]),
            _ => self.one_of(&[
                "memset(w@, a & 3, 2);",
                "memcpy(w@, z@, 3);",
                "memmove(z@ + 1, z@, 2);",
                "w@[a % 3] = a;",
                "a = a * 3 + z@[a % 3];",
                "z@[1]++;",
            ]),
        }
    }

    fn one_of(&mut self, list: &[&str]) {
        let text = *self.rng.pick(list);
        self.line(text);
    }

    pub(super) fn own(&mut self) {
        // What a thread has lent is gone with it.
        if self.mode == Mode::Any && self.rng.one_in(6) {
            return self.one_of(&["lent@ = &own@;", "(*lent@)++;"]);
        }
        self.one_of(&["own@ = a;", "own@++;", "a = a * 3 + own@;", "g0@ = own@;"]);
    }

    fn heap(&mut self) {
        if self.mode == Mode::Any && self.slips() {
            return self.one_of(&["free(h@);", "h@ = 0;", "h@ = h@->next;"]);
        }
        match self.rng.below(6) {
            0 | 1 if self.nesting == 0 => {
                // What is not initialised has too many values for the explorer.
                self.line("p = calloc(1, sizeof *p);");
                self.line("p->v = a;");
                match self.rng.below(4) {
                    3 => self.line("p = realloc(p, sizeof *p); a = a * 3 + p->v; free(p);"),
                    0 => self.line("p->next = h@; h@ = p;"),
                    1 => self.line("h@->next = p;"),
                    _ => self.line("a = a * 3 + p->v; free(p);"),
                }
            }
            2 => self.line("h@->v = a;"),
            3 => self.line("h@->v++;"),
            4 => self.line("if (h@->next) a = a * 3 + h@->next->v;"),
            _ => self.note("h@->v"),
        }
    }

    fn atomic(&mut self) {
        let var = *self.rng.pick(&["x@", "x@", "y@"]);
        let k = self.rng.below(4);
        let operation = *self.rng.pick(&["add", "sub", "or", "and", "xor"]);
        match self.rng.below(16) {
            0 => self.note(&format!("atomic_load(&{var})")),
            11 => self.note("atomic_flag_test_and_set(&flag@)"),
            12 => self.line("atomic_flag_clear(&flag@);"),
            13 => self.note(&format!("__atomic_nand_fetch(&g1@, {k}, __ATOMIC_SEQ_CST)")),
            14 => self.note(&format!("__sync_val_compare_and_swap(&g0@, {k}, a)")),
            15 => self.note("__atomic_exchange_n(&g1@, a, __ATOMIC_ACQ_REL)"),
            1 => self.line(&format!("atomic_store(&{var}, a);")),
            2 | 3 => self.note(&format!("atomic_fetch_{operation}(&{var}, {k})")),
            4 => self.note(&format!("atomic_exchange(&{var}, a)")),
            5 => {
                self.line(&format!("e = {k};"));
                self.note("atomic_compare_exchange_strong(&x@, &e, a)");
                self.note("e");
            }
            6 => self.note(&format!("{var}++")),
            7 => self.note(&format!("{var} += {k}")),
            8 => self.note(&format!("__atomic_fetch_{operation}(&g0@, a, __ATOMIC_SEQ_CST)")),
            9 => self.note(&format!("__sync_bool_compare_and_swap(&g0@, {k}, a)")),
            _ => self.note(&format!("__sync_{operation}_and_fetch(&g1@, {k})")),
        }
    }
}

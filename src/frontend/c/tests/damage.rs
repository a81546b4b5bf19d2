//! Damaged programs are refused or lowered, and never break anything.

use std::path::Path;

use super::harness::lower_text;
use crate::base::{Rng, with_deep_stack};
use crate::program::validate;

const SEED: u64 = 11;

/// Roughly the tokens of a C text.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![];
    let mut word = false;
    for c in text.chars() {
        let w = c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if w && word => last.push(c),
            _ => out.push(c.to_string()),
        }
        word = w;
    }
    out
}

fn programs() -> Vec<Vec<String>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/c");
    let mut files: Vec<_> =
        std::fs::read_dir(dir).expect("testdata/c").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let mut out = vec![];
    for f in files {
        let text = std::fs::read_to_string(&f).expect("a text");
        let lines = text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("//"));
        let text: String = lines.map(|l| format!("{l}\n")).collect();
        out.push(tokens(&text));
    }
    out.push(tokens(SAMPLE));
    out
}

/// What the programs of testdata lack.
const SAMPLE: &str = "struct s { int a[2]; struct { char c; long l; } in; struct s *next; };
    enum e { A, B = 3 }; union u { int i; char c; }; typedef struct s T;
    static T g = { { 1 }, .in.l = 3 }; T *f(T x, int n) { static int k; k += n; g = x; return &g; }
    int h(const char *p) { int s = 0; while (*p) s = s * 2 + *p++; return s; }
    void *w(void *q) { T v = *(T *)q; for (int i = 0; i < 2; i++) v.a[i]--; return f(v, 1); }
    int main(void) { pthread_t t[3]; T x = { 0 }, *p = &x; int i = 0; void *r; unsigned char c = 7;
      do { pthread_create(&t[i], 0, w, &x); } while (++i < 3); again: switch (i) {
      case 1 ... 2: c <<= i; break; default: i--; goto again; case 0: ; }
      p->next = p; p = (T[]){ x, [1].a[1] = 4 } + 1; pthread_join(t[0], &r); x = *f(*p, h(\"ab\"));
      return ({ int y = i ? c : A; (unsigned long)p % 3 + y / (i | 1) + sizeof(T); }) ? B : 0; }";

#[test]
fn damaged_programs_do_not_break_the_lowering() {
    with_deep_stack(|| {
        let mut rng = Rng::new(SEED);
        let programs = programs();
        let (mut good, mut bad) = (0, 0);
        for round in 0..1500 {
            let mut list = rng.pick(&programs).clone();
            for _ in 0..1 + rng.below(3) {
                let (i, j) = (rng.below(list.len()), rng.below(list.len()));
                match rng.below(4) {
                    0 => drop(list.remove(i)),
                    1 => list.insert(i, list[j].clone()),
                    2 => list.swap(i, j),
                    _ => list[i] = list[j].clone(),
                }
            }
            let text = list.concat();
            let result = std::panic::catch_unwind(|| match lower_text(&text) {
                Ok(p) => validate(&p).map(|()| true).map_err(|e| e.to_string()),
                Err(_) => Ok(false),
            });
            match result {
                Ok(Ok(true)) => good += 1,
                Ok(Ok(false)) => bad += 1,
                Ok(Err(e)) => panic!("seed {SEED}, round {round}: {e}\n{text}"),
                Err(_) => panic!("seed {SEED}, round {round}\n{text}"),
            }
        }
        assert!(good > 100 && bad > 100, "{good} lowered, {bad} refused: the test says little");
    });
}

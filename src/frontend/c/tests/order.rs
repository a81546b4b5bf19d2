//! The order of shared accesses is gcc's, as its gimple dumps show it.

use super::harness::lower_text;
use crate::program::{AccessKind, Place, accesses};

/// The accesses to global variables in `main`, in program order: `r:x`, `w:x`.
fn trace(statement: &str) -> String {
    let text = format!(
        "int x, y, z, a[4], *p = a; int r1, r2; struct s {{ int u, v; }} s, t;
        int g(void) {{ r1 = 1; return 2; }} int *q(void) {{ r2 = 1; return a; }}
        int f(int i, int j) {{ return i - j; }} int main(void) {{ {statement} return 0; }}"
    );
    let p = lower_text(&text).unwrap_or_else(|e| panic!("{e}"));
    let main = p.threads.iter().next().expect("main");
    let mut out = vec![];
    for e in &main.edges {
        if e.site.is_some() {
            continue;
        }
        for a in accesses(&p, e) {
            let name = match a.place {
                Place::Var(v) if p.vars[v].object.is_some() => p.vars[v].name.clone(),
                Place::Deref(_) => "*".into(),
                _ => continue,
            };
            let kind = if a.kind == AccessKind::Write { "w" } else { "r" };
            out.push(format!("{kind}:{name}"));
        }
    }
    out.dedup();
    out.join(" ")
}

#[test]
fn the_order_is_gccs() {
    for (statement, order) in [
        ("z = f(x, y);", "r:y r:x w:z"),
        ("a[x] = g();", "r:x w:r1 w:*"),
        ("x += g();", "w:r1 r:x w:x"),
        ("*q() = g();", "w:r2 w:r1 w:*"),
        ("a[x] = y;", "r:x r:y w:*"),
        ("*p = x;", "r:p r:x w:*"),
        ("z = x + g();", "w:r1 r:x w:z"),
        ("z = x - g();", "r:x w:r1 w:z"),
        ("z = x < g();", "w:r1 r:x w:z"),
        ("z = a[x] + g();", "r:x r:* w:r1 w:z"),
        ("z = x + (y + g());", "w:r1 r:y r:x w:z"),
        ("z = x++ + y;", "r:x w:x r:y w:z"),
        ("x += y;", "r:x r:y w:x"),
        ("x -= y++;", "r:y w:y r:x w:x"),
        ("*q() += g();", "w:r1 w:r2 r:* w:*"),
        ("z = g() ? x : 1;", "w:r1 r:x w:z"),
        ("z = x && y;", "r:x r:y w:z"),
        ("s = t;", "r:t.u w:s.u r:t.v w:s.v"),
        ("x; (void)y;", ""),
        ("if (x || y) z = 1;", "r:x r:y w:z"),
    ] {
        assert_eq!(trace(statement), order, "{statement}");
    }
}

//! The order of shared accesses is gcc's, as its gimple dumps show it; what gcc leaves out because
//! nobody wants the value is read all the same (C11 6.3.2.1, paragraph 2).

use super::harness::{lower_text, warnings};
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
        ("x; (void)y;", "r:x r:y"),
        ("if (x && y) z = 1;", "r:x r:y w:z"),
    ] {
        assert_eq!(trace(statement), order, "{statement}");
    }
}

#[test]
fn open_orders_are_warned_about() {
    let program = |statement: &str| {
        format!(
            "int x, y, a[3]; int set(int v) {{ x = v; return v; }} int get(void) {{ return x; }}
            int two(int u, int v) {{ return u + v; }} int main(void) {{\n{statement}\n return 0; }}"
        )
    };
    for bad in [
        "y = x + set(1);",
        "y = x++ * x;",
        "y = two(get(), set(2));",
        "x += set(3);",
        "a[set(1)] = x;",
        "if ((x = 1) == get()) y = 2;",
        "y = ({ x + set(1); });",
    ] {
        let found = warnings(&program(bad));
        assert_eq!(found.len(), 1, "{bad}: {found:?}");
        assert!(found[0].contains("user.c:3:") && found[0].contains("`x`"), "{}", found[0]);
    }
    for good in [
        "y = x + x;",
        "x = set(1);",
        "x = x + 1;",
        "y = x && set(1);",
        "y = x ? set(1) : x;",
        "y = (set(1), x);",
        "y = y + set(1);",
        "a[x] = a[0] + get();",
    ] {
        assert!(warnings(&program(good)).is_empty(), "{good}");
    }
}

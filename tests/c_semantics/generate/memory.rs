//! Memory: unions, bit-fields, nested structs, structs by value, strings, the heap, pointers of
//! all kinds, recursion, function pointers.
//!
//! Each statement is a block of its own whose parts are full expressions, so that no order is left
//! open. `@` names without a number are the program's globals.

use super::{Generator, Shape, TYPES, Uses};

/// Strings of at most seven characters.
const STRINGS: [&str; 6] = ["", "a", "ab", "ab\\0c", "\\377z", "1234567"];

impl Generator {
    /// A type that any bytes are a value of.
    fn raw(&mut self) -> &'static str {
        self.rng.pick::<&str>(&TYPES[1..12])
    }

    /// A scalar in `struct pair@`.
    fn member(&self, number: usize) -> String {
        let field = &self.fields[number];
        format!("{}{}", field.name, if field.len.is_some() { "[1]" } else { "" })
    }

    /// Globals and functions that the statements use.
    pub fn memory_declarations(&mut self) {
        let (a, b, c, d) = (self.raw(), self.raw(), self.raw(), self.raw());
        let first = self.member(0);
        self.bit_fields();
        let text = format!(
            "typedef __typeof__(sizeof 0) size@;
void *malloc(size@); void *calloc(size@, size@); void *realloc(void *, size@); void free(void *);
void *memset(void *, int, size@); void *memcpy(void *, const void *, size@);
void *memmove(void *, const void *, size@); int memcmp(const void *, const void *, size@);
size@ strlen(const char *); char *strcpy(char *, const char *); char *strcat(char *, const char *);
char *strncpy(char *, const char *, size@); int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size@); char *strchr(const char *, int);
char *strdup(const char *);
union u@ {{ {a} one; {b} two; unsigned char bytes[8]; unsigned short halves[4];
    struct {{ signed char low; {c} high; }} parts; struct bits@ bits; }} U@;
struct outer@ {{ {d} x; struct pair@ pair; struct bits@ bits; struct outer@ *next; {b} row[4]; }};
struct outer@ O@[2] = {{ {{ .x = 3, .next = &O@[1] }}, {{ 5, .next = O@, .row = {{ 1, [3] = 2 }} }} }};
char str@[20] = \"ab\";
const char *words@[3] = {{ \"abc\", str@, \"\" }};
static {d} add@({a} x, {b} y) {{ return x + y; }}
static {d} less@({a} x, {b} y) {{ return x < y ? x : y; }}
{d} (*table@[2])({a}, {b}) = {{ add@, less@ }}, (*op@)({a}, {b}) = less@;
static {d} apply@({d} (*f)({a}, {b}), {c} x) {{ return f(x, 2) - (*f)(1, x); }}
static {c} deep@(int n, {c} sum) {{ if (n <= 0) return sum; {c} next = sum * 3 + n; return deep@(n - 1, next) ^ n; }}
static int odd@(int n);
static int even@(int n) {{ return n == 0 ? 1 : odd@(n - 1); }}
static int odd@(int n) {{ return n == 0 ? 0 : even@(n - 1); }}
static long sum@(int n, ...) {{ __builtin_va_list l; long s = 1; __builtin_va_start(l, n); while (n-- > 0) s = s * 3 + __builtin_va_arg(l, int); __builtin_va_end(l); return s; }}
static struct pair@ turn@(struct pair@ p, {b} x) {{ p.{first} = x; return p; }}
static struct bits@ bits_of@(struct outer@ o, {a} x) {{ o.bits.b0 = x; o.x = 1; return o.bits; }}
static void set@({d} *to, {b} x, struct outer@ **o) {{ *to = x; *o = *o == O@ ? (*o)->next : O@; }}
"
        );
        for line in text.lines() {
            self.line(line);
        }
    }

    /// A struct with bit-fields of all types and widths, and a few other members.
    fn bit_fields(&mut self) {
        let mut members = String::new();
        for i in 0..5 {
            let (ty, most) = *self.rng.pick(&[
                ("int", 32),
                ("unsigned", 32),
                ("signed char", 8),
                ("unsigned short", 16),
                ("long long", 40),
                ("unsigned long", 32),
                ("_Bool", 1),
            ]);
            let width = 1 + self.rng.below(most);
            members += &format!(" {ty} b{i} : {width};");
            match self.rng.below(8) {
                0 => members += &format!(" {ty} : 0;"),
                1 => members += &format!(" {ty} : {};", 1 + self.rng.below(most)),
                2 => members += &format!(" char c{i};"),
                _ => {}
            }
        }
        self.line(&format!("struct bits@ {{{members} }} B@;"));
    }

    /// Mixes all of it into the result.
    pub fn memory_result(&mut self) {
        let mut parts: Vec<String> = (0..8).map(|i| format!("U@.bytes[{i}]")).collect();
        for object in ["B@", "O@[0].bits", "O@[1].bits", "U@.bits"] {
            parts.extend((0..5).map(|i| format!("{object}.b{i}")));
        }
        for i in 0..2 {
            parts.push(format!("O@[{i}].x"));
            parts.push(format!("O@[{i}].next - O@"));
            parts.extend((0..4).map(|k| format!("O@[{i}].row[{k}]")));
        }
        parts.extend((0..10).map(|i| format!("str@[{i}]")));
        // The bytes of a struct of bit-fields show how it is laid out; none of them is padding
        // that a store may have changed, as far as gcc goes.
        parts.push("sizeof(struct bits@) * 64 + sizeof(union u@) + sizeof(struct outer@)".into());
        for part in parts {
            self.mix(&part);
        }
    }

    /// A scalar to write; expressions of the same statement may not have been built before.
    fn sink(&mut self) -> String {
        let scalars: Vec<_> = (self.scope.iter())
            .filter(|v| v.writable && v.shape == Shape::Scalar)
            .map(|v| v.name.clone())
            .collect();
        if scalars.is_empty() { "result@".into() } else { self.rng.pick(&scalars).clone() }
    }

    /// A block about memory.
    pub fn memory(&mut self) {
        let (x, y) = (self.sink(), self.sink());
        self.uses = Uses::default();
        self.uses.written.extend([x.clone(), y.clone()]);
        let [e, f, g] = [2, 2, 1].map(|depth| self.expr(depth).text);
        let (k, t) = (self.rng.below(5), self.raw());
        let (first, second) = (self.member(0), self.member(1));
        let (l, m) = (self.fresh("l"), self.fresh("m"));
        let text = match self.rng.below(31) {
            0 => format!("U@.one = {e}; {x} = U@.bytes[({f}) & 7];"),
            1 => format!("U@.bytes[({e}) & 7] = {f}; {x} = U@.two; {y} = U@.halves[({g}) & 3];"),
            2 => format!("U@.parts.low = {e}; U@.parts.high = {f}; {x} = U@.one;"),
            3 => format!("U@.bits.b{k} = {e}; {x} = U@.bits.b{k}; {y} = U@.bytes[({f}) & 7];"),
            4 => format!("B@.b{k} = {e}; {x} = B@.b{k}++; {y} = --B@.b{k};"),
            5 => self.bits_compound(k, &e, &x),
            6 => format!("struct bits@ b = B@; b.b{k} = {e}; B@ = b; {x} = b.b{k} + sizeof b;"),
            7 => format!(
                "struct outer@ *o = ({e}) ? O@ : O@[0].next; o->x = {f}; o->pair.{first} = {g}; \
                 {x} = O@[1].x; o->bits.b{k} = O@[0].x; {y} = (&O@[1] == o) + (o - O@);"
            ),
            8 => "O@[0] = O@[1]; O@[0].next = &O@[1];".to_string(),
            9 => format!("O@[({e}) & 1].pair = turn@(O@[0].pair, {f}); {x} = O@[0].pair.{first};"),
            10 => format!("B@ = bits_of@(O@[({e}) & 1], {f}); {x} = bits_of@(O@[1], {g}).b{k};"),
            11 => format!("{x} = deep@(({e}) & 3, {f});"),
            12 => format!("int n = ({e}) & 3; {x} = even@(n) * 2 + odd@(n);"),
            13 => format!("{x} = table@[({e}) & 1]({f}, {g});"),
            14 => format!("op@ = ({e}) ? add@ : table@[1]; {x} = op@({f}, {g}) + (op@ == add@);"),
            15 => format!("{x} = apply@(({e}) ? op@ : less@, {f});"),
            16 | 17 => self.strings(&x, &y, &e),
            18 => format!(
                "{t} *p = malloc(({}) * sizeof *p); for (int i = 0; i < 4; i++) p[i] = i * 3; \
                 p[({e}) & 3] = {f}; {t} *q = p + (({g}) & 3); {x} = *q + p[3]; {y} = q - p; free(p);",
                4 + self.rng.below(2)
            ),
            19 => format!(
                "struct node {{ {t} v; struct node *next; }} *head = 0; int n = 0; \
                 for (int i = 0; i < 3; i++) {{ struct node *new = calloc(1, sizeof *new); \
                 if (i != (({e}) & 3)) new->v = i + 1; new->next = head; head = new; }} \
                 while (head) {{ struct node *rest = head->next; n = n * 5 + head->v; free(head); \
                 head = rest; }} {x} = n;"
            ),
            20 => format!(
                "{t} v = {e}; unsigned char *p = (unsigned char *) &v; \
                 p[({f}) & (sizeof v - 1)] ^= {g}; {x} = v; {y} = p[0];"
            ),
            21 => format!(
                "struct outer@ *o = O@; set@(&O@[({e}) & 1].x, {f}, &o); o->row[({g}) & 3]++; \
                 {x} = o - O@; {t} *r = &(({t}[4]) {{ 1, [2] = 7 }})[2]; {y} = *--r; {y} -= r[1];"
            ),
            22 => format!(
                "{t} *p = ({t} *) 0, **q = &p, v = {e}; *q = &v; **q += {f}; {x} = v + !p; \
                 struct outer@ *o = (struct outer@ *) ((char *) &O@[1].row - \
                 __builtin_offsetof(struct outer@, row)); {y} = o->x;"
            ),
            23 => format!(
                "int n = 1 + (({e}) & 3); {t} v[n]; for (int i = 0; i < n; i++) v[i] = i * 5 + n; \
                 {x} = v[(unsigned) ({f}) % n]; {y} = sizeof v + v[n - 1];"
            ),
            24 => format!(
                "{t} *p = malloc(2 * sizeof *p); p[0] = {e}; p[1] = {f}; \
                 p = realloc(p, 3 * sizeof *p); p[2] = {g}; {x} = p[1]; {y} = p[2] - p[0]; free(p);"
            ),
            25 => format!(
                "char *p = strdup(words@[0]); p[({e}) & 1] ^= 2; {x} = strlen(p) + p[0]; \
                 {y} = words@[0][0] + p[1]; free(p);"
            ),
            26 => format!(
                "static void *const to[] = {{ &&{l}, &&{m} }}; goto *to[({e}) & 1]; \
                 {l}: {x} = 3; {m}: {y} = {f}; {x} += 5;"
            ),
            27 => format!(
                "const __typeof__(L'a') *p = L\"a\\xe9z\"; unsigned short h[] = u\"\\u00e9b\"; \
                 {x} = p[({e}) & 3] + sizeof L\"ab\"; {y} = h[({f}) & 1] + U'\\U0001F600';"
            ),
            28 => format!(
                "unsigned u = {e}; {x} = __builtin_popcount(u) + __builtin_ffsll(u) * 7; \
                 {y} = __builtin_ctz(u | 4) - __builtin_clzl(u | 8ul) + __builtin_bswap32(u);"
            ),
            29 => format!("{x} = sum@(({e}) & 3, (int) ({f}), 5, (int) ({g}));"),
            _ => format!(
                "{x} = ({{ struct pair@ p = (struct pair@) {{ .{second} = {e} }}; p = turn@(p, {f}); \
                 __typeof__(p) q = p; (unsigned long long) q.{first}; }});"
            ),
        };
        self.line(&format!("{{ {text} }}"));
    }

    fn bits_compound(&mut self, k: usize, e: &str, x: &str) -> String {
        match self.rng.below(4) {
            0 => format!("B@.b{k} += {e}; {x} = B@.b{k} - 1;"),
            1 => format!("{x} = (B@.b{k} ^= {e});"),
            2 => format!("B@.b{k} <<= ({e}) & 7; {x} = B@.b{k} < 0;"),
            _ => format!("{x} = (B@.b{k} = {e}) + B@.b{};", (k + 1) % 5),
        }
    }

    fn strings(&mut self, x: &str, y: &str, e: &str) -> String {
        let s = *self.rng.pick(&STRINGS);
        match self.rng.below(9) {
            0 => format!("strcpy(str@, \"{s}\"); {x} = strlen(str@);"),
            1 => format!("str@[({e}) & 7] = \"{s}\"[0]; {x} = strlen(words@[1]);"),
            2 => format!(
                "int c = strcmp(words@[({e}) & 1], \"{s}\"); {x} = (c > 0) - (c < 0); \
                 {y} = sizeof \"{s}\";"
            ),
            3 => format!("strcpy(str@, \"{s}\"); strcat(str@, \"xy\"); {x} = str@[2];"),
            4 => format!("strncpy(str@, \"{s}\", ({e}) & 7); {x} = !strncmp(str@, \"a1\", 2);"),
            5 => format!("memset(str@, {e}, 3); memmove(str@ + 1, str@, 4); {x} = str@[4];"),
            6 => format!(
                "char *p = strchr(str@, 'b'); {x} = p ? p - str@ : -1; \
                 int c = memcmp(str@, \"ab\", 2); {y} = (c > 0) - (c < 0);"
            ),
            7 => format!("memcpy(&O@[0].row, &O@[1].row, sizeof O@[0].row); {x} = O@[0].row[3];"),
            _ => format!(
                "char copy[] = \"{s}\"; char *p = copy; int n = 0; while (*p) n = n * 7 + *p++; \
                 {x} = n; {y} = p - copy;"
            ),
        }
    }
}

/* Functions of the C library over modelled memory; `f` stands for the library's `f` without
   the prefix. */
typedef unsigned long lw_size;
void *lw_malloc(lw_size);
void __lw_keys_used_up(void);
void __lw_invalid_argument(void);
void __lw_handlers_used_up(void);

void *__lw_memset(void *d, int c, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        ((unsigned char *)d)[i] = (unsigned char)c;
    }
    return d;
}
void *__lw_memcpy(void *d, const void *s, lw_size n) {
    if ((lw_size)d - (lw_size)s < n || (lw_size)s - (lw_size)d < n) {
        __lw_invalid_argument();
    }
    for (lw_size i = 0; i < n; i++) {
        ((unsigned char *)d)[i] = ((const unsigned char *)s)[i];
    }
    return d;
}
void *__lw_memmove(void *d, const void *s, lw_size n) {
    unsigned char *to = d;
    const unsigned char *from = s;
    if (to <= from) {
        for (lw_size i = 0; i < n; i++) {
            to[i] = from[i];
        }
    } else {
        for (lw_size i = n; i > 0; i--) {
            to[i - 1] = from[i - 1];
        }
    }
    return d;
}
int __lw_memcmp(const void *a, const void *b, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        int x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
        if (x != y) {
            return x - y;
        }
    }
    return 0;
}
lw_size __lw_strlen(const char *s) {
    lw_size n = 0;
    while (s[n]) {
        n++;
    }
    return n;
}
char *__lw_strcpy(char *d, const char *s) {
    lw_size i = 0;
    for (;;) {
        char c = s[i];
        d[i] = c;
        if (!c) {
            break;
        }
        i++;
    }
    if ((lw_size)s - (lw_size)d <= i) {
        __lw_invalid_argument();
    }
    return d;
}
char *__lw_strncpy(char *d, const char *s, lw_size n) {
    lw_size i = 0, read = 0;
    for (; i < n; i++) {
        char c = s[i];
        read++;
        d[i] = c;
        if (!c) {
            break;
        }
    }
    for (; i < n; i++) {
        d[i] = 0;
    }
    if ((lw_size)s - (lw_size)d < n || (lw_size)d - (lw_size)s < read) {
        __lw_invalid_argument();
    }
    return d;
}
char *__lw_strcat(char *d, const char *s) {
    lw_size n = 0, i = 0;
    while (d[n]) {
        n++;
    }
    for (;;) {
        char c = s[i];
        d[n + i] = c;
        if (!c) {
            break;
        }
        i++;
    }
    if ((lw_size)s - (lw_size)d <= n + i) {
        __lw_invalid_argument();
    }
    return d;
}
int __lw_strcmp(const char *a, const char *b) {
    for (lw_size i = 0;; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y || !x) {
            return x - y;
        }
    }
}
int __lw_strncmp(const char *a, const char *b, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y || !x) {
            return x - y;
        }
    }
    return 0;
}
char *__lw_strchr(const char *s, int c) {
    for (lw_size i = 0;; i++) {
        char x = s[i];
        if (x == (char)c) {
            return (char *)s + i;
        }
        if (!x) {
            return 0;
        }
    }
}
char *__lw_strdup(const char *s) {
    lw_size n = 0;
    while (s[n]) {
        n++;
    }
    char *d = lw_malloc(n + 1);
    if (d) {
        for (lw_size i = 0; i <= n; i++) {
            d[i] = s[i];
        }
    }
    return d;
}
char *__lw_strndup(const char *s, lw_size most) {
    lw_size n = 0;
    while (n < most && s[n]) {
        n++;
    }
    char *d = lw_malloc(n + 1);
    if (d) {
        for (lw_size i = 0; i < n; i++) {
            d[i] = s[i];
        }
        d[n] = 0;
    }
    return d;
}
lw_size __lw_strnlen(const char *s, lw_size most) {
    lw_size n = 0;
    while (n < most && s[n]) {
        n++;
    }
    return n;
}
char *__lw_strncat(char *d, const char *s, lw_size most) {
    lw_size n = 0, i = 0;
    while (d[n]) {
        n++;
    }
    for (; i < most; i++) {
        char c = s[i];
        if (!c) {
            break;
        }
        d[n + i] = c;
    }
    d[n + i] = 0;
    return d;
}
char *__lw_strrchr(const char *s, int c) {
    char *found = 0;
    for (lw_size i = 0;; i++) {
        char x = s[i];
        if (x == (char)c) {
            found = (char *)s + i;
        }
        if (!x) {
            return found;
        }
    }
}
void *__lw_memchr(const void *s, int c, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        if (((const unsigned char *)s)[i] == (unsigned char)c) {
            return (char *)s + i;
        }
    }
    return 0;
}
void __lw_bzero(void *d, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        ((unsigned char *)d)[i] = 0;
    }
}
int __lw_abs(int x) {
    return x < 0 ? -x : x;
}
long __lw_labs(long x) {
    return x < 0 ? -x : x;
}

/* The time is any. */
struct lw_time {
    long seconds, part;
};
long __VERIFIER_nondet_lw_time(void);
long __lw_time(long *at) {
    long now = __VERIFIER_nondet_lw_time();
    if (at) {
        *at = now;
    }
    return now;
}
static long lw_below(long limit, long mask) {
    long part = __VERIFIER_nondet_lw_time() & mask;
    return part < limit ? part : part - limit;
}
int __lw_clock_gettime(int clock, void *at) {
    ((struct lw_time *)at)->seconds = __VERIFIER_nondet_lw_time();
    ((struct lw_time *)at)->part = lw_below(1000000000, 0x3fffffff);
    return 0;
}
int __lw_gettimeofday(void *at, void *zone) {
    ((struct lw_time *)at)->seconds = __VERIFIER_nondet_lw_time();
    ((struct lw_time *)at)->part = lw_below(1000000, 0xfffff);
    return 0;
}
int __lw_timespec_get(void *at, int base) {
    __lw_clock_gettime(0, at);
    return base;
}
long __lw_clock(void) {
    return __VERIFIER_nondet_lw_time();
}
int __lw_rand_r(unsigned *seed) {
    *seed = __VERIFIER_nondet_lw_time();
    return __VERIFIER_nondet_lw_time() & 0x7fffffff;
}

static int lw_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
long __lw_atol(const char *s) {
    long n = 0;
    int minus = 0;
    while (lw_space(*s)) {
        s++;
    }
    if (*s == '-' || *s == '+') {
        minus = *s == '-';
        s++;
    }
    while (*s >= '0' && *s <= '9') {
        n = n * 10 + (*s - '0');
        s++;
    }
    return minus ? -n : n;
}
int __lw_atoi(const char *s) {
    return (int)__lw_atol(s);
}
char *__lw_strstr(const char *s, const char *part) {
    for (lw_size i = 0;; i++) {
        lw_size n = 0;
        while (part[n] && s[i + n] == part[n]) {
            n++;
        }
        if (!part[n]) {
            return (char *)s + i;
        }
        if (!s[i]) {
            return 0;
        }
    }
}
int __lw_toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}
int __lw_tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* What gcc counts in words. */
int __lw___builtin_popcountll(unsigned long long x) {
    int n = 0;
    for (int i = 0; i < 64; i++) {
        n += x >> i & 1;
    }
    return n;
}
int __lw___builtin_popcount(unsigned x) {
    return __lw___builtin_popcountll(x);
}
int __lw___builtin_popcountl(unsigned long x) {
    return __lw___builtin_popcountll(x);
}
int __lw___builtin_parity(unsigned x) {
    return __lw___builtin_popcountll(x) & 1;
}
int __lw___builtin_ctzll(unsigned long long x) {
    int n = 0;
    if (!x) {
        __builtin_unreachable();
    }
    while (!(x >> n & 1)) {
        n++;
    }
    return n;
}
int __lw___builtin_ctz(unsigned x) {
    return __lw___builtin_ctzll(x);
}
int __lw___builtin_ctzl(unsigned long x) {
    return __lw___builtin_ctzll(x);
}
int __lw___builtin_clzll(unsigned long long x) {
    int n = 0;
    if (!x) {
        __builtin_unreachable();
    }
    while (!(x >> (63 - n) & 1)) {
        n++;
    }
    return n;
}
int __lw___builtin_clz(unsigned x) {
    return __lw___builtin_clzll(x) - 32;
}
int __lw___builtin_clzl(unsigned long x) {
    return __lw___builtin_clzll(x) - (64 - 8 * (int)sizeof x);
}
int __lw___builtin_ffsll(unsigned long long x) {
    return x ? __lw___builtin_ctzll(x) + 1 : 0;
}
int __lw___builtin_ffs(unsigned x) {
    return __lw___builtin_ffsll(x);
}
int __lw___builtin_ffsl(unsigned long x) {
    return __lw___builtin_ffsll(x);
}
unsigned __lw___builtin_bswap32(unsigned x) {
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
unsigned long long __lw___builtin_bswap64(unsigned long long x) {
    return (unsigned long long)__lw___builtin_bswap32(x) << 32 | __lw___builtin_bswap32(x >> 32);
}

/* Text that is written to memory is any that fits, with any length. */
char __VERIFIER_nondet_lw_char(void);
unsigned __VERIFIER_nondet_lw_length(void);
int __lw_snprintf(char *d, lw_size n, const char *format, ...) {
    int length = __VERIFIER_nondet_lw_length() & 0x7fffffff;
    if (n > 0) {
        lw_size end = length < n ? length : n - 1;
        for (lw_size i = 0; i < end; i++) {
            d[i] = __VERIFIER_nondet_lw_char();
        }
        d[end] = 0;
    }
    return length;
}
int __lw_vsnprintf(char *d, lw_size n, const char *format, void *arguments) {
    return __lw_snprintf(d, n, format);
}
static _Thread_local char lw_message[4];
char *__lw_strerror(int error) {
    for (int i = 0; i < 3; i++) {
        lw_message[i] = __VERIFIER_nondet_lw_char();
    }
    return lw_message;
}

/* LW_KEYS is the bound on the number of functions, too. */
static void (*lw_handlers[LW_KEYS])(void);
static _Atomic unsigned lw_handler_count;
int __lw_atexit(void (*f)(void)) {
    unsigned k = lw_handler_count++;
    if (k >= LW_KEYS) {
        __lw_handlers_used_up();
    }
    lw_handlers[k] = f;
    return 0;
}
void __lw_run_exit_handlers(void) {
    while (lw_handler_count > 0) {
        unsigned k = --lw_handler_count;
        void (*f)(void) = lw_handlers[k];
        if (f) {
            f();
        }
    }
}

/* Keys of values of each thread. LW_KEYS is the bound on their number. As in glibc, a key exists
   while its number is odd, and a value counts only while that is what it was when it was set. */
typedef void (*lw_destructor)(void *);
struct lw_specific {
    unsigned number;
    void *value;
};
static _Atomic unsigned lw_number[LW_KEYS];
static lw_destructor lw_destructors[LW_KEYS];
static _Thread_local struct lw_specific lw_values[LW_KEYS];

int __lw_pthread_key_create(unsigned *key, lw_destructor destructor) {
    for (unsigned k = 0; k < LW_KEYS; k++) {
        unsigned old = lw_number[k];
        if (old % 2 == 0 && __sync_bool_compare_and_swap(&lw_number[k], old, old + 1)) {
            lw_destructors[k] = destructor;
            *key = k;
            return 0;
        }
    }
    __lw_keys_used_up();
    return 11;
}
int __lw_pthread_key_delete(unsigned key) {
    if (key < LW_KEYS) {
        unsigned old = lw_number[key];
        if (old % 2 == 1 && __sync_bool_compare_and_swap(&lw_number[key], old, old + 1)) {
            return 0;
        }
    }
    return 22;
}
int __lw_pthread_setspecific(unsigned key, const void *value) {
    if (key >= LW_KEYS || lw_number[key] == 0) {
        __lw_invalid_argument();
    }
    unsigned number = lw_number[key];
    if (number % 2 == 0) {
        return 22;
    }
    lw_values[key].number = number;
    lw_values[key].value = (void *)value;
    return 0;
}
void *__lw_pthread_getspecific(unsigned key) {
    if (key >= LW_KEYS || lw_number[key] == 0) {
        __lw_invalid_argument();
    }
    if (lw_values[key].number != lw_number[key]) {
        return 0;
    }
    return lw_values[key].value;
}
void __lw_run_destructors(void) {
    for (int round = 0; round < 4; round++) {
        int again = 0;
        for (unsigned k = 0; k < LW_KEYS; k++) {
            void *value = lw_values[k].value;
            if (value) {
                lw_values[k].value = 0;
                if (lw_values[k].number == lw_number[k]) {
                    lw_destructor destructor = lw_destructors[k];
                    if (destructor) {
                        destructor(value);
                        again = 1;
                    }
                }
            }
        }
        if (!again) {
            return;
        }
    }
}
int __lw_tss_create(unsigned *key, lw_destructor destructor) {
    return __lw_pthread_key_create(key, destructor) ? 2 : 0;
}
void __lw_tss_delete(unsigned key) {
    __lw_pthread_key_delete(key);
}
int __lw_tss_set(unsigned key, void *value) {
    return __lw_pthread_setspecific(key, value) ? 2 : 0;
}
void *__lw_tss_get(unsigned key) {
    return __lw_pthread_getspecific(key);
}

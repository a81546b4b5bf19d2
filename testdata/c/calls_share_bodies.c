// assert: SAFE
// race: SAFE
// options: --inline-limit 0
#include <assert.h>
#include <pthread.h>

// Every function is one body in a thread, whoever calls it.

struct pair {
    int low, high;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static int hits;

static struct pair sorted(int a, int b) {
    struct pair p = { a, b };
    if (b < a) {
        p.low = b;
        p.high = a;
    }
    return p;
}

static void raise(int *cell, int by) {
    *cell += by;
}

// The parameter has an address, which is another object in each call.
static int twice(int n) {
    raise(&n, n);
    return n;
}

static int pick(int (*f)(int), int n) {
    return f(n) + f(n + 1);
}

static int early(int n) {
    for (int i = 0; i < 3; i++) {
        if (i == n)
            return 10 * i;
    }
    return -1;
}

static void enter(void) {
    pthread_mutex_lock(&lock);
}

static void leave(void) {
    pthread_mutex_unlock(&lock);
}

static void deposit(int n) {
    enter();
    raise(&balance, n);
    leave();
}

// Called inside of an atomic section and outside of one.
static int next(int n) {
    return n + 1;
}

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void hit(void) {
    __VERIFIER_atomic_begin();
    hits = next(hits);
    __VERIFIER_atomic_end();
}

static void *depositor(void *unused) {
    deposit(next(1));
    deposit(3);
    hit();
    return unused;
}

int main(void) {
    pthread_t t;
    struct pair p = sorted(5, 2), q = sorted(p.high, 7);
    assert(p.low == 2 && p.high == 5 && q.low == 5 && q.high == 7);
    assert(twice(3) == 6);
    assert(twice(twice(2)) == 8);
    assert(pick(twice, 1) == 6 && pick(early, 1) == 30 && pick(next, 4) == 11);
    assert(early(0) == 0 && early(2) == 20 && early(5) == -1);
    pthread_create(&t, 0, depositor, 0);
    deposit(7);
    hit();
    pthread_join(t, 0);
    enter();
    assert(balance == 12);
    leave();
    assert(hits == 2);
    return 0;
}

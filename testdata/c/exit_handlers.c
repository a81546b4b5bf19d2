// assert: SAFE
// What atexit was given runs in reverse order at exit and at the end of main, but not at _Exit.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int n;

static void last(void)
{
    assert(n == 2);
    n = 3;
}

static void first(void)
{
    assert(n == 1);
    n = 2;
}

static void never(void)
{
    assert(0);
}

int main(void)
{
    int k = __VERIFIER_nondet_int();
    atexit(last);
    atexit(first);
    n = 1;
    if (k == 1) {
        exit(1);
    }
    if (k == 2) {
        atexit(never);
        _Exit(1);
    }
    return 0;
}

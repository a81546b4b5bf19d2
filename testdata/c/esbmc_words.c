// assert: UNSAFE
// ESBMC's words for assumptions, assertions and atomic sections.
#include <pthread.h>

void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
unsigned nondet_uint(void);

static unsigned total;

static void *add(void *arg) {
    unsigned more = nondet_uint();
    __ESBMC_assume(more < 3);
    __ESBMC_atomic_begin();
    total = total + more;
    __ESBMC_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __ESBMC_assert(total <= 4, "no more");
    __ESBMC_assert(total != 4, "less"); // FAIL
    return 0;
}

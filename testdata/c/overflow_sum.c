// overflow: UNSAFE
// Two threads add what the user gives.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *f(void *arg) {
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    sum += n; // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}

static void *g(void *arg) {
    int n = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    sum += n; // FAIL
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

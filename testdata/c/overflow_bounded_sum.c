// overflow: SAFE
// What is added is small; the unsigned sum may wrap around.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int sum;
unsigned all = 4294967295u;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *f(void *arg) {
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    pthread_mutex_lock(&m);
    sum += n;
    all++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *g(void *arg) {
    return f(arg);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

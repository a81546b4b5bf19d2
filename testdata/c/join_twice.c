// undefined: UNSAFE
// A thread is joined once; one that is detached is not joined at all.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_t shared;

void *work(void *arg) {
    return arg;
}

void wait_for(pthread_t t) {
    pthread_join(t, 0); // FAIL
}

void *joins(void *arg) {
    pthread_join(shared, 0); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b, both[2], u;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        pthread_create(&a, 0, work, 0);
        pthread_join(a, 0);
        pthread_join(a, 0); // FAIL
        break;
    case 1:
        pthread_create(&a, 0, work, 0);
        pthread_create(&b, 0, work, 0);
        wait_for(a);
        wait_for(__VERIFIER_nondet_int() ? a : b);
        break;
    case 2:
        for (int i = 0; i < 2; i++) {
            pthread_create(&both[i], 0, work, 0);
        }
        for (int i = 0; i < 2; i++) {
            pthread_join(both[i], 0);
        }
        pthread_join(both[1], 0); // FAIL
        break;
    case 3:
        pthread_create(&a, 0, work, 0);
        pthread_detach(a);
        pthread_join(a, 0); // FAIL
        break;
    case 4:
        pthread_create(&a, 0, work, 0);
        pthread_join(a, 0);
        pthread_detach(a); // FAIL
        break;
    case 5:
        pthread_create(&shared, 0, work, 0);
        pthread_create(&u, 0, joins, 0);
        pthread_join(shared, 0); // FAIL
        break;
    case 6:
        pthread_create(&a, 0, work, 0);
        pthread_join(a, 0);
        pthread_create(&a, 0, work, 0);
        pthread_join(a, 0);
        break;
    }
    return 0;
}

// undefined: UNSAFE
// A key is used that was never created.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_key_t key, other;

int main(void) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
        pthread_setspecific(key, &key); // FAIL
        break;
    case 1:
        pthread_getspecific(77); // FAIL
        break;
    case 2:
        pthread_key_create(&other, 0);
        pthread_setspecific(other, &key);
        break;
    }
    return 0;
}

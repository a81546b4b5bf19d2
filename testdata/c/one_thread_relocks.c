// deadlock: UNSAFE
// Main alone waits for itself where the sum is odd.
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_uint() % 2) {
        pthread_mutex_lock(&m); // FAIL
    }
    pthread_mutex_unlock(&m);
    return 0;
}

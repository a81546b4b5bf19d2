// race: UNSAFE
// deadlock: SAFE
// Threads and a shared variable, and no lock anywhere.
#include <pthread.h>
int x;
void *write(void *arg) {
    x = 1; // FAIL
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    int seen = x; // FAIL
    pthread_join(t, 0);
    return seen;
}

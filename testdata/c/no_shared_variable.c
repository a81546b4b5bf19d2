// assert: SAFE
// race: SAFE
// deadlock: SAFE
// Two threads, and nothing that both touch.
#include <assert.h>
#include <pthread.h>
void *count(void *arg) {
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += i;
    }
    assert(n == 3);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    count(0);
    pthread_join(t, 0);
    return 0;
}

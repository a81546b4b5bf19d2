// assert: SAFE
// Each thread gets its own argument on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int sum[2];

void *worker(void *arg) {
    int *p = arg;
    sum[*p] = *p + 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        pthread_create(&t[i], 0, worker, p);
    }
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(sum[0] == 1 && sum[1] == 2);
    return 0;
}

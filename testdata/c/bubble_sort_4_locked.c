// assert: SAFE
// bounded: UNKNOWN
// Two threads bubble-sort the same 4 elements, 3 passes each. Comparing and swapping are under one
// lock, so that the passes of either thread sort.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIZE 4

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char a[SIZE];

void *sorter(void *arg) {
    for (int pass = 0; pass < SIZE - 1; pass++)
        for (int i = 0; i < SIZE - 1; i++) {
            pthread_mutex_lock(&m);
            if (a[i] > a[i + 1]) {
                unsigned char t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
            pthread_mutex_unlock(&m);
        }
    return 0;
}

int main(void) {
    pthread_t s, t;
    for (int i = 0; i < SIZE; i++)
        a[i] = __VERIFIER_nondet_uchar();
    pthread_create(&s, 0, sorter, 0);
    pthread_create(&t, 0, sorter, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    for (int i = 0; i < SIZE - 1; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}

// assert: UNSAFE
// bounded: UNKNOWN
// Two threads bubble-sort the same 4 elements, 3 passes each. A thread compares outside of the lock and swaps
// inside: by then the two may be in order, and the swap undoes it.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIZE 4

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char a[SIZE];

void *sorter(void *arg) {
    for (int pass = 0; pass < SIZE - 1; pass++)
        for (int i = 0; i < SIZE - 1; i++) {
            if (a[i] > a[i + 1]) {
                pthread_mutex_lock(&m);
                unsigned char t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                pthread_mutex_unlock(&m);
            }
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
        assert(a[i] <= a[i + 1]); // FAIL
    return 0;
}

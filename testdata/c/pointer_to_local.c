// assert: SAFE
// main lends its local variables to two threads; a helper swaps through pointers.
#include <assert.h>
#include <pthread.h>

struct job {
    int in, out;
};

void *twice(void *arg) {
    struct job *j = arg;
    j->out = 2 * j->in;
    return 0;
}

void swap(int *p, int *q) {
    int t = *p;
    *p = *q;
    *q = t;
}

int main(void) {
    pthread_t a, b;
    struct job first = {3, 0}, second = {4, 0};
    pthread_create(&a, 0, twice, &first);
    pthread_create(&b, 0, twice, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    swap(&first.out, &second.out);
    assert(first.out == 8 && second.out == 6);
    return 0;
}

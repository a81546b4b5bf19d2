// assert: UNSAFE
// Two visitors count themselves; one may overwrite the other's count.
#include <assert.h>
#include <pthread.h>

int visitors;

void *visit(void *arg) {
    int seen = visitors;
    visitors = seen + 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(visitors == 2); // FAIL
    return 0;
}

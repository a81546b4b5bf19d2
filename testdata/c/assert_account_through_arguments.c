// assert: UNSAFE
#include <assert.h>
#include <pthread.h>
int bal = 1000;
void *tx(void *q) {
    int c = bal;
    c += *(int *)q;
    bal = c;
    return 0;
}
int main(void) {
    pthread_t a, b;
    int d1 = -3000, d2 = 9000;
    pthread_create(&a, 0, tx, &d1);
    pthread_create(&b, 0, tx, &d2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(bal == 7000); // FAIL
    return 0;
}

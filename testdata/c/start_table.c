// assert: SAFE
// Main fills a table before it creates threads; circuits start behind that.
#include <assert.h>
#include <pthread.h>

unsigned char square[12];

void *user(void *unused) {
    assert(square[11] == 121);
    return unused;
}

int main(void) {
    pthread_t t;
    for (unsigned k = 0; k < 12; k++)
        square[k] = k * k;
    pthread_create(&t, 0, user, 0);
    assert(square[5] == 25);
    pthread_join(t, 0);
    return 0;
}

// assert: UNSAFE
// A sequence lock whose number has three bits: after four writes it is what it was, and the reader
// does not see that it was overtaken.
#include <assert.h>
#include <pthread.h>

unsigned seq;
_Bool left, right;

void *writer(void *arg) {
    unsigned number = 0;
    _Bool version = 0;
    for (;;) {
        version = !version;
        number = (number + 1) & 7;
        seq = number;
        left = version;
        right = version;
        number = (number + 1) & 7;
        seq = number;
    }
    return 0;
}

void *reader(void *arg) {
    unsigned before = seq;
    _Bool x = left;
    _Bool y = right;
    if (before % 2 == 0 && seq == before)
        assert(x == y); // FAIL
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(b, 0);
    return 0;
}

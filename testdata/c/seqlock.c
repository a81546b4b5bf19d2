// assert: SAFE
// A sequence lock: the writer makes the number odd while it writes; a reader that saw the same even
// number before and after has read one version. Two writes, one reader.
#include <assert.h>
#include <pthread.h>

#define WRITES 2

unsigned seq;
int left, right;

void *writer(void *arg) {
    for (int i = 1; i <= WRITES; i++) {
        seq++;
        left = i;
        right = i;
        seq++;
    }
    return 0;
}

void *reader(void *arg) {
    unsigned before = seq;
    int x = left;
    int y = right;
    if (before % 2 == 0 && seq == before)
        assert(x == y);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

// race: UNSAFE
// A byte of the word that the other thread writes.
#include <pthread.h>

union word {
    int whole;
    unsigned char byte[4];
} word;

static void *f(void *arg) {
    word.whole = 1; // FAIL
    return 0;
}

static void *g(void *arg) {
    return word.byte[3] ? arg : 0; // FAIL
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

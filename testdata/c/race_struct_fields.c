// race: SAFE
// The threads write different fields.
#include <pthread.h>

struct pair {
    char first;
    char second;
} pair;

static void *f(void *arg) {
    pair.first = 1;
    return 0;
}

static void *g(void *arg) {
    pair.second = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

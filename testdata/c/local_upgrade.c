// deadlock:local: UNSAFE
// A reader that wants to write waits for all readers to go, and is one of them. The locks are behind
// pointers: only the second one is upgraded.
#include <pthread.h>

struct table {
    pthread_rwlock_t lock;
    int entries;
} tables[2];

void *grow(void *arg) {
    struct table *t = arg;
    pthread_rwlock_rdlock(&t->lock);
    if (t->entries == 7) {
        pthread_rwlock_wrlock(&t->lock); // FAIL
        t->entries++;
        pthread_rwlock_unlock(&t->lock);
    }
    pthread_rwlock_unlock(&t->lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_rwlock_init(&tables[0].lock, 0);
    pthread_rwlock_init(&tables[1].lock, 0);
    tables[1].entries = 7;
    pthread_create(&a, 0, grow, &tables[0]);
    pthread_create(&b, 0, grow, &tables[1]);
    for (;;) {
    }
}

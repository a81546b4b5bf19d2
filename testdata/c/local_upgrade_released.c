// deadlock:local: SAFE
// As local_upgrade, but what is read is given back before the lock is taken for writing; and one thread
// reads twice.
#include <pthread.h>

struct table {
    pthread_rwlock_t lock;
    int entries;
} tables[2];

void *grow(void *arg) {
    struct table *t = arg;
    pthread_rwlock_rdlock(&t->lock);
    pthread_rwlock_rdlock(&t->lock);
    pthread_rwlock_unlock(&t->lock);
    int full = t->entries == 7;
    pthread_rwlock_unlock(&t->lock);
    if (full) {
        pthread_rwlock_wrlock(&t->lock);
        t->entries++;
        pthread_rwlock_unlock(&t->lock);
    }
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

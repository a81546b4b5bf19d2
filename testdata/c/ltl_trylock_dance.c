// ltl,fair:F (ended(left) && ended(right)): UNSAFE
// ltl:G !(left@both && right@both): SAFE
// Two threads take two locks in opposite order; each lets go of its first lock where the second one
// is busy, and tries again: they may do so for ever.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *left(void *arg) {
    for (;;) {
        pthread_mutex_lock(&a);
        if (pthread_mutex_trylock(&b) == 0)
            break;
        pthread_mutex_unlock(&a);
    }
both:
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *right(void *arg) {
    for (;;) {
        pthread_mutex_lock(&b);
        if (pthread_mutex_trylock(&a) == 0)
            break;
        pthread_mutex_unlock(&b);
    }
both:
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    return 0;
}

// ltl:F ended(main): SAFE
// ltl:F G done: SAFE
// ltl:F left:left:mine: UNSAFE
// Two locks in one order: every run ends, fair or not. The last formula is about a local variable
// that stays 0.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
_Bool done;

void *left(void *arg) {
    int mine = 0;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    mine = done;
    mine = 0;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *right(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    done = 1;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
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

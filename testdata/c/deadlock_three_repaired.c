// deadlock: SAFE
// Three threads lock two of three mutexes each; the last takes them in the other order.
#include <pthread.h>

static pthread_mutex_t fork[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void eat(int left, int right)
{
    pthread_mutex_lock(&fork[left]);
    pthread_mutex_lock(&fork[right]);
    pthread_mutex_unlock(&fork[right]);
    pthread_mutex_unlock(&fork[left]);
}

static void *p0(void *unused) { eat(0, 1); return unused; }
static void *p1(void *unused) { eat(1, 2); return unused; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, p0, NULL);
    pthread_create(&b, NULL, p1, NULL);
    eat(0, 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

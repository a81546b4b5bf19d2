// assert: SAFE
// pthread_exit runs the cleanup handlers of all open blocks, the innermost first.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int order, first, second;

static void unlock(void *p)
{
    first = ++order;
    pthread_mutex_unlock(p);
}

static void count(void *p)
{
    *(int *)p = ++order;
}

static void leave(int now)
{
    if (now) {
        pthread_exit((void *)7);
    }
}

static void *work(void *x)
{
    pthread_cleanup_push(count, &second);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    leave(x != 0);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return (void *)8;
}

int main(void)
{
    pthread_t t;
    void *r;
    pthread_create(&t, 0, work, &order);
    pthread_join(t, &r);
    assert(first == 1 && second == 2 && r == (void *)7);
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    first = second = order = 0;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &r);
    assert(first == 1 && second == 0 && r == (void *)8);
    return 0;
}

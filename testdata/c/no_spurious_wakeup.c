// assert: SAFE
// because: (without spurious wake-ups)
// Without --spurious-wakeups a wait ends by a signal only, and one that is in no loop is enough here.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_once(void *arg)
{
    pthread_mutex_lock(&m);
    if (!ready) {
        pthread_cond_wait(&c, &m);
    }
    assert(ready);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *wait_until(void *arg)
{
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
    }
    assert(ready);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t once, until;
    pthread_create(&once, 0, wait_once, 0);
    pthread_create(&until, 0, wait_until, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(once, 0);
    pthread_join(until, 0);
    return 0;
}

// deadlock: SAFE
// A watchdog that finds the mutex busy aborts the process; otherwise nobody waits for ever.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *stuck(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, stuck, NULL);
    if (pthread_mutex_trylock(&m))
        abort();
    pthread_mutex_unlock(&m);
    exit(0);
}

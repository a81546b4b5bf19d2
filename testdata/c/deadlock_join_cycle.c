// deadlock: UNSAFE
// Each of two threads joins the other. A mutex lets them begin when both ids are known.
#include <pthread.h>

static pthread_mutex_t go = PTHREAD_MUTEX_INITIALIZER;
static pthread_t one, two;

static void *first(void *unused)
{
    pthread_mutex_lock(&go);
    pthread_mutex_unlock(&go);
    pthread_join(two, NULL); // FAIL
    return unused;
}

static void *second(void *unused)
{
    pthread_mutex_lock(&go);
    pthread_mutex_unlock(&go);
    pthread_join(one, NULL); // FAIL
    return unused;
}

int main(void)
{
    pthread_mutex_lock(&go);
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_mutex_unlock(&go);
    pthread_exit(NULL);
}

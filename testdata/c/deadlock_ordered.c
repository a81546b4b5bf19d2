// deadlock: SAFE
// assert: SAFE
// Two clerks move money between two accounts and lock them in the same order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int in_a = 10, in_b = 10;

static void *to_b(void *unused)
{
    pthread_mutex_lock(&a);
    in_a -= 3;
    pthread_mutex_lock(&b);
    in_b += 3;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *to_a(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    in_b -= 5;
    in_a += 5;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, to_b, NULL);
    pthread_create(&two, NULL, to_a, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(in_a + in_b == 20);
    return 0;
}

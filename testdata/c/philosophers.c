// assert: SAFE
// Three philosophers, each takes the left fork first. They may starve together; while one eats, its
// neighbours do not.
#include <assert.h>
#include <pthread.h>

#define SEATS 3

pthread_mutex_t fork_of[SEATS];
_Bool eating[SEATS];

void *philosopher(void *arg) {
    int seat = (int)(long)arg;
    int next = (seat + 1) % SEATS;
    pthread_mutex_lock(&fork_of[seat]);
    pthread_mutex_lock(&fork_of[next]);
    eating[seat] = 1;
    assert(!eating[next]);
    eating[seat] = 0;
    pthread_mutex_unlock(&fork_of[next]);
    pthread_mutex_unlock(&fork_of[seat]);
    return 0;
}

int main(void) {
    pthread_t t[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_of[i], 0);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&t[i], 0, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(t[i], 0);
    return 0;
}

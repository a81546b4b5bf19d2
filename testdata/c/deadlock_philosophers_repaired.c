// deadlock: SAFE
// The last philosopher takes the right fork first.
#include <pthread.h>

#ifndef SEATS
#define SEATS 3
#endif

pthread_mutex_t fork_of[SEATS];

void *philosopher(void *arg) {
    long seat = (long)arg;
    long next = (seat + 1) % SEATS;
    if (seat == SEATS - 1) {
        pthread_mutex_lock(&fork_of[next]);
        pthread_mutex_lock(&fork_of[seat]);
    } else {
        pthread_mutex_lock(&fork_of[seat]);
        pthread_mutex_lock(&fork_of[next]);
    }
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

// assert: SAFE
// A semaphore of value 0 orders what comes before the post and after the wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t done;
int x;

void *sets(void *arg) {
    x = 5;
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t a;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, sets, 0);
    sem_wait(&done);
    assert(x == 5);
    return 0;
}

// assert: SAFE
// A semaphore of value 1 is a mutex.
#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <semaphore.h>

sem_t s;
int x;

void *adds(void *arg) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    int v;
    sem_getvalue(&s, &v);
    assert(v == 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    return 0;
}

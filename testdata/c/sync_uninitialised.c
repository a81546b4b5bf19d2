// undefined: UNSAFE
// What the thread library has not initialised is none of its objects; a read-write lock or
// condition variable that is all zero is, a spin lock or semaphore is not.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex;
pthread_rwlock_t zero_lock;
pthread_cond_t zero_condition;
pthread_spinlock_t zero_spin;
sem_t zero_semaphore;

int main(void) {
    pthread_rwlock_t lock;
    pthread_cond_t condition;
    pthread_spinlock_t spin;
    sem_t semaphore;
    sem_t *made = calloc(1, sizeof *made);
    pthread_cond_t *allocated = malloc(sizeof *allocated);
    int value, number;
    pthread_mutex_t *places[2] = {&mutex, (pthread_mutex_t *)&number};
    switch (__VERIFIER_nondet_int()) {
    case 0:
        pthread_rwlock_rdlock(&lock); // FAIL
        break;
    case 1:
        pthread_rwlock_wrlock(&lock); // FAIL
        break;
    case 2:
        pthread_rwlock_trywrlock(&lock); // FAIL
        break;
    case 3:
        pthread_rwlock_unlock(&lock); // FAIL
        break;
    case 4:
        pthread_cond_signal(&condition); // FAIL
        break;
    case 5:
        pthread_cond_broadcast(allocated); // FAIL
        break;
    case 6:
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex); // FAIL
        break;
    case 7:
        pthread_cond_destroy(&condition); // FAIL
        break;
    case 8:
        pthread_spin_lock(&spin); // FAIL
        break;
    case 9:
        pthread_spin_trylock(&zero_spin); // FAIL
        break;
    case 10:
        pthread_spin_unlock(&zero_spin); // FAIL
        break;
    case 11:
        sem_post(&semaphore); // FAIL
        break;
    case 12:
        sem_wait(&zero_semaphore); // FAIL
        break;
    case 13:
        sem_getvalue(&zero_semaphore, &value); // FAIL
        break;
    case 14:
        sem_trywait(made); // FAIL
        break;
    case 15:
        sem_destroy(&zero_semaphore); // FAIL
        break;
    case 16:
        value = 0;
        pthread_mutex_lock((pthread_mutex_t *)&value); // FAIL
        break;
    case 18:
        number = 0;
        pthread_mutex_lock(places[__VERIFIER_nondet_int() & 1]); // FAIL
        break;
    case 17:
        pthread_rwlock_rdlock(&zero_lock);
        pthread_cond_signal(&zero_condition);
        break;
    }
    free(made);
    free(allocated);
    return 0;
}

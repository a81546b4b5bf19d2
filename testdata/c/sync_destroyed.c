// undefined: UNSAFE
// What has been destroyed must be initialised again before it is used.
#include <pthread.h>
#include <semaphore.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex;
pthread_rwlock_t lock;
pthread_cond_t condition;
pthread_spinlock_t spin;
sem_t semaphore;

int main(void) {
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_wait(&semaphore);
    pthread_rwlock_destroy(&lock);
    pthread_cond_destroy(&condition);
    pthread_spin_destroy(&spin);
    sem_destroy(&semaphore);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        pthread_rwlock_wrlock(&lock); // FAIL
        break;
    case 1:
        pthread_rwlock_destroy(&lock); // FAIL
        break;
    case 2:
        pthread_cond_broadcast(&condition); // FAIL
        break;
    case 3:
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&condition, &mutex); // FAIL
        break;
    case 4:
        pthread_spin_lock(&spin); // FAIL
        break;
    case 5:
        sem_post(&semaphore); // FAIL
        break;
    case 6:
        pthread_rwlock_init(&lock, 0);
        pthread_rwlock_wrlock(&lock);
        pthread_cond_init(&condition, 0);
        pthread_cond_signal(&condition);
        pthread_spin_init(&spin, 0);
        pthread_spin_lock(&spin);
        sem_init(&semaphore, 0, 0);
        sem_post(&semaphore);
        break;
    }
    return 0;
}

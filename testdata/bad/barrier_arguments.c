// The number of threads is missing.
#include <pthread.h>

pthread_barrier_t barrier;

int main(void) {
    pthread_barrier_init(&barrier, 0);
    return 0;
}

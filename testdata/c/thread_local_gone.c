// undefined: UNSAFE
// A thread's variables end with it.
#include <assert.h>
#include <pthread.h>

_Thread_local int mine;
int *shared;

void *work(void *arg) {
    shared = &mine;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    *shared = 1; // FAIL
    return 0;
}

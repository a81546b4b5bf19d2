// A modelled function is called with too few arguments.
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_init(&m);
    return 0;
}

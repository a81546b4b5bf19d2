// assert: UNKNOWN
// undefined: UNSAFE
// What was never created cannot be joined.
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_t t = 0;
    pthread_join(t, 0); // FAIL
    assert(1);
    return 0;
}

// assert: SAFE
// The time is any, but its parts are in range.
#include <assert.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    time_t kept, now = time(&kept);
    assert(now == kept);
    srand((unsigned)time(NULL));
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    assert(precise.tv_nsec >= 0 && precise.tv_nsec < 1000000000);
    struct timeval coarse;
    gettimeofday(&coarse, NULL);
    assert(coarse.tv_usec >= 0 && coarse.tv_usec < 1000000);
    return 0;
}

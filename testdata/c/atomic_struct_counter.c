// assert: UNSAFE
// Reading a struct and writing it again are two accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int left, right;
};

_Atomic struct pair shared;

static void *add(void *unused) {
    struct pair p = shared;
    p.left++;
    p.right++;
    shared = p;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    struct pair p = shared;
    assert(p.left == p.right);
    assert(p.left == 2); // FAIL
    return 0;
}

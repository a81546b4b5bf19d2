// assert: SAFE
// race: SAFE
// An _Atomic struct is read and written whole.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int left, right;
};
struct bytes {
    char c[3];
};

_Atomic struct pair shared;
_Atomic(struct bytes) text;

static void *writer(void *unused) {
    struct pair p = {1, 2};
    shared = p;
    p = atomic_exchange(&shared, ((struct pair){3, 4}));
    assert(p.left == 1 && p.right == 2);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct pair p = shared;
    assert(p.left + 1 == p.right || (p.left == 0 && p.right == 0));
    pthread_join(t, 0);
    struct pair expected = {3, 5}, desired = {5, 6};
    assert(!atomic_compare_exchange_strong(&shared, &expected, desired));
    assert(expected.left == 3 && expected.right == 4);
    assert(atomic_compare_exchange_strong(&shared, &expected, desired));
    p = atomic_load(&shared);
    assert(p.left == 5 && p.right == 6 && _Alignof(_Atomic struct pair) == 8);
    struct bytes b = {"ab"};
    atomic_store(&text, b);
    _Atomic struct bytes *where = &text;
    b = *where;
    assert(b.c[1] == 'b');
    b.c[0] = 'c';
    *where = b;
    assert(atomic_load(where).c[0] == 'c');
    return 0;
}

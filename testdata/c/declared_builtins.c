// assert: SAFE
// Text that a tool wrote declares the compiler's own functions.
#include <assert.h>

void *__builtin_alloca(unsigned long);
void *__builtin_memcpy(void *, const void *, unsigned long);
void *__builtin_memset(void *, int, unsigned long);
long __builtin_expect(long, long);
int __builtin_popcount(unsigned);
void __builtin_unreachable(void);
int __sync_fetch_and_add(int *, int, ...);

// As the Linux kernel names its own.
static int __atomic_add_unless(int *p, int more, int unless) {
    int old = *p;
    *p = old == unless ? old : old + more;
    return old;
}

int main(void) {
    int from[2] = {1, 2}, n = 3;
    int *to = __builtin_alloca(sizeof from);
    __builtin_memcpy(to, from, sizeof from);
    __builtin_memset(from, 0, sizeof from);
    assert(__builtin_expect(to[1] == 2 && from[1] == 0, 1));
    assert(__builtin_popcount(7) == 3);
    assert(__sync_fetch_and_add(&n, 1) == 3 && n == 4);
    assert(__atomic_add_unless(&n, 1, 4) == 4 && n == 4);
    if (n != 4) {
        __builtin_unreachable();
    }
    return 0;
}

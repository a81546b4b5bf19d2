// assert: SAFE
// Calls through pointers reach the function that was stored.
#include <assert.h>

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static void unused(void) {}
typedef int (*op)(int);
struct ops {
    op first, second;
    void (*last)(void);
} table = {twice, &square, unused};

static int apply(op f, int x) { return f(x); }

int main(void) {
    op f = twice;
    assert(f(3) == 6 && (*f)(4) == 8);
    f = table.second;
    assert(f(3) == 9 && f == square && f != twice);
    assert(apply(table.first, 5) == 10 && apply(square, 5) == 25);
    op list[] = {twice, square};
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        sum += list[i](3);
    }
    assert(sum == 15);
    return 0;
}

// assert: SAFE
// A pointer whose initial value is an address points to that object.
#include <assert.h>

struct node {
    int value;
    struct node *next;
};

int x;
int *p = &x;
int a[3];
int *end = a + 3;
struct node last = {2, 0}, first = {1, &last};

int main(void) {
    *p = 1;
    end[-1] = 5;
    assert(x == 1 && a[2] == 5);
    assert(first.next->value == 2);
    return 0;
}

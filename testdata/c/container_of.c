// assert: SAFE
// From a member to its struct.
#include <assert.h>
#include <stddef.h>

struct item {
    int value;
    struct link {
        struct link *next;
    } link;
};
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

struct item a, b;

int main(void) {
    a.value = 1;
    b.value = 2;
    a.link.next = &b.link;
    struct link *l = &a.link;
    assert(container_of(l, struct item, link)->value == 1);
    assert(container_of(l->next, struct item, link)->value == 2);
    return 0;
}

// assert: SAFE
// Which fields hold pointers: structs of 24 bytes in arrays, members reached from behind and from
// the middle, pointers copied byte by byte and in halves, and loops over pointers.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct part {
    int size;
    int *data;
    char kind;
};
_Static_assert(sizeof(struct part) == 24, "the test is about steps that are no power of two");

static int a = 1, b = 2, c = 3;
static struct part parts[3];
static struct part other[2];

union halves {
    int *pointer;
    uint32_t half[2];
};

static void *fill(void *arg)
{
    (void)arg;
    for (struct part *p = parts; p != parts + 3; p++) {
        p->size = (int)(p - parts);
        p->data = p->size == 1 ? &b : &a;
        p->kind = 'x';
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    pthread_join(t, 0);

    // From the last element down, and from a member to its struct.
    struct part *last = &parts[2];
    assert(*last[-1].data == 2);
    char *kind = &parts[1].kind;
    struct part *whole = (struct part *)(kind - offsetof(struct part, kind));
    assert(whole->size == 1 && *whole->data == 2);

    // The pointer of one struct, byte by byte.
    unsigned char *to = (unsigned char *)&other[1];
    unsigned char *from = (unsigned char *)&parts[1];
    for (unsigned i = 0; i < sizeof(struct part); i++) {
        to[i] = from[i];
    }
    *other[1].data = 5;
    assert(b == 5);

    // In halves, one of them through another variable.
    union halves x, y;
    x.pointer = &c;
    uint32_t low = x.half[0];
    y.half[1] = x.half[1];
    y.half[0] = low;
    *y.pointer = 7;
    assert(c == 7);

    // An integer field is no pointer, though it lies between two.
    other[0].data = &a;
    other[0].size = parts[2].size;
    *other[0].data = other[0].size;
    assert(a == 2);

    // Numbers that are computed from addresses.
    uintptr_t number = (uintptr_t)&parts[0] + 24 * (uintptr_t)other[0].size;
    number |= 1;
    assert(((struct part *)(number & ~(uintptr_t)1))->size == 2);
    return 0;
}

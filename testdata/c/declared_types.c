// assert: SAFE
// What the compiler finds out of types: _Generic, typeof, _Static_assert, and the values of statement
// expressions, compound literals, arrays without a length and ranges of cases.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(int) == 4, "int");
#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, char *: 4, const char *: 5, default: 6)
#define MAX(a, b) ({ __typeof__(a) x = (a), y = (b); x > y ? x : y; })

struct message {
    unsigned length;
    int first[0];
    int items[];
};

static int class_of(int c)
{
    switch (c) {
    case '0' ... '9':
        return 1;
    case 'a' ... 'f':
    case 'A' ... 'F':
        return 2;
    default:
        return 0;
    }
}

static struct message *box;

static void *fill(void *arg)
{
    struct message *m = malloc(sizeof *m + 3 * sizeof m->items[0]);
    m->length = 3;
    memcpy(m->items, (int[]){4, 9, 2}, 3 * sizeof(int));
    box = m;
    return arg;
}

int main(void)
{
    const char *text = "t";
    assert(KIND(1) == 1 && KIND(1u) == 2 && KIND(1L) == 3 && KIND((char)1) == 6);
    assert(KIND(text) == 5 && KIND((char *)0) == 4 && KIND('c') == 1);
    int calls = 0;
    assert(MAX(calls++, -1) == 0 && calls == 1);
    typeof(calls) other = MAX(3L, 2L);
    assert(other == 3 && sizeof(struct message) == sizeof(unsigned));

    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    pthread_join(t, 0);
    assert(box->items[1] == 9 && box->first[2] == 2);
    int most = box->items[0];
    for (unsigned i = 1; i < box->length; i++) {
        most = MAX(most, box->items[i]);
    }
    assert(most == 9);

    struct pair { int a, b; } p = (struct pair){.b = 2};
    int *q = &(struct pair){5, 6}.b;
    assert(p.a == 0 && p.b == 2 && *q == 6);
    assert(class_of('7') == 1 && class_of('D') == 2 && class_of('g') == 0);
    free(box);
    return 0;
}

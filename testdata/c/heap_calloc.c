// assert: SAFE
// calloc gives zeros; a struct may end in an array of any length.
#include <assert.h>
#include <stdlib.h>

struct buffer {
    int length;
    short data[];
};

int main(void) {
    int *a = calloc(3, sizeof(int));
    assert(a[0] == 0 && a[1] == 0 && a[2] == 0);
    struct buffer *b = malloc(sizeof *b + 2 * sizeof(short));
    b->length = 2;
    b->data[0] = 5;
    b->data[1] = 6;
    assert(b->data[0] + b->data[1] == 11 && b->length == 2);
    return 0;
}

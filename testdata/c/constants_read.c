// assert: UNSAFE
// What constant objects hold, pointers among it, is known: by constant index, variable index,
// within structs, as functions.
#include <assert.h>
#include <string.h>

struct entry {
    int key;
    const int *value;
};

static int x = 3;
static int y[3] = {1, 2, 3};
const char *const words[2] = {"a", "bc"};
const int *const places[2] = {&x, y + 2};
static const struct entry table[2] = {{1, &x}, {2, y + 1}};
const struct entry single = {7, &y[2]};
const long number = (long)&y[1];

static int four(void) {
    return 4;
}

static int five(void) {
    return 5;
}

static int (*const functions[2])(void) = {four, five};

int main(void) {
    char text[4];
    strcpy(text, words[1]);
    assert(text[1] == 'c' && text[2] == 0);
    for (int i = 0; i < 2; i++) {
        assert(*places[i] == 3);
        assert(*table[i].value == 3 - i);
        assert(functions[i]() == 4 + i);
    }
    assert(*places[0] == 3 && *places[1] == 3);
    assert(table[1].key == 2 && *table[1].value == 2);
    assert(*single.value == 3 && single.value[-2] == 1);
    assert(*(int *)number == 2);
    assert(functions[1]() == 5);
    struct entry copy = single;
    y[2] = 8;
    assert(*copy.value == 8);
    assert(*places[1] == 3); // FAIL
    return 0;
}

// assert: SAFE
// Attributes may stand before a struct's name as well as behind its members.
#include <assert.h>

struct __attribute__((aligned(16))) line {
    int value;
};

union __attribute__((unused)) __attribute__((aligned(8))) word {
    int number;
    char bytes[4];
};

int main(void) {
    struct __attribute__((aligned(16))) line a = {3};
    union word w = {.number = 1};
    assert(sizeof(struct line) == 16 && sizeof w == 8);
    assert(a.value == 3 && w.bytes[0] == 1);
    return 0;
}

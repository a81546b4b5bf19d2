// assert: SAFE
// A new value that is stored byte by byte is computed from the old one, not from what is there
// when its first byte is stored.
#include <assert.h>

struct mixed {
    int low : 5;
    unsigned middle : 7;
    long long wide : 40;
    _Bool flag : 1;
};

union word {
    struct {
        char byte;
        short half;
    } parts;
    int whole;
};

int main(void) {
    struct mixed x = {.middle = 200};
    x.middle += 60;
    assert(x.middle == 4);
    x.wide = 255;
    x.wide = x.wide + 1;
    assert(x.wide == 256 && x.middle == 4 && x.low == 0);
    x.middle++;
    x.wide *= -3;
    assert(x.wide == -768 && x.middle == 5 && !x.flag);
    union word w;
    w.whole = 255;
    w.whole = w.whole + 1;
    w.whole += w.whole;
    assert(w.whole == 512 && w.parts.byte == 0);
    return 0;
}

// undefined: UNSAFE
// A computed goto to what is the address of no label.
#include <assert.h>

int main(void)
{
    void *p = 0;
    int both = 1 && p;
    assert(!both);
    if (both) {
        p = &&end;
    }
    goto *p; // FAIL
end:
    return 0;
}

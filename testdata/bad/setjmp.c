#include <setjmp.h>

jmp_buf place;

int main(void) {
    if (setjmp(place))
        return 1;
    longjmp(place, 1);
}

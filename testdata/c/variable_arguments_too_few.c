// undefined: UNSAFE
// One argument more is asked for than there are.
#include <stdarg.h>

static int last(int n, ...)
{
    int value = 0;
    va_list list;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        value = va_arg(list, int); // FAIL
    }
    va_end(list);
    return value;
}

int main(void)
{
    return last(1, 7) + last(2, 8);
}

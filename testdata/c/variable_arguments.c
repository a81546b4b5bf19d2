// assert: SAFE
// A function finds its variable arguments, also through a list that it hands on.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static long total(int n, va_list list)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += va_arg(list, int);
    }
    return sum;
}

static long sum(int n, ...)
{
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    long first = total(n, list), second = total(n, again);
    char *text = va_arg(again, char *);
    va_end(again);
    va_end(list);
    assert(first == second && *text == 'x');
    return first;
}

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void)
{
    short x = (short)__VERIFIER_nondet_int();
    assert(sum(3, 1, x, 2, "x") == x + 3L);
    assert(sum(0, "xyz") == 0);
    say("%d\n", x);
    return 0;
}

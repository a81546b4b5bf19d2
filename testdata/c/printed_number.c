// assert: SAFE
// How long a number is, and its digits, depend on its value.
#include <assert.h>
#include <stdio.h>

signed char __VERIFIER_nondet_char(void);

int main(void) {
    char text[8];
    int n = __VERIFIER_nondet_char();
    int length = sprintf(text, "<%d>", n);
    int digits = n <= -100 || n >= 100 ? 3 : n <= -10 || n >= 10 ? 2 : 1;
    assert(length == digits + 2 + (n < 0));
    assert(text[0] == '<' && text[length - 1] == '>' && !text[length]);
    int last = text[length - 2] - '0';
    assert(n < 0 || last == n % 10);
    assert(n >= 0 || (text[1] == '-' && last == -n % 10));
    return 0;
}

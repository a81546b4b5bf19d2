// undefined: UNSAFE
// One place that is never reached, as the program says, and one that is.
extern int __VERIFIER_nondet_int(void);

static int odd(int x)
{
    switch (x & 1) {
    case 0:
        return 4;
    case 1:
        return 5;
    }
    __builtin_unreachable();
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (odd(x) == 4 && __builtin_expect(x == 78, 0)) {
        __builtin_unreachable(); // FAIL
    }
    return 0;
}

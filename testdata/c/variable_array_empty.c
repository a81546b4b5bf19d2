// undefined: UNSAFE
// The length of a variable-length array is positive.
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int n = __VERIFIER_nondet_bool();
    char a[n]; // FAIL
    a[0] = 1;
    return 0;
}

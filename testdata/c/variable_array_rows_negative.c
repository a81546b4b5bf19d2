// undefined: UNSAFE
// Each length of a variable-length array is positive, not only their product.
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int n = __VERIFIER_nondet_bool() ? 1 : -1;
    char a[n][n]; // FAIL
    a[0][0] = 1;
    return 0;
}

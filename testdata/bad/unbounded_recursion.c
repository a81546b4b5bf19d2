extern int __VERIFIER_nondet_int(void);

int depth(int n) {
    return __VERIFIER_nondet_int() ? 1 + depth(n + 1) : n;
}

int main(void) {
    return depth(3);
}

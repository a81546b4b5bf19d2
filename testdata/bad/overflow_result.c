int main(void) {
    _Bool b;
    return __builtin_add_overflow(1, 2, &b);
}

// ltl:F x == 1: UNSAFE
// Nothing changes x, so no run satisfies the formula; the circuit needs no program counter to see that.
int x;

int main(void) {
    int y = x < 0;
    while (y) {
        y = x;
    }
    return 0;
}

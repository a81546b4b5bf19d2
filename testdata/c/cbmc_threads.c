// assert: UNSAFE
// CBMC's own threads, which work on copies of the local variables.
int n;
void add(int by) { n += by; }

int main(void)
{
    int k = 1;
    __CPROVER_ASYNC_1: add(k);
    k = 5;
    __CPROVER_ASYNC_2: {
        int m = n;
        n = m + k;
    }
    __CPROVER_assert(n != 6, "both"); // FAIL
    return 0;
}

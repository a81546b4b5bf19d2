// assert: SAFE
// A thread of CBMC's own gets the value that a local variable had.
int n, done;

int main(void)
{
    int k = 1;
    __CPROVER_ASYNC_1: {
        __CPROVER_atomic_begin();
        n = k;
        done = 1;
        __CPROVER_atomic_end();
    }
    k = 5;
    __CPROVER_assume(done);
    __CPROVER_assert(n == 1, "a copy");
    return 0;
}

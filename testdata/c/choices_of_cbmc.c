// assert: UNSAFE
// A function called nondet_ without a body is a choice.
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char c = nondet_uchar();
    __CPROVER_assume(c > 3);
    __CPROVER_assert(c > 3, "chosen");
    __CPROVER_assert(c < 250, "any"); // FAIL
    return 0;
}

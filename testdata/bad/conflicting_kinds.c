// Each declaration says whether each thread has its own variable.
_Thread_local int x;
extern int x;

int main(void) {
    return x;
}

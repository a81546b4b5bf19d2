// A thread-local variable has no address until its thread runs.
_Thread_local int mine;
int *p = &mine;

int main(void) {
    return *p;
}

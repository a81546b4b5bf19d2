// assert: SAFE
// options: --data-model ILP32
// long and pointers have four bytes; an integer that a pointer was made of comes back from a thread.
_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8, "ILP32");
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void abort(void);

struct mixed {
    char c;
    long long wide;
    short s;
    int *p;
};

static int target;
static struct mixed all[2];

static void *next(void *arg)
{
    all[1].p = &target;
    *all[1].p = (int)arg;
    return (void *)((long)arg + 1);
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, next, (void *)41L);
    pthread_join(t, &result);
    if ((long)result != 42 || target != 41) {
        abort();
    }
    long big = 0x7fffffffL;
    unsigned long more = (unsigned long)big + 1;
    if (more != 0x80000000UL || more + more != 0) {
        abort();
    }
    return 0;
}

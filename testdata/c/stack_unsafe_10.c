// assert: UNSAFE
// One thread pushes 10 items on a stack, another pops as many, each operation under one mutex. The popper
// only looks whether the pusher has begun, and may find the stack empty.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIZE 10

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char item[SIZE];
int top;
_Bool begun;

_Bool push(unsigned char x) {
    if (top == SIZE)
        return 0;
    item[top] = x;
    top++;
    return 1;
}

_Bool pop(unsigned char *x) {
    if (top == 0)
        return 0;
    top--;
    *x = item[top];
    return 1;
}

void *pusher(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        _Bool done = push(__VERIFIER_nondet_uchar());
        assert(done);
        begun = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *popper(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (begun) {
            unsigned char x;
            _Bool done = pop(&x);
            assert(done); // FAIL
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pusher, 0);
    pthread_create(&b, 0, popper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

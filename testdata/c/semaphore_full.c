// assert: SAFE
// A semaphore counts to SEM_VALUE_MAX: what goes beyond fails, and says why.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

sem_t s;

int main(void) {
    int value;
    assert(sem_init(&s, 0, 0x80000000u) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, 0x7ffffffeu) == 0);
    assert(sem_post(&s) == 0);
    errno = 0;
    assert(sem_post(&s) == -1);
    assert(errno == EOVERFLOW);
    sem_getvalue(&s, &value);
    assert(value == 0x7fffffff);
    assert(sem_trywait(&s) == 0);
    assert(sem_post(&s) == 0);
    return 0;
}

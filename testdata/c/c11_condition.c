// assert: SAFE
// Conditions, once and thread-specific storage of <threads.h>.
#include <assert.h>
#include <threads.h>

mtx_t m;
cnd_t c;
once_flag once = ONCE_FLAG_INIT;
tss_t key;
int ready, started, ended;

void start(void) {
    started++;
}

void ends(void *value) {
    ended = *(int *)value;
}

int producer(void *arg) {
    call_once(&once, start);
    tss_set(key, &started);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    assert(tss_get(key) == &started);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    assert(tss_create(&key, ends) == thrd_success);
    thrd_create(&t, producer, 0);
    call_once(&once, start);
    mtx_lock(&m);
    while (!ready) {
        assert(cnd_wait(&c, &m) == thrd_success);
    }
    mtx_unlock(&m);
    assert(started == 1);
    thrd_join(t, 0);
    assert(ended == 1);
    cnd_destroy(&c);
    return 0;
}

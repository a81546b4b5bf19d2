// assert: SAFE
// The condition of a loop that creates threads does something; it is asked once more than there are rounds.
#include <assert.h>
#include <pthread.h>

int asked;

static int ask(void) {
    asked++;
    return 1;
}

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; ask() && i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    assert(asked == 3 && i == 2);
    for (i = 0; ask() && i < 2; i++) {
        if (i == 1)
            break;
        pthread_join(t[i], 0);
    }
    assert(asked == 5 && i == 1);
    return 0;
}

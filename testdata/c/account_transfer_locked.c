// assert: SAFE
// Two transfers between three accounts under one lock: no money is lost.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
int balance[3] = {50, 50, 50};

void transfer(int from, int to, int amount) {
    pthread_mutex_lock(&bank);
    if (balance[from] >= amount) {
        balance[from] -= amount;
        balance[to] += amount;
    }
    pthread_mutex_unlock(&bank);
}

void *rent(void *arg) {
    transfer(0, 1, 30);
    return 0;
}

void *wages(void *arg) {
    transfer(1, 2, 40);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, rent, 0);
    pthread_create(&b, 0, wages, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance[0] + balance[1] + balance[2] == 150);
    return 0;
}

// assert: SAFE
// bounded: UNKNOWN
// A buffer of two places under a mutex; producer and consumer poll until there is room or an item.
#include <assert.h>
#include <pthread.h>

#define PLACES 2
#define ITEMS 3

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned char buffer[PLACES];
unsigned char count, head;

void *producer(void *arg) {
    unsigned char sent = 0;
    while (sent < ITEMS) {
        pthread_mutex_lock(&m);
        if (count < PLACES) {
            buffer[(head + count) % PLACES] = sent;
            count++;
            sent++;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *consumer(void *arg) {
    unsigned char received = 0;
    while (received < ITEMS) {
        pthread_mutex_lock(&m);
        if (count > 0) {
            assert(buffer[head] == received);
            head = (head + 1) % PLACES;
            count--;
            received++;
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 0);
    return 0;
}

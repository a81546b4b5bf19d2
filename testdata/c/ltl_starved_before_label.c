// ltl:F main@here: UNSAFE
// ltl,fair:F main@here: SAFE
// While the other thread goes round, an unfair scheduler never lets main get to the label, though main
// has nothing left to do on its way there that anybody else can see.
#include <pthread.h>

void *round_and_round(void *arg) {
    for (;;) {
    }
    return 0;
}

int main(void) {
    pthread_t t;
    int steps = 0;
    pthread_create(&t, 0, round_and_round, 0);
    steps++;
here:
    steps++;
    return 0;
}

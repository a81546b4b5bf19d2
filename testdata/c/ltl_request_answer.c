// ltl,fair:G (request -> F answer): SAFE
// ltl:!answer W request: SAFE
// ltl,fair:G F request: UNSAFE
// A server that polls for one request and answers it.
#include <pthread.h>

_Bool request, answer;

void *server(void *arg) {
    while (!request)
        ;
    answer = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    request = 1;
    pthread_join(t, 0);
    request = 0;
    return 0;
}

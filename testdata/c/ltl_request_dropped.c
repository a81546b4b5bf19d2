// ltl,fair:G (request -> F answer): UNSAFE
// ltl,fair:F ended(server): UNSAFE
// The client takes its request back before the server has to have seen it.
#include <pthread.h>

_Bool request, answer;

void *server(void *arg) {
    while (!request)
        ;
    answer = 1;
    return 0;
}

void *client(void *arg) {
    request = 1;
    request = 0;
    return 0;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, 0, server, 0);
    pthread_create(&c, 0, client, 0);
    pthread_join(c, 0);
    pthread_join(s, 0);
    return 0;
}

// race: UNSAFE
// Two threads write a byte that belongs to no member: no value depends on it, and it is a race all the same.
#include <pthread.h>

struct s {
    char c;
    short h;
} a;
int y, z;

void *back(void *arg)
{
    y = 1;
    ((char *)&a)[1] = 1; // FAIL
    y = 2;
    return arg;
}

void *forth(void *arg)
{
    z = 1;
    ((char *)&a)[1] = 1; // FAIL
    z = 2;
    return arg;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, back, 0);
    pthread_create(&q, 0, forth, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    return y + z == 4 ? 0 : 1;
}

# 1 "short.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "short.c"
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *t, const void *attr, void *(*start)(void *), void *arg);
int x;
void *worker(void *arg) {
    x = 1;
    ret
// assert: SAFE
// The library's streams are values, too, and nobody looks into them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *out;

static void *worker(void *arg) {
    fprintf(arg, "worker\n");
    fflush(arg);
    return arg;
}

int main(void) {
    pthread_t t;
    void *same;
    setvbuf(stdout, NULL, _IONBF, 0);
    out = stdout;
    pthread_create(&t, 0, worker, out);
    pthread_join(t, &same);
    assert(same == stdout && out != stderr && stderr != stdin);
    fputs("main\n", out == stdout ? stderr : stdin);
    return 0;
}

// assert: SAFE
// Output does nothing, but its arguments are evaluated.
#include <assert.h>
#include <stdio.h>

int n;

int main(void) {
    printf("%d\n", ++n);
    fprintf(stderr, "%s\n", "text");
    puts("done");
    assert(n == 1);
    return 0;
}

// assert: SAFE
// strdup, strndup, strncat, strrchr and memchr.
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = strdup("ab");
    assert(strcmp(a, "ab") == 0);
    a[0] = 'x';
    char *b = strndup(a, 1);
    assert(strlen(b) == 1 && b[0] == 'x');
    char d[5] = "b";
    strncat(d, "cde", 2);
    assert(strcmp(d, "bcd") == 0);
    assert(strrchr("aba", 'a')[1] == 0);
    assert(memchr(d, 'd', 3) == d + 2);
    assert(strnlen("abc", 2) == 2);
    free(a);
    free(b);
    return 0;
}

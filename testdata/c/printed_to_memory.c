// assert: SAFE
// snprintf writes any text that fits where its format is no literal.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[4] = { 1, 1, 1, 1 };
    char format[] = "%d";
    int n = snprintf(text, 3, format, 5);
    assert(n >= 0 && strlen(text) <= 2);
    assert(text[3] == 1);
    perror("text");
    fprintf(stderr, "%s", strerror(3));
    return 0;
}

// assert: SAFE
// sprintf and snprintf write what their format says.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[40];
    assert(sprintf(text, "a%d-%u%%", -12, 3u) == 7 && !strcmp(text, "a-12-3%"));
    assert(sprintf(text, "%x %X %o", 255, 171, 8) == 8 && !strcmp(text, "ff AB 10"));
    assert(sprintf(text, "[%5d|%-5d|%05d]", 42, 42, -42) == 19);
    assert(!strcmp(text, "[   42|42   |-0042]"));
    assert(sprintf(text, "%+d % d %.3d", 7, 7, 7) == 9 && !strcmp(text, "+7  7 007"));
    assert(sprintf(text, "%ld %hhu %hd", -2147483648L, 257, 65535) == 16);
    assert(!strcmp(text, "-2147483648 1 -1"));
    assert(sprintf(text, "%c%3c%s%5s", 'x', 'y', "lit", "ab") == 12 && !strcmp(text, "x  ylit   ab"));
    assert(snprintf(text, 4, "%s", "abcdef") == 6 && !strcmp(text, "abc"));
    assert(snprintf(0, 0, "%d", 1234) == 4);
    return 0;
}

// assert: SAFE
// The functions of string.h over modelled memory.
#include <assert.h>
#include <string.h>

struct pair {
    int a;
    char b;
};

int main(void) {
    struct pair p = {1, 2}, q;
    memcpy(&q, &p, sizeof p);
    assert(q.a == 1 && q.b == 2);
    memset(&p, 0xff, sizeof p);
    assert(p.a == -1 && p.b == -1);
    char s[8] = "abc", t[8];
    assert(strlen(s) == 3);
    strcpy(t, s);
    strcat(t, "d");
    assert(strcmp(t, "abcd") == 0 && strcmp(s, t) < 0 && strncmp(s, t, 3) == 0);
    memmove(t + 1, t, 3);
    assert(memcmp(t, "aabc", 4) == 0);
    assert(strchr(t, 'c') == t + 3);
    return 0;
}

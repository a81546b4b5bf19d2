// assert: SAFE
// Numbers and parts of texts.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    assert(atoi(" -27x") == -27 && atoi("+4") == 4 && atol("") == 0);
    char text[] = "abab";
    assert(strstr(text, "bab") == text + 1);
    assert(strstr(text, "") == text && strstr(text, "bb") == NULL);
    return 0;
}

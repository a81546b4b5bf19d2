// assert: UNSAFE
// How long the text would be is not known.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[4];
    assert(snprintf(text, sizeof text, "%d", 5) < 4); // FAIL
    return 0;
}

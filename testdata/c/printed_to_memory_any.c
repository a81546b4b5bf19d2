// assert: UNSAFE
// How long the text would be is not known where the format is not.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char text[4], format[] = "%d";
    assert(snprintf(text, sizeof text, format, 5) < 4); // FAIL
    return 0;
}

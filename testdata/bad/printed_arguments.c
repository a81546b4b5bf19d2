#include <stdio.h>
int main(void) {
    char text[8];
    sprintf(text, "%d of %d", 1);
    return 0;
}

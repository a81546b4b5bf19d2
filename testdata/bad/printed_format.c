#include <stdio.h>
int main(void) {
    char text[8];
    sprintf(text, "%p", (void *)text);
    return 0;
}

#include <stdio.h>

int main(void) {
    char text[8];
    scanf("%s", text);
    return text[0];
}

#include <stdlib.h>
int main(void) {
    int *table = malloc(sizeof(int) * 10000);
    return table == 0;
}

// assert: SAFE
// A list on the heap.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof(struct node));
        n->value = i;
        n->next = list;
        list = n;
    }
    int sum = 0;
    while (list) {
        struct node *next = list->next;
        sum = 10 * sum + list->value;
        free(list);
        list = next;
    }
    assert(sum == 210);
    return 0;
}

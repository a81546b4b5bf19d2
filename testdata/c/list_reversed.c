// assert: SAFE
// A pointer whose only use is to be stored behind another one is followed all the same.
#include <assert.h>

struct node {
    struct node *next;
    int value;
};

struct node third = {0, 3}, second = {&third, 2}, first = {&second, 1};

int main(void) {
    struct node *done = 0, *rest = &first;
    while (rest) {
        struct node *next = rest->next;
        rest->next = done;
        done = rest;
        rest = next;
    }
    struct node *back = second.next;
    assert(back == &first && back->value == 1 && !back->next);
    assert(third.next->next->value == 1);
    return 0;
}

// assert: SAFE
// Alignments that are asked for: of members, records, typedef names, objects.
#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#define LINE 64

struct queue {
    alignas(LINE) int head;
    alignas(LINE) int tail;
    char last;
};
struct attributes {
    char first;
    int second __attribute__((aligned(16)));
    __attribute__((aligned(8))) short third;
};
struct by_type {
    char first;
    _Alignas(long long) char second;
    _Alignas(4) char third, fourth;
};
struct partly_packed {
    char first;
    int second __attribute__((packed));
};
struct {
    char one;
} __attribute__((aligned(32))) of_record;
struct behind {
    char one;
    int two;
} __attribute__((packed, aligned(2)));
typedef int wide_int __attribute__((aligned(32)));
typedef int any_int __attribute__((aligned(1)));
struct of_typedef {
    char first;
    wide_int second;
    char third;
    any_int fourth;
};
struct __attribute__((packed)) packed {
    char first;
    int second;
    short third __attribute__((aligned(4)));
};
int global __attribute__((aligned(128)));
static alignas(LINE) char line[3];

int main(void) {
    assert(sizeof(struct queue) == 2 * LINE && offsetof(struct queue, tail) == LINE);
    assert(offsetof(struct queue, last) == LINE + 4 && _Alignof(struct queue) == LINE);
    assert(offsetof(struct attributes, second) == 16 && offsetof(struct attributes, third) == 24);
    assert(sizeof(struct attributes) == 32);
    assert(offsetof(struct by_type, second) == 8 && offsetof(struct by_type, fourth) == 16);
    assert(offsetof(struct partly_packed, second) == 1 && sizeof(struct partly_packed) == 5);
    assert(sizeof of_record == 32);
    assert(sizeof(struct behind) == 6 && offsetof(struct behind, two) == 1);
    assert(sizeof(wide_int) == 4 && _Alignof(wide_int) == 32);
    assert(offsetof(struct of_typedef, second) == 32 && offsetof(struct of_typedef, fourth) == 37);
    assert(offsetof(struct packed, second) == 1 && offsetof(struct packed, third) == 8);
    assert(sizeof(struct packed) == 12);
    assert((uintptr_t)&global % 128 == 0 && (uintptr_t)line % LINE == 0);
    alignas(LINE) char local[3];
    int another __attribute__((aligned(256)));
    assert((uintptr_t)local % LINE == 0 && (uintptr_t)&another % 256 == 0);
    struct queue q;
    assert((uintptr_t)&q.tail % LINE == 0);
    int *p = &another;
    *p = 3;
    assert(_Generic(&another, int *: 1, default: 0) == 1 && another == 3);
    return 0;
}

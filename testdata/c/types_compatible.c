// assert: SAFE
// gcc's question whether two types are compatible, whatever their own qualifiers.
#include <assert.h>

struct s {
    int a;
};
typedef unsigned number;
int array[3];

_Static_assert(__builtin_types_compatible_p(unsigned int, number), "");

int main(void) {
    const int c = 1;
    assert(__builtin_types_compatible_p(int, const volatile int));
    assert(__builtin_types_compatible_p(typeof(c), int));
    assert(__builtin_types_compatible_p(typeof(array), int[]));
    assert(!__builtin_types_compatible_p(typeof(array), typeof(&array[0])));
    assert(!__builtin_types_compatible_p(const char *, char *));
    assert(!__builtin_types_compatible_p(char, signed char));
    assert(!__builtin_types_compatible_p(long, long long));
    assert(!__builtin_types_compatible_p(struct s, int));
    assert(__builtin_types_compatible_p(struct s *, struct s *));
    assert(__builtin_types_compatible_p(int (*)(int, char), int (*)(int, char)));
    return 0;
}

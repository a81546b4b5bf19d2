// assert: SAFE
// Preprocessed programs can bring a size_t of their own: the library's functions allocate all the
// same.
#include <assert.h>

typedef unsigned int size;
extern void *malloc(size);
extern char *strdup(const char *);
extern void *memset(void *, int, size);

int main(void) {
    char *copy = strdup("ab");
    char *bytes = malloc(2);
    memset(bytes, 7, 2);
    assert(copy[1] == 'b' && copy[2] == 0 && bytes[1] == 7);
    return 0;
}

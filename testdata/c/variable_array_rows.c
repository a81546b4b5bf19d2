// assert: SAFE
// options: --array-length 6
// Variable-length arrays of arrays, pointers to them, parameters and typedef names of such types.
#include <assert.h>
#include <stdlib.h>

static int corner(int n, int m, int a[n][m]) {
    return a[n - 1][m - 1];
}
static int width(int m, short (*a)[m]) {
    return (int)(sizeof *a / sizeof **a);
}
static int filled(int n, int m) {
    int a[n][m];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            a[i][j] = 10 * i + j;
        }
    }
    assert(sizeof a == n * m * sizeof(int) && sizeof a[0] == m * sizeof(int));
    assert(&a[n - 1] - a == n - 1 && (char *)&a[1] - (char *)a == m * 4);
    return corner(n, m, a);
}

int main(void) {
    assert(filled(2, 3) == 12);
    assert(filled(3, 1) == 20);
    int fixed[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(corner(2, 3, fixed) == 6);
    int n = 3;
    int (*row)[n] = fixed;
    n = 100;
    assert(row[1][0] == 4 && sizeof *row == 12);
    row++;
    assert((*row)[2] == 6 && *row[0] == 4 && row - fixed == 1);
    row -= 1;
    assert(**row == 1 && *(*(row + 1) + 1) == 5);
    n = 2;
    typedef short line[n];
    n = 5;
    line l, *p = &l;
    l[1] = 7;
    assert(sizeof(line) == 4 && sizeof l == 4 && (*p)[1] == 7 && width(2, p) == 2);
    int k = 2;
    assert(sizeof(char[k++]) == 2 && k == 3);
    short (*heap)[k] = malloc(2 * sizeof *heap);
    heap[1][2] = 9;
    assert(((short *)heap)[5] == 9);
    free(heap);
    return 0;
}

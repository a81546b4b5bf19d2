// assert: SAFE
// Structures and arrays of any rank, with designated and partial initialisers.
#include <assert.h>

struct point {
    short x, y;
};
struct line {
    struct point from, to;
    unsigned char colour[4];
};

struct line l = {.to = {.y = 7, .x = -3}, .colour = {[1] = 9, 250, [0] = 1}};
int grid[3][4] = {[1] = {10, 11}, [2][3] = 5, };
struct point many[] = {[2] = {5, 6}, {7, 8}, [0].y = 4};
char text[] = "abc";

int main(void) {
    assert(l.from.x == 0 && l.from.y == 0);
    assert(l.to.x == -3 && l.to.y == 7);
    assert(l.colour[0] == 1 && l.colour[1] == 9 && l.colour[2] == 250 && l.colour[3] == 0);
    assert(grid[1][1] == 11 && grid[1][2] == 0 && grid[2][3] == 5 && grid[0][0] == 0);
    assert(sizeof many / sizeof many[0] == 4);
    assert(many[0].y == 4 && many[2].x == 5 && many[3].y == 8);
    assert(sizeof text == 4 && text[2] == 'c' && text[3] == 0);
    struct line copy = l;
    copy.to.x++;
    assert(copy.to.x == -2 && l.to.x == -3);
    return 0;
}

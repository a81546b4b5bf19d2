#include <stdalign.h>
struct s {
    alignas(6) int member;
};
int main(void) {
    return 0;
}

struct pair {
    int left, right;
};
_Atomic struct pair shared;
int main(void) {
    return shared.left;
}

// The elements of a variable-length array have a constant size.
int main(int n, char **v) {
    int a[n][n];
    return a[0][0];
}

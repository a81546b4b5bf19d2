int main(int n, char **v) {
    int a[n] = {1};
    return a[0];
}

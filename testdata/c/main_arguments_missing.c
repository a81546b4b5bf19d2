// undefined: UNSAFE
// An argument is used that may not be there.
int main(int argc, char *argv[]) {
    (void)argc;
    return argv[1][0]; // FAIL
}

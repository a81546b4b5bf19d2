// Without its header the function has no parameters, so that only the call tells their number.
char *strcpy();

int main(void) {
    char text[4];
    strcpy(text);
    return 0;
}

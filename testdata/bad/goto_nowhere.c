int main(void) {
    goto end;
}

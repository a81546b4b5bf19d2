int main(void) {
    return counter + 1;
}

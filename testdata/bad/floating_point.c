int main(void) {
    double d = 0.5;
    return d > 0.25;
}

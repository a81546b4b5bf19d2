int x;

void *worker(void *arg) {
    x = 1;
    return 0;
}

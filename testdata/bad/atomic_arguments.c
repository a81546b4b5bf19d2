// What is added is missing.
int main(void) {
    int x = 0;
    return __sync_fetch_and_add(&x);
}

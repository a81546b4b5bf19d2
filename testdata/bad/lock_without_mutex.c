// Without a header nobody counts the arguments before.
int main(void) {
    pthread_mutex_lock();
    return 0;
}

double d;
int main(void) {
    return (int)d;
}

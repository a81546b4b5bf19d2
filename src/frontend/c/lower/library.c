/* Functions of the C library over modelled memory; `f` stands for the library's `f` without
   the prefix. */
typedef unsigned long lw_size;
void *malloc(lw_size);

void *__lw_memset(void *d, int c, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        ((unsigned char *)d)[i] = (unsigned char)c;
    }
    return d;
}
void *__lw_memcpy(void *d, const void *s, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        ((unsigned char *)d)[i] = ((const unsigned char *)s)[i];
    }
    return d;
}
void *__lw_memmove(void *d, const void *s, lw_size n) {
    unsigned char *to = d;
    const unsigned char *from = s;
    if (to <= from) {
        for (lw_size i = 0; i < n; i++) {
            to[i] = from[i];
        }
    } else {
        for (lw_size i = n; i > 0; i--) {
            to[i - 1] = from[i - 1];
        }
    }
    return d;
}
int __lw_memcmp(const void *a, const void *b, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        int x = ((const unsigned char *)a)[i], y = ((const unsigned char *)b)[i];
        if (x != y) {
            return x - y;
        }
    }
    return 0;
}
lw_size __lw_strlen(const char *s) {
    lw_size n = 0;
    while (s[n]) {
        n++;
    }
    return n;
}
char *__lw_strcpy(char *d, const char *s) {
    lw_size i = 0;
    for (;;) {
        char c = s[i];
        d[i] = c;
        if (!c) {
            return d;
        }
        i++;
    }
}
char *__lw_strncpy(char *d, const char *s, lw_size n) {
    lw_size i = 0;
    for (; i < n; i++) {
        char c = s[i];
        d[i] = c;
        if (!c) {
            break;
        }
    }
    for (; i < n; i++) {
        d[i] = 0;
    }
    return d;
}
char *__lw_strcat(char *d, const char *s) {
    lw_size n = 0, i = 0;
    while (d[n]) {
        n++;
    }
    for (;;) {
        char c = s[i];
        d[n + i] = c;
        if (!c) {
            return d;
        }
        i++;
    }
}
int __lw_strcmp(const char *a, const char *b) {
    for (lw_size i = 0;; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y || !x) {
            return x - y;
        }
    }
}
int __lw_strncmp(const char *a, const char *b, lw_size n) {
    for (lw_size i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y || !x) {
            return x - y;
        }
    }
    return 0;
}
char *__lw_strchr(const char *s, int c) {
    for (lw_size i = 0;; i++) {
        char x = s[i];
        if (x == (char)c) {
            return (char *)s + i;
        }
        if (!x) {
            return 0;
        }
    }
}
char *__lw_strdup(const char *s) {
    lw_size n = 0;
    while (s[n]) {
        n++;
    }
    char *d = malloc(n + 1);
    if (d) {
        for (lw_size i = 0; i <= n; i++) {
            d[i] = s[i];
        }
    }
    return d;
}
int __lw_abs(int x) {
    return x < 0 ? -x : x;
}
long __lw_labs(long x) {
    return x < 0 ? -x : x;
}

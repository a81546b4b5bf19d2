// assert: SAFE
// Characters and strings of wchar_t, char16_t and char32_t.
#include <assert.h>
#include <uchar.h>
#include <wchar.h>

wchar_t word[] = L"h\u00e9\x1F600";

int main(void)
{
    const char16_t *pair = u"\U0001F600";
    const wchar_t *p = L"ab" "c";
    int i = 0;
    while (p[i]) {
        i++;
    }
    assert(i == 3 && p[2] == L'c');
    assert(sizeof word == 4 * sizeof(wchar_t) && word[1] == 0xe9 && word[2] == 0x1F600);
    assert(pair[0] == 0xd83d && pair[1] == 0xde00 && pair[2] == 0);
    assert(U'\U0001F600' == 0x1F600 && sizeof u'x' == 2 && sizeof L'x' == sizeof(wchar_t));
    return 0;
}

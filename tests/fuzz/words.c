/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/scratch.h"

#define WORDS_MAX 4096
#define TURNS_MAX 4

/* A piece of the text: a word, a text in quotes, a bracket with what it holds, a line. */
struct piece {
    size_t from, length;
};

struct words {
    const uint8_t *text;
    size_t size, count;
    struct piece pieces[WORDS_MAX];
};

static const char *const edges[] = {
    "0",           "1",           "-1",         "2",
    "7",           "8",           "52",         "53",
    "255",         "256",         "65535",      "65536",
    "2147483647",  "-2147483648", "4294967295", "4294967296",
    "999999",      "1000000",     "100000000",  "9223372036854775807",
    "1.5",         "1e400",       "null",       "true",
    "false",       "\"\"",        "[]",         "{}",
    "\"\\u00e9\"", "\"7h\"",      "\"As\"",     "-9223372036854775808",
};

/* Words of the sources that a target is after, which tests/fuzz/one has found; read once. */
struct known {
    char *text;
    size_t count;
    const char *words[WORDS_MAX];
};

static void read_known(struct known *known)
{
    const char *path = getenv("FUZZ_KNOWN");
    char *rest, *line;
    size_t size;

    rest = known->text = path ? scratch_read(path, &size) : NULL;
    while (rest && known->count < WORDS_MAX && (line = strsep(&rest, "\n")))
        if (*line)
            known->words[known->count++] = line;
}

/* A number at the edge of its type, or a word that the sources know. */
static const char *any_known(uint64_t *random)
{
    static struct known known;
    uint64_t which = random_next(random);

    if (!known.text)
        read_known(&known);
    if (known.count && which & 1)
        return known.words[(which >> 1) % known.count];
    return edges[(which >> 1) % (sizeof edges / sizeof edges[0])];
}

static int is_word(uint8_t byte)
{
    return isalnum(byte) || byte == '_' || byte == '-' || byte == '.' || byte >= 0x80;
}

/* How long the word is that begins there; a text in quotes is one word. */
static size_t word_at(const uint8_t *text, size_t left)
{
    size_t length = 1;

    if (text[0] == '"') {
        while (length < left && text[length] != '"' && text[length] != '\n')
            length += text[length] == '\\' && length + 1 < left ? 2 : 1;
        return length < left && text[length] == '"' ? length + 1 : 1;
    }
    if (is_word(text[0]))
        while (length < left && is_word(text[length]))
            length++;
    return length;
}

static void find_words(struct words *words)
{
    for (size_t at = 0; at < words->size && words->count < WORDS_MAX;) {
        size_t length = word_at(words->text + at, words->size - at);

        words->pieces[words->count++] = (struct piece){at, length};
        at += length;
    }
}

/* A bracket as far as the one that closes it, or else the word itself. */
static struct piece bracket_at(const struct words *words, size_t index)
{
    struct piece piece = words->pieces[index];
    int depth = 0;

    for (size_t i = index; i < words->count; i++) {
        const struct piece *word = &words->pieces[i];
        uint8_t first = words->text[word->from];

        if (word->length == 1)
            depth += (first == '{' || first == '[') - (first == '}' || first == ']');
        if (depth <= 0) {
            piece.length = word->from + word->length - piece.from;
            break;
        }
    }
    return piece;
}

/* The line around a word, with its newline. */
static struct piece line_at(const struct words *words, size_t index)
{
    size_t from = words->pieces[index].from, to = from;

    while (from && words->text[from - 1] != '\n')
        from--;
    while (to < words->size && words->text[to] != '\n')
        to++;
    return (struct piece){from, to + (to < words->size) - from};
}

static struct piece any_piece(const struct words *words, unsigned kind, uint64_t *random)
{
    size_t index = random_next(random) % words->count;

    /* Single blanks and commas are seldom worth it. */
    for (unsigned i = 0; i < 4 && words->pieces[index].length == 1; i++)
        index = random_next(random) % words->count;
    if (kind % 4 == 0)
        return line_at(words, index);
    if (kind % 4 == 1)
        return bracket_at(words, index);
    return words->pieces[index];
}

/* The text with other bytes in the place of one piece; the size, or 0 when there is no room. */
static size_t replace(uint8_t *data, size_t size, size_t max, struct piece piece, const void *bytes,
                      size_t length)
{
    if (size - piece.length + length > max)
        return 0;
    memmove(data + piece.from + length, data + piece.from + piece.length,
            size - piece.from - piece.length);
    memcpy(data + piece.from, bytes, length);
    return size - piece.length + length;
}

static size_t mutate_once(uint8_t *data, size_t size, size_t max, uint8_t *copy, uint64_t *random)
{
    struct words *words = calloc(1, sizeof *words);
    unsigned kind = (unsigned)random_next(random), deed = (unsigned)random_next(random) % 6;
    size_t changed = 0;

    memcpy(copy, data, size);
    if (!words)
        return size;
    *words = (struct words){.text = copy, .size = size};
    find_words(words);
    if (words->count) {
        struct piece from = any_piece(words, kind, random), to = any_piece(words, kind, random);
        const char *edge = any_known(random);

        if (deed == 0)
            changed = replace(data, size, max, to, "", 0);
        else if (deed == 1)
            changed =
                replace(data, size, max, (struct piece){to.from, 0}, copy + from.from, from.length);
        else if (deed <= 3)
            changed = replace(data, size, max, to, copy + from.from, from.length);
        else
            changed = replace(data, size, max, any_piece(words, 2, random), edge, strlen(edge));
    }
    free(words);
    return changed ? changed : size;
}

size_t fuzz_mutate_words(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    uint64_t random = seed;
    uint8_t *copy;

    if (!size || random_next(&random) % 3 == 0)
        return LLVMFuzzerMutate(data, size, max);
    copy = malloc(max);
    if (!copy)
        return size;
    for (uint64_t turns = 1 + random_next(&random) % TURNS_MAX; turns; turns--)
        size = mutate_once(data, size, max, copy, &random);
    free(copy);
    return size;
}

/* The text of a shoe's options and defects: "seed=7,draw=400,fault=misread@card:17". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "devices/shoe/mechanics.h"

/* In the order of enum shoe_defect_kind. */
static const struct {
    const char *name, *unit;
    unsigned first, last;
} defects[SHOE_DEFECTS] = {
    {"misread", "card", 1, DECK_SIZE},
    {"jam", "card", 1, DECK_SIZE},
    /* It changes places with the bottom card, and the first card cannot come before itself. */
    {"wrong", "card", 1, DECK_SIZE - 1},
    {"twice", "card", 2, DECK_SIZE},
    {"repeat", "card", 1, DECK_SIZE},
    {"lost-ack", "card", 1, DECK_SIZE},
    {"unplug", "frames", 1, 999999999},
    {"overdraw", "card", 1, DECK_SIZE},
    {"reverse", "card", 1, DECK_SIZE},
    {"swap", "card", 1, DECK_SIZE - 1},
    {"power", "card", 1, DECK_SIZE},
    {"sneak", "card", 1, DECK_SIZE},
    {"new-deck", "card", 1, DECK_SIZE},
    {"whisper", "card", 1, DECK_SIZE},
    {"unflagged", "card", 1, DECK_SIZE},
    {"unlogged", "card", 1, DECK_SIZE},
    {"mislogged", "card", 1, DECK_SIZE},
    {"skip", "card", 1, DECK_SIZE},
    {"lose", "card", 1, DECK_SIZE - 1},
    {"smuggle", "card", 1, DECK_SIZE - 1},
};

static bool read_digits(const char *text, size_t length, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;

    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value) || value > most)
            return false;
    *number = value;
    return length > 0;
}

static int say_unknown(const char *spec, size_t length, struct error *error)
{
    char known[240] = "";
    size_t used = 0;

    for (size_t i = 0; i < SHOE_DEFECTS; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 defects[i].name);
    return error_set(error, ERROR_CONFIG, "'%.*s' is no fault of a shoe: it has %s", (int)length,
                     spec, known);
}

static size_t find_defect(const char *name, size_t length)
{
    size_t i = 0;

    while (i < SHOE_DEFECTS &&
           (strlen(defects[i].name) != length || memcmp(defects[i].name, name, length) != 0))
        i++;
    return i;
}

/* The number of "@card:17"; false when that is not what stands there. */
static bool read_place(const char *text, size_t length, const char *unit, uint64_t *number)
{
    size_t size = strlen(unit);

    return length > size + 2 && !memcmp(text + 1, unit, size) && text[size + 1] == ':' &&
           read_digits(text + size + 2, length - size - 2, UINT32_MAX, number);
}

int shoe_mechanics_fault(struct shoe_mechanics *mechanics, const char *spec, size_t length,
                         struct error *error)
{
    const char *at = memchr(spec, '@', length);
    size_t name = at ? (size_t)(at - spec) : length;
    size_t kind = find_defect(spec, name);
    uint64_t number;

    if (kind == SHOE_DEFECTS)
        return say_unknown(spec, length, error);
    if (!at || !read_place(at, length - name, defects[kind].unit, &number) ||
        number < defects[kind].first || number > defects[kind].last)
        return error_set(error, ERROR_CONFIG, "'%.*s': write %s@%s:N with N from %u to %u",
                         (int)length, spec, defects[kind].name, defects[kind].unit,
                         defects[kind].first, defects[kind].last);
    if (mechanics->defect_count == SHOE_MECHANICS_DEFECTS)
        return error_set(error, ERROR_CONFIG, "'%.*s' is one fault too many: a model takes %d",
                         (int)length, spec, SHOE_MECHANICS_DEFECTS);
    mechanics->defects[mechanics->defect_count++] =
        (struct shoe_defect){.kind = (enum shoe_defect_kind)kind, .at = (unsigned)number};
    return 0;
}

static bool is_key(const char *option, size_t length, const char *key)
{
    return strlen(key) == length && !memcmp(option, key, length);
}

/* 1 with the number, or ERROR_CONFIG. */
static int read_number(const char *option, size_t length, size_t value, uint64_t most,
                       uint64_t *number, struct error *error)
{
    if (read_digits(option + value, length - value, most, number))
        return 1;
    return error_set(error, ERROR_CONFIG, "%.*s: write a whole number from 0 to %llu", (int)length,
                     option, (unsigned long long)most);
}

/* The last option of the text wins: a seed makes the first deck anew. */
static void reseed(struct shoe_mechanics *mechanics, uint64_t seed)
{
    shuffle_seed(&mechanics->memory.generator, seed);
    shoe_mechanics_refill(mechanics);
    mechanics->memory.number = 1;
}

int shoe_mechanics_option(struct shoe_mechanics *mechanics, const char *option, size_t length,
                          struct error *error)
{
    static const uint64_t day = 24 * 3600 * 1000;
    const char *equals = memchr(option, '=', length);
    size_t key = equals ? (size_t)(equals - option) : length;
    uint64_t number = 0;
    int result;

    if (!equals)
        return 0;
    if (is_key(option, key, "fault")) {
        result = shoe_mechanics_fault(mechanics, equals + 1, length - key - 1, error);
        return result ? result : 1;
    }
    if (is_key(option, key, "seed")) {
        result = read_number(option, length, key + 1, UINT64_MAX, &number, error);
        if (result > 0)
            reseed(mechanics, number);
    } else if (is_key(option, key, "draw")) {
        result = read_number(option, length, key + 1, day, &number, error);
        mechanics->draw_time = (nanos_t)number * NANOS_PER_MILLI;
    } else if (is_key(option, key, "refill")) {
        result = read_number(option, length, key + 1, day, &number, error);
        mechanics->refill_time = (nanos_t)number * NANOS_PER_MILLI;
    } else if (is_key(option, key, "cut")) {
        result = read_number(option, length, key + 1, DECK_SIZE - 1, &number, error);
        mechanics->cut = (uint8_t)number;
    } else {
        result = 0;
    }
    return result;
}

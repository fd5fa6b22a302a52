/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/differences.h"

#include <stdio.h>
#include <string.h>

struct walk {
    difference_teller *tell;
    void *context;
    unsigned count;
    char place[DIFFERENCE_PLACE_SIZE];
};

static unsigned compare(struct walk *walk, const struct json_value *first,
                        const struct json_value *second, const char *key,
                        const char *const *ignored);

/* "seat 4" and not "4" where that is what a member means. */
static void put_member(struct walk *walk, const char *of, const char *key)
{
    size_t used = strlen(walk->place);
    bool is_seat = of && (!strcmp(of, "bets") || !strcmp(of, "play") || !strcmp(of, "seats"));

    snprintf(walk->place + used, sizeof walk->place - used, "%s%s%s", used ? ", " : "",
             is_seat ? "seat " : "", key);
}

/* A deal card by card has no hand among its packets. */
static bool is_single(const struct json_value *dealt)
{
    JSON_EACH (packet, dealt)
        if (json_is(packet, JSON_KIND_STRING) && strchr(packet->text, ' '))
            return false;
    return true;
}

static void put_element(struct walk *walk, const char *of, bool is_by_cards, size_t index)
{
    static const struct {
        const char *array, *word;
    } words[] = {{"dealt", "packet"}, {"keys", "key"},   {"jackpots", "jackpot"},
                 {"board", "card"},   {"cards", "card"}, {"burned", "card"}};
    const char *word = "number";
    size_t used = strlen(walk->place);

    for (size_t i = 0; of && i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(of, words[i].array))
            word = i || !is_by_cards ? words[i].word : "card";
    snprintf(walk->place + used, sizeof walk->place - used, ", %s %zu", word, index + 1);
}

static bool is_ignored(const char *key, const char *const *ignored)
{
    for (; ignored && *ignored; ignored++)
        if (!strcmp(*ignored, key))
            return true;
    return false;
}

static void compare_members(struct walk *walk, const struct json_value *first,
                            const struct json_value *second, const char *key,
                            const char *const *ignored)
{
    size_t length = strlen(walk->place);

    JSON_EACH (value, first) {
        if (is_ignored(value->key, ignored))
            continue;
        put_member(walk, key, value->key);
        compare(walk, value, json_member(second, value->key), value->key, NULL);
        walk->place[length] = '\0';
    }
    JSON_EACH (value, second) {
        if (is_ignored(value->key, ignored) || json_member(first, value->key))
            continue;
        put_member(walk, key, value->key);
        compare(walk, NULL, value, value->key, NULL);
        walk->place[length] = '\0';
    }
}

static void compare_elements(struct walk *walk, const struct json_value *first,
                             const struct json_value *second, const char *key)
{
    size_t length = strlen(walk->place);
    size_t count = json_count(first) > json_count(second) ? json_count(first) : json_count(second);
    bool is_by_cards = is_single(first) && is_single(second);

    for (size_t i = 0; i < count; i++) {
        put_element(walk, key, is_by_cards, i);
        compare(walk, json_element(first, i), json_element(second, i), NULL, NULL);
        walk->place[length] = '\0';
    }
}

static unsigned compare(struct walk *walk, const struct json_value *first,
                        const struct json_value *second, const char *key,
                        const char *const *ignored)
{
    if (json_is(first, JSON_KIND_OBJECT) && json_is(second, JSON_KIND_OBJECT)) {
        compare_members(walk, first, second, key, ignored);
    } else if (json_is(first, JSON_KIND_ARRAY) && json_is(second, JSON_KIND_ARRAY)) {
        compare_elements(walk, first, second, key);
    } else if (!first || !second || !json_same(first, second)) {
        walk->tell(walk->context, walk->place, first, second);
        walk->count++;
    }
    return walk->count;
}

bool difference_is_money(const char *place)
{
    static const char *const last[] = {"total", "pays", "cents"}, *const of[] = {"bets", "net"};
    const char *word = place, *end;

    for (; (end = strchr(word, ',')); word = end + 2)
        for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
            if (strlen(of[i]) == (size_t)(end - word) && !memcmp(word, of[i], strlen(of[i])))
                return true;
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        if (!strcmp(word, last[i]))
            return true;
    return false;
}

unsigned differences_tell(const struct json_value *first, const struct json_value *second,
                          const char *const *ignored, difference_teller *tell, void *context)
{
    struct walk walk = {.tell = tell, .context = context};

    return compare(&walk, first, second, NULL, ignored);
}

#include "rigs/recording/shoe.h"

#include <limits.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "hal/base/json_pool.h"

#define NUMBER_DIGITS 18 /* of a number that fits wherever numbers are kept */

/* "1" … "7", and nothing that only looks like it. */
static int read_seat(const char *key, struct error *error)
{
    if (key[0] >= '1' && key[0] <= '0' + SEATS_MAX && !key[1])
        return key[0] - '0';
    return error_set(error, ERROR_RULE, "there is no seat '%.40s'; seats are 1 to %d", key,
                     SEATS_MAX);
}

static int read_stakes(const json_t *stakes, const struct game *game, cents_t bets[WAGERS_MAX],
                       struct error *error)
{
    const char *key;
    json_t *value;

    if (field_object(stakes, "bets of a seat", error) < 0)
        return error->code;
    if (!json_object_size(stakes))
        return error_set(error, ERROR_RULE, "no wager; leave out a seat that does not play");
    json_object_foreach((json_t *)stakes, key, value)
    {
        int wager = game_wager(game, key);

        if (wager < 0)
            return error_set(error, ERROR_RULE, "%s has no wager '%.40s'", game->name, key);
        if (field_number(value, key, 1, STAKE_MAX, &bets[wager], error) < 0)
            return error->code;
    }
    return 0;
}

static int read_bets(const json_t *bets, const struct game *game, struct round *round,
                     struct error *error)
{
    const char *key;
    json_t *value;

    if (field_object(bets, "bets", error) < 0)
        return error->code;
    json_object_foreach((json_t *)bets, key, value)
    {
        int seat = read_seat(key, error);

        if (seat < 0) {
            error_prefix(error, "bets");
            return error->code;
        }
        if (read_stakes(value, game, round->bets[seat], error) < 0) {
            error_prefix(error, "seat %d", seat);
            return error->code;
        }
        round->seats |= seat_bit((unsigned)seat);
    }
    if (!round->seats)
        return error_set(error, ERROR_RULE, "bets is empty; a round has a seat that plays");
    return 0;
}

static int read_decisions(const json_t *words, const struct game *game, struct round *round,
                          int seat, struct error *error)
{
    size_t count = json_array_size(words);

    if (field_array(words, "play of a seat", error) < 0)
        return error->code;
    if (count > game->stage_count)
        return error_set(error, ERROR_RULE, "%zu decisions; %s asks for at most %u", count,
                         game->name, game->stage_count);
    for (unsigned i = 0; i < count; i++) {
        const char *word;
        int decision;

        if (field_text(json_array_get(words, i), "a decision", &word, error) < 0)
            return error->code;
        decision = game_decision(game, i, word);
        if (decision < 0)
            return error_set(error, ERROR_RULE, "decision %u cannot be '%.40s'", i + 1, word);
        round->decisions[seat][i] = (uint8_t)decision;
    }
    round->decision_count[seat] = (uint8_t)count;
    return 0;
}

static int read_play(const json_t *play, const struct game *game, struct round *round,
                     struct error *error)
{
    const char *key;
    json_t *value;

    if (field_object(play, "play", error) < 0)
        return error->code;
    json_object_foreach((json_t *)play, key, value)
    {
        int seat = read_seat(key, error);

        if (seat < 0) {
            error_prefix(error, "play");
            return error->code;
        }
        if (!(round->seats & seat_bit((unsigned)seat)))
            return error_set(error, ERROR_RULE, "seat %d plays without a bet", seat);
        if (read_decisions(value, game, round, seat, error) < 0) {
            error_prefix(error, "seat %d", seat);
            return error->code;
        }
    }
    return 0;
}

static int read_packet(const json_t *value, bool single, struct round *round, struct error *error)
{
    const char *text;
    int count;

    if (field_text(value, "it", &text, error) < 0)
        return error->code;
    count = cards_parse(text, json_string_length(value), round->dealt + round->dealt_count,
                        (size_t)(DECK_SIZE - round->dealt_count), error);
    if (count < 0)
        return count;
    if (!count)
        return error_set(error, ERROR_RULE, "no card in it");
    if (single && count != 1)
        return error_set(error, ERROR_RULE, "%d cards; with \"deal\":\"cards\" each stands alone",
                         count);
    round->packet[round->packet_count++] = (uint8_t)count;
    round->dealt_count = (uint8_t)(round->dealt_count + count);
    return 0;
}

static int read_dealt(const json_t *dealt, enum deal_mode mode, struct round *round,
                      struct error *error)
{
    const json_t *value;
    size_t i;

    if (field_array(dealt, "dealt", error) < 0)
        return error->code;
    if (json_array_size(dealt) > PACKETS_MAX)
        return error_set(error, ERROR_RULE, "dealt has %zu entries; a deck has %d cards",
                         json_array_size(dealt), DECK_SIZE);
    json_array_foreach(dealt, i, value)
    {
        if (read_packet(value, mode == DEAL_CARDS, round, error) < 0) {
            error_prefix(error, "dealt: %s %zu", mode == DEAL_CARDS ? "card" : "packet", i + 1);
            return error->code;
        }
    }
    return 0;
}

/* 52 cards, each once: the sentence says which one is there twice, or is not. */
static int read_deck(const json_t *value, const char *name, card_t deck[DECK_SIZE],
                     struct error *error)
{
    uint64_t seen = 0, missing;
    const char *text;
    char card[3] = "";
    int count;

    if (field_text(value, name, &text, error) < 0)
        return error->code;
    count = cards_parse(text, json_string_length(value), deck, DECK_SIZE, error);
    for (int i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << card_index(deck[i]);

        if (seen & bit) {
            card_format(deck[i], card);
            return error_set(error, ERROR_RULE, "%s: %s is there twice", name, card);
        }
        seen |= bit;
    }
    if (count < 0) {
        error_prefix(error, "%s", name);
        return count;
    }
    missing = ~seen & (((uint64_t)1 << DECK_SIZE) - 1);
    if (missing) {
        card_format(card_from_index((unsigned)__builtin_ctzll(missing)), card);
        return error_set(error, ERROR_RULE, "%s: %d card%s; a deck has %d, and %s%s is missing",
                         name, count, count == 1 ? "" : "s", DECK_SIZE,
                         DECK_SIZE - count > 1 ? "among others " : "", card);
    }
    return 0;
}

/* What was dealt came off the top of the deck. */
static int check_dealt(const struct round *round, const card_t deck[DECK_SIZE], struct error *error)
{
    for (unsigned i = 0; i < round->dealt_count; i++)
        if (round->dealt[i] != deck[i]) {
            char dealt[2], there[2];

            card_format(round->dealt[i], dealt);
            card_format(deck[i], there);
            return error_set(error, ERROR_RULE,
                             "dealt: card %u is %.2s, but the deck has %.2s there", i + 1, dealt,
                             there);
        }
    return 0;
}

static bool known_key(const char *key)
{
    static const char *const keys[] = {"start-round", "cancel-round",    "end-round",   "none",
                                       "hand",        "pending-jackpot", "pay-jackpot", "code",
                                       "esc",         "cancel-jackpot",  "ok"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strcmp(keys[i], key))
            return true;
    if (!strncmp(key, "hand:", 5))
        return key[5];
    return !strncmp(key, "seat-", 5) && key[5] >= '1' && key[5] <= '0' + SEATS_MAX && !key[6];
}

/* All keys are checked; the settlement depends only on how the round was closed. */
static int read_keys(const json_t *keys, struct round *round, struct error *error)
{
    const json_t *value;
    const char *key;
    size_t i;

    if (field_array(keys, "keys", error) < 0)
        return error->code;
    json_array_foreach(keys, i, value)
    {
        if (field_text(value, "a key", &key, error) < 0)
            return error->code;
        if (!known_key(key))
            return error_set(error, ERROR_RULE, "the terminal has no key '%.40s'", key);
        if (!strcmp(key, "cancel-round"))
            round->cancelled = true;
        if (!strcmp(key, "end-round"))
            round->cancelled = false;
    }
    return 0;
}

static int read_award(const json_t *value, const struct shoe_header *header, struct round *round,
                      struct error *error)
{
    static const char *const known[] = {"seat", NULL};
    int64_t seat;

    if (field_object(value, "must-hit", error) < 0 ||
        fields_known(value, "must-hit", known, error) < 0 ||
        field_number(json_object_get(value, "seat"), "seat of must-hit", 1, SEATS_MAX, &seat,
                     error) < 0)
        return error->code;
    if (header->meters.must_hit < 0)
        return error_set(error, ERROR_RULE,
                         "must-hit to seat %jd, but the header sets up no Must Hit meter",
                         (intmax_t)seat);
    round->must_hit_seat = (uint8_t)seat;
    return 0;
}

/* The fields of a round, found in one walk over its object. */
enum { ROUND, BETS, DEALT, PLAY, KEYS, MUST_HIT, DECK, BEFORE, FIELD_COUNT };

static int find_fields(const json_t *line, const json_t *fields[FIELD_COUNT], struct error *error)
{
    static const char *const names[FIELD_COUNT + 1] = {"round",    "bets", "dealt",  "play", "keys",
                                                       "must-hit", "deck", "before", NULL};
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)line, key, value)
    {
        unsigned i = 0;

        while (i < FIELD_COUNT && strcmp(names[i], key))
            i++;
        if (i == FIELD_COUNT)
            return fields_known(line, "a round", names, error);
        fields[i] = value;
    }
    return 0;
}

/* A deck that nobody played with. */
static bool is_deck_alone(const json_t *fields[FIELD_COUNT])
{
    return fields[DECK] && !fields[BETS] && !fields[DEALT] && !fields[PLAY] && !fields[KEYS] &&
           !fields[MUST_HIT];
}

static int read_played(const json_t *fields[FIELD_COUNT], const struct shoe_header *header,
                       struct round *round, struct error *error)
{
    const struct game *game = header->setup.game;

    if (read_bets(fields[BETS], game, round, error) < 0 ||
        read_dealt(fields[DEALT], header->setup.deal, round, error) < 0 ||
        read_play(fields[PLAY], game, round, error) < 0 ||
        (fields[KEYS] && read_keys(fields[KEYS], round, error) < 0) ||
        (fields[MUST_HIT] && read_award(fields[MUST_HIT], header, round, error) < 0))
        return error->code;
    return 0;
}

static int read_fields(const json_t *fields[FIELD_COUNT], const struct shoe_header *header,
                       struct shoe_round *line, struct error *error)
{
    struct round *round = &line->round;

    if (field_number(fields[ROUND], "round", 1, INT64_MAX, &round->number, error) < 0 ||
        (!is_deck_alone(fields) && read_played(fields, header, round, error) < 0) ||
        (fields[DECK] && read_deck(fields[DECK], "deck", line->deck, error) < 0) ||
        (fields[DECK] && check_dealt(round, line->deck, error) < 0) ||
        (fields[BEFORE] && read_deck(fields[BEFORE], "before", line->before, error) < 0))
        return error->code;
    line->has_deck = fields[DECK];
    line->has_before = fields[BEFORE];
    return 0;
}

static bool take(const char **at, const char *end, const char *token)
{
    size_t length = strlen(token);

    if ((size_t)(end - *at) < length || memcmp(*at, token, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_number(const char **at, const char *end, int64_t *number)
{
    const char *start = *at;

    for (*number = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (*at - start < NUMBER_DIGITS)
            *number = *number * 10 + (**at - '0');
    return *at > start && *start != '0' && *at - start <= NUMBER_DIGITS;
}

static bool take_deck(const char **at, const char *end, card_t deck[DECK_SIZE])
{
    uint64_t seen = 0;

    if (end - *at < DECK_SIZE * 3)
        return false;
    for (unsigned i = 0; i < DECK_SIZE; i++, *at += 3) {
        if (!card_parse(*at, &deck[i]) || (*at)[2] != (i < DECK_SIZE - 1 ? ' ' : '"'))
            return false;
        seen |= (uint64_t)1 << card_index(deck[i]);
    }
    return seen == ((uint64_t)1 << DECK_SIZE) - 1;
}

/* The field, once, if it comes next; false when what it holds is no deck. */
static bool take_field(const char **at, const char *end, const char *name, card_t deck[DECK_SIZE],
                       bool *has)
{
    if (*has || !take(at, end, name))
        return true;
    *has = true;
    return take_deck(at, end, deck);
}

/*
 * A deck alone, as it is written without a blank: a million of them are read in a fraction of the
 * time that JSON takes. Whatever is written otherwise, or wrong, is left to the parser.
 */
static bool take_deck_alone(const char *text, size_t length, struct shoe_round *line)
{
    static const char before[] = ",\"before\":\"";
    const char *at = text, *end = text + length;

    line->has_deck = false;
    line->has_before = false;
    return take(&at, end, "{\"round\":") && take_number(&at, end, &line->round.number) &&
           take_field(&at, end, before, line->before, &line->has_before) &&
           take_field(&at, end, ",\"deck\":\"", line->deck, &line->has_deck) &&
           take_field(&at, end, before, line->before, &line->has_before) && line->has_deck &&
           take(&at, end, "}") && at == end;
}

int shoe_read_round(const char *text, size_t length, const struct shoe_header *header,
                    struct shoe_round *round, struct error *error)
{
    const json_t *fields[FIELD_COUNT] = {NULL};
    struct error unheard;
    json_t *line;
    int status;

    if (!error)
        error = &unheard;
    memset(&round->round, 0, sizeof round->round);
    if (take_deck_alone(text, length, round))
        return 0;
    line = fields_parse(text, length, error);
    if (!line)
        return error->code;
    status = find_fields(line, fields, error);
    if (!status)
        status = read_fields(fields, header, round, error);
    json_pool_release(line);
    if (status < 0)
        text_clean(error->text);
    return status;
}

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

/* How a line nearly always begins, even one that is no JSON: cut off after its number, say. */
static bool scan_number(const char *text, size_t length, int64_t *number)
{
    static const char *const tokens[] = {"{", "\"round\"", ":"};
    int64_t value = 0;
    size_t at = 0, digits;

    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        size_t size = strlen(tokens[i]);

        at = skip_blanks(text, length, at);
        if (length - at < size || memcmp(text + at, tokens[i], size) != 0)
            return false;
        at += size;
    }
    at = digits = skip_blanks(text, length, at);
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
        if (value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (text[at] - '0');
    }
    if (at == digits || at == length || !memchr(" \t,}", text[at], 4))
        return false;
    *number = value;
    return true;
}

bool shoe_find_number(const char *text, size_t length, int64_t *number)
{
    json_t *line;
    const json_t *value;
    bool found;

    if (scan_number(text, length, number))
        return true;
    line = fields_parse(text, length, NULL);
    value = json_object_get(line, "round");
    found = json_is_integer(value);
    if (found)
        *number = json_integer_value(value);
    json_decref(line);
    return found;
}

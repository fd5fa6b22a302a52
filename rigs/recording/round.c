/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/format.h"

#include <limits.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "hal/base/printable.h"
#include "rigs/recording/steps.h"

/* Exactly "1" … "7". */
static int read_seat(const char *key, struct error *error)
{
    if (key[0] >= '1' && key[0] <= '0' + SEATS_MAX && !key[1])
        return key[0] - '0';
    return error_set(error, ERROR_RULE, "there is no seat '%.40s'; seats are 1 to %d", key,
                     SEATS_MAX);
}

static int read_stake(const struct json_value *value, cents_t *stake, struct error *error)
{
    if (field_number(value, value->key, INT64_MIN, INT64_MAX, stake, error) < 0)
        return error->code;
    if (*stake < 1 || *stake > STAKE_MAX)
        return error_set(error, ERROR_RULE, "%s is %jd; it must be from 1 to %jd cents", value->key,
                         (intmax_t)*stake, (intmax_t)STAKE_MAX);
    return 0;
}

static int read_stakes(const struct json_value *stakes, const struct game *game,
                       cents_t bets[WAGERS_MAX], struct error *error)
{

    if (field_object(stakes, "bets of a seat", error) < 0)
        return error->code;
    if (!json_count(stakes))
        return error_set(error, ERROR_RULE, "no wager; leave out a seat that does not play");
    JSON_EACH (value, stakes) {
        int wager = game_wager(game, value->key);

        if (wager < 0)
            return error_set(error, ERROR_RULE, "%s has no wager '%.40s'", game->name, value->key);
        if (read_stake(value, &bets[wager], error) < 0)
            return error->code;
    }
    return 0;
}

static int read_bets(const struct json_value *bets, const struct game *game, struct round *round,
                     struct error *error)
{

    if (field_object(bets, "bets", error) < 0)
        return error->code;
    JSON_EACH (value, bets) {
        int seat = read_seat(value->key, error);

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
        return error_refuse(error, REFUSED_NO_BETS, "bets is empty; a round has a seat that plays");
    return 0;
}

static int read_decisions(const struct json_value *words, const struct game *game,
                          struct round *round, int seat, struct error *error)
{
    size_t count = json_count(words);
    unsigned i = 0;

    if (field_array(words, "play of a seat", error) < 0)
        return error->code;
    if (count > game->stage_count)
        return error_refuse(error, REFUSED_DECISION_AFTER, "%zu decisions; %s asks for at most %u",
                            count, game->name, game->stage_count);
    JSON_EACH (value, words) {
        const char *word;
        int decision;

        if (field_text(value, "a decision", &word, error) < 0)
            return error->code;
        decision = game_decision(game, i, word);
        if (decision < 0)
            return error_set(error, ERROR_RULE, "decision %u cannot be '%.40s'", i + 1, word);
        round->decisions[seat][i++] = (uint8_t)decision;
    }
    round->decision_count[seat] = (uint8_t)count;
    return 0;
}

static int read_play(const struct json_value *play, const struct game *game, struct round *round,
                     struct error *error)
{

    if (field_object(play, "play", error) < 0)
        return error->code;
    JSON_EACH (value, play) {
        int seat = read_seat(value->key, error);

        if (seat < 0) {
            error_prefix(error, "play");
            return error->code;
        }
        if (!(round->seats & seat_bit((unsigned)seat)))
            return error_refuse(error, REFUSED_DECISION_WITHOUT_BETS, "seat %d plays without a bet",
                                seat);
        if (read_decisions(value, game, round, seat, error) < 0) {
            error_prefix(error, "seat %d", seat);
            return error->code;
        }
    }
    return 0;
}

static int read_packet(const struct json_value *value, bool single, struct round *round,
                       struct error *error)
{
    const char *text;
    int count;

    if (field_text(value, "it", &text, error) < 0)
        return error->code;
    count = cards_parse(text, value->length, round->dealt + round->dealt_count,
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

static int read_dealt(const struct json_value *dealt, enum deal_mode mode, struct round *round,
                      struct error *error)
{
    unsigned packet = 0;

    if (field_array(dealt, "dealt", error) < 0)
        return error->code;
    if (json_count(dealt) > PACKETS_MAX)
        return error_set(error, ERROR_RULE, "dealt has %zu entries; a deck has %d cards",
                         json_count(dealt), DECK_SIZE);
    JSON_EACH (value, dealt) {
        packet++;
        if (read_packet(value, mode == DEAL_CARDS, round, error) < 0) {
            error_prefix(error, "dealt: %s %u", mode == DEAL_CARDS ? "card" : "packet", packet);
            return error->code;
        }
    }
    return 0;
}

/* 52 cards, each once: the sentence says which one is there twice, or is not. */
static int read_deck(const struct json_value *value, const char *name, card_t deck[DECK_SIZE],
                     struct error *error)
{
    uint64_t seen = 0, missing;
    const char *text;
    char card[3] = "";
    int count;

    if (field_text(value, name, &text, error) < 0)
        return error->code;
    count = cards_parse(text, value->length, deck, DECK_SIZE, error);
    for (int i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << card_index(deck[i]);

        if (seen & bit) {
            card_format(deck[i], card);
            return error_set(error, ERROR_RULE,
                             "%s: %s is there twice, the second time as card %d; an order has the "
                             "cards of one deck: if two were mixed, sort them",
                             name, card, i + 1);
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
    static const char *const keys[] = {
        "start-round", "cancel-round", "end-round", "none",           "hand", "pending-jackpot",
        "pay-jackpot", "code",         "esc",       "cancel-jackpot", "ok",   "wrong-code",
        "wrong-admin", "unknown-hand"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strcmp(keys[i], key))
            return true;
    if (!strncmp(key, "hand:", 5))
        return key[5];
    if (recording_step_wagers(key, &(seats_t){0}) || !strncmp(key, "correct-meter:", 14))
        return true;
    return !strncmp(key, "seat-", 5) && key[5] >= '1' && key[5] <= '0' + SEATS_MAX && !key[6];
}

/* All keys are checked; the settlement depends only on how they close the round. */
static int read_keys(const struct json_value *keys, bool is_void,
                     const struct recording_header *header, struct round *round,
                     struct error *error)
{
    const struct game *game = header->setup.game;
    struct recording_steps steps = recording_steps_begin(game, round);
    const char *key;

    if (field_array(keys, "keys", error) < 0)
        return error->code;
    if (game_progressive(game) < 0)
        return error_set(error, ERROR_RULE,
                         "keys, but %s has no progressive wager and its table no terminal to press "
                         "them on",
                         game->name);
    if (json_count(keys) > RECORDING_KEYS_MAX)
        return error_set(error, ERROR_RULE,
                         "keys has %zu entries; a round has at most %d: leave out those that its "
                         "case does not need",
                         json_count(keys), RECORDING_KEYS_MAX);
    JSON_EACH (value, keys) {
        if (field_text(value, "a key", &key, error) < 0)
            return error->code;
        if (!known_key(key))
            return error_set(error, ERROR_RULE, "the terminal has no key '%.40s'", key);
        if (recording_steps_take(&steps, key, &header->meters, round, error))
            return error->code;
    }
    return recording_steps_end(&steps, is_void, round, error);
}

static int read_award(const struct json_value *value, const struct recording_header *header,
                      struct round *round, struct error *error)
{
    static const char *const known[] = {"seat", NULL};
    int64_t seat;

    if (field_object(value, "must-hit", error) < 0 ||
        fields_known(value, "must-hit", known, error) < 0 ||
        field_number(json_member(value, "seat"), "seat of must-hit", 1, SEATS_MAX, &seat, error) <
            0)
        return error->code;
    if (header->meters.must_hit < 0)
        return error_set(error, ERROR_RULE,
                         "must-hit to seat %jd, but the header sets up no Must Hit meter",
                         (intmax_t)seat);
    round->must_hit_seat = (uint8_t)seat;
    return 0;
}

/* The fields of a round, found in one walk over its object. */
enum {
    ROUND,
    BETS,
    DEALT,
    PLAY,
    KEYS,
    PROCEDURE,
    MUST_HIT,
    VOID,
    DECK_ID,
    DECK,
    BEFORE,
    FIELD_COUNT
};

static int find_fields(const struct json_value *line, const struct json_value *fields[FIELD_COUNT],
                       struct error *error)
{
    static const char *const names[FIELD_COUNT + 1] = {"round",   "bets",      "dealt",    "play",
                                                       "keys",    "procedure", "must-hit", "void",
                                                       "deck-id", "deck",      "before",   NULL};

    JSON_EACH (value, line) {
        unsigned i = 0;

        while (i < FIELD_COUNT && strcmp(names[i], value->key))
            i++;
        if (i == FIELD_COUNT)
            return fields_known(line, "a round", names, error);
        fields[i] = value;
    }
    return 0;
}

/* The line has a deck and no round that was played. */
static bool is_deck_alone(const struct json_value *fields[FIELD_COUNT])
{
    return fields[DECK] && !fields[BETS] && !fields[DEALT] && !fields[PLAY] && !fields[KEYS] &&
           !fields[PROCEDURE] && !fields[MUST_HIT] && !fields[VOID];
}

/* "free": keys that are pressed wrongly on purpose are not held against what was won. */
static int read_procedure(const struct json_value *value, bool has_keys, struct error *error)
{
    const char *word;

    if (field_text(value, "procedure", &word, error) < 0)
        return error->code;
    if (strcmp(word, "free") != 0)
        return error_set(error, ERROR_RULE, "procedure is '%.40s'; it can only be 'free'", word);
    if (!has_keys)
        return error_set(error, ERROR_RULE,
                         "procedure is free, but no keys are recorded: the regular ones are right");
    return 0;
}

/* "misdeal": all wagers come back. */
static int read_void(const struct json_value *value, struct round *round, struct error *error)
{
    const char *word;

    if (field_text(value, "void", &word, error) < 0)
        return error->code;
    if (strcmp(word, "misdeal") != 0)
        return error_set(error, ERROR_RULE, "void is '%.40s'; it can only be 'misdeal'", word);
    round->is_void = round->cancelled = true;
    return 0;
}

/* Which of two decks; a table that has one does not number it. */
static int read_deck_id(const struct json_value *value, const struct recording_header *header,
                        struct round *round, struct error *error)
{
    int64_t deck;

    if (json_is(value, JSON_KIND_ARRAY) && json_count(value) > 1)
        return error_set(error, ERROR_RULE,
                         "deck-id names more than one deck; a round is dealt from one: if it "
                         "changed in between, write the round as void");
    if (field_number(value, "deck-id", 1, DECKS_MAX, &deck, error) < 0)
        return error->code;
    if (header->decks < 2)
        return error_set(error, ERROR_RULE,
                         "deck-id is %jd, but the header says nothing of two decks",
                         (intmax_t)deck);
    round->deck_id = (uint8_t)deck;
    return 0;
}

static int read_played(const struct json_value *fields[FIELD_COUNT],
                       const struct recording_header *header, struct round *round,
                       struct error *error)
{
    const struct game *game = header->setup.game;

    if (read_bets(fields[BETS], game, round, error) < 0 ||
        read_dealt(fields[DEALT], header->setup.deal, round, error) < 0 ||
        read_play(fields[PLAY], game, round, error) < 0 ||
        (fields[KEYS] && read_keys(fields[KEYS], fields[VOID], header, round, error) < 0) ||
        (fields[PROCEDURE] && read_procedure(fields[PROCEDURE], fields[KEYS], error) < 0) ||
        (fields[MUST_HIT] && read_award(fields[MUST_HIT], header, round, error) < 0) ||
        (fields[VOID] && read_void(fields[VOID], round, error) < 0))
        return error->code;
    return 0;
}

static int read_fields(const struct json_value *fields[FIELD_COUNT],
                       const struct recording_header *header, struct recording_round *line,
                       struct error *error)
{
    struct round *round = &line->round;

    if (field_number(fields[ROUND], "round", 1, INT64_MAX, &round->number, error) < 0 ||
        (!is_deck_alone(fields) && read_played(fields, header, round, error) < 0) ||
        (fields[DECK_ID] && read_deck_id(fields[DECK_ID], header, round, error) < 0) ||
        (fields[DECK] && read_deck(fields[DECK], "deck", line->deck, error) < 0) ||
        (fields[DECK] && check_dealt(round, line->deck, error) < 0) ||
        (fields[BEFORE] && read_deck(fields[BEFORE], "before", line->before, error) < 0))
        return error->code;
    line->has_deck = fields[DECK];
    line->has_before = fields[BEFORE];
    line->keys = fields[KEYS];
    line->is_free = fields[PROCEDURE];
    return 0;
}

int recording_read_round(struct json_reader *reader, const char *text, size_t length,
                         const struct recording_header *header, struct recording_round *round,
                         struct error *error)
{
    const struct json_value *fields[FIELD_COUNT] = {NULL};
    const struct json_value *line;
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    memset(&round->round, 0, sizeof round->round);
    if (recording_is_empty(text, length))
        return error_set(error, ERROR_RULE, "not valid JSON: " RECORDING_EMPTY_LINE);
    line = fields_parse(reader, text, length, error);
    if (!line)
        return error->code;
    status = find_fields(line, fields, error);
    if (!status)
        status = read_fields(fields, header, round, error);
    if (status < 0)
        printable_make(error->text);
    return status;
}

/* Stakes and decisions, and nothing that is heard on a line. */
static int read_note(const struct json_value *fields[FIELD_COUNT],
                     const struct recording_header *header, struct round *round,
                     struct error *error)
{
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        if (fields[i] && i != ROUND && i != BETS && i != PLAY)
            return error_set(error, ERROR_RULE, "a note has round, bets and play, and no '%s'",
                             fields[i]->key);
    if (field_number(fields[ROUND], "round", 1, INT64_MAX, &round->number, error) < 0 ||
        read_bets(fields[BETS], header->setup.game, round, error) < 0)
        return error->code;
    return read_play(fields[PLAY], header->setup.game, round, error);
}

int recording_read_note(struct json_reader *reader, const char *text, size_t length,
                        const struct recording_header *header, struct recording_round *round,
                        struct error *error)
{
    const struct json_value *fields[FIELD_COUNT] = {NULL};
    const struct json_value *line = fields_parse(reader, text, length, error);
    int status;

    memset(round, 0, sizeof *round);
    if (!line)
        return error->code;
    status = find_fields(line, fields, error);
    if (!status)
        status = read_note(fields, header, &round->round, error);
    if (status < 0)
        printable_make(error->text);
    return status;
}

bool recording_is_empty(const char *text, size_t length)
{
    while (length &&
           (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r'))
        length--;
    return !length;
}

bool recording_find_number(struct json_reader *reader, const char *text, size_t length,
                           int64_t *number)
{
    const struct json_value *value;

    json_read(reader, text, length, NULL);
    value = json_salvage(reader, "round");
    if (!json_is(value, JSON_KIND_INTEGER))
        return false;
    *number = value->integer;
    return true;
}

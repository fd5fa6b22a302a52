/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `cards: hands`: a person who looks at the cards is asked for them. What they type is held against
 * the count and against what was seen before at once, while they still have the cards in hand.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "devices/cards/reader.h"
#include "devices/cards/typed.h"
#include "hal/base/plural.h"
#include "hal/desk/desk.h"

/* What was typed last and refused as what should not be: said again, it is so. */
struct doubt {
    int count; /* 0: nothing */
    card_t cards[DECK_SIZE];
};

/* A question that is open. The doubt is written by who answers, with the desk locked. */
struct asked {
    const struct card_request *request;
    bool has_decks; /* of which people may say one */
    struct doubt *doubt;
};

static bool is_word(const char *text, const char *word)
{
    return !strcasecmp(text, word);
}

/* 1 + the number of the fault that a word names; 0: none. */
static unsigned find_fault(const struct card_request *request, const char *text)
{
    for (unsigned i = 0; request->faults && request->faults[i]; i++)
        if (is_word(text, request->faults[i]))
            return i + 1;
    return 0;
}

static bool is_expected(const struct card_request *request, unsigned count)
{
    return count >= request->least && count <= request->most;
}

/* Keeps what cannot be right, unless it was said before just so: then it is. */
static bool is_certain(struct doubt *doubt, const card_t *cards, int count)
{
    if (doubt->count == count && !memcmp(doubt->cards, cards, (size_t)count))
        return true;
    doubt->count = count;
    memcpy(doubt->cards, cards, (size_t)count);
    return false;
}

static int doubt_count(const struct card_request *request, unsigned count, struct error *error)
{
    bool is_range = request->least != request->most;
    unsigned due = count < request->least ? request->least : request->most;

    return error_set(
        error, ERROR_CONFIG,
        "%u card%s where %s%u belong%s; look again, and if it is so type the same once "
        "more",
        count, plural(count), is_range ? "at most " : "", due, due == 1 ? "s" : "");
}

static int doubt_card(const struct card_request *request, const card_t *cards, unsigned at,
                      bool is_here, struct error *error)
{
    char card[3] = "", where[32] = "this line";

    card_format(cards[at], card);
    if (!is_here)
        snprintf(where, sizeof where, "%s %u", request->seen_where ? request->seen_where : "packet",
                 request->seen_in[cards[at]]);
    return error_set(error, ERROR_CONFIG,
                     "%s was seen in %s already; look again, and if it is there twice type the "
                     "same once more",
                     card, where);
}

/* The first card that was there before, in this line or in a packet; `count`: none was. */
static unsigned find_seen(const struct card_request *request, const card_t *cards, unsigned count,
                          bool *is_here)
{
    unsigned once = (unsigned)cards_once(cards, count);

    for (unsigned i = 0; i < count; i++) {
        *is_here = i == once;
        if (*is_here || (request->seen_in && request->seen_in[cards[i]]))
            return i;
    }
    return count;
}

static int check_cards(const struct asked *asked, const card_t *cards, unsigned count,
                       struct error *error)
{
    const struct card_request *request = asked->request;
    bool is_here = false;
    unsigned seen = find_seen(request, cards, count, &is_here);

    if ((is_expected(request, count) && seen == count) ||
        is_certain(asked->doubt, cards, (int)count))
        return 0;
    return is_expected(request, count) ? doubt_card(request, cards, seen, is_here, error)
                                       : doubt_count(request, count, error);
}

static int check(const void *context, const char *answer, struct error *error)
{
    const struct asked *asked = context;
    const struct card_request *request = asked->request;
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    int count;

    if (is_word(answer, "undo"))
        return request->previous
                   ? 0
                   : error_set(error, ERROR_CONFIG, "there is nothing to take back any more");
    if (find_fault(request, answer) || (!*answer && request->recorded))
        return 0;
    count = cards_typed(answer, cards, asked->has_decks ? backs : NULL, error);
    if (count < 0)
        return count;
    if (!count)
        return error_set(error, ERROR_CONFIG, "read the cards out: type %s%u of them",
                         request->least == request->most ? "" : "up to ", request->most);
    return check_cards(asked, cards, (unsigned)count, error);
}

/* "packet 2 of 7: its 3 cards, and of which deck? (Enter, as recorded: As Kd 2c)" */
static void put_text(const struct card_request *request, bool has_decks, char text[DESK_TEXT_SIZE])
{
    const char *end = has_decks ? ", and of which deck?" : "?";
    size_t used = (size_t)snprintf(text, DESK_TEXT_SIZE, "%s: its ", request->what);

    if (request->least != request->most)
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "cards, up to %u%s",
                                 request->most, end);
    else
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "%u card%s%s", request->most,
                                 plural(request->most), end);
    for (unsigned i = 0; request->recorded && i < request->most && used < DESK_TEXT_SIZE; i++) {
        char card[3] = "";

        card_format(request->recorded[i], card);
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "%s%s",
                                 i ? " " : " (Enter, as recorded: ", card);
    }
    if (request->recorded && used < DESK_TEXT_SIZE)
        snprintf(text + used, DESK_TEXT_SIZE - used, ")");
}

static void take(const struct asked *asked, const struct answer *answer,
                 struct card_reading *reading)
{
    const struct card_request *request = asked->request;
    int count;

    reading->time = answer->answered;
    reading->is_undone = is_word(answer->text, "undo");
    reading->fault = find_fault(request, answer->text);
    if (reading->is_undone || reading->fault)
        return;
    reading->is_nodded = !*answer->text;
    if (reading->is_nodded)
        memcpy(reading->cards, request->recorded, request->most);
    count = reading->is_nodded ? (int)request->most
                               : cards_typed(answer->text, reading->cards,
                                             asked->has_decks ? reading->backs : NULL, NULL);
    reading->count = count > 0 ? (unsigned)count : 0;
}

static void forget(const void *context)
{
    const struct asked *asked = context;

    asked->doubt->count = 0;
}

static int hands_read(struct card_reader *reader, const struct card_request *request,
                      struct card_reading *reading, struct error *error)
{
    struct doubt doubt = {.count = 0};
    const struct asked asked = {request, reader->decks > 1, &doubt};
    char text[DESK_TEXT_SIZE];
    const struct question question = {.kind = QUESTION_CARDS,
                                      .text = text,
                                      .seat = request->seat,
                                      .check = check,
                                      .forget = forget,
                                      .context = &asked,
                                      .limit_ms = request->limit_ms};
    struct answer answer;
    int status;

    put_text(request, asked.has_decks, text);
    status = desk_ask(reader->hal->desk, reader->hal, &question, &answer, error);
    if (!status)
        take(&asked, &answer, reading);
    return status;
}

static int hands_open(struct card_reader *reader, const char *rest,
                      const struct card_reader_setup *setup, struct error *error)
{
    reader->tells_backs = setup->decks > 1;
    if (*rest)
        return error_set(error, ERROR_CONFIG, "cards: hands takes nothing after it, not '%.40s'",
                         rest);
    if (setup->map)
        return error_set(error, ERROR_CONFIG,
                         "cards: hands has no use for a map; people type cards, not codes");
    return 0;
}

static const struct card_reader_kind hands = {
    .name = "hands",
    .summary = "a person, who is asked",
    .witness = "operator",
    .size = sizeof(struct card_reader),
    .reads = true,
    .asks = true,
    .open = hands_open,
    .read = hands_read,
};
REGISTER(card_readers, hands);

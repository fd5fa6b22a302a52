/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `cards: scanner:PATH`: a barcode or RFID reader that types, past which somebody draws each card.
 * Each card is a question of the desk, so that every code that came is in the journal, whoever is
 * at the bench sees what was read and what was refused, and can type a card that is not readable.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "devices/cards/map.h"
#include "devices/cards/reader.h"
#include "devices/cards/typed.h"
#include "devices/cards/typing.h"
#include "hal/desk/desk.h"
#include "hal/input/keyboard.h"

#define NOTICE_SIZE 160

struct scanner {
    struct card_reader reader;
    struct keyboard *keyboard;
    struct card_map *map;
    struct typing typing;
    uint8_t backs[CARD_VALUES]; /* by card: its deck when it was read last; 0: it was not seen */
};

/* What should not be: said again by somebody who has looked, it is so. */
struct doubt {
    unsigned count; /* 0: nothing */
    card_t cards[DECK_SIZE];
    bool is_done; /* that there are no more, or so many */
};

/* What is being read. The doubt is also written by who answers, with the desk locked. */
struct scan {
    struct scanner *scanner;
    const struct card_request *request;
    struct card_reading *reading;
    struct desk_ear ear;
    char problem[NOTICE_SIZE]; /* of the keys since the last question; "": they were a code */
    char notice[NOTICE_SIZE];  /* what is told with the next question */
    struct doubt doubt;
    bool is_whole;
};

static int scanner_open(struct card_reader *reader, const char *rest,
                        const struct card_reader_setup *setup, struct error *error)
{
    struct scanner *scanner = (struct scanner *)reader;
    int status;

    if (!*rest)
        return error_set(error, ERROR_CONFIG,
                         "cards: scanner needs its node, as in "
                         "scanner:/dev/input/by-id/usb-…-event-kbd; see 'dealproof discover'");
    if (!setup->map)
        return error_set(error, ERROR_CONFIG,
                         "cards: scanner needs 'map: FILE', which says what its codes stand for");
    status = card_map_load(&scanner->map, setup->map, error);
    if (!status)
        status = keyboard_open(&scanner->keyboard, setup->hal, rest, error);
    if (status) {
        card_map_free(scanner->map);
        return status;
    }
    if (setup->reopen)
        keyboard_reopen(scanner->keyboard, setup->reopen);
    reader->tells_backs = card_map_has_decks(scanner->map);
    return 0;
}

static void scanner_close(struct card_reader *reader)
{
    struct scanner *scanner = (struct scanner *)reader;

    keyboard_close(scanner->keyboard);
    card_map_free(scanner->map);
}

/* What a key makes of what was typed: whether there is something to tell. */
static bool take_key(struct typing *typing, const struct keyboard_event *event,
                     char problem[NOTICE_SIZE])
{
    enum typing_result result = TYPING_LOST;

    problem[0] = '\0';
    /* Half a code, and a key that was held, are gone with it. */
    if (event->is_gone) {
        *typing = (struct typing){.length = 0};
        return false;
    }
    if (event->is_lost)
        typing_lost(typing);
    else
        result = typing_key(typing, event->key, event->is_down);
    switch (result) {
    case TYPING_CODE:
        return true;
    case TYPING_STRANGE:
        snprintf(problem, NOTICE_SIZE,
                 "the scanner has typed %s, which is no character: set it to a US keyboard, and "
                 "scan that card again",
                 keyboard_key_name(event->key));
        return true;
    case TYPING_LONG:
        snprintf(problem, NOTICE_SIZE,
                 "%d characters without Enter or Tab: set the scanner to end each code with one, "
                 "and scan that card again",
                 TYPING_CODE_MAX);
        return true;
    case TYPING_LOST:
        snprintf(problem, NOTICE_SIZE, "keys of the scanner were lost: scan that card again");
        return true;
    default:
        return false;
    }
}

/* As the desk's ear. A code, or in parentheses what was no code. */
static int hear(void *context, char text[DESK_ANSWER_SIZE], struct error *error)
{
    struct scan *scan = context;
    struct scanner *scanner = scan->scanner;
    struct keyboard_event event;
    int status;

    while ((status = keyboard_next(scanner->keyboard, &event, error)) > 0) {
        if (!take_key(&scanner->typing, &event, scan->problem))
            continue;
        if (*scan->problem)
            snprintf(text, DESK_ANSWER_SIZE, "(%s)", scan->problem);
        else
            snprintf(text, DESK_ANSWER_SIZE, "%s", scanner->typing.code);
        return 1;
    }
    scan->ear.fd = keyboard_fd(scanner->keyboard);
    return status;
}

/* Looks for a scanner that went away while its question stays open: people may still type. */
static int seek(void *asker, struct error *error)
{
    struct scan *scan = asker;
    int status = keyboard_seek(scan->scanner->keyboard, error);

    scan->ear.fd = keyboard_fd(scan->scanner->keyboard);
    return status;
}

/* What was scanned before it was asked for may be of another packet: it does not count. */
static int drop_early(struct scan *scan, struct error *error)
{
    struct scanner *scanner = scan->scanner;
    char text[DESK_ANSWER_SIZE];
    bool has_come = typing_is_open(&scanner->typing);
    int status;

    while ((status = hear(scan, text, error)) > 0)
        has_come = true;
    if (typing_is_open(&scanner->typing)) {
        typing_lost(&scanner->typing);
        has_come = true;
    }
    if (has_come)
        snprintf(scan->notice, sizeof scan->notice,
                 "what was scanned before it was asked for does not count");
    return status;
}

/* 1 and on for the words of the request's faults, or 0. */
static unsigned find_fault(const struct card_request *request, const char *word)
{
    for (unsigned i = 0; request->faults && request->faults[i]; i++)
        if (!strcasecmp(request->faults[i], word))
            return i + 1;
    return 0;
}

/* Whether so many cards are expected. */
static bool is_expected(const struct scan *scan)
{
    return scan->reading->count >= scan->request->least &&
           scan->reading->count <= scan->request->most;
}

static bool is_word(const char *text, const char *word)
{
    return !strcasecmp(text, word);
}

/* Why that card of some should not be the next one: it was there before; "" where it was not. */
static void doubt_card(const struct scan *scan, const card_t *cards, unsigned at, char *why)
{
    const struct card_request *request = scan->request;
    char text[3] = "";

    *why = '\0';
    card_format(cards[at], text);
    for (unsigned i = 0; i < scan->reading->count; i++)
        if (scan->reading->cards[i] == cards[at])
            snprintf(why, NOTICE_SIZE, "%s was read already, as card %u", text, i + 1);
    for (unsigned i = 0; i < at && !*why; i++)
        if (cards[i] == cards[at])
            snprintf(why, NOTICE_SIZE, "%s is there twice", text);
    if (!*why && request->seen_in && request->seen_in[cards[at]])
        snprintf(why, NOTICE_SIZE, "%s was seen in %s %u already", text,
                 request->seen_where ? request->seen_where : "packet", request->seen_in[cards[at]]);
}

/* Whether cards may be added; if not, why, and they are kept as a doubt. */
static bool are_new(struct scan *scan, const card_t *cards, unsigned count, char *why)
{
    *why = '\0';
    for (unsigned i = 0; i < count && !*why; i++)
        doubt_card(scan, cards, i, why);
    if (!*why)
        return true;
    scan->doubt.count = count;
    memcpy(scan->doubt.cards, cards, count);
    return false;
}

static bool is_certain(const struct doubt *doubt, const card_t *cards, unsigned count)
{
    return doubt->count == count && !memcmp(doubt->cards, cards, count);
}

/* Whether there are no more cards; if that should not be, why, and it is kept as a doubt. */
static bool may_end(struct scan *scan, char *why)
{
    unsigned count = scan->reading->count;

    if (count && (is_expected(scan) || scan->doubt.is_done))
        return true;
    if (count)
        snprintf(why, NOTICE_SIZE,
                 "%u card%s where %u belong; look again, and if it is so say done once more", count,
                 count == 1 ? "" : "s", scan->request->most);
    else
        snprintf(why, NOTICE_SIZE, "no card was read yet");
    scan->doubt.is_done = count > 0;
    return false;
}

static bool may_undo(const struct scan *scan)
{
    return scan->reading->count || scan->request->previous;
}

/* What people type of cards: as cards_typed(). */
static int read_typed(const struct scan *scan, const char *text, card_t cards[DECK_SIZE],
                      uint8_t backs[DECK_SIZE], struct error *error)
{
    memset(backs, 0, DECK_SIZE);
    return cards_typed(text, cards, scan->scanner->reader.decks > 1 ? backs : NULL, error);
}

/* Of what people type; the desk's way of asking has a constant context. */
static int check_typed(const void *context, const char *answer, struct error *error)
{
    struct scan *scan = (struct scan *)context;
    char why[NOTICE_SIZE] = "";
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    int count;

    if (find_fault(scan->request, answer) || (is_word(answer, "undo") && may_undo(scan)) ||
        (!*answer && scan->request->recorded && !scan->reading->count))
        return 0;
    if (is_word(answer, "undo"))
        return error_set(error, ERROR_CONFIG, "there is nothing to take back any more");
    if (is_word(answer, "done"))
        return may_end(scan, why) ? 0 : error_set(error, ERROR_CONFIG, "%s", why);
    count = read_typed(scan, answer, cards, backs, error);
    if (count < 0)
        return count;
    if (!count || scan->reading->count + (unsigned)count > DECK_SIZE)
        return error_set(error, ERROR_CONFIG, "scan the card, or type it");
    if (is_certain(&scan->doubt, cards, (unsigned)count) ||
        are_new(scan, cards, (unsigned)count, why))
        return 0;
    return error_set(error, ERROR_CONFIG, "%s; look again, and if it is there type it once more",
                     why);
}

static void forget_doubt(const void *context)
{
    struct scan *scan = (struct scan *)context;

    scan->doubt = (struct doubt){.count = 0};
}

static void add_cards(struct scan *scan, const card_t *cards, const uint8_t *backs, unsigned count)
{
    struct card_reading *reading = scan->reading;

    for (unsigned i = 0; i < count && reading->count < DECK_SIZE; i++) {
        scan->scanner->backs[cards[i]] = reading->backs[reading->count] = backs[i];
        reading->cards[reading->count++] = cards[i];
    }
    scan->doubt = (struct doubt){.count = 0};
    /* A packet may have more than it should; of what is drawn one by one the last is known. */
    scan->is_whole =
        scan->request->least < scan->request->most && reading->count >= scan->request->most;
}

/* Whether it is another card than the one that was read before, since it is of the other deck. */
static bool is_of_other(const struct scan *scan, card_t card, uint8_t deck)
{
    uint8_t before = scan->scanner->backs[card];

    return deck && before && deck != before;
}

/*
 * A scanner reads one card twice more often than there are two of it: that is for people to say,
 * unless the code does.
 */
static void scan_card(struct scan *scan, card_t card, uint8_t deck)
{
    char why[NOTICE_SIZE];

    if (is_of_other(scan, card, deck) || are_new(scan, &card, 1, why))
        add_cards(scan, &card, &deck, 1);
    else
        snprintf(scan->notice, sizeof scan->notice,
                 "%.100s; if there are two of it type it, or else go on", why);
}

static void undo(struct scan *scan)
{
    if (scan->reading->count)
        scan->reading->count--;
    else if (scan->request->previous)
        scan->is_whole = scan->reading->is_undone = true;
    else
        snprintf(scan->notice, sizeof scan->notice, "there is nothing to take back any more");
    scan->doubt = (struct doubt){.count = 0};
}

/* Typed, and so allowed already, or scanned. */
static void take_word(struct scan *scan, const char *word)
{
    scan->reading->fault = find_fault(scan->request, word);
    if (scan->reading->fault)
        scan->is_whole = true;
    else if (is_word(word, "undo"))
        undo(scan);
    else if (is_word(word, "done"))
        scan->is_whole = may_end(scan, scan->notice);
    else
        snprintf(scan->notice, sizeof scan->notice, "'%s' means nothing here", word);
}

static void nod(struct scan *scan)
{
    static const uint8_t unseen[DECK_SIZE];

    add_cards(scan, scan->request->recorded, unseen, scan->request->most);
    scan->is_whole = scan->reading->is_nodded = true;
}

static void take_code(struct scan *scan, const char *text)
{
    const struct card_code *code;

    if (*scan->problem) {
        snprintf(scan->notice, sizeof scan->notice, "%s", scan->problem);
        return;
    }
    code = card_map_find(scan->scanner->map, text);
    if (!code)
        snprintf(scan->notice, sizeof scan->notice,
                 "no line of the map has the code '%.64s': scan that card again", text);
    else if (code->card == CARD_NONE)
        take_word(scan, code->word);
    else
        scan_card(scan, code->card, code->deck);
}

static void take_answer(struct scan *scan, const struct answer *answer)
{
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    int count;

    scan->notice[0] = '\0';
    scan->reading->time = answer->answered;
    if (answer->side == DESK_SCANNER) {
        take_code(scan, answer->text);
        return;
    }
    count = read_typed(scan, answer->text, cards, backs, NULL);
    if (!*answer->text)
        nod(scan);
    else if (count > 0)
        add_cards(scan, cards, backs, (unsigned)count);
    else
        take_word(scan, answer->text);
}

/* "take packet 2 of 7: scan card 2 of 3, after As" */
static void write_text(const struct scan *scan, char text[DESK_TEXT_SIZE])
{
    const struct card_request *request = scan->request;
    unsigned count = scan->reading->count;
    char last[16] = "", card[3] = "";
    const char *end = count && is_expected(scan)    ? ", or say done"
                      : !count && request->recorded ? " (Enter: as recorded)"
                                                    : "";

    if (count) {
        card_format(scan->reading->cards[count - 1], card);
        snprintf(last, sizeof last, ", after %s", card);
    }
    snprintf(text, DESK_TEXT_SIZE, "%s%s%s: scan card %u of %u%s%s", scan->notice,
             *scan->notice ? ". " : "", request->what, count + 1, request->most, last, end);
    if (count >= request->most)
        snprintf(text, DESK_TEXT_SIZE,
                 "%s%s%s: all %u cards%s; say done, or scan what more there is", scan->notice,
                 *scan->notice ? ". " : "", request->what, request->most, last);
}

/* In time: what was read stays read, and what has come of a code is told. */
static int say_late(const struct scan *scan, struct error *error)
{
    const struct typing *typing = &scan->scanner->typing;
    char open[96] = "";

    if (keyboard_is_away(scan->scanner->keyboard))
        return error_set(error, ERROR_DEVICE,
                         "%s: %u card%s read, and then the scanner went away: plug it in again and "
                         "look at its cable",
                         scan->request->what, scan->reading->count,
                         scan->reading->count == 1 ? " was" : "s were");

    if (typing_is_open(typing))
        snprintf(open, sizeof open,
                 "; %u characters came without Enter or Tab: set the scanner to end each code with "
                 "one",
                 typing->length);
    return error_set(error, ERROR_TIMEOUT,
                     "%s: %u card%s read, and no more for %u ms, which is all that there is%s%s%s",
                     scan->request->what, scan->reading->count,
                     scan->reading->count == 1 ? " was" : "s were", scan->request->limit_ms, open,
                     *scan->notice ? "; " : "", scan->notice);
}

static int ask(struct scan *scan, nanos_t deadline, struct error *error)
{
    const struct hal *hal = scan->scanner->reader.hal;
    nanos_t left = deadline - clock_now(hal->clock);
    char text[DESK_TEXT_SIZE];
    struct question question = {.kind = QUESTION_CARDS,
                                .text = text,
                                .seat = scan->request->seat,
                                .check = check_typed,
                                .forget = forget_doubt,
                                .context = scan,
                                .meanwhile = seek,
                                .asker = scan,
                                .ear = &scan->ear};
    struct answer answer;
    int status;

    if (deadline != NEVER && left <= 0)
        return say_late(scan, error);
    if (deadline != NEVER)
        question.limit_ms = (uint32_t)(left / NANOS_PER_MILLI + 1);
    write_text(scan, text);
    scan->ear = (struct desk_ear){keyboard_fd(scan->scanner->keyboard), hear, scan};
    status = desk_ask(hal->desk, hal, &question, &answer, error);
    if (status == ERROR_TIMEOUT)
        return say_late(scan, error);
    if (!status)
        take_answer(scan, &answer);
    return status;
}

static int scanner_read(struct card_reader *reader, const struct card_request *request,
                        struct card_reading *reading, struct error *error)
{
    struct scan scan = {
        .scanner = (struct scanner *)reader, .request = request, .reading = reading};
    nanos_t deadline =
        request->limit_ms ? clock_deadline(reader->hal->clock, request->limit_ms) : NEVER;
    int status;

    status = drop_early(&scan, error);
    while (!status && !scan.is_whole)
        status = ask(&scan, deadline, error);
    return status;
}

static const struct card_reader_kind scanner = {
    .name = "scanner",
    .summary = "a barcode or RFID reader that types, scanner:/dev/input/by-id/…",
    .witness = "scanner",
    .size = sizeof(struct scanner),
    .reads = true,
    .asks = true,
    .open = scanner_open,
    .close = scanner_close,
    .read = scanner_read,
};
REGISTER(card_readers, scanner);

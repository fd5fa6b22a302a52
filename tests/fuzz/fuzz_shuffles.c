/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles to be judged. An input is a .shoe file, or two with a line "---" between them, read one
 * after the other as if they were of one device; one alone is read twice. Before it there may be
 * '%' and eight bytes for a machine with a flaw, whose orders are added as well: the tests of many
 * orders are beyond what an input can list. P-values are chances, the page of what was found can be
 * written, and an accumulator that was cleared finds what a new one does.
 *
 * Covers: rigs/shuffles/read.c rigs/shuffles/html.c rigs/shuffles/html_map.c
 * Covers: rigs/shuffles/html_chart.c games/shuffles/count.c games/shuffles/hands.c
 * Covers: games/shuffles/judge.c games/shuffles/trials.c games/shuffles/repeats.c
 * Covers: games/shuffles/places.c games/shuffles/order.c
 * Seeds: fixtures/ .shoe
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/shuffles/html.h"
#include "rigs/shuffles/looks.h"
#include "rigs/shuffles/read.h"
#include "tests/fuzz/fuzz.h"

#define ORDERS_STEP 24 /* orders for one more in the input: at most 6120 */

enum flaw {
    FLAW_NONE,
    FLAW_RIFFLE, /* one riffle of the order before */
    FLAW_TOP,    /* a card stays on top */
    FLAW_REPEAT, /* few orders, again and again */
    FLAW_CUT,    /* a cut, always at one place */
    FLAW_NO_CARD,
    FLAW_TWICE, /* a card is there twice */
    FLAWS
};

struct machine {
    uint64_t orders, state;
    enum flaw flaw;
    size_t known; /* cards that are seen of every other order */
    uint8_t tells, deals, deck;
    bool is_judged_anew;
    uint8_t stage;
    card_t last[DECK_SIZE];
};

static uint64_t draw(struct machine *machine)
{
    machine->state ^= machine->state << 13;
    machine->state ^= machine->state >> 7;
    machine->state ^= machine->state << 17;
    return machine->state;
}

static struct machine read_machine(struct fuzz_input *input)
{
    struct machine machine = {.orders = (uint64_t)fuzz_byte(input) * ORDERS_STEP};

    machine.state = fuzz_byte(input) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    machine.flaw = fuzz_byte(input) % FLAWS;
    machine.known = fuzz_byte(input) % (DECK_SIZE + 2);
    machine.tells = fuzz_byte(input);
    machine.deals = fuzz_byte(input);
    machine.deck = fuzz_byte(input);
    machine.stage = fuzz_byte(input);
    machine.is_judged_anew = machine.stage & 0x80;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        machine.last[i] = card_from_index(i);
    return machine;
}

static void riffle(struct machine *machine, const card_t *before, card_t *cards)
{
    unsigned cut = 20 + (unsigned)(draw(machine) % 13), left = 0, right = cut;

    for (unsigned i = 0; i < DECK_SIZE; i++) {
        bool is_left = right == DECK_SIZE || (left < cut && draw(machine) & 1);

        cards[i] = before[is_left ? left++ : right++];
    }
}

static void shuffle(struct machine *machine, card_t *cards)
{
    unsigned from = machine->flaw == FLAW_TOP;

    if (machine->flaw == FLAW_REPEAT)
        machine->state = machine->state % 4 + 1;
    for (unsigned i = DECK_SIZE; i-- > from + 1;) {
        unsigned other = from + (unsigned)(draw(machine) % (i - from + 1));
        card_t card = cards[i];

        cards[i] = cards[other];
        cards[other] = card;
    }
}

/* The next order, out of the last one. */
static void next_order(struct machine *machine, card_t before[DECK_SIZE], card_t cards[DECK_SIZE])
{
    memcpy(before, machine->last, DECK_SIZE * sizeof *before);
    memcpy(cards, machine->last, DECK_SIZE * sizeof *cards);
    if (machine->flaw == FLAW_RIFFLE)
        riffle(machine, before, cards);
    else if (machine->flaw == FLAW_CUT)
        for (unsigned i = 0; i < DECK_SIZE; i++)
            cards[i] = before[(i + 17) % DECK_SIZE];
    else
        shuffle(machine, cards);
    memcpy(machine->last, cards, DECK_SIZE * sizeof *cards);
    if (machine->flaw == FLAW_NO_CARD)
        (machine->tells & 1 ? before : cards)[machine->state % DECK_SIZE] = (card_t)machine->state;
    else if (machine->flaw == FLAW_TWICE)
        (machine->tells & 1 ? before : cards)[3] = cards[4];
}

static void add_orders(struct machine machine, struct shuffles *shuffles)
{
    struct game_setup setup;
    const struct game *game = game_at(machine.deals % 16);
    struct error error = {.text = ""};
    card_t cards[DECK_SIZE], before[DECK_SIZE];

    if (game)
        game_setup_init(&setup, game);
    for (uint64_t i = 0; i < machine.orders; i++) {
        struct shuffles_order order = {
            .cards = cards, .count = DECK_SIZE, .deck = machine.deck % 4};
        uint64_t count = shuffles_count(shuffles);
        int status;

        next_order(&machine, before, cards);
        if (machine.deck & 0x80)
            order.deck = i & 1;
        order.unrelated = machine.deck & 0x40 && i % 7 == 0;
        if ((machine.tells & 2) || (machine.tells & 4 && i & 1))
            order.count = machine.known;
        order.before = machine.tells & 1 ? before : NULL;
        order.setup = game ? &setup : NULL;
        order.seats = machine.deals >> 4;
        status = shuffles_add(shuffles, &order, &error);
        FUZZ_MUST(!status || (status == ERROR_RULE && error.text[0]));
        FUZZ_MUST(shuffles_count(shuffles) == count + !status);
        if (status)
            return;
    }
}

static void look(const struct shuffles *shuffles)
{
    for (unsigned place = 0; place < DECK_SIZE; place += 17) {
        struct shuffles_position position = shuffles_position(shuffles, place);

        FUZZ_MUST(!(position.p < 0) && !(position.p > 1));
        shuffles_pair(shuffles, place, place + 1 < DECK_SIZE ? place + 1 : 0);
    }
    FUZZ_MUST(shuffles_move_counts(shuffles) && shuffles_neighbour_counts(shuffles));
    FUZZ_MUST(shuffles_whole(shuffles) <= shuffles_count(shuffles));
}

static void judge(struct shuffles_reader *reader, uint8_t stage, struct shuffles_report *report)
{
    char digest[DIGEST_SIZE], dates[SHUFFLES_DATES_SIZE];
    struct shuffles_page page = {.shuffles = reader->shuffles,
                                 .report = report,
                                 .device = reader->device,
                                 .firmware = reader->firmware,
                                 .from = reader->name,
                                 .recordings = reader->recordings,
                                 .recorded = dates,
                                 .digest = digest,
                                 .stage = stage % 3,
                                 .declared = stage & 4 ? 1000 : 0,
                                 .dealt = stage & 8 ? 1 : shuffles_count(reader->shuffles),
                                 .looks = stage & 16 ? SHUFFLES_ALPHA : 0};
    FILE *out = fuzz_sink();

    shuffles_read_digest(reader, digest);
    shuffles_read_dates(reader, dates);
    shuffles_judge(reader->shuffles, SHUFFLES_ALPHA, report);
    for (size_t i = 0; i < report->result_count; i++)
        FUZZ_MUST(!shuffles_is_judged(&report->results[i]) ||
                  (report->results[i].p >= 0 && report->results[i].p <= 1));
    look(reader->shuffles);
    shuffles_html_page(&page, out);
    fclose(out);
}

static int read_one(struct shuffles_reader *reader, const char *text, size_t size, const char *name)
{
    struct fuzz_file file = fuzz_file(text, size);
    struct error error = {.text = ""};
    int status = shuffles_read(reader, file.fd, name, &error);

    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.text[0]));
    fuzz_file_close(&file);
    return status;
}

/* Both recordings, if there are any, and the orders of the machine. */
static int read_all(const char *text, const struct machine *machine, struct shuffles_reader *reader)
{
    const char *rest = strstr(text, "\n---\n");
    size_t size = rest ? (size_t)(rest + 1 - text) : strlen(text);
    int status = *text ? read_one(reader, text, size, "fuzz.shoe") : 0;

    if (*text && !status)
        status = rest ? read_one(reader, rest + 5, strlen(rest + 5), "standard input")
                      : read_one(reader, text, size, "again.shoe");
    if (!status)
        add_orders(*machine, reader->shuffles);
    return status;
}

/* The same with an accumulator that nothing was in before. */
static void judge_anew(const char *text, const struct machine *machine,
                       const struct shuffles_report *report)
{
    static struct shuffles_report again;
    struct generators_orders kept = {.count = 0};
    struct shuffles_reader reader = {.stop = -1, .kept = &kept, .shuffles = shuffles_new()};

    FUZZ_MUST(reader.shuffles && !read_all(text, machine, &reader));
    judge(&reader, machine->stage, &again);
    FUZZ_MUST(again.count == report->count && again.result_count == report->result_count);
    for (size_t i = 0; i < again.result_count; i++)
        FUZZ_MUST(!strcmp(again.results[i].says, report->results[i].says) &&
                  !memcmp(&again.results[i].p, &report->results[i].p, sizeof again.results[i].p));
    generators_orders_free(&kept);
    shuffles_free(reader.shuffles);
    shuffles_free(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct shuffles_report report;
    static struct shuffles *shuffles; /* kept, for its laws take long to work out */
    struct fuzz_input input = {data, size};
    struct machine machine = {.orders = 0};
    struct shuffles_reader reader = {.stop = -1};
    char *text;

    if (!shuffles)
        shuffles = shuffles_new();
    FUZZ_MUST(shuffles);
    shuffles_clear(shuffles);
    reader.shuffles = shuffles;
    if (size && data[0] == '%') {
        fuzz_byte(&input);
        machine = read_machine(&input);
    }
    text = fuzz_text(&input);
    if (!read_all(text, &machine, &reader)) {
        judge(&reader, machine.stage, &report);
        if (machine.is_judged_anew)
            judge_anew(text, &machine, &report);
    }
    free(text);
    return 0;
}

FUZZ_WORDS

/*
 * How long the audits take on one core, and how much faster a board of Chase the Flush is played
 * than by letting every hand meet every dealer's. Both ways' results are compared: the program
 * fails if they differ, never because one is slow.
 */
#include "games/audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/audit_showdown.h"
#include "games/audit_suits.h"
#include "tests/bench.h"
#include "tests/seeded.h"

#define FAST_RUNS 20

struct board {
    hand_t board;
    struct flush_ranks ranks;
    struct triples triples;
    struct showdown fast, plain;
    uint8_t wanted[TRIPLE_COUNT];
};

static void by_exclusion(void *context)
{
    struct board *b = context;

    showdown_run(&b->fast, &b->ranks, b->board, b->wanted);
}

/* The hands left beside the board with their flushes, then each against each. */
static void one_by_one(void *context)
{
    static hand_t hands[SHOWDOWN_HANDS];
    static flush_t flushes[SHOWDOWN_HANDS];
    struct board *b = context;
    unsigned count = 0;

    for (unsigned i = 0; i < TRIPLE_COUNT; i++)
        if (!(b->triples.hand[i] & b->board)) {
            b->plain.hands[count].triple = (uint16_t)i;
            hands[count] = b->triples.hand[i];
            flushes[count++] = hand_flush(b->triples.hand[i] | b->board);
        }
    for (unsigned p = 0; p < count; p++) {
        unsigned wins = 0, ties = 0, unqualified = 0;

        for (unsigned d = 0; d < count; d++) {
            bool apart = !(hands[p] & hands[d]);

            wins += apart & (flushes[p] > flushes[d]);
            ties += apart & (flushes[p] == flushes[d]);
            unqualified += apart & (flushes[d] < flush_make(3, 1u << RANK_NINE));
        }
        b->plain.hands[p].wins = (uint16_t)wins;
        b->plain.hands[p].ties = (uint16_t)ties;
        b->plain.hands[p].unqualified = (uint16_t)unqualified;
    }
}

static bool agree(const struct board *b)
{
    for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
        const struct showdown_hand *fast = &b->fast.hands[n], *plain = &b->plain.hands[n];

        if (fast->triple != plain->triple || fast->wins != plain->wins ||
            fast->ties != plain->ties || fast->unqualified != plain->unqualified)
            return false;
    }
    return true;
}

static bool bench_board(struct board *b)
{
    double plain, fast;

    by_exclusion(b);
    plain = 1 / bench_best(1, one_by_one, b);
    fast = 1 / bench_best(FAST_RUNS, by_exclusion, b);
    bench_figure("every hand against every dealer's", plain, "boards/s", 0);
    bench_figure("sorted, counted by exclusion", fast, "boards/s", plain);
    return agree(b);
}

static void run_audit(void *context)
{
    const struct audit *audit = context;
    static struct audit_entry entries[AUDIT_ENTRIES_MAX];
    struct audit_part *part;

    if (audit_part_new(&part, audit, NULL))
        return;
    for (size_t unit = 0; unit < audit_units(audit); unit++)
        audit_part_do(part, unit);
    audit_entries(part, entries);
    audit_part_free(part);
}

static int bench_audits(void)
{
    double sum = 0;

    bench_title("whole audits, one core");
    for (const struct game *const *game = games; *game; game++) {
        struct audit_request request;
        struct audit *audit;
        double seconds;

        audit_request_init(&request, *game);
        if (audit_new(&audit, &request, NULL))
            return EXIT_FAILURE;
        seconds = bench_best(1, run_audit, audit);
        audit_free(audit);
        bench_figure((*game)->name, seconds, "s", 0);
        sum += seconds;
    }
    bench_figure("all games", sum, "s", 0);
    return EXIT_SUCCESS;
}

int main(void)
{
    struct board *b = malloc(sizeof *b);
    uint64_t seed = 1;
    bool agreed = true;

    if (!b)
        return EXIT_FAILURE;
    flush_ranks_init(&b->ranks);
    triples_init(&b->triples);
    memset(b->wanted, 1, sizeof b->wanted);
    for (unsigned i = 0; i < 3; i++) {
        b->board = seeded_hand(&seed, 4);
        bench_title("one board of Chase the Flush, 17,296 hands, one core");
        agreed &= bench_board(b);
    }
    free(b);
    if (!agreed)
        fprintf(stderr, "bench_audit: the two ways to play a board differ\n");
    return agreed ? bench_audits() : EXIT_FAILURE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the audits take, and how much faster a board of Chase the Flush is played than by
 * letting every hand meet every dealer's. Both ways' results are compared: the program fails if
 * they differ, never because one is slow.
 */
#include "games/audit/audit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "games/audit/suits.h"
#include "games/chase_the_flush/showdown.h"
#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/seeded.h"

#define BOARDS    3
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

/* The average of a few boards, because no two take the same time. */
static bool bench_boards(struct board *b)
{
    double plain = 0, fast = 0;
    uint64_t seed = 1;
    bool agreed = true;

    for (unsigned i = 0; i < BOARDS; i++) {
        b->board = seeded_hand(&seed, 4);
        plain += bench_best_cpu(1, one_by_one, b);
        fast += bench_best_cpu(FAST_RUNS, by_exclusion, b);
        agreed &= agree(b);
    }
    bench_title("one board of Chase the Flush, 17,296 hands, one core");
    bench_figure("every hand against every dealer's", BOARDS / plain, "boards/s", 0);
    bench_figure("sorted, counted by exclusion", BOARDS / fast, "boards/s", BOARDS / plain);
    return agreed;
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
    const struct game *game;
    double sum = 0;

    bench_title("whole audits, processor time of one core");
    for (size_t at = 0; (game = game_at(at)); at++) {
        struct audit_request request;
        struct audit *audit;
        double seconds;

        audit_request_init(&request, game);
        if (audit_new(&audit, &request, NULL))
            return EXIT_FAILURE;
        seconds = bench_best_cpu(1, run_audit, audit);
        audit_free(audit);
        bench_figure(game->name, seconds, "s", 0);
        sum += seconds;
    }
    bench_figure("all games", sum, "s", 0);
    return EXIT_SUCCESS;
}

static double user_seconds_of_children(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* The command itself, as a process of its own, with that many threads; 0 when it fails. */
static double run_command(const char *jobs, double *user)
{
    const char *const arguments[] = {"audit", "--json", "--jobs", jobs, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
    double start = bench_now(), before = user_seconds_of_children();

    status = process_wait(process_start(arguments, null, null, STDERR_FILENO), NULL);
    close(null);
    *user = user_seconds_of_children() - before;
    return status ? 0 : bench_now() - start;
}

static int bench_command(void)
{
    double user_1, user_2, one = run_command("1", &user_1), two = run_command("2", &user_2);

    bench_title("dealproof audit, all games, all figures");
    bench_figure("one thread, from start to end", one, "s", 0);
    bench_figure("its processor time", user_1, "s", 0);
    bench_figure_for("two threads, from start to end", two, "s", 0, "below 30 on two cores");
    bench_figure("processor time of both", user_2, "s", 0);
    if (two > 0)
        bench_figure("one thread takes as long as two", one / two, "times", 0);
    return one > 0 && two > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    struct board *b = malloc(sizeof *b);
    bool agreed;

    if (!b)
        return EXIT_FAILURE;
    flush_ranks_init(&b->ranks);
    triples_init(&b->triples);
    memset(b->wanted, 1, sizeof b->wanted);
    agreed = bench_boards(b);
    free(b);
    if (!agreed)
        fprintf(stderr, "bench_audit: the two ways to play a board differ\n");
    return !agreed || bench_audits() || bench_command() ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every defect of every emulated device that speaks the protocol: a clause finds it, or a row says
 * why the wire does not show it, and then the suite must pass although it has shown.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/conform_bench.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

enum outcome {
    FOUND,  /* a clause fails */
    HONEST, /* a fault that the device tells as it must: all pass */
    UNSEEN, /* it lies, and nothing on the wire shows it: all pass */
    GONE,   /* the link is torn */
    CUT,    /* a clause fails, and the device cannot be tried any further */
};

struct row {
    const char *model, *defect;
    unsigned first, last; /* the places that are tried, where the defect has one */
    enum outcome outcome;
    const char *why; /* of what is not found; of what is, options of the model, or NULL */
};

#define BY_HAND   "somebody at the table may have done it"
#define NO_DECK   "version 1 has no message that tells which deck is in"
#define NO_TIME   "the page has no time in which a packet must come"
#define CHANCE    "one award does not show it; the check must-hit-random judges many"
#define NO_RATES  "version 1 cannot read reseed values and rates back"
#define FAULT     "a fault, told as the page says"
#define POWER     "a loss of power, told as the page says"
#define SECOND    "protocol=2,"
#define NO_VENDOR "a vendor that says nothing"
#define NOT_THERE "the device does not have it"

static const struct row rows[] = {
    {"bet-sensor", "stuck-high", 1, 7, HONEST, FAULT},
    {"bet-sensor", "stuck-low", 1, 7, HONEST, FAULT},
    {"bet-sensor", "dark", 1, 7, HONEST, FAULT},
    {"bet-sensor", "lit", 1, 7, HONEST, FAULT},
    {"bet-sensor", "late", 5, 5, HONEST, BY_HAND},
    {"bet-sensor", "lift", 3, 3, HONEST, BY_HAND},
    {"bet-sensor", "kept", 1, 1, HONEST, BY_HAND},
    {"bet-sensor", "snatched", 3, 3, HONEST, BY_HAND},
    {"bet-sensor", "unplug", 40, 40, GONE, "the link is torn"},
    {"bet-sensor", "misstated", 3, 5, FOUND, NULL},
    {"bet-sensor", "unlogged", 1, 9, FOUND, NULL},
    {"bet-sensor", "ends-silently", 0, 0, FOUND, NULL},
    {"bet-sensor", "talks", 0, 0, FOUND, NULL},
    {"bet-sensor", "wavers", 1, 30, FOUND, NULL},
    {"bet-sensor", "flickers", 2, 30, FOUND, NULL},
    {"bet-sensor", "stays-in-test", 0, 0, FOUND, NULL},
    {"bet-sensor", "twitches", 1, 1, FOUND, NULL},
    {"bet-sensor", "flips", 1, 1, FOUND, NULL},
    {"bet-sensor", "clock-stands", 0, 0, FOUND, NULL},
    {"bet-sensor", "clock-back", 0, 0, FOUND, NULL},
    {"bet-sensor", "clock-fast", 0, 0, FOUND, NULL},
    {"bet-sensor", "clock-slow", 0, 0, FOUND, NULL},
    {"bet-sensor", "rewritten", 1, 12, FOUND, NULL},

    {"shoe", "misread", 1, 6, HONEST, FAULT},
    {"shoe", "jam", 1, 6, HONEST, FAULT},
    {"shoe", "overdraw", 1, 6, HONEST, FAULT},
    {"shoe", "reverse", 1, 6, HONEST, FAULT},
    {"shoe", "lost-ack", 1, 6, HONEST, "a line may lose an acknowledgement"},
    {"shoe", "power", 1, 6, HONEST, POWER},
    {"shoe", "unplug", 60, 60, GONE, "the link is torn"},
    {"shoe", "sneak", 4, 4, UNSEEN, BY_HAND},
    {"shoe", "new-deck", 2, 2, UNSEEN, BY_HAND},
    {"shoe", "talks", 0, 0, UNSEEN, BY_HAND},
    {"shoe", "stirs", 0, 0, UNSEEN, BY_HAND},
    {"shoe", "wrong", 1, 4, FOUND, NULL},
    {"shoe", "twice", 2, 6, FOUND, NULL},
    {"shoe", "repeat", 1, 6, FOUND, NULL},
    {"shoe", "swap", 1, 5, FOUND, NULL},
    {"shoe", "whisper", 1, 6, FOUND, NULL},
    {"shoe", "unflagged", 1, 6, FOUND, NULL},
    {"shoe", "unlogged", 1, 6, FOUND, NULL},
    {"shoe", "mislogged", 1, 6, FOUND, NULL},
    {"shoe", "skip", 1, 6, FOUND, NULL},
    {"shoe", "lose", 1, 5, FOUND, NULL},
    {"shoe", "smuggle", 4, 4, FOUND, NULL},
    {"shoe", "misstated", 1, 8, FOUND, NULL},
    {"shoe", "misnumbered", 2, 4, FOUND, NULL},
    {"shoe", "unlogged-deck", 2, 4, FOUND, NULL},
    {"shoe", "false-lock", 4, 4, FOUND, NULL},
    {"shoe", "ends-silently", 0, 0, FOUND, NULL},
    {"shoe", "wavers", 1, 30, FOUND, NULL},
    {"shoe", "flips", 1, 6, FOUND, NULL},
    {"shoe", "clock-stands", 0, 0, FOUND, NULL},
    {"shoe", "clock-back", 0, 0, FOUND, NULL},
    {"shoe", "clock-fast", 0, 0, FOUND, NULL},
    {"shoe", "clock-slow", 0, 0, FOUND, NULL},
    {"shoe", "rewritten", 1, 12, FOUND, NULL},

    {"shuffler", "jam", 1, 4, HONEST, FAULT},
    {"shuffler", "misread", 1, 8, HONEST, FAULT},
    {"shuffler", "missing", 1, 5, HONEST, FAULT},
    {"shuffler", "extra", 1, 5, HONEST, FAULT},
    {"shuffler", "duplicate", 1, 5, HONEST, FAULT},
    {"shuffler", "door", 1, 4, HONEST, FAULT},
    {"shuffler", "cover", 1, 5, HONEST, FAULT},
    {"shuffler", "power", 1, 4, HONEST, POWER},
    {"shuffler", "reboot", 1, 4, HONEST, POWER},
    {"shuffler", "unplug", 50, 50, GONE, "the link is torn"},
    {"shuffler", "slow", 2, 2, UNSEEN, NO_TIME},
    {"shuffler", "same-deck", 2, 2, UNSEEN, NO_DECK},
    {"shuffler", "stray", 2, 2, UNSEEN, NO_DECK},
    {"shuffler", "short", 2, 3, FOUND, NULL},
    {"shuffler", "long", 1, 3, FOUND, NULL},
    {"shuffler", "wrong", 1, 7, FOUND, NULL},
    {"shuffler", "twice", 2, 7, FOUND, NULL},
    {"shuffler", "leak", 1, 3, FOUND, NULL},
    {"shuffler", "whisper", 1, 3, FOUND, NULL},
    {"shuffler", "silent-test", 0, 0, FOUND, NULL},
    {"shuffler", "swap", 2, 2, FOUND, NULL},
    {"shuffler", "reversed", 2, 3, FOUND, NULL},
    {"shuffler", "lose", 1, 3, FOUND, NULL},
    {"shuffler", "early", 1, 1, FOUND, NULL},
    {"shuffler", "more", 3, 3, FOUND, NULL},
    {"shuffler", "slip", 1, 1, FOUND, NULL},
    {"shuffler", "mumble", 1, 3, FOUND, NULL},
    {"shuffler", "unflagged", 1, 3, FOUND, NULL},
    {"shuffler", "unannounced", 0, 0, FOUND, NULL},
    {"shuffler", "unlogged", 1, 3, FOUND, NULL},
    {"shuffler", "mislogged", 1, 3, FOUND, NULL},
    {"shuffler", "skip", 1, 12, FOUND, NULL},
    {"shuffler", "misnumbered", 1, 5, FOUND, NULL},
    {"shuffler", "miscount", 1, 3, FOUND, NULL},
    {"shuffler", "misstated", 1, 10, FOUND, NULL},
    {"shuffler", "phantom", 1, 3, FOUND, NULL},
    {"shuffler", "flips", 1, 3, FOUND, NULL},
    {"shuffler", "retells", 1, 3, FOUND, NULL},
    {"shuffler", "unlogged-mode", 0, 0, FOUND, NULL},
    {"shuffler", "garble", 1, 3, FOUND, NULL},
    {"shuffler", "stammer", 1, 3, FOUND, NULL},
    {"shuffler", "misaddress", 1, 3, FOUND, NULL},
    {"shuffler", "crowd", 1, 3, FOUND, NULL},
    {"shuffler", "boast", 1, 3, FOUND, NULL},
    {"shuffler", "stays-in-test", 0, 0, FOUND, NULL},
    {"shuffler", "forgets", 1, 5, FOUND, NULL},
    {"shuffler", "renamed", 1, 5, FOUND, NULL},
    {"shuffler", "ends-silently", 0, 0, FOUND, NULL},
    {"shuffler", "talks", 0, 0, FOUND, NULL},
    {"shuffler", "wavers", 1, 40, FOUND, NULL},
    {"shuffler", "parts", 1, 4, FOUND, NULL},
    {"shuffler", "clock-stands", 0, 0, FOUND, NULL},
    {"shuffler", "clock-back", 0, 0, FOUND, NULL},
    {"shuffler", "clock-fast", 0, 0, FOUND, NULL},
    {"shuffler", "clock-slow", 0, 0, FOUND, NULL},
    {"shuffler", "rewritten", 1, 12, FOUND, NULL},

    {"terminal", "unplug", 90, 90, GONE, "the link is torn"},
    {"terminal", "power", 1, 40, HONEST, POWER},
    {"terminal", "lowest-must-hit", 0, 0, UNSEEN, CHANCE},
    {"terminal", "eager-must-hit", 0, 0, UNSEEN, CHANCE},
    {"terminal", "ceiling-must-hit", 0, 0, UNSEEN, CHANCE},
    {"terminal", "found-reseed", 0, 0, UNSEEN, NO_RATES},
    {"terminal", "found-rate", 0, 0, UNSEEN, NO_RATES},
    {"terminal", "dark", 1, 1, FOUND, NULL},
    {"terminal", "lit", 1, 7, FOUND, NULL},
    {"terminal", "wrong-meter", 2, 5, FOUND, NULL},
    {"terminal", "no-contribution", 2, 5, FOUND, NULL},
    {"terminal", "by-sensors", 5, 5, FOUND, NULL},
    {"terminal", "wrong-sign", 1, 6, FOUND, NULL},
    {"terminal", "early-amount", 0, 0, FOUND, NULL},
    {"terminal", "early-sign", 1, 6, FOUND, NULL},
    {"terminal", "flicker", 2, 5, FOUND, NULL},
    {"terminal", "late-must-hit", 0, 0, FOUND, NULL},
    {"terminal", "stranger-must-hit", 0, 0, FOUND, NULL},
    {"terminal", "accepts", 1, 1, FOUND, NULL},
    {"terminal", "refuses", 13, 13, FOUND, NULL},
    {"terminal", "left-lit", 1, 6, FOUND, NULL},
    {"terminal", "goes-dark", 2, 5, FOUND, NULL},
    {"terminal", "false-lights", 1, 6, FOUND, NULL},
    {"terminal", "micro", 2, 5, FOUND, NULL},
    {"terminal", "false-meters", 2, 5, FOUND, NULL},
    {"terminal", "false-step", 2, 5, FOUND, NULL},
    {"terminal", "cancel-adds", 6, 6, FOUND, NULL},
    {"terminal", "wrong-seat", 1, 6, FOUND, NULL},
    {"terminal", "sign-stays", 1, 6, FOUND, NULL},
    {"terminal", "false-sign", 1, 6, FOUND, NULL},
    {"terminal", "wrong-award", 1, 6, FOUND, NULL},
    {"terminal", "two-seats", 2, 2, FOUND, NULL},
    {"terminal", "wrong-ledger", 1, 6, FOUND, NULL},
    {"terminal", "false-before", 1, 1, FOUND, NULL},
    {"terminal", "false-after", 1, 1, FOUND, NULL},
    {"terminal", "false-hand", 1, 6, FOUND, NULL},
    {"terminal", "silent-test", 0, 0, FOUND, NULL},
    {"terminal", "unlogged", 1, 20, FOUND, NULL},
    {"terminal", "mislogged", 13, 13, FOUND, NULL},
    {"terminal", "any-code", 0, 0, FOUND, NULL},
    {"terminal", "any-admin-code", 0, 0, FOUND, NULL},
    {"terminal", "false-screen", 13, 13, FOUND, NULL},
    {"terminal", "false-refusal", 1, 12, FOUND, NULL},
    {"terminal", "false-state", 1, 30, FOUND, NULL},
    {"terminal", "pretends", 13, 13, FOUND, NULL},
    {"terminal", "untold-sign", 0, 0, FOUND, NULL},
    {"terminal", "false-won", 1, 6, FOUND, NULL},
    {"terminal", "renames", 7, 7, FOUND, NULL},
    {"terminal", "booked-twice", 1, 6, FOUND, NULL},
    {"terminal", "rewrites", 2, 6, FOUND, NULL},
    {"terminal", "rewrites-first", 3, 6, UNSEEN, "only the one before is read again"},
    {"terminal", "false-rounds", 1, 6, FOUND, NULL},
    {"terminal", "sign-fades", 0, 0, FOUND, NULL},
    {"terminal", "must-hit-fades", 0, 0, FOUND, NULL},
    {"terminal", "way-out-adds", 0, 0, FOUND, NULL},
    {"terminal", "way-out-books", 0, 0, FOUND, NULL},
    {"terminal", "way-out-signs", 0, 0, FOUND, NULL},
    {"terminal", "unconfigured", 0, 0, FOUND, NULL},
    {"terminal", "skip", 1, 12, FOUND, NULL},
    {"terminal", "false-configured", 0, 0, FOUND, NULL},
    {"terminal", "unbooked-correction", 0, 0, FOUND, NULL},
    {"terminal", "false-correction", 0, 0, FOUND, NULL},
    {"terminal", "wrong-correction", 0, 0, FOUND, NULL},
    {"terminal", "false-sign-meter", 1, 6, FOUND, NULL},
    {"terminal", "false-must-hit", 1, 6, FOUND, NULL},
    {"terminal", "false-awards", 1, 6, FOUND, NULL},
    {"terminal", "false-code", 1, 6, FOUND, NULL},
    {"terminal", "false-time", 1, 6, FOUND, NULL},
    {"terminal", "told-twice", 1, 6, FOUND, NULL},
    {"terminal", "unlogged-mode", 0, 0, FOUND, NULL},
    {"terminal", "ends-silently", 0, 0, FOUND, NULL},
    {"terminal", "talks", 0, 0, FOUND, NULL},
    {"terminal", "ledger-stands", 0, 0, FOUND, NULL},
    {"terminal", "wavers", 1, 40, FOUND, NULL},
    {"terminal", "parts", 1, 4, FOUND, NULL},
    {"terminal", "sign-flickers", 1, 6, FOUND, NULL},
    {"terminal", "fidgets", 1, 4, FOUND, NULL},
    {"terminal", "clock-stands", 0, 0, FOUND, NULL},
    {"terminal", "clock-back", 0, 0, FOUND, NULL},
    {"terminal", "clock-fast", 0, 0, FOUND, NULL},
    {"terminal", "clock-slow", 0, 0, FOUND, NULL},
    {"terminal", "rewritten", 1, 12, FOUND, NULL},

    /* Of version 2. */
    {"bet-sensor", "both-versions", 0, 0, FOUND, SECOND},
    {"bet-sensor", "claims", 1, 3, FOUND, SECOND},
    {"bet-sensor", "claims", 4, 4, HONEST, NO_VENDOR},
    {"bet-sensor", "claims", 5, 7, FOUND, SECOND},
    {"bet-sensor", "hides", 1, 3, FOUND, SECOND},
    {"bet-sensor", "hides", 4, 4, HONEST, NOT_THERE},
    {"bet-sensor", "vendor", 1, 8, HONEST, "a vendor, as the page says"},
    {"bet-sensor", "flood", 1, 2, CUT, "events without an end"},
    {"bet-sensor", "redigested", 1, 12, FOUND, SECOND},
    {"bet-sensor", "clock-jumps", 1, 2, HONEST, "somebody may have set it, and N25 says so"},
    {"bet-sensor", "no-bye", 0, 0, FOUND, SECOND},
    {"bet-sensor", "after-bye", 0, 0, FOUND, SECOND},
    {"bet-sensor", "stale", 2, 4, FOUND, SECOND},
    {"bet-sensor", "two-clocks", 0, 0, FOUND, SECOND},
    {"bet-sensor", "hides", 5, 7, HONEST, NOT_THERE},
    {"shoe", "both-versions", 0, 0, FOUND, SECOND},
    {"shoe", "claims", 1, 3, FOUND, SECOND},
    {"shoe", "claims", 4, 4, HONEST, NO_VENDOR},
    {"shoe", "claims", 5, 7, FOUND, SECOND},
    {"shoe", "hides", 1, 3, FOUND, SECOND},
    {"shoe", "hides", 4, 4, HONEST, NOT_THERE},
    {"shoe", "vendor", 1, 8, HONEST, "a vendor, as the page says"},
    {"shoe", "flood", 1, 2, CUT, "events without an end"},
    {"shoe", "redigested", 1, 12, FOUND, SECOND},
    {"shoe", "clock-jumps", 1, 2, HONEST, "somebody may have set it, and N25 says so"},
    {"shoe", "no-bye", 0, 0, FOUND, SECOND},
    {"shoe", "after-bye", 0, 0, FOUND, SECOND},
    {"shoe", "stale", 2, 4, FOUND, SECOND},
    {"shoe", "two-clocks", 0, 0, FOUND, SECOND},
    {"shoe", "hides", 5, 7, HONEST, NOT_THERE},
    {"shuffler", "both-versions", 0, 0, FOUND, SECOND},
    {"shuffler", "claims", 1, 3, FOUND, SECOND},
    {"shuffler", "claims", 4, 4, HONEST, NO_VENDOR},
    {"shuffler", "claims", 5, 7, FOUND, SECOND},
    {"shuffler", "hides", 1, 3, FOUND, SECOND},
    {"shuffler", "hides", 4, 4, HONEST, NOT_THERE},
    {"shuffler", "vendor", 1, 8, HONEST, "a vendor, as the page says"},
    {"shuffler", "flood", 1, 2, CUT, "events without an end"},
    {"shuffler", "redigested", 1, 12, FOUND, SECOND},
    {"shuffler", "clock-jumps", 1, 2, HONEST, "somebody may have set it, and N25 says so"},
    {"shuffler", "no-bye", 0, 0, FOUND, SECOND},
    {"shuffler", "after-bye", 0, 0, FOUND, SECOND},
    {"shuffler", "stale", 2, 4, FOUND, SECOND},
    {"shuffler", "two-clocks", 0, 0, FOUND, SECOND},
    {"shuffler", "hides", 5, 6, FOUND, "decks=2,protocol=2,"},
    {"shuffler", "hides", 7, 7, HONEST, NOT_THERE},
    {"shuffler", "misdecked", 1, 3, FOUND, "decks=2,protocol=2,"},
    {"shuffler", "misloaded", 7, 8, FOUND, "decks=2,protocol=2,"},
    {"shuffler", "forged", 0, 0, FOUND, "protocol=2,fault=reboot@packet:2,"},
    {"shuffler", "gossips", 1, 3, FOUND, SECOND},
    {"terminal", "both-versions", 0, 0, FOUND, SECOND},
    {"terminal", "claims", 1, 3, FOUND, SECOND},
    {"terminal", "claims", 4, 4, HONEST, NO_VENDOR},
    {"terminal", "claims", 5, 7, FOUND, SECOND},
    {"terminal", "hides", 1, 3, FOUND, SECOND},
    {"terminal", "hides", 4, 4, HONEST, NOT_THERE},
    {"terminal", "vendor", 1, 8, HONEST, "a vendor, as the page says"},
    {"terminal", "flood", 1, 2, CUT, "events without an end"},
    {"terminal", "redigested", 1, 12, FOUND, SECOND},
    {"terminal", "clock-jumps", 1, 2, HONEST, "somebody may have set it, and N25 says so"},
    {"terminal", "no-bye", 0, 0, FOUND, SECOND},
    {"terminal", "after-bye", 0, 0, FOUND, SECOND},
    {"terminal", "stale", 2, 4, FOUND, SECOND},
    {"terminal", "two-clocks", 0, 0, FOUND, SECOND},
    {"terminal", "hides", 5, 6, HONEST, NOT_THERE},
    {"terminal", "hides", 7, 7, FOUND, SECOND},
    {"terminal", "same-challenge", 0, 0, FOUND, SECOND},
    {"terminal", "replays", 0, 0, FOUND, SECOND},
    {"terminal", "false-config", 1, 4, FOUND, SECOND},
};

#define ROWS (sizeof rows / sizeof rows[0])

static const struct model_kind *kind_of(const char *model)
{
    struct error error;
    const struct model_kind *kind = model_kind_find(model, &error);

    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    return kind;
}

static const struct defect_kind *defect_of(const struct row *row)
{
    const struct defect_table *table = kind_of(row->model)->defects;

    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->kinds[i].name, row->defect))
            return &table->kinds[i];
    return NULL;
}

TEST(every_defect_of_every_model_of_the_protocol_has_a_row)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        for (size_t j = 0; kind->frame_class && j < kind->defects->count; j++) {
            unsigned count = 0;

            for (size_t k = 0; k < ROWS; k++)
                count += !strcmp(rows[k].model, kind->name) &&
                         !strcmp(rows[k].defect, kind->defects->kinds[j].name);
            if (!count)
                printf("%s: %s has no row\n", kind->name, kind->defects->kinds[j].name);
            CU_ASSERT(count >= 1);
        }
    for (size_t k = 0; k < ROWS; k++) {
        CU_ASSERT_PTR_NOT_NULL(defect_of(&rows[k]));
        CU_ASSERT(rows[k].outcome == FOUND || rows[k].why);
    }
}

/* A defect of version 2, as its row stands among those. */
static bool is_second(const struct row *row)
{
    while (row > rows && strcmp(row->defect, "both-versions") != 0)
        row--;
    return row > rows;
}

/* What brings the defect about: hands that draw, two decks, a past. */
static const char *options_for(const struct row *row)
{
    if (!strcmp(row->model, "shoe"))
        return is_second(row) ? "draw=300,protocol=2," : "draw=300,";
    if (is_second(row))
        return row->outcome == FOUND ? row->why : SECOND;
    if (row->why && !strcmp(row->why, NO_DECK))
        return "decks=2,";
    if (row->why && !strcmp(row->why, NO_RATES))
        return "history=1,";
    return "";
}

/* Whether the suite finds of it what the row says. */
static bool is_so(const struct row *row, const struct conform_bench *bench, const char *address)
{
    unsigned failed = bench->conform.counts[CONFORM_FAIL];
    bool is_over = row->outcome == GONE || row->outcome == CUT;
    bool is_so = bench->status == (is_over ? ERROR_DEVICE : 0);

    is_so = is_so && (row->outcome == FOUND || row->outcome == CUT) == (failed > 0);
    if (row->outcome == UNSEEN && bench->kind->has_shown)
        is_so = is_so && bench->has_shown;
    if (!is_so)
        printf("%s: %u clauses fail, status %d%s\n%s", address, failed, bench->status,
               bench->has_shown ? "" : ", and it has not shown", bench->failed);
    return is_so;
}

static void try_at(const struct row *row, const char *spec)
{
    struct conform_bench bench;
    char address[160];

    snprintf(address, sizeof address, "emu:%s?%sfault=%s", row->model, options_for(row), spec);
    conform_bench_begin(&bench, kind_of(row->model)->frame_class);
    conform_bench_run(&bench, address);
    CU_ASSERT_TRUE(is_so(row, &bench, address));
    conform_bench_end(&bench);
}

static void try_row(const struct row *row)
{
    const struct defect_kind *defect = defect_of(row);
    unsigned last = PROCESS_INSTRUMENTED ? row->first : row->last;
    char spec[64];

    CU_ASSERT_PTR_NOT_NULL_FATAL(defect);
    if (!defect->unit)
        try_at(row, defect->name);
    for (unsigned at = row->first; defect->unit && at && at <= last; at++) {
        snprintf(spec, sizeof spec, "%s@%s:%u", defect->name, defect->unit, at);
        try_at(row, spec);
    }
}

static void try_rows(const char *model)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].model, model))
            try_row(&rows[i]);
}

TEST(a_bet_sensor_unit_is_found_where_the_wire_shows_it)
{
    try_rows("bet-sensor");
}

TEST(a_shoe_is_found_where_the_wire_shows_it)
{
    try_rows("shoe");
}

TEST(a_shuffler_is_found_where_the_wire_shows_it)
{
    try_rows("shuffler");
}

TEST(a_terminal_is_found_where_the_wire_shows_it)
{
    try_rows("terminal");
}

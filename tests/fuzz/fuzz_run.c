/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of a recording, or of rounds that are observed, on emulated devices whose messages are
 * rewritten on the way, with a good check behind them. An input names what is played, an act by its
 * number or an entry of tests/failing/ by its name, then edits: how many messages pass, what is
 * done to the next one. Every run ends, in time, with a verdict and
 * a sentence where it is none to be glad of, and its journal holds; one without an edit passes, and
 * a recording with a single edit of a card does not.
 *
 * Covers: rigs/run/dealer/shoe.c rigs/run/dealer/shuffler.c rigs/run/dealer/shuffler_await.c
 * Covers: rigs/run/terminal/awards.c rigs/run/terminal/config.c rigs/run/terminal/found.c
 * Covers: rigs/run/terminal/keys.c rigs/run/terminal/ledger.c rigs/run/terminal/terminal.c
 * Covers: rigs/run/terminal/told.c rigs/run/authenticate.c rigs/run/compare.c rigs/run/ending.c
 * Covers: rigs/run/events.c rigs/run/identity.c rigs/run/log.c rigs/run/loop.c rigs/run/must_hit.c
 * Covers: rigs/run/note.c rigs/run/second.c rigs/run/sensors.c rigs/run/table.c rigs/run/watch.c
 * Covers: rigs/run/leave.c rigs/run/others.c rigs/run/quiet.c rigs/checks/book.c
 * Covers: devices/terminal/walk.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "tests/fuzz/editor.h"
#include "tests/support/lies/altered_run.h"

#define LONGEST (900 * NANOS_PER_SECOND) /* of a round */
#define ALL                                                                                        \
    (ALTERED_SLOT(DEVICE_SHUFFLER) | ALTERED_SLOT(DEVICE_SHOE) | ALTERED_SLOT(DEVICE_TERMINAL) |   \
     ALTERED_SLOT(DEVICE_SENSORS))

#define HOUSE_BURN "fixtures/chase-the-flush/house-burn.shoe"
#define JACKPOTS   "fixtures/chase-the-flush/jackpots-key-by-key.shoe"
#define CHASE      "{\"shoe\":1,\"game\":\"chase-the-flush\"}"
#define CHASE_SHOE "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"
#define CATCH      "{\"shoe\":1,\"game\":\"three-card-catch\"}"

/* Where version 2 is spoken. */
#define WIDE(options)                                                                              \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler?protocol=2" options "'}\n"                   \
                 "  terminal: {address: 'emu:terminal?protocol=2'}\n"                              \
                 "  sensors: {driver: unit, address: 'emu:bet-sensor?protocol=2'}\n"
#define WIDE_SHOE                                                                                  \
    ALTERED_HEAD "  shoe: {address: 'emu:shoe?draw=700,refill=2000,protocol=2'}\n"                 \
                 "  terminal: {address: 'emu:terminal?protocol=2'}\n"
/* A terminal that has paid before, and one whose Must Hit is near. */
#define USED(options)                                                                              \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler'}\n"                                         \
                 "  terminal: {address: 'emu:terminal?history=1" options "'}\n"
#define NEAR                                                                                       \
    "meters: [{meter: must-hit, opening: '49.90'}]\n"                                              \
    "must-hit: {reset: '10.00', hit-by: '50.00', rate: '2.00'}\n"

#define BOTH                                                                                       \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler'}\n"                                         \
                 "  shoe: {address: 'emu:shoe?draw=700,refill=2000'}\n" ALTERED_TABLE
#define UNPROBED                                                                                   \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler'}\n"                                         \
                 "  terminal: {address: 'emu:terminal', probe-codes: false}\n"
/* Its software is asked for on a port of its own. */
#define ASKED(where)                                                                               \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler', authenticate: {" where "}}\n"
#define FROM_SHOE "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"

static const struct altered_act acts[] = {
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/jackpots-key-by-key.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-award.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-catch/dealer-catches.shoe", 1, ALL},
    {ALTERED_SHUFFLER("?fault=jam@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHUFFLER("?fault=power@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHOE(""), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 1, ALL},
    {ALTERED_SHOE(",fault=jam@card:3"), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 1,
     ALL},
    {ALTERED_ANGEL_EYE, "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", 1, ALL},
    {ALTERED_SCRIPTED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SCRIPTED_ANGEL_EYE, "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", 1,
     ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/meter-put-back.shoe", 2, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/every-wrong-code.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/keys-pressed-freely.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/misdeal-gives-every-wager-back.shoe", 2, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/started-too-soon.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-and-a-jackpot-for-one-seat.shoe", 2,
     ALL},
    {ALTERED_SHUFFLER(""), "fixtures/flush-rush/fold-after-two-community-cards.shoe", 2, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-poker/tie-pushes.shoe", 1, ALL},
    {ALTERED_POWERLESS, "fixtures/chase-the-flush/jackpots-key-by-key.shoe", 1, ALL},
    {ALTERED_SHOE(""), "fixtures/chase-the-flush/misdeal-card-by-card.shoe", 2, ALL},
    {WIDE(""), JACKPOTS, 1, ALL},
    {WIDE(",decks=2"), HOUSE_BURN, 1, ALL},
    {WIDE_SHOE, "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 1, ALL},
    {USED(""), HOUSE_BURN, 1, ALL},
    {USED(",protocol=2"), HOUSE_BURN, 1, ALL},
    {BOTH, HOUSE_BURN, 1, ALL},
    {BOTH, FROM_SHOE, 1, ALL},
    {UNPROBED, JACKPOTS, 1, ALL},
    {ALTERED_SHOE(""), HOUSE_BURN, 1, 0},
    {ASKED("address: 'emu:gat'"), HOUSE_BURN, 1, ALL},
    {ASKED("address: 'emu:gat', key: secret"), HOUSE_BURN, 1, ALL},
    {ASKED("address: 'emu:gat', key-hex: 00ff"), HOUSE_BURN, 1, ALL},
    {ASKED("address: 'emu:gat?fault=unplug@frames:3'"), HOUSE_BURN, 1, ALL},
    {ALTERED_SHUFFLER(""), HOUSE_BURN, 2, ALL},
    {ALTERED_SHUFFLER("") NEAR, HOUSE_BURN, 2, ALL},
    {ALTERED_SHUFFLER(""), HOUSE_BURN, 2, ALL},
    {ALTERED_SHOE("") NEAR, HOUSE_BURN, 2, ALL},
    {WIDE("") NEAR, HOUSE_BURN, 2, ALL},
};
#define ACTS  (sizeof acts / sizeof acts[0])
#define NAMED UINT8_MAX /* instead of the number of an act */

/* The last acts are observed, whatever recording they name. */
static const char *const headers[] = {CHASE, CHASE, CATCH, CHASE_SHOE, CHASE};
#define OBSERVED (sizeof headers / sizeof headers[0])

/* Those with a fault, or with nobody to deal, do not pass without an edit. */
#define IS_SOUND(act) ((act)->slots && !strstr((act)->rig, "fault="))

/* Opened once, and made as new for each input. */
static struct opened {
    struct altered_run run;
    struct observation observation;
    char journal[SCRATCH_PATH_SIZE];
} * opened[ACTS];

static void close_all(void)
{
    for (size_t i = 0; i < ACTS; i++)
        if (opened[i]) {
            altered_close(&opened[i]->run);
            free(opened[i]);
        }
}

static struct altered_run *open_act(size_t which)
{
    struct opened *made = opened[which];
    static bool is_cleared;

    if (made)
        return &made->run;
    opened[which] = made = calloc(1, sizeof *made);
    FUZZ_MUST(made && (is_cleared || !atexit(close_all)));
    is_cleared = true;
    altered_open(&made->run, &acts[which]);
    scratch_path(made->journal);
    made->run.journal = made->journal;
    if (!strcmp(acts[which].rig, BOTH)) {
        made->run.fails_fast = !strcmp(acts[which].path, FROM_SHOE);
        made->run.next = made->run.fails_fast ? HOUSE_BURN : FROM_SHOE;
    }
    if (which >= ACTS - OBSERVED) {
        made->observation = (struct observation){.header = headers[which - (ACTS - OBSERVED)],
                                                 .seats = 1u << 1 | 1u << 4,
                                                 .keeps_meters = which == ACTS - OBSERVED,
                                                 .rounds = acts[which].rounds};
        made->run.observation = &made->observation;
    }
    return &made->run;
}

static void check_journal(const struct altered_run *run, const struct altered_ending *ending)
{
    struct journal_verified verified;
    struct error error = {.text = ""};
    int status = journal_verify(run->journal, &(struct journal_verify){0}, &verified, &error);

    if (status && access(run->journal, F_OK) == 0)
        fuzz_found(__FILE__, __LINE__, error.text);
    FUZZ_MUST(!status || ending->status);
    unlink(run->journal);
}

/* Plays it with the edits of the input. */
static void play(struct altered_run *run, struct fuzz_input input, bool is_sound)
{
    struct editor editor;
    struct alter alter = {.lie = editor_lie, .context = &editor};
    struct altered_ending ending;

    editor_begin(&editor, input);
    altered_play(run, &alter, &ending);
    check_journal(run, &ending);
    FUZZ_MUST(!alter.hangs && ending.took < LONGEST * run->act->rounds);
    FUZZ_MUST(!ending.status || ending.error.text[0]);
    FUZZ_MUST(ending.worst < VERDICT_COUNT && ending.worst != VERDICT_ABORTED);
    FUZZ_MUST(editor.edits || !is_sound || ending.worst == VERDICT_PASS);
    FUZZ_MUST(run->observation || editor.edits != 1 || editor.cards != 1 ||
              ending.worst != VERDICT_PASS);
}

/* An entry of tests/failing/ without people: devices lie, or the expectation is wrong. */
static void play_failing(struct fuzz_input *input)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-/";
    char name[100] = "", rig[256], shoe[256], answers[256], journal[SCRATCH_PATH_SIZE];
    const uint8_t *end = memchr(input->at, '\n', input->left);
    struct altered_act act = {.path = shoe, .rounds = 9, .slots = ALL};
    struct altered_run run;
    const uint8_t *from;
    size_t size;
    char *text;

    if (!end || (size_t)(end - input->at) >= sizeof name)
        return;
    from = fuzz_take(input, (size_t)(end - input->at), &size);
    memcpy(name, from, size);
    fuzz_byte(input);
    snprintf(rig, sizeof rig, "tests/failing/%s.yaml", name);
    snprintf(shoe, sizeof shoe, "tests/failing/%s.shoe", name);
    snprintf(answers, sizeof answers, "tests/failing/%s.answers", name);
    if (name[strspn(name, letters)] || access(rig, R_OK) || access(shoe, R_OK) ||
        !access(answers, F_OK))
        return;
    text = scratch_read(rig, &size);
    act.rig = text;
    altered_open_at(&run, &act, rig);
    scratch_path(journal);
    run.journal = journal;
    play(&run, *input, false);
    altered_close(&run);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    size_t which = fuzz_byte(&input);

    if (which == NAMED)
        play_failing(&input);
    else
        play(open_act(which % ACTS), input, IS_SOUND(&acts[which % ACTS]));
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of a recording on emulated devices whose messages are rewritten on the way, with a
 * good check behind them. An input names what is played, then edits: how many messages pass, what
 * is done to the next one. Every run ends, in time, with a verdict and a sentence where it is none
 * to be glad of; one without an edit passes, and one with a single edit of a card does not.
 *
 * Covers: rigs/run/awards.c rigs/run/compare.c rigs/run/dealer_shoe.c rigs/run/dealer_shuffler.c
 * Covers: rigs/run/ending.c rigs/run/identity.c rigs/run/keys.c rigs/run/ledger.c rigs/run/log.c
 * Covers: rigs/run/sensors.c rigs/run/terminal.c rigs/run/told.c rigs/run/watch.c
 * Covers: rigs/checks/book.c devices/terminal/walk.c
 */
#include <string.h>

#include "tests/fuzz/editor.h"
#include "tests/support/altered_run.h"

#define LONGEST (900 * NANOS_PER_SECOND)
#define ALL                                                                                        \
    (ALTERED_SLOT(DEVICE_SHUFFLER) | ALTERED_SLOT(DEVICE_SHOE) | ALTERED_SLOT(DEVICE_TERMINAL) |   \
     ALTERED_SLOT(DEVICE_SENSORS))

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
};
#define ACTS (sizeof acts / sizeof acts[0])
/* Those with a fault do not pass without an edit. */
#define IS_SOUND(act) (!strstr((act)->rig, "fault="))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const struct altered_act *act = &acts[fuzz_byte(&input) % ACTS];
    struct editor editor;
    struct alter alter = {.lie = editor_lie, .context = &editor};
    struct altered_run run;
    struct altered_ending ending;

    editor_begin(&editor, input);
    altered_open(&run, act);
    altered_play(&run, &alter, &ending);
    FUZZ_MUST(!alter.hangs && ending.took < LONGEST);
    FUZZ_MUST(!ending.status || ending.error.text[0]);
    FUZZ_MUST(ending.worst < VERDICT_COUNT && ending.worst != VERDICT_ABORTED);
    FUZZ_MUST(editor.edits || !IS_SOUND(act) || ending.worst == VERDICT_PASS);
    FUZZ_MUST(editor.edits != 1 || editor.cards != 1 || ending.worst != VERDICT_PASS);
    altered_close(&run);
    return 0;
}

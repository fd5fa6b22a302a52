/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every defect of every model at every step of a round, on every game: whatever makes a difference
 * must end in its verdict and be caught by its check, and no round may pass with wrong data.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "tests/support/lies/campaign.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PLAYED 2 /* rounds of each recording */

static const char *const recordings[] = {
    "fixtures/chase-the-flush/evening-of-six-seats.shoe",
    "fixtures/chase-the-flush/house-burn.shoe",
    "fixtures/chase-the-flush/jackpots-key-by-key.shoe",
    "fixtures/chase-the-flush/cancelled-round-adds-nothing.shoe",
    "fixtures/chase-the-flush/meter-put-back.shoe",
    "fixtures/chase-the-flush/every-wrong-code.shoe",
    "fixtures/chase-the-flush/must-hit-award.shoe",
    "fixtures/chase-the-flush/must-hit-stands-at-its-ceiling.shoe",
    "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe",
    "fixtures/three-card-catch/evening-of-six-seats.shoe",
    "fixtures/three-card-catch/progressive-every-line.shoe",
    "fixtures/three-card-catch/card-by-card-from-the-hand.shoe",
    "fixtures/flush-rush/evening-of-six-seats.shoe",
    "fixtures/flush-rush/house-burn-of-three.shoe",
};
#define RECORDINGS (sizeof recordings / sizeof recordings[0])

/* What must come of a defect that shows. */
enum ending {
    CAUGHT,   /* fail, by that check; the rounds after it are judged */
    EITHER,   /* that, or timeout since it is lost to the round, or device as the driver sees it */
    MENDED,   /* device: it was brought round; the rounds after it are judged */
    REJECTED, /* device: the driver refuses to believe it; the check may have seen it as well */
    DEAD,     /* the run ends as device */
    HARMLESS, /* pass, with the right data */
    ENDINGS
};

#define NO_CHECK CHECK_COUNT

struct lie {
    enum device_class slot;
    const char *name; /* "short" */
    const char *unit; /* "packet"; NULL: it is always there */
    unsigned steps;   /* tried from 1 on */
    enum ending ending;
    enum check check; /* that fails */
    enum check other; /* or this one */
};

static const struct lie lies[] = {
    {DEVICE_SHUFFLER, "jam", "packet", 12, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "misread", "card", 30, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "missing", "shuffle", 4, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "extra", "shuffle", 4, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "duplicate", "shuffle", 4, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "door", "packet", 12, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "cover", "shuffle", 4, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "power", "packet", 12, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "reboot", "packet", 12, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "unplug", "frames", 120, DEAD, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "short", "packet", 12, CAUGHT, CHECK_PACKET_SIZE, NO_CHECK},
    {DEVICE_SHUFFLER, "long", "packet", 12, CAUGHT, CHECK_PACKET_SIZE, NO_CHECK},
    {DEVICE_SHUFFLER, "wrong", "card", 30, CAUGHT, CHECK_DEALT_CARDS, NO_CHECK},
    {DEVICE_SHUFFLER, "twice", "card", 30, EITHER, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHUFFLER, "leak", "packet", 12, REJECTED, CHECK_ORDER_LEAK, NO_CHECK},
    {DEVICE_SHUFFLER, "whisper", "packet", 12, REJECTED, CHECK_ORDER_LEAK, NO_CHECK},
    {DEVICE_SHUFFLER, "slip", "packet", 12, REJECTED, CHECK_ORDER_LEAK, NO_CHECK},
    {DEVICE_SHUFFLER, "mumble", "packet", 12, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "silent-test", NULL, 1, REJECTED, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHUFFLER, "unannounced", NULL, 1, REJECTED, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHUFFLER, "unflagged", "packet", 12, REJECTED, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHUFFLER, "slow", "packet", 12, CAUGHT, CHECK_TIMING, NO_CHECK},
    {DEVICE_SHUFFLER, "swap", "packet", 12, CAUGHT, CHECK_PACKET_ORDER, CHECK_DEALT_CARDS},
    {DEVICE_SHUFFLER, "reversed", "packet", 12, CAUGHT, CHECK_DEALT_CARDS, NO_CHECK},
    {DEVICE_SHUFFLER, "lose", "packet", 12, CAUGHT, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHUFFLER, "early", "packet", 12, EITHER, CHECK_PACKET_ORDER, NO_CHECK},
    {DEVICE_SHUFFLER, "more", "packet", 12, REJECTED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "unlogged", "packet", 12, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHUFFLER, "mislogged", "packet", 12, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHUFFLER, "misnumbered", "shuffle", 3, REJECTED, NO_CHECK, NO_CHECK},
    {DEVICE_SHUFFLER, "miscount", "packet", 12, CAUGHT, CHECK_PACKET_ORDER, NO_CHECK},
    {DEVICE_SHUFFLER, "misstated", "byte", 10, EITHER, CHECK_STATUS, CHECK_CARD_CONSERVATION},
    {DEVICE_SHUFFLER, "phantom", "packet", 12, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHUFFLER, "flips", "packet", 12, CAUGHT, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHUFFLER, "retells", "packet", 12, CAUGHT, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHUFFLER, "unlogged-mode", NULL, 1, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHUFFLER, "skip", "event", 60, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "garble", "packet", 12, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "stammer", "packet", 12, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "misaddress", "packet", 12, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "crowd", "packet", 12, EITHER, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHUFFLER, "boast", "packet", 12, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHUFFLER, "forgets", "shuffle", 4, REJECTED, NO_CHECK, NO_CHECK},

    {DEVICE_SHOE, "misread", "card", 20, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "jam", "card", 20, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "overdraw", "card", 20, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "reverse", "card", 20, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "power", "card", 20, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "unplug", "frames", 60, DEAD, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "repeat", "card", 20, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHOE, "lost-ack", "card", 20, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_SHOE, "wrong", "card", 20, CAUGHT, CHECK_DEALT_CARDS, NO_CHECK},
    {DEVICE_SHOE, "twice", "card", 20, CAUGHT, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHOE, "swap", "card", 20, CAUGHT, CHECK_DEALT_CARDS, NO_CHECK},
    {DEVICE_SHOE, "sneak", "card", 20, CAUGHT, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHOE, "smuggle", "card", 20, CAUGHT, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHOE, "new-deck", "card", 20, CAUGHT, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHOE, "whisper", "card", 20, REJECTED, CHECK_ORDER_LEAK, NO_CHECK},
    {DEVICE_SHOE, "unflagged", "card", 20, CAUGHT, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_SHOE, "unlogged", "card", 20, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHOE, "mislogged", "card", 20, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHOE, "lose", "card", 20, EITHER, CHECK_CARD_CONSERVATION, NO_CHECK},
    {DEVICE_SHOE, "misstated", "byte", 8, EITHER, CHECK_STATUS, CHECK_CARD_CONSERVATION},
    {DEVICE_SHOE, "misnumbered", "deck", 3, CAUGHT, CHECK_STATUS, NO_CHECK},
    {DEVICE_SHOE, "unlogged-deck", "deck", 3, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_SHOE, "false-lock", "card", 20, CAUGHT, CHECK_STATUS, NO_CHECK},
    {DEVICE_SHOE, "skip", "card", 20, CAUGHT, CHECK_FRAMES, NO_CHECK},
    {DEVICE_SHOE, "flips", "card", 20, CAUGHT, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},

    {DEVICE_TERMINAL, "unplug", "frames", 200, DEAD, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "power", "key", 60, MENDED, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "dark", "seat", 7, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "lit", "seat", 7, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "left-lit", "round", 4, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "goes-dark", "round", 4, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "false-lights", "round", 4, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "flicker", "round", 4, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-meter", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "no-contribution", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "false-configured", NULL, 1, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    /* Of a terminal with a history, which tests/failing has. */
    {DEVICE_TERMINAL, "found-reseed", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "found-rate", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "unbooked-correction", NULL, 1, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "false-correction", NULL, 1, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-correction", NULL, 1, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "by-sensors", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "micro", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "false-meters", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "false-step", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "cancel-adds", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-sign", "jackpot", 8, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-seat", "jackpot", 8, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "sign-stays", "jackpot", 8, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "false-sign", "round", 4, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "early-amount", NULL, 1, CAUGHT, CHECK_AMOUNT_HIDDEN, NO_CHECK},
    {DEVICE_TERMINAL, "early-sign", "jackpot", 8, CAUGHT, CHECK_AMOUNT_HIDDEN, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-award", "jackpot", 8, CAUGHT, CHECK_JACKPOTS, NO_CHECK},
    {DEVICE_TERMINAL, "two-seats", "jackpot", 8, CAUGHT, CHECK_JACKPOTS, NO_CHECK},
    {DEVICE_TERMINAL, "wrong-ledger", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "false-before", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "false-after", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "false-hand", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "late-must-hit", NULL, 1, CAUGHT, CHECK_MUST_HIT_SEAT, NO_CHECK},
    {DEVICE_TERMINAL, "stranger-must-hit", NULL, 1, CAUGHT, CHECK_MUST_HIT_SEAT, NO_CHECK},
    /* Recordings tell the terminal whom to pay; tests/failing has what it draws by itself. */
    {DEVICE_TERMINAL, "lowest-must-hit", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "eager-must-hit", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "ceiling-must-hit", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_TERMINAL, "silent-test", NULL, 1, CAUGHT, CHECK_TEST_MODE_ANNOUNCED, NO_CHECK},
    {DEVICE_TERMINAL, "accepts", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "refuses", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "unlogged", "key", 60, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "mislogged", "key", 60, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "any-code", NULL, 1, CAUGHT, CHECK_AUTHORIZATION, NO_CHECK},
    {DEVICE_TERMINAL, "any-admin-code", NULL, 1, CAUGHT, CHECK_AUTHORIZATION, NO_CHECK},
    {DEVICE_TERMINAL, "false-screen", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "false-refusal", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "false-state", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "pretends", "key", 60, CAUGHT, CHECK_KEY_REFUSALS, NO_CHECK},
    {DEVICE_TERMINAL, "untold-sign", NULL, 1, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "false-won", "round", 4, CAUGHT, CHECK_JACKPOTS, NO_CHECK},
    {DEVICE_TERMINAL, "renames", "round", 4, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "booked-twice", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "rewrites", "jackpot", 8, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "false-rounds", "round", 4, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "sign-fades", NULL, 1, HARMLESS, NO_CHECK, NO_CHECK}, /* nobody dwells */
    {DEVICE_TERMINAL, "way-out-adds", "key", 60, CAUGHT, CHECK_METER_VALUES, NO_CHECK},
    {DEVICE_TERMINAL, "way-out-books", "key", 60, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "way-out-signs", "key", 60, CAUGHT, CHECK_SIGN_AMOUNT, NO_CHECK},
    {DEVICE_TERMINAL, "unconfigured", NULL, 1, CAUGHT, CHECK_EVENT_LOG, NO_CHECK},
    {DEVICE_TERMINAL, "skip", "event", 60, CAUGHT, CHECK_FRAMES, NO_CHECK},

    {DEVICE_SENSORS, "stuck-high", "seat", 7, CAUGHT, CHECK_WAGERS_SENSED, NO_CHECK},
    {DEVICE_SENSORS, "stuck-low", "seat", 7, CAUGHT, CHECK_WAGERS_SENSED, NO_CHECK},
    {DEVICE_SENSORS, "dark", "seat", 7, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_SENSORS, "lit", "seat", 7, CAUGHT, CHECK_LIGHTS, NO_CHECK},
    {DEVICE_SENSORS, "bounce", "seat", 7, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_SENSORS, "late", "seat", 7, CAUGHT, CHECK_WAGERS_SENSED, NO_CHECK},
    /* The built-in rig collects wagers; tests/failing has one that leaves them. */
    {DEVICE_SENSORS, "lift", "seat", 7, HARMLESS, NO_CHECK, NO_CHECK},
    {DEVICE_SENSORS, "kept", "seat", 7, CAUGHT, CHECK_WAGERS_SENSED, NO_CHECK},
    {DEVICE_SENSORS, "ghost", "seat", 7, CAUGHT, CHECK_WAGERS_SENSED, NO_CHECK},
};
#define LIES (sizeof lies / sizeof lies[0])

/*
 * What becomes of some with a driver that is a script. For it `frames` and `order-leak` are
 * skipped, and no flag of test mode is read from a frame that the driver refuses: what the script
 * itself finds is device. A damaged frame, as a bad line makes it, and an event that is said again
 * are mended.
 */
static const struct {
    const char *name;
    enum ending ending;
} as_script[] = {
    {"leak", REJECTED},        {"whisper", REJECTED},     {"slip", REJECTED},
    {"mumble", REJECTED},      {"skip", REJECTED},        {"garble", HARMLESS},
    {"stammer", HARMLESS},     {"misaddress", REJECTED},  {"crowd", REJECTED},
    {"silent-test", REJECTED}, {"unannounced", REJECTED}, {"unflagged", REJECTED},
};

struct tally {
    const char *rig; /* NULL: the default one */
    unsigned steps;  /* of each on such a rig; 0: a few */
    unsigned injected, shown, ended[ENDINGS], rounds;
};

static bool is_right(const struct lie *lie, const struct campaign_result *result)
{
    const uint64_t *failed = result->counts.checks.failed;
    bool seen = lie->check == NO_CHECK || failed[lie->check] ||
                (lie->other != NO_CHECK && failed[lie->other]);
    bool judged = !result->status && result->counts.rounds == result->rounds;

    if (result->wrong_pass)
        return false;
    if (!result->has_shown || lie->ending == HARMLESS)
        return !result->status && result->worst == VERDICT_PASS && !result->first;
    switch (lie->ending) {
    case CAUGHT:
        return judged && seen && result->worst == VERDICT_FAIL;
    case EITHER:
        return judged &&
               (result->worst == VERDICT_DEVICE ||
                (seen && result->worst >= VERDICT_FAIL && result->worst <= VERDICT_TIMEOUT));
    case MENDED:
        return judged && result->worst == VERDICT_DEVICE;
    case REJECTED:
        return seen && result->worst == VERDICT_DEVICE &&
               (judged || result->status == ERROR_DEVICE);
    default:
        return result->status == ERROR_DEVICE && result->worst <= VERDICT_DEVICE;
    }
}

static bool try_lie(const struct lie *lie, const char *path, unsigned step, struct tally *tally)
{
    char defect[64];
    struct campaign_run run = {.path = path,
                               .rounds = PLAYED,
                               .rig_path = tally->rig,
                               .slot = lie->slot,
                               .defect = defect};
    struct campaign_result result;
    bool right;

    snprintf(defect, sizeof defect, lie->unit ? "%s@%s:%u" : "%s", lie->name, lie->unit, step);
    campaign_play(&run, &result);
    right = is_right(lie, &result);
    if (!right)
        campaign_print(&run, &result);
    CU_ASSERT_TRUE(right);
    tally->injected++;
    tally->shown += result.has_shown;
    tally->ended[lie->ending] += result.has_shown;
    tally->rounds += (unsigned)result.counts.rounds;
    return result.has_shown;
}

#define SECOND     "rigs/protocol-2.yaml"
#define SECOND_TWO "tests/rigs/checks/two-decks-2.yaml"

/*
 * What shows in version 2 of the protocol alone. The bench is open when a device gets its defect,
 * so that a vendor's messages were not claimed. What HELLO hides, what comes after the last round
 * and what takes a wrong code is in tests/failing/.
 */
static const struct {
    const char *rig;
    struct lie lie;
} second[] = {
    {SECOND, {DEVICE_SHUFFLER, "both-versions", NULL, 1, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "claims@capability:1", NULL, 1, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "claims@capability:2", NULL, 1, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "claims@capability:3", NULL, 1, CAUGHT, CHECK_STATUS, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "vendor", "status", 6, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "flood", "status", 3, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "redigested", "status", 4, CAUGHT, CHECK_EVENT_LOG, NO_CHECK}},
    {SECOND, {DEVICE_SHUFFLER, "clock-jumps", "status", 6, HARMLESS, NO_CHECK, NO_CHECK}},
    {SECOND_TWO, {DEVICE_SHUFFLER, "misdecked", "packet", 4, REJECTED, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "both-versions", NULL, 1, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "claims@capability:2", NULL, 1, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "vendor", "status", 6, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "flood", "status", 3, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "redigested", "status", 4, CAUGHT, CHECK_EVENT_LOG, NO_CHECK}},
    {SECOND, {DEVICE_SHOE, "clock-jumps", "status", 6, HARMLESS, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "both-versions", NULL, 1, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "claims@capability:7", NULL, 1, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "vendor", "status", 6, CAUGHT, CHECK_FRAMES, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "flood", "status", 3, DEAD, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "redigested", "status", 4, CAUGHT, CHECK_EVENT_LOG, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "clock-jumps", "status", 6, HARMLESS, NO_CHECK, NO_CHECK}},
    {SECOND, {DEVICE_TERMINAL, "false-config", "way", 4, CAUGHT, CHECK_METER_RULES, NO_CHECK}},
};
#define SECONDS (sizeof second / sizeof second[0])

/* Steps after the last one that a recording has make no difference. */
#define STEPS_IN_VAIN 20
/* On another rig, which is held to what is found on the default one, and where every step is dear.
 */
#define FEW_STEPS 3

static void try_steps(const struct lie *lie, const char *path, struct tally *tally)
{
    unsigned vain = 0, most = tally->steps ? tally->steps : FEW_STEPS;
    bool is_few = (tally->rig || PROCESS_INSTRUMENTED) && lie->steps > most;
    unsigned steps = is_few ? most : lie->steps;

    for (unsigned step = !strcmp(lie->name, "twice") ? 2 : 1; step <= steps && vain < STEPS_IN_VAIN;
         step++)
        vain = try_lie(lie, path, step, tally) ? 0 : vain + 1;
}

/* Whether the device has a part in the recording at all. */
static bool takes_part(enum device_class slot, const char *path)
{
    bool from_shoe = strstr(path, "card-by-card"), has_progressive = !strstr(path, "flush-rush");

    if (slot == DEVICE_SHUFFLER || slot == DEVICE_SHOE)
        return from_shoe == (slot == DEVICE_SHOE);
    return has_progressive;
}

static struct lie of_script(const struct lie *lie)
{
    struct lie scripted = *lie;

    for (size_t i = 0; i < sizeof as_script / sizeof as_script[0]; i++)
        if (!strcmp(as_script[i].name, lie->name)) {
            scripted.ending = as_script[i].ending;
            scripted.check = NO_CHECK;
        }
    return scripted;
}

static void try_all(enum device_class slot, const char *rig)
{
    struct tally tally = {.rig = rig};

    for (size_t i = 0; i < LIES; i++) {
        bool is_script = rig && strcmp(rig, SECOND) != 0;
        struct lie lie = is_script ? of_script(&lies[i]) : lies[i];
        unsigned before = tally.shown;

        if (lie.slot != slot)
            continue;
        for (size_t at = 0; at < RECORDINGS; at++)
            if (takes_part(slot, recordings[at]))
                try_steps(&lie, recordings[at], &tally);
        /* Few steps do not reach all of them. */
        if (tally.shown > before || lie.ending == HARMLESS || (rig && !is_script) ||
            PROCESS_INSTRUMENTED)
            continue;
        printf("%s has never made a difference\n", lie.name);
        CU_FAIL("a defect shows nowhere");
    }
    printf(
        "%u faults injected in %u rounds, %u made a difference: %u fail by their check, %u "
        "device and mended, %u device and rejected, %u device and dead, %u harmless; none passed "
        "with wrong data\n",
        tally.injected, tally.rounds, tally.shown, tally.ended[CAUGHT] + tally.ended[EITHER],
        tally.ended[MENDED], tally.ended[REJECTED], tally.ended[DEAD], tally.ended[HARMLESS]);
}

TEST(a_lying_or_failing_shuffler_is_caught_at_every_step)
{
    try_all(DEVICE_SHUFFLER, NULL);
}

TEST(a_driver_that_is_a_script_catches_the_same_shuffler)
{
    try_all(DEVICE_SHUFFLER, "tests/devices/scripts/scripted.yaml");
}

TEST(a_lying_or_failing_shoe_is_caught_at_every_card)
{
    try_all(DEVICE_SHOE, NULL);
}

TEST(a_lying_or_failing_terminal_is_caught_at_every_key_round_and_jackpot)
{
    try_all(DEVICE_TERMINAL, NULL);
}

TEST(lying_or_failing_bet_sensors_are_caught_at_every_seat)
{
    try_all(DEVICE_SENSORS, NULL);
}

/* The same, and what only version 2 can tell; few steps of each. */
TEST(in_version_2_the_same_devices_are_caught)
{
    try_all(DEVICE_SHUFFLER, SECOND);
    try_all(DEVICE_SHOE, SECOND);
    try_all(DEVICE_TERMINAL, SECOND);
}

TEST(what_lies_in_version_2_alone_is_caught)
{
    for (size_t i = 0; i < SECONDS; i++) {
        struct tally tally = {.rig = second[i].rig, .steps = second[i].lie.steps};

        for (size_t at = 0; at < RECORDINGS; at++)
            if (takes_part(second[i].lie.slot, recordings[at]))
                try_steps(&second[i].lie, recordings[at], &tally);
        if (!tally.shown)
            printf("%s has never made a difference\n", second[i].lie.name);
        CU_ASSERT_TRUE(tally.shown > 0);
    }
}

TEST(without_a_defect_every_round_passes_with_the_right_data)
{
    for (size_t at = 0; at < RECORDINGS; at++) {
        struct campaign_run run = {.path = recordings[at]};
        struct campaign_result result;

        campaign_play(&run, &result);
        if (result.worst != VERDICT_PASS || result.wrong_pass)
            campaign_print(&run, &result);
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_EQUAL(result.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(result.wrong_pass, 0);
        CU_ASSERT_EQUAL(result.counts.rounds, result.rounds);
    }
}

static bool is_tried(enum device_class slot, const char *name)
{
    for (size_t i = 0; i < LIES; i++)
        if (lies[i].slot == slot && !strcmp(lies[i].name, name))
            return true;
    for (size_t i = 0; i < SECONDS; i++)
        if (second[i].lie.slot == slot && !strncmp(second[i].lie.name, name, strlen(name)))
            return true;
    return false;
}

/* Whether a rig of tests/failing/ has it: what only many observed rounds show has no step here. */
static bool is_failing(const glob_t *rigs, const char *name)
{
    bool is_found = false;

    for (size_t i = 0; i < rigs->gl_pathc && !is_found; i++) {
        size_t length;
        char *text = scratch_read(rigs->gl_pathv[i], &length);

        is_found = strstr(text, name) != NULL;
        free(text);
    }
    return is_found;
}

TEST(every_defect_of_a_model_is_tried)
{
    static const char *const models[] = {"shuffler", "shoe", "terminal", "table", "gat"};
    const struct model_kind *kind;
    glob_t rigs;
    size_t seen = 0;

    CU_ASSERT_EQUAL_FATAL(glob("tests/failing/*/*.yaml", 0, NULL, &rigs), 0);
    for (size_t i = 0; (kind = model_kind_at(i)); i++) {
        bool is_on_bench = false;

        for (size_t j = 0; j < sizeof models / sizeof models[0]; j++)
            is_on_bench |= !strcmp(kind->name, models[j]);
        for (size_t j = 0; is_on_bench && j < kind->defects->count; j++) {
            const char *name = kind->defects->kinds[j].name;
            bool is_known = is_tried(kind->class, name) || is_failing(&rigs, name);

            if (!is_known)
                printf("%s of %s is never tried\n", name, kind->name);
            CU_ASSERT_TRUE(is_known);
            seen++;
        }
    }
    CU_ASSERT_TRUE(seen > 60);
    globfree(&rigs);
}

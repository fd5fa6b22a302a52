/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rounds that the deals of a table make, and those that are left out. */
#include <stdio.h>
#include <string.h>

#include "rigs/recording/expect.h"
#include "tools/record/from_inside.h"

/* The first deal says how cards come, and what the meters stand at. */
static int begin(struct recording_from *from, const struct deal *deal)
{
    struct meters *meters = &from->header.meters;
    int status = 0;

    if (!from->options->deal && deal->mode != from->header.setup.deal)
        status = record_from_lay_table(from, deal->mode);
    if (!status && meters->count && deal->has_before)
        status = listen_open_meters(&deal->before, meters, &from->error);
    else if (!status && meters->count)
        record_from_say(
            from, "meters were not heard before the first deal: the recording opens them as the "
                  "rig says, or at their reseed values");
    from->meters = *meters;
    return status ? status : record_from_write_header(from, deal);
}

/* Shuffles of which nothing was heard, known by the numbers of the others. */
static void say_missed(struct recording_from *from, const struct deal *deal)
{
    char sentence[96];

    from->left_out += deal->missed;
    snprintf(sentence, sizeof sentence, "%ju deal%s before round %ju %s not heard",
             (uintmax_t)deal->missed, deal->missed == 1 ? "" : "s", (uintmax_t)deal->number,
             deal->missed == 1 ? "was" : "were");
    record_from_say(from, sentence);
}

static int leave_out(struct recording_from *from, const struct deal *deal, const char *why)
{
    char sentence[ERROR_TEXT_SIZE + 64];

    from->left_out++;
    snprintf(sentence, sizeof sentence, "round %ju is left out: %s", (uintmax_t)deal->number, why);
    record_from_say(from, sentence);
    return 0;
}

/* Said once: from here on they go their own way. */
static void compare_meters(struct recording_from *from, const struct deal *deal)
{
    const char *name = deal->has_after && from->meters.count && !from->meters_differ
                           ? listen_differing_meter(&deal->after, &from->meters)
                           : NULL;
    char sentence[160];

    if (!name)
        return;
    from->meters_differ = true;
    snprintf(sentence, sizeof sentence,
             "from round %ju on the meters of the recording are not those of the table: '%.20s' "
             "first",
             (uintmax_t)deal->number, name);
    record_from_say(from, sentence);
}

static int write_round(struct recording_from *from, const struct deal *deal,
                       const struct round *round)
{
    const struct game_setup *setup = &from->header.setup;
    const struct recording_round recorded = {.round = *round};
    struct meters after = from->meters;
    struct settlement settlement;
    char line[EXPECT_LINE_SIZE];
    size_t length;
    struct error why;
    int status;

    if (game_settle(setup, round, &settlement, &why) ||
        game_settle_meters(setup, round, &after, &settlement, &why))
        return leave_out(from, deal, why.text);
    length = expect_write(line, setup->game, &settlement, &after);
    status = recorder_round(from->recorder, &recorded, line, length, &from->error);
    from->meters = after;
    compare_meters(from, deal);
    return status;
}

int record_from_take_deal(void *context, const struct deal *deal, struct error *error)
{
    struct recording_from *from = context;
    uint64_t most = from->options->observation.rounds;
    struct round round;
    struct error why;
    int status = from->has_header ? 0 : begin(from, deal);

    (void)error;
    if (status || (most && recorder_rounds(from->recorder) == most))
        return status;
    if (deal->missed)
        say_missed(from, deal);
    if (deal->is_in_test_mode && !from->was_in_test_mode) {
        from->was_in_test_mode = true;
        record_from_say(from,
                        "the device that deals was in test mode, in which its order may be loaded");
    }
    if (deal->is_in_test_mode && !from->is_of_test_mode)
        return leave_out(from, deal, "it was dealt in test mode, and the first round was not");
    if (listen_round(&from->table, deal, &round, &why))
        return leave_out(from, deal, why.text);
    return write_round(from, deal, &round);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/record/from.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/table.h"
#include "tools/live/header.h"
#include "tools/live/recorded.h"
#include "tools/record/from_inside.h"

void record_from_say(const struct recording_from *from, const char *sentence)
{
    if (!from->options->setup.show.quiet)
        fprintf(stderr, "dealproof %s: %s\n", from->command->name, sentence);
}

/* What it is told that it has nothing to do with. */
static const char *out_of_place(const struct live_options *options)
{
    const struct run_setup *setup = &options->setup;

    return options->asks                       ? "--play ask"
           : options->observation.keeps_meters ? "--keep-meters"
           : options->pause_seconds            ? "--pause"
           : setup->journal                    ? "--journal"
           : setup->folder                     ? "--reports"
           : setup->page.listen                ? "--page"
           : setup->page.orders                ? "--orders"
           : setup->orders.fail_fast           ? "--fail-fast"
                                               : NULL;
}

static const struct observe_bet *find_bet(const struct live_options *options, const char *wager)
{
    for (size_t i = 0; i < options->observation.bet_count; i++)
        if (!strcmp(options->bets[i].wager, wager))
            return &options->bets[i];
    return NULL;
}

/* What each seat stakes: as told. A wager comes after the one that it must equal. */
static int choose_stakes(struct recording_from *from, const struct game *game)
{
    const struct live_options *options = from->options;

    for (size_t i = 0; i < options->observation.bet_count; i++)
        if (game_wager(game, options->bets[i].wager) < 0)
            return error_set(&from->error, ERROR_CONFIG, "%s has no wager '%.40s'", game->name,
                             options->bets[i].wager);
    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];
        const struct observe_bet *bet = find_bet(options, wager->name);
        cents_t *stake = &from->table.stakes[i];

        *stake = bet ? options->bets[bet - options->bets].cents : 0;
        if (!bet && wager->required && wager->equal_to != NO_WAGER)
            *stake = from->table.stakes[wager->equal_to];
        else if (!bet && wager->required && !options->notes)
            return error_set(&from->error, ERROR_CONFIG,
                             "no line tells how much lies on the %s: say it, --bet %s=CENTS, or "
                             "give what was noted, --notes FILE",
                             wager->name, wager->name);
    }
    return 0;
}

int record_from_lay_table(struct recording_from *from, enum deal_mode mode)
{
    const struct live_options *options = from->options;
    char line[LIVE_HEADER_SIZE];
    int status;

    if (!live_header(options, mode == DEAL_CARDS ? "cards" : "packets", line))
        return error_set(&from->error, ERROR_CONFIG,
                         "an option is too long, or holds what is no UTF-8");
    status =
        recording_read_header(line, strlen(line), from->paytables, &from->header, &from->error);
    if (!status)
        status = run_table_lay(from->rig, &from->header, &from->error);
    if (!status)
        status = policy_check(options->observation.policy, from->header.setup.game, &from->error);
    return status ? status : choose_stakes(from, from->header.setup.game);
}

static int prepare(struct recording_from *from)
{
    const struct live_options *options = from->options;
    const char *stray = out_of_place(options);
    const struct recorder_options how = {.force = options->setup.force};
    int status;

    if (stray)
        return error_set(&from->error, ERROR_CONFIG,
                         "%s has no place beside --from: no device is played with", stray);
    if (!options->notes && !options->has_policy)
        return error_set(&from->error, ERROR_CONFIG,
                         "no line tells what the players decided: say by which policy, --play "
                         "POLICY, or give what was noted, --notes FILE");
    status = rig_paytables(from->rig, &from->paytables, &from->error);
    if (!status)
        status = record_from_lay_table(
            from, options->deal && !strcmp(options->deal, "cards") ? DEAL_CARDS : DEAL_PACKETS);
    if (!status && options->notes)
        status = listen_notes_read(&from->notes, options->notes, &from->header, &from->error);
    from->table.header = &from->header;
    from->table.notes = from->notes;
    from->table.seats = options->observation.seats;
    from->table.policy = options->observation.policy;
    from->table.seed = options->setup.orders.seed;
    return status ? status : recorder_open(&from->recorder, options->output, &how, &from->error);
}

static int say_recorded(const struct recording_from *from, uint64_t rounds)
{
    const struct live_options *options = from->options;

    if (options->setup.show.json) {
        printf("{\"recorded\":%ju,\"left-out\":%ju}\n", (uintmax_t)rounds,
               (uintmax_t)from->left_out);
    } else if (!options->setup.show.quiet) {
        live_say_recorded(options->output, rounds);
        if (rounds)
            printf(", %ju left out\n", (uintmax_t)from->left_out);
        else
            printf("%s\n", from->left_out ? "" : ": no card was heard; what does the line speak?");
    }
    return command_finish(
        from->command,
        from->left_out || from->has_gap || from->meters_differ || !rounds ? EXIT_FAIL : EXIT_PASS);
}

static int record_lines(struct recording_from *from)
{
    uint64_t rounds;
    struct error closing;
    int status = prepare(from);

    if (!status)
        status = record_from_open_lines(from);
    if (!status)
        status = record_from_listen(from);
    rounds = from->recorder ? recorder_rounds(from->recorder) : 0;
    if (recorder_close(from->recorder, &closing) && !status) {
        from->error = closing;
        status = ERROR_RIG;
    }
    if (status) {
        from->error.code = (enum error_code)status;
        return command_error(from->command, &from->error);
    }
    return say_recorded(from, rounds);
}

int record_from(const struct command *command, const struct live_options *options,
                const struct rig *rig)
{
    struct recording_from *from = calloc(1, sizeof *from);
    int status;

    if (!from)
        return command_end(command, EXIT_RIG, "out of memory");
    from->command = command;
    from->options = options;
    from->rig = rig;
    from->deals.ended = record_from_take_deal;
    from->deals.context = from;
    status = record_lines(from);
    for (size_t i = 0; i < options->from_count; i++) {
        listener_free(from->lines[i].listener);
        capture_reader_close(from->lines[i].reader);
    }
    listen_notes_free(from->notes);
    paytables_free(from->paytables);
    free(from);
    return status;
}

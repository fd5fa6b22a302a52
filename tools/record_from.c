/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/record_from.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/listen/listener.h"
#include "devices/listen/script.h"
#include "hal/base/digest.h"
#include "rigs/listen/rounds.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/recorder.h"
#include "rigs/rig/rig.h"
#include "rigs/run/table.h"
#include "tools/live_header.h"

#define IDENTITIES 16
#define A_YEAR     (365 * 24 * 3600)

struct recording_from;

/* One capture, and what was heard next on it. */
struct heard_line {
    struct recording_from *from;
    const char *path;
    struct capture_reader *reader;
    struct listener *listener;
    struct heard_packet packet;
    bool has_packet;
};

/* A device that has said who it is. */
struct known_device {
    const struct heard_line *line;
    uint8_t channel;
    struct wire_identity identity;
};

struct recording_from {
    const struct command *command;
    const struct live_options *options;
    const struct rig *rig;
    struct paytables *paytables;
    struct heard_line lines[LIVE_CAPTURES];
    nanos_t first; /* time of the first packet */
    struct known_device known[IDENTITIES];
    size_t known_count;
    const struct heard_line *dealing; /* where the cards come from, */
    uint8_t channel;
    char address[2 * LINK_ADDRESS_MAX + 16];
    bool is_emulated;
    struct listen_script script;
    struct deals deals;
    struct recording_header header;
    struct listen_table table;
    struct listen_notes *notes;
    struct meters meters; /* of the recording, so far */
    struct recorder *recorder;
    bool has_header;
    bool is_of_test_mode;                          /* as the header says */
    bool meters_differ, has_gap, was_in_test_mode; /* that was said */
    uint64_t left_out;
    int status; /* what ended it */
    struct error error;
};

static void say(const struct recording_from *from, const char *sentence)
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

/* The table as it is told, laid for one way of dealing. */
static int lay_table(struct recording_from *from, enum deal_mode mode)
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
        status = lay_table(from, options->deal && !strcmp(options->deal, "cards") ? DEAL_CARDS
                                                                                  : DEAL_PACKETS);
    if (!status && options->notes)
        status = listen_notes_read(&from->notes, options->notes, &from->header, &from->error);
    from->table.header = &from->header;
    from->table.notes = from->notes;
    from->table.seats = options->observation.seats;
    from->table.policy = options->observation.policy;
    from->table.seed = options->setup.orders.seed;
    return status ? status : recorder_open(&from->recorder, options->output, &how, &from->error);
}

/* "night.pcap sha256 3f…", one after the other. */
static int name_captures(struct recording_from *from, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < from->options->from_count; i++) {
        const char *path = from->options->from[i], *slash = strrchr(path, '/');
        char digest[DIGEST_SIZE];
        int status = digest_file(path, digest, &from->error);

        if (status)
            return status;
        used += (size_t)snprintf(text + used, size - used, "%s%s sha256 %s", i ? ", " : "",
                                 slash ? slash + 1 : path, digest);
        if (used >= size)
            return 0;
    }
    return 0;
}

static const struct wire_identity *identity_of(const struct recording_from *from)
{
    for (size_t i = 0; i < from->known_count; i++)
        if (from->known[i].line == from->dealing && from->known[i].channel == from->channel)
            return &from->known[i].identity;
    return NULL;
}

static void name_device(const struct recording_from *from, char name[2 * LINK_ADDRESS_MAX + 16])
{
    const struct wire_identity *identity = identity_of(from);

    if (identity)
        snprintf(name, 2 * LINK_ADDRESS_MAX + 16, "%s %s", identity->model, identity->serial);
    else
        memcpy(name, from->address, sizeof from->address);
}

/* "given, stax heard": whence the wagers are known. */
static void name_wagers(const struct recording_from *from, bool are_heard, char text[64])
{
    const struct game *game = from->header.setup.game;
    const char *heard = NULL;

    for (unsigned i = 0; are_heard && i < game->wager_count; i++)
        if (game->wagers[i].progressive)
            heard = game->wagers[i].name;
    snprintf(text, 64, "%s%s%s%s", from->notes ? "noted" : "given", heard ? ", " : "",
             heard ? heard : "", heard ? " heard" : "");
}

static int write_header(struct recording_from *from, const struct deal *deal)
{
    const struct live_options *options = from->options;
    const struct wire_identity *identity = identity_of(from);
    time_t seconds = (time_t)(from->first / NANOS_PER_SECOND);
    char date[32] = "", device[2 * LINK_ADDRESS_MAX + 16], captures[1024] = "", decisions[32],
         wagers[64];
    struct recording_source source = {.device = device,
                                      .firmware = identity ? identity->firmware : NULL,
                                      .by = options->setup.by,
                                      .note = options->note,
                                      .decisions = decisions,
                                      .devices = from->is_emulated ? "emulated" : NULL,
                                      .capture = captures,
                                      .wagers = wagers,
                                      .mode = deal->is_in_test_mode ? "test" : NULL};
    struct tm utc;
    int status = name_captures(from, captures, sizeof captures);

    if (status)
        return status;
    if (seconds > A_YEAR && gmtime_r(&seconds, &utc) &&
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc))
        source.recorded = date;
    name_device(from, device);
    name_wagers(from, deal->has_wagers, wagers);
    snprintf(decisions, sizeof decisions, "%s%s", from->notes ? "noted" : "policy ",
             from->notes ? "" : policy_names[from->table.policy]);
    from->has_header = true;
    from->is_of_test_mode = deal->is_in_test_mode;
    return recorder_header(from->recorder, &from->header, &source, &from->error);
}

/* The first deal says how cards come, and what the meters stand at. */
static int begin(struct recording_from *from, const struct deal *deal)
{
    struct meters *meters = &from->header.meters;
    int status = 0;

    if (!from->options->deal && deal->mode != from->header.setup.deal)
        status = lay_table(from, deal->mode);
    if (!status && meters->count && deal->has_before)
        status = listen_open_meters(&deal->before, meters, &from->error);
    else if (!status && meters->count)
        say(from, "meters were not heard before the first deal: the recording opens them as the "
                  "rig says, or at their reseed values");
    from->meters = *meters;
    return status ? status : write_header(from, deal);
}

/* Shuffles of which nothing was heard, known by the numbers of the others. */
static void say_missed(struct recording_from *from, const struct deal *deal)
{
    char sentence[96];

    from->left_out += deal->missed;
    snprintf(sentence, sizeof sentence, "%ju deal%s before round %ju %s not heard",
             (uintmax_t)deal->missed, deal->missed == 1 ? "" : "s", (uintmax_t)deal->number,
             deal->missed == 1 ? "was" : "were");
    say(from, sentence);
}

static int leave_out(struct recording_from *from, const struct deal *deal, const char *why)
{
    char sentence[ERROR_TEXT_SIZE + 64];

    from->left_out++;
    snprintf(sentence, sizeof sentence, "round %ju is left out: %s", (uintmax_t)deal->number, why);
    say(from, sentence);
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
    say(from, sentence);
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

/* Told of each deal. */
static int take_deal(void *context, const struct deal *deal, struct error *error)
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
        say(from, "the device that deals was in test mode, in which its order may be loaded");
    }
    if (deal->is_in_test_mode && !from->is_of_test_mode)
        return leave_out(from, deal, "it was dealt in test mode, and the first round was not");
    if (listen_round(&from->table, deal, &round, &why))
        return leave_out(from, deal, why.text);
    return write_round(from, deal, &round);
}

static void keep_identity(struct heard_line *line, const struct listened *listened)
{
    struct recording_from *from = line->from;
    struct known_device *known = from->known;

    while (known < from->known + from->known_count &&
           (known->line != line || known->channel != listened->channel))
        known++;
    if (known == from->known + IDENTITIES)
        return;
    if (known == from->known + from->known_count)
        from->known_count++;
    *known = (struct known_device){
        .line = line, .channel = listened->channel, .identity = listened->heard->identity};
}

static bool is_dealing(enum heard_kind kind)
{
    return kind == HEARD_SHUFFLED || kind == HEARD_PACKET || kind == HEARD_NEW_DECK ||
           kind == HEARD_CARD;
}

/* Before the first card no line is known to be the one. */
static bool is_of_dealer(const struct heard_line *line, const struct listened *listened)
{
    const struct recording_from *from = line->from;

    return line == from->dealing && listened->channel == from->channel;
}

/* A whole frame of the device whose content cannot be. */
static bool message_is_wrong(const struct listened *listened)
{
    const struct message *message = listened->message;

    return message->wrong[0] && message->kind != MESSAGE_DAMAGE &&
           listened->direction == TAP_FROM_DEVICE;
}

/* What was missed before a message, as far as that can be seen. */
static void take_gap(struct heard_line *line, const struct listened *listened)
{
    const struct message *message = listened->message;
    char why[DEAL_WHY_SIZE];

    if (message->missed)
        snprintf(why, sizeof why, "%u event%s of the %s in it or after it %s not heard",
                 message->missed, message->missed == 1 ? "" : "s", message->device,
                 message->missed == 1 ? "was" : "were");
    else if (message->kind == MESSAGE_DAMAGE && listened->direction == TAP_FROM_DEVICE &&
             !listened->protocol->numbers_events)
        snprintf(why, sizeof why, "bytes were heard that are no message: %.64s", message->wrong);
    else
        return;
    deals_miss(&line->from->deals, is_of_dealer(line, listened), why);
}

/* The numbers of events show what is missing of them; without numbers it may be anything. */
static void take_told_gap(struct heard_line *line, const struct listened *listened)
{
    struct recording_from *from = line->from;
    char sentence[ERROR_TEXT_SIZE];

    if (!from->deals.is_open)
        return;
    from->has_gap = true;
    snprintf(sentence, sizeof sentence, "in or after round %ju: %s", (uintmax_t)from->deals.count,
             listened->text);
    say(from, sentence);
    if (!listened->protocol || !listened->protocol->numbers_events)
        deals_miss(&from->deals, is_of_dealer(line, listened), listened->text);
}

/* Told of each message. */
static void take_message(void *context, const struct listened *listened)
{
    struct heard_line *line = context;
    struct recording_from *from = line->from;

    if (listened->kind == LISTENED_ADDRESS && is_of_dealer(line, listened))
        deals_renew(&from->deals);
    if (listened->kind == LISTENED_GAP)
        take_told_gap(line, listened);
    if (listened->kind != LISTENED_MESSAGE || from->status || listened->is_again)
        return;
    take_gap(line, listened);
    if (listened->heard->kind == HEARD_IDENTITY)
        keep_identity(line, listened);
    if (is_dealing(listened->heard->kind) && !from->has_header) {
        from->dealing = line;
        from->channel = listened->channel;
        snprintf(from->address, sizeof from->address, "%s", listened->address);
        from->is_emulated = !strncmp(listened->address, "emu:", 4);
    }
    from->status = deals_hear(&from->deals, listened->heard, &from->error);
    if (message_is_wrong(listened))
        deals_spoil(&from->deals, listened->message->wrong);
}

/* The next packet of a line; one that is cut off ends there, which is said. */
static int read_next(struct heard_line *line)
{
    struct recording_from *from = line->from;
    int status = capture_reader_next(line->reader, &line->packet, &from->error);

    line->has_packet = status > 0;
    if (status == ERROR_RULE) {
        say(from, from->error.text);
        from->left_out++;
        return 0;
    }
    return status < 0 ? status : 0;
}

/* What the lines speak, by name or by a script. */
static int choose_protocol(struct recording_from *from, const struct protocol **protocol)
{
    const struct live_options *options = from->options;

    if (options->protocol && options->script)
        return error_set(&from->error, ERROR_CONFIG, "one of --protocol and --script");
    if (options->protocol)
        *protocol = protocol_find(options->protocol, &from->error);
    if (options->protocol && !*protocol)
        return ERROR_CONFIG;
    return options->script ? listen_script_load(&from->script, options->script, &from->error) : 0;
}

static int open_lines(struct recording_from *from)
{
    const struct protocol *protocol = NULL;
    int status = choose_protocol(from, &protocol);

    for (size_t i = 0; i < from->options->from_count && !status; i++) {
        struct heard_line *line = &from->lines[i];
        const struct listener_options options = {
            .protocol = protocol,
            .unnamed = from->options->script ? &from->script.protocol : NULL,
            .tell = take_message,
            .context = line};

        line->from = from;
        line->path = from->options->from[i];
        line->listener = listener_new(&options);
        if (!line->listener)
            return error_set(&from->error, ERROR_RIG, "out of memory");
        status = capture_reader_open(&line->reader, line->path, &from->error);
        if (!status)
            status = read_next(line);
    }
    return status;
}

/* The line that has said something first; NULL when all are at their end. */
static struct heard_line *find_first(struct recording_from *from)
{
    struct heard_line *first = NULL;

    for (size_t i = 0; i < from->options->from_count; i++) {
        struct heard_line *line = &from->lines[i];

        if (line->has_packet && (!first || line->packet.time < first->packet.time))
            first = line;
    }
    return first;
}

static int listen_to_all(struct recording_from *from)
{
    struct heard_line *line = find_first(from);

    if (line)
        from->first = line->packet.time;
    for (; line && !from->status; line = find_first(from)) {
        int status = listener_hear(line->listener, &line->packet, &from->error);

        if (!status && from->script.status) {
            from->error = from->script.error;
            status = from->script.status;
        }
        if (!status)
            status = read_next(line);
        if (status)
            return status;
    }
    return from->status ? from->status : deals_end(&from->deals, &from->error);
}

static int say_recorded(const struct recording_from *from, uint64_t rounds)
{
    const struct live_options *options = from->options;
    size_t stem = strlen(options->output) - strlen(".shoe");

    if (options->setup.show.json)
        printf("{\"recorded\":%ju,\"left-out\":%ju}\n", (uintmax_t)rounds,
               (uintmax_t)from->left_out);
    else if (!options->setup.show.quiet && rounds)
        printf("recorded: %ju round%s in %s and %.*s.expect, %ju left out\n", (uintmax_t)rounds,
               rounds == 1 ? "" : "s", options->output, (int)stem, options->output,
               (uintmax_t)from->left_out);
    else if (!options->setup.show.quiet)
        printf("recorded: nothing; %s was not made%s\n", options->output,
               from->left_out ? "" : ": no card was heard; what does the line speak?");
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
        status = open_lines(from);
    if (!status)
        status = listen_to_all(from);
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

    if (!from) {
        fprintf(stderr, "dealproof %s: out of memory\n", command->name);
        return EXIT_RIG;
    }
    from->command = command;
    from->options = options;
    from->rig = rig;
    from->deals.ended = take_deal;
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

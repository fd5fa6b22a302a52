/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/resettle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/money.h"
#include "rigs/evidence/replay/authenticated.h"
#include "rigs/evidence/replay/command_line.h"
#include "rigs/evidence/replay/dealt.h"
#include "rigs/evidence/replay/lineup.h"
#include "rigs/evidence/replay/told.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/files.h"
#include "rigs/run/survey.h"
#include "rigs/run/table.h"

/* The recording that is read. */
struct again_recording {
    bool is_known; /* its rounds can be settled */
    bool is_observed;
    bool has_files;
    struct recording_header header; /* its meters are those before the round */
    struct recording_files files;
    char path[PATH_MAX];
};

/* The round that is read: copies of its lines, and their numbers. */
struct again_round {
    bool is_open;
    struct json_value *played, *settlement, *observed; /* NULL: there is none */
    uint64_t played_at, settled_at;
    struct told told;
    struct dealt dealt;
};

/* The line that was settled last, as the rules read it. */
struct again_settled {
    struct round round;
    bool is_free;        /* keys were pressed as somebody liked, and may pay what nobody has won */
    struct meters after; /* those before it are the header's */
};

struct again {
    const struct rig *rig;
    const struct recording_place *place;
    struct paytables *paytables;
    struct resettled *resettled;
    bool has_own_table; /* the command line says something of it */
    char *by; /* who performs the run, as the command line says, of whom no line told yet */
    struct json_reader *json, *recorded;
    struct again_recording recording;
    struct again_round round;
    struct again_settled settled;
    struct lineup lineup;
    struct authenticated authenticated;
    char text[JSON_LONGEST], line[EXPECT_LINE_SIZE];
    size_t line_length;
    struct error *error;
};

static int no_memory(const struct again *again)
{
    return error_set(again->error, ERROR_RIG, "no memory to settle a journal again");
}

static int refuse(const struct again *again, uint64_t line, const char *why)
{
    return error_set(again->error, ERROR_RULE, "line %ju was altered: %s", (uintmax_t)line, why);
}

static void leave(struct again *again, const char *why)
{
    if (!again->resettled->left++)
        snprintf(again->resettled->why, sizeof again->resettled->why, "%s", why);
}

static void close_recording(struct again *again)
{
    if (again->recording.has_files)
        recording_files_close(&again->recording.files);
    again->recording = (struct again_recording){.is_known = false};
}

static void close_round(struct again *again)
{
    struct again_round *round = &again->round;

    told_clear(&round->told);
    free(round->played);
    free(round->settlement);
    free(round->observed);
    round->played = round->settlement = round->observed = NULL;
    round->is_open = false;
}

static bool is_same(const struct json_value *line, const char *key, const char *digest)
{
    const char *was = json_chars(json_member(line, key));

    return was && !strcmp(digest, was);
}

static int open_files(struct again *again, const struct journal_line *of)
{
    struct again_recording *recording = &again->recording;
    const struct json_value *line = of->fields;
    struct run_survey survey;
    struct text_line header;

    snprintf(recording->path, sizeof recording->path, "%s",
             json_chars(json_member(line, "path")) ? json_chars(json_member(line, "path")) : "");
    if (run_survey_in(again->place, recording->path, again->rig, again->paytables, &survey, NULL) ||
        !is_same(line, "sha256", survey.digest) ||
        !is_same(line, "expect-sha256", survey.expect_digest))
        return 0;
    if (strcmp(survey.header.setup.game->name, json_chars(json_member(line, "game"))) != 0)
        return refuse(again, of->number, "the recording is of another game");
    if ((uint64_t)json_int(json_member(line, "rounds")) != survey.rounds)
        return refuse(again, of->number, "the recording has another number of rounds");
    recording->header = survey.header;
    recording->has_files =
        !recording_files_open_in(&recording->files, again->place, recording->path, -1, NULL);
    recording->is_known =
        recording->has_files && recording_file_next(&recording->files.recorded, &header, NULL) > 0;
    return 0;
}

/* Of rounds that are observed nobody has said more than the game. */
static void lay_table(struct again *again, const struct json_value *line)
{
    struct again_recording *recording = &again->recording;
    char header[128];
    const struct rig_devices *devices = &again->rig->devices;
    int length = snprintf(header, sizeof header, "{\"shoe\":1,\"game\":\"%.40s\",\"deal\":\"%s\"}",
                          json_chars(json_member(line, "game")),
                          devices->shuffler || !devices->shoe ? "packets" : "cards");

    recording->is_observed = true;
    recording->is_known = !again->has_own_table &&
                          !recording_read_header(header, (size_t)length, again->paytables,
                                                 &recording->header, NULL) &&
                          !run_table_lay(again->rig, &recording->header, NULL);
    recording->header.decks = again->rig->decks;
}

static int see_recording(struct again *again, const struct journal_line *line)
{
    close_recording(again);
    again->resettled->recordings++;
    again->resettled->has_rounds |= json_int(json_member(line->fields, "rounds")) > 0;
    if (again->by)
        return refuse(again, line->number,
                      "no line above it names who performs the run, as the "
                      "command of line 1 does");
    if (!lineup_is_whole(&again->lineup))
        return refuse(again, line->number, "devices of the rig have no line above it");
    if (json_chars(json_member(line->fields, "expect")))
        return open_files(again, line);
    lay_table(again, line->fields);
    return 0;
}

/* The meters that a terminal was found with, or that the last round has left. */
static void take_meters(struct again *again, const struct json_value *values)
{
    JSON_EACH (value, values) {
        micros_t micros;

        if (json_chars(value) && !micros_parse(json_chars(value), &micros, NULL))
            meters_open(&again->recording.header.meters, value->key, micros, NULL);
    }
}

/* What the rules make of a line: again->line, or the sentence that refuses it; whether they do. */
static bool settle(struct again *again, const char *text, size_t length)
{
    const struct recording_header *header = &again->recording.header;
    struct again_settled *settled = &again->settled;
    struct recording_round recorded = {.round = {.number = 0}};
    struct settlement settlement = {.number = 0};
    struct error why;
    int64_t number;
    bool is_numbered = true;
    int status = recording_read_round(again->json, text, length, header, &recorded, &why);

    number = recorded.round.number;
    if (status)
        is_numbered = recording_find_number(again->json, text, length, &number);
    *settled = (struct again_settled){
        .round = recorded.round, .is_free = recorded.is_free, .after = header->meters};
    if (!status)
        status = game_settle(&header->setup, &recorded.round, &settlement, &why);
    if (!status)
        status =
            game_settle_meters(&header->setup, &recorded.round, &settled->after, &settlement, &why);
    again->line_length =
        status ? expect_write_error(again->line, is_numbered ? &number : NULL, why.text)
               : expect_write(again->line, header->setup.game, &settlement, &settled->after);
    return !status;
}

static bool is_settled_so(struct again *again)
{
    const struct json_value *line =
        json_read(again->json, again->line, again->line_length - 1, NULL);

    return json_same(line, again->round.settlement);
}

static const struct rig_device *dealing_device(const struct again *again)
{
    const struct rig_devices *devices = &again->rig->devices;

    return again->round.dealt.dealer == DEVICE_SHOE ? devices->shoe : devices->shuffler;
}

/* The cards of a round that passes were dealt as they were played. */
static int check_cards(struct again *again, uint64_t line)
{
    const struct rig_device *device = dealing_device(again);
    const char *why = device ? dealt_differs(&again->round.dealt, &again->settled.round, device)
                             : "it passes a round that no device of the rig can deal";

    return why ? refuse(again, line, why) : 0;
}

/* Seats with a wager that feeds the meters. */
static bool has_paid_seats(const struct again *again)
{
    const struct round *round = &again->settled.round;
    int wager = game_progressive(again->recording.header.setup.game);

    for (unsigned seat = 1; wager >= 0 && seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) && round->bets[seat][wager])
            return true;
    return false;
}

static bool have_meters_changed(const struct again *again)
{
    const struct meters *before = &again->recording.header.meters, *after = &again->settled.after;

    for (unsigned i = 0; i < after->count; i++)
        if (after->meter[i].value != before->meter[i].value)
            return true;
    return false;
}

/* A terminal that tells what it does has told these meters and jackpots. */
static int check_terminal(struct again *again, uint64_t line)
{
    const struct rig_device *terminal = again->rig->devices.terminal;
    const struct again_round *round = &again->round;
    bool is_played;

    if (!terminal || !(terminal->capabilities & DEVICE_TELLS_STATUS))
        return 0;
    is_played = has_paid_seats(again) && !again->settled.is_free;
    if (is_played && !round->told.meters && have_meters_changed(again))
        return refuse(again, line,
                      "it passes a round that changed meters, and the terminal told none");
    if (round->told.meters && !told_same_meters(&round->told, round->settlement))
        return refuse(again, line,
                      "it passes a round after which the terminal told other meters "
                      "than the settlement has");
    if (is_played && !told_same_awards(&round->told, round->settlement))
        return refuse(again, line,
                      "it passes a round in which the terminal paid other jackpots "
                      "than the settlement has");
    return 0;
}

/* What passes came to what was expected. */
static int check_expected(struct again *again, uint64_t line, const struct text_line *expected)
{
    struct json_text text;

    json_text_begin(&text, again->text, sizeof again->text);
    json_text_value(&text, again->round.settlement);
    if (!expected || expect_compare(expected->text, expected->length, again->text,
                                    (size_t)(text.at - text.start), NULL, 0, NULL))
        return refuse(again, line, "it passes a round that came to something else than expected");
    return 0;
}

/* A round that passes: its settlement follows from its cards, and all others agree. */
static int check_pass(struct again *again, uint64_t line)
{
    int status = check_cards(again, line);

    if (!status && !is_settled_so(again))
        status = refuse(again, again->round.settled_at,
                        "the settlement does not follow from the cards above it");
    return status ? status : check_terminal(again, line);
}

/* A round that was refused, as its expectation says. */
static int check_refused(struct again *again, uint64_t line, bool is_settled,
                         const struct text_line *expected)
{
    if (is_settled)
        return refuse(again, line, "it passes a round without a settlement that the rules settle");
    if (!expected || expect_compare(expected->text, expected->length, again->line,
                                    again->line_length - 1, NULL, 0, NULL))
        return refuse(again, line, "it passes a round that is refused otherwise than expected");
    return 0;
}

static bool is_played_as_recorded(struct again *again, const struct text_line *line)
{
    const struct json_value *recorded = json_read(again->recorded, line->text, line->length, NULL);

    return recorded ? json_same(recorded, again->round.played)
                    : !json_is(again->round.played, JSON_KIND_OBJECT);
}

static int judge_recorded(struct again *again, uint64_t line, bool passes)
{
    struct again_recording *recording = &again->recording;
    const struct again_round *round = &again->round;
    struct text_line recorded, expected;
    bool is_settled;
    int has_expected, status = 0;

    if (recording_file_next(&recording->files.recorded, &recorded, again->error) <= 0)
        return refuse(again, round->played_at, "the recording has no such round");
    has_expected = recording_file_next(&recording->files.expected, &expected, again->error);
    if (has_expected < 0)
        return has_expected;
    if (!is_played_as_recorded(again, &recorded))
        return refuse(again, round->played_at, "what was played is not what the recording has");
    is_settled = settle(again, recorded.text, recorded.length);
    if (passes && !round->settlement) {
        status = check_refused(again, line, is_settled, has_expected ? &expected : NULL);
    } else if (passes) {
        status = check_pass(again, line);
        if (!status)
            status = check_expected(again, line, has_expected ? &expected : NULL);
    }
    if (is_settled)
        recording->header.meters = again->settled.after;
    return status;
}

static int judge_observed(struct again *again, uint64_t line, bool passes)
{
    const struct again_round *round = &again->round;
    struct json_text text;
    int status = 0;

    if (!round->settlement || !round->observed)
        return 0;
    if (!json_same(json_member(round->observed, "bets"), json_member(round->played, "bets")))
        return refuse(again, line, "it is of a round that was observed with other wagers");
    json_text_begin(&text, again->text, sizeof again->text);
    json_text_value(&text, round->observed);
    settle(again, again->text, (size_t)(text.at - text.start));
    if (passes)
        status = check_pass(again, line);
    take_meters(again, json_member(round->settlement, "meters"));
    return status;
}

/* What any round is held against, whatever was played. */
static int check_verdict(struct again *again, const struct journal_line *line)
{
    bool is_skipped = !strcmp(json_chars(json_member(line->fields, "verdict")), "skipped");

    if (!lineup_has_limits(again->rig, line->fields))
        return refuse(again, line->number, "it has a limit of time that is not the rig's");
    if (is_skipped && again->recording.is_known && dealing_device(again))
        return refuse(again, line->number, "it skips a round that a device of the rig deals");
    return 0;
}

static int see_verdict(struct again *again, const struct journal_line *line)
{
    const struct again_recording *recording = &again->recording;
    bool passes = !strcmp(json_chars(json_member(line->fields, "verdict")), "pass");
    char why[160];
    int status = check_verdict(again, line);

    if (status)
        return status;
    if (recording->is_known) {
        status = recording->is_observed ? judge_observed(again, line->number, passes)
                                        : judge_recorded(again, line->number, passes);
        again->resettled->rounds += !status;
    } else {
        snprintf(why, sizeof why,
                 recording->is_observed ? "the table that was observed is not known"
                                        : "%.100s or its expectation is missing, or another by now",
                 recording->path);
        leave(again, why);
    }
    close_round(again);
    return status;
}

/* A copy of a value of the line. */
static int keep(const struct again *again, const struct journal_line *line, const char *key,
                struct json_value **kept)
{
    const struct json_value *value = json_member(line->fields, key);

    *kept = value ? json_keep(value) : NULL;
    return *kept || !value ? 0 : no_memory(again);
}

static int see_event(struct again *again, const struct journal_line *line)
{
    struct again_round *round = &again->round;
    const char *event = json_chars(json_member(line->fields, "event"));

    if (!told_is_known(json_chars(json_member(line->fields, "device")), event))
        return refuse(again, line->number, "no such device tells such an event");
    if (round->is_open && !strcmp(event, "observed"))
        return keep(again, line, "details", &round->observed);
    if (round->is_open)
        dealt_event(&round->dealt, line->fields);
    if (round->is_open)
        return told_see(&round->told, line->fields) ? 0 : no_memory(again);
    if (!strcmp(event, "meters") && again->recording.is_observed)
        take_meters(again, json_member(line->fields, "details"));
    return 0;
}

/* What is said of the table on the command line stands nowhere else. */
static int see_start(struct again *again, const struct json_value *line)
{
    static const char *const options[] = {"--table", "--rule", "--deal", "--burn"};
    const struct json_value *command = json_member(line, "command");
    const char *by = command_line_value(command, "--by");
    bool is_said = by && *by;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        again->has_own_table |= command_line_has(command, options[i]);
    again->by = is_said ? strdup(by) : NULL;
    return again->by || !is_said ? 0 : no_memory(again);
}

static void see_operator(struct again *again, const struct json_value *line)
{
    if (!again->by || strcmp(json_chars(json_member(line, "name")), again->by) != 0 ||
        strcmp(json_chars(json_member(line, "from")), "command") != 0)
        return;
    free(again->by);
    again->by = NULL;
}

static int see_round(struct again *again, const struct journal_line *line)
{
    bool by_cards = again->recording.is_known && again->recording.header.setup.deal == DEAL_CARDS &&
                    again->rig->devices.shoe;

    again->round.is_open = true;
    again->round.played_at = line->number;
    told_begin(&again->round.told);
    dealt_begin(&again->round.dealt, by_cards ? DEVICE_SHOE : DEVICE_SHUFFLER);
    return keep(again, line, "played", &again->round.played);
}

/* Checks that passed, and that nothing here judges. */
static int see_check(struct again *again, const struct journal_line *line)
{
    const char *name = json_chars(json_member(line->fields, "name"));

    if (name && check_find(name) < 0)
        return refuse(again, line->number, "there is no such check");
    JSON_EACH (pass, json_member(line->fields, "names")) {
        int check = check_find(pass->key);

        if (check < 0)
            return refuse(again, line->number, "there is no such check");
        if (!(UINT64_C(1) << check & RESETTLE_JUDGES))
            again->resettled->unjudged |= UINT64_C(1) << check;
    }
    return 0;
}

static int see_line(struct again *again, const struct journal_line *line)
{
    switch (line->kind) {
    case JOURNAL_START:
        return see_start(again, line->fields);
    case JOURNAL_OPERATOR:
        see_operator(again, line->fields);
        return 0;
    case JOURNAL_DEVICE:
        return lineup_take(&again->lineup, again->rig, line, again->error);
    case JOURNAL_RECORDING:
        return see_recording(again, line);
    case JOURNAL_ROUND:
        return see_round(again, line);
    case JOURNAL_QUESTION:
        dealt_question(&again->round.dealt, line->fields);
        return 0;
    case JOURNAL_ANSWER:
        dealt_answer(&again->round.dealt, line->fields);
        return 0;
    case JOURNAL_CHECK:
        return see_check(again, line);
    case JOURNAL_EVENT:
        return see_event(again, line);
    case JOURNAL_SETTLED:
        again->round.settled_at = line->number;
        return keep(again, line, "settlement", &again->round.settlement);
    case JOURNAL_VERDICT:
        return see_verdict(again, line);
    case JOURNAL_RESUMED:
        close_round(again);
        return 0;
    case JOURNAL_END:
        again->resettled->passes =
            !strcmp(json_chars(json_member(line->fields, "verdict")), "pass");
        return 0;
    default:
        return 0;
    }
}

static int take_line(struct again *again, const struct journal_line *line)
{
    int status = see_line(again, line);

    return status ? status
                  : authenticated_see(&again->authenticated, again->rig, line, again->error);
}

static int read_all(struct again *again, const char *path)
{
    struct journal_reader *reader;
    struct journal_line line;
    int status = journal_reader_open(path, &reader, again->error);

    if (status)
        return status;
    while ((status = journal_reader_next(reader, &line, again->error)) > 0) {
        status = take_line(again, &line);
        if (status)
            break;
    }
    journal_reader_close(reader);
    close_round(again);
    close_recording(again);
    return status;
}

int resettle_journal(const char *path, const struct rig *rig, const struct recording_place *place,
                     struct resettled *resettled, struct error *error)
{
    struct again *again = calloc(1, sizeof *again);
    int status;

    *resettled = (struct resettled){.rounds = 0};
    if (!again)
        return error_set(error, ERROR_RIG, "no memory to settle a journal again");
    again->rig = rig;
    again->place = place ? place : &recording_regular_files;
    again->resettled = resettled;
    again->error = error;
    lineup_begin(&again->lineup, rig);
    authenticated_begin(&again->authenticated, rig);
    again->json = json_reader_new(JSON_LONGEST);
    again->recorded = json_reader_new(JSON_LONGEST);
    status = again->json && again->recorded ? rig_paytables(rig, &again->paytables, error)
                                            : no_memory(again);
    if (!status)
        status = read_all(again, path);
    if (!resettled->rounds && !resettled->left)
        snprintf(resettled->why, sizeof resettled->why, "the journal has none");
    paytables_free(again->paytables);
    json_reader_free(again->json);
    json_reader_free(again->recorded);
    free(again->by);
    free(again);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/observe.h"

#include <string.h>

#include "hal/base/plural.h"
#include "rigs/recording/write.h"
#include "rigs/run/dealer/dealer.h"
#include "rigs/run/loop.h"
#include "rigs/run/table.h"
#include "rigs/run/wagers.h"

#define ANTE_USUAL ((cents_t)1000)
#define SLICE_MS   100u /* between two looks whether to stop */

/* The stake nearest to the usual one that the table allows. */
static cents_t usual_stake(const struct game_setup *setup, unsigned wager)
{
    cents_t stake = ANTE_USUAL;

    if (stake < setup->minimum[wager])
        stake = setup->minimum[wager];
    if (setup->maximum[wager] && stake > setup->maximum[wager])
        stake = setup->maximum[wager];
    return stake;
}

static const struct observe_bet *find_bet(const struct observation *observation, const char *wager)
{
    for (size_t i = 0; i < observation->bet_count; i++)
        if (!strcmp(observation->bets[i].wager, wager))
            return &observation->bets[i];
    return NULL;
}

/* What each seat stakes: as told, or the usual. A wager comes after the one that it must equal. */
static int choose_stakes(const struct rig *rig, const struct observation *observation,
                         const struct game_setup *setup, cents_t stakes[WAGERS_MAX],
                         struct error *error)
{
    memset(stakes, 0, WAGERS_MAX * sizeof *stakes);
    for (size_t i = 0; i < observation->bet_count; i++)
        if (game_wager(setup->game, observation->bets[i].wager) < 0)
            return error_set(error, ERROR_CONFIG, "%s has no wager '%.40s'", setup->game->name,
                             observation->bets[i].wager);
    for (unsigned i = 0; i < setup->game->wager_count; i++) {
        const struct wager *wager = &setup->game->wagers[i];
        const struct observe_bet *bet = find_bet(observation, wager->name);

        if (bet)
            stakes[i] = bet->cents;
        else if (wager->required)
            stakes[i] =
                wager->equal_to == NO_WAGER ? usual_stake(setup, i) : stakes[wager->equal_to];
        else if (wager->progressive && rig->devices.terminal)
            stakes[i] = wager->fixed;
    }
    return 0;
}

static seats_t all_seats(const struct rig *rig)
{
    return (seats_t)((2u << rig->seats) - 2);
}

/* A policy knows no limits: the most that any decision can make of a stake must be within them. */
static int check_decisions(const struct game_setup *setup, const cents_t stakes[WAGERS_MAX],
                           struct error *error)
{
    const struct game *game = setup->game;
    cents_t most[WAGERS_MAX], total = 0;

    memcpy(most, stakes, sizeof most);
    for (unsigned i = 0; i < 2u * game->stage_count; i++) {
        const struct choice *choice = &game->stages[i / 2].choices[i % 2];
        cents_t stake = stakes[0] * choice->multiple;

        if (choice->wager == NO_WAGER)
            continue;
        if (stake < setup->minimum[choice->wager] ||
            (setup->maximum[choice->wager] && stake > setup->maximum[choice->wager]))
            return error_set(error, ERROR_CONFIG,
                             "a decision makes a %s of %jd cents, which the limits of this rig "
                             "do not allow; give another stake",
                             game->wagers[choice->wager].name, (intmax_t)stake);
        if (stake > most[choice->wager])
            most[choice->wager] = stake;
    }
    for (unsigned i = 0; i < game->wager_count; i++)
        total += most[i];
    return !setup->most || total <= setup->most
               ? 0
               : error_set(error, ERROR_CONFIG,
                           "a seat can come to stake %jd cents in all, and the limit of this rig "
                           "is %jd cents; give lower stakes",
                           (intmax_t)total, (intmax_t)setup->most);
}

int observe_check_stakes(const struct game_setup *setup, const cents_t stakes[WAGERS_MAX],
                         struct error *error)
{
    struct round round = {.seats = seat_bit(1)};
    struct error unheard;

    if (!error)
        error = &unheard;
    memcpy(round.bets[1], stakes, sizeof round.bets[1]);
    if (game_check_bets(setup, &round, 1, error))
        return error->code = ERROR_CONFIG;
    return check_decisions(setup, stakes, error);
}

/* Whether every seat that may play can make these stakes and be dealt to. */
static int check_seats(const struct rig *rig, const struct observation *observation,
                       const struct game_setup *setup, const cents_t stakes[WAGERS_MAX],
                       struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    struct round round = {.seats = observation->seats ? observation->seats : all_seats(rig)};

    if (round.seats & ~all_seats(rig))
        return error_set(error, ERROR_CONFIG, "the table of this rig has %u seat%s", rig->seats,
                         plural(rig->seats));
    if (!game_deal(setup, round.seats, steps))
        return error_set(error, ERROR_CONFIG, "a deck is too small for so many seats; name fewer");
    if (observe_check_stakes(setup, stakes, error))
        return ERROR_CONFIG;
    return run_dealer_can_deal(rig, setup, round.seats, error);
}

/* The table that is observed, the rig's where the observation is silent. */
static int lay_table(const struct rig *rig, const struct paytables *paytables,
                     const struct observation *observation, struct recording_header *header,
                     cents_t stakes[WAGERS_MAX], struct error *error)
{
    int status = recording_read_header(observation->header, strlen(observation->header), paytables,
                                       header, error);

    header->decks = rig->decks;
    if (!status)
        status = run_table_apply(rig, header, error);
    if (!status)
        status = observation->asks && !observation->answer_limit
                     ? 0
                     : policy_check(observation->policy, header->setup.game, error);
    if (!status)
        status = run_dealer_check(rig, &header->setup, error);
    if (!status)
        status = choose_stakes(rig, observation, &header->setup, stakes, error);
    return status ? status : check_seats(rig, observation, &header->setup, stakes, error);
}

int observe_check(const struct rig *rig, const struct paytables *paytables,
                  const struct observation *observation, struct error *error)
{
    struct recording_header header;
    cents_t stakes[WAGERS_MAX];
    struct error unheard;

    return lay_table(rig, paytables, observation, &header, stakes, error ? error : &unheard);
}

seats_t run_seats_of_people(const struct run *run)
{
    const struct sensors *sensors = run->bench->sensors;

    return sensors && run->recording.progressive >= 0
               ? (seats_t)(sensors_with(sensors, BET_LINE_BET) &
                           ~sensors_with(sensors, BET_LINE_CHIP))
               : 0;
}

/* Time for people: 0, or ERROR_ABORTED as soon as somebody wants to stop. */
static int let_pass(struct runner *runner, uint32_t millis, struct error *error)
{
    struct bench *bench = runner->bench;

    for (uint32_t left = millis, slice; left; left -= slice) {
        int status;

        if (run_loop_stopped(runner))
            return error_set(error, ERROR_ABORTED, "stopped between two rounds");
        slice = left < SLICE_MS ? left : SLICE_MS;
        status = hal_wait(&bench->hal, -1, 0, clock_deadline(&bench->clock, slice), error);
        if (status < 0)
            return status;
    }
    return 0;
}

/* Takes the events between two rounds, which belong to neither, and looks where wagers lie. */
static int look_at_sensors(struct runner *runner, unsigned *placed, struct error *error)
{
    struct sensors *sensors = runner->bench->sensors;
    struct bet_event event;
    int status;

    while ((status = sensors_next(sensors, &event, clock_now(&runner->bench->clock), error)) > 0)
        continue;
    *placed = sensors_placed(sensors) & run_seats_of_people(&runner->run);
    return status;
}

/* People may take as long as they need; in virtual time there are none. */
static bool is_too_late(const struct bench *bench, uint64_t waited)
{
    return bench->rig->clock == RIG_CLOCK_VIRTUAL &&
           waited > bench_person(bench, bench->rig->timing.take);
}

/* Waits for the first wager where the wagers of people are what says who plays. */
static int await_wager(struct runner *runner, unsigned *placed, struct error *error)
{
    for (uint64_t waited = 0; !is_too_late(runner->bench, waited); waited += SLICE_MS) {
        int status = look_at_sensors(runner, placed, error);

        if (status || *placed || runner->run.recording.observation->seats)
            return status;
        if (!waited) {
            run_ask(&runner->run, "place wagers on the sensors");
            run_wait_begin(&runner->run, "wager", "sensors", 0);
        }
        status = let_pass(runner, SLICE_MS, error);
        if (status)
            return status;
    }
    return error_set(error, ERROR_TIMEOUT,
                     "nobody has placed a wager on a sensor; place one, or say which seats play");
}

/* The seats where people have a wager, once all of them have had their time. */
static int await_people(struct runner *runner, unsigned *placed, struct error *error)
{
    uint32_t pause = runner->run.recording.observation->pause;
    int status;

    *placed = 0;
    if (!run_seats_of_people(&runner->run))
        return let_pass(runner, pause, error);
    do {
        status = await_wager(runner, placed, error);
        run_wait_end(&runner->run);
        if (!status)
            status = let_pass(runner, pause, error);
        if (!status)
            status = look_at_sensors(runner, placed, error);
    } while (!status && !*placed && !runner->run.recording.observation->seats);
    return status;
}

static void place_bets(const struct run *run, int64_t number, unsigned placed, struct round *round)
{
    const struct observation *observation = run->recording.observation;
    unsigned people = run_seats_of_people(run);

    round->number = number;
    round->seats = observation->seats ? observation->seats
                   : people           ? (seats_t)placed
                                      : all_seats(run->bench->rig);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(round->seats & seat_bit(seat)))
            continue;
        memcpy(round->bets[seat], run->recording.stakes, sizeof round->bets[seat]);
        if (people & seat_bit(seat))
            round->bets[seat][run->recording.progressive] =
                placed & seat_bit(seat)
                    ? run->recording.header->setup.game->wagers[run->recording.progressive].fixed
                    : 0;
    }
}

/* No wager may lie at a seat that does not play. */
static void check_idle_seats(struct run *run)
{
    unsigned people = run_seats_of_people(run);
    unsigned placed = people ? sensors_placed(run->bench->sensors) : 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (people & seat_bit(seat) && !(run->round.recorded.round.seats & seat_bit(seat)))
            check_number(run->book, CHECK_WAGERS_SENSED, seat, NULL, 0, !!(placed & seat_bit(seat)),
                         "a wager lies where nobody plays");
}

/* A terminal in test mode may have been told whom to pay Must Hit; it must not be in it. */
static int check_terminal_mode(struct run *run, struct error *error)
{
    struct terminal_status status;
    int result;

    if (!run->recording.has_terminal ||
        !device_can(&run->bench->terminal->device, DEVICE_TELLS_STATUS))
        return 0;
    result = terminal_status(run->bench->terminal, &status, error);
    if (!result)
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, "terminal", 0, status.test_mode,
                     "the terminal is in test mode");
    return result;
}

/* What the hands win; to whom Must Hit goes shows only when the round has ended. */
static void settle_hands(struct run *run)
{
    run->round.is_settled =
        !game_settle(&run->recording.header->setup, &run->round.dealt, &run->round.outcome, NULL);
}

static void check_settled(struct run *run)
{
    char got[EXPECT_LINE_SIZE];

    if (run->round.is_settled) {
        check_pass(run->book, CHECK_REFUSED_ROUND);
        return;
    }
    memcpy(got, run->line, run->round.line_length);
    got[run->round.line_length - 1] = '\0';
    check_fail(run->book, CHECK_REFUSED_ROUND,
               (struct check_result){.expected = "null",
                                     .got = got,
                                     .engine = got,
                                     .why = "what was dealt cannot be settled"});
}

/* Writes the round to the journal as a recording would have it, and hands it to who observes. */
static int conclude(struct run *run, struct run_chance *chance, struct error *error)
{
    const struct observation *observation = run->recording.observation;
    struct recording_round played = {.round = run->round.dealt};
    char line[RECORDING_LINE_SIZE];

    check_settled(run);
    line[recording_write_round(line, run->recording.header->setup.game, &played) - 1] = '\0';
    run_event(run, "rig", "observed", line, clock_now(&run->bench->clock));
    run_enter_settlement(run);
    run_chance_see_must_hit(chance, run);
    if (run->round.is_settled)
        run->recording.meters = run->round.after;
    return observation->settled ? observation->settled(observation->context, &run->round.dealt,
                                                       run->line, run->round.line_length, error)
                                : 0;
}

static int play(struct runner *runner, const void *context, struct error *error)
{
    const struct recording_round *placed = context;
    struct run *run = &runner->run;
    int status;

    run->round.recorded = *placed;
    run_find_paid(run);
    check_idle_seats(run);
    status = check_terminal_mode(run, error);
    if (!status)
        status = run_open_and_deal(run, error);
    if (status)
        return status;
    run_check_deal(run);
    settle_hands(run);
    if (!run->recording.has_terminal || !run->round.paid)
        run_settle(run);
    status = run_terminal_close(run, error);
    return status ? status : conclude(run, &runner->chance, error);
}

static int play_next(struct runner *runner, int64_t number, struct error *error)
{
    struct recording_round round = {0};
    struct run_turn turn = {.number = number, .context = &round, .play = play};
    char line[RECORDING_LINE_SIZE];
    unsigned placed;
    int status = await_people(runner, &placed, error);

    if (status)
        return status;
    place_bets(&runner->run, number, placed, &round.round);
    if (runner->run.recording.observation->asks_wagers)
        status = run_ask_wagers(&runner->run, &round.round, error);
    if (status)
        return status;
    turn.text = line;
    turn.length = recording_write_round(line, runner->header.setup.game, &round);
    return run_loop_turn(runner, &turn, error);
}

static int play_rounds(struct runner *runner, struct error *error)
{
    uint64_t rounds = runner->run.recording.observation->rounds;

    for (uint64_t played = 0; !rounds || played < rounds; played++) {
        int status = run_loop_stopped(runner)
                         ? error_set(error, ERROR_ABORTED, "stopped after %ju round%s",
                                     (uintmax_t)played, played == 1 ? "" : "s")
                         : play_next(runner, (int64_t)played + 1, error);

        if (status == ERROR_ABORTED && !rounds && !hal_cancelled(&runner->bench->hal))
            return 0;
        if (status)
            return status;
    }
    return 0;
}

static int prepare(struct runner *runner, const struct observation *observation,
                   struct error *error)
{
    const struct bench *bench = runner->bench;
    struct run_recording *recording = &runner->run.recording;
    cents_t stakes[WAGERS_MAX];
    int status =
        lay_table(bench->rig, bench->paytables, observation, &runner->header, stakes, error);

    if (!status && runner->options->journal)
        status = journal_recording(runner->options->journal,
                                   &(struct journal_recording){
                                       .path = runner->path,
                                       .game = runner->header.setup.game->name,
                                       .rounds = observation->rounds,
                                   },
                                   error);
    if (!status)
        status = run_loop_start(runner, observation, error);
    if (!status && observation->asks_wagers && run_seats_of_people(&runner->run))
        status = error_set(error, ERROR_CONFIG,
                           "the sensors of this rig see who wagers: nobody need be asked");
    if (status)
        return status;
    memcpy(recording->stakes, stakes, sizeof recording->stakes);
    runner->header.meters = recording->meters;
    return observation->opened
               ? observation->opened(observation->context, run_dealer_device(&runner->run),
                                     &runner->header, error)
               : 0;
}

int runner_observe(struct runner *runner, const char *name, const struct observation *observation,
                   struct error *error)
{
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    runner->path = name;
    status = prepare(runner, observation, error);
    if (!status)
        status = play_rounds(runner, error);
    if (!status)
        status = run_loop_end(runner, error);
    runner->counts.checks = runner->book.counts;
    return run_loop_left(runner, status, error);
}

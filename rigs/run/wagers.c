/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wagers of an observed round, where no sensor sees them: people are asked who plays for what.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "hal/desk/desk.h"
#include "rigs/run/dealer/dealer.h"
#include "rigs/run/observation.h"
#include "rigs/run/wagers.h"

#define BETWEEN " \t,;="

/* A question of one seat, and what it staked before. */
struct stake_question {
    const struct game_setup *setup;
    const cents_t *before;
};

static int read_amount(const char **at, cents_t *cents, const char *wager, struct error *error)
{
    cents_t value = 0;
    const char *digit = *at;

    for (; isdigit((unsigned char)*digit) && value <= STAKE_MAX; digit++)
        value = 10 * value + (*digit - '0');
    if (digit == *at || value > STAKE_MAX || (*digit && !strchr(BETWEEN, *digit)))
        return error_set(error, ERROR_CONFIG,
                         "after %s there are whole cents, as in '%s 500', not '%.*s'", wager, wager,
                         (int)strcspn(*at, BETWEEN), *at);
    *at = digit;
    *cents = value;
    return 0;
}

/* "ante 500 stax 500": what is not named is not wagered. */
static int read_stakes(const struct stake_question *question, const char *text,
                       cents_t stakes[WAGERS_MAX], struct error *error)
{
    const struct game *game = question->setup->game;
    const char *at = text + strspn(text, BETWEEN);

    if (!*at) {
        memcpy(stakes, question->before, WAGERS_MAX * sizeof *stakes);
        return 0;
    }
    memset(stakes, 0, WAGERS_MAX * sizeof *stakes);
    for (; *at; at += strspn(at, BETWEEN)) {
        char name[32];
        int wager;

        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, BETWEEN), at);
        wager = game_wager(game, name);
        if (wager < 0)
            return error_set(error, ERROR_CONFIG, "%s has no wager '%s'", game->name, name);
        at += strcspn(at, BETWEEN);
        at += strspn(at, BETWEEN);
        if (read_amount(&at, &stakes[wager], name, error))
            return ERROR_CONFIG;
    }
    return 0;
}

static int check_stakes(const void *context, const char *answer, struct error *error)
{
    const struct stake_question *question = context;
    cents_t stakes[WAGERS_MAX];
    int status = read_stakes(question, answer, stakes, error);

    return status ? status : observe_check_stakes(question->setup, stakes, error);
}

static void put_stakes(const struct game *game, const cents_t stakes[WAGERS_MAX], char *text,
                       size_t size)
{
    size_t used = 0;

    for (unsigned i = 0; i < game->wager_count && used < size; i++)
        if (stakes[i])
            used += (size_t)snprintf(text + used, size - used, "%s%s %jd", used ? " " : "",
                                     game->wagers[i].name, (intmax_t)stakes[i]);
}

static int ask_stakes(struct run *run, unsigned seat, struct error *error)
{
    const struct game_setup *setup = &run->recording.header->setup;
    cents_t *stakes = run->recording.laid[seat];
    const struct stake_question of_seat = {setup, stakes};
    char text[DESK_TEXT_SIZE], before[DESK_TEXT_SIZE / 2] = "";
    const struct question question = {.kind = QUESTION_WAGER,
                                      .text = text,
                                      .seat = seat,
                                      .check = check_stakes,
                                      .context = &of_seat,
                                      .limit_ms = run->bench->rig->timing.person};
    cents_t answered[WAGERS_MAX];
    struct answer answer;
    int status;

    put_stakes(setup->game, stakes, before, sizeof before);
    snprintf(text, sizeof text, "seat %u: its wagers in cents? (Enter: %s)", seat, before);
    status = desk_ask(run->bench->hal.desk, &run->bench->hal, &question, &answer, error);
    if (!status)
        status = read_stakes(&of_seat, answer.text, answered, error);
    if (!status)
        memcpy(stakes, answered, sizeof answered);
    return status;
}

/* A question of who plays, at this table and by this deck. */
struct seat_question {
    const struct rig *rig;
    const struct game_setup *setup;
    seats_t before;
};

static int read_seats(const struct seat_question *question, const char *text, seats_t *seats,
                      struct error *error)
{
    const char *at = text + strspn(text, BETWEEN);

    *seats = *at ? 0 : question->before;
    for (; *at >= '1' && *at <= '0' + question->rig->seats; at += strspn(at, BETWEEN))
        *seats |= seat_bit((unsigned)(*at++ - '0'));
    return !*at && *seats ? 0
                          : error_set(error, ERROR_CONFIG,
                                      "'%.40s' are no seats of this table; write them as in 1 4, "
                                      "from 1 to %u",
                                      text, question->rig->seats);
}

static int check_seats(const void *context, const char *answer, struct error *error)
{
    const struct seat_question *question = context;
    struct deal_step steps[PACKETS_MAX];
    seats_t seats;
    int status = read_seats(question, answer, &seats, error);

    if (!status && !game_deal(question->setup, seats, steps))
        status = error_set(error, ERROR_CONFIG, "a deck is too small for so many seats");
    return status ? status : run_dealer_can_deal(question->rig, question->setup, seats, error);
}

static int ask_seats(struct run *run, int64_t number, seats_t *seats, struct error *error)
{
    const struct seat_question of_table = {run->bench->rig, &run->recording.header->setup, *seats};
    char text[DESK_TEXT_SIZE];
    const struct question question = {.kind = QUESTION_WAGER,
                                      .text = text,
                                      .check = check_seats,
                                      .context = &of_table,
                                      .limit_ms = run->bench->rig->timing.person};
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "round %jd: which seats play? (Enter:", (intmax_t)number);
    struct answer answer;
    int status;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (*seats & seat_bit(seat))
            used += (size_t)snprintf(text + used, sizeof text - used, " %u", seat);
    snprintf(text + used, sizeof text - used, ")");
    status = desk_ask(run->bench->hal.desk, &run->bench->hal, &question, &answer, error);
    return status ? status : read_seats(&of_table, answer.text, seats, error);
}

int run_ask_wagers(struct run *run, struct round *round, struct error *error)
{
    struct run_recording *recording = &run->recording;
    int status;

    if (!recording->playing) {
        recording->playing = round->seats;
        for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
            memcpy(recording->laid[seat], recording->stakes, sizeof recording->laid[seat]);
    }
    status = ask_seats(run, round->number, &recording->playing, error);
    for (unsigned seat = 1; seat <= SEATS_MAX && !status; seat++)
        if (recording->playing & seat_bit(seat))
            status = ask_stakes(run, seat, error);
    if (status)
        return status;
    round->seats = recording->playing;
    memset(round->bets, 0, sizeof round->bets);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            memcpy(round->bets[seat], recording->laid[seat], sizeof recording->laid[seat]);
    return 0;
}

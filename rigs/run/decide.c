/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decisions of an observed round: by a policy, or by people, who are asked for each. */
#include <stdio.h>
#include <string.h>

#include "games/hand.h"
#include "hal/desk/desk.h"
#include "rigs/run/dealer/dealer.h"
#include "rigs/run/observation.h"
#include "rigs/run/terminal/terminal.h"

/* What was dealt, in the order in which it came; the cards of the board at 0. */
struct held {
    card_t cards[SEATS_MAX + 1][DECK_SIZE];
    unsigned count[SEATS_MAX + 1];
};

static void sort_out(const struct round *round, const struct deal_step *steps, size_t count,
                     struct held *held)
{
    unsigned card = 0;

    memset(held->count, 0, sizeof held->count);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < steps[i].cards && card < round->dealt_count; j++, card++) {
            unsigned to = steps[i].to == DEAL_TO_SEAT ? steps[i].seat : 0;

            if (to || steps[i].to == DEAL_TO_BOARD)
                held->cards[to][held->count[to]++] = round->dealt[card];
        }
}

/* How many cards of the board lie open at a stage. */
static unsigned open_cards(const struct held *held, const struct stage *stage)
{
    return stage->board < held->count[0] ? stage->board : held->count[0];
}

static size_t put_cards(char *text, size_t size, const char *before, const card_t *cards,
                        unsigned count)
{
    char written[RUN_CARDS_TEXT];

    run_cards_text(cards, count, written);
    /* Without the quotes of JSON. */
    written[strlen(written) - 1] = '\0';
    return (size_t)snprintf(text, size, "%s%s", before, written + 1);
}

/* "seat 3 holds As Ks 2d, board 3s 4s: check or bet?" */
static void put_text(const struct held *held, unsigned seat, const struct stage *stage,
                     char text[DESK_TEXT_SIZE])
{
    unsigned board = open_cards(held, stage);
    size_t used = (size_t)snprintf(text, DESK_TEXT_SIZE, "seat %u holds", seat);

    used +=
        put_cards(text + used, DESK_TEXT_SIZE - used, " ", held->cards[seat], held->count[seat]);
    if (board && used < DESK_TEXT_SIZE)
        used += put_cards(text + used, DESK_TEXT_SIZE - used, ", board ", held->cards[0], board);
    if (used < DESK_TEXT_SIZE)
        snprintf(text + used, DESK_TEXT_SIZE - used, ": %s or %s?",
                 decision_names[stage->choices[0].decision],
                 decision_names[stage->choices[1].decision]);
}

/* What a plain player would do, who sees the same. */
static const char *plain_decision(const struct game_setup *setup, const struct held *held,
                                  unsigned seat, unsigned index)
{
    const struct stage *stage = &setup->game->stages[index];
    hand_t seen = hand_of(held->cards[seat], held->count[seat]) |
                  hand_of(held->cards[0], open_cards(held, stage));
    bool bets = setup->game->bets(setup, seen, index);

    return decision_names[stage->choices[(stage->choices[1].decision == DECISION_BET) == bets]
                              .decision];
}

/*
 * Devices are heard while people think, as they are at the end of the deal, so that what they say
 * then has its time, and one that goes away is missed at once.
 */
static int hear_devices(void *asker, struct error *error)
{
    struct run *run = asker;
    int status;

    do
        status = run->recording.dealer->hear(run, clock_now(&run->bench->clock), error);
    while (status > 0);
    if (!status && run->bench->sensors)
        status = run_sensors_hear(run, error);
    if (!status && run->recording.has_terminal)
        status = run_listen(run, NULL, 0, error);
    return status;
}

static int ask(struct run *run, const struct held *held, unsigned seat, unsigned index,
               const struct choice **choice, struct error *error)
{
    const struct observation *observation = run->recording.observation;
    const struct game_setup *setup = &run->recording.header->setup;
    const struct choice *choices = setup->game->stages[index].choices;
    char text[DESK_TEXT_SIZE];
    struct question question = {
        .kind = QUESTION_DECISION,
        .text = text,
        .seat = seat,
        .choices = {decision_names[choices[0].decision], decision_names[choices[1].decision]},
        .meanwhile = hear_devices,
        .asker = run,
        .limit_ms = observation->answer_limit};
    struct answer answer;
    int status;

    put_text(held, seat, &setup->game->stages[index], text);
    if (observation->answer_limit)
        question.otherwise = plain_decision(setup, held, seat, index);
    status = desk_ask(run->bench->hal.desk, &run->bench->hal, &question, &answer, error);
    if (!status)
        *choice = &choices[strcmp(answer.text, question.choices[0]) != 0];
    return status;
}

/* Stage by stage, as a dealer goes round the table. */
static int ask_all(struct run *run, const struct held *held, struct error *error)
{
    const struct game *game = run->recording.header->setup.game;
    struct round *round = &run->round.dealt;
    seats_t deciding = round->seats;

    memset(round->decision_count, 0, sizeof round->decision_count);
    for (unsigned stage = 0; stage < game->stage_count; stage++)
        for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
            const struct choice *choice;
            int status;

            if (!(deciding & seat_bit(seat)))
                continue;
            status = ask(run, held, seat, stage, &choice, error);
            if (status)
                return status;
            round->decisions[seat][round->decision_count[seat]++] = (uint8_t)choice->decision;
            if (choice->last)
                deciding &= (seats_t)~seat_bit(seat);
        }
    return 0;
}

int run_decide(struct run *run, const struct deal_step *steps, size_t count, struct error *error)
{
    const struct observation *observation = run->recording.observation;
    struct held held;

    if (!observation->asks) {
        policy_decide(observation->policy, &run->recording.header->setup, steps, count,
                      observation->seed, &run->round.dealt);
        return 0;
    }
    sort_out(&run->round.dealt, steps, count, &held);
    return ask_all(run, &held, error);
}

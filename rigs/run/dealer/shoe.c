/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deal of a round from a shoe, card by card. */
#include "rigs/run/dealer/dealer.h"

#include <stdio.h>

#include "hal/base/plural.h"
#include "rigs/run/events.h"

/* A shoe that cannot be asked starts with a whole deck and deals real cards. */
static int ask_status(struct run *run, struct shoe_status *status, struct error *error)
{
    *status = (struct shoe_status){.left = DECK_SIZE};
    return device_can(&run->bench->shoe->device, DEVICE_TELLS_STATUS)
               ? shoe_status(run->bench->shoe, status, error)
               : 0;
}

/* Decks are numbered from 1 and go round at 65535, or 2^32 - 1. */
static uint32_t number_after(const struct run *run, uint32_t deck)
{
    uint32_t last = run->bench->shoe->device.is_wide ? UINT32_MAX : UINT16_MAX;

    return deck == last ? 1 : deck + 1;
}

static void see_deck(struct run *run, const struct shoe_event *event)
{
    struct run_shoe *shoe = &run->recording.shoe;

    /* A shoe that does not number its decks may stand by for another game of the same one. */
    shoe->has_whole_deck |= event->deck.is_known || !shoe->is_open;
    if (!event->deck.is_known)
        return;
    if (shoe->knows_deck && !run->recording.is_first && !run->round.device_failed)
        run_check_status(run, "shoe", number_after(run, shoe->deck), event->deck.number,
                         "number of the deck, by STAND BY");
    if (shoe->awaits_deck)
        run_check_status(run, "shoe", true, event->deck.loaded,
                         "the order of the deck was loaded, by STAND BY");
    if (!run->recording.is_first && !run->recording.dealer_said)
        run_check_status(run, "shoe", false, event->test_mode, "test mode, by STAND BY");
    shoe->knows_deck = true;
    shoe->deck = event->deck.number;
}

static int lock(struct run *run, bool on, struct error *error)
{
    run->recording.shoe.has_locked = run->recording.shoe.locks_due[on] = true;
    return shoe_lock(run->bench->shoe, on, error);
}

/* LOCK CHANGED follows a LOCK that changes something; what another protocol reports is its own. */
static void see_lock(struct run *run, const struct shoe_event *event)
{
    struct run_shoe *shoe = &run->recording.shoe;

    if (event->entry.code && shoe->has_locked && !run->recording.is_first &&
        !run->round.device_failed)
        run_check_status(run, "shoe", true, shoe->locks_due[event->is_locked],
                         event->is_locked ? "LOCK CHANGED says locked, and LOCK was told so"
                                          : "LOCK CHANGED says unlocked, and LOCK was told so");
    shoe->locks_due[event->is_locked] = false;
    shoe->is_open = !event->is_locked;
}

/* Keeps what an event tells of the shoe's own state. */
static void see_event(struct run *run, const struct shoe_event *event)
{
    run_tell_shoe(run, event);
    if (event->entry.code)
        run_dealer_logs(run, event->entry.code, event->entry.detail, event->entry.value);
    switch (event->kind) {
    case SHOE_EVENT_TEST_MODE:
        run_dealer_see_mode(run, event->is_on);
        break;
    case SHOE_EVENT_STAND_BY:
        see_deck(run, event);
        break;
    case SHOE_EVENT_STARTED:
        run->round.shoe_restarted = true;
        break;
    case SHOE_EVENT_LOCK:
        see_lock(run, event);
        break;
    case SHOE_EVENT_CARD:
        run_dealer_see_witness(run, event->card.witness, event->card.is_nodded);
        run->recording.shoe.has_whole_deck = false;
        break;
    case SHOE_EVENT_FAULT:
        run->recording.shoe.stopped =
            event->fault.is_stopped ? event->fault.code : run->recording.shoe.stopped;
        break;
    case SHOE_EVENT_CLEARED:
        run->recording.shoe.stopped = 0;
        break;
    default:
        break;
    }
}

/* Takes the events that are waiting, without a check: they belong to no round. */
static int drop_events(struct run *run, struct error *error)
{
    struct shoe_event event;
    int status;

    while ((status = shoe_next(run->bench->shoe, &event, clock_now(&run->bench->clock), error)) > 0)
        see_event(run, &event);
    return status;
}

static int recover(struct run *run, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    struct shoe_status status = {.left = 0};
    int result = drop_events(run, error);

    if (!result && device_can(&shoe->device, DEVICE_TELLS_STATUS)) {
        result = shoe_status(shoe, &status, error);
        run->recording.shoe.stopped = (uint8_t)status.error;
    }
    if (!result && run->recording.shoe.stopped)
        result = shoe_clear_error(shoe, run->recording.shoe.stopped, error);
    if (!result)
        result = lock(run, true, error);
    return result ? result : drop_events(run, error);
}

static int start(struct run *run, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    struct host *host = device_host(&shoe->device);
    struct shoe_status status;
    int result = host ? run_dealer_hear_waiting(run, error) : 0;

    if (!result)
        result = ask_status(run, &status, error);
    if (!result)
        result = run_ask_again(&shoe->device, error);
    if (host) {
        host->seen = run_watch_frame;
        host->dropped = run_watch_dropped;
        host->context = run;
        run->watched = &shoe->device;
    }
    if (result)
        return result;
    run->recording.shoe.knows_deck = device_can(&shoe->device, DEVICE_TELLS_STATUS);
    run->recording.shoe.deck = status.deck;
    run_dealer_choose_mode(run, status.test_mode);
    run->recording.shoe.has_whole_deck = !status.drawn;
    run->recording.shoe.stopped = (uint8_t)status.error;
    if (status.state == SHOE_DEALING) {
        run_retry(run, "shoe", "start", 1, "it was left in the middle of a deal");
        result = recover(run, error);
    }
    if (!result)
        result = run_dealer_begin_log(run, error);
    return result || !run->recording.loads_order ? result : shoe_test_mode(shoe, true, error);
}

static int clear_fault(struct run *run, const struct shoe_event *event, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    int status;

    run->round.device_failed = true;
    snprintf(run->round.why, sizeof run->round.why, "the shoe reports: %s", event->fault.text);
    run_retry(run, "shoe", event->fault.text, 1, run->round.why);
    status = event->fault.is_stopped ? shoe_clear_error(shoe, event->fault.code, error) : 0;
    return status ? status : lock(run, false, error);
}

/* A card that was drawn while the shoe was closed, or beyond those of the round. */
static void refuse_card(struct run *run, const struct shoe_event *event)
{
    char card[RUN_CARDS_TEXT];

    run_cards_text(&event->card.card, 1, card);
    check_fail(run->book, CHECK_CARD_CONSERVATION,
               (struct check_result){.expected = "null",
                                     .got = card,
                                     .device = card,
                                     .why = "a card was drawn that the round does not deal"});
}

/* Every round is dealt from a whole deck; waits until somebody has put one in. */
static int await_deck(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint64_t patience = bench_person(bench, bench->rig->timing.shuffle);
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)patience);
    struct shoe_event event;

    if (run->recording.shoe.has_whole_deck)
        return 0;
    if (run->round.deck)
        run_ask(run, "put the whole of deck %u into the shoe", run->round.deck);
    else
        run_ask(run, "put a whole deck into the shoe");
    shoe_want_deck(bench->shoe, run->round.deck);
    run_deck_named(run);
    run_wait_begin(run, "deck", "shoe", patience);
    while (!run->recording.shoe.has_whole_deck) {
        int status = shoe_next(bench->shoe, &event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "no deck was put into the shoe for %ju ms, as long as timing.person "
                             "waits; every round "
                             "is dealt from a whole one",
                             (uintmax_t)patience);
        see_event(run, &event);
        if (event.kind == SHOE_EVENT_CARD)
            refuse_card(run, &event);
    }
    run_wait_end(run);
    return 0;
}

/* A LOAD ORDER whose reply was lost with the power is repeated, and puts in another deck. */
static bool may_load_again(const struct run *run)
{
    return run->recording.loads_order && run->round.shoe_restarted && !run->round.dealt.dealt_count;
}

/* What must not happen while cards are drawn; between rounds a hand may change the deck. */
static void see_out_of_turn(struct run *run, const struct shoe_event *event)
{
    if (event->kind == SHOE_EVENT_STARTED)
        run_dealer_lost_power(run);
    if (event->kind == SHOE_EVENT_STAND_BY && run->recording.shoe.awaits_deck)
        run->recording.shoe.awaits_deck = false;
    else if (event->kind == SHOE_EVENT_STAND_BY && event->deck.is_known && !may_load_again(run) &&
             (run->round.dealt.dealt_count || run->round.has_loaded))
        check_fail(run->book, CHECK_CARD_CONSERVATION,
                   (struct check_result){.expected = "null",
                                         .got = "\"stand-by\"",
                                         .device = "\"stand-by\"",
                                         .why = "another deck goes in in the middle of a round"});
}

/* Takes one event of which nothing was asked: a card fails. */
static int hear(struct run *run, nanos_t deadline, struct error *error)
{
    struct shoe_event event;
    int status = shoe_next(run->bench->shoe, &event, deadline, error);

    if (status <= 0)
        return status;
    see_event(run, &event);
    if (run->recording.is_first)
        return 1;
    see_out_of_turn(run, &event);
    if (event.kind == SHOE_EVENT_CARD)
        refuse_card(run, &event);
    return 1;
}

/* Takes the events that are waiting before and after a deal. */
static int refuse_cards(struct run *run, struct error *error)
{
    int status;

    while ((status = hear(run, clock_now(&run->bench->clock), error)) > 0)
        continue;
    return status;
}

/* A card of a loaded order says that it is one; any other says only which mode it was drawn in. */
static bool is_of_mode(const struct run *run, const struct shoe_event *event)
{
    bool said = run->recording.loads_order ? event->card.loaded : event->test_mode;

    return said == run->recording.in_test_mode;
}

/* A shoe keeps its state without power; one that is locked lets nobody draw what it was to deal. */
static int check_restart(struct run *run, struct error *error)
{
    struct shoe_status now = {.state = SHOE_DEALING};
    int status = ask_status(run, &now, error);

    if (status || now.state != SHOE_LOCKED)
        return status;
    return error_set(error, ERROR_DEVICE,
                     "the shoe restarted after %u card%s of deck %u, and is locked",
                     run->round.dealt.dealt_count, plural(run->round.dealt.dealt_count),
                     run->recording.shoe.deck);
}

/* Nobody stands at an emulated shoe whose address has nobody. */
static const char *how_to_draw(const struct bench *bench)
{
    const struct bench_device *shoe = bench_find(bench, DEVICE_SHOE);

    return shoe && shoe->is_emulated ? "an emulated shoe has somebody who draws where its address "
                                       "says how quickly: emu:shoe?draw=700"
                                     : "draw one";
}

static int take_card(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint32_t limit = bench->rig->timing.card;
    uint64_t patience = bench_person(bench, limit);
    nanos_t since = clock_now(&bench->clock);
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)patience);
    struct shoe_event event;

    run_wait_begin(run, "card", "shoe", patience);
    for (;;) {
        int status = shoe_next(bench->shoe, &event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "no card came from the shoe for %ju ms, as long as timing.person "
                             "waits; %s",
                             (uintmax_t)patience, how_to_draw(bench));
        see_event(run, &event);
        see_out_of_turn(run, &event);
        status = event.kind == SHOE_EVENT_FAULT     ? clear_fault(run, &event, error)
                 : event.kind == SHOE_EVENT_STARTED ? check_restart(run, error)
                                                    : 0;
        if (status)
            return status;
        if (event.kind == SHOE_EVENT_CARD && !event.card.outside)
            break;
        if (event.kind == SHOE_EVENT_CARD)
            refuse_card(run, &event);
    }
    run_wait_end(run);
    run_dealer_check_mode(run, is_of_mode(run, &event));
    if (!run->round.device_failed)
        run_time(run, RUN_CARD, event.time - since, limit);
    run_deck_take(run, &event.card.card, &event.card.back, 1);
    run_dealer_take(run, &event.card.card, 1);
    return 0;
}

/* Cards that are drawn while the shoe is open; it is closed again after them. */
static int take_cards(struct run *run, unsigned count, struct error *error)
{
    int status = count ? refuse_cards(run, error) : 0;

    if (count && !status)
        status = shoe_expect(run->bench->shoe, count, error);
    if (count && !status)
        status = lock(run, false, error);
    if (count && !status)
        run_ask(run, "draw %u card%s from the shoe", count, count == 1 ? "" : "s");
    for (unsigned i = 0; i < count && !status; i++)
        status = take_card(run, error);
    return status || !count ? status : lock(run, true, error);
}

/* What STATUS says once the last card was drawn and the shoe locked again. */
static void check_status(struct run *run, const struct shoe_status *status)
{
    run_check_status(run, "shoe", SHOE_LOCKED, status->state, "state after the last card");
    run_check_status(run, "shoe", SHOE_NO_FAULT, status->error, "pending error");
    run_check_status(run, "shoe", run->recording.in_test_mode, status->test_mode, "test mode");
    run_check_status(run, "shoe", run->round.dealt.dealt_count, status->drawn, "cards drawn");
    run_check_status(run, "shoe", run->recording.shoe.deck, status->deck, "number of the deck");
    run_check_status(run, "shoe", true, status->loaded, "the order of the deck was loaded");
}

/* Cards dealt and cards left in the shoe must be a whole deck. */
static int count_deck(struct run *run, struct error *error)
{
    struct shoe_status status = {.left = 0};
    int result = shoe_status(run->bench->shoe, &status, error);

    if (!result)
        check_number(run->book, CHECK_CARD_CONSERVATION, 0, NULL, DECK_SIZE,
                     run->round.dealt.dealt_count + status.left,
                     "cards dealt and left in the shoe");
    if (!result && !run->round.device_failed)
        check_status(run, &status);
    return result;
}

/* A whole deck in the recorded order, or as somebody puts it in. */
static int give_deck(struct run *run, struct error *error)
{
    struct card_stack stack;
    int status;

    if (run->recording.loads_order) {
        run_dealer_order(run, stack.order);
        status = shoe_load_order(run->bench->shoe, stack.order, DECK_SIZE, error);
        run->recording.shoe.awaits_deck = run->round.has_loaded = !status;
        return status;
    }
    if (!run->recording.stacks_order)
        return await_deck(run, error);
    run_dealer_stack(run, true, &stack);
    run_deck_named(run);
    return shoe_stack(run->bench->shoe, &stack, error);
}

static int deal(struct run *run, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, run->round.dealt.seats, steps);
    unsigned draws;
    int status = refuse_cards(run, error);

    if (status)
        return status;
    run_deck_begin(run);
    run_deck_moves(run, run->round.deck);
    run_deck_shuffled(run);
    status = give_deck(run, error);
    if (!status)
        status = take_cards(run, (unsigned)run_dealer_steps(run, count), error);
    if (!status)
        status = run_dealer_draws(run, steps, count, &draws, error);
    if (!status)
        status = take_cards(run, draws, error);
    if (!status)
        status = refuse_cards(run, error);
    if (!status && run->recording.loads_order)
        status = count_deck(run, error);
    if (!status) /* what came with these replies */
        status = refuse_cards(run, error);
    return status ? status : run_dealer_check_log(run, error);
}

static int set_test_mode(struct run *run, bool on, struct error *error)
{
    return shoe_test_mode(run->bench->shoe, on, error);
}

const struct run_dealer run_dealer_shoe = {.class = DEVICE_SHOE,
                                           .start = start,
                                           .deal = deal,
                                           .recover = recover,
                                           .hear = hear,
                                           .test_mode = set_test_mode};

/* The deal of a round from a shoe, card by card. */
#include "rigs/run_cards.h"

#include <inttypes.h>
#include <stdio.h>

/* A hand is waited for this many times as long as the rig allows. */
#define PATIENCE 4

static void see_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    run_watch_frame(context, from_device, frame, time);
}

int run_cards_start(struct run *run, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    struct host *host = shoe_host(shoe);
    struct shoe_status status;
    int result;

    if (host) {
        host->seen = see_frame;
        host->context = run;
    }
    run->in_test_mode = run->bench->rig->order == RIG_ORDER_LOAD && shoe_can_load(shoe);
    if (!run->in_test_mode)
        return 0;
    result = shoe_status(shoe, &status, error);
    if (result)
        return result;
    run->shoe_said = status.test_mode;
    return shoe_test_mode(shoe, true, error);
}

static int clear_fault(struct run *run, const struct shoe_event *event, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    int status;

    run->device_failed = true;
    snprintf(run->why, sizeof run->why, "the shoe reports: %s", event->fault.text);
    run_retry(run, "shoe", event->fault.text, 1, run->why);
    status = event->fault.is_stopped ? shoe_clear_error(shoe, event->fault.code, error) : 0;
    return status ? status : shoe_lock(shoe, false, error);
}

static void see_test_mode(struct run *run, const struct shoe_event *event)
{
    if (event->kind == SHOE_EVENT_TEST_MODE)
        run->shoe_said = event->is_on;
    if (event->kind != SHOE_EVENT_CARD)
        return;
    if (event->card.loaded == run->in_test_mode && run->shoe_said == run->in_test_mode)
        check_pass(run->book, CHECK_TEST_MODE_ANNOUNCED);
    else
        check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
                   (struct check_result){.expected = run->in_test_mode ? "true" : "false",
                                         .got = run->in_test_mode ? "false" : "true",
                                         .why = "the shoe does not say which mode it is in"});
}

static int take_card(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint32_t limit = bench->rig->timing.card;
    nanos_t start = clock_now(&bench->clock);
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)limit * PATIENCE);
    struct shoe_event event;
    char text[RUN_CARDS_TEXT];

    for (;;) {
        int status = shoe_next(bench->shoe, &event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "no card came from the shoe for %" PRIu32 " ms; draw one",
                             limit * PATIENCE);
        see_test_mode(run, &event);
        run_shoe_out_of_turn(run, &event);
        if (event.kind == SHOE_EVENT_FAULT && (status = clear_fault(run, &event, error)))
            return status;
        if (event.kind == SHOE_EVENT_CARD && !event.card.resent)
            break;
    }
    if (!run->device_failed)
        run_time(run, RUN_CARD, event.time - start, limit);
    run_event(run, "shoe", "card", run_cards_text(&event.card.card, 1, text), event.time);
    run_take_cards(run, &event.card.card, 1);
    return 0;
}

/* Cards that are drawn while the shoe is open; it is closed again after them. */
static int take_cards(struct run *run, unsigned count, struct error *error)
{
    int status = count ? shoe_lock(run->bench->shoe, false, error) : 0;

    for (unsigned i = 0; i < count && !status; i++)
        status = take_card(run, error);
    return status || !count ? status : shoe_lock(run->bench->shoe, true, error);
}

int run_cards(struct run *run, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->header->setup, run->dealt.seats, steps);
    card_t deck[DECK_SIZE];
    int status = 0;

    if (run->in_test_mode) {
        run_deck(run, deck);
        status = shoe_load_order(run->bench->shoe, deck, DECK_SIZE, error);
    }
    if (!status)
        status = take_cards(run, (unsigned)count, error);
    if (!status)
        status = take_cards(run, run_draws(run, steps, count), error);
    if (!status)
        status = run_quiet_shoe(run, error);
    return status ? status : run_log_cards(run, error);
}

int run_cards_recover(struct run *run, struct error *error)
{
    struct shoe_status status;
    int result = shoe_status(run->bench->shoe, &status, error);

    if (!result && status.error)
        result = shoe_clear_error(run->bench->shoe, (uint8_t)status.error, error);
    return result ? result : shoe_lock(run->bench->shoe, true, error);
}

/* The deal of a round from a shoe, card by card. */
#include "rigs/run/cards.h"

#include <inttypes.h>
#include <stdio.h>

#include "rigs/run/events.h"

/* A hand is waited for this many times as long as the rig allows. */
#define PATIENCE 4

static void see_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    run_watch_frame(context, from_device, frame, time);
}

/* A shoe that cannot be asked starts with a whole deck and deals real cards. */
static int ask_status(struct run *run, struct shoe_status *status, struct error *error)
{
    *status = (struct shoe_status){.left = DECK_SIZE};
    return run->bench->shoe->driver->status ? shoe_status(run->bench->shoe, status, error) : 0;
}

int run_cards_start(struct run *run, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    struct host *host = shoe_host(shoe);
    struct shoe_status status;
    int result = ask_status(run, &status, error);

    if (host) {
        host->seen = see_frame;
        host->context = run;
    }
    if (result)
        return result;
    run->recording.loads_order = run_may_load(run) && shoe_can_load(shoe);
    run->recording.shoe_said = status.test_mode;
    run->recording.in_test_mode =
        run->recording.loads_order || (!run->recording.observation && status.test_mode);
    run->recording.deck_is_whole = !status.drawn;
    run->recording.shoe_stopped = (uint8_t)status.error;
    run->shoe_entered |= run->recording.loads_order && !status.test_mode;
    if (status.state == SHOE_DEALING) {
        run_retry(run, "shoe", "start", 1, "it was left in the middle of a deal");
        result = run_cards_recover(run, error);
    }
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
    return status ? status : shoe_lock(shoe, false, error);
}

/* A card of a loaded order says that it is one; any other says only which mode it was drawn in. */
static void check_test_mode(struct run *run, const struct shoe_event *event)
{
    bool said = run->recording.loads_order ? event->card.loaded : event->test_mode;

    if (said == run->recording.in_test_mode &&
        run->recording.shoe_said == run->recording.in_test_mode)
        check_pass(run->book, CHECK_TEST_MODE_ANNOUNCED);
    else
        check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
                   (struct check_result){.expected = run->recording.in_test_mode ? "true" : "false",
                                         .got = run->recording.in_test_mode ? "false" : "true",
                                         .why = run->recording.observation
                                                    ? "the shoe is in test mode: what it deals was "
                                                      "loaded"
                                                    : "the shoe does not say which mode it is "
                                                      "in"});
}

/* Keeps what an event tells of the shoe's own state. */
static void see_event(struct run *run, const struct shoe_event *event)
{
    run_tell_shoe(run, event);
    switch (event->kind) {
    case SHOE_EVENT_TEST_MODE:
        run->recording.shoe_said = event->is_on;
        break;
    case SHOE_EVENT_STAND_BY:
        run->recording.deck_is_whole = true;
        break;
    case SHOE_EVENT_CARD:
        run->recording.deck_is_whole = false;
        break;
    case SHOE_EVENT_FAULT:
        run->recording.shoe_stopped =
            event->fault.is_stopped ? event->fault.code : run->recording.shoe_stopped;
        break;
    case SHOE_EVENT_CLEARED:
        run->recording.shoe_stopped = 0;
        break;
    default:
        break;
    }
}

/* Drawn while the shoe was closed, or more than the round needs: it belongs to nobody. */
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

/* A single deck is dealt from its top: somebody puts one in where none is loaded. */
static int await_deck(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint32_t limit = bench->rig->timing.shuffle;
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)limit * PATIENCE);
    struct shoe_event event;

    if (!run->recording.deck_is_whole)
        run_ask(run, "put a whole deck into the shoe");
    while (!run->recording.deck_is_whole) {
        int status = shoe_next(bench->shoe, &event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "no deck was put into the shoe for %" PRIu32
                             " ms; every round is dealt from a whole one",
                             limit * PATIENCE);
        see_event(run, &event);
        if (event.kind == SHOE_EVENT_CARD)
            refuse_card(run, &event);
    }
    return 0;
}

/* Nothing may be left to hear when a deal begins or has ended. */
static int refuse_cards(struct run *run, struct error *error)
{
    struct shoe_event event;
    int status;

    while ((status = shoe_next(run->bench->shoe, &event, clock_now(&run->bench->clock), error)) >
           0) {
        see_event(run, &event);
        run_shoe_out_of_turn(run, &event);
        if (event.kind == SHOE_EVENT_CARD)
            refuse_card(run, &event);
    }
    return status;
}

static int take_card(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint32_t limit = bench->rig->timing.card;
    nanos_t start = clock_now(&bench->clock);
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)limit * PATIENCE);
    struct shoe_event event;

    for (;;) {
        int status = shoe_next(bench->shoe, &event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "no card came from the shoe for %" PRIu32 " ms; draw one",
                             limit * PATIENCE);
        see_event(run, &event);
        run_shoe_out_of_turn(run, &event);
        if (event.kind == SHOE_EVENT_FAULT && (status = clear_fault(run, &event, error)))
            return status;
        if (event.kind == SHOE_EVENT_CARD && !event.card.outside)
            break;
        if (event.kind == SHOE_EVENT_CARD)
            refuse_card(run, &event);
    }
    check_test_mode(run, &event);
    if (!run->round.device_failed)
        run_time(run, RUN_CARD, event.time - start, limit);
    run_take_cards(run, &event.card.card, 1);
    return 0;
}

/* Cards that are drawn while the shoe is open; it is closed again after them. */
static int take_cards(struct run *run, unsigned count, struct error *error)
{
    int status = count ? refuse_cards(run, error) : 0;

    if (count && !status)
        status = shoe_lock(run->bench->shoe, false, error);
    if (count && !status)
        run_ask(run, "draw %u card%s from the shoe", count, count == 1 ? "" : "s");
    for (unsigned i = 0; i < count && !status; i++)
        status = take_card(run, error);
    return status || !count ? status : shoe_lock(run->bench->shoe, true, error);
}

/* Cards that are neither dealt nor in the shoe are lost. */
static int count_deck(struct run *run, struct error *error)
{
    struct shoe_status status = {.left = 0};
    int result = shoe_status(run->bench->shoe, &status, error);

    if (!result)
        check_number(run->book, CHECK_CARD_CONSERVATION, 0, NULL, DECK_SIZE,
                     run->round.dealt.dealt_count + status.left,
                     "cards dealt and left in the shoe");
    return result;
}

int run_cards(struct run *run, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, run->round.dealt.seats, steps);
    card_t deck[DECK_SIZE];
    int status = refuse_cards(run, error);

    if (status)
        return status;
    if (run->recording.loads_order) {
        run_deck(run, deck);
        status = shoe_load_order(run->bench->shoe, deck, DECK_SIZE, error);
    } else {
        status = await_deck(run, error);
    }
    if (!status)
        status = take_cards(run, (unsigned)count, error);
    if (!status)
        status = take_cards(run, run_draws(run, steps, count), error);
    if (!status)
        status = refuse_cards(run, error);
    if (!status && run->recording.loads_order)
        status = count_deck(run, error);
    return status ? status : run_log_cards(run, error);
}

/* Cards that were drawn in the meantime belong to no round. */
static int drop_events(struct run *run, struct error *error)
{
    struct shoe_event event;
    int status;

    while ((status = shoe_next(run->bench->shoe, &event, clock_now(&run->bench->clock), error)) > 0)
        see_event(run, &event);
    return status;
}

int run_cards_recover(struct run *run, struct error *error)
{
    struct shoe *shoe = run->bench->shoe;
    struct shoe_status status;
    int result = drop_events(run, error);

    if (!result && shoe->driver->status) {
        result = shoe_status(shoe, &status, error);
        run->recording.shoe_stopped = (uint8_t)status.error;
    }
    if (!result && run->recording.shoe_stopped)
        result = shoe_clear_error(shoe, run->recording.shoe_stopped, error);
    if (!result)
        result = shoe_lock(shoe, true, error);
    return result ? result : drop_events(run, error);
}

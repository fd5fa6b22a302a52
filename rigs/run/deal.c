/* The deal of a round by a shuffler, packet by packet. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/hand.h"
#include "rigs/run/cards.h"
#include "rigs/run/events.h"
#include "rigs/run/observe.h"
#include "rigs/run/round.h"

/* A device is given up after this many times what the rig allows. */
#define PATIENCE 4

static enum shuffler_game program_of(const struct game *game)
{
    if (game == game_find("flush-rush"))
        return SHUFFLER_FLUSH_RUSH;
    if (game == game_find("chase-the-flush"))
        return SHUFFLER_CHASE_THE_FLUSH;
    return game == game_find("three-card-catch") ? SHUFFLER_THREE_CARD_CATCH : SHUFFLER_CUSTOM;
}

/* What was shuffled or dealt in test mode carries its flag; the driver refuses it otherwise. */
static void look_for_flag(struct run *run, const struct frame *frame)
{
    unsigned at = frame->type == SHUFFLER_SHUFFLED ? 3 : 2;

    if ((frame->type == SHUFFLER_SHUFFLED || frame->type == SHUFFLER_PACKET_PRESENT) &&
        frame->size > at) {
        run->round.is_flagged = true;
        run->round.silent |=
            !(frame->payload[at] & SHUFFLER_FLAG_TEST_MODE) == run->recording.in_test_mode;
    }
}

static void see_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    struct run *run = context;

    if (from_device && frame->class == FRAME_SHUFFLER)
        look_for_flag(run, frame);
    run_watch_frame(run, from_device, frame, time);
}

/* A run that was cut off leaves its shuffler wherever it was. */
static int bring_to_rest(struct run *run, enum shuffler_state state, struct error *error)
{
    char why[96];

    snprintf(why, sizeof why, "it was left in the middle of a deal: %s",
             shuffler_state_text(state));
    run_retry(run, "shuffler", "start", 1, why);
    return run_deal_recover(run, error);
}

static int start_shuffler(struct run *run, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct host *host = shuffler_host(shuffler);
    struct shuffler_status status;
    int result;

    if (host) {
        host->seen = see_frame;
        host->context = run;
    }
    run->recording.loads_order = run_may_load(run) && shuffler->driver->load_order;
    result = shuffler_status(shuffler, &status, error);
    if (result)
        return result;
    run->recording.shuffler_said = status.test_mode;
    run->recording.in_test_mode =
        run->recording.loads_order || (!run->recording.observation && status.test_mode);
    run->shuffler_entered |= run->recording.loads_order && !status.test_mode;
    if (status.state != SHUFFLER_IDLE)
        result = bring_to_rest(run, status.state, error);
    return result || !run->recording.loads_order ? result
                                                 : shuffler_test_mode(shuffler, true, error);
}

int run_deal_end(struct run *run, struct error *error)
{
    int status = 0;

    if (run->shuffler_entered)
        status = shuffler_test_mode(run->bench->shuffler, false, error);
    if (!status && run->shoe_entered)
        status = shoe_test_mode(run->bench->shoe, false, error);
    if (!status)
        run->shuffler_entered = run->shoe_entered = false;
    return status;
}

bool run_may_load(const struct run *run)
{
    return !run->recording.observation && run->bench->rig->order == RIG_ORDER_LOAD;
}

bool run_can_deal(const struct run *run)
{
    return run->bench->shuffler ||
           (run->recording.header->setup.deal == DEAL_CARDS && run->bench->shoe);
}

int run_deal_start(struct run *run, struct error *error)
{
    if (run->recording.header->setup.deal == DEAL_CARDS && run->bench->shoe)
        return run_cards_start(run, error);
    return start_shuffler(run, error);
}

void run_deck(const struct run *run, card_t deck[DECK_SIZE])
{
    const struct round *round = &run->round.recorded.round;
    unsigned count = round->dealt_count;
    hand_t seen = 0;

    if (run->round.recorded.has_deck) {
        memcpy(deck, run->round.recorded.deck, DECK_SIZE);
        return;
    }
    memcpy(deck, round->dealt, count);
    for (unsigned i = 0; i < count; i++)
        seen |= hand_card(deck[i]);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_t card = card_from_index(i);

        if (!(seen & hand_card(card)))
            deck[count++] = card;
    }
}

static int clear_fault(struct run *run, const struct shuffler_event *event, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct error why;
    int status = 0;

    run->round.device_failed = true;
    snprintf(run->round.why, sizeof run->round.why, "the shuffler reports: %s",
             shuffler_fault_text(event->fault.code));
    for (unsigned attempt = 1; attempt <= RUN_RETRIES_MAX; attempt++) {
        run_retry(run, "shuffler", shuffler_fault_text(event->fault.code), attempt, run->round.why);
        status = shuffler_clear_error(shuffler, event->fault.code, &why);
        if (!status || !shuffler_refusal(shuffler))
            break;
        hal_wait(&run->bench->hal, -1, 0, clock_deadline(&run->bench->clock, 1000), NULL);
    }
    if (status && error)
        *error = why;
    return status;
}

/* A deck that the device refused is shuffled once more; a loaded order waits for that. */
static bool shuffle_again(enum shuffler_fault fault)
{
    return fault == SHUFFLER_MISSING_CARD || fault == SHUFFLER_EXTRA_CARD ||
           fault == SHUFFLER_DUPLICATE_CARD;
}

static void see_test_mode(struct run *run, const struct shuffler_event *event)
{
    if (event->kind == SHUFFLER_EVENT_TEST_MODE)
        run->recording.shuffler_said = event->test_mode;
    if (event->kind == SHUFFLER_EVENT_PRESENT || event->kind == SHUFFLER_EVENT_SHUFFLED)
        run->round.silent |= event->test_mode != run->recording.in_test_mode;
}

/* Announced by an event when it changed, and by a flag of all that is dealt in it. */
static void check_test_mode(struct run *run)
{
    if (!run->round.silent && run->recording.shuffler_said == run->recording.in_test_mode)
        check_pass(run->book, CHECK_TEST_MODE_ANNOUNCED);
    else
        check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
                   (struct check_result){.expected = run->recording.in_test_mode ? "true" : "false",
                                         .got = run->recording.in_test_mode ? "false" : "true",
                                         .why = run->recording.observation
                                                    ? "the shuffler is in test mode: what it deals "
                                                      "was loaded"
                                                    : "the shuffler does not say which mode it is "
                                                      "in"});
}

/* Waits for one kind of event; faults on the way are cleared. */
static int await(struct run *run, enum shuffler_event_kind kind, uint32_t limit,
                 struct shuffler_event *event, struct error *error)
{
    struct bench *bench = run->bench;
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)limit * PATIENCE);

    for (;;) {
        int status = shuffler_next(bench->shuffler, event, deadline, error);

        if (status < 0)
            return status;
        if (!status)
            return error_set(error, ERROR_TIMEOUT,
                             "the shuffler has said nothing for %" PRIu32
                             " ms; look at its display",
                             limit * PATIENCE);
        run_tell_shuffler(run, event);
        see_test_mode(run, event);
        if (event->kind == kind)
            return 0;
        run_out_of_turn(run, event);
        if (event->kind == SHUFFLER_EVENT_FAULT) {
            status = clear_fault(run, event, error);
            if (!status && shuffle_again(event->fault.code))
                status = shuffler_shuffle(bench->shuffler, error);
            if (status)
                return status;
            deadline = clock_deadline(&bench->clock, (int64_t)limit * PATIENCE);
        }
    }
}

static int shuffle_deck(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    struct shuffler_event event;
    nanos_t start = clock_now(&bench->clock);
    int status = shuffler_shuffle(bench->shuffler, error);

    if (!status)
        status = await(run, SHUFFLER_EVENT_SHUFFLED, bench->rig->timing.shuffle, &event, error);
    if (status)
        return status;
    if (run->recording.loads_order && !event.shuffled.loaded)
        return error_set(error, ERROR_DEVICE,
                         "the shuffler was given an order and has shuffled all the same");
    run->round.shuffle = event.shuffled.number;
    run->round.is_loaded = event.shuffled.loaded;
    if (!run->round.device_failed)
        run_time(run, RUN_SHUFFLE, event.time - start, bench->rig->timing.shuffle);
    return 0;
}

static int prepare(struct run *run, struct error *error)
{
    const struct game_setup *setup = &run->recording.header->setup;
    unsigned hands =
        (unsigned)__builtin_popcount(run->round.recorded.round.seats) + setup->game->dealer;
    struct shuffler_program program = {
        .game = program_of(setup->game), .hands = (uint8_t)hands, .burn = setup->burn};
    card_t deck[DECK_SIZE];
    int status = 0;

    if (setup->deal == DEAL_CARDS) {
        program = (struct shuffler_program){.game = SHUFFLER_CUSTOM,
                                            .count = run->round.recorded.round.packet_count};
        memset(program.sizes, 1, program.count);
    }
    if (run->recording.loads_order) {
        run_deck(run, deck);
        status = shuffler_load_order(run->bench->shuffler, deck, error);
    }
    if (!status)
        status = shuffler_program(run->bench->shuffler, &program, error);
    return status ? status : shuffle_deck(run, error);
}

void run_take_cards(struct run *run, const card_t *cards, unsigned count)
{
    struct round *dealt = &run->round.dealt;

    if (dealt->dealt_count + count > DECK_SIZE || dealt->packet_count >= PACKETS_MAX)
        return;
    memcpy(dealt->dealt + dealt->dealt_count, cards, count);
    dealt->dealt_count = (uint8_t)(dealt->dealt_count + count);
    dealt->packet[dealt->packet_count++] = (uint8_t)count;
}

/* One packet to the exit and into somebody's hand. */
static int take_packet(struct run *run, struct error *error)
{
    const struct rig_timing *limits = &run->bench->rig->timing;
    nanos_t start = clock_now(&run->bench->clock);
    struct shuffler_event event;
    int status = await(run, SHUFFLER_EVENT_PRESENT, limits->packet, &event, error);

    if (status)
        return status;
    if (!run->round.device_failed)
        run_time(run, RUN_PACKET, event.time - start, limits->packet);
    check_number(run->book, CHECK_PACKET_ORDER, 0, NULL, run->round.dealt.packet_count,
                 event.packet.index, "packets are numbered as they come");
    run_take_cards(run, event.packet.cards, event.packet.size);
    start = event.time;
    status = await(run, SHUFFLER_EVENT_TAKEN, limits->take, &event, error);
    if (!status && !run->round.device_failed)
        run_time(run, RUN_TAKE, event.time - start, limits->take);
    return status;
}

/* How many draw: by the cards that were dealt, or as recorded where they make no hands. */
static unsigned count_draws(const struct run *run, const struct deal_step *steps, size_t count)
{
    const struct game_setup *setup = &run->recording.header->setup;
    card_t hole[SEATS_MAX + 1][4] = {{0}};
    uint8_t held[SEATS_MAX + 1] = {0};
    unsigned card = 0;
    bool dealer_draws = false;
    seats_t in = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned to = steps[i].to == DEAL_TO_SEAT ? steps[i].seat : 0;

        if (i >= run->round.dealt.packet_count || run->round.dealt.packet[i] != steps[i].cards)
            return run->recording.observation
                       ? 0
                       : run->round.recorded.round.packet_count - (unsigned)count;
        if (steps[i].to == DEAL_TO_SEAT || steps[i].to == DEAL_TO_DEALER) {
            memcpy(hole[to] + held[to], run->round.dealt.dealt + card, steps[i].cards);
            held[to] = (uint8_t)(held[to] + steps[i].cards);
        }
        card += steps[i].cards;
    }
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        unsigned decisions = run->round.dealt.decision_count[seat];

        if (decisions && run->round.dealt.decisions[seat][decisions - 1] != DECISION_FOLD)
            in |= seat_bit(seat);
    }
    return (unsigned)__builtin_popcount(
               setup->game->draws(setup, (const card_t(*)[4])hole, in, &dealer_draws)) +
           dealer_draws;
}

unsigned run_draws(struct run *run, const struct deal_step *steps, size_t count)
{
    const struct observation *observation = run->recording.observation;
    unsigned draws;

    if (observation)
        policy_decide(observation->policy, &run->recording.header->setup, steps, count,
                      observation->seed, &run->round.dealt);
    if (!run->recording.header->setup.game->draws)
        return 0;
    draws = count_draws(run, steps, count);
    if (!observation)
        check_number(run->book, CHECK_DRAWS, 0, NULL,
                     run->round.recorded.round.packet_count - (int)count, draws,
                     "cards drawn after the decisions, by what was dealt");
    return draws;
}

/* Takes what the shuffler has said by itself, before it is asked for the next thing. */
static int quiet(struct run *run, struct error *error)
{
    struct shuffler_event event;
    int status;

    while ((status = shuffler_next(run->bench->shuffler, &event, clock_now(&run->bench->clock),
                                   error)) > 0) {
        run_tell_shuffler(run, &event);
        see_test_mode(run, &event);
        run_out_of_turn(run, &event);
        if (event.kind == SHUFFLER_EVENT_FAULT && (status = clear_fault(run, &event, error)))
            break;
    }
    return status;
}

static int press_button(struct run *run, struct error *error)
{
    int status = quiet(run, error);

    return status ? status : shuffler_press(run->bench->shuffler, error);
}

static int deal_packets(struct run *run, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, run->round.dealt.seats, steps);
    unsigned draws;
    int status = press_button(run, error);

    for (size_t i = 0; i < count && !status; i++)
        status = take_packet(run, error);
    if (status)
        return status;
    draws = run_draws(run, steps, count);
    for (unsigned i = 0; i < draws && !status; i++) {
        if (run->recording.header->setup.deal == DEAL_PACKETS)
            status = press_button(run, error);
        if (!status)
            status = take_packet(run, error);
    }
    return status;
}

/* Cards that are neither dealt nor in the device are lost. */
static int count_deck(struct run *run, struct error *error)
{
    struct shuffler_status status;
    int result = shuffler_status(run->bench->shuffler, &status, error);

    if (result)
        return result;
    check_number(run->book, CHECK_CARD_CONSERVATION, 0, NULL, DECK_SIZE,
                 run->round.dealt.dealt_count + status.left,
                 "cards dealt and left in the shuffler");
    check_number(run->book, CHECK_PACKET_ORDER, 0, NULL, run->round.dealt.packet_count,
                 status.taken, "packets that the shuffler has counted");
    return 0;
}

int run_deal(struct run *run, struct error *error)
{
    int status;

    run->round.dealt = run->round.recorded.round;
    run->round.dealt.dealt_count = run->round.dealt.packet_count = 0;
    if (run->recording.header->setup.deal == DEAL_CARDS && run->bench->shoe)
        return run_cards(run, error);
    status = prepare(run, error);
    if (!status)
        status = deal_packets(run, error);
    if (!status || run->round.is_flagged)
        check_test_mode(run);
    if (!status)
        status = quiet(run, error);
    if (!status)
        status = count_deck(run, error);
    if (!status)
        status = run->round.device_failed ? run_log_skip(run, error) : run_log_deal(run, error);
    return status ? status : shuffler_return_deck(run->bench->shuffler, error);
}

static bool is_resting(enum shuffler_state state)
{
    return state == SHUFFLER_IDLE || state == SHUFFLER_READY || state == SHUFFLER_WAITING;
}

/* What a device said before it came to rest is of no round. */
static int drop_events(struct run *run, struct error *error)
{
    struct shuffler_event event;
    int status = 1;

    for (unsigned i = 0; i < WIRE_EVENTS_MAX && (status > 0 || status == ERROR_DEVICE); i++) {
        status = shuffler_next(run->bench->shuffler, &event,
                               clock_deadline(&run->bench->clock, RUN_SILENCE), error);
        if (status > 0) {
            run_tell_shuffler(run, &event);
            see_test_mode(run, &event);
        }
    }
    return status > 0 ? 0 : status;
}

int run_deal_recover(struct run *run, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct shuffler_status status;
    struct shuffler_event event;

    if (run->recording.header->setup.deal == DEAL_CARDS && run->bench->shoe)
        return run_cards_recover(run, error);
    for (unsigned tries = 0; tries < 4 * DECK_SIZE; tries++) {
        int result = shuffler_status(shuffler, &status, error);

        if (result)
            return result;
        if (is_resting(status.state)) {
            result = shuffler_return_deck(shuffler, error);
            return result ? result : drop_events(run, error);
        }
        if (status.state == SHUFFLER_ERROR)
            shuffler_clear_error(shuffler, status.error, error);
        result = shuffler_next(shuffler, &event, clock_deadline(&run->bench->clock, 1000), error);
        if (result == ERROR_ABORTED || result == ERROR_RIG)
            return result;
        if (result > 0)
            run_tell_shuffler(run, &event);
    }
    return error_set(error, ERROR_DEVICE, "the shuffler does not come to rest; it is %s",
                     shuffler_state_text(status.state));
}

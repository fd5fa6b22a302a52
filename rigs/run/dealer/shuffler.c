/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deal of a round by a shuffler, packet by packet. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/dealer/shuffler_await.h"
#include "rigs/run/events.h"

/* Reads the flag of test mode from the frame, because the driver refuses a frame with a wrong one.
 */
static void see_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    struct run *run = context;
    int flag = from_device ? device_frame_test_mode(run->watched, frame) : -1;

    if (flag >= 0) {
        run->round.is_flagged = true;
        run->round.silent |= !flag == run->recording.in_test_mode;
    }
    run_watch_frame(run, from_device, frame, time);
}

/* One that cannot be asked is at rest, with its deck in it, when somebody starts a run. */
static int ask_status(struct run *run, struct shuffler_status *status, struct error *error)
{
    *status = (struct shuffler_status){.state = SHUFFLER_IDLE};
    return run_shuffler_tells_status(run) ? shuffler_status(run->bench->shuffler, status, error)
                                          : 0;
}

/* What comes until the next shuffle is of the round that was dealt from that deck. */
static int return_deck(struct run *run, struct error *error)
{
    int status = shuffler_return_deck(run->bench->shuffler, error);

    if (!status)
        run->recording.returned = run->round.recorded.round.number;
    return status;
}

static bool is_resting(enum shuffler_state state)
{
    return state == SHUFFLER_IDLE || state == SHUFFLER_READY || state == SHUFFLER_WAITING;
}

/* Takes events, which belong to no round, until the device has been silent for a while. */
static int drop_events(struct run *run, struct error *error)
{
    struct shuffler_event event;
    int status = 1;

    for (unsigned i = 0; i < WIRE_EVENTS_MAX && (status > 0 || status == ERROR_DEVICE); i++) {
        status = shuffler_next(run->bench->shuffler, &event,
                               clock_deadline(&run->bench->clock, RUN_SILENCE), error);
        if (status > 0)
            run_shuffler_see(run, &event);
    }
    return status > 0 ? 0 : status;
}

/* How long the shuffler may be in a state from which it goes on by itself, in milliseconds. */
static uint64_t longest_in(const struct run *run, enum shuffler_state state, uint64_t person)
{
    const struct rig_timing *limits = &run->bench->rig->timing;

    switch (state) {
    case SHUFFLER_SHUFFLING:
        return bench_patience(limits->shuffle);
    case SHUFFLER_PRESENT:
        return person;
    default:
        return bench_patience(limits->packet);
    }
}

static bool has_moved(const struct shuffler_status *before, const struct shuffler_status *now)
{
    return now->state != before->state || now->presented != before->presented ||
           now->taken != before->taken;
}

#define POLL 1000 /* milliseconds */

/* Until nothing moves, and the deck is back; a packet at the exit waits so long for a person. */
static int come_to_rest(struct run *run, uint64_t person, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct shuffler_status status, before = {.state = 0};
    struct shuffler_event event;
    nanos_t deadline = 0;
    unsigned failures = 0;

    for (unsigned moves = 0; moves < 4 * DECK_SIZE;) {
        int result = ask_status(run, &status, error);

        if (result)
            return result;
        if (is_resting(status.state)) {
            result = return_deck(run, error);
            return result ? result : drop_events(run, error);
        }
        if (has_moved(&before, &status)) {
            moves++;
            deadline =
                clock_deadline(&run->bench->clock, (int64_t)longest_in(run, status.state, person));
        } else if (clock_now(&run->bench->clock) >= deadline) {
            break;
        }
        before = status;
        if (status.state == SHUFFLER_ERROR)
            shuffler_clear_error(shuffler, status.error, error);
        result = shuffler_next(shuffler, &event, clock_deadline(&run->bench->clock, POLL), error);
        /* One that was cut off fails at once each time, and no time passes. */
        if (result == ERROR_ABORTED || result == ERROR_RIG ||
            (result < 0 && ++failures > 4 * DECK_SIZE))
            return result;
        if (result > 0)
            run_shuffler_see(run, &event);
    }
    return error_set(error, ERROR_DEVICE, "the shuffler does not come to rest; it is %s",
                     shuffler_state_text(status.state));
}

/* Somebody who has left a packet in a round is not waited for as long again. */
static int recover(struct run *run, struct error *error)
{
    return come_to_rest(run, bench_patience(run->bench->rig->timing.take), error);
}

/* A run that was cut off may have left the shuffler in the middle of a deal. */
static int bring_to_rest(struct run *run, enum shuffler_state state, struct error *error)
{
    char why[96];

    snprintf(why, sizeof why, "it was left in the middle of a deal: %s",
             shuffler_state_text(state));
    run_retry(run, "shuffler", "start", 1, why);
    return come_to_rest(run, bench_person(run->bench, run->bench->rig->timing.take), error);
}

static int start(struct run *run, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct host *host = device_host(&shuffler->device);
    struct shuffler_status status;
    int result;

    if (host) {
        host->seen = see_frame;
        host->dropped = run_watch_dropped;
        host->context = run;
        run->watched = &shuffler->device;
    }
    result = ask_status(run, &status, error);
    if (!result)
        result = run_ask_again(&shuffler->device, error);
    if (result)
        return result;
    run_dealer_choose_mode(run, status.test_mode);
    if (status.state != SHUFFLER_IDLE)
        result = bring_to_rest(run, status.state, error);
    if (!result)
        result = run_dealer_hear_waiting(run, error);
    if (!result)
        result = run_dealer_begin_log(run, error);
    return result || !run->recording.loads_order ? result
                                                 : shuffler_test_mode(shuffler, true, error);
}

/* The given deck, where there are two; what it tells is in the event. */
static int shuffle_once(struct run *run, uint8_t deck, struct shuffler_event *event,
                        struct error *error)
{
    const struct run_shuffler_wait wait = {
        SHUFFLER_EVENT_SHUFFLED,
        "shuffled",
        "the shuffled deck",
        "timing.shuffle",
        run_dealer_patience(run, RUN_SHUFFLE, run->bench->rig->timing.shuffle),
        0};
    int status;

    run_deck_moves(run, deck);
    status = shuffler_shuffle(run->bench->shuffler, error);
    return status ? status : run_shuffler_await(run, &wait, event, error);
}

/*
 * The deck whose turn it is: people are asked for it. A machine that takes its decks in turn may
 * have the other one in, which goes through then without being dealt.
 */
static int bring_deck(struct run *run, struct error *error)
{
    struct shuffler_event event;
    uint8_t next;
    int status;

    run_deck_begin(run);
    if (run->round.deck && shuffler_want_deck(run->bench->shuffler, run->round.deck)) {
        run_deck_named(run);
        return 0;
    }
    next = run_deck_next(run);
    if (!next || next == run->round.deck)
        return 0;
    run->round.has_passed_deck = true;
    status = shuffle_once(run, next, &event, error);
    return status ? status : shuffler_return_deck(run->bench->shuffler, error);
}

static int shuffle_deck(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    struct shuffler_event event;
    nanos_t since = clock_now(&bench->clock);
    int status = shuffle_once(run, run->round.deck, &event, error);

    if (status)
        return status;
    if (run->recording.loads_order && !event.shuffled.loaded)
        return error_set(error, ERROR_DEVICE,
                         "the shuffler was given an order and has shuffled all the same");
    if (event.shuffled.deck && run->round.deck && run->is_deck_known)
        check_number(run->book, CHECK_DECK_TURNS, 0, "shuffler", run->round.deck,
                     event.shuffled.deck, "the deck that was shuffled, by SHUFFLED");
    if (event.shuffled.loaded_deck)
        check_number(run->book, CHECK_DECK_TURNS, 0, "shuffler", event.shuffled.loaded_deck,
                     event.shuffled.deck,
                     "the deck that LOAD ORDER was for, and that was shuffled");
    run->round.shuffle = (struct run_shuffle){
        .number = event.shuffled.number, .is_told = true, .is_loaded = event.shuffled.loaded};
    if (!run->round.device_failed)
        run_time(run, RUN_SHUFFLE,
                 event.time - (event.shuffled.started ? event.shuffled.started : since),
                 bench->rig->timing.shuffle);
    return 0;
}

/* What the game deals to these seats, packet by packet; then each hand may draw a card. */
static struct shuffler_program program_packets(const struct game_setup *setup, seats_t seats)
{
    struct shuffler_program program = {.burn = setup->burn};
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(setup, seats, steps);

    for (size_t i = setup->burn > 0; i < count; i++) {
        program.sizes[program.count++] = steps[i].cards;
        if (setup->game->draws && (steps[i].to == DEAL_TO_SEAT || steps[i].to == DEAL_TO_DEALER))
            program.draws++;
    }
    return program;
}

/* Every card that the round takes, one by one. */
static struct shuffler_program program_cards(size_t count)
{
    struct shuffler_program program = {.count = (uint8_t)count};

    memset(program.sizes, 1, program.count);
    return program;
}

static int can_deal(const struct rig *rig, const struct game_setup *setup, seats_t seats,
                    struct error *error)
{
    const struct rig_device *shuffler = rig->devices.shuffler;
    struct deal_step steps[PACKETS_MAX];
    struct shuffler_program program = setup->deal == DEAL_CARDS
                                          ? program_cards(game_deal(setup, seats, steps))
                                          : program_packets(setup, seats);

    return shuffler_can_program(shuffler->driver, shuffler->address, shuffler->protocol, &program,
                                error);
}

/* The recorded order into the device, or into its deck. */
static int give_order(struct run *run, struct error *error)
{
    struct card_stack stack;

    if (run->recording.loads_order) {
        run_dealer_order(run, stack.order);
        return shuffler_load_order(run->bench->shuffler, stack.order, error);
    }
    if (!run->recording.stacks_order)
        return 0;
    run_dealer_stack(run, false, &stack);
    return shuffler_stack(run->bench->shuffler, &stack, error);
}

static int prepare(struct run *run, struct error *error)
{
    const struct game_setup *setup = &run->recording.header->setup;
    const struct round *round = &run->round.recorded.round;
    struct shuffler_program program = setup->deal == DEAL_CARDS
                                          ? program_cards(round->packet_count)
                                          : program_packets(setup, round->seats);
    int status = bring_deck(run, error);

    if (!status)
        status = give_order(run, error);
    if (!status)
        status = shuffler_program(run->bench->shuffler, &program, error);
    return status ? status : shuffle_deck(run, error);
}

/* One packet to the exit and into somebody's hand. */
static int take_packet(struct run *run, struct error *error)
{
    const struct rig_timing *limits = &run->bench->rig->timing;
    const struct run_shuffler_wait present = {SHUFFLER_EVENT_PRESENT,
                                              "packet",
                                              "a packet at its exit",
                                              "timing.packet",
                                              run_dealer_patience(run, RUN_PACKET, limits->packet),
                                              0};
    const struct run_shuffler_wait taken = {
        SHUFFLER_EVENT_TAKEN,
        "taken",
        "somebody who takes the packet",
        "timing.person",
        bench_person(run->bench, limits->take),
        run_shuffler_tells_status(run) ? bench_patience(limits->take) : 0};
    nanos_t since = run->round.told_at;
    struct shuffler_event event;
    int status = run_shuffler_await(run, &present, &event, error);

    if (status)
        return status;
    if (!run->round.device_failed)
        run_time(run, RUN_PACKET, event.time - since, limits->packet);
    check_number(run->book, CHECK_PACKET_ORDER, 0, NULL, run->round.dealt.packet_count,
                 event.packet.index, "packets are numbered as they come");
    if (event.packet.is_unknown) {
        run_dealer_take_unknown(run);
    } else {
        run_deck_take(run, event.packet.cards, event.packet.backs, event.packet.size);
        run_dealer_take(run, event.packet.cards, event.packet.size);
    }
    since = event.time;
    status = run_shuffler_await(run, &taken, &event, error);
    if (!status && !run->round.device_failed)
        run_time(run, RUN_TAKE, event.time - since, limits->take);
    return status;
}

/* Takes what the shuffler has said by itself, before it is asked for the next thing. */
static int quiet(struct run *run, struct error *error)
{
    int status;

    while ((status = run_shuffler_hear(run, clock_now(&run->bench->clock), error)) > 0)
        continue;
    return status;
}

/*
 * A machine that cannot be asked how many packets it has brought may bring one too many: it is
 * listened to for as long as that would take.
 */
static int listen_for_more(struct run *run, struct error *error)
{
    nanos_t now = clock_now(&run->bench->clock);
    nanos_t until = run->round.told_at + run->bench->rig->timing.packet * NANOS_PER_MILLI;
    int status;

    if (run_shuffler_tells_status(run) || run_is_by_hand(run, RUN_PACKET))
        return quiet(run, error);
    while ((status = run_shuffler_hear(run, until > now ? until : now, error)) > 0)
        continue;
    return status;
}

static int press_button(struct run *run, struct error *error)
{
    int status = quiet(run, error);

    if (!status)
        status = shuffler_press(run->bench->shuffler, error);
    run->round.told_at = clock_now(&run->bench->clock);
    if (!status)
        run_dealer_logs(run, SHUFFLER_LOG_BUTTON, 0, 0);
    return status;
}

static int deal_packets(struct run *run, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, run->round.dealt.seats, steps);
    size_t first =
        run->recording.header->setup.deal == DEAL_CARDS ? run_dealer_steps(run, count) : count;
    unsigned draws;
    int status = press_button(run, error);

    /* Packets that are programmed all come, also after a misdeal. */
    for (size_t i = 0; i < first && !status; i++)
        status = take_packet(run, error);
    if (status)
        return status;
    status = run_dealer_draws(run, steps, count, &draws, error);
    for (unsigned i = 0; !status && i < draws; i++) {
        if (run->recording.header->setup.deal == DEAL_PACKETS)
            status = press_button(run, error);
        if (!status)
            status = take_packet(run, error);
    }
    return status;
}

/* What STATUS says once the last packet was taken, against what was asked for and dealt. */
static void check_status(struct run *run, const struct shuffler_status *status)
{
    unsigned packets = run->round.dealt.packet_count;

    run_check_status(run, "shuffler", SHUFFLER_WAITING, status->state,
                     "state after the last packet");
    run_check_status(run, "shuffler", SHUFFLER_NO_FAULT, status->error, "pending error");
    run_check_status(run, "shuffler", run->recording.in_test_mode, status->test_mode, "test mode");
    run_check_status(run, "shuffler", packets, status->presented, "packets presented");
    run_check_status(run, "shuffler", run->round.shuffle.number, status->shuffle,
                     "number of the last shuffle");
    run_check_status(run, "shuffler", true, status->is_as_programmed,
                     "program and packets programmed are those that were asked for");
}

/* Cards dealt and cards left in the shuffler must be a whole deck. */
static int count_deck(struct run *run, struct error *error)
{
    struct shuffler_status status;
    int result;

    if (!run_shuffler_tells_status(run))
        return 0;
    result = shuffler_status(run->bench->shuffler, &status, error);
    if (result)
        return result;
    check_number(run->book, CHECK_CARD_CONSERVATION, 0, NULL, DECK_SIZE,
                 run->round.dealt.dealt_count + status.left,
                 "cards dealt and left in the shuffler");
    check_number(run->book, CHECK_PACKET_ORDER, 0, NULL, run->round.dealt.packet_count,
                 status.taken, "packets that the shuffler has counted");
    if (!run->round.device_failed)
        check_status(run, &status);
    return 0;
}

static int deal(struct run *run, struct error *error)
{
    int status = prepare(run, error);

    if (!status)
        status = deal_packets(run, error);
    if (!status || run->round.is_flagged)
        run_dealer_check_mode(run, !run->round.silent);
    if (!status)
        status = listen_for_more(run, error);
    if (!status)
        status = count_deck(run, error);
    if (!status)
        status = run_dealer_check_log(run, error);
    return status ? status : return_deck(run, error);
}

static int set_test_mode(struct run *run, bool on, struct error *error)
{
    return shuffler_test_mode(run->bench->shuffler, on, error);
}

const struct run_dealer run_dealer_shuffler = {.class = DEVICE_SHUFFLER,
                                               .provides = CHECK_NEEDS_PACKETS | CHECK_NEEDS_TURNS,
                                               .can_deal = can_deal,
                                               .start = start,
                                               .deal = deal,
                                               .recover = recover,
                                               .hear = run_shuffler_hear,
                                               .test_mode = set_test_mode};

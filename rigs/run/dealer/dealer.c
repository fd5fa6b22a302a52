/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the devices that deal have in common. */
#include "rigs/run/dealer/dealer.h"

#include <stdio.h>
#include <string.h>

#include "games/hand.h"
#include "rigs/run/observation.h"

const struct run_dealer *run_dealer_for(const struct rig *rig, const struct game_setup *setup)
{
    if (setup->deal == DEAL_CARDS && rig->devices.shoe)
        return &run_dealer_shoe;
    return rig->devices.shuffler ? &run_dealer_shuffler : NULL;
}

int run_dealer_check(const struct rig *rig, const struct game_setup *setup, struct error *error)
{
    const struct run_dealer *dealer = run_dealer_for(rig, setup);
    bool by_cards = setup->deal == DEAL_CARDS;

    if (!dealer || by_cards != (dealer == &run_dealer_shoe))
        return error_set(error, ERROR_CONFIG, "the rig has no %s, which deals %s",
                         by_cards ? "shoe" : "shuffler", by_cards ? "cards" : "packets");
    return rig_knows_cards(dealer->class, by_cards ? rig->devices.shoe : rig->devices.shuffler)
               ? 0
               : run_dealer_unread(dealer, error);
}

int run_dealer_unread(const struct run_dealer *dealer, struct error *error)
{
    return error_set(error, ERROR_CONFIG,
                     "nobody reads the cards of the %s, and a round that was not recorded cannot "
                     "be settled without them; write 'cards: hands' or 'cards: scanner:PATH' "
                     "beside it",
                     device_class_name(dealer->class));
}

int run_dealer_can_deal(const struct rig *rig, const struct game_setup *setup, seats_t seats,
                        struct error *error)
{
    const struct run_dealer *dealer = run_dealer_for(rig, setup);

    return dealer && dealer->can_deal ? dealer->can_deal(rig, setup, seats, error) : 0;
}

const struct bench_device *run_dealer_device(const struct run *run)
{
    return bench_find(run->bench, run->recording.dealer->class);
}

unsigned run_dealer_provides(const struct run *run)
{
    const struct device *device = run_dealer_device(run)->device;

    return run->recording.dealer->provides |
           (device_can(device, DEVICE_SHOWS_FRAMES) ? CHECK_NEEDS_WIRE | CHECK_NEEDS_NUMBERS : 0) |
           (device_can(device, DEVICE_HAS_TEST_MODE) ? CHECK_NEEDS_TEST_MODE : 0) |
           (device_can(device, DEVICE_TELLS_STATUS) ? CHECK_NEEDS_STATUS : 0) |
           (device_can(device, DEVICE_TELLS_CARDS) ? CHECK_NEEDS_CARDS : 0) |
           (device_can(device, DEVICE_KEEPS_LOG) ? CHECK_NEEDS_LOG : 0);
}

uint64_t run_dealer_patience(const struct run *run, enum run_timing timing, uint32_t limit)
{
    return run_is_by_hand(run, timing) ? bench_person(run->bench, limit) : bench_patience(limit);
}

static int end(struct run *run, const struct run_dealer *dealer, struct error *error)
{
    int status = run->entered[dealer->class] ? dealer->test_mode(run, false, error) : 0;

    run->entered[dealer->class] &= status != 0;
    return status;
}

int run_dealers_end(struct run *run, struct error *error)
{
    int status = end(run, &run_dealer_shuffler, error);

    return status ? status : end(run, &run_dealer_shoe, error);
}

void run_dealer_choose_mode(struct run *run, bool in_test_mode)
{
    struct run_recording *recording = &run->recording;

    recording->loads_order = device_can(run_dealer_device(run)->device, DEVICE_LOADS_ORDER) &&
                             !recording->observation && run->bench->rig->order == RIG_ORDER_LOAD;
    recording->stacks_order = device_can(run_dealer_device(run)->device, DEVICE_IS_STACKED) &&
                              !recording->observation && run->bench->rig->order == RIG_ORDER_STACK;
    recording->dealer_said = in_test_mode;
    recording->in_test_mode = recording->loads_order || (!recording->observation && in_test_mode);
    run->entered[recording->dealer->class] |= recording->loads_order && !in_test_mode;
}

int run_account_skip(struct run *run, struct run_account *account, struct device *device,
                     struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    nanos_t asked = clock_now(&run->bench->clock);
    unsigned count;
    int status;

    run_log_clear(&account->due);
    if (!device_can(device, DEVICE_KEEPS_LOG))
        return 0;
    status = device_log(device, UINT32_MAX, entries, &count, &account->logged, error);
    run_log_follow(&run->pasts[device->driver->class], account->logged, asked);
    return status;
}

/* Reads what was written since; of more than it has room for, the first ones. */
static int read_log(struct run *run, struct run_account *account, struct device *device,
                    struct run_log_reading *reading, struct log_entry read[RUN_LOG_MAX],
                    unsigned *read_count, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    uint32_t total, from, next = account->logged;
    unsigned count;

    do {
        nanos_t asked = clock_now(&run->bench->clock);
        int status = device_log(device, from = next, entries, &count, &total, error);

        if (status)
            return status;
        reading->now = clock_now(&run->bench->clock);
        run_log_total(reading, total, asked);
        for (unsigned i = 0; i < count; i++) {
            next = entries[i].number + 1;
            if (*read_count < RUN_LOG_MAX)
                read[(*read_count)++] = entries[i];
        }
    } while (next > from && next < total);
    account->logged = total;
    return 0;
}

/* Forgets the entries that were judged; what was told meanwhile is in the log next time. */
static void settle_account(struct run_account *account, unsigned judged, unsigned count)
{
    for (unsigned i = judged; i < count; i++)
        account->due.entries[i - judged] = account->due.entries[i];
    account->due.count = count - judged;
    account->due.is_unsure = false;
}

/* After a loss of power a log may have more than was told, but that it has. */
static void check_told(struct run_log_reading *reading, const struct log_entry *entries,
                       unsigned count)
{
    const struct run_log *log = reading->expected;
    unsigned found = 0;

    for (unsigned i = 0; i < log->count; i++)
        for (unsigned at = 0; at < count; at++)
            if (!log->entries[i].code || entries[at].code == log->entries[i].code) {
                found++;
                break;
            }
    check_number(reading->book, CHECK_EVENT_LOG, 0, reading->device, log->count, found,
                 "entries of the log, of what was told after the last round");
}

int run_account_check(struct run *run, struct run_account *account, struct device *device,
                      const char *name, run_hear *hear, struct error *error)
{
    struct log_entry entries[RUN_LOG_MAX];
    struct run_log_reading reading = {.book = run->book,
                                      .device = name,
                                      .expected = &account->due,
                                      .next = account->logged,
                                      .past = &run->pasts[device->driver->class]};
    unsigned judged = account->due.count, count = 0, due;
    int status = read_log(run, account, device, &reading, entries, &count, error);
    nanos_t deadline = clock_deadline(&run->bench->clock, RUN_SILENCE);

    while (!status && account->due.count < count && !account->due.is_unsure) {
        status = hear(run, deadline, error);
        if (!status)
            break;
        status = status < 0 ? status : 0;
    }
    if (status)
        return status;
    due = account->due.count;
    if (count > judged)
        judged = count < due ? count : due;
    account->due.count = judged;
    for (unsigned i = 0; i < count && !account->due.is_unsure; i++)
        run_log_read(&reading, &entries[i]);
    if (!account->due.is_unsure)
        run_log_end(&reading);
    else if (account->is_quiet)
        check_told(&reading, entries, count);
    if (account->due.is_unsure)
        run_log_follow(&run->pasts[device->driver->class], account->logged, reading.asked);
    settle_account(account, judged, due);
    return 0;
}

int run_dealer_begin_log(struct run *run, struct error *error)
{
    return run_account_skip(run, &run->recording.dealer_log, run_dealer_device(run)->device, error);
}

int run_dealer_skip_log(struct run *run, struct error *error)
{
    return run->recording.is_first ? 0 : run_dealer_begin_log(run, error);
}

/* After a loss of power it may be. */
static void check_modes_again(struct run *run)
{
    if (run->round.modes_again && !run->recording.dealer_log.due.is_unsure)
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, run_dealer_device(run)->name, 0,
                     run->round.modes_again,
                     "times that test mode was told again, though it had not changed");
    run->round.modes_again = 0;
}

int run_dealer_check_log(struct run *run, struct error *error)
{
    const struct bench_device *dealing = run_dealer_device(run);

    if (run->round.device_failed)
        return 0;
    check_modes_again(run);
    if (!device_can(dealing->device, DEVICE_KEEPS_LOG))
        return 0;
    return run_account_check(run, &run->recording.dealer_log, dealing->device, dealing->name,
                             run->recording.dealer->hear, error);
}

void run_dealer_logs(struct run *run, unsigned code, unsigned detail, int64_t value)
{
    run_log_add(&run->recording.dealer_log.due, code, detail, value, 0,
                clock_now(&run->bench->clock));
}

int run_dealer_hear_waiting(struct run *run, struct error *error)
{
    const struct host *host = device_host(run_dealer_device(run)->device);
    int status = 1;

    while (status > 0 && host && host->counts.events < host->hello_events)
        status = run->recording.dealer->hear(run, clock_deadline(&run->bench->clock, RUN_SILENCE),
                                             error);
    while (status >= 0 &&
           (status = run->recording.dealer->hear(run, clock_now(&run->bench->clock), error)) > 0)
        continue;
    return status < 0 ? status : 0;
}

void run_check_status(struct run *run, const char *device, int64_t expected, int64_t got,
                      const char *why)
{
    check_number(run->book, CHECK_STATUS, 0, device, expected, got, why);
}

int run_ask_again(struct device *device, struct error *error)
{
    bool is_on;

    return device_ask_test_mode(device, &is_on, error);
}

/* It changes as it was asked to. */
void run_dealer_see_mode(struct run *run, bool is_on)
{
    bool wanted = run->recording.in_test_mode;

    run->round.modes_again += !run->recording.is_first && is_on == run->recording.dealer_said;
    if (!run->recording.is_first && is_on != run->recording.dealer_said && is_on != wanted)
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, run_dealer_device(run)->name, wanted,
                     is_on, "test mode by an event, which nobody asked for");
    run->recording.dealer_said = is_on;
}

void run_dealer_check_mode(struct run *run, bool is_right)
{
    bool wanted = run->recording.in_test_mode;
    char why[80];

    if (is_right && run->recording.dealer_said == wanted) {
        check_pass(run->book, CHECK_TEST_MODE_ANNOUNCED);
        return;
    }
    snprintf(why, sizeof why,
             run->recording.observation ? "the %s is in test mode: what it deals was loaded"
                                        : "the %s does not say which mode it is in",
             run_dealer_device(run)->name);
    check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
               (struct check_result){.expected = wanted ? "true" : "false",
                                     .got = wanted ? "false" : "true",
                                     .why = why});
}

void run_dealer_lost_power(struct run *run)
{
    const char *device = run_dealer_device(run)->name;

    /* What a log has of things that were under way, and twice, is the device's own affair. */
    run->recording.dealer_log.due.is_unsure = true;
    if (run->round.dealt.dealt_count)
        run->round.device_failed = true;
    snprintf(run->round.why, sizeof run->round.why, "the %s lost its power", device);
    run_retry(run, device, "power", 1, run->round.why);
}

void run_dealer_order(const struct run *run, card_t deck[DECK_SIZE])
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

void run_dealer_take(struct run *run, const card_t *cards, unsigned count)
{
    struct round *dealt = &run->round.dealt;

    if (dealt->dealt_count + count > DECK_SIZE || dealt->packet_count >= PACKETS_MAX)
        return;
    memcpy(dealt->dealt + dealt->dealt_count, cards, count);
    dealt->dealt_count = (uint8_t)(dealt->dealt_count + count);
    dealt->packet[dealt->packet_count++] = (uint8_t)count;
    run_tell_dealt(run);
}

void run_dealer_take_unknown(struct run *run)
{
    const struct round *recorded = &run->round.recorded.round;
    unsigned packet = run->round.dealt.packet_count, first = 0;

    for (unsigned i = 0; i < packet && i < recorded->packet_count; i++)
        first += recorded->packet[i];
    if (packet < 64)
        run->round.unknown |= UINT64_C(1) << packet;
    run_dealer_take(run, recorded->dealt + first,
                    packet < recorded->packet_count ? recorded->packet[packet] : 0);
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

size_t run_dealer_steps(const struct run *run, size_t count)
{
    const struct round *recorded = &run->round.recorded.round;

    return recorded->is_void && recorded->packet_count < count ? recorded->packet_count : count;
}

int run_dealer_draws(struct run *run, const struct deal_step *steps, size_t count, unsigned *draws,
                     struct error *error)
{
    const struct round *recorded = &run->round.recorded.round;
    bool is_observed = run->recording.observation;
    int status = is_observed ? run_decide(run, steps, count, error) : 0;

    *draws = 0;
    if (status || !run->recording.header->setup.game->draws)
        return status;
    if (recorded->is_void) {
        *draws = recorded->packet_count > count ? recorded->packet_count - (unsigned)count : 0;
        return 0;
    }
    *draws = count_draws(run, steps, count);
    if (!is_observed)
        check_number(run->book, CHECK_DRAWS, 0, NULL, recorded->packet_count - (int)count, *draws,
                     "cards drawn after the decisions, by what was dealt");
    return 0;
}

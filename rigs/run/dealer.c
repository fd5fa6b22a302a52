/* What the devices that deal have in common. */
#include "rigs/run/dealer.h"

#include <stdio.h>
#include <string.h>

#include "games/hand.h"
#include "rigs/run/observation.h"

const struct run_dealer *run_dealer_for(const struct bench *bench, const struct game_setup *setup)
{
    if (setup->deal == DEAL_CARDS && bench->shoe)
        return &run_dealer_shoe;
    return bench->shuffler ? &run_dealer_shuffler : NULL;
}

int run_dealer_check(const struct rig *rig, const struct game_setup *setup, struct error *error)
{
    bool by_cards = setup->deal == DEAL_CARDS;

    if (by_cards ? !rig->devices.shoe : !rig->devices.shuffler)
        return error_set(error, ERROR_CONFIG, "the rig has no %s, which deals %s",
                         by_cards ? "shoe" : "shuffler", by_cards ? "cards" : "packets");
    return 0;
}

int run_dealers_end(struct run *run, struct error *error)
{
    int status = run_dealer_shuffler.end(run, error);

    return status ? status : run_dealer_shoe.end(run, error);
}

bool run_dealer_choose_mode(struct run *run, bool can_load, bool in_test_mode)
{
    struct run_recording *recording = &run->recording;

    recording->loads_order =
        can_load && !recording->observation && run->bench->rig->order == RIG_ORDER_LOAD;
    recording->dealer_said = in_test_mode;
    recording->in_test_mode = recording->loads_order || (!recording->observation && in_test_mode);
    return recording->loads_order && !in_test_mode;
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
             run->recording.dealer->device);
    check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
               (struct check_result){.expected = wanted ? "true" : "false",
                                     .got = wanted ? "false" : "true",
                                     .why = why});
}

void run_dealer_lost_power(struct run *run)
{
    const char *device = run->recording.dealer->device;

    if (!run->round.dealt.dealt_count)
        return;
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

unsigned run_dealer_draws(struct run *run, const struct deal_step *steps, size_t count)
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

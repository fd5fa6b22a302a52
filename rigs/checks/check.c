#include "rigs/checks/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHEETS   "games/RULES.md"
#define PROTOCOL "devices/PROTOCOL.md"
#define FORMATS  "rigs/FORMATS.md"

const struct check_kind check_kinds[CHECK_COUNT] = {
    [CHECK_PACKET_SIZE] = {"packet-size", "a packet has as many cards as the deal program says",
                           SHEETS ": the deal of each game; " PROTOCOL ": PROGRAM"},
    [CHECK_PACKET_ORDER] = {"packet-order",
                            "packets come seat by seat, dealer, community, each in its turn",
                            SHEETS ": the deal of each game"},
    [CHECK_DEALT_CARDS] = {"dealt-cards", "the device deals the cards that were recorded",
                           FORMATS ": dealt"},
    [CHECK_CARD_CONSERVATION] = {"card-conservation", "each of 52 cards exists once",
                                 SHEETS ": a single deck"},
    [CHECK_BURNED_CARDS] = {"burned-cards", "burned cards are those expected",
                            SHEETS ": burns; " FORMATS ": burned"},
    [CHECK_DRAWS] = {"draws", "exactly those draw who must",
                     SHEETS ": 3 Card Catch, naturals and draws"},
    [CHECK_WAGER_OUTCOME] = {"wager-outcome", "every wager wins or loses what the sheet says",
                             SHEETS ": the paytables"},
    [CHECK_HAND_NAME] = {"hand-name", "a hand is called what it is", SHEETS ": the ranks"},
    [CHECK_DEALER_QUALIFIES] = {"dealer-qualifies", "the dealer qualifies when he should",
                                SHEETS ": Chase the Flush"},
    [CHECK_REFUSED_ROUND] = {"refused-round", "a round is settled, or refused for that reason",
                             FORMATS ": error"},
    [CHECK_EXPECTATION] = {"expectation", "each round has one expectation, in the same order",
                           FORMATS ": Expectations"},
    [CHECK_JACKPOTS] = {"jackpots", "jackpots go to the right seats in the right order",
                        SHEETS ": STAX, right to left; 3 Card Catch, progressive"},
    [CHECK_METER_VALUES] = {"meter-values", "every meter has its exact value after every step",
                            SHEETS ": contributions and reseeds"},
    [CHECK_MUST_HIT_CEILING] = {"must-hit-ceiling", "Must Hit never passes its ceiling",
                                SHEETS ": Must Hit"},
    [CHECK_MUST_HIT_SEAT] = {"must-hit-seat", "Must Hit goes to a paid seat, at END ROUND only",
                             SHEETS ": Must Hit"},
    [CHECK_LIGHTS] = {"lights", "lights, lamps and events show the locked wagers of a round",
                      SHEETS ": the dealer terminal"},
    [CHECK_SIGN_AMOUNT] = {"sign-amount", "the sign shows what is paid, to whom and until OK",
                           SHEETS ": the dealer terminal"},
    [CHECK_AMOUNT_HIDDEN] = {"amount-hidden", "no amount is shown before the code",
                             SHEETS ": the dealer terminal"},
    [CHECK_KEY_REFUSALS] = {"key-refusals", "a key is refused exactly when it should be",
                            PROTOCOL ": Terminal, states and keys"},
    [CHECK_WAGERS_SENSED] = {"wagers-sensed",
                             "sensors see the wagers that were placed, when they were",
                             PROTOCOL ": Bet sensors"},
    [CHECK_EVENT_LOG] = {"event-log",
                         "a device's log tells what happened, its ledger what was paid",
                         PROTOCOL ": Log; Terminal, LEDGER"},
    [CHECK_TIMING] = {"timing", "nothing takes longer than the rig allows", "the rig file: timing"},
    [CHECK_ORDER_LEAK] = {"order-leak",
                          "no card is on the wire before its packet, in whatever frame",
                          PROTOCOL ": Shuffler"},
    [CHECK_TEST_MODE_ANNOUNCED] = {"test-mode-announced", "no device is in test mode silently",
                                   PROTOCOL ": TEST MODE"},
    [CHECK_FRAMES] = {"frames", "no event is lost, no frame comes that answers nothing",
                      PROTOCOL ": Conversations"},
};

int check_find(const char *name)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (!strcmp(check_kinds[i].name, name))
            return i;
    return -1;
}

static void write_result(struct check_book *book, const struct check_result *result)
{
    if (book->journal && !book->status)
        book->status = journal_check(book->journal, result, &book->error);
}

void check_pass(struct check_book *book, enum check check)
{
    book->counts.passed[check]++;
    book->passed_here++;
    if (book->journal && !book->status)
        book->status = journal_pass(book->journal, check_kinds[check].name, &book->error);
}

void check_fail(struct check_book *book, enum check check, struct check_result result)
{
    result.name = check_kinds[check].name;
    result.outcome = CHECK_FAIL;
    book->counts.failed[check]++;
    book->failed_here++;
    write_result(book, &result);
    if (book->failed)
        book->failed(book->context, check, &result);
}

void check_skip(struct check_book *book, enum check check, const char *why)
{
    book->counts.skipped[check]++;
    write_result(book, &(struct check_result){
                           .name = check_kinds[check].name, .outcome = CHECK_SKIPPED, .why = why});
}

void check_number(struct check_book *book, enum check check, unsigned seat, const char *wager,
                  int64_t expected, int64_t got, const char *why)
{
    char wanted[24], found[24];

    if (expected == got) {
        check_pass(book, check);
        return;
    }
    snprintf(wanted, sizeof wanted, "%" PRId64, expected);
    snprintf(found, sizeof found, "%" PRId64, got);
    check_fail(book, check,
               (struct check_result){.seat = seat,
                                     .wager = wager,
                                     .expected = wanted,
                                     .got = found,
                                     .engine = wanted,
                                     .device = found,
                                     .why = why});
}

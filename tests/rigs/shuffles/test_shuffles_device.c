/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole orders from the shuffler of a bench. */
#include <stdio.h>
#include <string.h>

#include "rigs/shuffles/device.h"
#include "tests/support/suite.h"

static struct error said;
static struct rig *rig;
static struct bench bench;
static struct shuffles_device device;

static void open_bench(const char *options, const char *fault)
{
    char text[512];

    snprintf(text, sizeof text,
             "rig: x\nclock: virtual\ndevices:\n  shuffler:\n    address: 'emu:shuffler?%s'\n%s%s",
             options, *fault ? "    fault: " : "", fault);
    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "x.yaml", text, strlen(text), &said), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 7, &said), 0);
}

static void close_bench(void)
{
    CU_ASSERT_EQUAL(bench_close(&bench, &said), 0);
    rig_free(rig);
}

static int deal(void)
{
    int status = shuffles_device_deal(&device, &said);

    return status ? status : shuffles_device_return(&device, &said);
}

static void start(const char *options, enum shuffles_returned returned)
{
    open_bench(options, "");
    CU_ASSERT_EQUAL_FATAL(shuffles_device_start(&device, &bench, returned, &said), 0);
}

TEST(an_order_has_every_card_once_and_the_seed_decides_it)
{
    card_t orders[3][DECK_SIZE];
    static const char *const options[] = {"seed=5", "seed=5", "seed=6"};

    for (unsigned i = 0; i < 3; i++) {
        uint64_t seen = 0;

        start(options[i], SHUFFLES_RETURNED_UNKNOWN);
        for (unsigned count = 1; count <= 3; count++) {
            CU_ASSERT_EQUAL(deal(), 0);
            CU_ASSERT_EQUAL(device.count, count);
        }
        memcpy(orders[i], device.order, DECK_SIZE);
        for (unsigned card = 0; card < DECK_SIZE; card++)
            seen |= UINT64_C(1) << card_index(device.order[card]);
        CU_ASSERT_EQUAL(seen, (UINT64_C(1) << DECK_SIZE) - 1);
        close_bench();
    }
    CU_ASSERT(!memcmp(orders[0], orders[1], DECK_SIZE));
    CU_ASSERT(memcmp(orders[0], orders[2], DECK_SIZE) != 0);
}

TEST(what_went_in_is_known_from_the_second_shuffle_on_and_only_if_it_is_said)
{
    card_t last[DECK_SIZE];

    start("", SHUFFLES_RETURNED_UNKNOWN);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(deal(), 0);
        CU_ASSERT_FALSE(device.has_before);
    }
    close_bench();
    start("", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT_FALSE(device.has_before);
    memcpy(last, device.order, DECK_SIZE);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT(device.has_before);
    CU_ASSERT(!memcmp(last, device.before, DECK_SIZE));
    close_bench();
    start("", SHUFFLES_RETURNED_REVERSED);
    CU_ASSERT_EQUAL(deal(), 0);
    memcpy(last, device.order, DECK_SIZE);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT(device.has_before);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        CU_ASSERT_EQUAL(device.before[i], last[DECK_SIZE - 1 - i]);
    close_bench();
}

/* Cards of what went in whose successor there now lies above them. */
static unsigned turned(void)
{
    unsigned places[DECK_SIZE], found = 0;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        places[card_index(device.order[i])] = i;
    for (unsigned i = 1; i < DECK_SIZE; i++)
        found += places[card_index(device.before[i])] < places[card_index(device.before[i - 1])];
    return found;
}

TEST(the_model_shuffles_what_it_dealt_before)
{
    start("shuffle=riffle:1", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), 0);
    for (unsigned i = 0; i < 50; i++) {
        CU_ASSERT_EQUAL(deal(), 0);
        CU_ASSERT(turned() <= 1);
    }
    close_bench();
}

static void expect_failure(const char *fault, int code, const char *words)
{
    open_bench("", fault);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said), 0);
    CU_ASSERT_EQUAL(deal(), code);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, words));
    CU_ASSERT_EQUAL(device.count, 0);
    close_bench();
}

TEST(what_a_device_does_wrong_is_said_with_the_number_of_the_shuffle)
{
    expect_failure("jam@packet:13", ERROR_DEVICE, "shuffle 1: the shuffler reports: jam");
    expect_failure("missing@shuffle:1", ERROR_DEVICE, "shuffle 1: the shuffler reports: missing");
    expect_failure("short@packet:2", ERROR_DEVICE, "shuffle 1: packet 2 has 3 cards");
    expect_failure("long@packet:2", ERROR_DEVICE, "shuffle 1: packet 2 has 5 cards");
    expect_failure("twice@card:52", ERROR_DEVICE, "comes twice, the second time as card 52");
    expect_failure("unplug@frames:20", ERROR_DEVICE, "shuffle 1: ");
}

TEST(a_device_that_says_nothing_is_given_up)
{
    start("shuffle=86400000", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "shuffle 1: the shuffler has said nothing"));
    close_bench();
    start("take=0", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), ERROR_TIMEOUT);
    close_bench();
}

TEST(a_device_that_is_not_at_rest_is_not_touched)
{
    start("take=0", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "take what lies at its exit"));
    close_bench();
    open_bench("", "jam@packet:1");
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said), 0);
    CU_ASSERT_EQUAL(deal(), ERROR_DEVICE);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "an error pending: jam"));
    close_bench();
}

TEST(a_device_in_test_mode_is_refused)
{
    open_bench("", "");
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, true, &said), 0);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "take it out of test mode first"));
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, false, &said), 0);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said), 0);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, true, &said), 0);
    CU_ASSERT_EQUAL(deal(), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "shuffle 2: the shuffler is in test mode"));
    close_bench();
}

TEST(test_mode_in_the_middle_of_an_order_ends_it)
{
    start("", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT_EQUAL(shuffles_device_end(&device, &said), 0);
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, true, &said), 0);
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, false, &said), 0);
    CU_ASSERT_EQUAL(deal(), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "shuffle 2: the shuffler is in test mode"));
    close_bench();
    start("", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(shuffler_test_mode(bench.shuffler, true, &said), 0);
    CU_ASSERT_EQUAL(shuffles_device_end(&device, &said), ERROR_DEVICE);
    close_bench();
}

TEST(a_device_that_becomes_another_one_is_told_at_the_end)
{
    open_bench("", "renamed@shuffle:2");
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said), 0);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT_EQUAL(shuffles_device_end(&device, &said), 0);
    CU_ASSERT_EQUAL(deal(), 0);
    CU_ASSERT_EQUAL(shuffles_device_end(&device, &said), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "after shuffle 2: the shuffler was "));
    close_bench();
}

TEST(cards_that_are_not_back_cannot_be_shuffled)
{
    start("", SHUFFLES_RETURNED_DEALT);
    CU_ASSERT_EQUAL(shuffles_device_deal(&device, &said), 0);
    CU_ASSERT_EQUAL(shuffles_device_deal(&device, &said), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "shuffle 2: "));
    CU_ASSERT_EQUAL(shuffles_device_return(&device, &said), 0);
    CU_ASSERT_EQUAL(deal(), 0);
    close_bench();
}

TEST(a_rig_without_a_shuffler_deals_no_orders)
{
    static const char text[] = "rig: bare\nclock: virtual\ndevices: {shoe: {address: emu:shoe}}\n";

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "x.yaml", text, strlen(text), &said), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 7, &said), 0);
    CU_ASSERT_EQUAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "'bare' has no shuffler"));
    close_bench();
}

TEST(of_two_decks_the_order_that_went_in_is_the_last_of_the_same_deck)
{
    card_t orders[6][DECK_SIZE];

    open_bench("decks=2,shuffle=riffle:1", "");
    rig->decks = 2;
    CU_ASSERT_EQUAL_FATAL(shuffles_device_start(&device, &bench, SHUFFLES_RETURNED_DEALT, &said),
                          0);
    for (unsigned i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(deal(), 0);
        memcpy(orders[i], device.order, DECK_SIZE);
        CU_ASSERT_EQUAL(device.deck, i % 2);
        CU_ASSERT_EQUAL(device.has_before, i >= 2);
        if (i >= 2)
            CU_ASSERT(!memcmp(orders[i - 2], device.before, DECK_SIZE));
    }
    close_bench();
}

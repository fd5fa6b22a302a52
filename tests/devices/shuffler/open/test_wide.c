/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shuffler in version 2 of the protocol: draws in any program, decks, numbers of 32 bits. */
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/shuffler.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct link *wire;
static struct shuffler *shuffler;
static struct error error;

static void begin(const char *address)
{
    clock_virtual(&clock_, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = model_make;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
}

static void end(void)
{
    shuffler_close(shuffler);
    link_close(wire);
    hal_close(&hal);
}

/* The next event of that kind. */
static struct shuffler_event await(enum shuffler_event_kind kind)
{
    struct shuffler_event event = {.kind = kind};
    int result = 1;

    for (bool is_found = false; !is_found && result > 0; is_found = event.kind == kind)
        result =
            shuffler_next(shuffler, &event, clock_now(&clock_) + 60 * NANOS_PER_SECOND, &error);
    CU_ASSERT_EQUAL(result, 1);
    return event;
}

static const struct shuffler_program fives = {.count = 2, .sizes = {5, 2}, .draws = 3};

TEST(any_program_may_have_draws)
{
    begin("emu:shuffler?protocol=2,shuffle=1,deal=1,take=1");
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &fives, &error), 0);
    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), 0);
    await(SHUFFLER_EVENT_SHUFFLED);
    for (unsigned press = 0; press < 4; press++) {
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
        for (unsigned i = 0; i < (press ? 1 : 2); i++)
            CU_ASSERT_EQUAL(await(SHUFFLER_EVENT_PRESENT).packet.size, press ? 1 : fives.sizes[i]);
        await(SHUFFLER_EVENT_TAKEN);
    }
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), REFUSED_STATE);
    end();
}

TEST(version_1_has_no_such_program)
{
    begin("emu:shuffler");
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &fives, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "protocol: 2"));
    CU_ASSERT_EQUAL(shuffler_can_program("open", "here", 1, &fives, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shuffler_can_program("open", "here", 0, &fives, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shuffler_can_program("open", "here", 2, &fives, &error), 0);
    end();
}

TEST(draws_that_are_not_claimed_are_not_programmed)
{
    begin("emu:shuffler?protocol=2,fault=hides@capability:5");
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &fives, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "does not claim draws"));
    end();
}

/* Shuffles one deck and puts it back. */
static struct shuffler_event shuffle(void)
{
    struct shuffler_event event;

    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), 0);
    event = await(SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_return_deck(shuffler, &error), 0);
    return event;
}

TEST(decks_are_told_and_take_turns)
{
    begin("emu:shuffler?protocol=2,decks=2");
    CU_ASSERT_TRUE(device_can(&shuffler->device, DEVICE_TELLS_BACKS));
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(shuffle().shuffled.deck, 1 + i % 2);
    end();
    begin("emu:shuffler?protocol=2");
    CU_ASSERT_FALSE(device_can(&shuffler->device, DEVICE_TELLS_BACKS));
    CU_ASSERT_EQUAL(shuffle().shuffled.deck, 0);
    end();
    begin("emu:shuffler?decks=2");
    CU_ASSERT_FALSE(device_can(&shuffler->device, DEVICE_TELLS_BACKS));
    CU_ASSERT_EQUAL(shuffle().shuffled.deck, 0);
    end();
}

TEST(shuffles_have_numbers_of_32_bits_and_go_round)
{
    struct shuffler_status status;

    begin("emu:shuffler?protocol=2,shuffles=65535");
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 65536);
    CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
    CU_ASSERT_EQUAL(status.shuffle, 65536);
    end();
    begin("emu:shuffler?protocol=2,shuffles=4294967294");
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 4294967295u);
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 0);
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 1);
    end();
    begin("emu:shuffler?shuffles=65535");
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 0);
    CU_ASSERT_EQUAL(shuffle().shuffled.number, 1);
    end();
}

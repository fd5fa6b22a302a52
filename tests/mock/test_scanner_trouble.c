/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes wrong with a scanner, on the real libevdev and a mocked kernel: it is pulled out and
 * plugged in again, keys are lost or mean nothing, it is no scanner, or not one that we may read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/mock/scanner_scene.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/suite.h"

TEST(a_scanner_that_is_pulled_out_leaves_what_was_read)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "05#"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), ERROR_DEVICE);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_STRING_EQUAL(scene.error.text,
                           NODE ": the scanner went away (No such device); plug it in again and "
                                "look at its cable");
    scanner_scene_tear_down(&scene);
}

static void await_return(void *context, unsigned try)
{
    struct scanner_scene *scene = context;
    const char *typed = scene->typed;

    if (typed) {
        scene->typed = NULL;
        CU_ASSERT_EQUAL(desk_answer(scene->hal.desk, scene->asked, typed, "Ann", DESK_TERMINAL,
                                    NULL, &scene->refused),
                        DESK_TAKEN);
    }
    if (try < 3 || !scene->plugged)
        return;
    input_mock_plug(scene->input);
    input_mock_type(scene->input, scene->plugged);
    scene->plugged = NULL;
}

static void hear_return(void *context, const char *address, unsigned tries, nanos_t away)
{
    struct scanner_scene *scene = context;

    CU_ASSERT_STRING_EQUAL(address, NODE);
    CU_ASSERT(away > 0);
    scene->returns++;
    scene->tries = tries;
}

/* Reads three cards with a scanner that is looked for. */
static int read_looking(struct scanner_scene *scene, const char *const *deeds, const char *plugged,
                        const char *typed)
{
    static struct reopen_policy policy = {.first = NANOS_PER_MILLI,
                                          .longest = 4 * NANOS_PER_MILLI,
                                          .tries = 5,
                                          .said = hear_return,
                                          .awaits = await_return};

    scanner_scene_set_up(scene, deeds);
    policy.context = scene;
    scene->reopen = &policy;
    scene->plugged = plugged;
    scene->typed = typed;
    return scanner_scene_read_cards(scene, &scanner_scene_three);
}

TEST(a_scanner_that_is_plugged_in_again_goes_on_where_it_was)
{
    struct scanner_scene scene;

    CU_ASSERT_EQUAL(read_looking(&scene, DEEDS("012\n", "05#", "003\n", "END\n"), "007\n", NULL),
                    0);
    EXPECT_READ(&scene, 12, 7, 3);
    CU_ASSERT_EQUAL(scene.asked, 4);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "007");
    CU_ASSERT_EQUAL(scene.returns, 1);
    CU_ASSERT_EQUAL(scene.tries, 3);
    CU_ASSERT_TRUE(input_mock_is_grabbed(scene.input));
    scanner_scene_tear_down(&scene);
}

TEST(what_was_read_before_the_scanner_went_away_counts_once)
{
    struct scanner_scene scene;

    CU_ASSERT_EQUAL(
        read_looking(&scene, DEEDS("012\n", "#", "007\n", "003\n", "END\n"), "012\n", NULL), 0);
    EXPECT_READ(&scene, 12, 7, 3);
    scanner_scene_expect_text(
        &scene, 2,
        "Ac was read already, as card 1; if there are two of it type it, or else go on. take "
        "packet 2 of 7: scan card 2 of 3, after Ac");
    scanner_scene_tear_down(&scene);
}

TEST(cards_may_be_typed_while_the_scanner_is_away)
{
    struct scanner_scene scene;

    CU_ASSERT_EQUAL(read_looking(&scene, DEEDS("012\n", "#", "", "END\n"), "003\n", "2d"), 0);
    CU_ASSERT_EQUAL(scene.reading.count, 3);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "2d");
    scanner_scene_tear_down(&scene);
}

TEST(a_scanner_that_does_not_come_back_leaves_what_was_read)
{
    struct scanner_scene scene;

    CU_ASSERT_EQUAL(read_looking(&scene, DEEDS("012\n", "#"), NULL, NULL), ERROR_DEVICE);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_STRING_EQUAL(scene.error.text,
                           "gone, and 5 tries did not bring it back: " NODE
                           ": it is not there: plug the scanner in, or see 'dealproof discover'");
    CU_ASSERT_EQUAL(scene.returns, 0);
    /* Plugged in later, it reads the next packet. */
    input_mock_plug(scene.input);
    scene.deeds = DEEDS("012\n", "007\n", "003\n", "END\n");
    scene.asked = 0;
    CU_ASSERT_EQUAL(
        card_reader_read(scene.reader, &scanner_scene_three, &scene.reading, &scene.error), 0);
    EXPECT_READ(&scene, 12, 7, 3);
    scanner_scene_tear_down(&scene);
}

TEST(keys_that_the_kernel_dropped_spoil_their_code_and_no_other)
{
    struct scanner_scene scene;

    /* libevdev drops what is there already, and so the code after it has no beginning either. */
    scanner_scene_set_up(&scene, DEEDS("012\n", "0~51\n", "051\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.asked, 6);
    CU_ASSERT_STRING_EQUAL(scene.texts[2], scene.texts[3]);
    scanner_scene_expect_text(
        &scene, 2,
        "keys of the scanner were lost: scan that card again. take packet 2 of 7: scan card 2 "
        "of 3, after Ac");
    scanner_scene_tear_down(&scene);
}

TEST(a_key_that_is_no_character_is_told)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("01^2\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    scanner_scene_expect_text(
        &scene, 1,
        "the scanner has typed KEY_F5, which is no character: set it to a US keyboard, and "
        "scan that card again. take packet 2 of 7: scan card 1 of 3");
    scanner_scene_tear_down(&scene);
}

TEST(ten_thousand_keys_without_an_end_are_told_and_leave_the_scanner_usable)
{
    char *keys = calloc(1, 10002);
    struct scanner_scene scene;

    memset(keys, '7', 10000);
    keys[10000] = '\n';
    scanner_scene_set_up(&scene, DEEDS(keys, "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.asked, 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.texts[1], "64 characters without Enter or Tab"));
    scanner_scene_tear_down(&scene);
    free(keys);
}

TEST(a_code_without_an_end_is_told_when_the_time_is_over)
{
    struct card_request request = scanner_scene_three;
    struct scanner_scene scene;

    request.limit_ms = 1500;
    scanner_scene_set_up(&scene, DEEDS("012\n", "051"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &request), ERROR_TIMEOUT);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "3 characters came without Enter or Tab"));
    scanner_scene_tear_down(&scene);
}

TEST(a_held_key_is_one_key)
{
    const struct card_request open = {.what = "packet 1 of 3", .least = 1, .most = 52};
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n", "@"));
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &open), 0);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "END");
    scanner_scene_tear_down(&scene);
}

TEST(what_was_scanned_before_it_was_asked_for_does_not_count)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("9\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL_FATAL(scanner_scene_open_reader(&scene, "scanner:" NODE), 0);
    scanner_scene_scan(&scene, "001\n00");
    CU_ASSERT_EQUAL(
        card_reader_read(scene.reader, &scanner_scene_three, &scene.reading, &scene.error), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    scanner_scene_expect_text(
        &scene, 0,
        "what was scanned before it was asked for does not count. take packet 2 of 7: scan card "
        "1 of 3");
    scanner_scene_tear_down(&scene);
}

static void cancel(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct scanner_scene *scene = context;

    (void)question;
    if (!answer && scene->asked == 2)
        hal_cancel(&scene->hal);
}

TEST(an_interrupt_in_the_middle_of_a_packet_leaves_what_was_read)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS("012\n"));
    CU_ASSERT_EQUAL(desk_listen(scene.hal.desk, &(struct desk_reader){cancel, &scene}, NULL), 0);
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), ERROR_ABORTED);
    EXPECT_READ(&scene, 12);
    scanner_scene_tear_down(&scene);
}

TEST(what_cannot_be_a_scanner_is_refused_with_what_would_be_right)
{
    static const struct {
        const char *cards;
        int code;
        const char *words;
    } cases[] = {
        {"scanner", ERROR_CONFIG, "needs its node"},
        {"scanner:", ERROR_CONFIG, "needs its node"},
        {"scanner:event5", ERROR_CONFIG, "write its absolute path"},
        {"scanner:/dev/input/event6", ERROR_DEVICE, "plug the scanner in"},
        {"scanner:/dev/input/event7", ERROR_CONFIG, "does not type digits"},
        {"scanner:/dev/null", ERROR_CONFIG, "is no input device"},
    };
    struct input_mock *mouse;
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS(NULL));
    mouse = input_mock_new(scene.testbed, 7, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL(scanner_scene_open_reader(&scene, cases[i].cards), cases[i].code);
        if (!strstr(scene.error.text, cases[i].words))
            printf("%s: %s\n", cases[i].cards, scene.error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, cases[i].words));
        CU_ASSERT_PTR_NULL(scene.reader);
    }
    input_mock_free(mouse);
    scanner_scene_tear_down(&scene);
}

TEST(a_scanner_needs_a_map_a_real_clock_and_somebody_to_ask)
{
    struct card_reader_setup setup = {.cards = "scanner:" NODE};
    struct clock still;
    struct scanner_scene scene;
    struct hal hal;

    scanner_scene_set_up(&scene, DEEDS(NULL));
    setup.hal = &scene.hal;
    CU_ASSERT_EQUAL(card_reader_open(&scene.reader, &setup, &scene.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "needs 'map: FILE'"));
    clock_virtual(&still, 0);
    hal_open(&hal, &still, NULL);
    setup.hal = &hal;
    setup.map = scene.map;
    CU_ASSERT_EQUAL(card_reader_open(&scene.reader, &setup, &scene.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "clock: real"));
    hal_close(&hal);
    desk_free(scene.hal.desk);
    scene.hal.desk = NULL;
    CU_ASSERT_EQUAL(scanner_scene_read_cards(&scene, &scanner_scene_three), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody is there to answer"));
    scanner_scene_tear_down(&scene);
}

TEST(a_scanner_that_we_may_not_read_is_told_with_the_remedy)
{
    struct scanner_scene scene;

    scanner_scene_set_up(&scene, DEEDS(NULL));
    chmod(scene.map, 0644);
    testbed_give_up_privileges(scene.testbed, NODE, true);
    CU_ASSERT_EQUAL(scanner_scene_open_reader(&scene, "scanner:" NODE), ERROR_RIG);
    testbed_give_up_privileges(scene.testbed, NODE, false);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "tools/99-dealproof.rules"));
    scanner_scene_tear_down(&scene);
}

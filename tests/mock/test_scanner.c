/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scanner on the real libevdev and a mocked kernel, and who stands beside it at the desk. */
#include <errno.h>
#include <linux/input-event-codes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices/cards/reader.h"
#include "hal/desk/desk.h"
#include "tests/support/mock/input_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define NODE "/dev/input/event5"

/*
 * A reader at a bench, and somebody who does the next thing of a list for each question: the text
 * is typed by the scanner, or after a '>' at the desk. A '~' is keys that were lost, '^' a key that
 * is no character, '#' the end of the scanner's cable, '@' the code END with keys that are held.
 */
struct scene {
    UMockdevTestbed *testbed;
    struct input_mock *input;
    struct clock clock;
    struct hal hal;
    struct card_reader *reader;
    unsigned decks;
    const char *const *deeds;
    const struct reopen_policy *reopen;
    const char *plugged;     /* typed after it is plugged in, for the third try */
    const char *typed;       /* at the desk while it is away; NULL: nothing */
    unsigned returns, tries; /* how often it came back, and after how many */
    unsigned asked;
    char texts[16][DESK_TEXT_SIZE];
    char heard[16][DESK_ANSWER_SIZE];
    struct error refused; /* what was typed at the desk last */
    char map[SCRATCH_PATH_SIZE];
    struct card_reading reading;
    struct error error;
};

/* Shift and a letter are held, and so repeated by the kernel. */
static void hold(struct scene *scene)
{
    input_mock_event(scene->input, KEY_LEFTSHIFT, 1);
    input_mock_event(scene->input, KEY_LEFTSHIFT, 2);
    input_mock_event(scene->input, KEY_E, 1);
    input_mock_event(scene->input, KEY_E, 2);
    input_mock_event(scene->input, KEY_E, 2);
    input_mock_event(scene->input, KEY_E, 0);
    input_mock_event(scene->input, KEY_LEFTSHIFT, 0);
    input_mock_type(scene->input, "ND\n");
}

static void scan(struct scene *scene, const char *keys)
{
    for (; *keys; keys++) {
        const char text[] = {*keys, '\0'};

        if (*keys == '~')
            input_mock_drop(scene->input);
        else if (*keys == '^')
            input_mock_key(scene->input, KEY_F5);
        else if (*keys == '#')
            input_mock_unplug(scene->input);
        else if (*keys == '@')
            hold(scene);
        else
            input_mock_type(scene->input, text);
    }
}

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct scene *scene = context;
    const char *deed;

    if (answer) {
        strcpy(scene->heard[scene->asked - 1], answer->text);
        return;
    }
    CU_ASSERT_FATAL(scene->asked < 16);
    strcpy(scene->texts[scene->asked++], question->text);
    while ((deed = *scene->deeds)) {
        scene->deeds++;
        if (*deed != '>') {
            scan(scene, deed);
            return;
        }
        if (desk_answer(scene->hal.desk, question->id, deed + 1, "Ann", DESK_TERMINAL, NULL,
                        &scene->refused) == DESK_TAKEN)
            return;
    }
}

/* The code of a card is its number, after 0 in deck 1 and 1 in deck 2, "END" says done, "JAM" jam.
 */
static void write_map(struct scene *scene)
{
    char text[DECKS_MAX * DECK_SIZE * 40 + 120];
    size_t length = 0;

    for (unsigned i = 0; i < DECKS_MAX * DECK_SIZE; i++) {
        char card[3] = "";

        card_format(card_from_index(i % DECK_SIZE), card);
        length +=
            (size_t)sprintf(text + length, "{\"code\":\"%u%02u\",\"card\":\"%s\",\"deck\":%u}\n",
                            i / DECK_SIZE, i % DECK_SIZE, card, i / DECK_SIZE + 1);
    }
    length += (size_t)sprintf(text + length, "{\"code\":\"END\",\"word\":\"done\"}\n"
                                             "{\"code\":\"BACK\",\"word\":\"undo\"}\n"
                                             "{\"code\":\"JAM\",\"word\":\"jam\"}\n");
    scratch_path(scene->map);
    scratch_write(scene->map, text, length);
}

static int open_reader(struct scene *scene, const char *cards)
{
    const struct card_reader_setup setup = {.hal = &scene->hal,
                                            .cards = cards,
                                            .map = scene->map,
                                            .decks = scene->decks,
                                            .reopen = scene->reopen};

    return card_reader_open(&scene->reader, &setup, &scene->error);
}

static void set_up(struct scene *scene, const char *const *deeds)
{
    *scene = (struct scene){.deeds = deeds};
    scene->testbed = testbed_new();
    scene->input = input_mock_new(scene->testbed, 5, true);
    clock_real(&scene->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&scene->hal, &scene->clock, NULL), 0);
    scene->hal.desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->hal.desk);
    desk_sides(scene->hal.desk, DESK_TERMINAL);
    CU_ASSERT_EQUAL(desk_listen(scene->hal.desk, &(struct desk_reader){told, scene}, NULL), 0);
    write_map(scene);
}

static void tear_down(struct scene *scene)
{
    card_reader_close(scene->reader);
    desk_free(scene->hal.desk);
    hal_close(&scene->hal);
    input_mock_free(scene->input);
    g_object_unref(scene->testbed);
    unlink(scene->map);
}

#define DEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct card_request three = {.what = "take packet 2 of 7", .least = 3, .most = 3};

static int read_cards(struct scene *scene, const struct card_request *request)
{
    CU_ASSERT_EQUAL_FATAL(open_reader(scene, "scanner:" NODE), 0);
    CU_ASSERT_TRUE(card_reader_reads(scene->reader));
    return card_reader_read(scene->reader, request, &scene->reading, &scene->error);
}

/* By the numbers of the cards, in a row. */
static void expect_read(const struct scene *scene, const unsigned *indexes, unsigned count)
{
    CU_ASSERT_EQUAL_FATAL(scene->reading.count, count);
    for (unsigned i = 0; i < count; i++)
        CU_ASSERT_EQUAL(scene->reading.cards[i], card_from_index(indexes[i]));
}

#define EXPECT_READ(scene, ...)                                                                    \
    expect_read(scene, (const unsigned[]){__VA_ARGS__},                                            \
                sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static void expect_text(const struct scene *scene, unsigned index, const char *text)
{
    CU_ASSERT_FATAL(index < scene->asked);
    if (strcmp(scene->texts[index], text) != 0)
        printf("%s\n", scene->texts[index]);
    CU_ASSERT_STRING_EQUAL(scene->texts[index], text);
}

TEST(cards_drawn_past_the_scanner_are_read_in_their_order)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "051\t", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.reading.backs[1], 1);
    CU_ASSERT_FALSE(scene.reading.is_nodded);
    expect_text(&scene, 0, "take packet 2 of 7: scan card 1 of 3");
    expect_text(&scene, 1, "take packet 2 of 7: scan card 2 of 3, after Ac");
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "051");
    tear_down(&scene);
}

TEST(codes_that_come_faster_than_questions_wait_for_theirs)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n051\n000\nEND\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    tear_down(&scene);
}

TEST(nobody_else_hears_the_scanner_while_it_is_open)
{
    struct scene scene;

    set_up(&scene, DEEDS(NULL));
    CU_ASSERT_EQUAL_FATAL(open_reader(&scene, "scanner:" NODE), 0);
    CU_ASSERT_TRUE(input_mock_is_grabbed(scene.input));
    card_reader_close(scene.reader);
    scene.reader = NULL;
    CU_ASSERT_FALSE(input_mock_is_grabbed(scene.input));
    tear_down(&scene);
}

TEST(a_scanner_that_another_program_has_is_not_read)
{
    struct scene scene;

    set_up(&scene, DEEDS(NULL));
    input_mock_refuse_grab(scene.input, EBUSY);
    CU_ASSERT_EQUAL(open_reader(&scene, "scanner:" NODE), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(scene.error.text, NODE ": another program has grabbed it; end that one");
    CU_ASSERT_PTR_NULL(scene.reader);
    tear_down(&scene);
}

TEST(a_code_that_no_map_has_is_refused_and_the_card_asked_for_again)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "999\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    expect_text(
        &scene, 2,
        "no line of the map has the code '999': scan that card again. take packet 2 of 7: scan "
        "card 2 of 3, after Ac");
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "999");
    tear_down(&scene);
}

TEST(a_card_that_is_read_twice_counts_once)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "012\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    expect_text(&scene, 2,
                "Ac was read already, as card 1; if there are two of it type it, or else go on. "
                "take packet 2 of 7: scan card 2 of 3, after Ac");
    tear_down(&scene);
}

TEST(a_card_of_which_there_are_two_is_read_when_somebody_says_so)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "012\n", ">ac", ">ac", ">ac", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 12, 12);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "Ac was read already, as card 2; look again, and if it is there type it "
                           "once more");
    tear_down(&scene);
}

TEST(a_card_of_an_earlier_packet_is_refused_with_that_packet)
{
    uint8_t seen_in[CARD_VALUES] = {0};
    struct card_request request = three;
    struct scene scene;

    seen_in[card_from_index(12)] = 4;
    request.seen_in = seen_in;
    set_up(&scene, DEEDS("012\n", "051\n", "000\n", ">2d ac", ">2d", ">done"));
    CU_ASSERT_EQUAL(read_cards(&scene, &request), 0);
    EXPECT_READ(&scene, 51, 0, 13);
    expect_text(&scene, 1,
                "Ac was seen in packet 4 already; if there are two of it type it, or else go on. "
                "take packet 2 of 7: scan card 1 of 3");
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "Ac was seen in packet 4 already; look again, and if it is there type "
                           "it once more");
    tear_down(&scene);
}

TEST(a_card_that_cannot_be_scanned_may_be_typed)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", ">xx", ">10h AS", ">Done"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 34, 51);
    CU_ASSERT_EQUAL(scene.reading.backs[1], 0);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "'xx' is no card; write rank and suit, as in As or 10h");
    tear_down(&scene);
}

TEST(the_last_card_can_be_taken_back)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "051\n", "BACK\n", ">undo", ">undo", "BACK\n", "000\n", "001\n",
                         "002\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 0, 1, 2);
    CU_ASSERT_STRING_EQUAL(scene.refused.text, "there is nothing to take back any more");
    expect_text(&scene, 5,
                "there is nothing to take back any more. take packet 2 of 7: scan card 1 of 3");
    tear_down(&scene);
}

TEST(before_the_first_card_it_is_the_packet_before_that_is_taken_back)
{
    struct card_request request = three;
    struct scene scene;

    request.previous = "packet 1";
    set_up(&scene, DEEDS("012\n", "BACK\n", "BACK\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &request), 0);
    CU_ASSERT_TRUE(scene.reading.is_undone);
    CU_ASSERT_EQUAL(scene.reading.count, 0);
    tear_down(&scene);
}

TEST(a_packet_is_whole_when_somebody_says_so_and_not_before)
{
    struct scene scene;

    set_up(&scene, DEEDS("END\n", ">done", "012\n", "051\n", "000\n", "001\n", "END\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0, 1);
    expect_text(&scene, 1, "no card was read yet. take packet 2 of 7: scan card 1 of 3");
    expect_text(&scene, 4,
                "take packet 2 of 7: all 3 cards, after 2c; say done, or scan what more there is");
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.texts[6],
                                  "4 cards where 3 belong; look again, and if it is "
                                  "so say done once more"));
    tear_down(&scene);
}

TEST(a_packet_with_too_few_cards_is_read_when_somebody_says_so_twice)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", ">done", "051\n", ">done", ">done"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51);
    CU_ASSERT_STRING_EQUAL(scene.refused.text,
                           "2 cards where 3 belong; look again, and if it is so "
                           "say done once more");
    tear_down(&scene);
}

TEST(cards_that_are_drawn_one_by_one_end_with_the_last_that_is_due)
{
    const struct card_request line = {.what = "draw 2 cards", .least = 1, .most = 2};
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "051\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &line), 0);
    EXPECT_READ(&scene, 12, 51);
    expect_text(&scene, 0, "draw 2 cards: scan card 1 of 2");
    expect_text(&scene, 1, "draw 2 cards: scan card 2 of 2, after Ac, or say done");
    tear_down(&scene);
}

TEST(a_packet_of_a_stacked_deck_may_be_confirmed_by_a_nod)
{
    card_t recorded[3] = {card_from_index(7), card_from_index(8), card_from_index(9)};
    struct card_request request = three;
    struct scene scene;

    request.recorded = recorded;
    set_up(&scene, DEEDS("012\n", ">", ">undo", ">"));
    CU_ASSERT_EQUAL(read_cards(&scene, &request), 0);
    EXPECT_READ(&scene, 7, 8, 9);
    CU_ASSERT_TRUE(scene.reading.is_nodded);
    expect_text(&scene, 0, "take packet 2 of 7: scan card 1 of 3 (Enter: as recorded)");
    tear_down(&scene);
}

TEST(a_fault_is_named_by_a_word_or_by_its_code)
{
    static const char *const faults[] = {"door", "jam", NULL};
    struct card_request request = three;

    request.faults = faults;
    for (unsigned i = 0; i < 2; i++) {
        struct scene scene;

        set_up(&scene, i ? DEEDS("012\n", ">Jam") : DEEDS("012\n", "JAM\n"));
        CU_ASSERT_EQUAL(read_cards(&scene, &request), 0);
        CU_ASSERT_EQUAL(scene.reading.fault, 2);
        EXPECT_READ(&scene, 12);
        tear_down(&scene);
    }
}

TEST(a_scanner_that_is_pulled_out_leaves_what_was_read)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "05#"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), ERROR_DEVICE);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_STRING_EQUAL(scene.error.text,
                           NODE ": the scanner went away (No such device); plug it in again and "
                                "look at its cable");
    tear_down(&scene);
}

static void await_return(void *context, unsigned try)
{
    struct scene *scene = context;
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
    struct scene *scene = context;

    CU_ASSERT_STRING_EQUAL(address, NODE);
    CU_ASSERT(away > 0);
    scene->returns++;
    scene->tries = tries;
}

/* Reads three cards with a scanner that is looked for. */
static int read_looking(struct scene *scene, const char *const *deeds, const char *plugged,
                        const char *typed)
{
    static struct reopen_policy policy = {.first = NANOS_PER_MILLI,
                                          .longest = 4 * NANOS_PER_MILLI,
                                          .tries = 5,
                                          .said = hear_return,
                                          .awaits = await_return};

    set_up(scene, deeds);
    policy.context = scene;
    scene->reopen = &policy;
    scene->plugged = plugged;
    scene->typed = typed;
    return read_cards(scene, &three);
}

TEST(a_scanner_that_is_plugged_in_again_goes_on_where_it_was)
{
    struct scene scene;

    CU_ASSERT_EQUAL(read_looking(&scene, DEEDS("012\n", "05#", "003\n", "END\n"), "007\n", NULL),
                    0);
    EXPECT_READ(&scene, 12, 7, 3);
    CU_ASSERT_EQUAL(scene.asked, 4);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "007");
    CU_ASSERT_EQUAL(scene.returns, 1);
    CU_ASSERT_EQUAL(scene.tries, 3);
    CU_ASSERT_TRUE(input_mock_is_grabbed(scene.input));
    tear_down(&scene);
}

TEST(what_was_read_before_the_scanner_went_away_counts_once)
{
    struct scene scene;

    CU_ASSERT_EQUAL(
        read_looking(&scene, DEEDS("012\n", "#", "007\n", "003\n", "END\n"), "012\n", NULL), 0);
    EXPECT_READ(&scene, 12, 7, 3);
    expect_text(
        &scene, 2,
        "Ac was read already, as card 1; if there are two of it type it, or else go on. take "
        "packet 2 of 7: scan card 2 of 3, after Ac");
    tear_down(&scene);
}

TEST(cards_may_be_typed_while_the_scanner_is_away)
{
    struct scene scene;

    CU_ASSERT_EQUAL(read_looking(&scene, DEEDS("012\n", "#", "", "END\n"), "003\n", "2d"), 0);
    CU_ASSERT_EQUAL(scene.reading.count, 3);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "2d");
    tear_down(&scene);
}

TEST(a_scanner_that_does_not_come_back_leaves_what_was_read)
{
    struct scene scene;

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
    CU_ASSERT_EQUAL(card_reader_read(scene.reader, &three, &scene.reading, &scene.error), 0);
    EXPECT_READ(&scene, 12, 7, 3);
    tear_down(&scene);
}

TEST(keys_that_the_kernel_dropped_spoil_their_code_and_no_other)
{
    struct scene scene;

    /* libevdev drops what is there already, and so the code after it has no beginning either. */
    set_up(&scene, DEEDS("012\n", "0~51\n", "051\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.asked, 6);
    CU_ASSERT_STRING_EQUAL(scene.texts[2], scene.texts[3]);
    expect_text(
        &scene, 2,
        "keys of the scanner were lost: scan that card again. take packet 2 of 7: scan card 2 "
        "of 3, after Ac");
    tear_down(&scene);
}

TEST(a_key_that_is_no_character_is_told)
{
    struct scene scene;

    set_up(&scene, DEEDS("01^2\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    expect_text(&scene, 1,
                "the scanner has typed KEY_F5, which is no character: set it to a US keyboard, and "
                "scan that card again. take packet 2 of 7: scan card 1 of 3");
    tear_down(&scene);
}

TEST(ten_thousand_keys_without_an_end_are_told_and_leave_the_scanner_usable)
{
    char *keys = calloc(1, 10002);
    struct scene scene;

    memset(keys, '7', 10000);
    keys[10000] = '\n';
    set_up(&scene, DEEDS(keys, "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(scene.asked, 5);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.texts[1], "64 characters without Enter or Tab"));
    tear_down(&scene);
    free(keys);
}

TEST(a_code_without_an_end_is_told_when_the_time_is_over)
{
    struct card_request request = three;
    struct scene scene;

    request.limit_ms = 1500;
    set_up(&scene, DEEDS("012\n", "051"));
    CU_ASSERT_EQUAL(read_cards(&scene, &request), ERROR_TIMEOUT);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "3 characters came without Enter or Tab"));
    tear_down(&scene);
}

TEST(a_held_key_is_one_key)
{
    const struct card_request open = {.what = "packet 1 of 3", .least = 1, .most = 52};
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "@"));
    CU_ASSERT_EQUAL(read_cards(&scene, &open), 0);
    EXPECT_READ(&scene, 12);
    CU_ASSERT_STRING_EQUAL(scene.heard[1], "END");
    tear_down(&scene);
}

TEST(what_was_scanned_before_it_was_asked_for_does_not_count)
{
    struct scene scene;

    set_up(&scene, DEEDS("9\n", "012\n", "051\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL_FATAL(open_reader(&scene, "scanner:" NODE), 0);
    scan(&scene, "001\n00");
    CU_ASSERT_EQUAL(card_reader_read(scene.reader, &three, &scene.reading, &scene.error), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    expect_text(
        &scene, 0,
        "what was scanned before it was asked for does not count. take packet 2 of 7: scan card "
        "1 of 3");
    tear_down(&scene);
}

static void cancel(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct scene *scene = context;

    (void)question;
    if (!answer && scene->asked == 2)
        hal_cancel(&scene->hal);
}

TEST(an_interrupt_in_the_middle_of_a_packet_leaves_what_was_read)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n"));
    CU_ASSERT_EQUAL(desk_listen(scene.hal.desk, &(struct desk_reader){cancel, &scene}, NULL), 0);
    CU_ASSERT_EQUAL(read_cards(&scene, &three), ERROR_ABORTED);
    EXPECT_READ(&scene, 12);
    tear_down(&scene);
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
    struct scene scene;

    set_up(&scene, DEEDS(NULL));
    mouse = input_mock_new(scene.testbed, 7, false);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL(open_reader(&scene, cases[i].cards), cases[i].code);
        if (!strstr(scene.error.text, cases[i].words))
            printf("%s: %s\n", cases[i].cards, scene.error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, cases[i].words));
        CU_ASSERT_PTR_NULL(scene.reader);
    }
    input_mock_free(mouse);
    tear_down(&scene);
}

TEST(a_scanner_needs_a_map_a_real_clock_and_somebody_to_ask)
{
    struct card_reader_setup setup = {.cards = "scanner:" NODE};
    struct clock still;
    struct scene scene;
    struct hal hal;

    set_up(&scene, DEEDS(NULL));
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
    CU_ASSERT_EQUAL(read_cards(&scene, &three), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody is there to answer"));
    tear_down(&scene);
}

TEST(a_scanner_that_we_may_not_read_is_told_with_the_remedy)
{
    struct scene scene;

    set_up(&scene, DEEDS(NULL));
    chmod(scene.map, 0644);
    testbed_give_up_privileges(scene.testbed, NODE, true);
    CU_ASSERT_EQUAL(open_reader(&scene, "scanner:" NODE), ERROR_RIG);
    testbed_give_up_privileges(scene.testbed, NODE, false);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "tools/99-dealproof.rules"));
    tear_down(&scene);
}

TEST(a_card_is_of_the_deck_that_the_map_says_or_who_types_it)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "151\n", ">2c", ">done"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 0, 0}), 4), 0);
    CU_ASSERT_TRUE(scene.reader->tells_backs);
    tear_down(&scene);
    set_up(&scene, DEEDS("012\n", ">as/2 2c/1", ">done"));
    scene.decks = 2;
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 51, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 1, 0}), 4), 0);
    tear_down(&scene);
}

TEST(the_same_card_of_the_other_deck_is_no_card_that_was_read_twice)
{
    struct scene scene;

    set_up(&scene, DEEDS("012\n", "112\n", "112\n", "000\n", "END\n"));
    CU_ASSERT_EQUAL(read_cards(&scene, &three), 0);
    EXPECT_READ(&scene, 12, 12, 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 1, 0}), 4), 0);
    expect_text(&scene, 2, "take packet 2 of 7: scan card 3 of 3, after Ac");
    expect_text(&scene, 3,
                "Ac was read already, as card 2; if there are two of it type it, or else go on. "
                "take packet 2 of 7: scan card 3 of 3, after Ac");
    tear_down(&scene);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reader at a bench whose scanner is umockdev's, and somebody who does the next thing of a list
 * for each question: the text is typed by the scanner, or after a '>' at the desk. A '~' is keys
 * that were lost, '^' a key that is no character, '#' the end of the scanner's cable, '@' the code
 * END with keys that are held. The test owns the scene and tears it down; the list and the policy
 * stay the test's and outlive it. Run under umockdev-wrapper.
 */
#ifndef TESTS_SUPPORT_MOCK_SCANNER_SCENE_H
#define TESTS_SUPPORT_MOCK_SCANNER_SCENE_H

#include "devices/cards/reader.h"
#include "hal/desk/desk.h"
#include "tests/support/mock/input_mock.h"
#include "tests/support/scratch.h"

/* Where its scanner is. */
#define NODE "/dev/input/event5"

struct scanner_scene {
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

/* A packet of three cards. */
extern const struct card_request scanner_scene_three;

#define DEEDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* No reader is open yet. */
void scanner_scene_set_up(struct scanner_scene *scene, const char *const *deeds);
void scanner_scene_tear_down(struct scanner_scene *scene);

int scanner_scene_open_reader(struct scanner_scene *scene, const char *cards);

/* Opens the reader on the scanner and reads into the scene. */
int scanner_scene_read_cards(struct scanner_scene *scene, const struct card_request *request);

/* Types as a deed does. */
void scanner_scene_scan(struct scanner_scene *scene, const char *keys);

/* By the numbers of the cards, in a row. */
void scanner_scene_expect_read(const struct scanner_scene *scene, const unsigned *indexes,
                               unsigned count);

#define EXPECT_READ(scene, ...)                                                                    \
    scanner_scene_expect_read(scene, (const unsigned[]){__VA_ARGS__},                              \
                              sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

/* The text of a question, by when it was asked. */
void scanner_scene_expect_text(const struct scanner_scene *scene, unsigned index, const char *text);

#endif

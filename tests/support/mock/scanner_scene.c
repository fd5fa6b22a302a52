/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/scanner_scene.h"

#include <linux/input-event-codes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/mock/testbed_node.h"
#include "tests/support/suite.h"

const struct card_request scanner_scene_three = {
    .what = "take packet 2 of 7", .least = 3, .most = 3};

/* Shift and a letter are held, and so repeated by the kernel. */
static void hold(struct scanner_scene *scene)
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

void scanner_scene_scan(struct scanner_scene *scene, const char *keys)
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
    struct scanner_scene *scene = context;
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
            scanner_scene_scan(scene, deed);
            return;
        }
        if (desk_answer(scene->hal.desk, question->id, deed + 1, "Ann", DESK_TERMINAL, NULL,
                        &scene->refused) == DESK_TAKEN)
            return;
    }
}

/* The code of a card is its number, after 0 in deck 1 and 1 in deck 2, "END" says done, "JAM" jam.
 */
static void write_map(struct scanner_scene *scene)
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

int scanner_scene_open_reader(struct scanner_scene *scene, const char *cards)
{
    const struct card_reader_setup setup = {.hal = &scene->hal,
                                            .cards = cards,
                                            .map = scene->map,
                                            .decks = scene->decks,
                                            .reopen = scene->reopen};

    return card_reader_open(&scene->reader, &setup, &scene->error);
}

void scanner_scene_set_up(struct scanner_scene *scene, const char *const *deeds)
{
    *scene = (struct scanner_scene){.deeds = deeds};
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

void scanner_scene_tear_down(struct scanner_scene *scene)
{
    card_reader_close(scene->reader);
    desk_free(scene->hal.desk);
    hal_close(&scene->hal);
    input_mock_free(scene->input);
    g_object_unref(scene->testbed);
    unlink(scene->map);
}

int scanner_scene_read_cards(struct scanner_scene *scene, const struct card_request *request)
{
    CU_ASSERT_EQUAL_FATAL(scanner_scene_open_reader(scene, "scanner:" NODE), 0);
    CU_ASSERT_TRUE(card_reader_reads(scene->reader));
    return card_reader_read(scene->reader, request, &scene->reading, &scene->error);
}

void scanner_scene_expect_read(const struct scanner_scene *scene, const unsigned *indexes,
                               unsigned count)
{
    CU_ASSERT_EQUAL_FATAL(scene->reading.count, count);
    for (unsigned i = 0; i < count; i++)
        CU_ASSERT_EQUAL(scene->reading.cards[i], card_from_index(indexes[i]));
}

void scanner_scene_expect_text(const struct scanner_scene *scene, unsigned index, const char *text)
{
    CU_ASSERT_FATAL(index < scene->asked);
    if (strcmp(scene->texts[index], text) != 0)
        printf("%s\n", scene->texts[index]);
    CU_ASSERT_STRING_EQUAL(scene->texts[index], text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices that people work, or whose cards people read, with a caller that asks for anything in any
 * order (tests/fuzz/deeds.h) and people who answer what they like. An input is a text: the first
 * character names the rig; if '?' comes next, the rest of that line are options of its model. A
 * line that begins with '=' is an answer of Ann at the page, with '+' of Bob behind a script, with
 * '<' one to a question that is over, with '@' what is right, with '!' they leave; any other line
 * is a deed. Questions end, and what is told of them can be told on.
 *
 * Covers: devices/shuffler/hands/driver.c devices/shoe/hands/driver.c
 * Covers: devices/terminal/hands/driver.c devices/terminal/hands/answers.c
 * Covers: devices/shuffler/pins/driver.c devices/shuffler/pins/watch.c
 * Covers: devices/shuffler/pins/people.c devices/shuffler/pins/machine.c
 * Covers: devices/shuffler/pins/model.c devices/sensors/pins/driver.c
 * Covers: devices/sensors/pins/commands.c devices/sensors/pins/watch.c devices/sensors/pins/model.c
 * Covers: devices/sensors/seat.c devices/cards/hands.c devices/cards/reader.c devices/cards/stack.c
 * Covers: devices/cards/none.c devices/hands/step.c hal/desk/desk.c hal/desk/text.c
 * Covers: hal/desk/write.c
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/sensors/pins/model.h"
#include "devices/shuffler/pins/model.h"
#include "hal/base/json.h"
#include "hal/desk/desk.h"
#include "tests/fuzz/deeds.h"

#define DEEDS_MAX 200

#define SEAT(n) "      - {seat: " n ", bet: bet" n ", light: light" n ", chip: chip" n "}\n"
#define PINS                                                                                       \
    "    driver: pins\n    button: button\n    exit: exit\n    ready: ready\n    jam: jam\n"       \
    "    door: door\n"
#define HEAD "rig: people\nclock: virtual\norder: stack\n"

/* In texts: where the options of an input go, in the place of those behind it. */
#define OPTIONS "\1"

static struct scenery {
    const char *text;
    struct rig *rig;
} sceneries[] = {
    {HEAD "devices:\n  shuffler: {driver: hands}\n  terminal: {driver: hands}\n", NULL},
    {HEAD "devices:\n  shoe: {driver: hands}\n  terminal: {driver: hands}\n", NULL},
    {HEAD "decks: 2\ndevices:\n  shuffler: {driver: hands}\n", NULL},
    {HEAD "decks: 2\ndevices:\n  shoe: {driver: hands}\n", NULL},
    {HEAD "devices:\n  shuffler: {driver: hands, cards: none}\n", NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS
          "'\n    cards: hands\n" PINS,
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS "?press=deals'\n" PINS,
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS
          "'\n    cards: none\n" PINS,
     NULL},
    {HEAD "devices:\n  sensors:\n    address: 'emu:table" OPTIONS "'\n    seats:\n" SEAT("1") SEAT(
         "2") SEAT("3") "      - {seat: 4, bet: bet4, light: light4, chip: chip4, lamp: lamp4}\n"
                        "      - {seat: 5, bet: bet5, lamp: lamp5}\n",
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS
          "?active-low=exit+jam,shuffle=uniform,"
          "take=300,press=shuffles-then-deals'\n    options: press=shuffles-then-deals\n"
          "    active-low: [exit, jam]\n    cards: model\n" PINS,
     NULL},
    {HEAD "devices:\n  sensors:\n    address: 'emu:table" OPTIONS
          "?active-low=bet+lamp,seats=4,bounce=8,glow=5'\n"
          "    active-low: [bet, lamp]\n    seats:\n" SEAT("1") SEAT("2"),
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS "?press=deals'\n"
          "    options: press=deals\n" PINS,
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS "'\n"
          "    driver: pins\n    exit: exit\n    cards: hands\n",
     NULL},
    {HEAD "decks: 2\ndevices:\n  shuffler:\n    address: 'emu:plain-shuffler" OPTIONS
          "?press=deals'\n    options: press=deals\n    driver: pins\n    exit: exit\n"
          "    button: button\n",
     NULL},
};
#define RUN       2 /* of the desk */
#define SCENERIES (sizeof sceneries / sizeof sceneries[0])
#define EXTRA     3 /* the last of them, by the highest bit of the first character */

/* The rig of a scenery, with such options in the place of its own, or NULL if there is none. */
static struct rig *rig_with(const struct scenery *scenery, const char *options)
{
    const char *at = strchr(scenery->text, OPTIONS[0]);
    size_t before = at ? (size_t)(at - scenery->text) : strlen(scenery->text);
    const char *rest = at ? at + 1 : "";
    char text[2048];
    struct rig *rig = NULL;
    struct error error = {.text = ""};
    int status;

    if (options)
        rest += strcspn(rest, "'");
    snprintf(text, sizeof text, "%.*s%.200s%s", (int)before, scenery->text, options ? options : "",
             rest);
    status = rig_parse(&rig, "fuzz.yaml", text, strlen(text), &error);
    FUZZ_MUST(!status || (options && error.text[0]));
    return status ? NULL : rig;
}

/* The people of one input. */
struct people {
    struct desk *desk;
    char *at; /* lines that are left */
    unsigned card;
    struct json_reader *json;
};

/* The next line of an answer; NULL: there is none. Deeds before it are still to come. */
static char *next_answer(struct people *people)
{
    static const char marks[] = "=+<@!";
    char *line = people->at;

    for (; *line; line += strlen(line) + 1)
        if (strchr(marks, *line))
            break;
    if (!*line)
        return NULL;
    return line;
}

/* What somebody says who means well. */
static void say_well(struct people *people, const struct desk_open *question, char *said)
{
    const char *count = strstr(question->text, ": its ");
    unsigned cards = count ? (unsigned)strtoul(count + 6, NULL, 10) : 0;

    strcpy(said, question->choice_count ? question->choices[0] : "none");
    for (unsigned i = 0; i < cards && i < 52; i++, said += strlen(said)) {
        if (i)
            strcpy(said++, " ");
        memset(said, 0, 3);
        card_format(card_from_index(people->card++ % DECK_SIZE), said);
    }
}

/* A question as it is on the wire is JSON. */
static void write_down(struct people *people, const struct desk_open *question)
{
    char line[8192] = "{";
    struct json_text text;
    struct error error;

    for (unsigned side = 0; side <= DESK_SCANNER; side++)
        FUZZ_MUST(*desk_side_name((enum desk_side)side));
    json_text_begin(&text, line + 1, sizeof line - 2);
    desk_write(question, &text);
    FUZZ_MUST(!text.full);
    *text.at++ = '}';
    FUZZ_MUST(json_read(people->json, line, (size_t)(text.at - line), &error));
}

static enum desk_result answer_line(struct people *people, const struct desk_open *question,
                                    const char *line)
{
    char said[4 * DESK_ANSWER_SIZE];
    struct error error = {.text = ""};
    struct answer first;
    enum desk_result result;
    bool is_bob = *line == '+';

    snprintf(said, sizeof said, "%s", line + 1);
    if (*line == '@')
        say_well(people, question, said);
    result = desk_answer(people->desk, question->id - (*line == '<'), said, is_bob ? "Bob" : "Ann",
                         is_bob ? DESK_SCRIPT : DESK_PAGE, &first, &error);
    FUZZ_MUST(result != DESK_NOT_ALLOWED || error.text[0]);
    return result;
}

/* In the place of a journal, which is full when somebody has said too much. */
static int scribble(void *context, const struct desk_open *question, const struct answer *answer,
                    struct error *error)
{
    (void)context;
    FUZZ_MUST(question->id && question->run == RUN);
    return answer && answer->refused > 2 ? error_set(error, ERROR_RIG, "there is no room") : 0;
}

/* One who looks on. */
static void ignore(void *context, const struct desk_open *question, const struct answer *answer)
{
    (void)context;
    FUZZ_MUST(question->id && (!answer || answer->side <= DESK_SCANNER));
}

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct people *people = context;
    struct desk_open open;
    char *line;

    desk_look(people->desk, &open);
    FUZZ_MUST(open.run == RUN && (answer || open.id == question->id));
    write_down(people, question);
    if (answer)
        return;
    while ((line = next_answer(people))) {
        char mark = *line;
        bool is_taken;

        if (mark == '!')
            break;
        is_taken = answer_line(people, question, line) == DESK_TAKEN;
        /* It was said: it is no deed, and no answer to another question. */
        memset(line, '#', strlen(line));
        if (is_taken)
            return;
    }
    desk_leave(people->desk, DESK_PAGE);
    desk_leave(people->desk, DESK_SCRIPT);
}

/* Deeds in the order of their lines, answers being taken meanwhile. */
static void do_all(struct bench *bench, struct people *people, char *end)
{
    while (people->at < end) {
        struct fuzz_input input = {(uint8_t *)people->at, strlen(people->at)};
        char *next = people->at + input.left + 1;

        if (input.left && !strchr("=+<@!#", *people->at))
            fuzz_deed(bench, &input);
        people->at = next;
    }
}

/* The text as lines that end with a NUL; empty ones are left out. */
static char *cut_lines(char *text)
{
    char *to = text;
    unsigned lines = 0;

    for (char *at = text, *next; *at && lines < DEEDS_MAX; at = next, lines++) {
        size_t length = strcspn(at, "\n");

        next = at + length + (at[length] != '\0');
        memmove(to, at, length);
        to += length;
        if (length)
            *to++ = '\0';
    }
    *to = '\0';
    return to;
}

/* What a line says right behind the first character, and that it is no deed; NULL: it is none. */
static char *take_options(char *text)
{
    char *options = NULL;

    if (*text == '?') {
        options = strndup(text, strcspn(text, "\n"));
        FUZZ_MUST(options);
        memset(text, '#', strlen(options));
    }
    return options;
}

static void play(const struct rig *rig, struct people *people, char *end)
{
    struct bench bench;
    struct error error = {.text = ""};
    int status;

    desk_sides(people->desk, DESK_PAGE | DESK_SCRIPT);
    desk_count_from(people->desk, RUN, 1);
    desk_scribe(people->desk, &(struct desk_scribe){scribble, NULL});
    FUZZ_MUST(!desk_listen(people->desk, &(struct desk_reader){told, people}, &error));
    for (unsigned i = 1; i < DESK_READERS_MAX; i++)
        FUZZ_MUST(!desk_listen(people->desk, &(struct desk_reader){ignore, NULL}, &error));
    FUZZ_MUST(desk_listen(people->desk, &(struct desk_reader){ignore, NULL}, &error));
    status = bench_open(&bench, rig, 1, &error);
    FUZZ_MUST(!status || error.text[0]);
    if (status)
        return;
    bench.hal.desk = people->desk;
    do_all(&bench, people, end);
    bench_close(&bench, NULL);
}

/* What was never made may be freed. */
static void free_nothing(void)
{
    desk_free(NULL);
    card_reader_close(NULL);
    bet_sensor_model_free(NULL);
    plain_shuffler_free(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    uint8_t which = fuzz_byte(&input);
    struct scenery *scenery =
        &sceneries[which & 0x80 ? SCENERIES - 1 - which % EXTRA : which % (SCENERIES - EXTRA)];
    char *text = malloc(input.left + 2), *options;
    struct people people = {.at = text, .desk = desk_new(NULL), .json = json_reader_new(8192)};
    struct rig *rig;

    FUZZ_MUST(text && people.desk && people.json);
    memcpy(text, input.at, input.left);
    text[input.left] = text[input.left + 1] = '\0';
    options = take_options(text);
    if (!scenery->rig)
        scenery->rig = rig_with(scenery, NULL);
    rig = options ? rig_with(scenery, options) : scenery->rig;
    if (rig)
        play(rig, &people, cut_lines(text));
    if (rig != scenery->rig)
        rig_free(rig);
    desk_free(people.desk);
    free_nothing();
    json_reader_free(people.json);
    free(options);
    free(text);
    return 0;
}

FUZZ_WORDS

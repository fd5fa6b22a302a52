/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs whose cards a scanner reads: the program on the real libevdev and a mocked kernel, on
 * the real clock, and somebody who draws cards past the scanner when they are asked for.
 */
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/card.h"
#include "tests/support/http_client.h"
#include "tests/support/mock/input_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/last-seat-alone.shoe"

/* The packets of the recording, a code for each question, and the word that ends a packet. */
static const char *const codes[] = {"9D\n", "8D\n", "7D\n", "6D\n",   "DONE\n", "TD\n",
                                    "2S\n", "3C\n", "5D\n", "DONE\n", NULL};

struct scene {
    UMockdevTestbed *testbed;
    struct input_mock *scanner;
    char rig[SCRATCH_PATH_SIZE], map[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE],
        runs[SCRATCH_PATH_SIZE];
    pid_t pid;
    int in;
    FILE *out;
    char line[4096];
};

/* With two decks a code ends with the number of its own. */
static void write_map(const char *path)
{
    char text[DECKS_MAX * DECK_SIZE * 48 + 64];
    size_t length = (size_t)sprintf(text, "{\"code\":\"DONE\",\"word\":\"done\"}\n");

    for (unsigned i = 0; i < DECKS_MAX * DECK_SIZE; i++) {
        char card[3] = "";
        unsigned deck = i / DECK_SIZE + 1;

        card_format(card_from_index(i % DECK_SIZE), card);
        length +=
            (size_t)sprintf(text + length, "{\"code\":\"%c%c%u\",\"card\":\"%s\",\"deck\":%u}\n",
                            card[0], toupper((unsigned char)card[1]), deck, card, deck);
    }
    scratch_write(path, text, length);
}

static void set_up_decks(struct scene *scene, unsigned decks)
{
    char text[2 * PATH_MAX], here[PATH_MAX], map[PATH_MAX + 32];

    *scene = (struct scene){.in = -1};
    scene->testbed = testbed_new();
    scene->scanner = input_mock_new(scene->testbed, 5, true);
    scratch_path(scene->rig);
    scratch_path(scene->journal);
    scratch_path(scene->runs);
    scratch_path(scene->map);
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    snprintf(map, sizeof map, "%s/rigs/cards.jsonl", here);
    if (decks > 1)
        write_map(scene->map);
    snprintf(text, sizeof text,
             "rig: scanned\nclock: real\ndecks: %u\ndevices:\n  shuffler:\n    driver: pins\n"
             "    address: 'emu:plain-shuffler?shuffle=1,deal=1,take=30'\n    button: button\n"
             "    exit: exit\n    ready: ready\n    debounce-us: 1000\n"
             "    cards: scanner:/dev/input/event5\n    map: %s\norder: stack\n"
             "timing: {packet: 1000, quiet: 1}\n",
             decks, decks > 1 ? scene->map : map);
    scratch_write(scene->rig, text, strlen(text));
}

static void set_up(struct scene *scene)
{
    set_up_decks(scene, 1);
}

static void tear_down(struct scene *scene)
{
    if (scene->in >= 0)
        close(scene->in);
    if (scene->out)
        fclose(scene->out);
    unlink(scene->rig);
    unlink(scene->map);
    unlink(scene->journal);
    scratch_remove(scene->runs);
    input_mock_free(scene->scanner);
    g_object_unref(scene->testbed);
}

static void start(struct scene *scene, const char *const *arguments)
{
    int in[2], out[2];

    CU_ASSERT_FATAL(!pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC));
    scene->pid = process_start(arguments, in[0], out[1], STDERR_FILENO);
    close(in[0]);
    close(out[1]);
    scene->in = in[1];
    scene->out = fdopen(out[0], "r");
}

static void start_run(struct scene *scene)
{
    const char *const arguments[] = {"run",       "--rig",        scene->rig, "--questions", "json",
                                     "--journal", scene->journal, SHOE,       NULL};

    start(scene, arguments);
}

/* Reads on until a line has these words; false at the end. */
static bool await(struct scene *scene, const char *words)
{
    while (fgets(scene->line, sizeof scene->line, scene->out))
        if (strstr(scene->line, words))
            return true;
    return false;
}

static bool is_in_journal(const struct scene *scene, const char *words)
{
    size_t length;
    char *text = scratch_read(scene->journal, &length);
    bool is_there = strstr(text, words);

    free(text);
    return is_there;
}

TEST(a_recording_passes_whose_cards_are_scanned)
{
    struct scene scene;

    set_up(&scene);
    start_run(&scene);
    for (const char *const *code = codes; *code; code++) {
        CU_ASSERT_TRUE_FATAL(await(&scene, "\"ask\":\"cards\""));
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.line, "\"from\":[\"script\",\"scanner\"]"));
        input_mock_type(scene.scanner, *code);
        CU_ASSERT_TRUE_FATAL(await(&scene, "\"over\""));
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.line, "\"from\":\"scanner\""));
    }
    CU_ASSERT_TRUE(await(&scene, "\"run\":\"pass\""));
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 0);
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"answer\":\"9D\",\"from\":\"scanner\""));
    tear_down(&scene);
}

/* Plays the recording with cards of deck 1, but one of the second packet. */
static void scan_decks(struct scene *scene, const char *stray)
{
    set_up_decks(scene, 2);
    start_run(scene);
    for (unsigned i = 0; codes[i]; i++) {
        char code[8];

        snprintf(code, sizeof code, "%.2s1\n", codes[i]);
        CU_ASSERT_TRUE_FATAL(await(scene, "\"ask\":\"cards\""));
        input_mock_type(scene->scanner, *codes[i] == 'D' ? codes[i] : i == 6 ? stray : code);
        CU_ASSERT_TRUE_FATAL(await(scene, "\"over\""));
    }
}

TEST(a_card_of_the_other_deck_is_found_by_its_code)
{
    struct scene scene;

    scan_decks(&scene, "2S1\n");
    CU_ASSERT_TRUE(await(&scene, "\"run\":\"pass\""));
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 0);
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"cards\":\"9d 8d 7d 6d\",\"backs\":[1,1,1,1]"));
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"deck-turns\":1"));
    tear_down(&scene);
    scan_decks(&scene, "2S2\n");
    CU_ASSERT_TRUE(await(&scene, "\"run\":\"fail\""));
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 1);
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"cards\":\"Td 2s 3c 5d\",\"backs\":[1,2,1,1]"));
    CU_ASSERT_TRUE(is_in_journal(&scene, "this card is of deck 2, and deck 1 is dealt"));
    tear_down(&scene);
}

TEST(a_scanner_that_is_pulled_out_ends_the_run_as_the_devices_fault_with_what_was_read)
{
    struct scene scene;

    set_up(&scene);
    start_run(&scene);
    CU_ASSERT_TRUE_FATAL(await(&scene, "scan card 1 of 4"));
    input_mock_type(scene.scanner, "9D\n");
    CU_ASSERT_TRUE_FATAL(await(&scene, "scan card 2 of 4"));
    input_mock_unplug(scene.scanner);
    CU_ASSERT_TRUE(await(&scene, "\"run\":\"device\""));
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 3);
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"answer\":\"9D\",\"from\":\"scanner\""));
    CU_ASSERT_TRUE(is_in_journal(&scene, "the scanner went away"));
    tear_down(&scene);
}

/* Reads on in the journal until it has these words; as long as a busy machine may take. */
static bool await_journal(const struct scene *scene, const char *words)
{
    for (unsigned tries = 0; tries < 24000; tries++) {
        if (is_in_journal(scene, words))
            return true;
        usleep(5000);
    }
    return false;
}

TEST(a_scanner_that_is_pulled_out_and_plugged_in_again_is_a_reconnect)
{
    static const char reopen[] = "reopen: {first-ms: 5, longest-ms: 1000, tries: 1000}\n";
    struct process_result verified;
    char heard[32];
    struct scene scene;
    size_t length;
    char *text;

    set_up(&scene);
    text = scratch_read(scene.rig, &length);
    text = realloc(text, length + sizeof reopen);
    strcpy(text + length, reopen);
    scratch_write(scene.rig, text, strlen(text));
    free(text);
    start_run(&scene);
    for (const char *const *code = codes; *code && await(&scene, "\"ask\":\"cards\""); code++) {
        if (code - codes == 2) {
            /* Half a code that was heard is no beginning of the next one. */
            input_mock_type(scene.scanner, "7");
            for (unsigned i = 0; i < 4000 && !input_mock_is_heard(scene.scanner); i++)
                usleep(5000);
            input_mock_unplug(scene.scanner);
            CU_ASSERT_TRUE(
                await_journal(&scene, "\"for\":\"return\",\"device\":\"shuffler\",\"try\":2"));
            input_mock_plug(scene.scanner);
            /* Nobody hears what is typed before the node is open. */
            for (unsigned i = 0; i < 4000 && !input_mock_is_grabbed(scene.scanner); i++)
                usleep(5000);
        }
        input_mock_type(scene.scanner, *code);
        CU_ASSERT_TRUE(await(&scene, "\"over\""));
        snprintf(heard, sizeof heard, "\"answer\":\"%.*s\"", (int)strcspn(*code, "\n"), *code);
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.line, heard));
        if (!strstr(scene.line, heard)) {
            fprintf(stderr, "heard %s", scene.line);
            kill(scene.pid, SIGKILL);
        }
    }
    CU_ASSERT_TRUE(await(&scene, "\"run\":\"pass\""));
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 0);
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"cards\":\"9d 8d 7d 6d\""));
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"kind\":\"reconnect\",\"recording\":1,\"round\":1,"
                                         "\"device\":\"shuffler\",\"times\":1,\"tries\":"));
    CU_ASSERT_TRUE(is_in_journal(&scene, "\"reconnects\":1"));
    verified =
        process_run((const char *const[]){"verify", scene.journal, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(verified.status, 0);
    process_free(&verified);
    tear_down(&scene);
}

/* The body of a request to the station. */
static void ask_station(const char *address, const char *request, const char *body, char *into,
                        size_t size)
{
    const char *host = address + strlen("http://");
    struct http_client client;

    http_client_open(&client, address);
    http_client_say(&client, "%s HTTP/1.0\r\nHost: %.*s\r\n", request, (int)strcspn(host, "/"),
                    host);
    if (body)
        http_client_say(&client, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                        strlen(body));
    http_client_say(&client, "\r\n%s", body ? body : "");
    http_client_read_all(&client);
    snprintf(into, size, "%s", http_client_body(&client));
    http_client_close(&client);
}

/* Until the page shows these words; asks as long as a busy machine may take. */
static bool await_page(const char *address, const char *words, char *body, size_t size)
{
    for (unsigned tries = 0; tries < 24000; tries++) {
        ask_station(address, "GET /status", NULL, body, size);
        if (strstr(body, words))
            return true;
        usleep(5000);
    }
    return false;
}

TEST(the_page_of_a_station_follows_what_the_scanner_answers)
{
    char address[128], body[8192];
    struct scene scene;

    set_up(&scene);
    start(&scene,
          (const char *const[]){"station", "--rig", scene.rig, "--listen", "0", "--recordings",
                                "fixtures/flush-rush", "--runs", scene.runs, NULL});
    CU_ASSERT_TRUE_FATAL(await(&scene, "ready "));
    CU_ASSERT_EQUAL_FATAL(sscanf(scene.line, "ready %127s", address), 1);
    ask_station(address, "POST /control",
                "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" SHOE "\"]}", body,
                sizeof body);
    CU_ASSERT_TRUE_FATAL(await_page(address, "scan card 1 of 4", body, sizeof body));
    for (const char *const *code = codes; *code; code++) {
        char asked[32];

        snprintf(asked, sizeof asked, "\"question\":{\"id\":%u,", (unsigned)(code - codes) + 1);
        CU_ASSERT_TRUE_FATAL(await_page(address, asked, body, sizeof body));
        input_mock_type(scene.scanner, *code);
    }
    CU_ASSERT_TRUE(await_page(address, "\"state\":\"ended\"", body, sizeof body));
    ask_station(address, "GET /runs", NULL, body, sizeof body);
    CU_ASSERT_PTR_NOT_NULL(strstr(body, "\"verdict\":\"pass\""));
    kill(scene.pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(scene.pid), 0);
    tear_down(&scene);
}

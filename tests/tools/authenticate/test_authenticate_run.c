/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs whose rig file says where devices answer what their software comes to. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE     "tests/failing/identity/gat-another-digest.shoe"
#define APPROVED "tests/failing/identity/deck-mate.approved"
#define RUN(...) process_run((const char *const[]){__VA_ARGS__, NULL}, -1)

/* A folder of its own, with a copy of what is approved and a rig file beside it. */
struct desk {
    char folder[SCRATCH_PATH_SIZE];
    char rig[SCRATCH_PATH_SIZE + 16], approved[SCRATCH_PATH_SIZE + 16];
    char reports[SCRATCH_PATH_SIZE + 16], journal[SCRATCH_PATH_SIZE + 32];
    char bundle[SCRATCH_PATH_SIZE + 16];
};

static void set_up(struct desk *desk, const char *clock, const char *device, const char *rest)
{
    size_t length;
    char *approved = scratch_read(APPROVED, &length), text[1024];

    scratch_path(desk->folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(desk->folder, 0700), 0);
    snprintf(desk->rig, sizeof desk->rig, "%s/rig.yaml", desk->folder);
    snprintf(desk->approved, sizeof desk->approved, "%s/my.approved", desk->folder);
    snprintf(desk->reports, sizeof desk->reports, "%s/out", desk->folder);
    snprintf(desk->journal, sizeof desk->journal, "%s/run.journal", desk->reports);
    snprintf(desk->bundle, sizeof desk->bundle, "%s/out.tar", desk->folder);
    scratch_write(desk->approved, approved, length);
    free(approved);
    snprintf(text, sizeof text, "rig: r\nclock: %s\ndevices:\n  shuffler:\n%s%s", clock, device,
             rest);
    scratch_write(desk->rig, text, strlen(text));
}

static void take_down(struct desk *desk)
{
    scratch_remove(desk->folder);
}

static bool ends(struct process_result result, int status, const char *words)
{
    bool is_so =
        result.status == status && (strstr(result.out, words) || strstr(result.err, words));

    if (!is_so)
        printf("status %d (wanted %d, '%s'):\n%s%s\n", result.status, status, words, result.out,
               result.err);
    process_free(&result);
    return is_so;
}

/* How often a text is in a file. */
static unsigned count(const char *path, const char *words)
{
    size_t length;
    char *text = scratch_read(path, &length);
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        found++;
    free(text);
    return found;
}

static unsigned count_in(const struct desk *desk, const char *name, const char *words)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", desk->reports, name);
    return count(path, words);
}

#define HONEST                                                                                     \
    "    address: emu:shuffler\n"                                                                  \
    "    authenticate: {address: 'emu:gat?part=100', approved: my.approved}\n"

TEST(software_that_is_approved_passes_and_is_told_everywhere)
{
    struct desk desk;

    set_up(&desk, "virtual", HONEST, "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 0, "pass: 1"));
    CU_ASSERT_EQUAL(count(desk.journal, "\"event\":\"authenticated\""), 2);
    CU_ASSERT_EQUAL(count(desk.journal, "\"when\":\"opened\""), 1);
    CU_ASSERT_EQUAL(count(desk.journal, "\"when\":\"end\""), 1);
    CU_ASSERT_EQUAL(count(desk.journal, "\"result\":\"matches\""), 8);
    CU_ASSERT_EQUAL(count(desk.journal, "\"key\":\"Jefe\""), 2);
    CU_ASSERT_EQUAL(count(desk.journal, "a device computes its own proof"), 2);
    CU_ASSERT_EQUAL(count_in(&desk, "report.txt", "a device computes its own proof"), 1);
    CU_ASSERT_EQUAL(count_in(&desk, "report.txt", "as approved by the lab of the tests: 4 of 4"),
                    1);
    CU_ASSERT_EQUAL(count_in(&desk, "junit.xml", "a device computes its own proof"), 1);
    CU_ASSERT_EQUAL(count_in(&desk, "report.html", "Software of the shuffler"), 1);
    CU_ASSERT_EQUAL(count_in(&desk, "files/001-my.approved", "hmac-sha1"), 1);
    CU_ASSERT(ends(RUN("verify", "--replay", desk.journal), 0, "come out the same"));
    take_down(&desk);
}

TEST(a_bundle_is_judged_by_its_own_copy_of_what_was_approved)
{
    struct desk desk;

    set_up(&desk, "virtual", HONEST, "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 0, "pass: 1"));
    CU_ASSERT(ends(RUN("bundle", desk.reports, "-o", desk.bundle), 0, "manifest"));
    scratch_write(desk.approved, "{}\n", 3);
    CU_ASSERT(ends(RUN("verify", desk.bundle), 0, "come out the same"));
    unlink(desk.approved);
    CU_ASSERT(ends(RUN("verify", desk.bundle), 0, "come out the same"));
    take_down(&desk);
}

TEST(an_exchanged_copy_of_what_was_approved_is_found)
{
    struct desk desk;
    char copy[128];

    set_up(&desk, "virtual", HONEST, "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 0, "pass: 1"));
    snprintf(copy, sizeof copy, "%s/files/001-my.approved", desk.reports);
    scratch_write(copy, "{}\n", 3);
    CU_ASSERT(ends(RUN("bundle", desk.reports, "-o", desk.bundle), 1, "001-my.approved"));
    take_down(&desk);
}

TEST(digests_that_nobody_approved_are_written_down_with_a_key_of_the_run)
{
    struct desk desk;
    char again[SCRATCH_PATH_SIZE + 16];

    set_up(&desk, "virtual",
           "    address: emu:shuffler\n"
           "    authenticate: {address: emu:gat}\n",
           "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 0, "pass: 1"));
    CU_ASSERT_EQUAL(count(desk.journal, "\"result\":\"shown\""), 8);
    CU_ASSERT_EQUAL(count(desk.journal, "no digests are approved"), 2);
    CU_ASSERT_EQUAL(count_in(&desk, "report.txt", "components: 4, compared with nothing"), 1);
    snprintf(again, sizeof again, "%s/again", desk.folder);
    CU_ASSERT(
        ends(RUN("run", "--rig", desk.rig, "--journal", again, "--seed", "2", SHOE), 0, "pass: 1"));
    CU_ASSERT(ends(RUN("verify", "--replay", again), 0, "come out the same"));
    take_down(&desk);
}

TEST(a_device_that_came_back_is_asked_again)
{
    struct desk desk;

    set_up(&desk, "virtual", HONEST "    fault: reboot@packet:1\n", "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 3, "device: 1"));
    CU_ASSERT_EQUAL(count(desk.journal, "\"when\":\"reopened\""), 1);
    CU_ASSERT_EQUAL(count(desk.journal, "\"result\":\"matches\""), 12);
    take_down(&desk);
}

TEST(a_device_that_does_not_answer_fails_and_is_told_so)
{
    struct desk desk;

    set_up(&desk, "virtual",
           "    address: emu:shuffler\n"
           "    authenticate: {address: 'emu:gat?fault=silent@reply:1', approved: my.approved}\n",
           "");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 1, "fail: 1"));
    CU_ASSERT_EQUAL(count(desk.journal, "\"event\":\"not-authenticated\""), 2);
    CU_ASSERT_EQUAL(count_in(&desk, "report.txt", "no digests: emu:gat"), 1);
    CU_ASSERT(ends(RUN("verify", "--replay", desk.journal), 0, "come out the same"));
    take_down(&desk);
}

/* A run whose capture has what that fault of the device put on the line. */
static bool is_decoded(const char *fault, int status, const char *words)
{
    struct desk desk;
    struct process_result result;
    char device[160], capture[SCRATCH_PATH_SIZE + 16];
    bool is_so;

    snprintf(device, sizeof device,
             "    address: emu:shuffler\n    authenticate: {address: 'emu:gat%s'}\n", fault);
    set_up(&desk, "virtual", device, "capture: run.pcap\n");
    result = RUN("run", "--rig", desk.rig, SHOE);
    process_free(&result);
    snprintf(capture, sizeof capture, "%s/run.pcap", desk.folder);
    is_so = ends(RUN("decode", capture), status, words);
    take_down(&desk);
    return is_so;
}

TEST(decode_ends_with_1_for_what_a_device_says_and_the_page_does_not)
{
    CU_ASSERT(is_decoded("", 0, "function Get Special Functions"));
    CU_ASSERT(is_decoded("?fault=wrong-part@part:1", 1, "[no question waits for it]"));
    CU_ASSERT(is_decoded("?fault=wrong-crc@reply:2", 1, "its check is wrong"));
    CU_ASSERT(is_decoded("?fault=babble@reply:2", 1, "damage"));
}

/* A port of this machine that somebody else listens on. */
static int take_port(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CU_ASSERT_EQUAL_FATAL(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    CU_ASSERT_EQUAL_FATAL(listen(fd, 1), 0);
    CU_ASSERT_EQUAL_FATAL(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

TEST(a_run_does_not_pass_where_this_machine_cannot_ask)
{
    struct desk desk;
    char device[160];
    unsigned port;
    int fd = take_port(&port);

    snprintf(device, sizeof device,
             "    address: 'emu:shuffler?shuffle=1,deal=1,take=1'\n"
             "    authenticate: {address: 'listen:%u', approved: my.approved}\n",
             port);
    set_up(&desk, "real", device, "timing: {quiet: 1}\n");
    CU_ASSERT(
        ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 4, "has that port"));
    CU_ASSERT_EQUAL(count(desk.journal, "\"event\":\"not-authenticated\""), 1);
    CU_ASSERT(ends(RUN("verify", desk.journal), 0, "intact"));
    CU_ASSERT(ends(RUN("verify", "--replay", desk.journal), 4, "settled again: 0 rounds"));
    take_down(&desk);
    close(fd);
}

TEST(mistakes_of_a_rig_file_are_told_with_their_place)
{
    static const struct {
        const char *group, *why;
    } groups[] = {
        {"{approved: my.approved}", "address"},
        {"{address: emu:shuffler}", "write emu:gat"},
        {"{address: 'emu:gat?colour=red'}", "colour=red"},
        {"{address: tcp:127.0.0.1:9}", "virtual clock"},
        {"{address: nowhere}", "nowhere"},
        {"{address: emu:gat, options: 'key=both'}", "key=both"},
        {"{address: emu:gat, key: a, key-hex: '0a'}", "one of them"},
        {"{address: emu:gat, key-hex: abc}", "odd"},
        {"{address: emu:gat, key: 'a\tb'}", ""},
        {"{address: emu:gat, approved: no-such-file}", "no-such-file"},
        {"{address: emu:gat, approved: rig.yaml}", "rig.yaml:1"},
        {"{address: emu:gat, approved: my.approved, key: other}", "another key"},
        {"{address: emu:gat, approved: my.approved, options: 'key=hex'}", "key=hex"},
        {"{address: emu:gat, colour: red}", "colour"},
    };

    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        struct desk desk;
        char text[256];

        snprintf(text, sizeof text, "    address: emu:shuffler\n    authenticate: %s\n",
                 groups[i].group);
        set_up(&desk, "virtual", text, "");
        CU_ASSERT(ends(RUN("run", "--rig", desk.rig, SHOE), 2, groups[i].why));
        take_down(&desk);
    }
}

TEST(doctor_says_whether_it_can_be_asked)
{
    struct desk desk;

    set_up(&desk, "virtual", HONEST, "");
    CU_ASSERT(ends(RUN("doctor", "--rig", desk.rig), 0, "version 3.50 of GAT"));
    take_down(&desk);
    set_up(&desk, "virtual",
           "    address: emu:shuffler\n"
           "    authenticate: {address: 'emu:gat?fault=old-version'}\n",
           "");
    CU_ASSERT(ends(RUN("doctor", "--rig", desk.rig), 4, "version 3.00 of GAT"));
    take_down(&desk);
}

TEST(the_devices_of_a_rig_are_asked_where_it_says)
{
    struct desk desk;

    set_up(&desk, "virtual", HONEST, "");
    CU_ASSERT(ends(RUN("authenticate", "--rig", desk.rig), 0, "the same: 4 of 4 compared"));
    CU_ASSERT(ends(RUN("authenticate", "--rig", desk.rig, "shuffler", "--json"), 0,
                   "\"result\":\"same\""));
    CU_ASSERT(
        ends(RUN("authenticate", "--rig", desk.rig, "shuffler", "--key", "a"), 2, "another key"));
    take_down(&desk);
}

/* Writes such a text of a journal anew, wherever it stands, and has it verified. */
static bool is_found_by(const char *option, const char *journal, const char *old, const char *new,
                        const char *why)
{
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery = forge_read(journal);
    bool is_so;

    scratch_path(path);
    CU_ASSERT(forge_replace_all(&forgery, old, new) > 0);
    forge_write(&forgery, path);
    forge_free(&forgery);
    is_so = ends(RUN("verify", option, path), 1, why);
    if (!strcmp(option, "--replay"))
        CU_ASSERT(ends(RUN("verify", path), 0, "intact"));
    unlink(path);
    return is_so;
}

/* What contradicts itself needs no replay. */
static bool is_refused(const char *journal, const char *old, const char *new, const char *why)
{
    return is_found_by("--", journal, old, new, why);
}

/* On a real clock, where nothing is played again: what its lines say. */
static bool is_found(const char *journal, const char *old, const char *new, const char *why)
{
    return is_found_by("--replay", journal, old, new, why);
}

static bool is_missed(const char *journal, const char *within, const char *why)
{
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery = forge_read(journal);
    bool is_so;

    scratch_path(path);
    forge_remove(&forgery, forge_find(&forgery, within, 1), 1);
    forge_write(&forgery, path);
    forge_free(&forgery);
    is_so = ends(RUN("verify", "--replay", path), 1, why);
    unlink(path);
    return is_so;
}

/* A line of the device is put before another one, with the time of that. */
static bool is_moved_found(const char *journal, const char *within, const char *before,
                           const char *why)
{
    char path[SCRATCH_PATH_SIZE], body[4096];
    struct forgery forgery = forge_read(journal);
    size_t from = forge_find(&forgery, within, 1), to = forge_find(&forgery, before, 1);
    bool is_so;

    scratch_path(path);
    snprintf(body, sizeof body, "%.*s%s", (int)strcspn(forgery.bodies[to], ","), forgery.bodies[to],
             strchr(forgery.bodies[from], ','));
    forge_remove(&forgery, from, 1);
    forge_insert(&forgery, forge_find(&forgery, before, 1), body);
    forge_write(&forgery, path);
    forge_free(&forgery);
    is_so = ends(RUN("verify", "--replay", path), 1, why);
    unlink(path);
    return is_so;
}

/* A device went away in the round and came back, and nobody has asked it anything since. */
static bool is_return_found(const char *journal, const char *verdict, int status, const char *why)
{
    char path[SCRATCH_PATH_SIZE], body[256];
    struct forgery forgery = forge_read(journal);
    size_t settled = forge_find(&forgery, "\"kind\":\"settled\"", 1);
    bool is_so;

    scratch_path(path);
    snprintf(body, sizeof body,
             "%.*s,\"kind\":\"reconnect\",\"recording\":1,\"round\":1,\"device\":\"shuffler\","
             "\"times\":1,\"tries\":1,\"away-ms\":5,\"same\":true",
             (int)strcspn(forgery.bodies[settled], ","), forgery.bodies[settled]);
    forge_insert(&forgery, settled, body);
    forge_replace_all(&forgery, "\"reconnects\":0", "\"reconnects\":1");
    forge_replace(&forgery, forge_find(&forgery, "\"kind\":\"end\"", 1), "\"verdict\":\"pass\"",
                  verdict);
    forge_write(&forgery, path);
    forge_free(&forgery);
    CU_ASSERT(ends(RUN("verify", path), 0, "intact"));
    is_so = ends(RUN("verify", "--replay", path), status, why);
    unlink(path);
    return is_so;
}

/* The first component is taken out of each line, which says something else instead. */
static bool is_cut_found(const char *journal, const char *instead, const char *why)
{
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery = forge_read(journal);
    bool is_so;

    scratch_path(path);
    for (unsigned i = 1; i <= 2; i++) {
        size_t line = forge_find(&forgery, "\"event\":\"authenticated\"", i);
        char *first = strstr(forgery.bodies[line], "{\"name\":"), *end = strchr(first, '}') + 2;

        memmove(first, end, strlen(end) + 1);
        forge_replace(&forgery, line, ",\"note\"", instead);
    }
    forge_write(&forgery, path);
    forge_free(&forgery);
    is_so = ends(RUN("verify", "--replay", path), 1, why);
    unlink(path);
    return is_so;
}

static void expect_cuts_found(const char *journal)
{
    static const char *const numbers[] = {"1", "0", "-1", "1.5", "true", "null", "\"1\""};

    CU_ASSERT(is_cut_found(journal, ",\"note\"", "left out of it"));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char instead[64];

        snprintf(instead, sizeof instead, ",\"left-out\":%s,\"note\"", numbers[i]);
        CU_ASSERT(is_cut_found(journal, instead, i ? "leaves out fewer" : "it has room for"));
    }
}

/* A line that was made long is full, but no run passes by what is not in it. */
static void expect_filled_found(const char *journal)
{
    size_t size = (size_t)47 * 1024;
    char *instead = malloc(size + 64);
    int used = sprintf(instead, ",\"left-out\":1,\"x\":\"");

    memset(instead + used, 'x', size);
    strcpy(instead + used + size, "\",\"note\"");
    CU_ASSERT(is_cut_found(journal, instead, "not all components"));
    free(instead);
}

TEST(a_journal_of_a_real_clock_is_held_against_what_was_approved)
{
    struct desk desk;

    set_up(&desk, "real",
           "    address: 'emu:shuffler?shuffle=1,deal=1,take=1'\n"
           "    authenticate: {address: 'emu:gat?calculation=0,delay=0', approved: my.approved,\n"
           "      options: 'reply=60000,stall=60000,no-reply=1,pause=1,gap=1,poll=1'}\n",
           "timing: {quiet: 1}\n");
    CU_ASSERT(ends(RUN("run", "--rig", desk.rig, "--reports", desk.reports, SHOE), 0, "pass: 1"));
    CU_ASSERT(ends(RUN("verify", "--replay", desk.journal), 0, "comes to what the journal says"));
    CU_ASSERT(is_refused(desk.journal, "\"digest\":\"a89a", "\"digest\":\"b89a", "another result"));
    CU_ASSERT(is_found(
        desk.journal, "\"digest\":\"a89a6ff64c5a3068a4186cca5e8fe59c7d711eac\",\"approved\":\"a89a",
        "\"digest\":\"b89a6ff64c5a3068a4186cca5e8fe59c7d711eac\",\"approved\":\"b89a",
        "another digest as approved"));
    CU_ASSERT(is_refused(desk.journal, "\"result\":\"matches\"", "\"result\":\"shown\"",
                         "another result"));
    CU_ASSERT(is_found(desk.journal, "\"key\":\"Jefe\"", "\"key\":\"jefe\"", "its key"));
    CU_ASSERT(is_found(desk.journal, "tries=1", "tries=2", "options"));
    CU_ASSERT(is_found(desk.journal, "{\"name\":\"DeckMate2_UI", "{\"name\":\"DeckMate2_Ui",
                       "another digest as approved"));
    CU_ASSERT(is_missed(desk.journal, "\"when\":\"opened\"", "before the first round"));
    CU_ASSERT(is_missed(desk.journal, "\"when\":\"end\"", "after the last round"));
    CU_ASSERT(is_found(desk.journal, "\"when\":\"opened\"", "\"when\":\"end\"",
                       "before the first round"));
    CU_ASSERT(
        is_found(desk.journal, "\"when\":\"end\"", "\"when\":\"opened\"", "after the last round"));
    CU_ASSERT(is_found(desk.journal, "\"when\":\"opened\"", "\"when\":\"reopened\"",
                       "before the first round"));
    CU_ASSERT(
        is_refused(desk.journal, "\"when\":\"end\"", "\"when\":\"now\"", "does not say when"));
    CU_ASSERT(is_moved_found(desk.journal, "\"when\":\"opened\"", "\"kind\":\"settled\"",
                             "before the first round"));
    CU_ASSERT(is_found(desk.journal, "\"by\":\"the lab", "\"by\":\"the Lab", "names another one"));
    CU_ASSERT(
        is_refused(desk.journal, "\"approved\":\"a89a", "\"approved\":\"b89a", "another result"));
    CU_ASSERT(is_found(desk.journal, "\"protocol\":\"GAT 3.50", "\"protocol\":\"GAT 4.00",
                       "protocol or note"));
    CU_ASSERT(
        is_found(desk.journal, "its own proof: a match", "a proof: a match", "protocol or note"));
    CU_ASSERT(is_refused(desk.journal, "\"components\":[",
                         "\"components\":[{\"name\":\"DeckMate2_UI_2.0.254\",\"digest\":"
                         "\"a89a6ff64c5a3068a4186cca5e8fe59c7d711eac\",\"approved\":"
                         "\"a89a6ff64c5a3068a4186cca5e8fe59c7d711eac\",\"result\":\"matches\"},",
                         "twice"));
    CU_ASSERT(
        is_return_found(desk.journal, "\"verdict\":\"pass\"", 1, "came back and was not asked"));
    CU_ASSERT(is_return_found(desk.journal, "\"verdict\":\"aborted\",\"why\":\"stopped\"", 0,
                              "comes to what the journal says"));
    expect_cuts_found(desk.journal);
    expect_filled_found(desk.journal);
    take_down(&desk);
}

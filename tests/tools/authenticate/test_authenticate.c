/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that asks devices what their software comes to, through the program itself. */
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "devices/model.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define UI     "emu:gat?component=ui,image=what do ya want for nothing?,component=nxp"
#define DIGEST "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79" /* of that image with the key Jefe */

#define RUN(...) process_run((const char *const[]){"authenticate", __VA_ARGS__, NULL}, -1)

static bool ends(struct process_result result, int status, const char *words)
{
    int exit_status = result.status;
    bool is_so =
        result.status == status && (strstr(result.out, words) || strstr(result.err, words));

    if (!is_so)
        printf("status %d (wanted %d, '%s'):\n%s%s\n", exit_status, status, words, result.out,
               result.err);
    process_free(&result);
    return is_so;
}

/* What the emulated device says of a component, by the program. */
static void approve(const char *path, const char *address, const char *ui)
{
    struct process_result result = RUN(address, "--key", "Jefe", "--json");
    json_t *root = json_loads(result.out, 0, NULL);
    FILE *file = fopen(path, "w");
    size_t index;
    json_t *row;

    CU_ASSERT_EQUAL_FATAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    fprintf(file, "{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"Jefe\",\"by\":\"the "
                  "lab\"}\n");
    json_array_foreach(json_object_get(root, "components"), index, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));

        fprintf(file, "{\"component\":\"%s\",\"digest\":\"%s\"}\n", name,
                ui && !strcmp(name, "ui") ? ui : json_string_value(json_object_get(row, "digest")));
    }
    fclose(file);
    json_decref(root);
    process_free(&result);
}

TEST(digests_are_shown_with_key_options_and_caution)
{
    struct process_result result = RUN(UI, "--key", "Jefe");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "GAT 3.50 as spoken by the public program GatHost"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "conform"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "options: key=text,crc=high-first,level=186"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "key: Jefe\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, DIGEST "  shown"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "nothing was compared"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "a device computes its own proof"));
    process_free(&result);
}

TEST(a_random_key_is_another_one_each_time_and_is_shown)
{
    struct process_result a = RUN(UI, "--json"), b = RUN(UI, "--json");
    json_t *first = json_loads(a.out, 0, NULL), *second = json_loads(b.out, 0, NULL);
    const char *keys[2];

    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NOT_NULL_FATAL(second);
    for (unsigned i = 0; i < 2; i++) {
        json_t *pass = json_array_get(json_object_get(i ? second : first, "calculations"), 0);

        keys[i] = json_string_value(json_object_get(pass, "key"));
        CU_ASSERT_TRUE(json_is_true(json_object_get(pass, "random")));
        CU_ASSERT_EQUAL(strlen(keys[i]), 40);
    }
    CU_ASSERT(strcmp(keys[0], keys[1]) != 0);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "result")), "not compared");
    json_decref(first);
    json_decref(second);
    process_free(&a);
    process_free(&b);
}

TEST(what_is_approved_is_the_same_or_differs)
{
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    approve(path, UI, NULL);
    CU_ASSERT(ends(RUN(UI, "--approved", path), 0, "the same: 2 of 2 compared"));
    CU_ASSERT(ends(RUN(UI, "--approved", path, "--key", "Jefe"), 0, "approved by the lab"));
    CU_ASSERT(ends(RUN(UI ",fault=other-digest@component:1", "--approved", path), 1,
                   "differs, approved is " DIGEST));
    CU_ASSERT(ends(RUN(UI ",fault=left-out@component:2", "--approved", path), 1,
                   "no digest                                 missing"));
    CU_ASSERT(ends(RUN(UI ",fault=added", "--approved", path), 1, "unapproved"));
    CU_ASSERT(ends(RUN(UI ",component=third", "--approved", path), 1, "unapproved"));
    CU_ASSERT(ends(RUN(UI, "--approved", path, "--component", "ui"), 0, "1 of 1 compared"));
    CU_ASSERT(
        ends(RUN(UI ",fault=other-digest@component:1", "--approved", path, "--component", "nxp"), 0,
             "1 of 1 compared"));
    CU_ASSERT(ends(RUN(UI, "--approved", path, "--component", "ram"), 1, "missing"));
    CU_ASSERT(ends(RUN(UI, "--approved", path, "--key", "jefe"), 2, "another key"));
    CU_ASSERT(ends(RUN("emu:gat?component=ui,component=nxp,key=hex", "--approved", path, "--option",
                       "key=hex"),
                   2, "key=hex"));
    approve(path, UI, "0000000000000000000000000000000000000000");
    CU_ASSERT(ends(RUN(UI, "--approved", path), 1, "differs: 1 of 2"));
    unlink(path);
}

TEST(no_text_of_a_file_or_device_steers_a_terminal)
{
    static const char text[] =
        "{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"Jefe\",\"by\":"
        "\"me\\nthe same: 9 of 9\\u001b[2J\",\"date\":\"a\\u001b[1m\"}\n"
        "{\"component\":\"ui\\u001b[3m\\u202e\",\"digest\":\"" DIGEST "\"}\n";
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;

    scratch_path(path);
    scratch_write(path, text, strlen(text));
    result = RUN("emu:gat?component=\xe2\x80\xaeiu,game=\xe2\x80\xaex", "--approved", path,
                 "--option", "text=utf-8");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NULL(strchr(result.out, '\033'));
    CU_ASSERT_PTR_NULL(strstr(result.out, "\xe2\x80\xae"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "\nthe same: 9"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "approved by me"));
    process_free(&result);
    unlink(path);
}

TEST(a_component_that_is_listed_and_left_out_differs_without_an_approval)
{
    CU_ASSERT(ends(RUN(UI ",fault=left-out@component:1"), 1, "missing"));
    CU_ASSERT(ends(RUN(UI ",fault=left-out@component:1", "--component", "ui"), 1, "missing"));
}

TEST(stored_answers_are_found_by_an_image_and_a_key_that_is_new)
{
    char path[SCRATCH_PATH_SIZE], file[SCRATCH_PATH_SIZE], image[80];

    scratch_path(path);
    scratch_path(file);
    scratch_write(file, "what do ya want for nothing?", 28);
    snprintf(image, sizeof image, "ui=%s", file);
    approve(path, UI, NULL);
    CU_ASSERT(ends(RUN(UI, "--image", image), 0, "matches (image)"));
    CU_ASSERT(ends(RUN(UI, "--image", image), 0, "is an assumption"));
    CU_ASSERT(ends(RUN(UI, "--image", image, "--approved", path), 0, "3 of 4 compared"));
    CU_ASSERT(
        ends(RUN(UI, "--image", image, "--approved", path, "--key", "Jefe"), 0, "2 of 2 compared"));
    CU_ASSERT(ends(RUN(UI ",fault=replays,stored=Jefe", "--approved", path), 0, "the same: 2"));
    CU_ASSERT(ends(RUN(UI ",fault=replays,stored=Jefe", "--approved", path, "--image", image), 1,
                   "its image has"));
    scratch_write(file, "what do ya want for nothing!", 28);
    CU_ASSERT(ends(RUN(UI, "--image", image), 1, "its image has"));
    unlink(path);
    unlink(file);
    CU_ASSERT(ends(RUN(UI, "--image", image), 2, "no file"));
}

TEST(keys_are_taken_as_text_as_digits_and_from_a_file_of_their_own)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;

    CU_ASSERT(ends(RUN(UI ",key=hex", "--key-hex", "4a656665"), 0, DIGEST));
    CU_ASSERT(ends(RUN(UI, "--key-hex", "4a656665"), 0, "key=hex"));
    CU_ASSERT(ends(RUN(UI, "--key", ""), 2, "empty"));
    CU_ASSERT(ends(RUN(UI, "--key-hex", "4a65666"), 2, "odd"));
    CU_ASSERT(ends(RUN(UI, "--key-hex", "4a", "--key", "a"), 2, "one of --key"));
    CU_ASSERT(ends(RUN(UI, "--key", "a", "--option", "key=hex"), 2, "key=hex"));
    scratch_path(path);
    scratch_write(path, "Jefe\nmore\n", 10);
    CU_ASSERT_EQUAL(chmod(path, 0600), 0);
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 0, DIGEST));
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 0, "key: from its file, SHA-256 "));
    result = RUN(UI, "--key-file", path, "--json");
    CU_ASSERT_PTR_NULL(strstr(result.out, "Jefe"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "key-sha256"));
    process_free(&result);
    scratch_write(path, "Je\0fe\n", 6);
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 2, "NUL byte"));
    scratch_write(path, "Jefe\n\0\n", 7);
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 0, DIGEST));
    CU_ASSERT_EQUAL(chmod(path, 0640), 0);
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 2, "can be read by others"));
    unlink(path);
    CU_ASSERT(ends(RUN(UI, "--key-file", path), 2, "cannot read the key file"));
}

TEST(another_protocol_is_told_by_its_name)
{
    CU_ASSERT(ends(RUN("emu:shuffler"), 0, "declared by the device itself"));
    CU_ASSERT(ends(RUN("emu:shoe", "--json"), 0, "\"result\":\"declared\""));
    CU_ASSERT(ends(RUN("emu:shuffler", "--key", "a"), 3, "the open protocol is spoken"));
    CU_ASSERT(ends(RUN("emu:angel-eye"), 3, "the angel-eye protocol is spoken"));
}

TEST(lies_and_faults_end_with_their_status)
{
    static const struct {
        const char *fault;
        int status;
        const char *why;
    } faults[] = {
        {"wrong-crc@reply:1", 3, "its check is wrong"},
        {"low-first", 3, "in the other order"},
        {"late@reply:1", 5, "an answer came, but none"},
        {"silent@reply:4", 5, "no answer came"},
        {"cut@reply:3", 3, "breaks off"},
        {"babble@reply:3", 3, "bytes follow the answer"},
        {"wrong-part@part:2", 3, "part 2 was asked for"},
        {"part-error@part:1", 3, "reports an error"},
        {"refuses@calculation:2", 3, "has no Components"},
        {"fails@calculation:1", 3, "has failed"},
        {"no-results@calculation:1", 3, "has no results"},
        {"endless@calculation:2", 5, "has not ended after 1200 s"},
        {"stale@calculation:2", 3, "has no Components"},
        {"entities@calculation:2", 3, "document type"},
        {"external@calculation:1", 3, "document type"},
        {"deep@calculation:2", 3, "inside each other"},
        {"large@calculation:2", 3, "more than 262144 bytes"},
        {"old-version", 3, "version 3.00"},
        {"unplug@frames:5", 3, "is gone"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char address[128];

        snprintf(address, sizeof address, "emu:gat?fault=%s", faults[i].fault);
        CU_ASSERT(ends(RUN(address), faults[i].status, faults[i].why));
    }
}

TEST(the_results_of_the_last_component_are_not_those_of_the_next)
{
    CU_ASSERT(ends(RUN(UI ",fault=stale@calculation:3", "--component", "ui", "--component", "nxp"),
                   1, "missing"));
}

/* One object a line, whatever becomes of it: its fields, and the words of its reason. */
static bool is_json(struct process_result result, int status, const char *speaks, const char *why)
{
    json_t *root = json_loads(result.out, 0, NULL);
    const char *got = json_string_value(json_object_get(root, "speaks"));
    const char *said = json_string_value(json_object_get(root, "why"));
    bool is_so =
        result.status == status && root &&
        json_integer_value(json_object_get(root, "status")) == status &&
        !strcmp(json_string_value(json_object_get(root, "result")), "failed") &&
        json_object_get(root, "device") && json_object_get(root, "address") &&
        json_object_get(root, "note") && said && strstr(said, why) &&
        (speaks ? got && !strcmp(got, speaks) : json_is_null(json_object_get(root, "speaks")));

    if (!is_so)
        printf("status %d (wanted %d):\n%s%s\n", result.status, status, result.out, result.err);
    json_decref(root);
    process_free(&result);
    return is_so;
}

TEST(what_fails_is_told_as_json_too)
{
    CU_ASSERT(is_json(RUN("emu:gat?fault=wrong-crc@reply:1", "--json"), 3, NULL, "check is wrong"));
    CU_ASSERT(is_json(RUN("emu:gat?fault=silent@reply:1", "--json"), 5, NULL, "no answer came"));
    CU_ASSERT(is_json(RUN("emu:gat?fault=old-version", "--json"), 3, NULL, "version 3.00"));
    CU_ASSERT(is_json(RUN("emu:gat?fault=unplug@frames:5", "--json"), 3, NULL, "is gone"));
    CU_ASSERT(is_json(RUN("emu:angel-eye", "--json"), 3, "angel-eye", "no GAT here"));
    CU_ASSERT(is_json(RUN("emu:shuffler", "--key", "a", "--json"), 3, "open", "no GAT here"));
    CU_ASSERT(is_json(RUN("emu:gat", "--approved", "/nowhere", "--json"), 2, NULL, "/nowhere"));
    CU_ASSERT(is_json(RUN("emu:gat", "--image", "a=/nowhere", "--json"), 2, NULL, "/nowhere"));
    CU_ASSERT(is_json(RUN("nowhere:gat", "--json"), 2, NULL, "nowhere:gat"));
    CU_ASSERT(is_json(RUN("serial:/nowhere@9600", "--json"), 3, NULL, "/nowhere"));
    CU_ASSERT(is_json(RUN("--rig", "/nowhere", "--json"), 2, NULL, "/nowhere"));
    CU_ASSERT(is_json(RUN("--rig", "rigs/emulated.yaml", "shuffler", "--key", "a", "--json"), 3,
                      "open", "no GAT here"));
}

TEST(usage_is_told)
{
    CU_ASSERT(ends(process_run((const char *const[]){"authenticate", NULL}, -1), 2, "no address"));
    CU_ASSERT(ends(RUN("emu:gat", "emu:gat"), 2, "is the second"));
    CU_ASSERT(ends(RUN("emu:gat", "--image", "ui"), 2, "NAME=FILE"));
    CU_ASSERT(ends(RUN("emu:gat", "--component", "a", "--component", "a"), 2, "twice"));
    CU_ASSERT(
        ends(RUN("emu:gat", "--component", "a", "--image", "b=/dev/null"), 2, "image of 'b'"));
    CU_ASSERT(ends(RUN("emu:gat", "--option", "colour=red"), 2, "colour=red"));
    CU_ASSERT(ends(RUN("emu:gat", "--approved", "/nowhere"), 2, "/nowhere"));
    CU_ASSERT(ends(RUN("nowhere:gat"), 2, "nowhere:gat"));
    CU_ASSERT(ends(RUN("--rig", "rigs/emulated.yaml", "roulette"), 2, "no device 'roulette'"));
    CU_ASSERT(ends(RUN("--rig", "/nowhere"), 2, "/nowhere"));
}

TEST(the_devices_of_a_rig_declare_what_they_are)
{
    CU_ASSERT(ends(RUN("--rig", "rigs/emulated.yaml", "shuffler"), 0, "shuffler at emu:shuffler"));
    CU_ASSERT(ends(RUN("--rig", "rigs/emulated.yaml"), 0, "terminal at emu:terminal"));
}

/* Neither load nor lumps matter: the device's answers may take as long as they need. */
#define PATIENT "--option", "reply=60000,stall=60000,no-reply=10,gap=1"

TEST(a_device_on_a_terminal_and_on_a_port_is_asked_on_the_real_clock)
{
    struct error error;

    for (unsigned i = 0; i < 2; i++) {
        struct model *model = model_kind_find("gat", &error)->make("calculation=0", &error);
        struct model_pump *pump = i ? model_pump_tcp(model) : model_pump_pty(model);

        CU_ASSERT(
            ends(RUN(model_pump_address(pump), PATIENT ",poll=1"), 0, "nothing was compared"));
        model_pump_stop(pump);
        model->ops->free(model);
    }
}

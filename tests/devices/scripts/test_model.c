/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other end of a script: a model that its file makes. */
#include "devices/model.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

#define TALLY "devices/scripts/examples/tally.lua"

static struct error error;
static struct script_file file;
static const struct model_kind *kind;

static struct model *make(const char *lines, const char *options)
{
    char text[2048], all[256];

    snprintf(text, sizeof text, SCRIPT_SHUFFLER("function d.model(options)\n%s\nend"), lines);
    script_file_text(&file, text);
    snprintf(all, sizeof all, "file=%s%s%s", file.path, *options ? "," : "", options);
    kind = model_kind_find("script", &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kind);
    return kind->make(all, &error);
}

static void drop(struct model *model)
{
    if (model)
        model->ops->free(model);
    script_file_drop(&file);
}

static const char *heard(struct model *model, nanos_t millis)
{
    static char bytes[256];
    size_t count =
        model->ops->send(model, (uint8_t *)bytes, sizeof bytes - 1, millis * NANOS_PER_MILLI);

    bytes[count] = '\0';
    return bytes;
}

static void tell(struct model *model, const char *text, nanos_t millis)
{
    model->ops->receive(model, (const uint8_t *)text, strlen(text), millis * NANOS_PER_MILLI);
}

TEST(a_model_hears_sends_and_keeps_time)
{
    struct model *model = make(
        "assert(options.a == '1' and not options.file and not options.seed)\n"
        "return {received = function(b) send('<' .. b .. '>')\n"
        "  after(10, function() send('ten' .. now()) after(5, function() send('five' .. now()) "
        "end) end)\n"
        "end, unplugged = function() send('never') end}",
        "a=1,seed=4");

    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    CU_ASSERT_EQUAL(model->ops->due(model), NEVER);
    tell(model, "hi", 2);
    CU_ASSERT(model->ops->due(model) <= 2 * NANOS_PER_MILLI);
    CU_ASSERT_STRING_EQUAL(heard(model, 2), "<hi>");
    CU_ASSERT_EQUAL(model->ops->due(model), 12 * NANOS_PER_MILLI);
    CU_ASSERT_STRING_EQUAL(heard(model, 11), "");
    /* Time may jump: what became due on the way comes first, at its own time. */
    CU_ASSERT_STRING_EQUAL(heard(model, 50), "ten12.0five17.0");
    CU_ASSERT_EQUAL(model->ops->due(model), NEVER);
    model->ops->unplug(model, 60 * NANOS_PER_MILLI);
    drop(model);
}

static void expect_unmade(const char *lines, const char *options, const char *within)
{
    struct model *model = make(lines, options);

    CU_ASSERT_PTR_NULL(model);
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    if (!strstr(error.text, within))
        printf("said:   %s\nwanted: %s\n", error.text, within);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    drop(model);
}

#define PLAIN "return {received = function() end}"

TEST(a_model_that_cannot_be_made_is_said)
{
    expect_unmade("", "", "model(): it returns nothing where it must return a table");
    expect_unmade("return {}", "", "no function 'received'");
    expect_unmade("return {received = 3}", "", "'received' is a number");
    expect_unmade("return {received = print, colour = 1}", "", "'colour', which no model has");
    expect_unmade("return {received = print, faults = {}}", "", "no function 'fault'");
    expect_unmade("error('no')", "", ":4: no");
    expect_unmade("while true do end", "", "steps");
    expect_unmade(PLAIN, "seed=x", "seed=x: write a whole number");
    expect_unmade(PLAIN, "nonsense", "'nonsense' is no option of a script");
    expect_unmade(PLAIN, "fault=jam@packet:1", "'jam@packet:1' is no fault of the model in");
    CU_ASSERT_PTR_NULL(kind->make("", &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "which script? Name its file"));
    CU_ASSERT_PTR_NULL(kind->make("file=no/such.lua", &error));
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(kind->make("file=devices/scripts/examples/angel-eye.lua", &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "it has no function 'model'"));
}

#define FAULTY                                                                                     \
    "return {received = function() shown() end, faults = {jam = 'packet', mute = true}, fault = "  \
    "function(name, number) send(name .. tostring(number)) end, power = function() send('up') "    \
    "end}"

TEST(faults_are_those_that_the_model_lists)
{
    struct model *model;

    expect_unmade(FAULTY, "fault=jam", "fault=jam: write jam@packet:N");
    expect_unmade(FAULTY, "fault=jam@card:1", "write jam@packet:N");
    expect_unmade(FAULTY, "fault=jam@packet:0", "write jam@packet:N");
    expect_unmade(FAULTY, "fault=jam@packet:x", "write jam@packet:N");
    expect_unmade(FAULTY, "fault=mute@packet:1", "fault=mute@packet:1: write mute");
    expect_unmade(FAULTY, "fault=flood", "its faults are jam, mute");
    model = make(FAULTY, "fault=jam@packet:3,fault=mute");
    if (!model)
        printf("%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    CU_ASSERT_STRING_EQUAL(heard(model, 0), "jam3mutenil");
    CU_ASSERT_FALSE(kind->has_shown(model));
    tell(model, "x", 1);
    CU_ASSERT_TRUE(kind->has_shown(model));
    kind->power_cycle(model, 2 * NANOS_PER_MILLI);
    CU_ASSERT_STRING_EQUAL(heard(model, 2), "up");
    CU_ASSERT_EQUAL(kind->fault(model, "jam@packet:9", &error), 0);
    CU_ASSERT_EQUAL(kind->fault(model, "smoke", &error), ERROR_CONFIG);
    drop(model);
}

/* A model that errs is no device that failed: the bench is broken. */
static void expect_broken(const char *lines, const char *within)
{
    struct clock clock;
    struct hal hal;
    struct model *model;
    struct link *link;
    char address[128], byte;

    model = make(lines, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    model->ops->free(model);
    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    hal.make_model = model_make;
    snprintf(address, sizeof address, "emu:script?file=%s", file.path);
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, address, &error), 0);
    CU_ASSERT_EQUAL(link_write(link, "x", 1, NEVER, &error), 1);
    CU_ASSERT_EQUAL(link_read(link, &byte, 1, NANOS_PER_SECOND, &error), ERROR_RIG);
    if (!strstr(error.text, within))
        printf("said:   %s\nwanted: %s\n", error.text, within);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    CU_ASSERT_EQUAL(link_write(link, "x", 1, NEVER, &error), ERROR_RIG);
    link_close(link);
    hal_close(&hal);
    script_file_drop(&file);
}

TEST(a_model_that_errs_is_a_broken_bench_with_file_and_line)
{
    expect_broken("return {received = function() error('lost') end}", ":4: lost");
    expect_broken("return {received = function() while true do end end}", "steps");
    expect_broken("return {received = function() after(3, function() error('rang') end) end}",
                  ":4: rang");
    expect_broken("return {received = function() local function f() after(0, f) end f() end}",
                  "10000 timers have run and no time has passed");
    expect_broken("return {received = function() while true do send('x') end end}",
                  "send: more than 65536 bytes wait");
    expect_broken(
        "return {received = function() local s = ('x'):rep(30000) send(s) send(s) send(s) "
        "end}",
        "send: more than 65536 bytes wait");
    expect_broken("return {received = function() wait(3) end}", "there is no 'wait' here");
    expect_broken("return {received = function() event{'button'} end}", "there is no 'event' here");
}

TEST(the_shuffles_of_a_model_are_those_of_its_seed)
{
    char told[3][256];

    kind = model_kind_find("script", &error);
    for (unsigned i = 0; i < 3; i++) {
        struct model *model =
            kind->make(i < 2 ? "seed=3,file=" TALLY : "seed=4,file=" TALLY, &error);

        CU_ASSERT_PTR_NOT_NULL_FATAL(model);
        tell(model, "P 0 0 13*72\r\n", 0);
        tell(model, "S*53\r\n", 0);
        heard(model, 5000);
        tell(model, "D*44\r\n", 5000);
        strcpy(told[i], heard(model, 5000));
        strcpy(told[i], heard(model, 6000));
        model->ops->free(model);
    }
    CU_ASSERT(strlen(told[0]) > 40 && told[0][0] == 'p');
    CU_ASSERT_STRING_EQUAL(told[0], told[1]);
    CU_ASSERT_STRING_NOT_EQUAL(told[0], told[2]);
}

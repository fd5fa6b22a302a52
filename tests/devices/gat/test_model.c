/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The emulated device that answers GAT: its answers byte by byte, and what it does not answer. */
#include "devices/gat/model.h"

#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "tests/support/suite.h"

#define MS NANOS_PER_MILLI

static struct error error;
static struct model *model;
static nanos_t now;

static void make(const char *options)
{
    model = model_kind_find("gat", &error)->make(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    now = NANOS_PER_SECOND;
}

static void drop(void)
{
    model->ops->free(model);
}

/* What it answers within a second: false when nothing. */
static bool ask(uint8_t command, const void *data, size_t size, struct gat_frame *reply)
{
    struct gat_frame question = {.command = command, .size = (uint8_t)size};
    struct gat_decoder decoder = {.used = 0};
    uint8_t bytes[GAT_FRAME_MAX];
    size_t taken, count;
    nanos_t due;

    if (size)
        memcpy(question.data, data, size);
    now += 100 * MS;
    model->ops->receive(model, bytes, gat_encode(&question, GAT_HIGH_FIRST, bytes), now);
    due = model->ops->due(model);
    if (due > now + NANOS_PER_SECOND)
        return false;
    now = due > now ? due : now;
    count = model->ops->send(model, bytes, sizeof bytes, now);
    return gat_decode(&decoder, bytes, count, &taken, reply) == GAT_READY;
}

static unsigned status(void)
{
    struct gat_frame reply;

    CU_ASSERT_FATAL(ask(GAT_SQ, NULL, 0, &reply));
    CU_ASSERT_EQUAL_FATAL(reply.size, 4);
    return reply.data[2];
}

static bool start(const char *text)
{
    uint8_t data[GAT_DATA_MAX] = {GAT_LEVEL, 0};
    struct gat_frame reply;

    memcpy(data + 2, text, strlen(text));
    return ask(GAT_IACQ, data, strlen(text) + 2, &reply);
}

/* The document of a function; "" when there is none. */
static const char *document(const char *text)
{
    static char whole[8192];
    struct gat_frame reply;
    size_t used = 0;

    whole[0] = '\0';
    CU_ASSERT(start(text));
    now += 10 * NANOS_PER_SECOND;
    for (unsigned number = 1; number < 100; number++) {
        const uint8_t data[] = {GAT_XML, 0, (uint8_t)number};

        CU_ASSERT_FATAL(ask(GAT_LARQ, data, sizeof data, &reply));
        CU_ASSERT_EQUAL(reply.data[2], number);
        if (reply.data[0] & GAT_PART_ERROR)
            break;
        memcpy(whole + used, reply.data + GAT_PART_HEAD, reply.size - GAT_PART_HEAD);
        used += reply.size - GAT_PART_HEAD;
        whole[used] = '\0';
        if (reply.data[0] & GAT_PART_LAST)
            break;
    }
    return whole;
}

TEST(a_calculation_goes_from_idle_through_working_to_finished)
{
    make("");
    CU_ASSERT_EQUAL(status(), GAT_FINISHED << GAT_STATE_SHIFT);
    CU_ASSERT(start("Get Special Functions"));
    CU_ASSERT_EQUAL(status(), GAT_WORKING << GAT_STATE_SHIFT | GAT_CALCULATING);
    now += 3 * NANOS_PER_SECOND;
    CU_ASSERT_EQUAL(status(), GAT_FINISHED << GAT_STATE_SHIFT | GAT_HAS_RESULTS);
    drop();
}

TEST(results_stay_until_the_next_request_or_until_the_power_goes)
{
    const uint8_t first[] = {GAT_XML, 0, 1};
    struct gat_frame reply;

    make("");
    CU_ASSERT(*document("Get Special Functions"));
    model->ops->unplug(model, now);
    now += 3600 * NANOS_PER_SECOND;
    CU_ASSERT(ask(GAT_LARQ, first, 3, &reply));
    CU_ASSERT_EQUAL(reply.data[0] & GAT_PART_ERROR, 0);
    CU_ASSERT(start("Get Special Functions"));
    CU_ASSERT(ask(GAT_LARQ, first, 3, &reply));
    CU_ASSERT_EQUAL(reply.data[0], GAT_PART_ERROR);
    now += 3 * NANOS_PER_SECOND;
    CU_ASSERT(ask(GAT_LARQ, first, 3, &reply));
    CU_ASSERT_EQUAL(reply.data[0] & GAT_PART_ERROR, 0);
    model_kind_find("gat", NULL)->power_cycle(model, now);
    CU_ASSERT(ask(GAT_LARQ, first, 3, &reply));
    CU_ASSERT_EQUAL(reply.data[0], GAT_PART_ERROR);
    CU_ASSERT_EQUAL(status(), GAT_FINISHED << GAT_STATE_SHIFT);
    drop();
}

TEST(a_part_that_there_is_not_and_another_format_are_errors)
{
    static const uint8_t wrong[][3] = {{2, 0, 0}, {2, 0, 99}, {2, 255, 255}, {1, 0, 1}, {0, 0, 1}};
    struct gat_frame reply;

    make("");
    document("Get Special Functions");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT(ask(GAT_LARQ, wrong[i], 3, &reply));
        CU_ASSERT_EQUAL(reply.data[0], GAT_PART_ERROR);
        CU_ASSERT_EQUAL(reply.size, GAT_PART_HEAD);
    }
    drop();
}

TEST(no_key_and_an_empty_one_are_the_same)
{
    char bare[2048];

    make("component=ui,component=nxp");
    snprintf(bare, sizeof bare, "%s", document("Component\tui"));
    CU_ASSERT(*bare);
    CU_ASSERT_STRING_EQUAL(document("Component\tui\t"), bare);
    CU_ASSERT(strcmp(document("Component\tui\tx"), bare) != 0);
    drop();
}

TEST(what_it_does_not_have_ends_in_error)
{
    static const char *const texts[] = {"Component\tram\tk",
                                        "Component",
                                        "Get File\tProgramID.xml\tk",
                                        "Get File",
                                        "doVerification\tui\tk",
                                        "get special functions",
                                        "",
                                        "Component\tui\tk\tmore"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        make("component=ui");
        CU_ASSERT(start(texts[i]));
        now += 10 * NANOS_PER_SECOND;
        CU_ASSERT_EQUAL(status(), GAT_IN_ERROR << GAT_STATE_SHIFT);
        drop();
    }
}

TEST(a_key_that_is_no_digits_is_refused_where_keys_are)
{
    make("component=ui,key=hex");
    CU_ASSERT_STRING_EQUAL(document("Component\tui\t4a6"), "");
    CU_ASSERT_STRING_EQUAL(document("Component\tui\tJefe"), "");
    CU_ASSERT(*document("Component\tui\t4a656665"));
    drop();
}

TEST(options_say_what_stands_in_its_documents)
{
    make("component=a<b,component=c,game=A & B,manufacturer=M,single=all");
    CU_ASSERT_PTR_NOT_NULL(strstr(document("Component\tc\tk"), "<Name>a&#60;b</Name>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document("Component\tc\tk"), "<Name>A &#38; B</Name>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(document("Component\tc\tk"), "<Manufacturer>M</Manufacturer>"));
    drop();
    make("component=a,component=c");
    CU_ASSERT_PTR_NULL(strstr(document("Component\tc\tk"), "<Name>a</Name>"));
    drop();
}

TEST(the_time_since_the_last_calculation_is_told_and_never_as_an_option_says)
{
    struct gat_frame reply;

    make("never=7");
    CU_ASSERT(ask(GAT_LASQ, NULL, 0, &reply));
    CU_ASSERT_EQUAL(reply.size, 5);
    CU_ASSERT_EQUAL(reply.data[4], 7);
    CU_ASSERT(start("Get Special Functions"));
    now += 300 * NANOS_PER_SECOND;
    CU_ASSERT(ask(GAT_LASQ, NULL, 0, &reply));
    CU_ASSERT_EQUAL(reply.data[0], GAT_LEVEL);
    CU_ASSERT_EQUAL(reply.data[3] << 8 | reply.data[4], 300);
    drop();
}

TEST(what_is_no_question_is_not_answered)
{
    static const uint8_t any[4] = {0};
    struct gat_frame reply;

    make("");
    CU_ASSERT_FALSE(ask(0, NULL, 0, &reply));
    CU_ASSERT_FALSE(ask(5, NULL, 0, &reply));
    CU_ASSERT_FALSE(ask(0x81, NULL, 0, &reply));
    CU_ASSERT_FALSE(ask(GAT_SQ, any, 1, &reply));
    CU_ASSERT_FALSE(ask(GAT_LASQ, any, 1, &reply));
    CU_ASSERT_FALSE(ask(GAT_LARQ, any, 2, &reply));
    CU_ASSERT_FALSE(ask(GAT_LARQ, any, 4, &reply));
    CU_ASSERT_FALSE(ask(GAT_IACQ, NULL, 0, &reply));
    CU_ASSERT_FALSE(ask(GAT_IACQ, any, 4, &reply));
    CU_ASSERT_EQUAL(status(), GAT_FINISHED << GAT_STATE_SHIFT);
    drop();
}

TEST(options_that_there_are_not_are_refused_with_the_reason)
{
    static const char *const wrong[] = {"component=",
                                        "component=a,component=a",
                                        "image=x",
                                        "part=0",
                                        "part=249",
                                        "idle=4",
                                        "never=x",
                                        "single=two",
                                        "zero=2",
                                        "game=",
                                        "seed=-1",
                                        "delay=x",
                                        "fault=moody",
                                        "fault=stale@calculation:1",
                                        "reserved-bits=256",
                                        "colour=red"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_PTR_NULL(gat_model_new(wrong[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    }
}

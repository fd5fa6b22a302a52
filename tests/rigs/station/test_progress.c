/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a run is, by the lines of its journal. */
#include <stdio.h>
#include <string.h>

#include "rigs/station/progress.h"
#include "tests/support/suite.h"

static struct progress begin(const char *clock, unsigned total)
{
    struct progress progress = {.total = 0};
    char line[128];
    int length = snprintf(line, sizeof line,
                          "{\"n\":1,\"prev\":\"0\",\"t\":0,\"kind\":\"start\",\"clock\":\"%s\","
                          "\"command\":[\",\\\"rounds\\\":7\"],\"rounds\":%u}",
                          clock, total);

    progress_take(&progress, "start", 5, line, (size_t)length);
    return progress;
}

static void take(struct progress *progress, const char *kind, const char *more)
{
    char line[256];
    int length = snprintf(line, sizeof line, "{\"n\":2,\"prev\":\"0\",\"t\":5,\"kind\":\"%s\"%s}",
                          kind, more);

    progress_take(progress, kind, strlen(kind), line, (size_t)length);
}

static const char *status(const struct progress *progress, bool is_played, nanos_t ran)
{
    static char buffer[512];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer - 1);
    progress_write(progress, is_played, ran, &text);
    *text.at = '\0';
    return buffer;
}

#define PACKET ",\"for\":\"packet\",\"device\":\"shuffler\",\"limit-ms\":5500"
#define SAID(device, event)                                                                        \
    ",\"recording\":1,\"round\":1,\"device\":\"" device "\",\"event\":\"" event "\""

TEST(rounds_are_those_with_a_verdict_and_the_total_is_in_the_first_line)
{
    struct progress progress = begin("virtual", 90);

    take(&progress, "round", "");
    take(&progress, "verdict", "");
    take(&progress, "round", "");
    CU_ASSERT_STRING_EQUAL(status(&progress, false, 0), ",\"rounds\":1,\"total\":90");
    progress = begin("virtual", 0);
    CU_ASSERT_STRING_EQUAL(status(&progress, false, 0), ",\"rounds\":0");
}

TEST(a_run_ends_when_what_is_left_has_taken_as_long_as_what_was)
{
    CU_ASSERT_EQUAL(progress_left_ms(1, 4, 20 * NANOS_PER_SECOND, 0), 60000);
    /* The round that is being played has a part of that behind it. */
    CU_ASSERT_EQUAL(progress_left_ms(1, 4, 30 * NANOS_PER_SECOND, 10 * NANOS_PER_SECOND), 50000);
    CU_ASSERT_EQUAL(progress_left_ms(4, 4, 30 * NANOS_PER_SECOND, 0), 0);
    CU_ASSERT_EQUAL(progress_left_ms(1, 4, 100 * NANOS_PER_SECOND, 99 * NANOS_PER_SECOND), 0);
    CU_ASSERT_EQUAL(progress_left_ms(UINT64_MAX / 2, UINT64_MAX, INT64_MAX, 0) > 0, 1);
    CU_ASSERT_EQUAL(progress_left_ms(0, 4, 30 * NANOS_PER_SECOND, 0), -1);
    CU_ASSERT_EQUAL(progress_left_ms(5, 4, 30 * NANOS_PER_SECOND, 0), -1);
    CU_ASSERT_EQUAL(progress_left_ms(3, 0, 30 * NANOS_PER_SECOND, 0), -1);
    CU_ASSERT_EQUAL(progress_left_ms(3, 4, 0, 0), -1);
}

TEST(an_expected_end_is_told_of_a_run_that_is_being_played)
{
    struct progress progress = begin("virtual", 3);

    take(&progress, "verdict", "");
    CU_ASSERT_STRING_EQUAL(status(&progress, true, 2 * NANOS_PER_SECOND),
                           ",\"rounds\":1,\"total\":3,\"ends-ms\":4000");
    CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "ends-ms"));
}

TEST(what_is_waited_for_is_told_until_it_comes)
{
    struct progress progress = begin("real", 3);
    const char *told;

    take(&progress, "wait", PACKET);
    told = status(&progress, true, 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(told, ",\"wait\":{\"for\":\"packet\",\"device\":\"shuffler\",\"since-ms\":"));
    CU_ASSERT_PTR_NOT_NULL(strstr(told, ",\"limit-ms\":5500}"));
    CU_ASSERT_PTR_NULL(strstr(status(&progress, false, 0), "wait"));
    /* What others say, and what the same device says of something else, does not end it. */
    take(&progress, "event", SAID("terminal", "packet-present"));
    take(&progress, "event", SAID("shuffler", "fault"));
    take(&progress, "check", ",\"device\":\"shuffler\"");
    take(&progress, "retry", ",\"device\":\"shuffler\"");
    CU_ASSERT_PTR_NOT_NULL(strstr(status(&progress, true, 0), "packet"));
    take(&progress, "event", SAID("shuffler", "packet-present"));
    CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
}

#define COLLECTED            ",\"for\":\"collected\",\"device\":\"sensors\",\"limit-ms\":66000"
#define SENSED(event, seats) SAID("sensors", event) ",\"details\":[" seats "]"

TEST(wagers_are_waited_for_until_all_are_collected)
{
    struct progress progress = begin("real", 3);

    take(&progress, "event", SENSED("wager placed", "1,3,7"));
    take(&progress, "wait", COLLECTED);
    take(&progress, "event", SENSED("wager lifted while locked", "3"));
    take(&progress, "event", SENSED("late wager", "2"));
    take(&progress, "event", SENSED("wager lifted", "1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(status(&progress, true, 0), "collected"));
    take(&progress, "event", SENSED("wager lifted while locked", "7"));
    CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
    take(&progress, "event", SENSED("wager placed", "4,5"));
    take(&progress, "wait", COLLECTED);
    take(&progress, "event", SENSED("wager lifted", "4,5"));
    CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
}

TEST(the_end_of_a_round_and_a_question_end_a_wait)
{
    static const char *const kinds[] = {"verdict", "round",     "question",
                                        "end",     "recording", "settled"};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct progress progress = begin("real", 3);

        take(&progress, "wait", PACKET);
        take(&progress, kinds[i], "");
        CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
    }
}

TEST(a_device_that_is_away_is_told_with_the_number_of_the_try)
{
    struct progress progress = begin("real", 3);

    take(&progress, "wait", ",\"for\":\"return\",\"device\":\"shuffler\",\"try\":3");
    CU_ASSERT_PTR_NOT_NULL(strstr(status(&progress, true, 0), ",\"try\":3}"));
    /* Anything that it says shows that it is back. */
    take(&progress, "event", SAID("shuffler", "shuffled"));
    CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
}

TEST(a_line_that_is_none_of_ours_tells_nothing)
{
    static const char *const lines[] = {
        ",\"for\":\"a name that is far too long for what is waited for\",\"device\":\"x\"",
        ",\"for\":\"a\\\\\"b\"", ",\"for\":", ",\"for\":7", ""};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct progress progress = begin("real", 3);

        take(&progress, "wait", lines[i]);
        CU_ASSERT_PTR_NULL(strstr(status(&progress, true, 0), "wait"));
    }
}

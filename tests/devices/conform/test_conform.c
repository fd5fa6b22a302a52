/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite on emulated devices: what it passes, what it leaves, and how it ends. */
#include <stdio.h>
#include <string.h>

#include "devices/shuffler/open/model.h"
#include "tests/support/devices/conform_bench.h"
#include "tests/support/suite.h"

static const struct {
    enum frame_class class;
    const char *address;
} honest[] = {
    {FRAME_SHUFFLER, "emu:shuffler"},
    {FRAME_SHUFFLER, "emu:shuffler?decks=2,seed=7"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2"},
    {FRAME_SHOE, "emu:shoe?draw=700,refill=2000,protocol=2"},
    {FRAME_TERMINAL, "emu:terminal?protocol=2"},
    {FRAME_BET_SENSOR, "emu:bet-sensor?protocol=2"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,decks=2,shuffles=70000"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,shuffles=4294967294"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,lacks=log"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,lacks=test-mode"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,lacks=draws,lacks=wall-clock"},
    {FRAME_SHUFFLER, "emu:shuffler?protocol=2,fault=power@packet:2"},
    {FRAME_SHOE, "emu:shoe?draw=700,refill=2000,protocol=2,lacks=log"},
    {FRAME_SHOE, "emu:shoe?draw=700,protocol=2,lacks=test-mode,fault=vendor@status:3"},
    {FRAME_SHOE, "emu:shoe?draw=700,protocol=2,fault=power@card:9"},
    {FRAME_TERMINAL, "emu:terminal?protocol=2,lacks=configuration,lacks=log"},
    {FRAME_TERMINAL, "emu:terminal?protocol=2,lacks=test-mode"},
    {FRAME_TERMINAL, "emu:terminal?protocol=2,lacks=wall-clock,chatty=1,configure=resets"},
    {FRAME_BET_SENSOR, "emu:bet-sensor?protocol=2,lacks=test-mode"},
    {FRAME_BET_SENSOR, "emu:bet-sensor?protocol=2,lacks=log,lacks=wall-clock"},
    {FRAME_SHUFFLER, "emu:shuffler?shuffle=0,deal=0,take=1"},
    {FRAME_SHUFFLER, "emu:shuffler?shuffle=700,deal=40,take=3000"},
    {FRAME_SHUFFLER, "emu:shuffler?shuffle=riffle:7,serial=X-1"},
    {FRAME_SHOE, "emu:shoe"},
    {FRAME_SHOE, "emu:shoe?draw=300"},
    {FRAME_SHOE, "emu:shoe?draw=700,refill=2000"},
    {FRAME_SHOE, "emu:shoe?draw=50,cut=3,seed=9"},
    {FRAME_BET_SENSOR, "emu:bet-sensor"},
    {FRAME_BET_SENSOR, "emu:bet-sensor?place=900,seed=3"},
    {FRAME_TERMINAL, "emu:terminal"},
    {FRAME_TERMINAL, "emu:terminal?preset=three-card-catch"},
    {FRAME_TERMINAL, "emu:terminal?chatty=1"},
    {FRAME_TERMINAL, "emu:terminal?configure=resets"},
    {FRAME_TERMINAL, "emu:terminal?history=1,awards=300"},
    {FRAME_TERMINAL, "emu:terminal?configure=resets,chatty=1,awards=2,seed=5"},
};

TEST(every_honest_way_of_an_emulated_device_passes)
{
    for (size_t i = 0; i < sizeof honest / sizeof honest[0]; i++) {
        struct conform_bench bench;

        conform_bench_begin(&bench, honest[i].class);
        conform_bench_run(&bench, honest[i].address);
        if (bench.status || bench.conform.counts[CONFORM_FAIL])
            printf("%s: status %d\n%s", honest[i].address, bench.status, bench.failed);
        CU_ASSERT_EQUAL(bench.status, 0);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        CU_ASSERT(bench.conform.counts[CONFORM_PASS] > 50);
        conform_bench_end(&bench);
    }
}

TEST(without_codes_hands_and_leave_to_alter_less_is_seen_and_nothing_fails)
{
    static const enum frame_class classes[] = {FRAME_SHUFFLER, FRAME_SHOE, FRAME_TERMINAL};
    static const char *const addresses[] = {"emu:shuffler", "emu:shoe", "emu:terminal"};
    static const char *const unseen[] = {"SH49", "SO37", "T80"};

    for (unsigned i = 0; i < 3; i++) {
        struct conform_bench bench;

        conform_bench_begin(&bench, classes[i]);
        bench.conform.hands = bench.conform.alters = false;
        bench.conform.code = bench.conform.admin_code = NULL;
        conform_bench_run(&bench, addresses[i]);
        CU_ASSERT_EQUAL(bench.status, 0);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        CU_ASSERT_EQUAL(conform_bench_verdict(&bench, unseen[i]), CONFORM_NOT_SEEN);
        conform_bench_end(&bench);
    }
}

/* One request, and the payload of its reply. */
static size_t ask(struct conform_bench *bench, uint8_t type, uint8_t sequence, uint8_t *payload)
{
    struct frame_decoder decoder = {.used = 0};
    nanos_t deadline = clock_now(&bench->clock) + NANOS_PER_SECOND;
    uint8_t bytes[FRAME_ENCODED_MAX], byte;
    struct frame frame;
    size_t taken;

    frame_begin(&frame, bench->conform.class, type, sequence);
    CU_ASSERT_EQUAL_FATAL(
        link_write_all(bench->link, bytes, frame_encode(&frame, bytes), deadline, &bench->error),
        0);
    while (link_read(bench->link, &byte, 1, deadline, &bench->error) == 1)
        if (frame_decode(&decoder, &byte, 1, &taken, &frame) == FRAME_READY &&
            frame.type == (type | 0x80) && frame.sequence == sequence) {
            memcpy(payload, frame.payload, frame.size);
            return frame.size;
        }
    return 0;
}

/* Meters of a terminal that nobody may alter, and what each class is in. */
TEST(a_device_is_left_as_it_was)
{
    static const struct {
        enum frame_class class;
        const char *address;
        unsigned bytes; /* of STATUS that stay: state, error, flags, and what is no counter */
    } devices[] = {{FRAME_SHUFFLER, "emu:shuffler", 3},
                   {FRAME_SHOE, "emu:shoe", 5},
                   {FRAME_BET_SENSOR, "emu:bet-sensor", 6},
                   {FRAME_TERMINAL, "emu:terminal", 5}};

    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        uint8_t before[240], after[240], meters[240], put[240];
        struct conform_bench bench;
        size_t size = 0;

        conform_bench_begin(&bench, devices[i].class);
        bench.conform.alters = false;
        CU_ASSERT_EQUAL_FATAL(link_open(&bench.link, &bench.hal, devices[i].address, &bench.error),
                              0);
        CU_ASSERT(ask(&bench, 0x03, 200, before) > 0);
        if (devices[i].class == FRAME_TERMINAL)
            size = ask(&bench, 0x12, 201, meters);
        conform_bench_again(&bench);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        CU_ASSERT(ask(&bench, 0x03, 202, after) > 0);
        CU_ASSERT_EQUAL(memcmp(before, after, devices[i].bytes), 0);
        if (size) {
            CU_ASSERT_EQUAL(ask(&bench, 0x12, 203, put), size);
            CU_ASSERT_EQUAL(memcmp(meters, put, size), 0);
        }
        conform_bench_again(&bench);
        CU_ASSERT_EQUAL(bench.status, 0);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        conform_bench_end(&bench);
    }
}

static void cancel(struct conform_bench *bench)
{
    hal_cancel(&bench->hal);
    bench->meddle = NULL;
}

/* A person is asked to take a packet: there the run is cut off, in test mode and with cards out. */
TEST(a_run_that_is_interrupted_takes_the_device_back)
{
    struct conform_bench bench;
    uint8_t status[240];

    conform_bench_begin(&bench, FRAME_SHUFFLER);
    bench.meddle = cancel;
    conform_bench_run(&bench, "emu:shuffler");
    CU_ASSERT_EQUAL(bench.status, ERROR_ABORTED);
    CU_ASSERT_PTR_NULL(bench.meddle);
    CU_ASSERT(bench.conform.counts[CONFORM_PASS] > 40);
    CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
    CU_ASSERT_EQUAL(ask(&bench, 0x03, 200, status), 10);
    CU_ASSERT_EQUAL(status[0], 1);
    CU_ASSERT_EQUAL(status[2], 0);
    conform_bench_end(&bench);
}

TEST(a_device_that_is_gone_is_said_with_what_was_found_before)
{
    struct conform_bench bench;

    conform_bench_begin(&bench, FRAME_SHUFFLER);
    conform_bench_run(&bench, "emu:shuffler?fault=unplug@frames:100");
    CU_ASSERT_EQUAL(bench.status, ERROR_DEVICE);
    CU_ASSERT(bench.conform.counts[CONFORM_PASS] > 10);
    CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
    CU_ASSERT_EQUAL(conform_bench_verdict(&bench, "SH49"), CONFORM_NOT_SEEN);
    conform_bench_end(&bench);
}

TEST(one_sentence_is_tried_by_its_number_alone)
{
    struct conform_bench bench;

    conform_bench_begin(&bench, FRAME_SHUFFLER);
    bench.conform.only = "SH32";
    conform_bench_run(&bench, "emu:shuffler");
    CU_ASSERT_EQUAL(bench.status, 0);
    CU_ASSERT_EQUAL(bench.count, 1);
    CU_ASSERT_EQUAL(conform_bench_verdict(&bench, "SH32"), CONFORM_PASS);
    CU_ASSERT(bench.frames[0] >= 2);
    /* No deck was shuffled for it. */
    CU_ASSERT(clock_now(&bench.clock) < 15 * NANOS_PER_SECOND);
    conform_bench_end(&bench);
}

TEST(what_is_found_comes_with_its_frames)
{
    struct conform_bench bench;

    conform_bench_begin(&bench, FRAME_SHUFFLER);
    conform_bench_run(&bench, "emu:shuffler?fault=garble@packet:1");
    CU_ASSERT_EQUAL(conform_bench_verdict(&bench, "F12"), CONFORM_FAIL);
    for (unsigned i = 0; i < bench.count; i++)
        CU_ASSERT(bench.verdicts[i] != CONFORM_FAIL || bench.frames[i] > 0);
    conform_bench_end(&bench);
}

/* What one run finds of some sentences. */
static void expect_verdicts(enum frame_class class, const char *address,
                            enum conform_verdict verdict, const char *const *ids)
{
    struct conform_bench bench;

    conform_bench_begin(&bench, class);
    conform_bench_run(&bench, address);
    for (; *ids; ids++) {
        if (conform_bench_verdict(&bench, *ids) != verdict)
            printf("%s: %s is '%s'\n", address, *ids,
                   conform_verdicts[conform_bench_verdict(&bench, *ids)]);
        CU_ASSERT_EQUAL(conform_bench_verdict(&bench, *ids), verdict);
    }
    conform_bench_end(&bench);
}

#define IDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(a_burn_of_another_size_breaks_the_sentence_about_burns)
{
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?fault=long@packet:1", CONFORM_FAIL, IDS("SH35"));
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?fault=long@packet:1", CONFORM_PASS, IDS("SH30"));
}

TEST(an_event_that_never_came_was_not_sent_too_often)
{
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?fault=unannounced", CONFORM_NOT_SEEN,
                    IDS("C22", "M4"));
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?fault=unannounced", CONFORM_FAIL, IDS("SH41"));
}

TEST(version_2_is_tried_on_a_device_that_knows_it_and_not_offered_by_another)
{
    static const char *const shown[] = {"V6",  "V8",   "V9",    "V10", "N12",   "N20",   "N23",
                                        "N24", "N25",  "N30",   "N31", "N32",   "N33",   "VSH1",
                                        "N6",  "VSH2", "VSH9",  "N28", "VSH11", "VSH12", "VSH15",
                                        "N18", "N5",   "VSH16", "N38", NULL};

    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?protocol=2,decks=2,shuffles=70000", CONFORM_PASS,
                    shown);
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler", CONFORM_NOT_OFFERED, shown);
    expect_verdicts(FRAME_SHOE, "emu:shoe?draw=300,protocol=2", CONFORM_PASS,
                    IDS("V7", "N3", "N29", "VSO1", "VSO2", "VSO3"));
    expect_verdicts(FRAME_BET_SENSOR, "emu:bet-sensor?protocol=2", CONFORM_PASS,
                    IDS("V7", "N2", "N29", "VB1"));
    expect_verdicts(FRAME_TERMINAL, "emu:terminal?protocol=2", CONFORM_PASS,
                    IDS("N8", "VT1", "VT2", "VT3", "VT4", "VT5", "VT6", "VT7", "VT8", "VT9", "VT10",
                        "VT11", "VT12", "VT13", "VT14", "VT15"));
}

TEST(a_vendor_may_say_what_he_likes_but_for_cards_to_come)
{
    expect_verdicts(FRAME_SHUFFLER, "emu:shuffler?protocol=2,fault=vendor@status:3", CONFORM_PASS,
                    IDS("N36"));
    expect_verdicts(FRAME_SHUFFLER,
                    "emu:shuffler?protocol=2,fault=vendor@status:3,fault=gossips@packet:1",
                    CONFORM_FAIL, IDS("N36"));
}

TEST(a_wall_clock_that_jumps_is_told_and_breaks_no_sentence)
{
    expect_verdicts(FRAME_SHOE, "emu:shoe?protocol=2,fault=clock-jumps@status:6", CONFORM_NOT_SEEN,
                    IDS("N25"));
}

static int status_of(enum frame_class class, const char *address, const char *only,
                     const char *words)
{
    struct conform_bench bench;
    int status;

    conform_bench_begin(&bench, class);
    bench.conform.only = only;
    conform_bench_run(&bench, address);
    status = bench.status;
    if (!strstr(bench.error.text, words))
        printf("%s: %s\n", address, bench.error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, words));
    CU_ASSERT_EQUAL(bench.count, 0);
    conform_bench_end(&bench);
    return status;
}

TEST(who_answers_instead_is_named)
{
    CU_ASSERT_EQUAL(status_of(FRAME_SHUFFLER, "emu:shoe", NULL, "is of class shoe"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(status_of(FRAME_SHOE, "emu:terminal", NULL, "write --class terminal"),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(status_of(FRAME_TERMINAL, "emu:bet-sensor", NULL, "is of class sensors"),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(status_of(FRAME_SHOE, "emu:angel-eye", NULL, "speaks 'angel-eye'"),
                    ERROR_CONFIG);
}

TEST(a_number_that_is_not_of_the_class_is_refused)
{
    CU_ASSERT_EQUAL(status_of(FRAME_SHOE, "emu:shoe", "SO99", "no sentence 'SO99'"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(status_of(FRAME_SHOE, "emu:shoe", "T4", "is of class terminal, not shoe"),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(status_of((enum frame_class)9, "emu:shoe", NULL, "no class 9"), ERROR_CONFIG);
}

TEST(codes_have_four_to_eight_digits)
{
    static const char *const bad[] = {"", "123", "123456789", "12a4", "１２３４"};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct conform_bench bench;

        conform_bench_begin(&bench, FRAME_TERMINAL);
        bench.conform.code = bad[i];
        conform_bench_run(&bench, "emu:terminal");
        CU_ASSERT_EQUAL(bench.status, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "--code"));
        conform_bench_end(&bench);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host of GAT: its questions byte by byte, its times on a virtual clock, what it refuses. */
#include "devices/gat/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define MS    NANOS_PER_MILLI
#define HEARD 4096

/* A device between the host and a model: writes down when what was asked, and passes it on. */
struct witness {
    struct model model;
    struct model *inner;
    struct {
        nanos_t at;
        uint8_t bytes[GAT_FRAME_MAX];
        size_t size;
    } heard[HEARD];
    unsigned count;
    nanos_t spoken;  /* last byte of an answer */
    nanos_t silence; /* the shortest from an answer to the next question */
    unsigned sleeps; /* with the answer to which question on its way the machine sleeps, */
    nanos_t sleep;   /* and for how long */
};

static struct clock clock;
static struct hal hal;
static struct link *link;
static struct witness witness;
static struct gat_host host;
static struct error error;

static void witness_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    (void)model;
    if (witness.count < HEARD) {
        witness.heard[witness.count].at = now;
        memcpy(witness.heard[witness.count].bytes, bytes, count);
        witness.heard[witness.count++].size = count;
    }
    if (witness.spoken && now - witness.spoken < witness.silence)
        witness.silence = now - witness.spoken;
    witness.inner->ops->receive(witness.inner, bytes, count, now);
}

static size_t witness_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    size_t count = witness.inner->ops->send(witness.inner, bytes, size, now);

    if (count && witness.count == witness.sleeps)
        clock_advance(&clock, now + witness.sleep);
    if (count)
        witness.spoken = clock_now(&clock);
    model->gone = witness.inner->gone;
    return count;
}

static nanos_t witness_due(struct model *model)
{
    (void)model;
    return witness.inner->ops->due(witness.inner);
}

static void witness_free(struct model *model)
{
    (void)model;
    witness.inner->ops->free(witness.inner);
}

static struct model *make(void *context, const char *name, const char *options, struct error *why)
{
    static const struct model_ops ops = {
        .receive = witness_receive, .send = witness_send, .due = witness_due, .free = witness_free};

    (void)context;
    witness = (struct witness){.model.ops = &ops, .silence = NEVER};
    witness.inner = model_make(NULL, name, options, why);
    return witness.inner ? &witness.model : NULL;
}

/* With the model's options behind the address, and those of the host. */
static void plug(const char *address, const char *options)
{
    struct gat_settings settings = gat_standard;

    CU_ASSERT_EQUAL_FATAL(gat_settings_read(&settings, options, &error), 0);
    clock_virtual(&clock, 1000 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    hal.make_model = make;
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gat_host_open(&host, link, &settings, &error), 0);
}

static void unplug(void)
{
    link_close(link);
    hal_close(&hal);
}

static const struct gat_request list = {.feature = "Get Special Functions"};

/* The status of one function; its document in `text`, to be freed, unless that is NULL. */
static int perform(const struct gat_request *request, char **text)
{
    struct gat_document document;
    int status = gat_perform(&host, request, NULL, &document, &error);

    if (text) {
        *text = status ? NULL : calloc(1, document.size + 1);
        if (*text && document.size)
            memcpy(*text, document.bytes, document.size);
    }
    free(document.bytes);
    return status;
}

static bool is_asked(unsigned index, const char *hex)
{
    uint8_t bytes[GAT_FRAME_MAX];
    size_t size = shoe_bench_hex(hex, bytes, sizeof bytes);

    return index < witness.count && witness.heard[index].size == size &&
           !memcmp(witness.heard[index].bytes, bytes, size);
}

TEST(the_questions_are_those_of_the_page)
{
    struct gat_status status;
    struct gat_last last;

    plug("emu:gat?part=200", "");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    CU_ASSERT_EQUAL(status.version, 0x0350);
    CU_ASSERT_EQUAL(status.bits, 4);
    CU_ASSERT_EQUAL(status.formats, GAT_XML);
    CU_ASSERT_EQUAL(gat_last(&host, &last, &error), 0);
    CU_ASSERT_EQUAL(last.level, 0xba);
    CU_ASSERT_EQUAL(last.seconds, UINT32_MAX);
    CU_ASSERT_EQUAL(perform(&list, NULL), 0);
    CU_ASSERT(is_asked(0, "01 04 e3 01"));
    CU_ASSERT(is_asked(1, "02 04 13 01"));
    CU_ASSERT(is_asked(2, "04 1b ba 00 47 65 74 20 53 70 65 63 69 61 6c 20 46 75 6e 63 74 69 6f "
                          "6e 73 2b 54"));
    CU_ASSERT(is_asked(3, "01 04 e3 01"));
    CU_ASSERT(is_asked(6, "01 04 e3 01"));
    CU_ASSERT(is_asked(7, "03 07 02 00 01 74 01"));
    CU_ASSERT(is_asked(8, "03 07 02 00 02 75 41"));
    clock_advance(&clock, clock_now(&clock) + 200 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(gat_last(&host, &last, &error), 0);
    CU_ASSERT(last.seconds >= 200 && last.seconds < 210);
    unplug();
}

TEST(the_parts_of_a_document_are_joined)
{
    static const char *const sizes[] = {"emu:gat?part=1", "emu:gat?part=7", "emu:gat?part=128",
                                        "emu:gat?part=248"};
    struct gat_functions *functions = malloc(sizeof *functions);
    char *text, *first = NULL;

    for (unsigned i = 0; i < 4; i++) {
        plug(sizes[i], "");
        CU_ASSERT_EQUAL_FATAL(perform(&list, &text), 0);
        CU_ASSERT_EQUAL(gat_read_functions(text, strlen(text), functions, &error), 0);
        CU_ASSERT_EQUAL(functions->count, 6);
        CU_ASSERT_STRING_EQUAL(functions->list[5].parameters[0], "DeckMate2_Games_1.0.095");
        if (first)
            CU_ASSERT_STRING_EQUAL(text, first);
        free(first);
        first = text;
        unplug();
    }
    free(first);
    free(functions);
}

TEST(a_digest_comes_from_the_image_and_the_key)
{
    static const struct gat_request component = {
        .feature = "Component", .parameters = {"ui", "Jefe"}, .count = 2};
    struct gat_components *components = malloc(sizeof *components);
    char *text;

    plug("emu:gat?component=ui,image=what do ya want for nothing?,component=nxp", "");
    CU_ASSERT_EQUAL_FATAL(perform(&component, &text), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79"));
    CU_ASSERT_EQUAL(gat_read_components(text, strlen(text), components, &error), 0);
    CU_ASSERT_EQUAL(components->count, 1);
    CU_ASSERT_STRING_EQUAL(components->list[0].name, "ui");
    free(text);
    unplug();
    free(components);
}

TEST(the_first_question_waits_until_an_earlier_one_would_be_forgotten)
{
    struct gat_status status;

    plug("emu:gat", "");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    CU_ASSERT_EQUAL(witness.heard[0].at, 1000 * NANOS_PER_SECOND + 225 * MS);
    unplug();
}

TEST(a_question_comes_at_least_ten_milliseconds_after_an_answer)
{
    plug("emu:gat?part=1,calculation=0", "");
    CU_ASSERT_EQUAL(perform(&list, NULL), 0);
    CU_ASSERT(witness.count > 100);
    CU_ASSERT_EQUAL(witness.silence, 10 * MS);
    unplug();
    plug("emu:gat?part=1,calculation=0", "pause=40");
    CU_ASSERT_EQUAL(perform(&list, NULL), 0);
    CU_ASSERT_EQUAL(witness.silence, 40 * MS);
    unplug();
}

TEST(the_status_is_asked_for_at_once_and_then_every_second)
{
    plug("emu:gat?calculation=3500,delay=0", "");
    CU_ASSERT_EQUAL(perform(&list, NULL), 0);
    CU_ASSERT_EQUAL(witness.heard[1].at - witness.heard[0].at, 10 * MS);
    for (unsigned i = 2; i < 6; i++)
        CU_ASSERT(witness.heard[i].at - witness.heard[i - 1].at == 1000 * MS);
    CU_ASSERT(is_asked(5, "01 04 e3 01"));
    CU_ASSERT(is_asked(6, "03 07 02 00 01 74 01"));
    unplug();
}

TEST(a_calculation_is_given_up_after_twenty_minutes)
{
    plug("emu:gat?fault=endless@calculation:1,delay=0", "");
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "after 1200 s"));
    CU_ASSERT(is_asked(1200, "01 04 e3 01"));
    CU_ASSERT(witness.count <= 1202);
    CU_ASSERT(clock_now(&clock) <= (1000 + 1201) * NANOS_PER_SECOND);
    unplug();
    plug("emu:gat?fault=endless@calculation:1", "limit=5000");
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "after 5 s"));
    unplug();
}

/* A clock jumps forward when the machine was asleep; what came meanwhile lies there. */
static int perform_asleep(unsigned question, nanos_t sleep)
{
    int status;
    char *text;

    plug("emu:gat?part=100", "");
    witness.sleeps = question;
    witness.sleep = sleep;
    status = perform(&list, &text);
    CU_ASSERT(status ? status == ERROR_TIMEOUT && strstr(error.text, "results do not end")
                     : strstr(text, "</SpecialFunctions>") != NULL);
    free(text);
    unplug();
    return status;
}

TEST(a_clock_that_jumps_makes_no_answer_another_one)
{
    const nanos_t years = (nanos_t)10 * 365 * 24 * 3600 * NANOS_PER_SECOND;

    for (unsigned question = 1; question <= 5; question++) {
        CU_ASSERT_EQUAL(perform_asleep(question, 100 * MS), 0);
        CU_ASSERT_EQUAL(perform_asleep(question, 3600 * NANOS_PER_SECOND), 0);
        CU_ASSERT_EQUAL(perform_asleep(question, years), 0);
    }
    /* The time for all parts counts on. */
    CU_ASSERT_EQUAL(perform_asleep(6, 1199 * NANOS_PER_SECOND), 0);
    CU_ASSERT_EQUAL(perform_asleep(6, 1201 * NANOS_PER_SECOND), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(perform_asleep(6, years), ERROR_TIMEOUT);
    plug("emu:gat?fault=endless@calculation:1", "");
    witness.sleeps = 3;
    witness.sleep = 3600 * NANOS_PER_SECOND;
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "has not ended"));
    unplug();
}

TEST(an_answer_may_begin_after_199_milliseconds_and_not_after_201)
{
    struct gat_status status;

    plug("emu:gat?delay=199", "");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    unplug();
    plug("emu:gat?delay=201", "");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "an answer came, but none to SQ within 200 ms"));
    unplug();
    plug("emu:gat?delay=201", "reply=300,no-reply=325");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    unplug();
}

TEST(a_question_that_takes_time_on_the_line_is_waited_for_so_much_longer)
{
    struct gat_status status;

    /* Four bytes at 300 baud take 133 ms. */
    plug("emu:gat?delay=330", "baud=300");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    unplug();
    plug("emu:gat?delay=335", "baud=300");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), ERROR_TIMEOUT);
    unplug();
}

TEST(nothing_is_asked_twice_unless_told_so_and_then_not_before_225_milliseconds)
{
    struct gat_status status;

    plug("emu:gat?fault=silent@reply:1", "");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no answer came to SQ within 200 ms"));
    CU_ASSERT_EQUAL(witness.count, 1);
    unplug();
    plug("emu:gat?fault=silent@reply:1", "tries=2");
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    CU_ASSERT_EQUAL(witness.count, 2);
    CU_ASSERT_EQUAL(witness.heard[1].at - witness.heard[0].at, 225 * MS);
    unplug();
}

/* What the host says of a device with that defect. */
static void expect(const char *address, const char *options, int code, const char *why)
{
    int status;

    plug(address, options);
    status = perform(&list, NULL);
    if (!status)
        status = perform(&list, NULL);
    CU_ASSERT_EQUAL(status, code);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, why));
    if (status != code || !strstr(error.text, why))
        printf("%s: %d %s\n", address, status, error.text);
    unplug();
}

TEST(answers_that_are_wrong_are_told_as_what_they_are)
{
    expect("emu:gat?fault=wrong-crc@reply:3", "", ERROR_DEVICE, "SQ is damaged: its check is wro");
    expect("emu:gat?fault=low-first", "", ERROR_DEVICE, "in the other order");
    expect("emu:gat?fault=late@reply:2", "", ERROR_TIMEOUT, "an answer came, but none");
    expect("emu:gat?fault=silent@reply:2", "", ERROR_TIMEOUT, "no answer came");
    expect("emu:gat?fault=cut@reply:2", "", ERROR_DEVICE, "it breaks off");
    expect("emu:gat?fault=babble@reply:2", "", ERROR_DEVICE,
           "bytes follow the answer to SQ, 1 in number");
    expect("emu:gat?fault=wrong-part@part:2", "", ERROR_DEVICE, "part 2 was asked for, and part 3");
    expect("emu:gat?fault=part-error@part:2", "", ERROR_DEVICE, "part 2 of the results");
    expect("emu:gat?fault=fails@calculation:1", "", ERROR_DEVICE, "has failed");
    expect("emu:gat?fault=no-results@calculation:2", "", ERROR_DEVICE, "has no results");
    expect("emu:gat?fault=large@calculation:1", "", ERROR_DEVICE, "more than 262144 bytes");
    expect("emu:gat?fault=old-version", "", ERROR_DEVICE, "version 3.00 of GAT");
    expect("emu:gat?fault=unplug@frames:3", "", ERROR_DEVICE, "is gone");
    expect("emu:gat?fault=refuses@calculation:1", "iacr=0", ERROR_DEVICE, "is refused");
    expect("emu:gat?fault=refuses@calculation:1", "", ERROR_DEVICE, "has no results");
}

TEST(every_option_is_one_of_both_sides)
{
    static const struct {
        const char *device, *host;
    } both[] = {
        {"emu:gat?crc=low-first", "crc=low-first"},
        {"emu:gat?level=17", "level=17"},
        {"emu:gat?zero=yes", "zero=yes"},
        {"emu:gat?zero=no", "zero=no"},
        {"emu:gat", "zero=no"},
        {"emu:gat?iacr=6", "iacr=6"},
        {"emu:gat?format=1", "format=1"},
        {"emu:gat?version=0300", "version=0300"},
        {"emu:gat?version=0410", ""},
        {"emu:gat?text=utf-8", "text=utf-8"},
        {"emu:gat?reserved-bits=240", "reserved=ignore"},
        {"emu:gat?idle=0", ""},
        {"emu:gat?idle=3", ""},
    };
    static const struct {
        const char *device, *host;
        int code;
    } mixed[] = {
        {"emu:gat?crc=low-first", "", ERROR_TIMEOUT},
        {"emu:gat?level=17", "", ERROR_TIMEOUT},
        {"emu:gat?zero=yes", "zero=no", ERROR_TIMEOUT},
        {"emu:gat?zero=no", "", ERROR_TIMEOUT},
        {"emu:gat?iacr=6", "iacr=7", ERROR_DEVICE},
        {"emu:gat?format=1", "", ERROR_DEVICE},
        {"emu:gat?version=0300", "", ERROR_DEVICE},
        {"emu:gat?reserved-bits=16", "reserved=refuse", ERROR_DEVICE},
    };

    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        plug(both[i].device, both[i].host);
        CU_ASSERT_EQUAL(perform(&list, NULL), 0);
        unplug();
    }
    for (size_t i = 0; i < sizeof mixed / sizeof mixed[0]; i++) {
        plug(mixed[i].device, mixed[i].host);
        CU_ASSERT_EQUAL(perform(&list, NULL), mixed[i].code);
        unplug();
    }
}

TEST(the_settings_are_recorded_as_they_are_read)
{
    struct gat_settings settings = gat_standard, again = gat_standard;
    char text[GAT_SETTINGS_SIZE], twice[GAT_SETTINGS_SIZE];

    CU_ASSERT_STRING_EQUAL(gat_settings_text(&settings, text),
                           "key=text,crc=high-first,level=186,zero=yes,iacr=any,format=2,"
                           "text=latin-1,version=0350,reserved=ignore,reply=200,gap=5,stall=50,"
                           "no-reply=225,pause=10,poll=1000,limit=1200000,tries=1");
    CU_ASSERT_EQUAL(gat_settings_read(&settings,
                                      "key=hex,crc=low-first,level=1,zero=no,iacr=255,format=1,"
                                      "text=utf-8,version=0300,reserved=refuse,reply=1,gap=2,"
                                      "stall=3,no-reply=4,pause=5,poll=6,limit=7,tries=2,baud=8",
                                      &error),
                    0);
    gat_settings_text(&settings, text);
    CU_ASSERT_EQUAL(gat_settings_read(&again, text, &error), 0);
    CU_ASSERT_STRING_EQUAL(gat_settings_text(&again, twice), text);
    CU_ASSERT(!memcmp(&settings, &again, sizeof settings));
}

TEST(settings_that_there_are_not_are_refused)
{
    static const char *const wrong[] = {
        "key=bytes", "crc=high",    "level=256",    "zero=maybe",  "iacr=none",
        "format=",   "text=ebcdic", "version=3.50", "version=035", "reserved=keep",
        "reply=-1",  "tries=0",     "tries=11",     "baud=fast",   "colour=red"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct gat_settings settings = gat_standard;

        CU_ASSERT_EQUAL(gat_settings_read(&settings, wrong[i], &error), ERROR_CONFIG);
    }
}

TEST(a_function_fits_a_command_or_is_refused)
{
    char name[260];
    struct gat_request request = {.feature = "Component", .parameters = {name, ""}, .count = 2};
    uint8_t text[GAT_TEXT_MAX];

    memset(name, 'n', sizeof name);
    name[GAT_TEXT_MAX - strlen("Component\t\t")] = '\0';
    CU_ASSERT_EQUAL(gat_request_text(&request, false, text, &error), GAT_TEXT_MAX);
    CU_ASSERT_EQUAL(text[GAT_TEXT_MAX - 1], '\t');
    name[GAT_TEXT_MAX - strlen("Component\t\t")] = 'n';
    name[GAT_TEXT_MAX - strlen("Component\t\t") + 1] = '\0';
    CU_ASSERT_EQUAL(gat_request_text(&request, false, text, &error), ERROR_CONFIG);
    strcpy(name, "\xc3\xa9");
    CU_ASSERT_EQUAL(gat_request_text(&request, false, text, &error), 12);
    CU_ASSERT_EQUAL(text[10], 0xe9);
    CU_ASSERT_EQUAL(gat_request_text(&request, true, text, &error), 13);
    strcpy(name, "\xe2\x82\xac");
    CU_ASSERT_EQUAL(gat_request_text(&request, false, text, &error), ERROR_CONFIG);
}

TEST(results_are_not_read_before_they_are_there)
{
    struct gat_frame question = {.command = GAT_LARQ, .size = 3, .data = {2, 0, 1}};
    uint8_t bytes[GAT_FRAME_MAX];
    size_t size = gat_encode(&question, GAT_HIGH_FIRST, bytes);

    plug("emu:gat", "");
    CU_ASSERT_EQUAL(link_write_all(link, bytes, size, NEVER, &error), 0);
    CU_ASSERT_EQUAL(link_read(link, bytes, sizeof bytes, clock_now(&clock) + 100 * MS, &error), 7);
    CU_ASSERT_EQUAL(bytes[0], 0x83);
    CU_ASSERT_EQUAL(bytes[2], GAT_PART_ERROR);
    unplug();
}

/* A device that says what a test has written down, an answer to each question. */
struct canned {
    struct model model;
    const char *const *answers;
    struct gat_frame next;
    bool is_due;
};

static struct canned canned;

static void canned_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    (void)model;
    (void)now;
    canned.is_due = *canned.answers && count;
    if (!canned.is_due)
        return;
    canned.next.command = bytes[0] | GAT_REPLY;
    canned.next.size =
        (uint8_t)shoe_bench_hex(*canned.answers++, canned.next.data, sizeof canned.next.data);
}

static size_t canned_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    (void)model;
    (void)size;
    (void)now;
    if (!canned.is_due)
        return 0;
    canned.is_due = false;
    return gat_encode(&canned.next, GAT_HIGH_FIRST, bytes);
}

static nanos_t canned_due(struct model *model)
{
    (void)model;
    return canned.is_due ? 0 : NEVER;
}

static void canned_free(struct model *model)
{
    (void)model;
}

static struct model *make_canned(void *context, const char *name, const char *options,
                                 struct error *why)
{
    (void)context;
    (void)name;
    (void)options;
    (void)why;
    return &canned.model;
}

static void plug_canned(const char *const *answers)
{
    static const struct model_ops ops = {
        .receive = canned_receive, .send = canned_send, .due = canned_due, .free = canned_free};

    canned = (struct canned){.model.ops = &ops, .answers = answers};
    clock_virtual(&clock, NANOS_PER_SECOND);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    hal.make_model = make_canned;
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, "emu:canned", &error), 0);
    CU_ASSERT_EQUAL_FATAL(gat_host_open(&host, link, &gat_standard, &error), 0);
}

TEST(parts_may_be_empty)
{
    static const char *const answers[] = {"00",       "03 50 06 02",    "00 00 01", "00 00 02 61",
                                          "00 00 03", "00 00 04 62 63", "02 00 05", NULL};
    static const char *const nothing[] = {"00", "03 50 06 02", "02 00 01", NULL};
    char *text;

    plug_canned(answers);
    CU_ASSERT_EQUAL_FATAL(perform(&list, &text), 0);
    CU_ASSERT_STRING_EQUAL(text, "abc");
    free(text);
    unplug();
    plug_canned(nothing);
    CU_ASSERT_EQUAL_FATAL(perform(&list, &text), 0);
    CU_ASSERT_STRING_EQUAL(text, "");
    free(text);
    unplug();
}

TEST(answers_of_the_wrong_size_or_without_a_version_are_refused)
{
    static const struct {
        const char *answers[4];
        const char *why;
    } devices[] = {
        {{"03 50 06"}, "has 3 bytes of data, not 4"},
        {{"03 50 06 02 00"}, "has 5 bytes of data, not 4"},
        {{"0a 50 06 02"}, "0a50 is no version"},
        {{"03 5f 06 02"}, "035f is no version"},
    };
    struct gat_status status;

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        plug_canned(devices[i].answers);
        CU_ASSERT_EQUAL(gat_status(&host, &status, &error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, devices[i].why));
        unplug();
    }
}

TEST(garbage_is_answered_by_silence_and_then_a_question_by_an_answer)
{
    static const char *const garbage[] = {
        "00", "ff ff ff",    "01 03",       "01 04 e3 02", "05 04 22 c0",          "01 05 00 00 00",
        "01", "03 04 42 c1", "04 04 b2 c3", "81 04 e3 01", "02 05 00 01 02 03 04", "01 ff"};
    struct gat_status status;

    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        uint8_t bytes[16];
        size_t size = shoe_bench_hex(garbage[i], bytes, sizeof bytes);

        plug("emu:gat", "");
        CU_ASSERT_EQUAL(link_write_all(link, bytes, size, NEVER, &error), 0);
        CU_ASSERT_EQUAL(link_read(link, bytes, sizeof bytes, clock_now(&clock) + 60 * MS, &error),
                        0);
        CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
        unplug();
    }
}

TEST(results_that_do_not_end_are_given_up)
{
    plug("emu:gat?part=1,calculation=0", "limit=1000");
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "do not end within 1 s"));
    unplug();
    plug("emu:gat?part=1,fault=large@calculation:1", "");
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "do not end after 16384 parts"));
    unplug();
}

TEST(a_device_says_the_same_version_to_the_end)
{
    static const char *const answers[] = {"03 50 06 02", "00", "04 00 06 02", NULL};
    struct gat_status status;

    plug_canned(answers);
    CU_ASSERT_EQUAL(gat_status(&host, &status, &error), 0);
    CU_ASSERT_EQUAL(perform(&list, NULL), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "has said 3.50 before"));
    unplug();
}

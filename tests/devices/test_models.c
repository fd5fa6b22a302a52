/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models that registered themselves: each can be made, says who it is, and is what "emu:"
 * finds. */
#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/shuffler.h"
#include "devices/wire/frame.h"
#include "devices/wire/wire.h"
#include "tests/support/suite.h"

static struct error error;

/* The next model on a link, from the first one on; what a script makes is in its file. */
static const struct model_kind *next_kind(size_t *index)
{
    const struct model_kind *kind;

    do
        kind = model_kind_at((*index)++);
    while (kind && (!kind->make || kind->class == DEVICE_CLASSES));
    return kind;
}

#define FOR_EACH_KIND(kind)                                                                        \
    const struct model_kind *kind;                                                                 \
    for (size_t index = 0; (kind = next_kind(&index));)

TEST(every_model_can_be_made_also_with_hands)
{
    size_t count = 0;

    FOR_EACH_KIND(kind)
    {
        count++;
        struct model *plain = kind->make("", &error), *worked = kind->make(kind->hands, &error);

        CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
        CU_ASSERT_PTR_NOT_NULL_FATAL(worked);
        CU_ASSERT_FALSE(plain->gone);
        plain->ops->free(plain);
        worked->ops->free(worked);
        CU_ASSERT_PTR_EQUAL(model_kind_find(kind->name, &error), kind);
    }
    CU_ASSERT(count > 0);
}

TEST(every_model_takes_a_seed_and_a_torn_cable)
{
    FOR_EACH_KIND(kind)
    {
        struct model *model = kind->make("seed=7,fault=unplug@frames:3", &error);

        CU_ASSERT_PTR_NOT_NULL_FATAL(model);
        model->ops->free(model);
        CU_ASSERT_PTR_NULL(kind->make("fault=no-such-fault", &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "unplug"));
        CU_ASSERT_PTR_NULL(kind->make("no-such-option=1", &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "seed"));
    }
}

TEST(an_unknown_model_is_answered_with_the_known_ones)
{
    static const char *const unknown[] = {"", "shuffle", "shufflers", "Shuffler", "bet-sensors"};
    const char *list;

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CU_ASSERT_PTR_NULL(model_kind_find(unknown[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        list = strstr(error.text, "; the models are ");
        CU_ASSERT_PTR_NOT_NULL_FATAL(list);
        FOR_EACH_KIND(kind)
        {
            CU_ASSERT_PTR_NOT_NULL(strstr(list, kind->name));
        }
        CU_ASSERT_PTR_NULL(model_make(NULL, unknown[i], "", &error));
    }
}

TEST(an_emulated_link_finds_the_models)
{
    struct shuffler_status status;
    struct shuffler *shuffler;
    struct clock clock;
    struct link *link;
    struct hal hal;

    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    hal.make_model = model_make;
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, "emu:shuffler?seed=3", &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
    CU_ASSERT_EQUAL(status.state, SHUFFLER_IDLE);
    shuffler_close(shuffler);
    link_close(link);
    hal_close(&hal);
}

TEST(a_model_on_the_open_protocol_says_who_it_is)
{
    struct wire_identity identity;

    FOR_EACH_KIND(kind)
    {
        if (!kind->frame_class) {
            CU_ASSERT_EQUAL(model_identity(kind, "", &identity, &error), ERROR_CONFIG);
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(model_identity(kind, "serial=QA 3/4", &identity, &error), 0);
        CU_ASSERT_STRING_EQUAL(identity.serial, "QA 3/4");
        CU_ASSERT(identity.model[0] != '\0');
        CU_ASSERT_EQUAL(model_identity(kind, "serial=", &identity, &error), ERROR_CONFIG);
    }
}

TEST(models_are_told_apart_by_their_names_their_ids_and_their_drivers)
{
    const struct model_kind *a, *b;

    for (size_t i = 0; (a = model_kind_at(i)); i++) {
        CU_ASSERT_EQUAL(!a->usb_vendor, !a->usb_product);
        for (size_t j = 0; j < i && (b = model_kind_at(j)); j++) {
            CU_ASSERT(!a->usb_product || a->usb_product != b->usb_product ||
                      a->usb_vendor != b->usb_vendor);
            CU_ASSERT(strcmp(a->name, b->name) != 0);
            CU_ASSERT(a->class != b->class || strcmp(a->driver, b->driver) != 0);
        }
    }
}

TEST(only_models_that_deal_take_a_deck)
{
    static const card_t twice[] = {0x2c, 0x2c};

    FOR_EACH_KIND(kind)
    {
        struct model *model = kind->make("", &error);

        CU_ASSERT_EQUAL(kind->load != NULL,
                        kind->class == DEVICE_SHUFFLER || kind->class == DEVICE_SHOE);
        if (kind->load) {
            CU_ASSERT_EQUAL(kind->load(model, twice, 1, 0, &error), 0);
            CU_ASSERT_EQUAL(kind->load(model, twice, 2, 0, &error), ERROR_CONFIG);
        }
        model->ops->free(model);
    }
}

/* How many bytes a model answers to these, at once. */
static size_t count_answer(struct model *model, const uint8_t *bytes, size_t count)
{
    uint8_t answer[4096];

    model->ops->receive(model, bytes, count, 0);
    return model->ops->send(model, answer, sizeof answer, 0);
}

/* One that has said what it says of itself when its power comes. */
static struct model *make_quiet(const struct model_kind *kind)
{
    struct model *model = kind->make("", &error);

    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    count_answer(model, (const uint8_t *)"", 0);
    return model;
}

/* As HELLO of the open protocol, or a lock of the Angel Eye protocol. */
static size_t write_question(const struct model_kind *kind, uint8_t bytes[FRAME_ENCODED_MAX])
{
    static const uint8_t lock[] = "\x02OPLK02\x03"
                                  "1B";
    const struct frame hello = {.version = FRAME_VERSION,
                                .class = kind->frame_class,
                                .type = WIRE_HELLO,
                                .sequence = 1,
                                .payload = {1, 2, 3, 4},
                                .size = WIRE_NONCE_SIZE};

    if (kind->frame_class)
        return frame_encode(&hello, bytes);
    memcpy(bytes, lock, sizeof lock - 1);
    return sizeof lock - 1;
}

TEST(what_one_client_left_unfinished_is_no_part_of_what_the_next_one_says)
{
    unsigned tried = 0;

    FOR_EACH_KIND(kind)
    {
        uint8_t question[FRAME_ENCODED_MAX];
        size_t size, answered;
        struct model *model;

        if (!kind->frame_class && strcmp(kind->name, "angel-eye") != 0)
            continue;
        tried++;
        size = write_question(kind, question);
        model = make_quiet(kind);
        answered = count_answer(model, question, size);
        model->ops->free(model);
        CU_ASSERT(answered > 0);
        model = make_quiet(kind);
        CU_ASSERT_EQUAL(count_answer(model, question, size / 2), 0);
        model->ops->unplug(model, 0);
        CU_ASSERT_EQUAL(count_answer(model, question + size / 2, size - size / 2), 0);
        model->ops->unplug(model, 0);
        CU_ASSERT_EQUAL(count_answer(model, question, size), answered);
        model->ops->free(model);
    }
    CU_ASSERT_EQUAL(tried, 5);
}

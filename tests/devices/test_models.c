/* The table of models: each can be made, says who it is, and is what "emu:" finds. */
#include <stdio.h>
#include <string.h>

#include "devices/models.h"
#include "devices/shuffler/shuffler.h"
#include "tests/support/suite.h"

static struct error error;

TEST(every_model_can_be_made_also_with_hands)
{
    size_t count = 0;

    for (const struct model_kind *kind = model_kinds; kind->name; kind++, count++) {
        struct model *plain = kind->make("", &error), *worked = kind->make(kind->hands, &error);

        CU_ASSERT_PTR_NOT_NULL_FATAL(plain);
        CU_ASSERT_PTR_NOT_NULL_FATAL(worked);
        CU_ASSERT_FALSE(plain->gone);
        plain->ops->free(plain);
        worked->ops->free(worked);
        CU_ASSERT_PTR_EQUAL(models_find(kind->name, &error), kind);
    }
    CU_ASSERT_EQUAL(count, 5);
}

TEST(every_model_takes_a_seed_and_a_torn_cable)
{
    for (const struct model_kind *kind = model_kinds; kind->name; kind++) {
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

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CU_ASSERT_PTR_NULL(models_find(unknown[i], &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(error.text, "shuffler, shoe, angel-eye, terminal, bet-sensor"));
        CU_ASSERT_PTR_NULL(models_make(NULL, unknown[i], "", &error));
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
    hal.make_model = models_make;
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

    for (const struct model_kind *kind = model_kinds; kind->name; kind++) {
        if (!kind->class) {
            CU_ASSERT_EQUAL(models_identity(kind, "", &identity, &error), ERROR_CONFIG);
            CU_ASSERT_EQUAL(kind->usb_product, 0);
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(models_identity(kind, "serial=QA 3/4", &identity, &error), 0);
        CU_ASSERT_STRING_EQUAL(identity.serial, "QA 3/4");
        CU_ASSERT(identity.model[0] != '\0');
        CU_ASSERT_EQUAL(models_identity(kind, "serial=", &identity, &error), ERROR_CONFIG);
    }
}

TEST(models_on_usb_are_told_apart)
{
    for (const struct model_kind *a = model_kinds; a->name; a++)
        for (const struct model_kind *b = model_kinds; b < a; b++) {
            CU_ASSERT(!a->usb_product || a->usb_product != b->usb_product);
            CU_ASSERT(!a->class || a->class != b->class);
        }
}

TEST(only_models_that_deal_take_a_deck)
{
    static const card_t twice[] = {0x2c, 0x2c};

    for (const struct model_kind *kind = model_kinds; kind->name; kind++) {
        struct model *model = kind->make("", &error);

        CU_ASSERT_EQUAL(kind->load == NULL,
                        !strcmp(kind->name, "terminal") || !strcmp(kind->name, "bet-sensor"));
        if (kind->load) {
            CU_ASSERT_EQUAL(kind->load(model, twice, 1, 0, &error), 0);
            CU_ASSERT_EQUAL(kind->load(model, twice, 2, 0, &error), ERROR_CONFIG);
        }
        model->ops->free(model);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/pins.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

TEST(every_backend_is_complete)
{
    const struct pins_backend *backend;
    size_t count = 0;

    for (; (backend = pins_backend_at(count)); count++) {
        size_t length = strlen(backend->scheme);

        CU_ASSERT(length > 0 && strspn(backend->scheme, "abcdefghijklmnopqrstuvwxyz") == length);
        CU_ASSERT(!strncmp(backend->form, backend->scheme, length) && backend->form[length] == ':');
        CU_ASSERT(backend->size > sizeof(struct pins));
        CU_ASSERT(backend->open && backend->close && backend->read && backend->write);
        CU_ASSERT(backend->wait && backend->capabilities);
    }
    CU_ASSERT(count >= 2);
}

static int refusal(const char *address, struct error *error)
{
    const struct pin_request request = {.line = "bet"};
    struct clock clock;
    struct hal hal;
    struct pins *pins;
    int status;

    clock_virtual(&clock, 0);
    CU_ASSERT_FATAL(hal_open(&hal, &clock, error) == 0);
    status = pins_open(&pins, &hal, address, &request, 1, error);
    CU_ASSERT_PTR_NULL(pins);
    hal_close(&hal);
    return status;
}

TEST(an_address_without_a_known_scheme_is_told_the_known_ones)
{
    static const char *const addresses[] = {"", ":", "gpio", "gpiochip0", "GPIO:a", "tcp:a:1"};
    struct error error;

    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        char quoted[32];

        snprintf(quoted, sizeof quoted, "'%s'", addresses[i]);
        CU_ASSERT_EQUAL(refusal(addresses[i], &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, quoted));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "gpio:LABEL"));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "emu:NAME"));
    }
}

TEST(an_address_that_is_too_long_is_told_the_bound)
{
    char address[sizeof((struct pins *)0)->address + 1], bound[32];
    const size_t longest = sizeof address - 2;
    struct error error;

    memset(address, 'x', sizeof address);
    memcpy(address, "emu:", 4);
    address[longest] = '\0';
    CU_ASSERT_EQUAL(refusal(address, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no emulated chip"));
    address[longest] = 'x';
    address[longest + 1] = '\0';
    snprintf(bound, sizeof bound, "at most %zu bytes", longest);
    CU_ASSERT_EQUAL(refusal(address, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bound));
}

TEST(closing_no_pins_is_allowed)
{
    pins_close(NULL);
}

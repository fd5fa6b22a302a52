/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What software comes to, asked through a real serial port at 9600 baud: the host's times against
 * the kernel's tty, USB and timer.
 */
#include <stdio.h>
#include <string.h>

#include "tests/kernel/adapter.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define APPROVED "tests/failing/identity/deck-mate.approved"

static struct adapter adapter;

/* The adapter brings bytes in lumps, and this kernel's timer ticks every 10 ms. */
#define TIMES "reply=2000,no-reply=2010,stall=500"

/* Asks the device that serves with this option, or none; the status, and whether it says so. */
static void expect(const char *option, int status, const char *words)
{
    const char *arguments[] = {"--option", "calculation=300", option ? "--fault" : NULL, option,
                               NULL};
    char address[64];
    struct process_result result;
    bool is_right;

    adapter_make(&adapter, 0, "A-1");
    adapter_serve(&adapter, "gat", arguments);
    snprintf(address, sizeof address, "serial:%s@9600", adapter.port);
    result = process_run((const char *const[]){"authenticate", address, "--approved", APPROVED,
                                               "--option", TIMES, NULL},
                         process_input("", 0));
    is_right = result.status == status &&
               (strstr(result.out, words) != NULL || strstr(result.err, words) != NULL);
    CU_ASSERT(is_right);
    if (!is_right)
        fprintf(stderr, "status %d, no '%s' in:\n%s%s", result.status, words, result.out,
                result.err);
    process_free(&result);
    adapter_free(&adapter);
}

TEST(software_that_is_approved_is_found_so_over_a_serial_line)
{
    expect(NULL, 0, "the same: 4 of 4 compared");
}

TEST(another_digest_is_found_over_a_serial_line)
{
    expect("other-digest@component:2", 1, "differs: 1 of 4");
}

TEST(damage_on_the_line_is_told_as_what_it_is)
{
    expect("wrong-crc@reply:4", 3, "its check is wrong");
    expect("cut@reply:4", 3, "it breaks off");
}

TEST(a_device_that_falls_silent_is_waited_for_and_given_up)
{
    expect("silent@reply:4", 5, "no answer came to SQ within 2000 ms");
}

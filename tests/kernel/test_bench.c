/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands for people say of a machine with everything attached. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/adapter.h"
#include "tests/kernel/felt.h"
#include "tests/kernel/plug.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

static struct plug shuffler, twin, shoe, terminal;
static struct adapter adapter;
static struct felt felt;

static void set_up(void)
{
    felt_make(&felt);
    felt_play(&felt);
    adapter_make(&adapter, 0, "A-1");
    plug_in_once(&shuffler, 0, "shuffler", "S-17", NULL);
    plug_in_once(&shoe, 1, "shoe", "H-17", NULL);
    plug_in_once(&terminal, 2, "terminal", "T-17", NULL);
}

static void tear_down(void)
{
    plug_stop(&terminal);
    plug_stop(&shoe);
    plug_stop(&shuffler);
    adapter_free(&adapter);
    felt_free(&felt);
}

/* Runs the program, which must end so and say all of these words. */
static void expect(const char *const *arguments, int status, const char *const *words)
{
    struct process_result result = process_run(arguments, process_input("", 0));
    bool is_right = result.status == status;

    for (; *words; words++)
        is_right = is_right && strstr(result.out, *words);
    CU_ASSERT(is_right);
    if (!is_right)
        fprintf(stderr, "status %d, no '%s' in:\n%s%s", result.status, *words ? *words : "",
                result.out, result.err);
    process_free(&result);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(discover_lists_every_port_device_and_chip)
{
    set_up();
    expect(WORDS("discover"), 0,
           WORDS("usb:1209:0001/S-17", "usb:1209:0002/H-17", "usb:1209:0003/T-17",
                 "usb-dealproof_serial_adapter_A-1-if00", "gpio:felt", "bet7"));
    tear_down();
}

TEST(discover_tells_twins_apart)
{
    set_up();
    plug_in_once(&twin, 3, "shuffler", "S-18", NULL);
    expect(WORDS("discover"), 0, WORDS("usb:1209:0001/S-17", "usb:1209:0001/S-18"));
    plug_stop(&twin);
    tear_down();
}

TEST(doctor_finds_them_usable)
{
    set_up();
    expect(WORDS("doctor"), 0, WORDS("1209:0001", "1209:0002", "1209:0003", "ttyACM", "felt"));
    tear_down();
}

TEST(doctor_tries_every_seat_and_lamp_of_the_bench)
{
    set_up();
    expect(WORDS("doctor", "--rig", "tests/kernel/usb.yaml"), 0,
           WORDS("shuffler", "S-17", "shoe", "H-17", "terminal", "T-17", "sensors"));
    for (unsigned seat = 1; seat <= FELT_SEATS; seat++) {
        CU_ASSERT(atomic_load(&felt.placed[seat]) > 0);
        CU_ASSERT(atomic_load(&felt.lit[seat]) > 0);
    }
    tear_down();
}

TEST(doctor_names_a_device_that_is_not_there)
{
    set_up();
    plug_stop(&terminal);
    expect(WORDS("doctor", "--rig", "tests/kernel/usb.yaml"), 4,
           WORDS("terminal", "usb:1209:0003/T-17"));
    plug_in_once(&terminal, 2, "terminal", "T-17", NULL);
    tear_down();
}

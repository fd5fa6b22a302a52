/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of a recording on an emulated bench whose messages are altered (tests/support/lies/alter.h),
 * each from the same beginning, and what they came to: verdict, the first check that failed, and
 * which device was named. Whatever cannot be set up is a failed assertion of the test.
 */
#ifndef TESTS_SUPPORT_LIES_ALTERED_RUN_H
#define TESTS_SUPPORT_LIES_ALTERED_RUN_H

#include "rigs/run/observe.h"
#include "rigs/run/runner.h"
#include "tests/support/lies/alter.h"
#include "tests/support/scratch.h"

#define ALTERED_SLOT(class) (1u << (class))

/* Rigs with every device that plays: one that deals, terminal and bet sensor unit. */
#define ALTERED_HEAD "rig: altered\nclock: virtual\ndevices:\n"
#define ALTERED_TABLE                                                                              \
    "  terminal: {address: emu:terminal}\n"                                                        \
    "  sensors: {driver: unit, address: emu:bet-sensor}\n"
#define ALTERED_SHUFFLER(options)                                                                  \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler" options "'}\n" ALTERED_TABLE
#define ALTERED_SHOE(options)                                                                      \
    ALTERED_HEAD "  shoe: {address: 'emu:shoe?draw=700,refill=2000" options "'}\n" ALTERED_TABLE
#define ALTERED_POWERLESS                                                                          \
    ALTERED_HEAD "  shuffler: {address: 'emu:shuffler'}\n"                                         \
                 "  terminal: {address: 'emu:terminal?fault=power@key:3'}\n"                       \
                 "  sensors: {driver: unit, address: emu:bet-sensor}\n"
#define ALTERED_ANGEL_EYE                                                                          \
    ALTERED_HEAD "  shoe: {driver: angel-eye, address: "                                           \
                 "'emu:angel-eye?draw=700,refill=2000'}\n" ALTERED_TABLE                           \
                 "order: compare\ntiming: {person: 60000}\n"

/* The same with the driver as a script: devices/scripts/examples/. */
#define ALTERED_SCRIPT(name) "driver: script, script: devices/scripts/examples/" name ".lua"
#define ALTERED_SCRIPTED_SHUFFLER(options)                                                         \
    ALTERED_HEAD                                                                                   \
    "  shuffler: {" ALTERED_SCRIPT("open-shuffler") ", address: 'emu:shuffler" options             \
                                                    "'}\n" ALTERED_TABLE
#define ALTERED_SCRIPTED_ANGEL_EYE                                                                 \
    ALTERED_HEAD "  shoe: {" ALTERED_SCRIPT(                                                       \
        "angel-eye") ", address: "                                                                 \
                     "'emu:angel-eye?draw=700,refill=2000'}\n" ALTERED_TABLE                       \
                     "order: compare\ntiming: {person: 60000}\n"

struct altered_act {
    const char *rig, *path; /* a recording, or the header of one that the devices of the rig deal */
    unsigned rounds;        /* of it at most */
    unsigned slots;         /* devices whose messages are altered, as a set */
};

/* What a run came to. */
struct altered_ending {
    int status;
    struct error error;
    enum verdict worst;
    char why[ERROR_TEXT_SIZE];
    unsigned rounds, failed;
    enum check first; /* CHECK_COUNT: none failed */
    char first_why[160];
    unsigned blamed; /* set of devices: those that were named first */
    const struct alter *alter;
    unsigned opened, played; /* messages by then */
    nanos_t took;
};

#define ALTERED_MESSAGES_MAX 2000

/* The bench of an act, with what an honest run came to. */
struct altered_run {
    const struct altered_act *act;
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    struct rig *rig;
    struct bench bench;
    struct altered_ending honest;
    struct alter_message *messages; /* of the device that is altered; room for the most */
    unsigned count;
    const char *journal; /* that a run writes; NULL: none */
    /* What is observed in the place of the recording; NULL: the recording is played. */
    const struct observation *observation;
    const char *next; /* another recording, that is played after it; NULL: none */
    bool fails_fast;
};

void altered_open(struct altered_run *run, const struct altered_act *act);
/* The same of a rig that stands at that path, and may name files beside it. */
void altered_open_at(struct altered_run *run, const struct altered_act *act, const char *path);
void altered_close(struct altered_run *run);

/* From opening the devices to leaving them; `ending` is filled as it goes. */
void altered_play(struct altered_run *run, struct alter *alter, struct altered_ending *ending);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conformance suite on an emulated device in virtual time, with what it found by the numbers of
 * the page. The bench owns its parts; conform_bench_end() gives them back.
 */
#ifndef TESTS_SUPPORT_DEVICES_CONFORM_BENCH_H
#define TESTS_SUPPORT_DEVICES_CONFORM_BENCH_H

#include "devices/conform/conform.h"
#include "devices/model.h"

#define CONFORM_BENCH_MAX 400

struct conform_bench {
    struct conform conform; /* options, before conform_bench_run() */
    struct clock clock;
    struct hal hal;
    struct link *link;
    const struct model_kind *kind;
    struct model *model; /* the link's */
    struct error error;
    int status; /* of conform_run() */
    bool has_shown;
    unsigned count;
    char ids[CONFORM_BENCH_MAX][8];
    enum conform_verdict verdicts[CONFORM_BENCH_MAX];
    unsigned frames[CONFORM_BENCH_MAX];
    char failed[1024];                           /* numbers with what was wrong, for messages */
    void (*meddle)(struct conform_bench *bench); /* at each question to a person; NULL: nothing */
};

/* The class, and everything that the emulated devices need: hands, codes, and that it may alter. */
void conform_bench_begin(struct conform_bench *bench, enum frame_class class);

/* Opens "emu:NAME?OPTIONS" and runs the suite. */
void conform_bench_run(struct conform_bench *bench, const char *address);

/* The same once more on the device as it is. */
void conform_bench_again(struct conform_bench *bench);
void conform_bench_end(struct conform_bench *bench);

/* CONFORM_VERDICTS: it was not told. */
enum conform_verdict conform_bench_verdict(const struct conform_bench *bench, const char *id);

#endif

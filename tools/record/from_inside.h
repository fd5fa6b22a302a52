/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of 'record --from' share: the lines that are listened to (record_from_lines.c),
 * the rounds that are made of their deals (record_from_rounds.c), and the header that says where
 * they come from (record_from_header.c).
 */
#ifndef TOOLS_RECORD_FROM_INSIDE_H
#define TOOLS_RECORD_FROM_INSIDE_H

#include "devices/listen/listener.h"
#include "devices/listen/script.h"
#include "rigs/listen/rounds.h"
#include "rigs/recording/recorder.h"
#include "rigs/rig/rig.h"
#include "tools/live/options.h"

#define RECORD_FROM_IDENTITIES 16
#define RECORD_FROM_NAME       (2 * LINK_ADDRESS_MAX + 16) /* of a device that deals */

struct recording_from;

/* One capture, and what was heard next on it. */
struct heard_line {
    struct recording_from *from;
    const char *path;
    struct capture_reader *reader;
    struct listener *listener;
    struct heard_packet packet;
    bool has_packet;
};

/* A device that has said who it is. */
struct known_device {
    const struct heard_line *line;
    uint8_t channel;
    struct wire_identity identity;
};

struct recording_from {
    const struct command *command;
    const struct live_options *options;
    const struct rig *rig;
    struct paytables *paytables;
    struct heard_line lines[LIVE_CAPTURES];
    nanos_t first; /* time of the first packet */
    struct known_device known[RECORD_FROM_IDENTITIES];
    size_t known_count;
    const struct heard_line *dealing; /* where the cards come from, */
    uint8_t channel;
    char address[RECORD_FROM_NAME];
    bool is_emulated;
    struct listen_script script;
    struct deals deals;
    struct recording_header header;
    struct listen_table table;
    struct listen_notes *notes;
    struct meters meters; /* of the recording, so far */
    struct recorder *recorder;
    bool has_header;
    bool is_of_test_mode;                          /* as the header says */
    bool meters_differ, has_gap, was_in_test_mode; /* that was said */
    uint64_t left_out;
    int status; /* what ended it */
    struct error error;
};

/* A sentence on standard error, unless it is to be quiet. */
void record_from_say(const struct recording_from *from, const char *sentence);

/* The table as it is told, laid for one way of dealing. */
int record_from_lay_table(struct recording_from *from, enum deal_mode mode);

/* Opens every capture; record_from() closes what is open, also after an error. */
int record_from_open_lines(struct recording_from *from);

/* Hears all lines to their end, in the order of their times. */
int record_from_listen(struct recording_from *from);

/* Takes each deal, for struct deals: writes it as a round, or says why it is left out. */
int record_from_take_deal(void *context, const struct deal *deal, struct error *error);

/* Writes the header as the first deal has it. */
int record_from_write_header(struct recording_from *from, const struct deal *deal);

#endif

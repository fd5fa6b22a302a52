/*
 * The text of a bet sensor unit's options and defects: "seed=7,place=400,fault=dark@seat:3". Only
 * for its model. The caller owns the struct; what is not an option is ERROR_CONFIG with a sentence.
 */
#ifndef DEVICES_SENSORS_UNIT_OPTIONS_H
#define DEVICES_SENSORS_UNIT_OPTIONS_H

#include "devices/sensors/unit/table.h"
#include "devices/wire/wire.h"

struct bet_unit_options {
    uint64_t seed;
    uint32_t place;                 /* milliseconds from one hand to the next; 0: nobody is there */
    char serial[WIRE_TEXT_MAX + 1]; /* empty: not given */
    uint8_t defects[BET_UNIT_DEFECTS]; /* sets of seats that have them */
    uint32_t unplug;                   /* after so many frames of the host; 0: never */
};

int bet_unit_options_read(struct bet_unit_options *options, const char *text, struct error *error);

/* Adds one defect to those that are in the options already. */
int bet_unit_options_fault(struct bet_unit_options *options, const char *spec, struct error *error);

#endif

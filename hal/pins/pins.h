/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Named GPIO lines of one chip: direction, bias, polarity, debounce, edge events with timestamps.
 * The shape is that of libgpiod 2; on 1.6 the same calls work and the capabilities say what is
 * missing. "gpio:LABEL" opens a real chip by its label, never by its number; "emu:NAME" an emulated
 * one (hal/pins/emulated_pins.h). All values are logical: active-low is applied below this header.
 * The caller owns the pins and closes them once; the hal they were opened with must outlive them.
 */
#ifndef HAL_PINS_PINS_H
#define HAL_PINS_PINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/hal.h"

#define PINS_MAX       64
#define PIN_NAME_MAX   32
#define PINS_LABEL_MAX 64
/* What the kernel tells others who ask who uses our lines. */
#define PINS_CONSUMER "dealproof"

struct pins;

enum pin_direction { PIN_INPUT, PIN_OUTPUT };
enum pin_bias { PIN_BIAS_AS_IS, PIN_BIAS_NONE, PIN_PULL_UP, PIN_PULL_DOWN };
enum pin_edges { PIN_NO_EDGES = 0, PIN_RISING = 1, PIN_FALLING = 2, PIN_BOTH_EDGES = 3 };

/* One line that the caller wants; its index in the array is its number from then on. */
struct pin_request {
    char line[PIN_NAME_MAX]; /* the kernel's line name, or its offset in decimal */
    enum pin_direction direction;
    enum pin_bias bias;
    enum pin_edges edges; /* inputs only */
    bool active_low;
    bool initial;         /* outputs only */
    uint32_t debounce_us; /* inputs only; done in the kernel, or here where the library cannot */
};

struct pin_event {
    unsigned pin;
    bool rising;
    nanos_t time; /* CLOCK_MONOTONIC, or virtual */
    /* Counts from 1 over all pins opened together; 0 where the library has no numbers. */
    uint32_t sequence;
};

enum pins_capability {
    PINS_LOSS_DETECTED = 1, /* a lost edge shows as a gap and is reported */
    PINS_KERNEL_DEBOUNCE = 2,
};

/* A backend is one file that ends with REGISTER(pins_backends, ...) (hal/base/registry.h). */
struct pins_backend {
    const char *scheme;
    const char *form;
    size_t size;
    /* `rest` is the address after the scheme. close() is called if and only if open() succeeded. */
    int (*open)(struct pins *pins, const char *rest, const struct pin_request *requests,
                size_t count, struct error *error);
    void (*close)(struct pins *pins);
    /* All lines at once: bit n of the set is pin n. */
    int (*read)(struct pins *pins, uint64_t *values, struct error *error);
    int (*write)(struct pins *pins, uint64_t mask, uint64_t values, struct error *error);
    /* 1 with an event, 0 at the deadline, or an error as for links. Numbers that are missing stay
     * missing: pins_wait() makes a loss of them. */
    int (*wait)(struct pins *pins, struct pin_event *event, nanos_t deadline, struct error *error);
    unsigned (*capabilities)(const struct pins *pins);
};

/* First member of every concrete set of pins; the fault decorator is one too. */
struct pins {
    const struct pins_backend *backend;
    const struct hal *hal;
    char address[PINS_LABEL_MAX + 8];
    size_t count;
    struct pin_request requests[PINS_MAX];
    uint32_t sequence; /* of the last edge that pins_wait() saw */
    bool held;         /* `after_loss` is handed out by the next pins_wait() */
    struct pin_event after_loss;
};

/*
 * Requests are all granted or none is. ERROR_CONFIG for a request that makes no sense, an absent
 * label or line; ERROR_RIG for a line in use or a missing permission; the sentence says which, who
 * uses it, and what there is instead.
 */
int pins_open(struct pins **pins, const struct hal *hal, const char *address,
              const struct pin_request *requests, size_t count, struct error *error);
void pins_close(struct pins *pins);

/*
 * Every call below returns ERROR_DEVICE when the chip is gone: unplugged, or its driver unloaded.
 *
 * Bit n of `values` is pin n. A debounced input reads as its debounced level.
 */
int pins_read(struct pins *pins, uint64_t *values, struct error *error);

/*
 * Writes the outputs in `mask`; an input in it is ERROR_CONFIG. All at once, except that libgpiod
 * 1.6 writes outputs of different bias or polarity one group after the other.
 */
int pins_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error);

/*
 * The next edge, oldest first: 1 with an event, 0 at the deadline. The edge of a debounced input
 * comes when its level has stood for the whole period, and bears that time. ERROR_RIG when edges
 * were lost (where that can be known; the sentence says how many): the next call goes on after the
 * gap. Where it cannot be known, the kernel keeps 16 edges of each line and drops the newest; a
 * debounced input with so many unread edges reads as the line is.
 */
int pins_wait(struct pins *pins, struct pin_event *event, nanos_t deadline, struct error *error);

/* A set of enum pins_capability. */
unsigned pins_capabilities(const struct pins *pins);

/* The backend with that number in the order of their schemes; NULL after the last. */
const struct pins_backend *pins_backend_at(size_t index);

#endif

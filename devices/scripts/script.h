/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A script that drives a device (devices/SCRIPTS.md): its box, the link that it talks over, its
 * timers, and the events that it has told and nobody has taken. The drivers of each class
 * (devices/scripts/shuffler.c, ...) hold one and turn requests into calls and calls into events;
 * what a script gives is checked there as it is given. Link and hal are the caller's and outlive
 * it.
 */
#ifndef DEVICES_SCRIPTS_SCRIPT_H
#define DEVICES_SCRIPTS_SCRIPT_H

#include "devices/device.h"
#include "devices/scripts/box.h"
#include "devices/sensors/sensors.h"
#include "devices/shoe/shoe.h"
#include "devices/shuffler/shuffler.h"
#include "devices/terminal/terminal.h"

#define SCRIPT_EVENTS   64 /* that may wait */
#define SCRIPT_REQUESTS 16 /* of a class */
#define SCRIPT_TEXT     160
#define SCRIPT_TIME     (60 * NANOS_PER_SECOND) /* in which a request must return */

/* A request of a class. */
struct script_request {
    const char *name;    /* NULL after the last */
    bool is_required;    /* a script without it cannot be used */
    unsigned capability; /* that a script has which has this one; 0: none */
};

struct script;
struct script_event;

/* A kind of event: read() fills in what the table at index 1 of the stack says, or raises. */
struct script_kind {
    const char *name; /* NULL after the last */
    void (*read)(lua_State *lua, struct script *script, struct script_event *event);
};

struct script_class {
    enum device_class class;
    const struct script_request *requests;
    const struct script_kind *kinds;
    /* The script has told that something is wrong: what follows may not fit. NULL: nothing is
     * followed. */
    void (*lost)(struct script *script);
};

extern const struct script_class script_shuffler, script_shoe;

struct script_event {
    bool is_wrong; /* the device contradicts itself; `text` says how */
    char text[SCRIPT_TEXT];
    nanos_t time;
    union {
        struct shuffler_event shuffler;
        struct shoe_event shoe;
        struct terminal_event terminal;
        struct bet_event sensors;
    };
};

/* Functions that are called after a while; shared with models. */
#define SCRIPT_TIMERS 64
struct script_timers {
    struct script_timer {
        nanos_t at;
        lua_Integer number;
        int function; /* reference */
    } list[SCRIPT_TIMERS];
    unsigned count;
    lua_Integer last; /* number given */
};

struct script {
    struct box box;
    const struct script_class *class;
    struct device *device; /* with its link; NULL: it is only looked at */
    char *path;
    const struct hal *hal;
    nanos_t read_at;    /* when the link was read last */
    uint64_t comebacks; /* of the link, that the script was told of */
    int open, reopened, received;
    int requests[SCRIPT_REQUESTS]; /* references, LUA_NOREF where it has none */
    unsigned capabilities;
    struct script_timers timers;
    const char *request; /* that is under way, for sentences; NULL: none */
    nanos_t wait_until, return_by;
    struct script_event events[SCRIPT_EVENTS];
    unsigned first, waiting;
    bool is_flooded;           /* one more was told than may wait */
    struct script_event taken; /* the last one: texts of an event are in it */
    struct shoe_counts counts;
    void *state; /* of the class, for its events */
};

/*
 * Loads the file and looks at its table. ERROR_CONFIG with file, line and reason. A class that
 * is NULL is that of the file. After a failure nothing is left to close.
 */
int script_load(struct script *script, const struct script_class *class, const char *path,
                uint64_t seed, struct error *error);
void script_close(struct script *script);

/* What a script is given beside what every box has. */
extern const luaL_Reg script_functions[];

static inline nanos_t script_now(const struct script *script)
{
    return clock_now(script->hal->clock);
}

/* For `inspect` of a driver. */
int script_inspect(const struct script_class *class, const struct device_connection *connection,
                   unsigned *capabilities, struct error *error);

/* For `open` of a driver: loads the file and has it open the device; `state` is the class's. */
int script_open(struct script *script, const struct script_class *class, struct device *device,
                const struct device_connection *connection, void *state, struct error *error);

/*
 * Makes a request, which is the number of its row, and waits for it. Returns 0 or what it was ended
 * with; a refusal stands in the device.
 */
int script_ask(struct script *script, unsigned request, box_give *give, int results, box_take *take,
               void *context, struct error *error);

/* Whether the script has the request; what it has not, people do at the machine. */
bool script_has(const struct script *script, unsigned request);

/* The same with a truth or a number, or nothing, as its argument, and no results. */
int script_tell(struct script *script, unsigned request, struct error *error);
int script_tell_truth(struct script *script, unsigned request, bool value, struct error *error);
int script_tell_number(struct script *script, unsigned request, lua_Integer value,
                       struct error *error);
int script_tell_text(struct script *script, unsigned request, const char *text,
                     struct error *error);

/* The next event: 1, 0 at the deadline, or an error; ERROR_DEVICE for one that is wrong. */
int script_next(struct script *script, const struct script_event **event, nanos_t deadline,
                struct error *error);

/* The requests that all classes have; `codes` name entries of a log from `first` on, up to a NULL.
 */
int script_identity(struct script *script, unsigned request, struct wire_identity *identity,
                    struct error *error);
int script_log(struct script *script, unsigned request, uint32_t first, const char *const *codes,
               unsigned first_code, struct log_entry *entries, unsigned *count, uint32_t *total,
               struct error *error);

/* For take() of a request: its result is a table, whose fields are read next. */
void script_check_result(lua_State *lua, const char *request);
/* After the last of them: ends the request where a value cannot be, for the device has said it. */
void script_end_result(lua_State *lua);

/* Whether a model that a script has made can lose its power; true of any other. */
bool script_model_has_power(const struct model *model);

/* Cards as a list of texts, for the argument of a request. */
struct script_cards {
    const card_t *cards;
    size_t count;
};
box_give script_give_cards;

/* Timers; the functions `after` and `cancel` of Lua, which find them by `timers` and `now`. */
int script_timer_add(lua_State *lua, struct script_timers *timers, nanos_t now);
int script_timer_cancel(lua_State *lua, struct script_timers *timers);
/* When the next one is due; NEVER. */
nanos_t script_timer_due(const struct script_timers *timers);
/* Calls the first that is due by then: 1, 0 when there is none, or an error. */
int script_timer_run(struct script_timers *timers, struct box *box, nanos_t now,
                     struct error *error);

#endif

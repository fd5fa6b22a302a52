/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The box that a script runs in (devices/SCRIPTS.md, "The box"): Lua without files, processes,
 * clocks or bytecode, with bounds on memory and steps, and the same to the byte each time. A box is
 * opened with one file, which is read, run once and has returned its table then. The caller owns
 * the box and keeps it where it is; one thread uses it. Everything that may fail within Lua is done
 * inside a call, so that it comes out as an error with file and line.
 */
#ifndef DEVICES_SCRIPTS_BOX_H
#define DEVICES_SCRIPTS_BOX_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/scripts/heap.h"
#include "hal/hal.h"

#define BOX_FILE   (1u << 20)   /* bytes of a script */
#define BOX_MEMORY (8u << 20)   /* that it may use */
#define BOX_BLOCK  (256u << 10) /* in one piece */
#define BOX_STEPS  1000000      /* of a call until it returns or waits */
#define BOX_SPARE  50000000     /* of all calls at once, however many there are; */
#define BOX_RATE   20000000     /* so many come back in a second of the bench */
#define BOX_TEXT   256          /* bytes of the longest text that make each step cost one more */

#define BOX_FIELDS 16 /* of a table that a script gives */

/* What a script has run into that nothing of it may catch. */
enum box_bound { BOX_WITHIN, BOX_OUT_OF_STEPS, BOX_OUT_OF_MEMORY };

struct box {
    lua_State *lua;
    lua_State *requests;  /* thread in which calls are made that may wait, */
    lua_State *callbacks; /* and those that may not, also while one waits */
    const char *path;     /* of the file; the caller's */
    int table;            /* reference of what the script returned */
    struct heap heap;
    const struct hal *hal; /* whose cancellation ends a call; NULL: nobody's */
    int64_t steps;         /* left to this call, */
    int64_t spare;         /* and to all that follow each other at once */
    nanos_t renewed;       /* when some of these came back */
    size_t longest;        /* text that was ever made: what Lua does with it in one step */
    enum box_bound bound;
    bool has_failed; /* the script has erred: it is never called again */
    struct error failure;
    bool is_ending; /* a function of the host has ended the call, with this: */
    struct error ending;
    uint64_t random; /* state of math.random */
    /* Hears what the script prints; set before box_open(). NULL: nobody does. */
    void (*printed)(void *context, const char *line);
    void *printed_context;
    void *owner; /* whose functions of the host the script calls */
    struct box_reading {
        const char *what; /* values are read of, for sentences: the kind of an event, "status()" */
        const char *fields[BOX_FIELDS]; /* that were asked for, */
        unsigned count, given;          /* and how many of them were there */
    } reading;
    char lie[ERROR_TEXT_SIZE]; /* the first value that was read and cannot be; "" for none */
};

/*
 * Reads the file, runs it with these functions of the host, up to one without a name, beside those
 * of the box, and keeps the table that it returns. ERROR_CONFIG with file, line and reason when it
 * is no script; then nothing is left to close. box_close() takes one that was closed.
 */
int box_open(struct box *box, const char *path, uint64_t seed, const luaL_Reg *host, void *owner,
             struct error *error);
void box_close(struct box *box);

static inline struct box *box_of(lua_State *lua)
{
    return *(struct box **)lua_getextraspace(lua);
}

/* The class of functions of the host's side that a call needs. */
typedef int box_give(lua_State *lua, void *context);
typedef void box_take(lua_State *lua, void *context);

/* A call of a function of the script. */
struct box_call {
    int function;     /* reference */
    const char *name; /* for sentences */
    box_give *give;   /* pushes the arguments and says how many; NULL: none */
    box_take *take;   /* reads the results, which are all that is on the stack; NULL: none */
    int results;      /* that take() gets */
    void *context;
};

enum box_result { BOX_WAITS, BOX_DONE };

/*
 * Starts a call in one of the threads, or goes on with one that waits, which is told whether
 * something came. An enum box_result, or: what a function of the host has ended the call with;
 * ERROR_RIG, for good, when the script has erred. Steps are those since box_renew(), which is told
 * the bench's time; NEVER where there is no bench.
 */
int box_start(struct box *box, lua_State *thread, const struct box_call *call, struct error *error);
int box_resume(struct box *box, bool something_came, struct error *error);
void box_renew(struct box *box, nanos_t now);

/*
 * Runs a piece of the host's code that may raise errors of Lua; `function` gets the context as a
 * light userdata. 0 or ERROR_RIG.
 */
int box_protect(struct box *box, lua_CFunction function, void *context, struct error *error);

/* What follows is for functions that Lua calls, and raises errors of Lua. */

/* A function of the table on top of the stack, which stays there, as a reference; LUA_NOREF. */
int box_function(lua_State *lua, const char *name);

/* So many steps more are used up; or steps of Lua's own, which may each be about long texts. */
void box_charge(lua_State *lua, uint64_t steps);
void box_charge_steps(lua_State *lua, uint64_t steps);

/* Waits, in a call that may: is true when something came. */
int box_wait(lua_State *lua);

/* Ends the call with that, whatever the script would catch. */
int box_end(lua_State *lua, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with an error that is there already. */
int box_end_with(lua_State *lua, const struct error *error);

/* The libraries of the box; each leaves one table on the stack. */
void box_make_globals(lua_State *lua);
void box_make_string(lua_State *lua);
void box_make_table(lua_State *lua);
void box_make_bytes(lua_State *lua);
int box_delimited(lua_State *lua);

#endif

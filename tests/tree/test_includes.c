/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who includes whom in the tree: each room looks only where it may, nobody outside looks into the
 * folder of one game or one device driver, the numbers of a protocol (a wire.h) stay in devices/,
 * and no units include each other in a circle. A unit is a .c and .h of one name. Tests may look
 * anywhere.
 */
#include <fts.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define PATH_MAX_HERE 96
#define EDGES_MAX     4096
#define COUNT(array)  (sizeof(array) / sizeof(array)[0])

/*
 * What the files of a folder may include, by how it begins; the longest folder that fits counts.
 * The rooms of rigs/ stand in their order: each sees rooms before it, and none after.
 */
static const struct room {
    const char *folder;
    const char *sees[16];
} rooms[] = {
    {"hal/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/reopen.h"}},
    {"hal/base/", {"hal/base/"}},
    {"hal/desk/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/desk/"}},
    {"hal/input/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/reopen.h", "hal/input/"}},
    {"hal/link/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/reopen.h", "hal/link/"}},
    {"hal/pins/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/pins/"}},
    {"hal/usb/", {"hal/base/", "hal/clock.h", "hal/hal.h", "hal/link/", "hal/usb/"}},
    {"games/", {"hal/base/", "games/"}},
    {"devices/", {"hal/", "games/card.h", "devices/"}},
#define BELOW_RIGS "hal/", "games/", "devices/"
    {"rigs/recording/", {BELOW_RIGS, "rigs/recording/"}},
    {"rigs/rig/", {BELOW_RIGS, "rigs/recording/", "rigs/rig/"}},
    {"rigs/authenticate/", {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/authenticate/"}},
    {"rigs/bench/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/authenticate/", "rigs/bench/"}},
    {"rigs/checks/", {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/bench/", "rigs/checks/"}},
    {"rigs/journal/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/bench/", "rigs/checks/", "rigs/journal/"}},
    {"rigs/run/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/authenticate/", "rigs/bench/",
      "rigs/checks/", "rigs/journal/", "rigs/run/"}},
    {"rigs/minimise/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/bench/", "rigs/checks/", "rigs/journal/",
      "rigs/run/", "rigs/minimise/"}},
    {"rigs/evidence/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/authenticate/", "rigs/bench/",
      "rigs/checks/", "rigs/journal/", "rigs/run/", "rigs/page/", "rigs/report/",
      "rigs/evidence/"}},
    {"rigs/listen/", {BELOW_RIGS, "rigs/recording/", "rigs/listen/"}},
    {"rigs/cover/", {BELOW_RIGS, "rigs/recording/", "rigs/page/", "rigs/cover/"}},
    {"rigs/station/", {BELOW_RIGS, "rigs/station/"}},
    {"rigs/page/", {BELOW_RIGS, "rigs/page/"}},
    {"rigs/shuffles/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/bench/", "rigs/journal/", "rigs/page/",
      "rigs/shuffles/"}},
    {"rigs/report/",
     {BELOW_RIGS, "rigs/recording/", "rigs/rig/", "rigs/authenticate/", "rigs/bench/",
      "rigs/checks/", "rigs/journal/", "rigs/run/", "rigs/page/", "rigs/shuffles/", "rigs/cover/",
      "rigs/report/"}},
    {"rigs/history/",
     {BELOW_RIGS, "rigs/checks/", "rigs/journal/", "rigs/page/", "rigs/shuffles/", "rigs/report/",
      "rigs/history/"}},
    {"tools/", {BELOW_RIGS, "rigs/", "tools/"}},
};

struct edge {
    char from[PATH_MAX_HERE], to[PATH_MAX_HERE];
};

struct tree {
    size_t files, count;
    struct edge edges[EDGES_MAX];
};

static void tree_add(struct tree *tree, const char *from, const char *to)
{
    struct edge *edge = &tree->edges[tree->count++];

    CU_ASSERT_FATAL(tree->count < EDGES_MAX);
    CU_ASSERT_FATAL(strlen(from) < sizeof edge->from && strlen(to) < sizeof edge->to);
    strcpy(edge->from, from);
    strcpy(edge->to, to);
}

static void read_includes(struct tree *tree, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512], to[256];

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "#include \"%255[^\"]\"", to) == 1)
            tree_add(tree, path, to);
    fclose(file);
    tree->files++;
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h"));
}

/* Freed by the caller. */
static struct tree *tree_read(void)
{
    char *const folders[] = {"hal", "games", "devices", "rigs", "tools", NULL};
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    struct tree *tree = calloc(1, sizeof *tree);
    FTSENT *entry;

    CU_ASSERT_FATAL(walk && tree);
    while ((entry = fts_read(walk)))
        if (entry->fts_info == FTS_F && is_source(entry->fts_name))
            read_includes(tree, entry->fts_path);
    fts_close(walk);
    return tree;
}

static bool begins(const char *path, const char *beginning)
{
    return !strncmp(path, beginning, strlen(beginning));
}

static const struct room *room_of(const char *path)
{
    const struct room *found = NULL;

    for (size_t i = 0; i < COUNT(rooms); i++)
        if (begins(path, rooms[i].folder) &&
            (!found || strlen(rooms[i].folder) > strlen(found->folder)))
            found = &rooms[i];
    return found;
}

/* The length of the folder of one game, games/NAME/, or one driver, devices/CLASS/NAME/; or 0. */
static size_t folder_of_one(const char *path)
{
    const char *slash = strchr(path, '/');

    if (begins(path, "games/audit/") || begins(path, "games/shuffles/"))
        return 0;
    if (begins(path, "devices/") && slash)
        slash = strchr(slash + 1, '/');
    else if (!begins(path, "games/"))
        return 0;
    slash = slash ? strchr(slash + 1, '/') : NULL;
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* devices/wire/ is what all devices of the open protocol share, and rigs watch its frames. */
static bool is_wire_of_class(const char *path)
{
    const char *name = strrchr(path, '/');

    return name && !strcmp(name, "/wire.h") && !begins(path, "devices/wire/");
}

static bool may_include(const char *from, const char *to)
{
    const struct room *room = room_of(from);
    size_t own = folder_of_one(to);

    if (!room || (own && strncmp(from, to, own) != 0))
        return false;
    if (is_wire_of_class(to) && !begins(from, "devices/"))
        return false;
    for (size_t i = 0; i < COUNT(room->sees) && room->sees[i]; i++)
        if (begins(to, room->sees[i]))
            return true;
    return false;
}

static bool is_same_unit(const char *a, const char *b)
{
    size_t length = strcspn(a, ".");

    return length == strcspn(b, ".") && !strncmp(a, b, length);
}

/* Whether includes lead from one unit to the other; `seen` has an entry an edge. */
static bool leads_to(const struct tree *tree, const char *from, const char *to, bool *seen)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct edge *edge = &tree->edges[i];

        if (seen[i] || !is_same_unit(edge->from, from))
            continue;
        seen[i] = true;
        if (is_same_unit(edge->to, from))
            continue;
        if (is_same_unit(edge->to, to) || leads_to(tree, edge->to, to, seen))
            return true;
    }
    return false;
}

static bool is_in_circle(const struct tree *tree, const char *unit)
{
    bool seen[EDGES_MAX] = {false};

    return leads_to(tree, unit, unit, seen);
}

/* Whether the include is part of a circle. */
static bool closes_circle(const struct tree *tree, const struct edge *edge)
{
    bool seen[EDGES_MAX] = {false};

    return !is_same_unit(edge->from, edge->to) && leads_to(tree, edge->to, edge->from, seen);
}

TEST(a_room_sees_what_is_below_it_and_nothing_above)
{
    CU_ASSERT(may_include("tools/run/run.c", "rigs/run/runner.h"));
    CU_ASSERT(may_include("rigs/run/loop.c", "games/game.h"));
    CU_ASSERT(may_include("devices/shoe/shoe.c", "games/card.h"));
    CU_ASSERT(may_include("games/shuffles/law.c", "hal/base/error.h"));
    CU_ASSERT_FALSE(may_include("devices/shoe/shoe.c", "games/hand.h"));
    CU_ASSERT_FALSE(may_include("devices/shoe/shoe.c", "rigs/rig/rig.h"));
    CU_ASSERT_FALSE(may_include("games/card.c", "hal/link/link.h"));
    CU_ASSERT_FALSE(may_include("hal/link/link.c", "hal/pins/pins.h"));
    CU_ASSERT_FALSE(may_include("hal/link/link.c", "devices/device.h"));
    CU_ASSERT_FALSE(may_include("hal/base/error.c", "hal/hal.h"));
    CU_ASSERT_FALSE(may_include("rigs/rig/rig.c", "rigs/run/runner.h"));
    CU_ASSERT_FALSE(may_include("rigs/rig/rig.c", "tools/command.h"));
    CU_ASSERT_FALSE(may_include("rigs/a-room-without-a-row/a.c", "hal/base/error.h"));
}

TEST(the_folder_of_one_game_or_driver_is_its_own)
{
    CU_ASSERT(may_include("games/flush_rush/audit.c", "games/flush_rush/flush_rush.h"));
    CU_ASSERT(may_include("games/flush_rush/audit.c", "games/audit/audit.h"));
    CU_ASSERT(may_include("devices/shoe/open/model.c", "devices/shoe/open/model.h"));
    CU_ASSERT(may_include("devices/shoe/open/model.c", "devices/shoe/mechanics.h"));
    CU_ASSERT_FALSE(may_include("games/game.c", "games/flush_rush/flush_rush.h"));
    CU_ASSERT_FALSE(may_include("games/three_card_catch/a.c", "games/flush_rush/flush_rush.h"));
    CU_ASSERT_FALSE(may_include("devices/shoe/shoe.c", "devices/shoe/open/model.h"));
    CU_ASSERT_FALSE(may_include("tools/run/run.c", "devices/shoe/open/model.h"));
}

TEST(the_numbers_of_a_protocol_are_known_to_devices_only)
{
    CU_ASSERT(may_include("devices/shoe/open/driver.c", "devices/shoe/open/wire.h"));
    CU_ASSERT(may_include("rigs/run/run.h", "devices/wire/wire.h"));
    CU_ASSERT_FALSE(may_include("rigs/run/dealer/shoe.c", "devices/shoe/open/wire.h"));
    CU_ASSERT_FALSE(may_include("rigs/run/dealer/shoe.c", "devices/shoe/wire.h"));
    CU_ASSERT_FALSE(may_include("tools/run/run.c", "devices/sensors/wire.h"));
    CU_ASSERT_FALSE(may_include("devices/shoe/shoe.h", "devices/shoe/open/wire.h"));
}

TEST(a_circle_is_found_through_other_units)
{
    struct tree *tree = calloc(1, sizeof *tree);

    CU_ASSERT_PTR_NOT_NULL_FATAL(tree);
    tree_add(tree, "a.c", "a.h");
    tree_add(tree, "a.c", "b.h");
    tree_add(tree, "b.c", "b.h");
    tree_add(tree, "b.h", "c.h");
    tree_add(tree, "c.h", "d.h");
    CU_ASSERT_FALSE(is_in_circle(tree, "a"));
    CU_ASSERT_FALSE(is_in_circle(tree, "b"));
    tree_add(tree, "d.c", "b.h");
    CU_ASSERT_FALSE(is_in_circle(tree, "a"));
    CU_ASSERT(is_in_circle(tree, "b") && is_in_circle(tree, "c") && is_in_circle(tree, "d"));
    CU_ASSERT_FALSE(closes_circle(tree, &tree->edges[1]));
    CU_ASSERT(closes_circle(tree, &tree->edges[3]));
    free(tree);
}

TEST(every_room_looks_only_where_it_may)
{
    struct tree *tree = tree_read();
    size_t wrong = 0;

    CU_ASSERT(tree->files > 200 && tree->count > 700);
    for (size_t i = 0; i < tree->count; i++) {
        const struct edge *edge = &tree->edges[i];

        if (may_include(edge->from, edge->to))
            continue;
        fprintf(stderr, "%s must not include %s\n", edge->from, edge->to);
        wrong++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(tree);
}

TEST(no_units_include_each_other_in_a_circle)
{
    struct tree *tree = tree_read();
    size_t wrong = 0;

    for (size_t i = 0; i < tree->count; i++) {
        const struct edge *edge = &tree->edges[i];

        if (!closes_circle(tree, edge))
            continue;
        fprintf(stderr, "%s includes %s, whose unit leads back to it\n", edge->from, edge->to);
        wrong++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(tree);
}

/* Its first line names the license, as SPDX writes it. */
static bool names_license(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[128] = "";

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(line, sizeof line, file));
    fclose(file);
    return !strcmp(line, "/* SPDX-License-Identifier: GPL-3.0-or-later */\n");
}

TEST(every_source_names_its_license_in_its_first_line)
{
    char *const folders[] = {"hal", "games", "devices", "rigs", "tools", "tests", NULL};
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    size_t wrong = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(walk);
    while ((entry = fts_read(walk)))
        if (entry->fts_info == FTS_F && is_source(entry->fts_name) &&
            !names_license(entry->fts_path)) {
            fprintf(stderr, "%s does not begin with its license\n", entry->fts_path);
            wrong++;
        }
    fts_close(walk);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Calls that make a file, each up to its semicolon: how many could follow a link. */
static size_t count_followed(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t wrong = 0, room = 0;
    char *call = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (getdelim(&call, &room, ';', file) > 0) {
        const char *stream = strstr(call, "fopen(");

        wrong += strstr(call, "O_TRUNC") || (strstr(call, "O_CREAT") && !strstr(call, "O_EXCL") &&
                                             !strstr(call, "O_NOFOLLOW"));
        wrong += stream && (strstr(stream, ", \"w") || strstr(stream, ", \"a"));
    }
    free(call);
    fclose(file);
    return wrong;
}

/* What is written goes through hal/base/save.h, or is made where nothing is: no link is followed.
 */
TEST(nothing_makes_a_file_through_a_link)
{
    char *const folders[] = {"hal", "games", "devices", "rigs", "tools", NULL};
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    size_t wrong = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(walk);
    while ((entry = fts_read(walk)))
        if (entry->fts_info == FTS_F && is_source(entry->fts_name) &&
            count_followed(entry->fts_path)) {
            fprintf(stderr, "%s makes a file through a link\n", entry->fts_path);
            wrong++;
        }
    fts_close(walk);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `diff` takes for the same and what not: every optional field, and every default of one. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/lies/forge.h"
#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

/* Two recordings, with ' for ", and where they differ; NULL: they mean the same. */
struct pair {
    const char *first, *second, *where;
};

/* A line of the table, with a newline behind it, as a recording. */
static void write_recording(const char *path, const char *text)
{
    char written[8192];
    size_t length = strlen(text);

    CU_ASSERT_FATAL(length + 1 < sizeof written);
    for (size_t i = 0; i < length; i++)
        written[i] = text[i] == '\'' ? '"' : text[i];
    written[length++] = '\n';
    scratch_write(path, written, length);
}

/* Every line that is told begins with `where`. */
static bool is_told_there(const char *output, const char *where)
{
    size_t length = strlen(where);

    if (!*output)
        return false;
    for (const char *line = output; line && *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, where, length) != 0)
            return false;
    return true;
}

static void check_pair(const struct pair *pair, const char *const paths[2])
{
    int status;
    char *output;
    bool is_right;

    write_recording(paths[0], pair->first);
    write_recording(paths[1], pair->second);
    output = shell_run(&status, "%s diff %s %s 2>&1", shell_dealproof(), paths[0], paths[1]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    is_right =
        pair->where ? status == 1 && is_told_there(output, pair->where) : status == 0 && !*output;
    if (!is_right)
        printf("%s\n%s\nexit status %d: %s", pair->first, pair->second, status, output);
    CU_ASSERT(is_right);
    free(output);
}

static void check_pairs(const struct pair *pairs, size_t count)
{
    char paths[2][SCRATCH_PATH_SIZE];

    scratch_path(paths[0]);
    scratch_path(paths[1]);
    for (size_t i = 0; i < count; i++)
        check_pair(&pairs[i], (const char *const[]){paths[0], paths[1]});
    scratch_remove(paths[0]);
    scratch_remove(paths[1]);
}

#define CHECK_PAIRS(pairs) check_pairs(pairs, sizeof(pairs) / sizeof(pairs)[0])

#define RUSH  "{'shoe':1,'game':'flush-rush'"
#define CHASE "{'shoe':1,'game':'chase-the-flush'"
#define CATCH "{'shoe':1,'game':'three-card-catch'"
#define POKER "{'shoe':1,'game':'three-card-poker'"

#define METERS ",'meters':"
#define HIT    ",'must-hit':{'reset':'250.00','hit-by':'500.00','rate':'1.00'}"

TEST(a_default_that_a_header_states_means_what_none_does)
{
    static const struct pair pairs[] = {
        {CHASE "}", "{ 'game':'chase-the-flush', 'shoe':1 }", NULL},
        {CHASE "}", CHASE ",'deal':'packets'}", NULL},
        {CHASE "}", CHASE ",'burn':0}", NULL},
        {CHASE "}", CHASE ",'decks':1}", NULL},
        {CHASE "}", CHASE ",'tables':{}}", NULL},
        {RUSH "}", RUSH ",'tables':{'ante':'sample','all-or-nothing':'sample'}}", NULL},
        {CHASE "}", CHASE ",'tables':{'x-tra':'B','same-suit':'B','stax':'1'}}", NULL},
        {CATCH "}", CATCH ",'tables':{'x-tra':'1','natural-pair-plus':'1','progressive':'1'}}",
         NULL},
        {POKER "}", POKER ",'tables':{'ante':'1','pair-plus':'1'}}", NULL},
        {CATCH "}", CATCH ",'rules':{}}", NULL},
        {CATCH "}", CATCH ",'rules':{'ace-low':true}}", NULL},
        {CATCH "}", CATCH ",'rules':{'progressive-rounding':'up'}}", NULL},
        {RUSH "}", RUSH ",'meters':{}}", NULL},
        {CHASE METERS "{}}", CHASE METERS "{'star':'10000.00'}}", NULL},
        {CHASE METERS "{'star':'10000'}}",
         CHASE METERS "{'diamond':'500','heart':'1000.0','spade':'2500.000000'}}", NULL},
        {CHASE HIT METERS "{}}", CHASE HIT METERS "{'must-hit':'250.00'}}", NULL},
        {CHASE HIT "}", CHASE ",'must-hit':{'rate':'1','hit-by':'500','reset':'250.0'}}", NULL},
        {CHASE "}", CHASE ",'source':{}}", NULL},
    };

    CHECK_PAIRS(pairs);
}

TEST(a_header_that_states_another_value_than_the_default_differs)
{
    static const struct pair pairs[] = {
        {CHASE "}", RUSH "}", "header, "},
        {CHASE "}", CHASE ",'deal':'cards'}", "header, deal: "},
        {CHASE "}", CHASE ",'burn':1}", "header, burn: "},
        {CHASE "}", CHASE ",'decks':2}", "header, decks: "},
        {CHASE "}", CHASE ",'tables':{'x-tra':'A'}}", "header, tables: "},
        {CHASE "}", CHASE ",'tables':{'same-suit':'A'}}", "header, tables: "},
        {CHASE ",'tables':{'x-tra':'A'}}", CHASE ",'tables':{'same-suit':'A'}}",
         "header, tables, "},
        {CATCH "}", CATCH ",'tables':{'x-tra':'2'}}", "header, tables: "},
        {CATCH "}", CATCH ",'tables':{'natural-pair-plus':'4'}}", "header, tables: "},
        {POKER "}", POKER ",'tables':{'pair-plus':'5'}}", "header, tables: "},
        {CATCH "}", CATCH ",'rules':{'ace-low':false}}", "header, rules: "},
        {CATCH "}", CATCH ",'rules':{'progressive-rounding':'nearest'}}", "header, rules: "},
        {CHASE METERS "{}}", CHASE METERS "{'star':'10000.000001'}}", "header, meters, star: "},
        {CHASE HIT METERS "{}}", CHASE HIT METERS "{'must-hit':'250.01'}}",
         "header, meters, must-hit: "},
        /* Without them a run has those of its rig, and with any of them none of these. */
        {CHASE "}", CHASE METERS "{}}", "header, meters: "},
        {CHASE METERS "{'star':'10000.00'}}", CHASE "}", "header, meters: "},
        {CHASE HIT "}", CHASE HIT METERS "{'must-hit':'250.00'}}", "header, meters: "},
        {CHASE "}", CHASE HIT "}", "header, m"},
        {CHASE HIT "}", CHASE ",'must-hit':{'reset':'250','hit-by':'501','rate':'1'}}",
         "header, must-hit, hit-by: "},
        {CHASE HIT "}", CHASE ",'must-hit':{'reset':'250','hit-by':'500','rate':'1.01'}}",
         "header, must-hit, rate: "},
    };

    CHECK_PAIRS(pairs);
}

TEST(recordings_that_come_from_elsewhere_differ)
{
    static const char *const keys[] = {"recorded",  "device",  "firmware", "by",     "note",
                                       "decisions", "devices", "capture",  "wagers", "mode"};
    char first[128], second[128], where[64];

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(first, sizeof first, CHASE ",'source':{'%s':'one'}}", keys[i]);
        snprintf(second, sizeof second, CHASE ",'source':{'%s':'other'}}", keys[i]);
        snprintf(where, sizeof where, "header, source, %s: ", keys[i]);
        check_pairs(&(struct pair){first, first, NULL}, 1);
        check_pairs(&(struct pair){first, second, where}, 1);
        check_pairs(&(struct pair){CHASE "}", second, "header, source: "}, 1);
    }
}

/* A round of Chase the Flush, where seats 1 and 4 have the progressive wager, and more of it. */
#define BETS                                                                                       \
    "'bets':{'1':{'ante':1000,'x-tra':1000,'stax':500},"                                           \
    "'4':{'ante':500,'x-tra':500,'stax':500}}"
#define DEALT        "'dealt':['As Ks 2d','9h 9c 9d','Qc Jc 2h','3s 4s 5s 7h']"
#define PLAY         "'play':{'1':['check','bet'],'4':['check','check','fold']}"
#define PLAYED(more) "{'round':1," BETS "," DEALT "," PLAY more "}"

#define ONE(more)    CHASE "}\n" PLAYED(more)
#define KEYS(before) ONE(",'keys':[" before "'start-round','end-round']")

TEST(other_words_for_the_same_do_not_make_another_round)
{
    static const struct pair pairs[] = {
        {ONE(""), CHASE "}\n{" PLAY "," DEALT ", 'round' : 1, " BETS "}", NULL},
        {ONE(""),
         CHASE "}\n{'round':1," BETS "," DEALT
               ",'play':{'4':['check','check','fold'],'1':['check','all-in']}}",
         NULL},
        {KEYS("'correct-meter:star=10000.10',"), KEYS("'correct-meter:star=10000.1',"), NULL},
        {KEYS("'correct-meter:star=10000',"), KEYS("'correct-meter:star=10000.000000',"), NULL},
        {KEYS("'wagers:1,4',"), KEYS("'wagers:4,1',"), NULL},
        {KEYS("'wagers:1,4',"), KEYS("'wagers:4,1,4',"), NULL},
        {CHASE "}\n{'round':1," BETS ",'dealt':[],'play':{},'void':'misdeal'}",
         CHASE "}\n{'round':1," BETS ",'dealt':[],'play':{'1':[],'4':[]},'void':'misdeal'}", NULL},
        {RUSH "}\n{'round':1,'bets':{'1':{'ante':100}},'dealt':['2c 3c 4c 5c','6c 7c 8c 9c'],"
              "'play':{'1':['bet','bet']}}",
         RUSH "}\n{'round':1,'bets':{'1':{'ante':100}},'dealt':['2c 3c 4c 5c','6c 7c 8c 9c'],"
              "'play':{'1':['bet-1','bet-2']}}",
         NULL},
    };

    CHECK_PAIRS(pairs);
}

TEST(a_round_in_which_a_field_says_something_else_differs)
{
    static const struct pair pairs[] = {
        {ONE(""), CHASE "}\n{'round':2," BETS "," DEALT "," PLAY "}", "round "},
        {ONE(""),
         CHASE "}\n{'round':1,'bets':{'1':{'ante':1000,'x-tra':1000,'stax':500},"
               "'4':{'ante':500,'x-tra':500}}," DEALT "," PLAY "}",
         "round 1, bets, seat 4, stax: "},
        {ONE(""),
         CHASE "}\n{'round':1," BETS
               ",'dealt':['As Ks 2d','9h 9c 9d','Qc Jc 2h','3s 4s 5s 8h']," PLAY "}",
         "round 1, dealt, packet 4: "},
        {ONE(""),
         CHASE "}\n{'round':1," BETS "," DEALT
               ",'play':{'1':['check','bet'],'4':['check','check','bet']}}",
         "round 1, play, seat 4, number 3: "},
        {ONE(""), ONE(",'keys':[]"), "round 1, keys: "},
        {ONE(""), KEYS(""), "round 1, keys: "},
        {KEYS("'wagers:1,4',"), ONE(",'keys':['wagers:1','start-round','cancel-round']"),
         "round 1, keys, key "},
        {KEYS("'correct-meter:star=10000.10',"), KEYS("'correct-meter:star=10000.11',"),
         "round 1, keys, key 1: "},
        {KEYS("'correct-meter:spade=2500',"), KEYS("'correct-meter:heart=2500',"),
         "round 1, keys, key 1: "},
        {KEYS("'hand',"), KEYS("'hand:A-K-Q suited',"), "round 1, keys, key 1: "},
        {KEYS("'seat-1',"), KEYS("'seat-2',"), "round 1, keys, key 1: "},
        {KEYS(""), ONE(",'keys':['start-round','end-round'],'procedure':'free'"),
         "round 1, procedure: "},
        {ONE(""), ONE(",'void':'misdeal'"), "round 1, void: "},
        {CHASE HIT "}\n" PLAYED(""), CHASE HIT "}\n" PLAYED(",'must-hit':{'seat':4}"),
         "round 1, must-hit: "},
        {CHASE HIT "}\n" PLAYED(",'must-hit':{'seat':1}"),
         CHASE HIT "}\n" PLAYED(",'must-hit':{'seat':4}"), "round 1, must-hit, seat: "},
    };

    CHECK_PAIRS(pairs);
}

/* Three rounds on two decks, each with more of it. */
#define TURN(number, more) "\n{'round':" number "," BETS "," DEALT "," PLAY more "}"
#define TURNS(a, b, c)     CHASE ",'decks':2}" TURN("1", a) TURN("2", b) TURN("3", c)
#define DECK(number)       ",'deck-id':" number
#define UNDEALT(more)      "\n{'round':2," BETS ",'dealt':[],'play':{},'void':'misdeal'" more "}"

TEST(two_decks_take_turns_whether_a_recording_says_so_or_not)
{
    static const struct pair pairs[] = {
        {TURNS("", "", ""), TURNS(DECK("1"), DECK("2"), DECK("1")), NULL},
        {TURNS("", "", ""), TURNS("", DECK("2"), ""), NULL},
        {TURNS(DECK("2"), "", ""), TURNS(DECK("2"), DECK("1"), DECK("2")), NULL},
        {TURNS("", DECK("1"), ""), TURNS("", DECK("1"), DECK("2")), NULL},
        {CHASE ",'decks':2}" TURN("1", "") UNDEALT("") TURN("3", ""),
         CHASE ",'decks':2}" TURN("1", "") UNDEALT("") TURN("3", DECK("2")), NULL},
        {CHASE ",'decks':2}" TURN("1", "") UNDEALT("") TURN("3", ""),
         CHASE ",'decks':2}" TURN("1", "") UNDEALT("") TURN("3", DECK("1")), "round 3, deck-id: "},
        {TURNS("", "", ""), TURNS(DECK("1"), DECK("2"), DECK("2")), "round 3, deck-id: "},
        {TURNS("", "", DECK("1")), TURNS(DECK("2"), DECK("2"), DECK("1")), "round 1, deck-id: "},
    };

    CHECK_PAIRS(pairs);
}

#define SUIT(suit)                                                                                 \
    "2" suit " 3" suit " 4" suit " 5" suit " 6" suit " 7" suit " 8" suit " 9" suit " T" suit       \
    " J" suit " Q" suit " K" suit " A" suit
#define ORDER(a, b, c, d) "'" SUIT(a) " " SUIT(b) " " SUIT(c) " " SUIT(d) "'"

TEST(decks_that_nobody_played_with_are_compared_by_their_orders)
{
    static const struct pair pairs[] = {
        {RUSH "}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") "}",
         RUSH "}\n{'deck':" ORDER("c", "d", "h", "s") ",'round':1}", NULL},
        {RUSH "}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") "}",
         RUSH "}\n{'round':1,'deck':" ORDER("c", "d", "s", "h") "}", "round 1, deck: "},
        {RUSH "}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") "}",
         RUSH "}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") ",'before':" ORDER("c", "d", "h",
                                                                                   "s") "}",
         "round 1, before: "},
        {RUSH ",'decks':2}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") "}",
         RUSH ",'decks':2}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") ",'deck-id':1}", NULL},
        {RUSH ",'decks':2}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") "}",
         RUSH ",'decks':2}\n{'round':1,'deck':" ORDER("c", "d", "h", "s") ",'deck-id':2}",
         "round 1, deck-id: "},
    };

    CHECK_PAIRS(pairs);
}

#define SHOE   "fixtures/chase-the-flush/bet-at-each-point.shoe"
#define EXPECT "fixtures/chase-the-flush/bet-at-each-point.expect"
#define SHA(x) x x x x x x x x x x x x x x x x

/* Runs "dealproof run ARGUMENTS" and leaves its journal there. */
static void play(const char *path, const char *arguments)
{
    int status;

    free(shell_run(&status, "%s run -q --journal %s --force %s 2>&1", shell_dealproof(), path,
                   arguments));
    CU_ASSERT_EQUAL_FATAL(status, 0);
}

/* The two differ there, and nowhere else; NULL: they mean the same. */
static void journals_differ(const char *first, const char *second, const char *where)
{
    int status;
    char *output = shell_run(&status, "%s diff %s %s 2>&1", shell_dealproof(), first, second);
    bool is_right = where ? status == 1 && is_told_there(output, where) : status == 0 && !*output;

    if (!is_right)
        printf("exit status %d instead of '%s': %s", status, where ? where : "the same", output);
    CU_ASSERT(is_right);
    free(output);
}

/* What stands in a line of a journal, and something else in its place. */
struct change {
    const char *line, *old, *new, *where;
};

/* A line before the end, at the time of the end. */
static void insert_last(struct forgery *journal, const char *rest)
{
    size_t end = forge_find(journal, "\"kind\":\"end\"", 1);
    char body[512];

    snprintf(body, sizeof body, "%.*s%s", (int)strcspn(journal->bodies[end], ","),
             journal->bodies[end], rest);
    forge_insert(journal, end, body);
}

/* A run on a real clock in which a device went away and somebody was asked. */
static void make_real(struct forgery *journal)
{
    size_t start = forge_find(journal, "\"kind\":\"start\"", 1);

    forge_replace(journal, start, "\"clock\":\"virtual\"",
                  "\"clock\":\"real\",\"date\":\"2026-01-31T18:00:00Z\",\"run\":"
                  "\"0123456789abcdef0123456789abcdef\",\"host\":\"one\"");
    forge_replace(journal, start, "\"rounds\":1", "\"rounds\":1,\"job\":\"17\"");
    insert_last(journal, ",\"kind\":\"reconnect\",\"device\":\"shuffler\",\"times\":1,\"tries\":2,"
                         "\"away-ms\":30,\"same\":true");
    insert_last(journal, ",\"kind\":\"question\",\"id\":1,\"ask\":\"done\",\"text\":\"Is it?\","
                         "\"answers\":[\"yes\",\"no\"],\"from\":[\"page\"]");
    insert_last(journal, ",\"kind\":\"answer\",\"id\":1,\"answer\":\"yes\",\"by\":\"Ann\","
                         "\"from\":\"page\",\"took-ms\":40");
    forge_replace(journal, forge_find(journal, "\"kind\":\"end\"", 1), "\"reconnects\":0",
                  "\"reconnects\":1");
}

TEST(journals_tell_another_rig_and_not_when_and_where_it_was_played)
{
    static const struct change changes[] = {
        {"start", "\"version\":\"", "\"version\":\"1", NULL},
        {"start", "\"build\":\"", "\"build\":\"1", NULL},
        {"start", "\"commit\":\"", "\"commit\":\"1", NULL},
        {"start", "\"libraries\":{", "\"libraries\":{\"x\":\"1\",", NULL},
        {"start", "2026-01-31", "2026-02-01", NULL},
        {"start", "0123456789abcdef", "1123456789abcdef", NULL},
        {"start", "\"host\":\"one\"", "\"host\":\"two\"", NULL},
        {"start", "\"command\":[", "\"command\":[\"x\",", NULL},
        {"start", "\"job\":\"17\"", "\"job\":\"18\",\"attempt\":2", NULL},
        {"start", "\"seed\":\"1\"", "\"seed\":\"2\"", "start, seed: "},
        {"start", "\"job\":\"17\"", "\"job\":\"17\",\"realtime\":40", "start, realtime: "},
        {"start", "\"rig\":null", "\"rig\":{\"path\":\"a\",\"sha256\":\"" SHA("0123") "\"}",
         "start, rig: "},
        {"start", "\"seed\"",
         "\"files\":[{\"path\":\"a\",\"sha256\":\"" SHA("0123") "\"}],\"seed\"", "start, file 1: "},
        {"device", "emu:shuffler", "emu:shuffler?x", "device shuffler, address: "},
        {"device", "\"driver\":\"", "\"driver\":\"x", "device shuffler, driver: "},
        {"device", "\"model\":\"", "\"model\":\"x", "device shuffler, model: "},
        {"device", "\"firmware\":\"", "\"firmware\":\"x", "device shuffler, firmware: "},
        {"device", "\"serial\":\"", "\"serial\":\"x", "device shuffler, serial: "},
        {"device", "\"digest\":\"46cacc82", "\"digest\":\"56cacc82", "device shuffler, digest: "},
        {"device", "\"test-mode\":false", "\"test-mode\":true", "device shuffler, test-mode: "},
        {"recording", "\"path\":\"", "\"path\":\"elsewhere/", NULL},
        {"recording", "\"expect\":\"", "\"expect\":\"elsewhere/", NULL},
        {"recording", "\"burn\":0", "\"burn\":1", "recording, header, burn: "},
        {"event", "10000.000000", "10000.000001", "event, details, star: "},
        {"verdict", "\"took\":2", "\"took\":1", NULL},
        {"verdict", "\"limit\":30000000000", "\"limit\":31000000000",
         "recording 1, round 1, verdict, limit of shuffle: "},
        {"reconnect", "\"tries\":2,\"away-ms\":30", "\"tries\":3,\"away-ms\":31", NULL},
        {"reconnect", "\"same\":true", "\"same\":null", "reconnect, same: "},
        {"answer", "\"took-ms\":40", "\"took-ms\":41", NULL},
        {"answer", "\"answer\":\"yes\"", "\"answer\":\"no\"", "answer, answer: "},
        {"answer", "\"by\":\"Ann\"", "\"by\":\"Bob\"", "answer, by: "},
        {"end", "\"t\":", "\"t\":9", NULL},
    };
    char played[SCRATCH_PATH_SIZE], first[SCRATCH_PATH_SIZE], second[SCRATCH_PATH_SIZE];
    struct forgery journal;

    scratch_path(played);
    scratch_path(first);
    scratch_path(second);
    play(played, SHOE);
    journal = forge_read(played);
    make_real(&journal);
    forge_write(&journal, first);
    journals_differ(first, first, NULL);
    forge_free(&journal);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *change = &changes[i];
        char kind[32];

        journal = forge_read(first);
        snprintf(kind, sizeof kind, "\"kind\":\"%s\"", change->line);
        forge_replace(&journal, forge_find(&journal, kind, 1), change->old, change->new);
        forge_write(&journal, second);
        journals_differ(first, second, change->where);
        forge_free(&journal);
    }
    scratch_remove(played);
    scratch_remove(first);
    scratch_remove(second);
}

/* Runs on the rig that is built in, with something of its file and of the recording replaced. */
static void play_changed(const char *folder, const char *name, const char *rig, const char *shoe)
{
    int status;
    char *output = shell_run(
        &status,
        "mkdir %s/%s && cd %s/%s && sed '%s' $OLDPWD/rigs/emulated.yaml > rig.yaml && "
        "sed '%s' $OLDPWD/" SHOE " > played.shoe && cp $OLDPWD/" EXPECT " played.expect && "
        "cd $OLDPWD && %s run -q --rig %s/%s/rig.yaml --journal %s/%s/run.journal "
        "%s/%s/played.shoe 2>&1",
        folder, name, folder, name, rig, shoe, shell_dealproof(), folder, name, folder, name,
        folder, name);

    if (status)
        printf("%s: %s", name, output);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    free(output);
}

TEST(the_same_rig_and_recordings_are_the_same_wherever_they_lie)
{
    char folder[SCRATCH_PATH_SIZE], path[8][SCRATCH_PATH_SIZE + 32];
    static const struct {
        const char *name, *rig, *shoe, *where;
    } runs[] = {
        {"copy", "", "", NULL},
        {"again", "", "", NULL},
        {"reply", "s/reply: .*/reply: 900/", "", "start, rig"},
        {"name", "s/^rig: .*/rig: other/", "", "start, rig"},
        {"comment", "1s/^/# mine &/", "", "start, rig"},
        {"shoe", "", "1s/\"source\":{/&\"device\":\"x\",/", "recording, "},
    };
    size_t count = sizeof runs / sizeof runs[0];
    int status;

    scratch_path(folder);
    free(shell_run(&status, "mkdir %s", folder));
    CU_ASSERT_EQUAL_FATAL(status, 0);
    snprintf(path[count], sizeof path[count], "%s/builtin", folder);
    play(path[count], SHOE);
    for (size_t i = 0; i < count; i++) {
        play_changed(folder, runs[i].name, runs[i].rig, runs[i].shoe);
        snprintf(path[i], sizeof path[i], "%s/%s/run.journal", folder, runs[i].name);
        journals_differ(path[0], path[i], runs[i].where);
        journals_differ(path[count], path[i], runs[i].where);
    }
    free(shell_run(&status, "rm -r %s", folder));
    CU_ASSERT_EQUAL(status, 0);
}

TEST(limits_that_differ_are_told_once_and_not_in_every_round)
{
    char folder[SCRATCH_PATH_SIZE];
    char *output;
    int status;

    scratch_path(folder);
    output = shell_run(
        &status,
        "mkdir %s && sed 's/packet: .*/packet: 1900/' rigs/emulated.yaml > %s/rig.yaml && "
        "%s run -q --journal %s/one fixtures/chase-the-flush && "
        "%s run -q --rig %s/rig.yaml --journal %s/two fixtures/chase-the-flush && "
        "%s diff %s/one %s/two | sed 's/:.*//'; rm -r %s",
        folder, folder, shell_dealproof(), folder, shell_dealproof(), folder, folder,
        shell_dealproof(), folder, folder, folder);
    CU_ASSERT_STRING_EQUAL(output, "start, rig\nrecording 1, round 1, verdict, limit of packet\n");
    free(output);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract suite: the examples keep it, and a script that breaks a rule is found by that rule.
 */
#include "devices/scripts/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

#define EXAMPLES "devices/scripts/examples/"

static struct error error;

/* Rules that came out so, each on a line. */
struct heard {
    char broken[2048], skipped[2048];
};

static void hear(void *context, const char *rule, enum contract_outcome outcome, const char *why)
{
    struct heard *heard = context;
    char *list = outcome == CONTRACT_BROKEN ? heard->broken : heard->skipped;
    size_t used = strlen(list);

    CU_ASSERT_EQUAL(why != NULL, outcome != CONTRACT_HOLDS);
    if (outcome != CONTRACT_HOLDS)
        snprintf(list + used, 2048 - used, "%s: %s\n", rule, why);
}

static void ignore(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static int try_path(const char *path, const char *model, struct heard *heard,
                    struct contract *contract)
{
    memset(heard, 0, sizeof *heard);
    *contract = (struct contract){.path = path,
                                  .model = model,
                                  .options = "",
                                  .seed = 1,
                                  .told = hear,
                                  .printed = ignore,
                                  .context = heard};
    return contract_try(contract, &error);
}

TEST(the_examples_keep_the_contract)
{
    static const struct {
        const char *path, *model;
        unsigned skipped;
    } examples[] = {
        {EXAMPLES "tally.lua", NULL, 1},
        {EXAMPLES "open-shuffler.lua", "emu:shuffler", 0},
        {EXAMPLES "angel-eye.lua", "emu:angel-eye?draw=700,refill=2000", 5},
    };
    struct contract contract;
    struct heard heard;

    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        CU_ASSERT_EQUAL(try_path(examples[i].path, examples[i].model, &heard, &contract), 0);
        CU_ASSERT_STRING_EQUAL(heard.broken, "");
        CU_ASSERT_EQUAL(contract.counts[CONTRACT_SKIPPED], examples[i].skipped);
        CU_ASSERT(contract.counts[CONTRACT_HOLDS] >= 11);
    }
}

/* The example with one piece of it replaced. */
static void write_altered(struct script_file *file, const char *piece, const char *by)
{
    size_t length, size;
    char *text = scratch_read(EXAMPLES "tally.lua", &length), *at = strstr(text, piece);
    char *altered = malloc(length + strlen(by) + 1);

    CU_ASSERT_FATAL(at && altered);
    size = (size_t)sprintf(altered, "%.*s%s%s", (int)(at - text), text, by, at + strlen(piece));
    script_file_write(file, altered, size);
    free(altered);
    free(text);
}

TEST(a_script_that_breaks_a_rule_is_found_by_that_rule)
{
    static const struct {
        const char *piece, *by, *rule;
    } tried[] = {
        {"tries = tonumber(options.tries) or tries", "error('no')", "it opens a device: "},
        {"serial = list[2]", "serial = tostring(math.random(9999))",
         "a device says who it is, and the same twice: it says another identity"},
        {"test_mode = list[8] == \"1\"", "test_mode = true",
         "a device tells its status: a device that nobody put"},
        {"cards = {...}}", "cards = {(...)}}",
         "rounds are dealt, packet by packet or card by card: the size of a packet is 1"},
        {"refuse(tonumber(reason)", "print(tonumber(reason)",
         "what a device refuses is told as refused: press() before any shuffle: the device does "
         "it"},
        {"tally.clear_error(name) ask(\"C \" .. name)", "tally.clear_error(name) print(name)",
         "a fault is told, cleared, and the deal goes on: 120 s have passed"},
        {"u = function(state, fault, was_presented, was_taken)", "u = function() error('power')",
         "the script survives a loss of power after any event: "},
        {"for line in lines:feed(chunk) do",
         "for _, line in ipairs{(chunk:gsub('\\r\\n$', ''))} do", "bytes may come one by one: "},
        {"check == (\"%02X\"):format(bytes.xor(text)) and text or nil", "text or nil",
         "bytes may be damaged, and no card is made of that: "},
        {"count(\"rejected\")", "error('strange')", "bytes of no protocol do no harm: "},
        {"silent((\"no answer", "print((\"no answer", "a device that says nothing is a timeout: "},
    };
    struct contract contract;
    struct heard heard;

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct script_file file;

        write_altered(&file, tried[i].piece, tried[i].by);
        CU_ASSERT_EQUAL(try_path(file.path, NULL, &heard, &contract), 0);
        if (!strstr(heard.broken, tried[i].rule))
            printf("%s\nbroken:\n%s", tried[i].rule, heard.broken);
        CU_ASSERT_PTR_NOT_NULL(strstr(heard.broken, tried[i].rule));
        CU_ASSERT(contract.counts[CONTRACT_BROKEN] > 0);
        script_file_drop(&file);
    }
}

/* It makes up what it tells and never looks at its device. */
TEST(a_script_that_makes_everything_up_is_found)
{
    static const char faker[] =
        "local d = {class = 'shuffler', received = function() end}\n"
        "local n = 0\n"
        "function d.shuffle() n = n + 1 after(5, function() event{'shuffled', number = n} end) "
        "end\n"
        "local hands = {'As Ks Qs', '2c 3c 4c', '5d 6d 7d 8d'}\n"
        "function d.press() for i = 1, 3 do after(10 * i, function()\n"
        "  event{'packet-present', index = i - 1, cards = hands[i]} event{'packet-taken', index = "
        "i "
        "- 1}\n"
        "end) end end\n"
        "return d\n";
    struct contract contract;
    struct script_file file;
    struct heard heard;

    script_file_text(&file, faker);
    CU_ASSERT_EQUAL(try_path(file.path, "emu:shuffler", &heard, &contract), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.broken,
                                  "a device that says nothing is a timeout: nobody is "
                                  "there"));
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.broken, "a device that is gone is told as such: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.broken, "what a device refuses is told as refused: "));
    CU_ASSERT_PTR_NULL(strstr(heard.broken, "rounds are dealt"));
    script_file_drop(&file);
}

TEST(a_request_that_was_cut_off_must_not_spoil_the_next)
{
    struct contract contract;
    struct script_file file;
    struct heard heard;

    write_altered(
        &file, "  for try = 1, tries do\n",
        "  assert(not rawget(_G, 'busy'), 'busy') busy = true\n  for try = 1, tries do\n");
    CU_ASSERT_EQUAL(try_path(file.path, NULL, &heard, &contract), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.broken, "busy"));
    script_file_drop(&file);
}

/* Of a machine that cannot be asked for its state a shuffle is cut off, which it goes on with. */
TEST(a_device_that_is_still_at_what_was_cut_off_may_refuse_the_next)
{
    struct contract contract;
    struct script_file file;
    struct heard heard;

    write_altered(&file, "\nreturn tally", "\ntally.open, tally.status = nil, nil\nreturn tally");
    CU_ASSERT_EQUAL(try_path(file.path, NULL, &heard, &contract), 0);
    CU_ASSERT_STRING_EQUAL(heard.broken, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.skipped, "the script has no status()"));
    script_file_drop(&file);
}

TEST(what_the_model_cannot_is_skipped_with_the_reason)
{
    struct contract contract;
    struct script_file file;
    struct heard heard;

    write_altered(&file, "function model.power()", "local function power()");
    CU_ASSERT_EQUAL(try_path(file.path, NULL, &heard, &contract), 0);
    CU_ASSERT_STRING_EQUAL(heard.broken, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.skipped, "the model cannot lose its power"));
    script_file_drop(&file);
    write_altered(&file, "jam = \"packet\", ", "");
    CU_ASSERT_EQUAL(try_path(file.path, NULL, &heard, &contract), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(heard.skipped, "the model has no fault jam@packet:2"));
    script_file_drop(&file);
}

TEST(a_script_or_a_model_that_cannot_be_used_is_said)
{
    struct contract contract;
    struct heard heard;

    CU_ASSERT_EQUAL(try_path("no/such.lua", NULL, &heard, &contract), ERROR_CONFIG);
    CU_ASSERT_EQUAL(try_path(EXAMPLES "angel-eye.lua", NULL, &heard, &contract), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "--model emu:NAME with one of angel-eye, shoe"));
    CU_ASSERT_EQUAL(try_path(EXAMPLES "tally.lua", "emu:nobody", &heard, &contract), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "there is no model 'nobody'"));
    CU_ASSERT_EQUAL(try_path(EXAMPLES "tally.lua", "emu:shoe", &heard, &contract), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "does not speak as a shuffler"));
    CU_ASSERT_EQUAL(try_path(EXAMPLES "tally.lua", "emu:shuffler?colour=3", &heard, &contract),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(try_path(EXAMPLES "tally.lua", "tcp:localhost:1", &heard, &contract),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is no model; write emu:NAME"));
}

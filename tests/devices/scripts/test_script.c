/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A script that drives a device: calls that wait, timers, what it gives, and what it does wrong. */
#include <stdio.h>
#include <string.h>

#include "devices/shuffler/shuffler.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct puppet_stage stage;
static struct puppet *puppet;
static struct link *wire;
static struct shuffler *shuffler;
static struct shuffler_event event;
static struct script_file file;
static struct error error;

static void plug_in(void)
{
    clock_virtual(&clock_, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:puppet0", &error), 0);
}

static int open_with(const char *lines, const char *options)
{
    const struct device_driver *driver = device_driver_find(DEVICE_SHUFFLER, "script", &error);
    struct device_connection connection = {
        .link = wire, .address = wire->address, .options = options, .seed = 1};
    char text[4096];

    snprintf(text, sizeof text, SCRIPT_SHUFFLER("%s"), lines);
    script_file_text(&file, text);
    connection.script = file.path;
    return device_open((struct device **)&shuffler, driver, &connection, &error);
}

static void set_up(const char *lines)
{
    int status;

    plug_in();
    status = open_with(lines, "");
    if (status)
        printf("%s\n%s\n", lines, error.text);
    CU_ASSERT_EQUAL_FATAL(status, 0);
}

static void tear_down(void)
{
    shuffler_close(shuffler);
    shuffler = NULL;
    link_close(wire);
    puppet_stage_close(&stage);
    hal_close(&hal);
    script_file_drop(&file);
}

static void say(const char *text)
{
    puppet_put(puppet, (const uint8_t *)text, strlen(text));
}

static bool heard(const char *text)
{
    uint8_t bytes[256];
    size_t count = puppet_take(puppet, bytes, sizeof bytes);

    return count == strlen(text) && !memcmp(bytes, text, count);
}

static int next(void)
{
    return shuffler_next(shuffler, &event, clock_deadline(&clock_, 1000), &error);
}

/* The place in the file, and what is said of it. */
static bool is_said(const char *within)
{
    bool is = !strncmp(error.text, file.path, strlen(file.path)) && strstr(error.text, within);

    if (!is)
        printf("said:   %s\nwanted: %s\n", error.text, within);
    return is;
}

TEST(a_request_sends_and_waits_until_its_answer_has_come)
{
    set_up("local got = ''\n"
           "function d.received(b) got = got .. b end\n"
           "function d.press()\n"
           "  send('press') local by = now() + 300\n"
           "  while got ~= 'done' and wait(by - now()) do end\n"
           "  if got ~= 'done' then silent('nothing but ' .. got) end\n"
           "end");
    puppet->mouthful = 1;
    say("done");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT(heard("press"));
    CU_ASSERT_EQUAL(clock_now(&clock_), 0);
    tear_down();
    set_up("function d.press()\n"
           "  send('press') local by = now() + 300\n"
           "  while wait(by - now()) do end\n"
           "  silent('nothing')\n"
           "end");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(error.text, "emu:puppet0: nothing");
    CU_ASSERT_EQUAL(clock_now(&clock_), 300 * NANOS_PER_MILLI);
    /* It goes on. */
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_TIMEOUT);
    tear_down();
}

TEST(options_and_the_clock_of_the_bench_are_told_to_open)
{
    plug_in();
    clock_advance(&clock_, 1234567);
    CU_ASSERT_EQUAL(
        open_with("function d.open(o) assert(o.a == '1' and o.b == 'x=y' and o.c == '')\n"
                  "assert(now() == 1.234567) wait(2) assert(now() == 3.234567) end",
                  "a=1,b=x=y,c="),
        0);
    tear_down();
    plug_in();
    CU_ASSERT_EQUAL(open_with("", "nonsense"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'nonsense' is no option of a script"));
    tear_down();
}

TEST(timers_run_in_the_order_of_their_times_and_can_be_cancelled)
{
    set_up("function d.open()\n"
           "  local gone = after(15, function() send('x') end)\n"
           "  after(20, function() send('b') after(0, function() send('c') end) end)\n"
           "  after(10, function() send('a') event{'button'} end)\n"
           "  after(20, function() send('d') event{'test-mode', on = true} end)\n"
           "  cancel(gone) cancel(99)\n"
           "end");
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_BUTTON);
    CU_ASSERT_EQUAL(event.time, 10 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(event.time, 20 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(next(), 0);
    CU_ASSERT(heard("abdc"));
    tear_down();
    set_up("function d.press() for i = 1, 65 do after(1, function() end) end end");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_RIG);
    CU_ASSERT(is_said("after: 64 functions wait already"));
    tear_down();
}

/* What each says in a request: the code, its refusal and the sentence. */
TEST(a_request_is_ended_by_what_the_machine_does_whatever_pcall_is_around_it)
{
    static const struct {
        const char *lines;
        int status;
        unsigned refusal;
        const char *text;
    } tried[] = {
        {"refuse(4, 'not now')", ERROR_DEVICE, 4,
         "emu:puppet0: the shuffler refuses press: not now"},
        {"refuse(4, 'not now', 'BUTTON')", ERROR_DEVICE, 4,
         "emu:puppet0: the shuffler refuses BUTTON: not now"},
        {"wrong('two and two are five')", ERROR_DEVICE, 0, "emu:puppet0: two and two are five"},
        {"silent('asleep')", ERROR_TIMEOUT, 0, "emu:puppet0: asleep"},
        {"cannot('no such thing')", ERROR_CONFIG, 0, "emu:puppet0: no such thing"},
        {"pcall(wrong, 'caught?')", ERROR_DEVICE, 0, "emu:puppet0: caught?"},
        {"pcall(function() pcall(refuse, 7, 'x') end) send('never')", ERROR_DEVICE, 7,
         "emu:puppet0: the shuffler refuses press: x"},
        {"local c <close> = setmetatable({}, {__close = function() wait(5) send('never') end}) "
         "wrong('closed')",
         ERROR_DEVICE, 0, "emu:puppet0: closed"},
    };
    char lines[512];

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        snprintf(lines, sizeof lines, "function d.press() %s end", tried[i].lines);
        set_up(lines);
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), tried[i].status);
        CU_ASSERT_EQUAL(device_refusal(&shuffler->device), tried[i].refusal);
        CU_ASSERT_STRING_EQUAL(error.text, tried[i].text);
        CU_ASSERT(heard(""));
        /* The conversation goes on. */
        CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), 0);
        CU_ASSERT_EQUAL(device_refusal(&shuffler->device), 0);
        tear_down();
    }
}

/* An error in a request, in what came, and in a timer. */
TEST(an_error_of_a_script_is_the_benches_and_for_good)
{
    static const struct {
        const char *lines, *text;
    } tried[] = {
        {"function d.press() local x = nil; return x.y end", ":3: attempt to index a nil value"},
        {"function d.press() wait(1) error('late') end", ":3: late"},
        {"function d.press() while true do end end", ":3: it has taken more than 1000000 steps"},
        {"function d.press() while true do wait(0) end end", "steps"},
        {"function d.press() while true do wait(1e-9) end end", "steps"},
        {"function d.press() local s = 'x' while true do s = s .. s end end", "8 MiB of memory"},
        {"function d.received() error('came') end function d.press() wait(10) end", ":3: came"},
        {"function d.received() while true do end end function d.press() wait(10) end", "steps"},
        {"function d.press() after(1, function() error('rang') end) wait(10) wait(10) end",
         ":3: rang"},
        {"function d.received() wait(1) end function d.press() wait(10) end",
         ":3: only open(), reopened() and requests may wait"},
        {"function d.received() wrong('x') end function d.press() wait(10) end",
         ":3: wrong() ends a request, and this is none"},
        {"function d.press() after(1, function() refuse(1, 'x') end) wait(10) wait(10) end",
         ":3: refuse() ends a request, and this is none"},
        {"function d.press() table.sort({2, 1}, function() wait(1) return true end) end",
         "attempt to yield across a C-call boundary"},
        {"function d.press() send(print) end", ":3: bad argument #1 to 'send'"},
        {"function d.press() wait() end", ":3: bad argument #1 to 'wait'"},
        {"function d.press() count('sheep') end", "invalid option 'sheep'"},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        char first[ERROR_TEXT_SIZE];

        set_up(tried[i].lines);
        say("!");
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_RIG);
        CU_ASSERT(is_said(tried[i].text));
        strcpy(first, error.text);
        CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), ERROR_RIG);
        CU_ASSERT_STRING_EQUAL(error.text, first);
        event.kind = SHUFFLER_EVENT_SHUFFLED;
        while (next() > 0)
            CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_BUTTON);
        tear_down();
    }
}

TEST(a_request_that_never_returns_is_a_timeout_after_a_minute)
{
    set_up("function d.press() while true do wait(1000) end end");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "press() has not returned for 60 s"));
    CU_ASSERT_EQUAL(clock_now(&clock_), 60 * NANOS_PER_SECOND);
    tear_down();
    set_up("function d.press() wait(1e9) wait(1e9) end");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(clock_now(&clock_), 60 * NANOS_PER_SECOND);
    tear_down();
}

TEST(what_only_a_script_can_do_wrong_with_an_event_is_its_error)
{
    static const struct {
        const char *event, *text;
    } tried[] = {
        {"event{'card', card = 'As'}", "'card' is no event of a shuffler; its events are shuffled, "
                                       "packet-present, packet-taken, fault, cleared, test-mode, "
                                       "power-up, button, wrong"},
        {"event()", "bad argument #1 to 'event'"},
        {"event{}", "its kind comes first"},
        {"event{kind = 'fault'}", "its kind comes first"},
        {"event{3}", "its kind comes first"},
        {"event{'shuffled'}", "event 'shuffled': 'number' is missing"},
        {"event{'shuffled', number = '3'}", "'number' is '3'; it must be a whole number"},
        {"event{'shuffled', number = 1, loaded = 1}", "'loaded' is 1; it must be true or false"},
        {"event{'shuffled', number = 1, load = true}",
         "event 'shuffled': there is no field 'load'; the fields are test_mode, number, loaded"},
        {"event{'shuffled', 7, number = 1}", "there is no field '?'"},
        {"event{'packet-present', index = 0}", "'cards' is missing; it must be a list or a text"},
        {"event{'packet-present', index = 0, cards = {'As', 3}}", "'cards' has 3 in place 2"},
        {"event{'test-mode'}", "'on' is missing"},
        {"event{'wrong'}", "'text' is missing; it must be a text"},
        {"event{'wrong', text = {}}", "'text' is a table"},
    };
    char lines[512];

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        snprintf(lines, sizeof lines, "function d.received()\n %s end", tried[i].event);
        set_up(lines);
        say("!");
        CU_ASSERT_EQUAL(next(), ERROR_RIG);
        CU_ASSERT(is_said(tried[i].text));
        CU_ASSERT(is_said(":4: "));
        tear_down();
    }
}

/* The next event, whatever came before it. */
static int next_after_good_ones(void)
{
    int status;

    while ((status = next()) > 0)
        continue;
    return status;
}

TEST(a_value_that_cannot_be_is_the_devices_and_the_script_goes_on)
{
    static const struct {
        const char *event, *text;
    } tried[] = {
        {"event{'shuffled', number = 1.5}", "'number' is 1.5"},
        {"event{'shuffled', number = -1}", "'number' is -1; it must be a whole number from 0 to "
                                           "65535"},
        {"event{'packet-present', index = 0, cards = 'As 1z'}", "'cards' is 'As 1z'"},
        {"event{'packet-present', index = 0, cards = {'As', 'XX'}}",
         "'cards' has 'XX' in place 2, which is no card"},
        {"event{'packet-present', index = 0, cards = 'As Kd As'}", "'cards' has As twice"},
        {"event{'packet-present', index = 0, cards = ''}", "it has no cards"},
        {"event{'packet-present', index = 52, cards = 'As'}", "'index' is 52"},
        {"event{'shuffled', number = 1} event{'packet-present', index = 1, cards = 'As'}",
         "event 'packet-present': 'index' is 1 after 0 were present and 0 taken"},
        {"event{'packet-present', index = 0, cards = 'As'} event{'packet-present', index = 1, "
         "cards "
         "= 'Kd'}",
         "'index' is 1 after 1 were present and 0 taken"},
        {"event{'shuffled', number = 1} event{'packet-taken', index = 0}",
         "event 'packet-taken': 'index' is 0 after 0 were present and 0 taken"},
        {"event{'fault', code = 'fire'}",
         "event 'fault': 'code' is 'fire'; it must be one of jam, misread,"},
        {"event{'fault', code = ''}", "'code' is ''"},
        {"event{'fault', code = 'jam', detail = 256}", "'detail' is 256"},
        {"event{'power-up', state = 'asleep', presented = 0, taken = 0}", "'state' is 'asleep'"},
        {"event{'packet-present', index = 0, cards = ('As '):rep(53)}", "'cards' is 'As As"},
        {"event{'shuffled', number = 2} event{'shuffled', number = 4}",
         "event 'shuffled': 'number' is 4 after shuffle 2"},
        {"event{'shuffled', number = 65535} event{'shuffled', number = 0} event{'shuffled', number "
         "= 0}",
         "event 'shuffled': 'number' is 0 after shuffle 0"},
        {"for i = 1, 65 do event{'button'} end", "it tells of more than 64 events before one"},
    };
    char lines[512];

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        snprintf(lines, sizeof lines,
                 "local said function d.received() if said then event{'button'} return end said = "
                 "true\n %s end",
                 tried[i].event);
        set_up(lines);
        say("!");
        CU_ASSERT_EQUAL(next_after_good_ones(), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, tried[i].text));
        if (!strstr(error.text, tried[i].text))
            printf("said:   %s\nwanted: %s\n", error.text, tried[i].text);
        say("!");
        CU_ASSERT_EQUAL(next(), 1);
        CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_BUTTON);
        tear_down();
    }
}

TEST(every_shuffle_that_is_misnumbered_is_told)
{
    set_up("local n = 0 function d.received() n = n + 2 event{'shuffled', number = n} end");
    say("!");
    CU_ASSERT_EQUAL(next(), 1);
    for (int i = 0; i < 3; i++) {
        say("!");
        CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    }
    tear_down();
    /* A deck that was refused may have had a number, and so may one whose power was lost. */
    set_up("function d.received() event{'shuffled', number = 1} event{'fault', code = "
           "'missing-card'}\n"
           "event{'shuffled', number = 3} event{'power-up', state = 'idle', presented = 0, taken = "
           "0}\n"
           "event{'shuffled', number = 5} end");
    say("!");
    CU_ASSERT_EQUAL(next_after_good_ones(), 0);
    tear_down();
}

TEST(events_are_taken_in_their_order_with_what_is_wrong_among_them)
{
    set_up("function d.received()\n"
           "  event{'shuffled', number = 3, loaded = true}\n"
           "  event{'packet-present', index = 0, cards = {'As', 'Td'}}\n"
           "  event{'wrong', text = 'it \\1 stutters'}\n"
           "  event{'packet-taken', index = 5}\n"
           "  event{'power-up', state = 'error', fault = 'jam', presented = 2, taken = 1}\n"
           "  assert(waiting() == 5)\n"
           "end");
    say("!");
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.shuffled.number, 3);
    CU_ASSERT_TRUE(event.shuffled.loaded);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.packet.size, 2);
    CU_ASSERT_EQUAL(event.packet.programmed, 0);
    CU_ASSERT_EQUAL(event.packet.cards[1], card_make(RANK_TEN, SUIT_DIAMONDS));
    CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(error.text, "emu:puppet0: it ? stutters");
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.taken, 5);
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_EQUAL(event.power.state, SHUFFLER_ERROR);
    CU_ASSERT_EQUAL(event.power.error, SHUFFLER_JAM);
    CU_ASSERT_EQUAL(next(), 0);
    tear_down();
}

TEST(a_script_with_a_test_mode_must_say_which_mode_it_is)
{
    set_up("function d.test_mode() end function d.received() event{'shuffled', number = 1} end");
    say("!");
    CU_ASSERT_EQUAL(next(), ERROR_RIG);
    CU_ASSERT(is_said("event 'shuffled': 'test_mode' is missing; it must be true or false"));
    tear_down();
}

TEST(a_machine_that_does_not_know_its_cards_tells_packets_without_them)
{
    set_up("d.tells_cards = false\n"
           "function d.received() event{'packet-present', index = 0} end");
    CU_ASSERT_FALSE(device_can(&shuffler->device, DEVICE_TELLS_CARDS));
    say("!");
    CU_ASSERT_EQUAL(next(), 1);
    CU_ASSERT_TRUE(event.packet.is_unknown);
    CU_ASSERT_EQUAL(event.packet.size, 0);
    tear_down();
    set_up("d.tells_cards = false\n"
           "function d.received() event{'packet-present', index = 0, cards = 'As'} end");
    say("!");
    CU_ASSERT_EQUAL(next(), ERROR_RIG);
    CU_ASSERT(is_said("there is no field 'cards'"));
    tear_down();
}

#define STATUS "state = 'idle', presented = 0, taken = 0, left = 52, shuffle = 0, packets = 0"

TEST(what_a_request_returns_is_checked)
{
    static const struct {
        const char *lines, *text;
    } tried[] =
        {
            {"return", "status(): it returns nothing where it must return a table"},
            {"return 3", "status(): it returns number where"},
            {"return {}", "status(): 'state' is missing"},
            {"return {" STATUS ", colour = 1}", "status(): there is no field 'colour'"},
        },
      lies[] = {
          {"return {" STATUS ", left = 53}", "status(): 'left' is 53"},
          {"return {" STATUS ", fault = 'x'}", "status(): 'fault' is 'x'"},
      };
    char lines[512];
    struct shuffler_status status;

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        snprintf(lines, sizeof lines, "function d.status() %s end", tried[i].lines);
        set_up(lines);
        CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), ERROR_RIG);
        CU_ASSERT(is_said(tried[i].text));
        tear_down();
    }
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(lines, sizeof lines, "function d.status() %s end", lies[i].lines);
        set_up(lines);
        CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, lies[i].text));
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
        tear_down();
    }
    set_up("function d.status() return {" STATUS "} end");
    CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
    CU_ASSERT_EQUAL(status.left, 52);
    CU_ASSERT_FALSE(status.test_mode);
    tear_down();
}

static int ask_log(struct log_entry entries[LOG_REPLY_MAX], unsigned *count, uint32_t *total)
{
    return device_log(&shuffler->device, 3, entries, count, total, &error);
}

TEST(a_log_and_an_identity_are_checked)
{
    static const struct {
        const char *lines, *text;
    } tried[] =
        {
            {"return {}", "how many there ever were"},
            {"return {1}, 9", "entry 1 is a number"},
            {"local t = {} for i = 1, 15 do t[i] = {} end return t, 99", "at most 14 entries"},
        },
      lies[] = {
          {"return {{number = 3, millis = 1, code = 'jam'}}, 9", "'code' is 'jam'"},
          {"return {{number = 4, millis = 1, code = 'fault'}, {number = 6, millis = 1, code = "
           "'fault'}}, 9",
           "log(): from entry 3 on it has entry 6 in place 2, and 9 in all"},
          {"return {{number = 2, millis = 1, code = 'fault'}}, 9", "entry 2 in place 1"},
          {"return {{number = 9, millis = 1, code = 'fault'}}, 9", "entry 9 in place 1"},
      };
    struct log_entry entries[LOG_REPLY_MAX];
    struct wire_identity identity;
    char lines[512];
    unsigned count;
    uint32_t total;

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        snprintf(lines, sizeof lines, "function d.log() %s end", tried[i].lines);
        set_up(lines);
        CU_ASSERT_EQUAL(ask_log(entries, &count, &total), ERROR_RIG);
        CU_ASSERT(is_said(tried[i].text));
        tear_down();
    }
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        snprintf(lines, sizeof lines, "function d.log() %s end", lies[i].lines);
        set_up(lines);
        CU_ASSERT_EQUAL(ask_log(entries, &count, &total), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, lies[i].text));
        tear_down();
    }
    set_up("function d.log(first) assert(first == 3) return {{number = 3, millis = 77, code = "
           "'packet-present', detail = 2, value = 4}}, 4 end\n"
           "function d.identity() return {model = 'M', serial = 'S', firmware = '1', digest = "
           "('0f'):rep(32)} end");
    CU_ASSERT_EQUAL(ask_log(entries, &count, &total), 0);
    CU_ASSERT_EQUAL(count, 1);
    CU_ASSERT_EQUAL(total, 4);
    CU_ASSERT_EQUAL(entries[0].code, SHUFFLER_LOG_PRESENT);
    CU_ASSERT_EQUAL(entries[0].value, 4);
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.serial, "S");
    CU_ASSERT_EQUAL(identity.digest[31], 0x0f);
    tear_down();
    set_up("function d.identity() return {model = 'M', serial = 'S', firmware = '1', digest = 'x'} "
           "end");
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "32 bytes or 64 hexadecimal digits"));
    tear_down();
    set_up("function d.identity() return {model = ('M'):rep(33), serial = '\\27S', firmware = '1'} "
           "end function d.press() refuse(999, 'x') end");
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'model' is 'MMM"));
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "emu:puppet0: it refuses press() with code 999; a refusal is "
                           "a number from 1 to 255");
    tear_down();
}

TEST(what_a_script_has_not_people_do)
{
    const struct shuffler_program program = {.count = 1, .sizes = {4}};
    struct wire_identity identity;

    set_up("d.program = nil d.return_deck = nil d.clear_error = nil");
    CU_ASSERT_EQUAL(shuffler->device.capabilities, DEVICE_TELLS_CARDS);
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &program, &error), 0);
    CU_ASSERT_EQUAL(shuffler_return_deck(shuffler, &error), 0);
    CU_ASSERT_EQUAL(shuffler_clear_error(shuffler, SHUFFLER_JAM, &error), 0);
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, true, &error), ERROR_CONFIG);
    tear_down();
}

TEST(a_table_that_is_not_a_scripts_is_refused_before_anything_is_opened)
{
    static const struct {
        const char *lines, *text;
    } tried[] = {
        {"d.class = nil", "it does not say its 'class', as in class = \"shuffler\""},
        {"d.class = 'shoe'", "its class is 'shoe'; it must be \"shuffler\" here"},
        {"d.class = 'toaster'", "there is no class 'toaster'"},
        {"d.received = nil", "it has no function 'received'"},
        {"d.shuffle = nil", "it has no function 'shuffle', which a shuffler needs"},
        {"d.press = 3", "'press' is a number; it must be a function"},
        {"d.schuffle = print", "a script of a shuffler has no 'schuffle'"},
        {"d.lock = print", "a script of a shuffler has no 'lock'"},
        {"d[1] = print", "a script of a shuffler has no '?'"},
        {"d.load_order = print", "it has load_order() and no test_mode()"},
        {"d.tells_cards = 'no'", "'tells_cards' is true or false"},
        {"send('x')", ":3: send() has no place before open()"},
        {"wait(1)", ":3: wait() has no place before open()"},
        {"event{'button'}", ":3: event() has no place before open()"},
        {"after(1, print)", ":3: after() has no place before open()"},
        {"now()", ":3: now() has no place before open()"},
        {"refuse(1, 'x')", ":3: refuse() ends a request"},
        {"do return 7 end", "it returns number"},
        {"do return setmetatable({}, {__index = d}) end", "it does not say its 'class'"},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        plug_in();
        CU_ASSERT_EQUAL(open_with(tried[i].lines, ""), ERROR_CONFIG);
        CU_ASSERT(is_said(tried[i].text));
        CU_ASSERT_PTR_NULL(shuffler);
        CU_ASSERT(heard(""));
        tear_down();
    }
}

TEST(an_error_in_open_is_the_benches)
{
    plug_in();
    CU_ASSERT_EQUAL(open_with("function d.open() error('no') end", ""), ERROR_RIG);
    CU_ASSERT(is_said(":3: no"));
    tear_down();
    plug_in();
    CU_ASSERT_EQUAL(open_with("function d.open() wait(5) silent('mute') end", ""), ERROR_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(error.text, "emu:puppet0: mute");
    tear_down();
}

TEST(a_device_that_is_gone_ends_a_request_and_a_cancellation_does)
{
    set_up("function d.press() send('x') wait(100) end function d.shuffle() wait(100) end");
    puppet_unplug(puppet);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "gone"));
    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    tear_down();
    set_up("function d.press() while true do wait(100) end end");
    hal_cancel(&hal);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(next(), ERROR_ABORTED);
    hal_resume(&hal);
    CU_ASSERT_EQUAL(next(), 0);
    tear_down();
}

TEST(a_cancellation_ends_whatever_a_script_does)
{
    static const char *const lines[] = {
        "function d.press() while true do end end",
        "function d.press() while true do pcall(function() while true do end end) end end",
        "function d.press() local function f() after(0, f) end f() while true do wait(1) end end",
        "function d.press() after(0, function() while true do end end) wait(1) wait(1) end"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        set_up(lines[i]);
        hal_cancel(&hal);
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_ABORTED);
        tear_down();
    }
}

TEST(timers_without_end_are_ended_however_short_they_are)
{
    static const char *const lines[] = {
        "function d.press() local function f() after(0, f) end f() while true do wait(5000) end "
        "end",
        "function d.press() local function f() after(0.0001, f) end f() while true do wait(5000) "
        "end end",
        "function d.press() local function f() for i = 1, 2e5 do end after(1, f) end f() while "
        "true do wait(5000) end end"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        set_up(lines[i]);
        CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_RIG);
        CU_ASSERT(is_said("it takes more than 20000000 steps in a second of the bench"));
        tear_down();
    }
    /* One that has time is called as long as it likes. */
    set_up("function d.press() local n = 0 local function f() n = n + 1 after(1, f) end f()\n"
           "while n < 20000 do wait(5000) end end");
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    tear_down();
}

TEST(a_link_that_came_back_is_told_before_anything_is_asked)
{
    const struct reopen_policy policy = {
        .first = NANOS_PER_MILLI, .longest = NANOS_PER_MILLI, .tries = 5};

    set_up("function d.reopened() send('hello') wait(3) end function d.press() send('press') end\n"
           "function d.shuffle() assert(not wait(50)) send('again') end");
    CU_ASSERT_EQUAL(link_reopen(wire, &policy, &error), 0);
    puppet_unplug(puppet);
    puppet->is_away = false;
    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), 0);
    CU_ASSERT(heard("again"));
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT(heard("hellopress"));
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT(heard("press"));
    tear_down();
}

TEST(bytes_that_are_there_go_before_a_timer_that_is_due)
{
    set_up("local late = true\n"
           "function d.open() after(10, function() send(late and 'late' or 'in time') end) end\n"
           "function d.received() late = false end");
    say("!");
    clock_advance(&clock_, 20 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(next(), 0);
    CU_ASSERT(heard("in time"));
    tear_down();
}

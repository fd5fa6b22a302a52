#include "rigs/run/events.h"

#include "games/money.h"
#include "hal/base/json_text.h"

#define DETAILS_SIZE 4096

/* Details on their way into a line; they end with a NUL. */
struct details {
    struct json_text text;
    char buffer[DETAILS_SIZE];
};

static struct json_text *begin(struct details *details)
{
    json_text_begin(&details->text, details->buffer, sizeof details->buffer - 1);
    return &details->text;
}

static void tell(struct run *run, const char *device, const char *name, struct details *details,
                 nanos_t time)
{
    *details->text.at = '\0';
    run_event(run, device, name, details->text.full ? NULL : details->buffer, time);
}

static void tell_number(struct run *run, const char *device, const char *name, uint64_t number,
                        nanos_t time)
{
    struct details details;

    json_text_unsigned(begin(&details), number);
    tell(run, device, name, &details, time);
}

static void tell_text(struct run *run, const char *device, const char *name, const char *words,
                      nanos_t time)
{
    struct details details;

    json_text_string(begin(&details), words);
    tell(run, device, name, &details, time);
}

static const char *truth(bool is_so)
{
    return is_so ? "true" : "false";
}

#define NUMBER(text, key, value)                                                                   \
    do {                                                                                           \
        JSON_TEXT_PUT(text, key);                                                                  \
        json_text_unsigned(text, value);                                                           \
    } while (0)
#define STRING(text, key, value)                                                                   \
    do {                                                                                           \
        JSON_TEXT_PUT(text, key);                                                                  \
        json_text_string(text, value);                                                             \
    } while (0)

static void tell_shuffled(struct run *run, const struct shuffler_event *event)
{
    struct details details;
    struct json_text *text = begin(&details);

    NUMBER(text, "{\"shuffle\":", event->shuffled.number);
    JSON_TEXT_PUT(text, ",\"loaded\":");
    json_text_raw(text, truth(event->shuffled.loaded), strlen(truth(event->shuffled.loaded)));
    JSON_TEXT_PUT(text, "}");
    tell(run, "shuffler", "shuffled", &details, event->time);
}

static void tell_packet(struct run *run, const struct shuffler_event *event)
{
    char cards[RUN_CARDS_TEXT];
    struct details details;
    struct json_text *text = begin(&details);

    run_cards_text(event->packet.cards, event->packet.size, cards);
    NUMBER(text, "{\"packet\":", event->packet.index + 1u);
    JSON_TEXT_PUT(text, ",\"cards\":");
    json_text_raw(text, cards, strlen(cards));
    JSON_TEXT_PUT(text, "}");
    tell(run, "shuffler", "packet-present", &details, event->time);
}

void run_tell_shuffler(struct run *run, const struct shuffler_event *event)
{
    static const char device[] = "shuffler";

    if (!run->journal)
        return;
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        tell_shuffled(run, event);
        break;
    case SHUFFLER_EVENT_PRESENT:
        tell_packet(run, event);
        break;
    case SHUFFLER_EVENT_TAKEN:
        tell_number(run, device, "packet-taken", event->taken + 1u, event->time);
        break;
    case SHUFFLER_EVENT_FAULT:
        tell_text(run, device, "fault", shuffler_fault_text(event->fault.code), event->time);
        break;
    case SHUFFLER_EVENT_CLEARED:
        tell_text(run, device, "cleared", shuffler_fault_text(event->fault.code), event->time);
        break;
    case SHUFFLER_EVENT_TEST_MODE:
        run_event(run, device, "test-mode", truth(event->test_mode), event->time);
        break;
    case SHUFFLER_EVENT_POWER_UP:
        tell_text(run, device, "power-up", shuffler_state_text(event->power.state), event->time);
        break;
    case SHUFFLER_EVENT_BUTTON:
        tell_number(run, device, "button", event->button, event->time);
        break;
    }
}

static void tell_setting(struct run *run, const struct shoe_event *event)
{
    struct details details;
    struct json_text *text = begin(&details);

    STRING(text, "{\"address\":", event->setting.address);
    STRING(text, ",\"value\":", event->setting.value);
    JSON_TEXT_PUT(text, "}");
    tell(run, "shoe", "setting", &details, event->time);
}

void run_tell_shoe(struct run *run, const struct shoe_event *event)
{
    static const char device[] = "shoe";
    char card[RUN_CARDS_TEXT];

    if (!run->journal)
        return;
    switch (event->kind) {
    case SHOE_EVENT_STARTED:
        run_event(run, device, "started", NULL, event->time);
        break;
    case SHOE_EVENT_STAND_BY:
        run_event(run, device, "stand-by", NULL, event->time);
        break;
    case SHOE_EVENT_CARD:
        run_event(run, device, event->card.resent ? "card-again" : "card",
                  run_cards_text(&event->card.card, 1, card), event->time);
        break;
    case SHOE_EVENT_CUT_CARD:
        run_event(run, device, "cut-card", NULL, event->time);
        break;
    case SHOE_EVENT_FAULT:
        tell_text(run, device, "fault", event->fault.text, event->time);
        break;
    case SHOE_EVENT_CLEARED:
        tell_text(run, device, "cleared", event->fault.text, event->time);
        break;
    case SHOE_EVENT_LOCK:
        run_event(run, device, "locked", truth(event->is_locked), event->time);
        break;
    case SHOE_EVENT_TEST_MODE:
        run_event(run, device, "test-mode", truth(event->is_on), event->time);
        break;
    case SHOE_EVENT_SETTING:
        tell_setting(run, event);
        break;
    case SHOE_EVENT_RESULT:
        tell_number(run, device, "result", event->result, event->time);
        break;
    }
}

static const char *state_name(enum terminal_state state)
{
    static const char *const names[TERMINAL_STATES] = {
        [TERMINAL_IDLE] = "idle",       [TERMINAL_OPEN] = "open",
        [TERMINAL_CHOOSE] = "choose",   [TERMINAL_PENDING] = "pending",
        [TERMINAL_CONFIRM] = "confirm", [TERMINAL_CODE_ENTRY] = "code-entry",
        [TERMINAL_AMOUNT] = "amount",   [TERMINAL_SIGNED] = "signed"};

    return state < TERMINAL_STATES && names[state] ? names[state] : "unknown";
}

static const char *hand_name(const struct run *run, unsigned hand)
{
    return hand < run->recording.terminal.hand_count ? run->recording.terminal.hands[hand].name
                                                     : NULL;
}

static void tell_screen(struct run *run, const struct terminal_event *event, const char *name)
{
    const struct terminal_screen *screen = &event->screen;
    struct details details;
    struct json_text *text = begin(&details);

    STRING(text, "{\"state\":", state_name(screen->state));
    if (screen->seat)
        NUMBER(text, ",\"seat\":", screen->seat);
    if (hand_name(run, screen->hand))
        STRING(text, ",\"hand\":", hand_name(run, screen->hand));
    if (screen->amount_shown)
        NUMBER(text, ",\"cents\":", screen->cents);
    if (screen->wrong_codes)
        NUMBER(text, ",\"wrong-codes\":", screen->wrong_codes);
    JSON_TEXT_PUT(text, "}");
    tell(run, "terminal", name, &details, event->time);
}

static void put_seats(struct json_text *text, unsigned seats)
{
    const char *separator = "[";

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat)) {
            json_text_raw(text, separator, 1);
            json_text_unsigned(text, seat);
            separator = ",";
        }
    if (*separator == '[')
        JSON_TEXT_PUT(text, "[");
    JSON_TEXT_PUT(text, "]");
}

static void tell_lights(struct run *run, const struct terminal_event *event)
{
    struct details details;

    put_seats(begin(&details), event->lights);
    tell(run, "terminal", "lights", &details, event->time);
}

static void tell_meters(struct run *run, const struct terminal_event *event)
{
    const struct terminal_meters *meters = &event->meters;
    struct details details;
    struct json_text *text = begin(&details);

    JSON_TEXT_PUT(text, "{");
    for (unsigned i = 0; i < meters->count; i++) {
        char value[MICROS_TEXT_SIZE];

        if (i)
            JSON_TEXT_PUT(text, ",");
        json_text_string(text, meters->meter[i].name);
        micros_format((micros_t)meters->meter[i].micros, value);
        STRING(text, ":", value);
    }
    JSON_TEXT_PUT(text, "}");
    tell(run, "terminal", "meters", &details, event->time);
}

static void tell_award(struct run *run, const struct terminal_event *event, const char *name)
{
    const struct terminal_award *award = &event->award;
    struct details details;
    struct json_text *text = begin(&details);

    NUMBER(text, "{\"seat\":", award->seat);
    if (hand_name(run, award->hand))
        STRING(text, ",\"hand\":", hand_name(run, award->hand));
    if (award->meter < run->recording.meters.count)
        STRING(text, ",\"meter\":", run->recording.meters.meter[award->meter].name);
    NUMBER(text, ",\"pays\":", award->cents);
    JSON_TEXT_PUT(text, "}");
    tell(run, "terminal", name, &details, event->time);
}

static void tell_sign(struct run *run, const struct terminal_event *event)
{
    struct details details;
    struct json_text *text = begin(&details);

    JSON_TEXT_PUT(text, "{");
    if (event->sign.seat) {
        NUMBER(text, "\"seat\":", event->sign.seat);
        NUMBER(text, ",\"pays\":", event->sign.cents);
    }
    JSON_TEXT_PUT(text, "}");
    tell(run, "terminal", "sign", &details, event->time);
}

static void tell_refusal(struct run *run, const struct terminal_event *event)
{
    const struct terminal_press press = {.key = event->refused.key, .hand = TERMINAL_NONE};
    char key[TERMINAL_KEY_TEXT];
    struct details details;
    struct json_text *text = begin(&details);

    STRING(text, "{\"key\":", terminal_key_name(&press, &run->recording.terminal, key));
    STRING(text, ",\"why\":", terminal_refusal_text(event->refused.reason));
    JSON_TEXT_PUT(text, "}");
    tell(run, "terminal", "refused", &details, event->time);
}

void run_tell_terminal(struct run *run, const struct terminal_event *event)
{
    if (!run->journal)
        return;
    switch (event->kind) {
    case TERMINAL_EVENT_SCREEN:
        tell_screen(run, event, "screen");
        break;
    case TERMINAL_EVENT_LIGHTS:
        tell_lights(run, event);
        break;
    case TERMINAL_EVENT_METERS:
        tell_meters(run, event);
        break;
    case TERMINAL_EVENT_JACKPOT:
        tell_award(run, event, "jackpot-paid");
        break;
    case TERMINAL_EVENT_MUST_HIT:
        tell_award(run, event, "must-hit");
        break;
    case TERMINAL_EVENT_SIGN:
        tell_sign(run, event);
        break;
    case TERMINAL_EVENT_REFUSED:
        tell_refusal(run, event);
        break;
    case TERMINAL_EVENT_POWER_UP:
        tell_screen(run, event, "power-up");
        break;
    case TERMINAL_EVENT_TEST_MODE:
        run_event(run, "terminal", "test-mode", truth(event->test_mode), event->time);
        break;
    }
}

void run_tell_key(struct run *run, const struct terminal_press *key, int refusal)
{
    char name[TERMINAL_KEY_TEXT];
    struct details details;

    if (!run->journal)
        return;
    json_text_string(begin(&details), terminal_key_name(key, &run->recording.terminal, name));
    tell(run, "terminal", refusal ? "key-refused" : "key", &details, clock_now(&run->bench->clock));
}

void run_tell_edge(struct run *run, struct run_edges *held, const struct bet_event *event)
{
    struct details details;

    if (!run->journal)
        return;
    if (event && event->kind == held->kind && event->time == held->time) {
        held->seats |= seat_bit(event->seat);
        return;
    }
    if (held->kind != BET_EVENT_NONE) {
        put_seats(begin(&details), held->seats);
        tell(run, "sensors", bet_event_text(held->kind), &details, held->time);
    }
    *held = event ? (struct run_edges){event->kind, event->time, seat_bit(event->seat)}
                  : (struct run_edges){.kind = BET_EVENT_NONE};
}

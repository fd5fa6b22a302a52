/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of the contract of scripts (devices/scripts/contract.h), one function each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/scripts/stage.h"

#define SEEDS      12   /* of noise and of bad lines */
#define DAMAGE     3000 /* bytes in a million, of each kind */
#define MILLION    1000000
#define POWER_LAST 9 /* events before which the power goes, one after the other */
#define LOG_PAGES  50

static const struct stage_class *const classes[] = {&stage_shuffler, &stage_shoe};
#define CLASSES (sizeof classes / sizeof classes[0])

/* A failure that no device can bring about. */
static bool is_own(int status)
{
    return status == ERROR_RIG || status == ERROR_CONFIG;
}

/* Opens the model and plays; a device that fails is a rule that is broken. */
static bool play_on(struct stage *stage, const struct link_faults *faults, struct stage_play *play)
{
    int status = stage_open(stage, NULL, faults);

    if (!status)
        status = stage->class->play(stage, play);
    stage_close(stage);
    return !status;
}

static bool opens(struct stage *stage)
{
    int status = stage_open(stage, NULL, NULL);

    stage_close(stage);
    return !status;
}

static bool tells_identity(struct stage *stage)
{
    struct wire_identity first, again;
    int status;

    if (!(stage->capabilities & DEVICE_TELLS_IDENTITY))
        return stage_skip(stage, "the script has no identity()");
    status = stage_open(stage, NULL, NULL);
    if (!status)
        status = device_identity(stage->device, &first, &stage->error);
    if (!status)
        status = device_identity(stage->device, &again, &stage->error);
    stage_close(stage);
    if (!status && memcmp(&first, &again, sizeof first) != 0)
        return stage_fail(stage, "it says another identity the second time");
    return !status;
}

static bool tells_status(struct stage *stage)
{
    bool is_on = false;
    int status;

    if (!(stage->capabilities & DEVICE_TELLS_STATUS))
        return stage_skip(stage, "the script has no status()");
    status = stage_open(stage, NULL, NULL);
    if (!status)
        status = device_ask_test_mode(stage->device, &is_on, &stage->error);
    stage_close(stage);
    if (!status && is_on)
        return stage_fail(stage, "a device that nobody put into test mode says that it is");
    return !status;
}

static bool plays(struct stage *stage)
{
    struct stage_play play = {0};

    return play_on(stage, NULL, &play);
}

/* All that a play has left in the log, from the first entry on. */
static int read_log(struct stage *stage)
{
    struct log_entry entries[LOG_REPLY_MAX];
    uint32_t next = 0, total = 1;
    unsigned count;

    for (unsigned page = 0; page < LOG_PAGES && next < total; page++) {
        int status = device_log(stage->device, next, entries, &count, &total, &stage->error);

        if (status)
            return status;
        if (!count && next < total)
            return error_set(&stage->error, ERROR_RULE, "log(%u) gives no entry, and there are %u",
                             (unsigned)next, (unsigned)total);
        next = count ? entries[count - 1].number + 1 : total;
    }
    return 0;
}

static bool keeps_log(struct stage *stage)
{
    struct stage_play play = {0};
    int status;

    if (!(stage->capabilities & DEVICE_KEEPS_LOG))
        return stage_skip(stage, "the script has no log()");
    status = stage_open(stage, NULL, NULL);
    if (!status)
        status = stage->class->play(stage, &play);
    if (!status)
        status = read_log(stage);
    stage_close(stage);
    return !status;
}

static bool is_refused(struct stage *stage)
{
    int status;
    unsigned refusal = 0;

    if (!stage->class->refused)
        return stage_skip(stage, "nothing is known that such a device must refuse");
    status = stage_open(stage, NULL, NULL);
    if (!status) {
        status = stage->class->refused(stage);
        refusal = device_refusal(stage->device);
    }
    stage_close(stage);
    if (status == ERROR_DEVICE && refusal)
        return true;
    return status ? false
                  : stage_fail(stage, "%s: the device does it, or the script says so",
                               stage->class->forbidden);
}

/* The rest of a round is as if nothing had been. */
static bool mends_fault(struct stage *stage)
{
    struct stage_play play = {0};
    int status = stage_open(stage, NULL, NULL);
    bool has_shown = false;

    if (!status && stage->kind->fault(stage->model, stage->class->fault, &stage->error)) {
        stage_close(stage);
        return stage_skip(stage, "the model has no fault %s", stage->class->fault);
    }
    if (!status) {
        status = stage->class->play(stage, &play);
        has_shown = stage->kind->has_shown(stage->model);
    }
    stage_close(stage);
    return !status && !has_shown
               ? stage_skip(stage, "the fault %s has made no difference", stage->class->fault)
               : !status;
}

/* What the device says falsely is not the script's error, and is found. */
static bool tells_lie(struct stage *stage)
{
    struct stage_play play = {0};
    int status = stage_open(stage, NULL, NULL);
    bool has_shown = false;

    if (!status && (!stage->class->lie ||
                    stage->kind->fault(stage->model, stage->class->lie, &stage->error))) {
        stage_close(stage);
        return stage_skip(stage, "the model has no fault %s",
                          stage->class->lie ? stage->class->lie : "that is a lie");
    }
    if (!status) {
        status = stage->class->play(stage, &play);
        has_shown = stage->kind->has_shown(stage->model);
    }
    stage_close(stage);
    if (!status && has_shown)
        return stage_fail(stage, "the device does %s, and nobody notices", stage->class->lie);
    if (!status)
        return stage_skip(stage, "the fault %s has made no difference", stage->class->lie);
    return !is_own(status);
}

/* Whatever it did to the device, the script must not err. */
static bool survives_power_loss(struct stage *stage)
{
    struct stage_play play;
    int status;

    for (nanos_t at = 1; at <= POWER_LAST; at++) {
        play = (struct stage_play){.power_at = at};
        status = stage_open(stage, NULL, NULL);
        if (!status && (!stage->kind->power_cycle || !script_model_has_power(stage->model))) {
            stage_close(stage);
            return stage_skip(stage, "the model cannot lose its power");
        }
        if (!status)
            status = stage->class->play(stage, &play);
        stage_close(stage);
        if (is_own(status))
            return false;
    }
    return true;
}

static bool takes_split_reads(struct stage *stage)
{
    const struct link_faults split = {.seed = 1, .split = MILLION};
    struct stage_play whole = {0}, pieces = {0};

    if (!play_on(stage, NULL, &whole) || !play_on(stage, &split, &pieces))
        return false;
    if (whole.cards != pieces.cards || whole.events != pieces.events)
        return stage_fail(stage, "what is told differs when every byte comes alone");
    return true;
}

/* A bad line may end a play, but it makes no card. */
static bool survives_bad_line(struct stage *stage)
{
    struct stage_play good = {0};

    if (!play_on(stage, NULL, &good))
        return false;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct link_faults damage = {.seed = seed, .flip = DAMAGE, .drop = DAMAGE};
        struct stage_play play = {0};
        int status = stage_open(stage, NULL, &damage);

        if (!status)
            status = stage->class->play(stage, &play);
        stage_close(stage);
        if (is_own(status) || status == ERROR_RULE)
            return false;
        if (!status && play.cards != good.cards)
            return stage_fail(stage, "a damaged line changes what is dealt, and nobody notices");
    }
    return true;
}

static bool survives_noise(struct stage *stage)
{
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        char address[32];
        int status;

        snprintf(address, sizeof address, "emu:noise?%u", seed);
        status = stage_open(stage, address, NULL);
        if (!status)
            status = stage->class->probe(stage);
        if (!is_own(status) && stage->device)
            status = stage->class->next(stage, clock_deadline(&stage->clock, 5000));
        stage_close(stage);
        if (is_own(status))
            return false;
    }
    return true;
}

static bool ends_silence(struct stage *stage)
{
    int status = stage_open(stage, "emu:silence", NULL);
    nanos_t took;

    if (!status)
        status = stage->class->probe(stage);
    took = clock_now(&stage->clock);
    stage_close(stage);
    if (status == ERROR_TIMEOUT && took < SCRIPT_TIME)
        return true;
    if (status == ERROR_TIMEOUT)
        return stage_fail(stage, "the script waits for ever: it must say silent() in time");
    return status ? false
                  : stage_fail(stage, "nobody is there, and the script says that all is "
                                      "well");
}

static bool tells_loss(struct stage *stage)
{
    static const unsigned cuts[] = {1, 5, 20, 60, 150};

    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        const struct link_faults cut = {.seed = 1, .cut_after = cuts[i]};
        struct stage_play play = {0};
        int status = stage_open(stage, NULL, &cut);

        if (!status)
            status = stage->class->play(stage, &play);
        stage_close(stage);
        if (status != ERROR_DEVICE)
            return status ? false : stage_fail(stage, "the link is gone, and the script goes on");
    }
    return true;
}

static bool can_be_cancelled(struct stage *stage)
{
    int status = stage_open(stage, NULL, NULL), after = ERROR_ABORTED;

    if (status) {
        stage_close(stage);
        return false;
    }
    hal_cancel(&stage->hal);
    status = stage->class->probe(stage);
    /* What was told before is still given. */
    for (unsigned i = 0; i <= SCRIPT_EVENTS && (status == ERROR_ABORTED || status > 0); i++)
        status = stage->class->next(stage, clock_deadline(&stage->clock, 1000));
    hal_resume(&stage->hal);
    after = stage->class->probe(stage);
    /* What was cut off may be under way in the device, which then says so: that is an answer. */
    if (after == ERROR_DEVICE && device_refusal(stage->device))
        after = 0;
    stage_close(stage);
    if (status != ERROR_ABORTED)
        return stage_fail(stage, "a cancellation does not end a request");
    return !after;
}

static bool is_the_same_again(struct stage *stage)
{
    struct stage_play first = {0}, again = {0};

    if (!play_on(stage, NULL, &first) || !play_on(stage, NULL, &again))
        return false;
    if (first.cards != again.cards || first.events != again.events)
        return stage_fail(stage, "two plays with the same seed differ");
    return true;
}

static const struct rule {
    const char *text;
    bool (*try)(struct stage *stage);
} rules[] = {
    {"it opens a device", opens},
    {"a device says who it is, and the same twice", tells_identity},
    {"a device tells its status", tells_status},
    {"rounds are dealt, packet by packet or card by card", plays},
    {"a log is read to its end", keeps_log},
    {"what a device refuses is told as refused", is_refused},
    {"a fault is told, cleared, and the deal goes on", mends_fault},
    {"a device that says what cannot be is wrong, and not the script", tells_lie},
    {"the script survives a loss of power after any event", survives_power_loss},
    {"bytes may come one by one", takes_split_reads},
    {"bytes may be damaged, and no card is made of that", survives_bad_line},
    {"bytes of no protocol do no harm", survives_noise},
    {"a device that says nothing is a timeout", ends_silence},
    {"a device that is gone is told as such", tells_loss},
    {"a request can be cancelled, and the next one works", can_be_cancelled},
    {"two plays with the same seed are the same", is_the_same_again},
};

static void try_rule(struct contract *contract, struct stage *stage, const struct rule *rule)
{
    enum contract_outcome outcome = CONTRACT_HOLDS;

    stage->is_skipped = false;
    if (!rule->try(stage))
        outcome = stage->is_skipped ? CONTRACT_SKIPPED : CONTRACT_BROKEN;
    contract->counts[outcome]++;
    contract->told(contract->context, rule->text, outcome,
                   outcome == CONTRACT_HOLDS ? NULL : stage->error.text);
}

/* The script, looked at without a device: its class, and whether it has a model. */
static int look_at(const struct contract *contract, struct stage *stage, struct error *error)
{
    struct script *script = calloc(1, sizeof *script);
    int status;

    if (!script)
        return error_set(error, ERROR_RIG, "%s: not enough memory to load it", contract->path);
    status = script_load(script, NULL, contract->path, contract->seed, error);
    for (size_t i = 0; i < CLASSES && !status; i++)
        if (classes[i]->class == script->class->class)
            stage->class = classes[i];
    stage->capabilities = script->capabilities;
    if (!status)
        script_close(script);
    free(script);
    return status;
}

/* Whether the model can be made, and is of that class. */
static int check_model(const struct stage *stage, struct error *error)
{
    const struct device_driver *driver = device_driver_find(stage->class->class, "script", error);
    char name[LINK_ADDRESS_MAX];
    const char *rest = stage->address + strlen("emu:"), *options = strchr(rest, '?');
    const struct model_kind *kind;
    struct model *model;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "?"), rest);
    kind = model_kind_find(name, error);
    if (!kind)
        return ERROR_CONFIG;
    if (!model_kind_fits(kind, driver))
        return error_set(error, ERROR_CONFIG, "a model of '%s' does not speak as a %s", name,
                         driver->noun);
    model = kind->make(options ? options + 1 : "", error);
    if (!model)
        return ERROR_CONFIG;
    model->ops->free(model);
    return 0;
}

/* What can be done about a script without a model. Which protocol it speaks nobody knows. */
static void advise(struct error *error, enum device_class class)
{
    const struct device_driver *driver = device_driver_find(class, "script", NULL);
    const struct model_kind *kind;
    struct name_list names;
    size_t used = strlen(error->text);

    name_list_start(&names);
    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (strcmp(kind->name, "script") != 0 && model_kind_fits(kind, driver))
            name_list_add(&names, kind->name);
    snprintf(error->text + used, sizeof error->text - used,
             "; or name a model that speaks its protocol, --model emu:NAME with one of %s",
             name_list_text(&names));
}

static int choose_model(const struct contract *contract, struct stage *stage, struct error *error)
{
    int status;

    if (contract->model && strncmp(contract->model, "emu:", 4) != 0)
        return error_set(error, ERROR_CONFIG,
                         "'%.60s' is no model; write emu:NAME, as in emu:shuffler",
                         contract->model);
    if (contract->model)
        snprintf(stage->address, sizeof stage->address, "%s", contract->model);
    else
        snprintf(stage->address, sizeof stage->address, "emu:script?file=%s", contract->path);
    status = check_model(stage, error);
    if (status && !contract->model)
        advise(error, stage->class->class);
    return status;
}

int contract_try(struct contract *contract, struct error *error)
{
    struct stage stage = {.contract = contract};
    struct error said;
    int status = look_at(contract, &stage, &said);

    memset(contract->counts, 0, sizeof contract->counts);
    if (!status)
        status = choose_model(contract, &stage, &said);
    if (status)
        return error_set(error, (enum error_code)status, "%s", said.text);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        try_rule(contract, &stage, &rules[i]);
    return 0;
}

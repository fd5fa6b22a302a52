/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/authenticate/authenticate.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"

#define RESPONSE "AuthenticationResponse.xml"

/* One pass: with this key, held against what is approved or against images, or both. */
struct pass {
    struct gat_host *host;
    const struct authenticate_plan *plan;
    struct authenticate_result *result;
    struct authenticate_pass *told;
    unsigned number;
    bool has_approved, has_images;
    const char (*images)[GAT_DIGEST_SIZE]; /* what those of the plan come to */
    struct gat_components *components;     /* that were told */
    /* A second digest that was told of one of them; "" where there is none. */
    char contradictions[GAT_COMPONENTS_MAX][GAT_DIGEST_SIZE];
    bool is_left_out[GAT_FUNCTIONS_MAX]; /* the answer to that one had not what it was asked for */
    struct error *error;
};

const char *authenticate_outcome_name(enum authenticate_outcome outcome)
{
    static const char *const names[AUTHENTICATE_OUTCOMES] = {
        [AUTHENTICATE_SHOWN] = "shown",           [AUTHENTICATE_MATCHES] = "matches",
        [AUTHENTICATE_DIFFERS] = "differs",       [AUTHENTICATE_MISSING] = "missing",
        [AUTHENTICATE_UNAPPROVED] = "unapproved",
    };

    return names[outcome];
}

const char *authenticate_row_why(const struct authenticate_row *row)
{
    switch (row->outcome) {
    case AUTHENTICATE_DIFFERS:
        if (row->by_device)
            return "two digests that the device gives of this component";
        return row->by_image ? "the digest of the image, and what the device says of the component"
                             : "the digest that was approved, and what the device says";
    case AUTHENTICATE_MISSING:
        return "the device gives no digest of this component";
    case AUTHENTICATE_UNAPPROVED:
        return "nobody has approved this component";
    default:
        return "";
    }
}

static bool is_wanted(const struct authenticate_plan *plan, const char *name)
{
    for (unsigned i = 0; i < plan->component_count; i++)
        if (!strcmp(plan->components[i], name))
            return true;
    return !plan->component_count;
}

int authenticate_check(const struct authenticate_plan *plan, struct error *error)
{
    if (plan->key && plan->key->is_hex != plan->settings.key_is_hex)
        return error_set(error, ERROR_CONFIG,
                         "the key is %s, and key=%s says that keys are the other thing",
                         plan->key->is_hex ? "hexadecimal digits" : "a text",
                         plan->settings.key_is_hex ? "hex" : "text");
    if (plan->approved && plan->approved->key.is_hex != plan->settings.key_is_hex)
        return error_set(error, ERROR_CONFIG,
                         "digests were approved for a key of %s, and key=%s says that keys are the "
                         "other thing",
                         plan->approved->key.is_hex ? "hexadecimal digits" : "text",
                         plan->settings.key_is_hex ? "hex" : "text");
    if (plan->key && plan->approved && !gat_key_same(plan->key, &plan->approved->key))
        return error_set(error, ERROR_CONFIG,
                         "the digests were approved for another key than the one that is given: "
                         "leave the key out, or what is approved");
    for (unsigned i = 0; i < plan->image_count; i++)
        if (!is_wanted(plan, plan->images[i].name))
            return error_set(error, ERROR_CONFIG,
                             "there is an image of '%.60s', which is not among the components that "
                             "are asked for: name it there too, or leave the image out",
                             plan->images[i].name);
    return 0;
}

bool authenticate_needs_key(const struct authenticate_plan *plan)
{
    return !plan->key && (!plan->approved || plan->image_count);
}

static bool takes_key(const struct gat_function *function)
{
    for (unsigned i = 0; i < function->count; i++)
        if (gat_is_blank(function->parameters[i]))
            return true;
    return false;
}

/* The first that takes a key, or else the first. */
static const struct gat_function *find_function(const struct gat_functions *functions,
                                                const char *feature, const char *parameter)
{
    const struct gat_function *found = NULL;

    for (unsigned i = 0; i < functions->count; i++) {
        const struct gat_function *function = &functions->list[i];

        if (strcmp(function->feature, feature) != 0 || !function->count ||
            strcmp(function->parameters[0], parameter) != 0)
            continue;
        if (takes_key(function))
            return function;
        if (!found)
            found = function;
    }
    return found;
}

/* The function as it is listed, with the key wherever it has a blank. */
static struct gat_request make_request(const struct gat_function *function, const char *key)
{
    struct gat_request request = {.feature = function->feature, .count = function->count};

    for (unsigned i = 0; i < function->count; i++)
        request.parameters[i] =
            gat_is_blank(function->parameters[i]) ? key : function->parameters[i];
    return request;
}

/* What does not fit without any key is the fault of who lists it. */
static int check_listed(struct pass *pass, const struct gat_function *function)
{
    struct gat_request request = make_request(function, "");
    uint8_t text[GAT_TEXT_MAX];
    struct error why;

    if (gat_request_text(&request, pass->plan->settings.is_utf8, text, &why) >= 0)
        return 0;
    return error_set(pass->error, ERROR_DEVICE, "%s: the device lists what cannot be asked for: %s",
                     pass->host->link->address, why.text);
}

static int perform(struct pass *pass, const struct gat_function *function,
                   struct gat_document *document)
{
    struct gat_request request = make_request(function, pass->told->key.text);
    int status = check_listed(pass, function);

    if (status)
        return status;
    status = gat_perform(pass->host, &request, &pass->plan->listener, document, pass->error);
    if (status)
        return status;
    pass->told->is_unkeyed |= !takes_key(function);
    pass->told->took += document->took;
    pass->told->parts += document->parts;
    pass->told->bytes += document->size;
    pass->told->calculations++;
    return 0;
}

static int say_where(struct pass *pass, int status)
{
    if (status)
        error_prefix(pass->error, "%s", pass->host->link->address);
    return status;
}

static int read_digests(struct pass *pass, const struct gat_function *function,
                        struct gat_components *components)
{
    struct gat_document document;
    int status = perform(pass, function, &document);

    if (status)
        return status;
    status = gat_read_components(document.bytes, document.size, components, pass->error);
    free(document.bytes);
    return say_where(pass, status);
}

/* What is told twice must be the same. */
static int add_component(struct pass *pass, const struct gat_component *component)
{
    struct gat_components *all = pass->components;
    const struct gat_component *before = gat_find_component(all, component->name);

    if (before) {
        if (strcmp(before->digest, component->digest) != 0)
            strcpy(pass->contradictions[before - all->list], component->digest);
        return 0;
    }
    if (all->count == GAT_COMPONENTS_MAX)
        return error_set(pass->error, ERROR_DEVICE, "%s: more than %d components",
                         pass->host->link->address, GAT_COMPONENTS_MAX);
    all->list[all->count++] = *component;
    return 0;
}

/* A document may have more than the one that was asked for; all of it counts. */
static int read_one(struct pass *pass, unsigned index, struct gat_components *one)
{
    const struct gat_function *function = &pass->result->functions.list[index];
    int status = read_digests(pass, function, one);

    if (status)
        return status;
    for (unsigned i = 0; i < one->count && !status; i++)
        status = add_component(pass, &one->list[i]);
    pass->is_left_out[index] = !gat_find_component(one, function->parameters[0]);
    if (!*pass->result->game) {
        strcpy(pass->result->game, one->game);
        strcpy(pass->result->manufacturer, one->manufacturer);
    }
    return status;
}

static bool is_component(const struct gat_function *function)
{
    return !strcmp(function->feature, "Component") && function->count;
}

/* The first that is listed for a component that is wanted. */
static bool is_asked(const struct pass *pass, unsigned index)
{
    const struct gat_functions *functions = &pass->result->functions;
    const struct gat_function *function = &functions->list[index];

    return is_component(function) && is_wanted(pass->plan, function->parameters[0]) &&
           find_function(functions, "Component", function->parameters[0]) == function;
}

static int read_each(struct pass *pass)
{
    const struct gat_functions *functions = &pass->result->functions;
    struct gat_components *one = calloc(1, sizeof *one);
    int status = one ? 0 : error_set(pass->error, ERROR_RIG, "out of memory for digests");
    unsigned asked = 0;

    for (unsigned i = 0; i < functions->count && !status; i++) {
        if (!is_asked(pass, i))
            continue;
        asked++;
        status = read_one(pass, i, one);
    }
    free(one);
    if (!status && !asked && !pass->plan->component_count)
        status = error_set(pass->error, ERROR_DEVICE,
                           "%s: the device lists no function that gives digests",
                           pass->host->link->address);
    return status;
}

static int read_all(struct pass *pass)
{
    const struct gat_function *file = find_function(&pass->result->functions, "Get File", RESPONSE);
    int status;

    if (!file || pass->plan->component_count)
        return read_each(pass);
    status = read_digests(pass, file, pass->components);
    if (!status) {
        strcpy(pass->result->game, pass->components->game);
        strcpy(pass->result->manufacturer, pass->components->manufacturer);
    }
    return status;
}

static struct authenticate_row *add_row(struct pass *pass, const char *name)
{
    struct authenticate_result *result = pass->result;
    const struct gat_component *told = gat_find_component(pass->components, name);
    struct authenticate_row *row;

    for (unsigned i = 0; i < result->row_count; i++)
        if (result->rows[i].pass == pass->number && !strcmp(result->rows[i].name, name))
            return &result->rows[i];
    /* AUTHENTICATE_ROWS_MAX has room for all names there can be. */
    row = &result->rows[result->row_count++];
    *row = (struct authenticate_row){.pass = pass->number,
                                     .outcome = told ? AUTHENTICATE_SHOWN : AUTHENTICATE_MISSING};
    strcpy(row->name, name);
    if (told)
        strcpy(row->digest, told->digest);
    return row;
}

static void expect(struct authenticate_row *row, const char *digest, bool by_image)
{
    bool is_same = !strcmp(row->digest, digest);

    /* What has been found wrong stays so. */
    if (row->outcome == AUTHENTICATE_DIFFERS || row->outcome == AUTHENTICATE_UNAPPROVED)
        return;
    strcpy(row->expected, digest);
    row->by_image = by_image;
    if (row->outcome != AUTHENTICATE_MISSING)
        row->outcome = is_same ? AUTHENTICATE_MATCHES : AUTHENTICATE_DIFFERS;
}

/* What was told is held against what is approved, whether it was asked for or not. */
static bool is_due(const struct pass *pass, const char *name)
{
    return is_wanted(pass->plan, name) || gat_find_component(pass->components, name);
}

/* Whatever the key: what is approved is told, and nothing else is. */
static void compare_names(struct pass *pass)
{
    const struct approved *approved = pass->plan->approved;

    for (unsigned i = 0; i < approved->count; i++)
        if (is_due(pass, approved->list[i].name))
            strcpy(add_row(pass, approved->list[i].name)->version, approved->list[i].version);
    for (unsigned i = 0; i < pass->components->count; i++) {
        struct authenticate_row *row = add_row(pass, pass->components->list[i].name);

        if (!approved_find(approved, row->name) && row->outcome != AUTHENTICATE_MISSING)
            row->outcome = AUTHENTICATE_UNAPPROVED;
    }
}

static void compare_approved(struct pass *pass)
{
    const struct approved *approved = pass->plan->approved;

    for (unsigned i = 0; i < approved->count; i++)
        if (is_due(pass, approved->list[i].name))
            expect(add_row(pass, approved->list[i].name), approved->list[i].digest, false);
}

static void compare_images(struct pass *pass)
{
    for (unsigned i = 0; i < pass->plan->image_count; i++)
        expect(add_row(pass, pass->plan->images[i].name), pass->images[i], true);
}

/* Its own answer did not have it, whatever that to another question has. */
static void leave_out(struct authenticate_row *row, bool is_left_out)
{
    if (!is_left_out)
        return;
    row->outcome = AUTHENTICATE_MISSING;
    row->digest[0] = '\0';
}

/* One of two digests is wrong, whatever they are compared with. */
static void compare_contradictions(struct pass *pass)
{
    for (unsigned i = 0; i < pass->components->count; i++) {
        const struct gat_component *told = &pass->components->list[i];
        struct authenticate_row *row = *pass->contradictions[i] ? add_row(pass, told->name) : NULL;

        if (!row || (row->outcome != AUTHENTICATE_MATCHES && row->outcome != AUTHENTICATE_SHOWN))
            continue;
        row->by_device = row->outcome == AUTHENTICATE_SHOWN;
        if (row->by_device)
            strcpy(row->expected, told->digest);
        strcpy(row->digest, pass->contradictions[i]);
        row->outcome = AUTHENTICATE_DIFFERS;
    }
}

/* What is listed or asked for by name and not told is missing, whoever approved what. */
static void add_rows(struct pass *pass)
{
    const struct gat_functions *functions = &pass->result->functions;

    for (unsigned i = 0; i < pass->components->count; i++)
        add_row(pass, pass->components->list[i].name);
    for (unsigned i = 0; i < functions->count; i++)
        if (is_component(&functions->list[i]) &&
            is_wanted(pass->plan, functions->list[i].parameters[0]))
            leave_out(add_row(pass, functions->list[i].parameters[0]), pass->is_left_out[i]);
    for (unsigned i = 0; i < pass->plan->component_count; i++)
        add_row(pass, pass->plan->components[i]);
}

/* Digests for which no key was sent cannot be compared with those for one, unless they are those.
 */
static int refuse_unkeyed(struct pass *pass)
{
    const struct approved *approved = pass->has_approved ? pass->plan->approved : NULL;

    for (unsigned i = 0; approved && i < approved->count; i++) {
        const struct gat_component *told =
            gat_find_component(pass->components, approved->list[i].name);

        if (told && !strcmp(told->digest, approved->list[i].digest))
            return error_set(pass->error, ERROR_DEVICE,
                             "%s: the device lists no function that takes the key, and tells the "
                             "digest of '%.60s' for that key all the same: it replays what it has "
                             "stored",
                             pass->host->link->address, told->name);
    }
    return error_set(pass->error, ERROR_DEVICE,
                     "%s: the device lists no function that takes the key, so that its digests "
                     "cannot be compared with those for a key",
                     pass->host->link->address);
}

static int check_key(struct pass *pass)
{
    const struct authenticate_plan *plan = pass->plan;

    if (!pass->told->is_unkeyed)
        return 0;
    if (plan->key || plan->approved || plan->image_count)
        return refuse_unkeyed(pass);
    pass->told->key = (struct gat_key){.is_hex = false};
    pass->told->is_fresh = false;
    return 0;
}

static int perform_pass(struct pass *pass)
{
    int status;

    pass->components = calloc(1, sizeof *pass->components);
    if (!pass->components)
        return error_set(pass->error, ERROR_RIG, "out of memory for digests");
    status = read_all(pass);
    if (!status)
        status = check_key(pass);
    if (!status) {
        add_rows(pass);
        if (pass->plan->approved)
            compare_names(pass);
        if (pass->has_approved)
            compare_approved(pass);
        if (pass->has_images)
            compare_images(pass);
        compare_contradictions(pass);
    }
    free(pass->components);
    return status;
}

static void count_rows(struct authenticate_result *result)
{
    for (unsigned i = 0; i < result->row_count; i++) {
        const struct authenticate_row *row = &result->rows[i];

        result->compared += *row->expected && !row->by_device;
        result->wrong += row->outcome != AUTHENTICATE_SHOWN && row->outcome != AUTHENTICATE_MATCHES;
    }
}

static int read_list(struct gat_host *host, const struct authenticate_plan *plan,
                     struct authenticate_result *result, struct error *error)
{
    static const struct gat_request list = {.feature = "Get Special Functions"};
    struct gat_document document;
    int status = gat_perform(host, &list, &plan->listener, &document, error);

    if (status)
        return status;
    status = gat_read_functions(document.bytes, document.size, &result->functions, error);
    free(document.bytes);
    if (status)
        error_prefix(error, "%s", host->link->address);
    return status;
}

/* One with the key that was given or approved, and one with a fresh key for what has images. */
static int perform_passes(struct gat_host *host, const struct authenticate_plan *plan,
                          const char (*images)[GAT_DIGEST_SIZE], struct authenticate_result *result,
                          struct error *error)
{
    bool has_two = !plan->key && plan->approved && plan->image_count;
    unsigned count = has_two ? 2 : 1;
    int status = 0;

    for (unsigned i = 0; i < count && !status; i++) {
        struct pass pass = {.host = host,
                            .plan = plan,
                            .result = result,
                            .told = &result->passes[i],
                            .number = i,
                            .has_approved = plan->approved && !i,
                            .has_images = plan->image_count && i + 1 == count,
                            .images = images,
                            .error = error};
        bool is_fresh = !plan->key && (i || !plan->approved);

        result->pass_count = i + 1;
        *pass.told = (struct authenticate_pass){.key = is_fresh    ? *plan->fresh
                                                       : plan->key ? *plan->key
                                                                   : plan->approved->key,
                                                .is_fresh = is_fresh};
        status = perform_pass(&pass);
    }
    return status;
}

/* Before the device is asked for anything, since a file that cannot be read would be in vain. */
static int hash_images(const struct authenticate_plan *plan, char (*digests)[GAT_DIGEST_SIZE],
                       struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < plan->image_count && !status; i++)
        status = gat_hmac_file(plan->key ? plan->key : plan->fresh, plan->images[i].path,
                               digests[i], error);
    return status;
}

int authenticate(struct link *link, const struct authenticate_plan *plan,
                 struct authenticate_result *result, struct error *error)
{
    char images[AUTHENTICATE_NAMES_MAX][GAT_DIGEST_SIZE];
    struct gat_host host = {.has_answered = false};
    int status;

    memset(result, 0, sizeof *result);
    status = hash_images(plan, images, error);
    if (!status)
        status = gat_host_open(&host, link, &plan->settings, error);
    if (!status)
        status = gat_status(&host, &result->status, error);
    result->has_answered = host.has_answered;
    if (!status)
        status = gat_last(&host, &result->last, error);
    if (!status)
        status = read_list(&host, plan, result, error);
    if (!status)
        status = perform_passes(&host, plan, images, result, error);
    count_rows(result);
    return status;
}

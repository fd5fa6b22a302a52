/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/document.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hal/base/printable.h"

enum element {
    ELEMENT_OTHER,
    ELEMENT_FUNCTIONS,
    ELEMENT_FUNCTION,
    ELEMENT_FEATURE,
    ELEMENT_PARAMETER,
    ELEMENT_COMPONENTS,
    ELEMENT_GAME,
    ELEMENT_COMPONENT,
    ELEMENT_NAME,
    ELEMENT_CHECKSUM,
    ELEMENT_MANUFACTURER,
    ELEMENTS
};

static const char *const element_names[ELEMENTS] = {
    [ELEMENT_FUNCTIONS] = "SpecialFunctions",
    [ELEMENT_FUNCTION] = "Function",
    [ELEMENT_FEATURE] = "Feature",
    [ELEMENT_PARAMETER] = "Parameter",
    [ELEMENT_COMPONENTS] = "Components",
    [ELEMENT_GAME] = "Game",
    [ELEMENT_COMPONENT] = "Component",
    [ELEMENT_NAME] = "Name",
    [ELEMENT_CHECKSUM] = "Checksum",
    [ELEMENT_MANUFACTURER] = "Manufacturer",
};

struct reader {
    XML_Parser parser;
    struct error *error;
    bool has_failed;
    enum element path[GAT_DEPTH_MAX];
    unsigned depth;
    enum element root;   /* of what is read */
    unsigned root_depth; /* where it has begun; 0: it has not */
    bool is_over;        /* it has ended: a second one is passed over */
    char text[GAT_NAME_SIZE];
    size_t length;
    bool is_long;
    void (*begun)(struct reader *reader, enum element element);
    void (*ended)(struct reader *reader, enum element element);
    struct gat_functions *functions;
    struct gat_components *components;
};

static void fail(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail(struct reader *reader, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE - 80];
    va_list arguments;

    if (reader->has_failed)
        return;
    reader->has_failed = true;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(reader->error, ERROR_DEVICE, "line %lu of the document: %s",
              (unsigned long)XML_GetCurrentLineNumber(reader->parser), text);
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Namespaces are passed over, since the published documents show none. */
static enum element find_element(const char *name)
{
    const char *colon = strrchr(name, ':');

    if (colon)
        name = colon + 1;
    for (unsigned i = 1; i < ELEMENTS; i++)
        if (!strcmp(element_names[i], name))
            return (enum element)i;
    return ELEMENT_OTHER;
}

static enum element parent_of(const struct reader *reader)
{
    return reader->depth > 1 ? reader->path[reader->depth - 2] : ELEMENT_OTHER;
}

/* What stands outside of the one that is read would be compared with nothing. */
static void refuse_outside(struct reader *reader, enum element element)
{
    if (reader->root != ELEMENT_COMPONENTS || reader->root_depth)
        return;
    if (element == ELEMENT_COMPONENT)
        fail(reader, "a Component that is not below Components");
    else if (element == ELEMENT_COMPONENTS && reader->is_over)
        fail(reader, "a second Components");
}

static void XMLCALL start_element(void *context, const char *name, const char **attributes)
{
    struct reader *reader = context;
    enum element element = find_element(name);

    (void)attributes;
    if (reader->has_failed)
        return;
    if (reader->depth == GAT_DEPTH_MAX) {
        fail(reader, "more than %d elements inside each other", GAT_DEPTH_MAX);
        return;
    }
    reader->path[reader->depth++] = element;
    reader->length = 0;
    reader->is_long = false;
    refuse_outside(reader, element);
    if (!reader->root_depth && !reader->is_over && element == reader->root)
        reader->root_depth = reader->depth;
    else if (reader->root_depth)
        reader->begun(reader, element);
}

/* The blanks around a text are how it is laid out, but the name of a component is what it is. */
static void trim(struct reader *reader)
{
    static const char blanks[] = " \t\r\n";
    size_t first;

    reader->text[reader->length] = '\0';
    if (reader->path[reader->depth - 1] == ELEMENT_NAME && parent_of(reader) == ELEMENT_COMPONENT)
        return;
    while (reader->length && strchr(blanks, reader->text[reader->length - 1]))
        reader->text[--reader->length] = '\0';
    first = strspn(reader->text, blanks);
    reader->length -= first;
    memmove(reader->text, reader->text + first, reader->length + 1);
}

static void XMLCALL end_element(void *context, const char *name)
{
    struct reader *reader = context;

    (void)name;
    if (reader->has_failed)
        return;
    trim(reader);
    if (reader->root_depth == reader->depth) {
        reader->root_depth = 0;
        reader->is_over = true;
    } else if (reader->root_depth) {
        reader->ended(reader, reader->path[reader->depth - 1]);
    }
    reader->depth--;
    reader->length = 0;
    reader->is_long = false;
}

static void XMLCALL add_text(void *context, const char *text, int count)
{
    struct reader *reader = context;
    size_t length = (size_t)count;

    if (length > sizeof reader->text - 1 - reader->length) {
        reader->is_long = true;
        length = 0;
    }
    memcpy(reader->text + reader->length, text, length);
    reader->length += length;
}

static void XMLCALL refuse_type(void *context, const char *name, const char *system,
                                const char *public, int has_subset)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_subset;
    fail(context, "it has a document type, which may define entities; that is refused");
}

/* What is in a name goes to terminals and back to the device. */
static bool is_plain(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
            return false;
    return true;
}

static bool copy_text(struct reader *reader, enum element element, char text[GAT_NAME_SIZE])
{
    if (reader->is_long)
        fail(reader, "%s has more than %d bytes", element_names[element], GAT_NAME_SIZE - 1);
    else if (!is_plain(reader->text))
        fail(reader, "%s has a control character in it", element_names[element]);
    else
        memcpy(text, reader->text, reader->length + 1);
    return !reader->has_failed;
}

/* The same of what may be there once, and not be empty. */
static void take_text(struct reader *reader, enum element element, char text[GAT_NAME_SIZE])
{
    if (*text)
        fail(reader, "a second %s in one %s", element_names[element],
             element_names[parent_of(reader)]);
    else if (copy_text(reader, element, text) && !*text)
        fail(reader, "%s is empty", element_names[element]);
}

static bool is_leaf(enum element element)
{
    return element == ELEMENT_FEATURE || element == ELEMENT_PARAMETER || element == ELEMENT_NAME ||
           element == ELEMENT_CHECKSUM || element == ELEMENT_MANUFACTURER;
}

static void refuse_inside(struct reader *reader)
{
    if (is_leaf(parent_of(reader)))
        fail(reader, "%s has an element in it instead of text", element_names[parent_of(reader)]);
}

static void function_begun(struct reader *reader, enum element element)
{
    struct gat_functions *functions = reader->functions;

    refuse_inside(reader);
    if (element != ELEMENT_FUNCTION)
        return;
    if (parent_of(reader) != ELEMENT_FUNCTIONS)
        fail(reader, "a Function that is not right below SpecialFunctions");
    else if (functions->count == GAT_FUNCTIONS_MAX)
        fail(reader, "more than %d functions", GAT_FUNCTIONS_MAX);
    else
        memset(&functions->list[functions->count++], 0, sizeof functions->list[0]);
}

static void function_ended(struct reader *reader, enum element element)
{
    struct gat_functions *functions = reader->functions;
    struct gat_function *function = functions->list + functions->count - !!functions->count;
    bool is_inside = functions->count && parent_of(reader) == ELEMENT_FUNCTION;

    if (element == ELEMENT_FEATURE && is_inside)
        take_text(reader, element, function->feature);
    else if (element == ELEMENT_PARAMETER && is_inside && function->count == GAT_PARAMETERS_MAX)
        fail(reader, "more than %d parameters", GAT_PARAMETERS_MAX);
    else if (element == ELEMENT_PARAMETER && is_inside)
        copy_text(reader, element, function->parameters[function->count++]);
    else if (element == ELEMENT_FUNCTION && !*function->feature)
        fail(reader, "a Function without a Feature");
}

static void component_begun(struct reader *reader, enum element element)
{
    struct gat_components *components = reader->components;

    refuse_inside(reader);
    if (element != ELEMENT_COMPONENT)
        return;
    for (unsigned i = 0; i + 1 < reader->depth; i++)
        if (reader->path[i] == ELEMENT_COMPONENT)
            fail(reader, "a Component inside of another");
    if (components->count == GAT_COMPONENTS_MAX)
        fail(reader, "more than %d components", GAT_COMPONENTS_MAX);
    else if (!reader->has_failed)
        memset(&components->list[components->count++], 0, sizeof components->list[0]);
}

static void take_digest(struct reader *reader, struct gat_component *component)
{
    char text[GAT_NAME_SIZE] = "", shown[48];

    if (*component->digest) {
        fail(reader, "a second Checksum in one Component");
        return;
    }
    if (!copy_text(reader, ELEMENT_CHECKSUM, text))
        return;
    printable_copy(shown, sizeof shown, text);
    if (!gat_digest_read(text, component->digest))
        fail(reader, "the Checksum '%s' is not %d hexadecimal digits", shown, GAT_DIGEST_SIZE - 1);
}

static void component_done(struct reader *reader, const struct gat_component *component)
{
    const struct gat_components *components = reader->components;
    char name[GAT_NAME_SIZE];

    printable_copy(name, sizeof name, component->name);
    if (!*component->name)
        fail(reader, "a Component without a Name");
    else if (!*component->digest)
        fail(reader, "Component '%s' has no Checksum", name);
    else if (gat_find_component(components, component->name) != component)
        fail(reader, "Component '%s' is there twice", name);
}

static void component_ended(struct reader *reader, enum element element)
{
    struct gat_components *components = reader->components;
    struct gat_component *component = components->list + components->count - !!components->count;
    enum element parent = parent_of(reader);

    if (parent == ELEMENT_COMPONENT && element == ELEMENT_NAME)
        take_text(reader, element, component->name);
    else if (parent == ELEMENT_COMPONENT && element == ELEMENT_CHECKSUM)
        take_digest(reader, component);
    else if (parent == ELEMENT_GAME && element == ELEMENT_NAME)
        copy_text(reader, element, components->game);
    else if (parent == ELEMENT_GAME && element == ELEMENT_MANUFACTURER)
        copy_text(reader, element, components->manufacturer);
    else if (element == ELEMENT_COMPONENT)
        component_done(reader, component);
}

static int parse(struct reader *reader, const void *bytes, size_t size)
{
    if (size > GAT_DOCUMENT_MAX)
        return error_set(reader->error, ERROR_DEVICE, "the document has more than %zu bytes",
                         GAT_DOCUMENT_MAX);
    if (XML_Parse(reader->parser, bytes, (int)size, XML_TRUE) != XML_STATUS_OK) {
        fail(reader, "it is no XML that can be read: %s",
             XML_ErrorString(XML_GetErrorCode(reader->parser)));
        return ERROR_DEVICE;
    }
    if (!reader->is_over) {
        fail(reader, "it ends and has no %s", element_names[reader->root]);
        return ERROR_DEVICE;
    }
    return 0;
}

static int read_document(struct reader *reader, const void *bytes, size_t size)
{
    int status;

    reader->parser = XML_ParserCreate(NULL);
    if (!reader->parser)
        return error_set(reader->error, ERROR_RIG, "out of memory for a document");
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, start_element, end_element);
    XML_SetCharacterDataHandler(reader->parser, add_text);
    XML_SetStartDoctypeDeclHandler(reader->parser, refuse_type);
    status = parse(reader, bytes, size);
    XML_ParserFree(reader->parser);
    return status;
}

int gat_read_functions(const void *bytes, size_t size, struct gat_functions *functions,
                       struct error *error)
{
    struct reader reader = {.error = error,
                            .root = ELEMENT_FUNCTIONS,
                            .begun = function_begun,
                            .ended = function_ended,
                            .functions = functions};

    functions->count = 0;
    return read_document(&reader, bytes, size);
}

int gat_read_components(const void *bytes, size_t size, struct gat_components *components,
                        struct error *error)
{
    struct reader reader = {.error = error,
                            .root = ELEMENT_COMPONENTS,
                            .begun = component_begun,
                            .ended = component_ended,
                            .components = components};

    components->count = 0;
    components->game[0] = components->manufacturer[0] = '\0';
    return read_document(&reader, bytes, size);
}

bool gat_is_blank(const char *parameter)
{
    size_t length = strlen(parameter);

    return length >= 4 && !strncmp(parameter, "%%", 2) && !strcmp(parameter + length - 2, "%%");
}

const struct gat_component *gat_find_component(const struct gat_components *components,
                                               const char *name)
{
    for (unsigned i = 0; i < components->count; i++)
        if (!strcmp(components->list[i].name, name))
            return &components->list[i];
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes sources again with every mutant of them inside, so that one build has them all: `a < b`
 * becomes an expression that asks mutant(7) whether it is to be `a <= b` today. Nothing is written
 * twice and no line is added, so positions stay what they were.
 *
 *     mutator FOLDER SOURCE... >LIST
 *
 * A line of the list: number, source, line, function, change and the line's text, between tabs. Of
 * the same change to the same text the second has " (2)" behind it, and so on.
 * Of a header with rows of checks each row is a mutant, in their order: mutant.c disables it.
 */
#include <clang-c/Index.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum place { CLOSES, REPLACES, OPENS, REWRITES }; /* in this order at the same offset */

struct edit {
    unsigned offset, length, order;
    enum place place;
    char *text;
};

struct span {
    unsigned begin, end;
};

struct source {
    const char *path;
    char *text;
    unsigned length;
    struct edit *edits;
    unsigned edit_count;
    struct span *macros; /* where one is expanded: nothing inside is changed */
    unsigned macro_count;
    CXFile file;
    char function[128];
    char **listed; /* function, change and text of each mutant */
    unsigned listed_count;
};

static unsigned mutants; /* of all sources so far */

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "mutator: %s: %s\n", which, what);
    exit(2);
}

static void *grow(void *array, unsigned count, size_t size)
{
    void *grown = count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * size);

    if (!grown)
        fail("out of memory", "sources");
    return grown;
}

__attribute__((format(printf, 5, 6))) static void edit(struct source *source, unsigned offset,
                                                       unsigned length, enum place place,
                                                       const char *format, ...)
{
    unsigned count = source->edit_count;
    va_list list;
    char *text;

    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        fail("out of memory", source->path);
    va_end(list);
    source->edits = grow(source->edits, count, sizeof *source->edits);
    source->edits[count] = (struct edit){offset, length, count, place, text};
    source->edit_count++;
}

/* How many mutants of that description there are now, this one among them. */
static unsigned count_same(struct source *source, const char *change, const char *text, int length)
{
    unsigned count = 1;
    char *key;

    if (asprintf(&key, "%s\t%s\t%.*s", source->function, change, length, text) < 0)
        fail("out of memory", source->path);
    for (unsigned i = 0; i < source->listed_count; i++)
        count += !strcmp(source->listed[i], key);
    source->listed = grow(source->listed, source->listed_count, sizeof *source->listed);
    source->listed[source->listed_count++] = key;
    return count;
}

/* Lists the next mutant and gives its number. */
static unsigned list(struct source *source, unsigned offset, const char *change)
{
    unsigned line = 1, begin = 0, end, same;
    char place[16] = "";

    for (unsigned i = 0; i < offset; i++)
        if (source->text[i] == '\n') {
            line++;
            begin = i + 1;
        }
    while (source->text[begin] == ' ')
        begin++;
    end = begin + (unsigned)strcspn(source->text + begin, "\n");
    same = count_same(source, change, source->text + begin, (int)(end - begin));
    if (same > 1)
        snprintf(place, sizeof place, " (%u)", same);
    printf("%u\t%s\t%u\t%s\t%s%s\t%.*s\n", ++mutants, source->path, line, source->function, change,
           place, (int)(end - begin), source->text + begin);
    return mutants;
}

static void forget_listed(struct source *source)
{
    for (unsigned i = 0; i < source->listed_count; i++)
        free(source->listed[i]);
    free(source->listed);
}

static struct span span_of(CXCursor cursor)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    struct span span;

    clang_getExpansionLocation(clang_getRangeStart(range), NULL, NULL, NULL, &span.begin);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &span.end);
    return span;
}

static bool is_in_macro(const struct source *source, struct span span)
{
    for (unsigned i = 0; i < source->macro_count; i++)
        if (source->macros[i].begin <= span.begin && span.end <= source->macros[i].end)
            return true;
    return false;
}

struct children {
    CXCursor at[8];
    unsigned count;
};

static enum CXChildVisitResult take_child(CXCursor child, CXCursor parent, CXClientData data)
{
    struct children *children = data;

    (void)parent;
    if (children->count < 8)
        children->at[children->count] = child;
    children->count++;
    return CXChildVisit_Continue;
}

static struct children children_of(CXCursor cursor)
{
    struct children children = {.count = 0};

    clang_visitChildren(cursor, take_child, &children);
    return children;
}

static bool is_pointer(CXCursor cursor)
{
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;

    return kind == CXType_Pointer || kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* The operator stands behind blanks after its left side. */
static unsigned operator_at(const struct source *source, unsigned offset, char name[4])
{
    static const char *const names[] = {
        "<<=", ">>=", "&&", "||", "<=", ">=", "==", "!=", "<<", ">>", "+=", "-=", "*=", "/=", "%=",
        "|=",  "&=",  "^=", "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "=",  ","};

    while (strchr(" \n\t", source->text[offset]))
        offset++;
    *name = '\0';
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(source->text + offset, names[i], strlen(names[i]))) {
            strcpy(name, names[i]);
            break;
        }
    return offset;
}

/* What an operator becomes, one or two others. */
static const char *const swaps[][3] = {
    {"<", "<=", ">="},  {"<=", "<", ">"},   {">", ">=", "<="},  {">=", ">", "<"},
    {"==", "!=", NULL}, {"!=", "==", NULL}, {"+", "-", NULL},   {"-", "+", NULL},
    {"*", "+", NULL},   {"/", "*", NULL},   {"%", "*", NULL},   {"&", "|", NULL},
    {"|", "&", NULL},   {"^", "&", NULL},   {"<<", ">>", NULL}, {">>", "<<", NULL},
};

static unsigned change(struct source *source, unsigned offset, const char *was, const char *becomes)
{
    char text[16];

    snprintf(text, sizeof text, "%s to %s", was, becomes);
    return list(source, offset, text);
}

static void swap_operator(struct source *source, struct span whole, unsigned at, const char *name,
                          const char *promote)
{
    for (unsigned i = 0; i < sizeof swaps / sizeof *swaps; i++) {
        const char *first = swaps[i][1], *second = swaps[i][2];
        unsigned number;

        if (strcmp(swaps[i][0], name) != 0)
            continue;
        number = change(source, at, name, first);
        edit(source, whole.begin, 0, OPENS, "({ __auto_type mutant_l = %s(", promote);
        edit(source, at, (unsigned)strlen(name), REPLACES, "); __auto_type mutant_r = %s(",
             promote);
        if (second)
            edit(source, whole.end, 0, CLOSES,
                 "); mutant(%u) ? mutant_l %s mutant_r : mutant(%u) ? mutant_l %s mutant_r : "
                 "mutant_l %s mutant_r; })",
                 number, first, change(source, at, name, second), second, name);
        else
            edit(source, whole.end, 0, CLOSES,
                 "); mutant(%u) ? mutant_l %s mutant_r : mutant_l %s mutant_r; })", number, first,
                 name);
        return;
    }
}

/* The right side is reached as the operator of today says. */
static void swap_logic(struct source *source, struct span whole, unsigned at, const char *name)
{
    bool is_and = *name == '&';
    unsigned number = change(source, at, name, is_and ? "||" : "&&");

    edit(source, whole.begin, 0, OPENS, "({ _Bool mutant_l = !!(");
    edit(source, at, 2, REPLACES, "); (mutant_l %s mutant(%u)) ? !!(",
         is_and ? "!=" : "==", number);
    edit(source, whole.end, 0, CLOSES, ") : mutant_l; })");
}

static void negate(struct source *source, CXCursor condition)
{
    struct span span = span_of(condition);

    if (is_in_macro(source, span))
        return;
    edit(source, span.begin, 0, OPENS, "((_Bool)(");
    edit(source, span.end, 0, CLOSES, ") != mutant(%u))",
         list(source, span.begin, "condition negated"));
}

static bool is_logic(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return kind == CXCursor_BinaryOperator || kind == CXCursor_ParenExpr;
}

static void mutate_binary(struct source *source, CXCursor cursor, struct span span)
{
    struct children sides = children_of(cursor);
    char name[4];
    unsigned at;

    if (sides.count != 2)
        return;
    at = operator_at(source, span_of(sides.at[0]).end, name);
    if (!strcmp(name, "&&") || !strcmp(name, "||")) {
        swap_logic(source, span, at, name);
        for (unsigned i = 0; i < 2; i++)
            if (!is_logic(sides.at[i]))
                negate(source, sides.at[i]);
    } else if (is_pointer(sides.at[0]) || is_pointer(sides.at[1])) {
        if (!strcmp(name, "==") || !strcmp(name, "!="))
            swap_operator(source, span, at, name, "");
    } else {
        swap_operator(source, span, at, name, "+");
    }
}

static void mutate_assignment(struct source *source, CXCursor cursor, struct span span)
{
    struct children sides = children_of(cursor);
    char name[4];
    unsigned at;

    if (sides.count != 2)
        return;
    at = operator_at(source, span_of(sides.at[0]).end, name);
    if (strcmp(name, "+=") != 0 && strcmp(name, "-=") != 0)
        return;
    edit(source, at, 2, REPLACES, "%s (mutant(%u) ? -1 : 1) * (", name,
         change(source, at, name, *name == '+' ? "-=" : "+="));
    edit(source, span.end, 0, CLOSES, ")");
}

static void mutate_literal(struct source *source, struct span span)
{
    unsigned more, less;

    more = list(source, span.begin, "constant + 1");
    less = list(source, span.begin, "constant - 1");
    edit(source, span.begin, 0, OPENS, "(");
    edit(source, span.end, 0, CLOSES, " + mutant(%u) - mutant(%u))", more, less);
}

/* A statement that can be left out, up to its semicolon. */
static void leave_out(struct source *source, CXCursor statement, bool is_last)
{
    struct span span = span_of(statement);

    switch (clang_getCursorKind(statement)) {
    case CXCursor_ReturnStmt:
        if (is_last)
            return;
        break;
    case CXCursor_CallExpr:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_UnaryOperator:
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        break;
    default:
        return;
    }
    while (strchr(" \n", source->text[span.end]))
        span.end++;
    if (is_in_macro(source, span) || source->text[span.end] != ';')
        return;
    edit(source, span.begin, 0, OPENS, "{ if (!mutant(%u)) ",
         list(source, span.begin, "statement left out"));
    edit(source, span.end + 1, 0, CLOSES, " }");
}

/* Written out twice, as the one thing that is: its operand is left as it is. */
static void mutate_step(struct source *source, struct span span)
{
    const char *text = source->text + span.begin;
    int length = (int)(span.end - span.begin) - 2;
    bool is_prefix = *text == '+' || *text == '-';
    char sign = is_prefix ? *text : text[length], other = sign == '+' ? '-' : '+';
    const char *operand = is_prefix ? text + 2 : text;
    unsigned number;

    number = list(source, span.begin, sign == '+' ? "++ to --" : "-- to ++");
    if (is_prefix)
        edit(source, span.begin, span.end - span.begin, REWRITES,
             "(mutant(%u) ? %c%c%.*s : %c%c%.*s)", number, other, other, length, operand, sign,
             sign, length, operand);
    else
        edit(source, span.begin, span.end - span.begin, REWRITES,
             "(mutant(%u) ? %.*s%c%c : %.*s%c%c)", number, length, operand, other, other, length,
             operand, sign, sign);
}

/* And not "*at++", which is a value behind a pointer. */
static bool is_step(const struct source *source, struct span span)
{
    const char *begin = source->text + span.begin, *end = source->text + span.end - 2;

    if (!strncmp(begin, "++", 2) || !strncmp(begin, "--", 2))
        return true;
    return !strchr("*&!~+-", *begin) && (!strncmp(end, "++", 2) || !strncmp(end, "--", 2));
}

/* "[3] =" in a list, or all of "{0}". */
static bool is_fixed(const struct source *source, struct span span)
{
    char before = source->text[span.begin - 1], after = source->text[span.end];

    return (before == '{' && after == '}') ||
           (before == '[' && !strncmp(source->text + span.end, "] =", 3));
}

struct walk {
    struct source *source;
    CXCursor last;
    unsigned count, index;
    bool is_body; /* of a function */
};

static enum CXChildVisitResult count_child(CXCursor child, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;

    (void)parent;
    walk->last = child;
    walk->count++;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit(CXCursor child, CXCursor parent, CXClientData data);

static void walk_into(struct source *source, CXCursor cursor, bool is_body)
{
    struct walk walk = {.source = source, .is_body = is_body};

    clang_visitChildren(cursor, count_child, &walk);
    clang_visitChildren(cursor, visit, &walk);
}

static void mutate(struct source *source, CXCursor cursor)
{
    struct span span = span_of(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    if (is_in_macro(source, span) || kind == CXCursor_UnaryExpr /* such as sizeof */ ||
        kind == CXCursor_StaticAssert)
        return;
    if (kind == CXCursor_BinaryOperator)
        mutate_binary(source, cursor, span);
    else if (kind == CXCursor_CompoundAssignOperator)
        mutate_assignment(source, cursor, span);
    else if (kind == CXCursor_IntegerLiteral && !is_fixed(source, span))
        mutate_literal(source, span);
    if (kind == CXCursor_UnaryOperator && is_step(source, span)) {
        mutate_step(source, span);
    } else if (kind == CXCursor_VarDecl) {
        CXCursor value = clang_Cursor_getVarDeclInitializer(cursor);

        if (clang_Cursor_getStorageClass(cursor) != CX_SC_Static && !clang_Cursor_isNull(value))
            mutate(source, value);
    } else {
        walk_into(source, cursor, false);
    }
}

static enum CXChildVisitResult visit(CXCursor child, CXCursor parent, CXClientData data)
{
    struct walk *walk = data;
    struct source *source = walk->source;
    unsigned index = walk->index++;
    bool is_last = index + 1 == walk->count;

    switch (clang_getCursorKind(parent)) {
    case CXCursor_CompoundStmt:
        leave_out(source, child, walk->is_body && is_last);
        break;
    case CXCursor_CaseStmt:
        if (index == 0)
            return CXChildVisit_Continue; /* its label */
        leave_out(source, child, false);
        break;
    case CXCursor_DefaultStmt:
        leave_out(source, child, false);
        break;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator:
        if (index == 0 && !is_logic(child))
            negate(source, child);
        if (index > 0 && clang_getCursorKind(parent) != CXCursor_ConditionalOperator)
            leave_out(source, child, false);
        break;
    case CXCursor_ForStmt:
        if (is_last)
            leave_out(source, child, false);
        break;
    default:
        break;
    }
    mutate(source, child);
    return CXChildVisit_Continue;
}

/* Where a return is left out, a function that has a value must not end without one. */
static void trap_at_end(struct source *source, CXCursor function, CXCursor body)
{
    if (clang_getCursorResultType(function).kind != CXType_Void)
        edit(source, span_of(body).end - 1, 0, OPENS, "__builtin_trap(); ");
}

static enum CXChildVisitResult visit_body(CXCursor child, CXCursor parent, CXClientData data)
{
    if (clang_getCursorKind(child) == CXCursor_CompoundStmt) {
        walk_into(data, child, true);
        trap_at_end(data, parent, child);
    }
    return CXChildVisit_Continue;
}

static bool is_here(const struct source *source, CXCursor cursor)
{
    CXFile file;

    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file && clang_File_isEqual(file, source->file);
}

static enum CXChildVisitResult visit_macro(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct source *source = data;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_MacroExpansion || !is_here(source, cursor))
        return CXChildVisit_Continue;
    source->macros = grow(source->macros, source->macro_count, sizeof *source->macros);
    source->macros[source->macro_count++] = span_of(cursor);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct source *source = data;
    CXString name;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl || !is_here(source, cursor))
        return CXChildVisit_Continue;
    name = clang_getCursorSpelling(cursor);
    snprintf(source->function, sizeof source->function, "%s", clang_getCString(name));
    clang_disposeString(name);
    clang_visitChildren(cursor, visit_body, source);
    return CXChildVisit_Continue;
}

/* What closes stands in the reverse order of what opened. */
static int by_offset(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->order < b->order) == (a->place == CLOSES) ? 1 : -1;
}

static void write_source(struct source *source, const char *folder)
{
    char path[4096];
    unsigned at = 0;
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, source->path);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            fail(strerror(errno), path);
        *slash = '/';
    }
    out = fopen(path, "w");
    if (!out)
        fail(strerror(errno), path);
    qsort(source->edits, source->edit_count, sizeof *source->edits, by_offset);
    for (unsigned i = 0; i < source->edit_count; i++) {
        const struct edit *edit = &source->edits[i];

        fwrite(source->text + at, 1, edit->offset - at, out);
        fputs(edit->text, out);
        at = edit->offset + edit->length;
        free(edit->text);
    }
    fwrite(source->text + at, 1, source->length - at, out);
    if (fclose(out))
        fail(strerror(errno), path);
    free(source->edits);
    free(source->macros);
}

static void mutate_source(CXIndex index, const char *path, const char *folder)
{
    static const char *const flags[] = {"-std=c17", "-D_GNU_SOURCE", "-I."};
    struct source source = {.path = path};
    CXTranslationUnit unit = clang_parseTranslationUnit(
        index, path, flags, 3, NULL, 0, CXTranslationUnit_DetailedPreprocessingRecord);
    const char *text;
    size_t length;

    if (!unit)
        fail("cannot be parsed", path);
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++)
        if (clang_getDiagnosticSeverity(clang_getDiagnostic(unit, i)) >= CXDiagnostic_Error)
            fail("has errors, or includes something that is not there", path);
    source.file = clang_getFile(unit, path);
    text = clang_getFileContents(unit, source.file, &length);
    source.length = (unsigned)length;
    source.text = strndup(text, length);
    if (!source.text)
        fail("out of memory", path);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_macro, &source);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), visit_function, &source);
    write_source(&source, folder);
    forget_listed(&source);
    free(source.text);
    clang_disposeTranslationUnit(unit);
}

static bool is_header(const char *path)
{
    return !strcmp(path + strlen(path) - 2, ".h");
}

/* "ROW(DECK_ORDER, ..." */
static void list_rows(const char *path)
{
    struct source source = {.path = path};
    FILE *in = fopen(path, "r");
    size_t size = 0;

    if (!in || getdelim(&source.text, &size, '\0', in) < 0)
        fail(strerror(errno), path);
    for (char *row = source.text; (row = strstr(row, "    ROW(")); row++) {
        snprintf(source.function, sizeof source.function, "%.*s",
                 (int)strcspn(row + strlen("    ROW("), ","), row + strlen("    ROW("));
        list(&source, (unsigned)(row - source.text), "check disabled");
    }
    fclose(in);
    forget_listed(&source);
    free(source.text);
}

int main(int argc, char **argv)
{
    CXIndex index = clang_createIndex(0, 0);

    if (argc < 3) {
        fputs("usage: mutator FOLDER SOURCE... >LIST\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (is_header(argv[i]))
            list_rows(argv[i]);
        else
            mutate_source(index, argv[i], argv[1]);
    clang_disposeIndex(index);
    return fflush(stdout) ? 2 : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/checks/book.h"

#include <inttypes.h>
#include <stdio.h>

static void write_result(struct check_book *book, const struct check_result *result)
{
    if (book->write_result && !book->status)
        book->status = book->write_result(book->context, result, &book->error);
}

void check_begin(struct check_book *book, unsigned has)
{
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        unsigned lacking = check_kinds[i].needs & ~has;
        const char *why = check_missing(lacking);

        book->is_unproven[i] = false;
        if (why)
            check_skip(book, (enum check)i, why);
        book->is_unproven[i] = lacking;
    }
    book->begun = book->counts;
    book->has_broken = false;
}

void check_broken(struct check_book *book)
{
    book->has_broken = true;
}

void check_end(struct check_book *book)
{
    const struct check_counts *begun = &book->begun, *now = &book->counts;

    for (unsigned i = 0; i < CHECK_COUNT; i++)
        if (!(check_kinds[i].needs & CHECK_NEEDS_END) && now->passed[i] == begun->passed[i] &&
            now->failed[i] == begun->failed[i] && now->skipped[i] == begun->skipped[i])
            check_skip(book, (enum check)i, book->has_broken ? CHECK_UNREACHED : CHECK_UNASKED);
}

void check_pass(struct check_book *book, enum check check)
{
    if (book->is_unproven[check])
        return;
    book->counts.passed[check]++;
    book->tally->passed++;
    if (book->write_pass && !book->status)
        book->status = book->write_pass(book->context, check_kinds[check].name, &book->error);
}

void check_fail(struct check_book *book, enum check check, struct check_result result)
{
    result.name = check_kinds[check].name;
    result.outcome = CHECK_FAIL;
    book->counts.failed[check]++;
    book->tally->failed++;
    write_result(book, &result);
    if (book->failed)
        book->failed(book->context, &result);
}

void check_skip(struct check_book *book, enum check check, const char *why)
{
    if (book->is_unproven[check])
        return;
    book->counts.skipped[check]++;
    write_result(book, &(struct check_result){
                           .name = check_kinds[check].name, .outcome = CHECK_SKIPPED, .why = why});
}

void check_number(struct check_book *book, enum check check, unsigned seat, const char *wager,
                  int64_t expected, int64_t got, const char *why)
{
    char wanted[24], found[24];

    if (expected == got) {
        check_pass(book, check);
        return;
    }
    snprintf(wanted, sizeof wanted, "%" PRId64, expected);
    snprintf(found, sizeof found, "%" PRId64, got);
    check_fail(book, check,
               (struct check_result){.seat = seat,
                                     .wager = wager,
                                     .expected = wanted,
                                     .got = found,
                                     .engine = wanted,
                                     .device = found,
                                     .why = why});
}

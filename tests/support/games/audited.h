/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an audit comes to, in whole or in part, asked for by wager and table. */
#ifndef TESTS_SUPPORT_GAMES_AUDITED_H
#define TESTS_SUPPORT_GAMES_AUDITED_H

#include "games/audit/audit.h"

/* A whole audit of the two larger games takes minutes under a sanitizer: there only samples run. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AUDITED_SLOWLY
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AUDITED_SLOWLY
#endif

struct audited {
    struct audit_entry entries[AUDIT_ENTRIES_MAX];
    size_t count;
};

/* The units from `first` to before `end`, or as many as there are. */
void audited_units(const struct audit_request *request, size_t first, size_t end,
                   struct audited *audited);

/* None: wagers that are paid by their lines alone need no unit of work. */
void audited_sides(const char *game, struct audited *audited);

/* All of them, dealt out to two threads; then `visit`, if any, sees each decision. */
void audited_whole(const struct audit_request *request, audit_row_fn visit, void *context,
                   struct audited *audited);

/* The test ends where there is no such entry. */
const struct audit_entry *audited_find(const struct audited *audited, const char *wager,
                                       const char *table);

/* These say on standard error what was not as expected. */
bool audited_reads(struct ratio ratio, unsigned decimals, const char *expected);
bool audited_edge_is(const struct audited *audited, const char *wager, const char *table,
                     unsigned decimals, const char *percent);
bool audited_share_is(const struct audit_entry *entry, const char *decision, const char *percent);

bool audited_same(struct ratio a, struct ratio b);

/* Of a line of a paytable; -1 where there is none of that name. */
int64_t audited_combinations(const struct audit_entry *entry, const char *line);

#endif

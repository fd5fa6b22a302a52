/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts that journals have. Journals of earlier versions are read for ever, so nothing is ever
 * taken out of these lists; those in tests/rigs/authenticate/earlier/ hold them to that.
 */
#include <string.h>

#include "rigs/authenticate/authenticate.h"

static const char *const protocols[] = {
    "GAT 3.50 as spoken by the public program GatHost",
};

static const char *const cautions[] = {
    "a device computes its own proof: a match shows that it can give these digests, not that this "
    "software runs in it",
};

static bool is_among(const char *text, const char *const *texts, size_t count)
{
    for (size_t i = 0; text && i < count; i++)
        if (!strcmp(text, texts[i]))
            return true;
    return false;
}

bool authenticate_is_protocol(const char *text)
{
    return is_among(text, protocols, sizeof protocols / sizeof protocols[0]);
}

bool authenticate_is_caution(const char *text)
{
    return is_among(text, cautions, sizeof cautions / sizeof cautions[0]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the proofs share. A proof is a main() that includes the source it is about and states what
 * must be so for every value of its variables that have none yet: CBMC takes those for anything. It
 * looks by itself for accesses outside an object, overflow, division by zero and loops that go on
 * for longer than the bound. The comment of each has lines for tests/prove/run: `Bound:` what is
 * proved and no more, `Options:` of CBMC, `Trusts:` what stands for a part that has a proof of its
 * own (promises.h), `Broken:` a change of a source with which it must fail.
 */
#ifndef TESTS_PROVE_PROVE_H
#define TESTS_PROVE_PROVE_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"

#define GIVEN(condition)     __CPROVER_assume(condition)
#define MUST(condition)      __CPROVER_assert(condition, #condition)
#define MAY_READ(at, count)  __CPROVER_assert(__CPROVER_r_ok(at, count), "may be read: " #at)
#define MAY_WRITE(at, count) __CPROVER_assert(__CPROVER_w_ok(at, count), "may be written: " #at)

/* The sentence of an error is no part of any proof. */
int error_set(struct error *error, enum error_code code, const char *format, ...)
{
    return code;
}

int error_refuse(struct error *error, int reason, const char *format, ...)
{
    return ERROR_RULE;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/build.h"

const char build_commit[] = DEALPROOF_COMMIT;
const char build_date[] = DEALPROOF_DATE;

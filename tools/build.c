/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/build.h"

const char build_commit[] = DEALPROOF_COMMIT;

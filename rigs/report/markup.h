/* For tools/, which include it by this name. */
#ifndef RIGS_REPORT_MARKUP_H
#define RIGS_REPORT_MARKUP_H

#include "rigs/page/markup.h"

#endif

#include "tools/number.h"

#include <errno.h>
#include <stdlib.h>

int number_read(const struct command *command, const char *option, const char *text, uint64_t low,
                uint64_t high, uint64_t *number)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < low || value > high)
        return command_usage_error(command, "%s is '%s'; it must be from %ju to %ju", option, text,
                                   (uintmax_t)low, (uintmax_t)high);
    *number = value;
    return EXIT_PASS;
}

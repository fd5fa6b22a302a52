/* rigs/emulated.yaml within the program, so that it runs wherever it is installed. */
#include <string.h>

#include "rigs/rig/rig.h"

__asm__(".pushsection .rodata\n"
        "rig_emulated:\n"
        ".incbin \"rigs/emulated.yaml\"\n"
        ".byte 0\n"
        ".popsection\n");

extern const char rig_emulated[] __attribute__((visibility("hidden")));

int rig_default(struct rig **rig, struct error *error)
{
    return rig_parse(rig, "emulated.yaml", rig_emulated, strlen(rig_emulated), error);
}

/* rigs/emulated.yaml within the program, so that it runs wherever it is installed. */
#include "rigs/rig.h"

__asm__(".pushsection .rodata\n"
        "rig_emulated_start:\n"
        ".incbin \"rigs/emulated.yaml\"\n"
        "rig_emulated_end:\n"
        ".popsection\n");

extern const char rig_emulated_start[] __attribute__((visibility("hidden")));
extern const char rig_emulated_end[] __attribute__((visibility("hidden")));

int rig_default(struct rig **rig, struct error *error)
{
    return rig_parse(rig, "emulated.yaml", rig_emulated_start,
                     (size_t)(rig_emulated_end - rig_emulated_start), error);
}

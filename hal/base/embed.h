/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of the tree within the program, so that it runs wherever it is installed. `name` becomes a
 * text of the file that says EMBED_TEXT(), with a NUL after it; `path` counts from the top of the
 * tree and is written out, for make finds it there and builds again when the file changes.
 */
#ifndef HAL_BASE_EMBED_H
#define HAL_BASE_EMBED_H

#define EMBED_TEXT(name, path)                                                                     \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" path "\"\n.byte 0\n.popsection\n");     \
    extern const char name[] __attribute__((visibility("hidden")))

#endif

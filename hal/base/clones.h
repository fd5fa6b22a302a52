/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EACH_VECTOR_WIDTH before a function has it compiled with and without AVX2. Which of them is
 * chosen while the program is loaded, when ThreadSanitizer cannot be called yet.
 */
#ifndef HAL_BASE_CLONES_H
#define HAL_BASE_CLONES_H

#ifndef __has_feature /* clang's way to say it */
#define __has_feature(name) 0
#endif
#if defined(__x86_64__) && defined(__gnu_linux__) && __has_attribute(target_clones) &&             \
    !defined(__SANITIZE_THREAD__) && !__has_feature(thread_sanitizer)
#define EACH_VECTOR_WIDTH __attribute__((target_clones("avx2", "default")))
#else
#define EACH_VECTOR_WIDTH
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who writes a journal is alone, and what is not on the disk yet is not shown to who follows. */
#include "rigs/station/feed.h"

#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "hal/base/veil.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

TEST(a_journal_has_one_writer)
{
    char path[SCRATCH_PATH_SIZE];
    int one, other;

    scratch_path(path);
    one = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    other = open(path, O_WRONLY | O_CLOEXEC);
    CU_ASSERT_TRUE(veil_lock(one));
    CU_ASSERT_TRUE(veil_lock(one));
    CU_ASSERT_FALSE(veil_lock(other));
    close(one);
    CU_ASSERT_TRUE(veil_lock(other));
    close(other);
    unlink(path);
}

TEST(a_veiled_line_is_not_shown_until_the_veil_is_lifted)
{
    char path[SCRATCH_PATH_SIZE], block[FEED_BLOCK], told[256];
    int writer, watch;
    struct feed *feed;

    scratch_path(path);
    writer = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    CU_ASSERT_EQUAL(write(writer, "one\ntwo\n", 8), 8);
    feed = feed_new(open(path, O_RDONLY | O_CLOEXEC), &(struct server_run){0});
    CU_ASSERT_PTR_NOT_NULL_FATAL(feed);
    CU_ASSERT_EQUAL(veil_find(feed->fd), -1);
    veil_draw(writer, 8);
    CU_ASSERT_EQUAL(write(writer, "three\n", 6), 6);
    CU_ASSERT_EQUAL(veil_find(feed->fd), 8);
    feed_grow(feed, block);
    CU_ASSERT_EQUAL(feed->lines, 2);
    CU_ASSERT_TRUE(feed->is_at_end);
    watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    CU_ASSERT_TRUE(inotify_add_watch(watch, path, IN_MODIFY) >= 0);
    veil_lift(writer, 14);
    CU_ASSERT_TRUE(read(watch, told, sizeof told) > 0);
    feed_grow(feed, block);
    CU_ASSERT_EQUAL(feed->lines, 3);
    CU_ASSERT_EQUAL(lseek(writer, 0, SEEK_END), 14);
    feed_free(feed);
    close(watch);
    close(writer);
    unlink(path);
}

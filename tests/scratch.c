#include "tests/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"

void scratch_path(char path[SCRATCH_PATH_SIZE])
{
    strcpy(path, "/tmp/dealproof-test.XXXXXX");
    close(mkstemp(path));
    unlink(path);
}

char *scratch_read(const char *path, size_t *length)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *text;

    CU_ASSERT_FATAL(fd >= 0 && !fstat(fd, &status));
    *length = (size_t)status.st_size;
    text = malloc(*length + 1);
    CU_ASSERT_FATAL(text && read(fd, text, *length) == (ssize_t)*length);
    text[*length] = '\0';
    close(fd);
    return text;
}

void scratch_write(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, length) == (ssize_t)length);
    close(fd);
}

/* A disk that fails at its n-th write: preloaded into a process, told by fault_at(n, kind).
   kind 1: EIO, 2: ENOSPC, 3: half is written and then EIO, 4: slow, 5: the process is killed before,
   6: half is written and the process is killed. Only writes to files are counted.
   7: from the n-th sync on every sync fails, though all was written; only syncs are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1, count = 0;
static int kind = 0;

void fault_at(long n, int k) { left = n; kind = k; count = 0; }
long writes_so_far(void) { return count; }

static int is_file(int fd) {
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
}

/* 0: go on; 1: fail with errno; 2: half, then fail; 3: half, then die */
static int due(void) {
    if (kind == 7) return 0;
    count++;
    if (left < 0 || left-- != 0) return 0;
    switch (kind) {
    case 1: errno = EIO; return 1;
    case 2: errno = ENOSPC; return 1;
    case 3: return 2;
    case 4: usleep(300000); return 0;
    case 5: kill(getpid(), SIGKILL);
    case 6: return 3;
    }
    return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t after_half(int what, ssize_t written) {
    if (what == 3) kill(getpid(), SIGKILL);
    (void)written;
    errno = EIO;
    return -1;
}

ssize_t write(int fd, const void *data, size_t n) {
    int what = is_file(fd) ? due() : 0;
    if (what == 1) return -1;
    if (what) return after_half(what, REAL(write)(fd, data, n / 2));
    return REAL(write)(fd, data, n);
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at) {
    int what = due();
    if (what == 1) return -1;
    if (what) return after_half(what, REAL(pwrite64)(fd, data, n / 2, at));
    return REAL(pwrite64)(fd, data, n, at);
}

static int is_synced_no_more(void) {
    if (kind != 7) return 0;
    if (left > 0) { left--; return 0; }
    errno = EIO;
    return 1;
}

int fsync(int fd) {
    if (is_synced_no_more()) return -1;
    int what = due();
    if (what) return (int)after_half(what, 0);
    return REAL(fsync)(fd);
}

int fdatasync(int fd) {
    if (is_synced_no_more()) return -1;
    int what = due();
    if (what) return (int)after_half(what, 0);
    return REAL(fdatasync)(fd);
}

int ftruncate64(int fd, off64_t n) {
    int what = due();
    if (what) return (int)after_half(what, 0);
    return REAL(ftruncate64)(fd, n);
}

int rename(const char *from, const char *to) {
    int what = due();
    if (what) return (int)after_half(what, 0);
    return REAL(rename)(from, to);
}

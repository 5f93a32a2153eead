// A power cut, rehearsed: whatever a process that loads this makes durable is copied into a shadow, and nothing else is.
//
// fsync(2), fdatasync(2), syncfs(2) and sync(2) are trapped by seccomp(2), whether they come through the C library or
// not. In their place the contents of the file, the names of the folder, or all of both below POWERCUT_ROOT are copied
// below POWERCUT_SHADOW. A test kills every process and builds the folder anew from the shadow
// (crates/testkit/src/power.rs). POWERCUT_DEAF names calls that are answered and do nothing: `fsync`, `syncfs`.
// docs/decisions/13-power-cut.md says what is modelled and why.
//
// The handler runs in the place of a system call, not at any instruction, so that it may call whatever needs no heap.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define ARGUMENT(frame) ((frame)->uc_mcontext.gregs[REG_RDI])
#define ANSWER(frame) ((frame)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define ARGUMENT(frame) ((frame)->uc_mcontext.regs[0])
#define ANSWER(frame) ((frame)->uc_mcontext.regs[0])
#else
#error "Say here where this processor keeps the arguments of a system call."
#endif

enum { BLOCK = 32 << 10, KEY = 64 };

// A file that was written to this short before it was copied may be written to again without a newer time.
static const int64_t RACY_NS = 100 * 1000 * 1000;

static char root[PATH_MAX];
static char shadow[PATH_MAX];
static int deaf_to_fsync, deaf_to_syncfs;

// A rehearsal that cannot be held must not look like one that went well.
static void give_up(const char *what)
{
    dprintf(2, "powercut: %s: %s\n", what, strerror(errno));
    abort();
}

// An inode's number comes again when its file is gone; together with the time of its making it does not.
static void key_of(const struct statx *is, char key[KEY])
{
    if (!(is->stx_mask & STATX_BTIME)) {
        errno = ENOTSUP;
        give_up("the file system does not tell when a file was made");
    }
    snprintf(key, KEY, "%llu-%lld.%09u", (unsigned long long)is->stx_ino, (long long)is->stx_btime.tv_sec,
             is->stx_btime.tv_nsec);
}

static int look(int folder, const char *name, int flags, struct statx *is)
{
    return statx(folder, name, flags | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, is);
}

static int64_t age_ns(const struct statx *is)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - is->stx_mtime.tv_sec) * INT64_C(1000000000) + now.tv_nsec - (int64_t)is->stx_mtime.tv_nsec;
}

// Blocks go from the front to the back, as a file grows on the disk: killed here, it is as after half an fsync.
static off_t copy_blocks(int file, int kept)
{
    char fresh[BLOCK], old[BLOCK];
    off_t at = 0;
    for (;;) {
        ssize_t read = pread(file, fresh, BLOCK, at);
        if (read < 0)
            give_up("a file cannot be read");
        if (read == 0)
            return at;
        if (pread(kept, old, (size_t)read, at) != read || memcmp(fresh, old, (size_t)read) != 0) {
            if (pwrite(kept, fresh, (size_t)read, at) != read)
                give_up("the shadow cannot be written");
        }
        at += read;
    }
}

// Copies what a file holds. One that was copied when it had lain for a moment, and has its size and time still, is as
// it was.
static void keep_file(int file, const struct statx *is)
{
    char key[KEY], path[PATH_MAX + KEY + 8];
    struct stat was;
    key_of(is, key);
    snprintf(path, sizeof path, "%s/files/%s", shadow, key);
    int kept = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (kept < 0 || fstat(kept, &was) != 0)
        give_up("the shadow cannot be opened");
    int same = was.st_size == (off_t)is->stx_size && was.st_mtim.tv_sec == is->stx_mtime.tv_sec &&
               was.st_mtim.tv_nsec == (long)is->stx_mtime.tv_nsec;
    if (!same) {
        int settled = age_ns(is) > RACY_NS;
        off_t end = copy_blocks(file, kept);
        if (end < was.st_size && ftruncate(kept, end) != 0)
            give_up("the shadow cannot be cut");
        struct timespec times[2] = {{0, UTIME_OMIT}, {0, 0}};
        if (settled) {
            times[1].tv_sec = is->stx_mtime.tv_sec;
            times[1].tv_nsec = is->stx_mtime.tv_nsec;
        }
        if (futimens(kept, times) != 0)
            give_up("the shadow cannot be dated");
    }
    close(kept);
}

struct names {
    int file;
    size_t length;
    char text[BLOCK / 4];
};

static void flush_names(struct names *names)
{
    if (write(names->file, names->text, names->length) != (ssize_t)names->length)
        give_up("the names of a folder cannot be kept");
    names->length = 0;
}

static void keep_name(struct names *names, const struct statx *is, const char *name)
{
    char key[KEY], line[KEY + NAME_MAX + 32];
    key_of(is, key);
    char kind = S_ISDIR(is->stx_mode) ? 'd' : S_ISREG(is->stx_mode) ? 'f' : 'x';
    // Ended by a zero byte, which no name holds.
    int length = snprintf(line, sizeof line, "%c %s %o %s", kind, key, is->stx_mode & 07777, name) + 1;
    if (names->length + (size_t)length > sizeof names->text)
        flush_names(names);
    memcpy(names->text + names->length, line, (size_t)length);
    names->length += (size_t)length;
}

typedef void each_entry(int folder, const struct statx *is, const char *name, void *with);

static void walk(int folder, each_entry *each, void *with)
{
    // A descriptor of its own: the caller's may stand anywhere.
    int reading = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (reading < 0) {
        // A folder that was removed meanwhile holds nothing.
        if (errno == ENOENT)
            return;
        give_up("a folder cannot be read");
    }
    _Alignas(struct dirent64) char found[BLOCK / 4];
    ssize_t read;
    while ((read = getdents64(reading, found, sizeof found)) > 0) {
        for (ssize_t at = 0; at < read;) {
            struct dirent64 *entry = (struct dirent64 *)(found + at);
            struct statx is;
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            // What went away since is not there.
            if (look(reading, entry->d_name, 0, &is) == 0)
                each(reading, &is, entry->d_name, with);
        }
    }
    close(reading);
}

static void name_entry(int folder, const struct statx *is, const char *name, void *with)
{
    (void)folder;
    keep_name(with, is, name);
}

// The names of a folder change at once, as in a journal.
static void keep_names(int folder, const struct statx *is)
{
    char key[KEY], path[PATH_MAX + KEY + 8], draft[PATH_MAX + 32];
    key_of(is, key);
    snprintf(path, sizeof path, "%s/names/%s", shadow, key);
    snprintf(draft, sizeof draft, "%s/draft", shadow);
    struct names names;
    names.length = 0;
    names.file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (names.file < 0)
        give_up("the names of a folder cannot be kept");
    walk(folder, name_entry, &names);
    flush_names(&names);
    close(names.file);
    if (rename(draft, path) != 0)
        give_up("the names of a folder cannot be kept");
}

static void keep_all(int folder, const struct statx *is);

static void keep_entry(int folder, const struct statx *is, const char *name, void *with)
{
    (void)with;
    if (!S_ISDIR(is->stx_mode) && !S_ISREG(is->stx_mode))
        return;
    int entry = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct statx now;
    if (entry < 0 || look(entry, "", AT_EMPTY_PATH, &now) != 0) {
        if (entry < 0 && errno == ENOENT)
            return;
        give_up("a file cannot be opened");
    }
    if (S_ISDIR(now.stx_mode))
        keep_all(entry, &now);
    else
        keep_file(entry, &now);
    close(entry);
}

static void keep_all(int folder, const struct statx *is)
{
    walk(folder, keep_entry, NULL);
    keep_names(folder, is);
}

// One at a time, over all processes; whoever is killed gives it back.
static int lock(void)
{
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/lock", shadow);
    int held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (held < 0)
        give_up("the shadow cannot be locked");
    while (flock(held, LOCK_EX) != 0) {
        if (errno != EINTR)
            give_up("the shadow cannot be locked");
    }
    return held;
}

static long on_whole(void)
{
    struct statx is;
    if (deaf_to_syncfs)
        return 0;
    int held = lock();
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || look(folder, "", AT_EMPTY_PATH, &is) != 0)
        give_up("the folder under test cannot be opened");
    keep_all(folder, &is);
    close(folder);
    close(held);
    return 0;
}

static int is_below_root(int file)
{
    char link[64], path[PATH_MAX];
    size_t length = strlen(root);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t read = readlink(link, path, sizeof path - 1);
    if (read < 0)
        return 0;
    path[read] = 0;
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static long on_one(int file)
{
    struct statx is;
    char link[64];
    if (look(file, "", AT_EMPTY_PATH, &is) != 0)
        return -errno;
    if (deaf_to_fsync || !is_below_root(file) || !(S_ISREG(is.stx_mode) || S_ISDIR(is.stx_mode)))
        return 0;
    int held = lock();
    // The caller's may be for writing alone.
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int reading = open(link, O_RDONLY | O_CLOEXEC);
    // Again, under the lock: another call may have copied something newer meanwhile.
    if (reading < 0 || look(reading, "", AT_EMPTY_PATH, &is) != 0)
        give_up("a file cannot be read");
    if (S_ISDIR(is.stx_mode))
        keep_names(reading, &is);
    else
        keep_file(reading, &is);
    close(reading);
    close(held);
    return 0;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    int saved = errno;
    ucontext_t *frame = context;
    switch (info->si_syscall) {
    case __NR_fsync:
    case __NR_fdatasync:
        ANSWER(frame) = on_one((int)ARGUMENT(frame));
        break;
    case __NR_syncfs:
    case __NR_sync:
        ANSWER(frame) = on_whole();
        break;
    default:
        errno = ENOSYS;
        give_up("a call that nobody asked to be trapped");
    }
    errno = saved;
}

#define TRAP(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)

static void trap(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        TRAP(__NR_fsync),
        TRAP(__NR_fdatasync),
        TRAP(__NR_syncfs),
        TRAP(__NR_sync),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    if (sigaction(SIGSYS, &action, NULL) != 0)
        give_up("the trap cannot be answered");
    // Programs started from here keep the filter. One that does not load this is killed by it, so that no sync of
    // anybody goes unseen.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        give_up("the trap cannot be set");
}

__attribute__((constructor)) static void begin(void)
{
    const char *live = getenv("POWERCUT_ROOT"), *kept = getenv("POWERCUT_SHADOW"), *deaf = getenv("POWERCUT_DEAF");
    if (!live || !kept || strlen(live) >= sizeof root || strlen(kept) >= sizeof shadow) {
        errno = EINVAL;
        give_up("POWERCUT_ROOT and POWERCUT_SHADOW name two folders");
    }
    strcpy(root, live);
    strcpy(shadow, kept);
    deaf_to_fsync = deaf && strstr(deaf, "fsync") != NULL;
    deaf_to_syncfs = deaf && strstr(deaf, "syncfs") != NULL;
    trap();
}

/* Makes the n-th call of one kind fail, or come short, in a process and all that it forks.

   Preloaded before the C library. Nothing happens before fault_start is called; calls are counted in
   memory that is shared with forked processes, so that only one of them all is hit. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, READ, PREAD, WRITE, FSYNC, RENAME, MKDIR, FORK, CLOSE, MMAP, ALLOC, CORE, ARRAY, KINDS };

/* In shared memory. */
struct state {
    int kind, nth, error, is_lasting, from_fork;
    int counts[KINDS];
    int n_hits, descriptor;
};

static struct state *state;

#define REAL(type, name, ...)                                          \
    static type (*real)(__VA_ARGS__);                                  \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, name)

static struct state *prepared;

/* Kind -1: nothing fails, and calls are counted. Error -1: the call comes short. From_fork: calls
   before the first fork are not counted, so that a fault that is met is met with workers. */
int fault_prepare(int kind, int nth, int error, int is_lasting, int from_fork)
{
    if (!prepared)
        prepared = (struct state *)syscall(
            SYS_mmap, NULL, sizeof *prepared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (prepared == MAP_FAILED) return -1;
    *prepared = (struct state){kind, nth, error, is_lasting, from_fork, {0}, 0, -1};
    return 0;
}

void fault_start(void) { state = prepared; }

int fault_count(int kind) { return prepared->counts[kind]; }
int fault_hits(void) { return prepared->n_hits; }
int fault_descriptor(void) { return prepared->descriptor; }

/* Whether this call is the one. */
static int is_hit(enum kind kind, int descriptor)
{
    struct state *now = state;
    if (!now) return 0;
    if (now->from_fork && kind != FORK && !__atomic_load_n(&now->counts[FORK], __ATOMIC_SEQ_CST)) return 0;
    int number = __atomic_add_fetch(&now->counts[kind], 1, __ATOMIC_SEQ_CST);
    if ((int)kind != now->kind || number < now->nth || (number > now->nth && !now->is_lasting)) return 0;
    /* A full disk does not keep anybody from saying so. */
    if (number > now->nth && kind == WRITE && descriptor == 2 && now->descriptor != 2) return 0;
    if (!__atomic_fetch_add(&now->n_hits, 1, __ATOMIC_SEQ_CST)) now->descriptor = descriptor;
    return 1;
}

static int fails(enum kind kind, int descriptor)
{
    if (!is_hit(kind, descriptor)) return 0;
    errno = state->error;
    return state->error > 0;
}

static int open_flags_need_mode(int flags) { return flags & (O_CREAT | __O_TMPFILE); }

#define OPEN_CALL(name)                                                \
    int name(const char *path, int flags, ...)                         \
    {                                                                  \
        REAL(int, #name, const char *, int, ...);                      \
        mode_t mode = 0;                                               \
        if (open_flags_need_mode(flags)) {                             \
            va_list rest;                                              \
            va_start(rest, flags);                                     \
            mode = va_arg(rest, mode_t);                               \
            va_end(rest);                                              \
        }                                                              \
        return fails(OPEN, -1) ? -1 : real(path, flags, mode);         \
    }

OPEN_CALL(open)
OPEN_CALL(open64)

DIR *opendir(const char *path)
{
    REAL(DIR *, "opendir", const char *);
    return fails(OPEN, -1) ? NULL : real(path);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    REAL(int, "socketpair", int, int, int, int[2]);
    return fails(OPEN, -1) ? -1 : real(domain, type, protocol, ends);
}

int pipe(int ends[2])
{
    REAL(int, "pipe", int[2]);
    return fails(OPEN, -1) ? -1 : real(ends);
}

int pipe2(int ends[2], int flags)
{
    REAL(int, "pipe2", int[2], int);
    return fails(OPEN, -1) ? -1 : real(ends, flags);
}

/* Half of what is asked for, and at least one byte. */
static size_t less(enum kind kind, int descriptor, size_t size, int *failed)
{
    *failed = 0;
    if (!is_hit(kind, descriptor)) return size;
    if (state->error > 0) {
        errno = state->error;
        *failed = 1;
    }
    return size > 1 ? size / 2 : size;
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    REAL(ssize_t, "read", int, void *, size_t);
    int failed;
    size = less(READ, descriptor, size, &failed);
    return failed ? -1 : real(descriptor, buffer, size);
}

/* Reads at a place: each function under the names for small and for large files. */
#define PREAD_CALL(name)                                                        \
    ssize_t name(int descriptor, void *buffer, size_t size, off_t place)        \
    {                                                                           \
        REAL(ssize_t, #name, int, void *, size_t, off_t);                       \
        int failed;                                                             \
        size = less(PREAD, descriptor, size, &failed);                          \
        return failed ? -1 : real(descriptor, buffer, size, place);             \
    }

PREAD_CALL(pread)
PREAD_CALL(pread64)

/* Coming short, it fills a part of the first buffer. */
static const struct iovec *less_of(int descriptor, const struct iovec *buffers, int *n_buffers,
                                   struct iovec *first, int *failed)
{
    if (*n_buffers < 1) return buffers;
    *first = *buffers;
    first->iov_len = less(PREAD, descriptor, buffers->iov_len, failed);
    if (first->iov_len == buffers->iov_len) return buffers;
    *n_buffers = 1;
    return first;
}

#define PREADV_CALL(name)                                                                      \
    ssize_t name(int descriptor, const struct iovec *buffers, int n_buffers, off_t place)      \
    {                                                                                          \
        REAL(ssize_t, #name, int, const struct iovec *, int, off_t);                           \
        struct iovec first;                                                                    \
        int failed = 0;                                                                        \
        buffers = less_of(descriptor, buffers, &n_buffers, &first, &failed);                   \
        return failed ? -1 : real(descriptor, buffers, n_buffers, place);                      \
    }

PREADV_CALL(preadv)
PREADV_CALL(preadv64)

#define PREADV2_CALL(name)                                                                     \
    ssize_t name(int descriptor, const struct iovec *buffers, int n_buffers, off_t place,      \
                 int flags)                                                                    \
    {                                                                                          \
        REAL(ssize_t, #name, int, const struct iovec *, int, off_t, int);                      \
        struct iovec first;                                                                    \
        int failed = 0;                                                                        \
        buffers = less_of(descriptor, buffers, &n_buffers, &first, &failed);                   \
        return failed ? -1 : real(descriptor, buffers, n_buffers, place, flags);               \
    }

PREADV2_CALL(preadv2)
PREADV2_CALL(preadv64v2)

ssize_t recv(int descriptor, void *buffer, size_t size, int flags)
{
    REAL(ssize_t, "recv", int, void *, size_t, int);
    int failed;
    size = less(READ, descriptor, size, &failed);
    return failed ? -1 : real(descriptor, buffer, size, flags);
}

ssize_t write(int descriptor, const void *buffer, size_t size)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    int failed;
    size = less(WRITE, descriptor, size, &failed);
    return failed ? -1 : real(descriptor, buffer, size);
}

ssize_t send(int descriptor, const void *buffer, size_t size, int flags)
{
    REAL(ssize_t, "send", int, const void *, size_t, int);
    int failed;
    size = less(WRITE, descriptor, size, &failed);
    return failed ? -1 : real(descriptor, buffer, size, flags);
}

int fsync(int descriptor)
{
    REAL(int, "fsync", int);
    return fails(FSYNC, descriptor) ? -1 : real(descriptor);
}

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    return fails(RENAME, -1) ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    REAL(int, "mkdir", const char *, mode_t);
    return fails(MKDIR, -1) ? -1 : real(path, mode);
}

pid_t fork(void)
{
    REAL(pid_t, "fork", void);
    return fails(FORK, -1) ? -1 : real();
}

/* As on Linux, the descriptor is closed all the same. */
int close(int descriptor)
{
    REAL(int, "close", int);
    int closed = real(descriptor);
    return fails(CLOSE, descriptor) ? -1 : closed;
}

void *mmap(void *place, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    REAL(void *, "mmap", void *, size_t, int, int, int, off_t);
    if (fails(MMAP, descriptor)) return MAP_FAILED;
    return real(place, size, protection, flags, descriptor, offset);
}

#ifdef __GLIBC__
/* Of all allocations only large ones are counted, as not even Python survives each of the small ones, nor
   NumPy those of its buffers of 64 and 128 KiB, which it does not check. Those that the compiled core asks for
   are counted whatever their size. As dlsym allocates, the library's own names are used. */
enum { LARGE = (1 << 17) + 1 };

static char *core_begin, *core_end;

/* Where the code of the compiled core stands. */
void fault_core(void *begin, void *end)
{
    core_begin = begin;
    core_end = end;
}

static int is_core(void *caller) { return (char *)caller >= core_begin && (char *)caller < core_end; }

#define LACKS(size) \
    ((is_core(__builtin_return_address(0)) && fails(CORE, -1)) || ((size) >= LARGE && fails(ALLOC, -1)))

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return LACKS(size) ? NULL : __libc_malloc(size); }

void *calloc(size_t number, size_t size)
{
    return LACKS(number * size) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *place, size_t size) { return LACKS(size) ? NULL : __libc_realloc(place, size); }
#endif

/* What holds the numbers of NumPy's arrays: a PyDataMem_Handler, whose layout is a part of its interface. */
static void *array_malloc(void *context, size_t size)
{
    (void)context;
    return fails(ARRAY, -1) ? NULL : malloc(size);
}

static void *array_calloc(void *context, size_t number, size_t size)
{
    (void)context;
    return fails(ARRAY, -1) ? NULL : calloc(number, size);
}

static void *array_realloc(void *context, void *place, size_t size)
{
    (void)context;
    return fails(ARRAY, -1) ? NULL : realloc(place, size);
}

static void array_free(void *context, void *place, size_t size)
{
    (void)context;
    (void)size;
    free(place);
}

struct {
    char name[127];
    unsigned char version;
    struct {
        void *context;
        void *(*malloc)(void *, size_t);
        void *(*calloc)(void *, size_t, size_t);
        void *(*realloc)(void *, void *, size_t);
        void (*free)(void *, void *, size_t);
    } allocator;
} fault_arrays = {"faults", 1, {NULL, array_malloc, array_calloc, array_realloc, array_free}};

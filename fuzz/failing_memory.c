/* Allocation that fails when it is told to: in the fuzzed core this stands for that of C. */
#include <stdlib.h>

static long left = -1;

/* Let the call after the next `calls` ones fail, and that one alone; negative: none. */
void fail_after(long calls)
{
    left = calls;
}

static int fails(void)
{
    return left >= 0 && left-- == 0;
}

void *failing_malloc(size_t size)
{
    return fails() ? NULL : malloc(size);
}

void *failing_calloc(size_t count, size_t size)
{
    return fails() ? NULL : calloc(count, size);
}

void *failing_realloc(void *items, size_t size)
{
    return fails() ? NULL : realloc(items, size);
}

// Daisy, the toy file system on which Kahlon, Gupta and Sinha (CAV 2006) measured their reduction,
// written for latchwork from a description of what it does: a byte disk whose transfers follow a
// seek, a lock for every inode, block and file behind a lock manager, a bit map of the allocated
// blocks with eight to a byte, and names in the first inode's file.
//
// Macros choose sizes, repairs and what the two threads do:
//   NI NB BS         inodes, blocks, bytes of a block
//   NUMBER           bytes of a number on the disk
//   ENTRIES NAME     entries of the directory, bytes of a name (with DIRECTORY)
//   FILES            files that exist before the threads start
//   SETUP            what happens after that and before they start
//   FIRST SECOND     what the threads call
//   FINALLY          what happens when both have ended
//   DISK_REPAIRED    seek and transfer are one: a lock around both
//   MAP_REPAIRED     the update of a byte of the bit map is one: a lock around it
//   UNLINK_REPAIRED  a file that does not exist is not unlinked
//   CHECK_SEEK       asserts that a transfer is where its own seek went
//   CHECK_DISK       asserts in the end that the bit map and the inodes agree
// `updating[b]` is set while a thread is inside the update of block b's bit: the allocation races
// are violations of `invariant:!(updating[0] && updating[1])` and the like.

#include <assert.h>
#include <pthread.h>

#ifndef NI
#define NI 2
#endif
#ifndef NB
#define NB 2
#endif
#ifndef BS
#define BS 1
#endif
#ifndef NUMBER
#define NUMBER 1
#endif
#ifndef FILES
#define FILES 2
#endif
#ifndef FIRST
#define FIRST daisy_unlink(0)
#endif
#ifndef SECOND
#define SECOND daisy_unlink(1)
#endif

enum { NO_FILE = -2, EXISTS = -17, TOO_LARGE = -27, NO_SPACE = -28 };

// ---- The monitor under every lock: a token that is held only while the flag changes.

struct monitor {
    pthread_mutex_t token;
    pthread_cond_t free;
    _Bool made, held;
};

static void monitor_make(struct monitor *m) {
    pthread_mutex_init(&m->token, 0);
    pthread_cond_init(&m->free, 0);
    m->made = 1;
}

static void monitor_acquire(struct monitor *m) {
    pthread_mutex_lock(&m->token);
    while (m->held)
        pthread_cond_wait(&m->free, &m->token);
    m->held = 1;
    pthread_mutex_unlock(&m->token);
}

static void monitor_release(struct monitor *m) {
    pthread_mutex_lock(&m->token);
    m->held = 0;
    pthread_cond_signal(&m->free);
    pthread_mutex_unlock(&m->token);
}

// ---- The lock manager: locks by number, made when they are first asked for.

#define INODE_LOCK(i) (i)
#define BLOCK_LOCK(b) (NI + (b))
#define FILE_LOCK(i) (NI + NB + (i))
#define LOCKS (NI + NB + NI)

static struct monitor slot[LOCKS];
static struct monitor making = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1, 0};

static void lock(int number) {
    if (!__atomic_load_n(&slot[number].made, __ATOMIC_SEQ_CST)) {
        monitor_acquire(&making);
        if (!slot[number].made)
            monitor_make(&slot[number]);
        monitor_release(&making);
    }
    monitor_acquire(&slot[number]);
}

static void unlock(int number) { monitor_release(&slot[number]); }

// ---- The disk: one position for all, a seek and then a transfer.

#define INODE_SIZE (2 * NUMBER + 1)
#define INODE_AT(i) ((i) * INODE_SIZE)
#define BLOCK_AT(b) (NI * INODE_SIZE + (b) * BS)
#define MAP_AT(b) (NI * INODE_SIZE + NB * BS + (b) / 8)
#define DISK_SIZE (NI * INODE_SIZE + NB * BS + (NB + 7) / 8)

static unsigned char disk[DISK_SIZE];
static unsigned position;

#ifdef DISK_REPAIRED
static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER;
#define DISK_LOCK pthread_mutex_lock(&disk_lock)
#define DISK_UNLOCK pthread_mutex_unlock(&disk_lock)
#else
#define DISK_LOCK
#define DISK_UNLOCK
#endif

#ifdef CHECK_SEEK
#define SOUGHT(address) assert(position == (address))
#else
#define SOUGHT(address)
#endif

static unsigned char disk_read(unsigned address) {
    unsigned char byte;
    DISK_LOCK;
    position = address;
    SOUGHT(address);
    byte = disk[position];
    DISK_UNLOCK;
    return byte;
}

static void disk_write(unsigned address, unsigned char byte) {
    DISK_LOCK;
    position = address;
    SOUGHT(address);
    disk[position] = byte;
    DISK_UNLOCK;
}

#if NUMBER > 4
typedef unsigned long number_t;
#else
typedef unsigned number_t;
#endif

static number_t read_number(unsigned address) {
    number_t number = 0;
    for (int k = 0; k < NUMBER; k++)
        number |= (number_t)disk_read(address + k) << 8 * k;
    return number;
}

static void write_number(unsigned address, number_t number) {
    for (int k = 0; k < NUMBER; k++)
        disk_write(address + k, number >> 8 * k & 0xff);
}

// ---- Inodes and blocks.

struct inode {
    int number;
    number_t block, size;
    _Bool used;
};

static struct inode inode_get(int number) {
    struct inode inode;
    lock(INODE_LOCK(number));
    inode.number = number;
    inode.block = read_number(INODE_AT(number));
    inode.size = read_number(INODE_AT(number) + NUMBER);
    inode.used = disk_read(INODE_AT(number) + 2 * NUMBER);
    return inode;
}

static void inode_write(struct inode *inode) {
    write_number(INODE_AT(inode->number), inode->block);
    write_number(INODE_AT(inode->number) + NUMBER, inode->size);
    disk_write(INODE_AT(inode->number) + 2 * NUMBER, inode->used);
}

static void inode_release(struct inode *inode) { unlock(INODE_LOCK(inode->number)); }

static void inode_put(struct inode *inode) {
    inode_write(inode);
    inode_release(inode);
}

static _Bool updating[NB];

#ifdef MAP_REPAIRED
static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;
#define MAP_LOCK pthread_mutex_lock(&map_lock)
#define MAP_UNLOCK pthread_mutex_unlock(&map_lock)
#else
#define MAP_LOCK
#define MAP_UNLOCK
#endif

static _Bool bit_is_set(int block) { return disk_read(MAP_AT(block)) >> block % 8 & 1; }

static void bit_update(int block, _Bool value) {
    MAP_LOCK;
    updating[block] = 1;
    unsigned char byte = disk_read(MAP_AT(block));
    if (value)
        byte |= 1 << block % 8;
    else
        byte &= ~(1 << block % 8);
    disk_write(MAP_AT(block), byte);
    updating[block] = 0;
    MAP_UNLOCK;
}

static int block_allocate(void) {
    for (int block = 0; block < NB; block++) {
        lock(BLOCK_LOCK(block));
        if (!bit_is_set(block)) {
            bit_update(block, 1);
            unlock(BLOCK_LOCK(block));
            return block;
        }
        unlock(BLOCK_LOCK(block));
    }
    return -1;
}

static void block_free(int block) {
    lock(BLOCK_LOCK(block));
    bit_update(block, 0);
    unlock(BLOCK_LOCK(block));
}

// ---- Files by number.

static int daisy_creat(void) {
    for (int number = 0; number < NI; number++) {
        struct inode inode = inode_get(number);
        if (inode.used) {
            inode_release(&inode);
            continue;
        }
        int block = block_allocate();
        if (block < 0) {
            inode_put(&inode);
            return NO_SPACE;
        }
        inode.used = 1;
        inode.block = block;
        inode.size = 0;
        inode_put(&inode);
        return number;
    }
    return NO_SPACE;
}

static int daisy_unlink(int number) {
    if (number < 0 || number >= NI)
        return NO_FILE;
    struct inode inode = inode_get(number);
#ifdef UNLINK_REPAIRED
    if (!inode.used) {
        inode_release(&inode);
        return NO_FILE;
    }
#endif
    inode.used = 0;
    block_free(inode.block);
    inode_put(&inode);
    return 0;
}

static int daisy_read(int number, unsigned offset, unsigned count, unsigned char *to) {
    struct inode inode = inode_get(number);
    if (!inode.used) {
        inode_release(&inode);
        return NO_FILE;
    }
    int done = 0;
    lock(BLOCK_LOCK(inode.block));
    for (unsigned k = 0; k < count && offset + k < inode.size; k++, done++)
        to[k] = disk_read(BLOCK_AT(inode.block) + offset + k);
    unlock(BLOCK_LOCK(inode.block));
    inode_release(&inode);
    return done;
}

static int daisy_write(int number, unsigned offset, unsigned count, const unsigned char *from) {
    if (offset + count > BS)
        return TOO_LARGE;
    struct inode inode = inode_get(number);
    if (!inode.used) {
        inode_release(&inode);
        return NO_FILE;
    }
    lock(BLOCK_LOCK(inode.block));
    for (unsigned k = 0; k < count; k++)
        disk_write(BLOCK_AT(inode.block) + offset + k, from[k]);
    if (inode.size < offset + count) {
        inode.size = offset + count;
        inode_write(&inode);
    }
    unlock(BLOCK_LOCK(inode.block));
    inode_release(&inode);
    return count;
}

static int daisy_size(int number) {
    struct inode inode = inode_get(number);
    int size = inode.used ? (int)inode.size : NO_FILE;
    inode_release(&inode);
    return size;
}

static int daisy_resize(int number, unsigned size) {
    struct inode inode = inode_get(number);
    if (!inode.used) {
        inode_release(&inode);
        return NO_FILE;
    }
    inode.size = size;
    inode_put(&inode);
    return 0;
}

#ifdef DIRECTORY
// ---- Names: the first inode's file holds inode numbers (plus one; 0 is no entry) and names.

#ifndef ENTRIES
#define ENTRIES 2
#endif
#ifndef NAME
#define NAME 1
#endif
#define ENTRY (1 + NAME)

struct directory {
    unsigned char entry[ENTRIES][ENTRY];
};

static void directory_open(struct directory *d) {
    lock(FILE_LOCK(0));
    if (daisy_size(0) < ENTRIES * ENTRY)
        daisy_resize(0, ENTRIES * ENTRY);
    for (int e = 0; e < ENTRIES; e++)
        daisy_read(0, e * ENTRY, ENTRY, d->entry[e]);
}

static void directory_close(struct directory *d) {
    for (int e = 0; e < ENTRIES; e++)
        daisy_write(0, e * ENTRY, ENTRY, d->entry[e]);
    unlock(FILE_LOCK(0));
}

static int directory_find(struct directory *d, const char *name) {
    for (int e = 0; e < ENTRIES; e++) {
        _Bool same = d->entry[e][0] != 0;
        for (int k = 0; k < NAME && same; k++)
            same = d->entry[e][1 + k] == (unsigned char)name[k];
        if (same)
            return e;
    }
    return -1;
}

static int dir_creat(const char *name) {
    struct directory d;
    int result = NO_SPACE;
    directory_open(&d);
    if (directory_find(&d, name) >= 0) {
        result = EXISTS;
    } else {
        for (int e = 0; e < ENTRIES; e++) {
            if (d.entry[e][0] != 0)
                continue;
            result = daisy_creat();
            if (result >= 0) {
                d.entry[e][0] = result + 1;
                for (int k = 0; k < NAME; k++)
                    d.entry[e][1 + k] = name[k];
            }
            break;
        }
    }
    directory_close(&d);
    return result;
}

static int dir_lookup(const char *name) {
    struct directory d;
    directory_open(&d);
    int e = directory_find(&d, name);
    int result = e >= 0 ? d.entry[e][0] - 1 : NO_FILE;
    directory_close(&d);
    return result;
}

static int dir_unlink(const char *name) {
    struct directory d;
    int result = NO_FILE;
    directory_open(&d);
    int e = directory_find(&d, name);
    if (e >= 0) {
        int number = d.entry[e][0] - 1;
        d.entry[e][0] = 0;
        result = daisy_unlink(number);
    }
    directory_close(&d);
    return result;
}
#endif

// ---- Two users.

static void *first(void *unused) {
    FIRST;
    return unused;
}

static void *second(void *unused) {
    SECOND;
    return unused;
}

#ifdef CHECK_DISK
static void check_disk(void) {
    for (int block = 0; block < NB; block++) {
        int owners = 0;
        for (int number = 0; number < NI; number++)
            owners += disk[INODE_AT(number) + 2 * NUMBER] && disk[INODE_AT(number)] == block;
        assert(owners == (disk[MAP_AT(block)] >> block % 8 & 1));
    }
}
#endif

int main(void) {
    pthread_t a, b;
    for (int file = 0; file < FILES; file++)
        daisy_creat();
#ifdef SETUP
    SETUP;
#endif
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef FINALLY
    FINALLY;
#endif
#ifdef CHECK_DISK
    check_disk();
#endif
    return 0;
}

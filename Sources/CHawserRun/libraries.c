/* Libraries that a program loads while it runs: dlopen.
 *
 * A library whose connections cannot be judged is named, and under `--strict` not loaded. The
 * library's file is looked at before it is loaded, and so are the files that it needs. What comes
 * by another way (a name without a slash that the loader searches for, the C library itself) is
 * named when the program next loads a library or connects.
 *
 * dlopen and dlmopen search by the folders of the object that calls them, which the C library knows
 * by the return address. So these functions jump to the real ones and do not call them:
 * Packaging/c/build.sh checks this.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "preload.h"
#include "../CProgramStart/include/unreached.h"
#include "../CProgramStart/unreached_text.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    MOST_FILES = 256,        /* looked at for one dlopen */
    MOST_NEEDED = 128,       /* libraries that one file needs */
    MOST_PARTS = 64,         /* parts of a file in memory */
    FOLDERS = 4 * PATH_MAX,  /* the folders that a library is searched in */
    SMALLEST = 200 << 10,    /* a file with a TLS library inside is larger */
    MOST_SEARCHED = 1 << 30
};

/* ----------------------------------------------------------------------------- loaded libraries */

struct loaded {
    int has_openssl;        /* libssl.so.3 */
    const char *unreached;  /* why the program cannot be reached, whatever else is there */
    const char *other;      /* why not, unless libssl.so.3 is there too */
    int is_first;
};

static const char *base_name(const char *path) {
    const char *name = strrchr(path, '/');
    return name == NULL ? path : name + 1;
}

static const struct unreached *row_of(const char *name) {
    for (const struct unreached *row = unreached_libraries; row->prefix != NULL; row++)
        if (strncmp(name, row->prefix, strlen(row->prefix)) == 0) return row;
    return NULL;
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct loaded *loaded = context;
    if (loaded->is_first) {
        loaded->is_first = 0;
        for (int place = 0; place < info->dlpi_phnum && place < 128; place++) {
            const ElfW(Phdr) *part = &info->dlpi_phdr[place];
            const char *bytes = (const char *)(info->dlpi_addr + part->p_vaddr);
            /* The build id that Go's linker writes: a note of the name `Go`, type 4. */
            if (part->p_type == PT_NOTE && part->p_memsz >= 16 && memcmp(bytes, "\4\0\0\0", 4) == 0
                && memcmp(bytes + 8, "\4\0\0\0Go\0\0", 8) == 0)
                loaded->unreached = "Go's own TLS";
            /* .NET starts by a small program that looks for this library. */
            if (part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0 && part->p_filesz <= 512 << 10
                && memmem(bytes, part->p_filesz, "libhostfxr.so", 13) != NULL)
                loaded->unreached = "libssl through dlsym (.NET)";
        }
        return 0;
    }
    const char *name = base_name(info->dlpi_name);
    if (strcmp(name, "libssl.so.3") == 0) loaded->has_openssl = 1;
    const struct unreached *row = row_of(name);
    if (row != NULL && row->is_beside_openssl) loaded->other = row->reason;
    else if (row != NULL) loaded->unreached = row->reason;
    return 0;
}

const char *unreached_reason(void) {
    struct loaded loaded = {.is_first = 1};
    dl_iterate_phdr(look_at_object, &loaded);
    if (loaded.unreached != NULL) return loaded.unreached;
    /* Only the program itself comes before this library. (Our own name for the function would find
     * the program's as well.) */
    void *handle = REAL(dlopen)(NULL, RTLD_LAZY);
    void *found = handle == NULL ? NULL : dlsym(handle, "SSL_CTX_new");
    if (handle != NULL) dlclose(handle);
    Dl_info own, owner;
    if (found != NULL && dladdr((void *)unreached_reason, &own) != 0 && dladdr(found, &owner) != 0
        && own.dli_fbase != owner.dli_fbase)
        return "its own OpenSSL inside";
    return loaded.has_openssl ? NULL : loaded.other;
}

struct wanted {
    const char *name;
    char *path; /* where it was loaded from, of PATH_MAX; NULL where it is not wanted */
};

static int is_wanted(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct wanted *wanted = context;
    if (strcmp(base_name(info->dlpi_name), wanted->name) != 0) return 0;
    if (wanted->path != NULL) snprintf(wanted->path, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

static int is_loaded(const char *name, char *path) {
    return dl_iterate_phdr(is_wanted, &(struct wanted){name, path}) == 1;
}

/* Folders of the system's own libraries, which use the system's TLS libraries. */
static const char *const system_folders[] = {
    "/lib/" RUN_MULTIARCH, "/usr/lib/" RUN_MULTIARCH, "/lib64", "/usr/lib64", "/lib", "/usr/lib", NULL,
};

static int is_of_system(const char *path) {
    size_t length = (size_t)(base_name(path) - path);
    for (const char *const *folder = system_folders; length > 1 && *folder != NULL; folder++)
        if (strlen(*folder) == length - 1 && memcmp(*folder, path, length - 1) == 0) return 1;
    return 0;
}

/* ----------------------------------------------------------------------- what a file says of it */

struct parsed {
    char needed[MOST_NEEDED][256];
    size_t needed_count;
    char folders[FOLDERS];      /* DT_RUNPATH, else DT_RPATH; empty where there is none */
    int are_for_others;         /* DT_RPATH: they hold for what the needed libraries need too */
    int is_go;
};

static int read_at(int descriptor, void *bytes, size_t length, uint64_t place) {
    return place <= INT64_MAX && pread(descriptor, bytes, length, (off_t)place) == (ssize_t)length;
}

/* Reads a text that ends within `capacity`. */
static int read_text(int descriptor, char *text, size_t capacity, uint64_t place) {
    ssize_t count = place > INT64_MAX ? -1 : pread(descriptor, text, capacity, (off_t)place);
    if (count > 0 && memchr(text, 0, (size_t)count) != NULL) return 1;
    text[0] = 0;
    return 0;
}

/* Reads what a file needs. 0 where this process cannot load it. */
static int parse(int descriptor, struct parsed *parsed) {
    ElfW(Ehdr) header;
    ElfW(Phdr) parts[MOST_PARTS];
    if (!read_at(descriptor, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0
        || header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
        || header.e_machine != RUN_MACHINE || header.e_phentsize != sizeof *parts || header.e_phnum > MOST_PARTS
        || !read_at(descriptor, parts, header.e_phnum * sizeof *parts, header.e_phoff))
        return 0;
    const ElfW(Phdr) *dynamic = NULL;
    for (size_t place = 0; place < header.e_phnum; place++) {
        char note[16];
        if (parts[place].p_type == PT_DYNAMIC) dynamic = &parts[place];
        if (parts[place].p_type == PT_NOTE && read_at(descriptor, note, sizeof note, parts[place].p_offset)
            && memcmp(note, "\4\0\0\0", 4) == 0 && memcmp(note + 8, "\4\0\0\0Go\0\0", 8) == 0)
            parsed->is_go = 1;
    }
    if (dynamic == NULL) return 1;
    ElfW(Dyn) entries[1024];
    size_t size = dynamic->p_filesz < sizeof entries ? dynamic->p_filesz : sizeof entries;
    size_t count = size / sizeof *entries;
    if (!read_at(descriptor, entries, count * sizeof *entries, dynamic->p_offset)) return 1;
    uint64_t texts = UINT64_MAX;
    for (size_t place = 0; place < count && entries[place].d_tag != DT_NULL; place++)
        if (entries[place].d_tag == DT_STRTAB) texts = entries[place].d_un.d_ptr;
    size_t holder = 0;
    while (holder < header.e_phnum
           && (parts[holder].p_type != PT_LOAD || texts < parts[holder].p_vaddr
               || texts - parts[holder].p_vaddr >= parts[holder].p_filesz))
        holder++;
    if (holder == header.e_phnum) return 1;
    texts = texts - parts[holder].p_vaddr + parts[holder].p_offset;
    int has_own = 0;
    for (size_t place = 0; place < count && entries[place].d_tag != DT_NULL; place++) {
        uint64_t text = texts + entries[place].d_un.d_val;
        switch (entries[place].d_tag) {
        case DT_NEEDED:
            if (parsed->needed_count < MOST_NEEDED
                && read_text(descriptor, parsed->needed[parsed->needed_count], sizeof parsed->needed[0], text))
                parsed->needed_count++;
            break;
        case DT_RUNPATH:
            has_own = read_text(descriptor, parsed->folders, sizeof parsed->folders, text);
            parsed->are_for_others = 0;
            break;
        case DT_RPATH:
            if (!has_own && read_text(descriptor, parsed->folders, sizeof parsed->folders, text))
                parsed->are_for_others = 1;
            break;
        default: break;
        }
    }
    return 1;
}

/* The TLS library that a library has inside, by texts among its constants: in the section `.rodata`
 * and in sections of like names. Without sections all of the file is read. */
static const char *text_inside(int descriptor) {
    ElfW(Ehdr) header;
    ElfW(Shdr) names, section;
    if (!read_at(descriptor, &header, sizeof header, 0)) return NULL;
    int has_constants = 0;
    if (header.e_shentsize == sizeof section && header.e_shstrndx < header.e_shnum
        && read_at(descriptor, &names, sizeof names, header.e_shoff + header.e_shstrndx * sizeof names)) {
        for (size_t place = 0; place < header.e_shnum; place++) {
            char name[8];
            if (!read_at(descriptor, &section, sizeof section, header.e_shoff + place * sizeof section)) break;
            size_t kind = section.sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR);
            if (section.sh_type != SHT_PROGBITS || kind != SHF_ALLOC
                || !read_at(descriptor, name, sizeof name, names.sh_offset + section.sh_name)
                || (memcmp(name, ".rodata", 7) != 0 && memcmp(name, ".lrodata", 8) != 0))
                continue;
            has_constants = 1;
            const char *reason = unreached_text(
                descriptor, section.sh_offset, section.sh_size < MOST_SEARCHED ? section.sh_size : MOST_SEARCHED);
            if (reason != NULL) return reason;
        }
    }
    return has_constants ? NULL : unreached_text(descriptor, 0, MOST_SEARCHED);
}

/* ---------------------------------------------------------------------------- looking at a file */

/* A library that is to be looked at. */
struct waiting {
    char *path;
    char *folders; /* of DT_RPATH of the libraries that need it, without `$ORIGIN`; NULL: none */
};

/* The result of looking at a library and at the libraries that it needs. */
struct look {
    struct waiting waiting[MOST_FILES];
    size_t count;
    int has_openssl;     /* libssl.so.3 is loaded, or comes too */
    char culprit[PATH_MAX];
    const char *reason;
    char other_culprit[PATH_MAX]; /* an obstacle unless libssl.so.3 is there */
    const char *other_reason;
    struct parsed parsed;
    char folders[2 * FOLDERS];
};

static void blame(struct look *look, const char *path, const struct unreached *row) {
    const char **reason = row->is_beside_openssl ? &look->other_reason : &look->reason;
    char *culprit = row->is_beside_openssl ? look->other_culprit : look->culprit;
    if (*reason != NULL) return;
    *reason = row->reason;
    int is_first = look->waiting[0].path != NULL && strcmp(path, look->waiting[0].path) == 0;
    if (is_first || realpath(path, culprit) == NULL) snprintf(culprit, PATH_MAX, "%s", path);
}

static void add(struct look *look, const char *path, const char *folders) {
    if (look->count == MOST_FILES) return;
    for (size_t place = 0; place < look->count; place++)
        if (strcmp(look->waiting[place].path, path) == 0) return;
    struct waiting waiting = {strdup(path), folders == NULL || *folders == 0 ? NULL : strdup(folders)};
    if (waiting.path != NULL) look->waiting[look->count++] = waiting;
    else free(waiting.folders);
}

/* Appends folders to a list, with the folder of `path` in place of `$ORIGIN`. */
static void append(char *list, size_t capacity, const char *folders, const char *path) {
    size_t used = strlen(list);
    int origin = (int)(base_name(path) - path);
    if (used > 0 && used + 1 < capacity) list[used++] = ':', list[used] = 0;
    while (*folders != 0 && used + 1 < capacity) {
        size_t skipped = strncmp(folders, "$ORIGIN", 7) == 0 ? 7 : strncmp(folders, "${ORIGIN}", 9) == 0 ? 9 : 0;
        int added = skipped > 0
            ? snprintf(list + used, capacity - used, "%.*s", origin > 1 ? origin - 1 : origin, path)
            : snprintf(list + used, capacity - used, "%c", *folders);
        used += (size_t)added < capacity - used ? (size_t)added : capacity - used - 1;
        folders += skipped > 0 ? skipped : 1;
    }
}

/* Finds a needed library in a list of folders, and adds it. */
static int find(struct look *look, const char *name, const char *folders, const char *inherited) {
    char path[PATH_MAX];
    while (folders != NULL && *folders != 0) {
        size_t length = strcspn(folders, ":");
        int shown = (int)(length > PATH_MAX ? PATH_MAX : length);
        int used = snprintf(path, sizeof path, "%.*s/%s", shown, folders, name);
        if (length > 0 && used > 0 && used < (int)sizeof path && access(path, R_OK) == 0) {
            add(look, path, inherited);
            return 1;
        }
        folders += length + (folders[length] == ':');
    }
    return 0;
}

static void look_at_needed(struct look *look, const char *path, const char *inherited) {
    struct parsed *parsed = &look->parsed;
    char *folders = look->folders;
    folders[0] = 0;
    if (parsed->folders[0] != 0) append(folders, sizeof look->folders, parsed->folders, path);
    /* The folders of those who need it count only where it has no DT_RUNPATH. */
    if (inherited != NULL && (parsed->folders[0] == 0 || parsed->are_for_others))
        append(folders, sizeof look->folders, inherited, "");
    const char *handed = parsed->folders[0] == 0 || parsed->are_for_others ? folders : inherited;
    for (size_t place = 0; place < parsed->needed_count; place++) {
        const char *name = parsed->needed[place];
        const struct unreached *row = row_of(base_name(name));
        if (is_loaded(base_name(name), NULL)) continue;
        if (row != NULL) {
            blame(look, name, row);
            continue;
        }
        if (strchr(name, '/') != NULL) {
            add(look, name, handed);
            continue;
        }
        if (find(look, name, folders, handed) || find(look, name, getenv("LD_LIBRARY_PATH"), handed)) continue;
        for (const char *const *folder = system_folders; *folder != NULL; folder++)
            if (find(look, name, *folder, handed)) break;
    }
}

static int is_same(const char *one, const char *other) {
    struct stat first_status, second_status;
    return stat(one, &first_status) == 0 && stat(other, &second_status) == 0
        && first_status.st_dev == second_status.st_dev && first_status.st_ino == second_status.st_ino;
}

static void look_at_file(struct look *look, size_t place) {
    const char *path = look->waiting[place].path, *name = base_name(path);
    char present[PATH_MAX];
    const struct unreached *row = row_of(name);
    int is_judged = strcmp(name, "libssl.so.3") == 0 && (!is_loaded(name, present) || is_same(path, present));
    if (row != NULL) blame(look, path, row);
    if (is_judged) look->has_openssl = 1;
    if (row != NULL || is_judged) return;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat status;
    memset(&look->parsed, 0, sizeof look->parsed);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)
        && parse(descriptor, &look->parsed)) {
        const char *reason = look->parsed.is_go ? "Go's own TLS" : NULL;
        if (reason == NULL && status.st_size >= SMALLEST && (place == 0 || !is_of_system(path)))
            reason = text_inside(descriptor);
        if (reason != NULL) blame(look, path, &(struct unreached){NULL, 0, reason});
        look_at_needed(look, path, look->waiting[place].folders);
    }
    if (descriptor >= 0) close(descriptor);
}

/* --------------------------------------------------------------------------- what was looked at */

/* Files that were looked at, and what came out. An entry is written once and read when `is_ready`;
 * it takes no lock, so that a child of a fork finds none that is held. */
struct known {
    int is_ready;
    dev_t device;
    ino_t number;
    struct timespec changed;
    int is_told;
    const char *reason; /* NULL: nothing is in the way */
    const char *culprit;
};

enum { MOST_KNOWN = 1024 };
static struct known known[MOST_KNOWN];
static size_t known_count;

static struct known *known_file(const struct stat *status) {
    for (size_t place = 0; place < MOST_KNOWN && __atomic_load_n(&known[place].is_ready, __ATOMIC_ACQUIRE); place++)
        if (known[place].device == status->st_dev && known[place].number == status->st_ino
            && known[place].changed.tv_sec == status->st_mtim.tv_sec
            && known[place].changed.tv_nsec == status->st_mtim.tv_nsec)
            return &known[place];
    return NULL;
}

static struct known *keep(const struct stat *status, const char *reason, const char *culprit) {
    size_t place = __atomic_fetch_add(&known_count, 1, __ATOMIC_RELAXED);
    if (place >= MOST_KNOWN) return NULL;
    known[place] = (struct known){
        .device = status->st_dev, .number = status->st_ino, .changed = status->st_mtim, .reason = reason,
        .culprit = culprit == NULL ? NULL : strdup(culprit)};
    __atomic_store_n(&known[place].is_ready, 1, __ATOMIC_RELEASE);
    return &known[place];
}

/* Why the connections of a library, or of a library that it needs, cannot be judged; NULL where
 * nothing says so. `is_new` is whether this was said before. */
static const char *reason_of_library(const char *path, char *culprit, int *is_new) {
    struct stat status;
    *is_new = 0;
    /* This library has the texts in it that others are known by. */
    if (strcmp(path, library) == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
    struct known *entry = known_file(&status);
    if (entry == NULL) {
        struct look *look = calloc(1, sizeof *look);
        if (look == NULL) return NULL;
        look->has_openssl = libssl() != NULL;
        add(look, path, NULL);
        for (size_t place = 0; place < look->count && look->reason == NULL; place++) look_at_file(look, place);
        if (look->reason == NULL && !look->has_openssl && look->other_reason != NULL) {
            look->reason = look->other_reason;
            memcpy(look->culprit, look->other_culprit, sizeof look->culprit);
        }
        const char *reason = look->reason;
        snprintf(culprit, PATH_MAX, "%s", look->culprit);
        for (size_t place = 0; place < look->count; place++) {
            free(look->waiting[place].path);
            free(look->waiting[place].folders);
        }
        free(look);
        entry = keep(&status, reason, reason == NULL ? NULL : culprit);
        struct stat blamed;
        if (reason != NULL && stat(culprit, &blamed) == 0 && known_file(&blamed) == NULL) {
            struct known *other = keep(&blamed, reason, culprit);
            if (other != NULL) other->is_told = 1;
        }
        if (entry == NULL) {
            *is_new = 1;
            return reason;
        }
    }
    if (entry->reason == NULL) return NULL;
    snprintf(culprit, PATH_MAX, "%s", entry->culprit == NULL ? path : entry->culprit);
    *is_new = !__atomic_exchange_n(&entry->is_told, 1, __ATOMIC_RELAXED);
    return entry->reason;
}

/* --------------------------------------------------------------------------------------- dlopen */

/* Reports a library that cannot be judged. Returns 0 if it must not be loaded. */
static int may_load(const char *path, const char *culprit, const char *reason, int is_new) {
    char shown[512], blamed[512];
    show(path, shown, sizeof shown);
    show(culprit, blamed, sizeof blamed);
    int is_other = strcmp(path, culprit) != 0;
    const char *verb = settings.only_reports ? "would not be loaded" : "is not loaded";
    if (settings.is_strict) {
        if (is_new || !settings.only_reports)
            say("%s %s, as %s%s%s connections cannot be judged: %s", shown, verb, is_other ? "it loads " : "its",
                is_other ? blamed : "", is_other ? ", whose" : "", reason);
    } else if (is_new) {
        say("the connections of %s%s%s%s are not judged: %s", blamed, is_other ? ", which " : "", is_other ? shown : "",
            is_other ? " loads," : "", reason);
    }
    return !settings.is_strict || settings.only_reports;
}

/* The name that the loader gets in place of a library that must not be loaded. A file of this name
 * does not exist, and dlerror says the name. */
static __thread char refused[PATH_MAX + 128];

static const char *refusal(const char *file, const char *reason) {
    snprintf(refused, sizeof refused, "%s, which `hawser run --strict` does not load (%s)", file, reason);
    return refused;
}

/* A file that a program loads, or another in its place. */
static __attribute__((noinline)) const char *looked_at(const char *file, int mode) {
    if (!is_active || is_ours || file == NULL || *file == 0 || (mode & RTLD_NOLOAD) != 0) return file;
    int saved = errno, is_new = 1;
    const char *given = file, *reason;
    char culprit[PATH_MAX];
    look_at_loaded();
    if (strchr(file, '/') != NULL) {
        reason = strchr(file, '$') != NULL ? NULL : reason_of_library(file, culprit, &is_new);
    } else {
        /* Which file the name stands for, the loader knows. */
        const struct unreached *row = is_loaded(file, NULL) ? NULL : row_of(file);
        reason = row == NULL || (row->is_beside_openssl && libssl() != NULL) ? NULL : row->reason;
        snprintf(culprit, sizeof culprit, "%s", file);
    }
    if (reason != NULL && !may_load(file, culprit, reason, is_new)) given = refusal(file, reason);
    errno = saved;
    return given;
}

SHOWN void *dlopen(const char *file, int mode) {
    file = looked_at(file, mode);
    return REAL(dlopen)(file, mode);
}

static __attribute__((noinline)) const char *looked_at_apart(Lmid_t space, const char *file, int mode) {
    static const char reason[] = "a namespace of its own (dlmopen)";
    if (space == LM_ID_BASE) return looked_at(file, mode);
    if (!is_active || is_ours || file == NULL || (mode & RTLD_NOLOAD) != 0) return file;
    int saved = errno;
    const char *given = may_load(file, file, reason, 1) ? file : refusal(file, reason);
    errno = saved;
    return given;
}

SHOWN void *dlmopen(Lmid_t space, const char *file, int mode) {
    file = looked_at_apart(space, file, mode);
    return REAL(dlmopen)(space, file, mode);
}

/* --------------------------------------------------------------------- what came by another way */

/* Objects at the end of the list of those that are loaded. */
struct newcomers {
    unsigned long long added; /* objects that were loaded so far */
    size_t count;             /* objects that are loaded */
    size_t place;
    size_t from;              /* the first that is new */
    char *names[MOST_FILES];
    size_t name_count;
};

static int count_objects(struct dl_phdr_info *info, size_t size, void *context) {
    struct newcomers *newcomers = context;
    if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds) newcomers->added = info->dlpi_adds;
    newcomers->count++;
    return 0;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *context) {
    count_objects(info, size, context);
    return 1;
}

static int name_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct newcomers *newcomers = context;
    if (newcomers->place++ >= newcomers->from && info->dlpi_name[0] == '/' && newcomers->name_count < MOST_FILES) {
        char *name = strdup(info->dlpi_name);
        if (name != NULL) newcomers->names[newcomers->name_count++] = name;
    }
    return 0;
}

void look_at_loaded(void) {
    static unsigned long long looked; /* objects that were looked at */
    if (!is_active || is_ours) return;
    struct newcomers newcomers = {0};
    dl_iterate_phdr(first_object, &newcomers);
    unsigned long long before = __atomic_exchange_n(&looked, newcomers.added, __ATOMIC_RELAXED);
    if (before >= newcomers.added) return;
    newcomers.count = 0;
    dl_iterate_phdr(count_objects, &newcomers);
    unsigned long long fresh = newcomers.added - before;
    newcomers.from = fresh < newcomers.count ? newcomers.count - (size_t)fresh : 0;
    dl_iterate_phdr(name_object, &newcomers);
    char *itself = before == 0 && first != (long)getpid() ? realpath("/proc/self/exe", NULL) : NULL;
    if (itself != NULL && newcomers.name_count < MOST_FILES) newcomers.names[newcomers.name_count++] = itself;
    for (size_t place = 0; place < newcomers.name_count; place++) {
        const char *path = newcomers.names[place];
        char culprit[PATH_MAX];
        int is_new = 0;
        /* What was loaded at the start was named then, by its name. */
        int is_named = row_of(base_name(path)) != NULL;
        int is_passed = is_of_system(path) && (!is_named || before == 0);
        const char *reason = is_passed ? NULL : reason_of_library(path, culprit, &is_new);
        if (reason != NULL && is_new) {
            char shown[512];
            show(culprit, shown, sizeof shown);
            say("the connections of %s are not judged: %s", shown, reason);
        }
        free(newcomers.names[place]);
    }
}

/* libhawser_run.so: what `hawser run` loads into a program and its children (LD_PRELOAD).
 *
 * It stands before these kinds of functions:
 *
 * - OpenSSL's: contexts are guarded when they are made, and what a program sets as its own
 *   verification is kept beside the policy's (judge.c, and guard.h of the drop-in). A libssl that a
 *   library has brought along gets its own calls.
 * - exec: a program that cannot be reached is named before it starts, and under `--strict` refused.
 * - dlopen: likewise for libraries (libraries.c).
 * - GnuTLS' and NSS', as far as a client's connection begins there: they are not judged.
 * - connect and what sends: where TLS begins, and which port it is for (passages.c).
 * - getaddrinfo: names, for programs that tell TLS none (lookups.c).
 *
 * It needs only the C library. Its functions of libssl have the version OPENSSL_3.0.0, so a program
 * of libssl 1.1 never calls them. Some of the code runs in a child between vfork and exec, where it
 * shares the memory of its parent: no allocation there, and nothing is written but the stack.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
/* Functions that a program may still call. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "preload.h"
#include "../CProgramStart/include/unreached.h"

#include <alloca.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

/* ------------------------------------------------------------------------------------- settings */

struct run_settings settings;
int is_active;
#define ONLY_REPORTS " report-only" /* at the end of the variable: known without the settings */
static char broken[256];     /* why they were not */
char library[PATH_MAX];
static const void *whole;    /* the sealed file: settings and table */
static size_t whole_length;
static int whole_descriptor = -1;
static struct stat whole_status;
long first; /* it never becomes a program that cannot be reached, but under `--report-only` */

void show(const char *text, char *buffer, size_t capacity) {
    size_t place = 0;
    for (; text[place] != 0 && place + 1 < capacity; place++)
        buffer[place] = text[place] < ' ' || text[place] > '~' ? '?' : text[place];
    buffer[place] = 0;
}

void say(const char *format, ...) {
    int saved = errno;
    char line[6000], name[64];
    show(program_invocation_short_name, name, sizeof name);
    int used = snprintf(line, sizeof line, "hawser run: %s[%ld]: ", name, (long)getpid());
    va_list arguments;
    va_start(arguments, format);
    if (used > 0) used += vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof line - 2) used = sizeof line - 2;
    if (used > 0) {
        line[used++] = '\n';
        int descriptor = settings.log == NULL
            ? STDERR_FILENO
            : open(settings.log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
        if (descriptor < 0) descriptor = STDERR_FILENO;
        ssize_t written = write(descriptor, line, (size_t)used);
        (void)written;
        if (descriptor != STDERR_FILENO) close(descriptor);
    }
    errno = saved;
}

/* A value of the settings: what stands behind `NAME=` on a line, ended by NUL in a copy. */
static char *value_of(const char *line, size_t length, const char *name) {
    size_t named = strlen(name);
    if (length <= named || memcmp(line, name, named) != 0 || line[named] != '=') return NULL;
    return strndup(line + named + 1, length - named - 1);
}

static int read_key(const char *text, unsigned char *key) {
    for (size_t place = 0; place < 32; place++) {
        unsigned int octet;
        if (sscanf(text + 2 * place, "%2x", &octet) != 1) return 0;
        key[place] = (unsigned char)octet;
    }
    return text[64] == 0;
}

/* Reads the sealed file: a line that names the format, lines `NAME=VALUE`, an empty line, and the
 * table. 0 where it is none. */
static int read_settings(const char *text, size_t length) {
    static const char magic[] = "hawser-run 1\n";
    if (length < sizeof magic || memcmp(text, magic, sizeof magic - 1) != 0) return 0;
    size_t place = sizeof magic - 1;
    while (place < length) {
        const char *end = memchr(text + place, '\n', length - place);
        if (end == NULL) return 0;
        size_t line = (size_t)(end - text) - place;
        const char *start = text + place;
        place += line + 1;
        if (line == 0) {
            settings.table = settings.table_file == NULL ? text + place : NULL;
            settings.table_length = length - place;
            return 1;
        }
        char *value;
        if ((value = value_of(start, line, "mode")) != NULL) {
            settings.only_reports = strcmp(value, "report-only") == 0;
            free(value);
        } else if ((value = value_of(start, line, "strict")) != NULL) {
            settings.is_strict = strcmp(value, "yes") == 0;
            free(value);
        } else if ((value = value_of(start, line, "verbose")) != NULL) {
            settings.is_verbose = strcmp(value, "yes") == 0;
            free(value);
        } else if ((value = value_of(start, line, "lookups")) != NULL) {
            settings.takes_lookups = strcmp(value, "yes") == 0;
            free(value);
        } else if ((value = value_of(start, line, "threshold")) != NULL) {
            settings.threshold = (uint32_t)strtoul(value, NULL, 10);
            free(value);
        } else if ((value = value_of(start, line, "key")) != NULL) {
            int is_key = settings.key_count < RUN_KEYS && read_key(value, settings.keys[settings.key_count]);
            free(value);
            if (!is_key) return 0;
            settings.key_count++;
        } else if ((value = value_of(start, line, "log")) != NULL) {
            settings.log = value;
        } else if ((value = value_of(start, line, "policy")) != NULL) {
            settings.policy = value;
        } else if ((value = value_of(start, line, "crlite")) != NULL) {
            settings.crlite_directory = value;
        } else if ((value = value_of(start, line, "table")) != NULL) {
            settings.table_file = value;
        } else {
            return 0;
        }
    }
    return 0;
}

/* Maps the file that the descriptor holds: one that is sealed, so that nobody changes it. */
static int open_settings(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_WRITE) == 0 || (seals & F_SEAL_SHRINK) == 0
        || fstat(descriptor, &whole_status) != 0 || whole_status.st_size <= 0)
        return 0;
    whole_length = (size_t)whole_status.st_size;
    void *text = mmap(NULL, whole_length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (text == MAP_FAILED) return 0;
    whole = text;
    whole_descriptor = descriptor;
    return read_settings(text, whole_length);
}

/* The descriptor of the sealed file for a program that is about to start: the one that was
 * inherited, or a copy of the file where the program has closed it. -1 where neither can be. A
 * process that goes on keeps the copy; a child between vfork and exec must not note it, as it
 * shares the memory and not the descriptors. */
static int descriptor_for_child(int goes_on) {
    struct stat status;
    if (fstat(whole_descriptor, &status) == 0 && status.st_dev == whole_status.st_dev
        && status.st_ino == whole_status.st_ino)
        return fcntl(whole_descriptor, F_SETFD, 0) == 0 ? whole_descriptor : -1;
    int made = memfd_create("hawser-run", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    if (made < 0) return -1;
    size_t written = 0;
    while (written < whole_length) {
        ssize_t count = write(made, (const char *)whole + written, whole_length - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        written += (size_t)count;
    }
    int kept = -1;
    if (written == whole_length
        && fcntl(made, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0) {
        kept = fcntl(made, F_DUPFD, RUN_DESCRIPTOR);
        if (kept < 0) kept = fcntl(made, F_DUPFD, 3);
    }
    close(made);
    if (goes_on && kept >= 0 && fstat(kept, &status) == 0) {
        whole_descriptor = kept;
        whole_status = status;
    }
    return kept;
}

/* ------------------------------------------------------------------- this process, at its start */

/* libpq goes on in clear text where a server's certificate is refused, unless it is told not to. */
static void raise_sslmode(void) {
    const char *mode = getenv("PGSSLMODE");
    if (mode == NULL || strcmp(mode, "disable") == 0 || strcmp(mode, "allow") == 0 || strcmp(mode, "prefer") == 0)
        setenv("PGSSLMODE", "require", 1);
}

/* Whether a program that cannot be reached is refused here, or only named. */
static int is_refused_unreached(void) {
    return !settings.only_reports && (settings.is_strict || first == (long)getpid());
}

/* Once; before `main`, or where another library makes a context before. */
__attribute__((constructor)) static void start(void) {
    static int has_started;
    if (__atomic_exchange_n(&has_started, 1, __ATOMIC_ACQ_REL)) return;
    Dl_info own;
    if (dladdr((void *)start, &own) == 0 || own.dli_fname == NULL
        || snprintf(library, sizeof library, "%s", own.dli_fname) >= (int)sizeof library)
        library[0] = 0;
    /* `HAWSER_RUN` is the descriptor, the process that `hawser run` became, and perhaps that only
     * reports are wanted. */
    const char *given = getenv(RUN_VARIABLE);
    char *end = NULL;
    long descriptor = given == NULL ? -1 : strtol(given, &end, 10);
    if (given == NULL) {
        snprintf(broken, sizeof broken, "the library was loaded without `hawser run`: there is no " RUN_VARIABLE);
        return;
    }
    if (end == given || descriptor < 0 || descriptor > INT_MAX || !open_settings((int)descriptor)) {
        snprintf(
            broken, sizeof broken,
            "the policy did not reach this process: its descriptor was closed, or its file has another form");
        settings = (struct run_settings){.only_reports = strstr(given, ONLY_REPORTS) != NULL};
        return;
    }
    is_active = 1;
    first = *end == ' ' ? strtol(end + 1, NULL, 10) : 0;
    if (!settings.only_reports) raise_sslmode();
    const char *reason = unreached_reason();
    if (reason == NULL) return;
    if (is_refused_unreached()) {
        say("not started, as its connections cannot be judged: %s", reason);
        _exit(126);
    }
    say("its connections are not judged: %s", reason);
}

/* ------------------------------------------------------------------------------------ the judge */

static const struct run_judge *judge;
static pthread_once_t judge_once = PTHREAD_ONCE_INIT;
__thread int is_ours;

static uint32_t port_of(SSL *ssl);
static int host_of(SSL *ssl, char *buffer, size_t capacity);
static int address_of(SSL *ssl, char *buffer, size_t capacity);

static void load_judge(void) {
    char path[PATH_MAX + 32];
    memcpy(path, library, sizeof library);
    char *name = strrchr(path, '/');
    snprintf(name == NULL ? path : name + 1, 32, "libhawser_judge.so");
    void *handle = REAL(dlopen)(path, RTLD_NOW | RTLD_LOCAL);
    run_judge_start *begin = handle == NULL ? NULL : (run_judge_start *)dlsym(handle, "hawser_run_judge");
    if (begin == NULL) {
        const char *problem = dlerror();
        say("%s cannot be loaded: %s", path, problem == NULL ? "it has another version" : problem);
        return;
    }
    is_ours++;
    judge = begin(&settings, say, &(struct run_sockets){port_of, host_of, note_hello, address_of});
    is_ours--;
    if (judge == NULL) say("%s does not start", path);
}

void *libssl(void) {
    static void *handle;
    if (handle == NULL) handle = REAL(dlopen)("libssl.so.3", RTLD_LAZY | RTLD_NOLOAD);
    return handle;
}

/* A function of libssl.so.3, for objects of its own. */
#define OPENSSL(name) \
    ({ \
        static __typeof__(&name) real_; \
        if (real_ == NULL) real_ = (__typeof__(&name))dlsym(libssl(), #name); \
        real_; \
    })

/* --------------------------------------------------------------------------- whose libssl it is */

/* Libraries may bring a libssl of their own along, under another name (wheels of Python do). The
 * calls to it come here too, and objects of one libssl must never get to another. */

static const void *object_of(const void *address) {
    Dl_info info;
    return address == NULL || dladdr(address, &info) == 0 ? NULL : info.dli_fbase;
}

/* A function among the libraries of the object that an address is in. */
static void *function_among(const char *name, const void *address) {
    Dl_info info;
    struct link_map *map = NULL;
    if (address == NULL || dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL
        || *map->l_name == 0)
        return NULL;
    void *handle = REAL(dlopen)(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle == NULL ? NULL : dlsym(handle, name);
    if (handle != NULL) dlclose(handle);
    return object_of(found) == object_of((const void *)function_among) ? NULL : found;
}

/* The function that a caller would reach without this library: in the scope of the whole program,
 * else among the caller's own libraries. `version` is the function's, or NULL. */
static void *reached(const char *name, const char *version, const void *caller) {
    void *found = version == NULL ? dlsym(RTLD_NEXT, name) : dlvsym(RTLD_NEXT, name, version);
    return found != NULL ? found : function_among(name, caller);
}

static int has_foreign; /* a libssl is here that is not libssl.so.3 */

/* What stands behind a function of ours. */
struct behind {
    void *function; /* NULL where there is none: then the call fails */
    int is_judged;  /* it is of libssl.so.3 */
};

/* The function of libssl.so.3, which `kept` keeps: the loader takes a lock for each search. */
static void *own_function(const char *name, void **kept) {
    if (*kept == NULL && libssl() != NULL) *kept = dlsym(libssl(), name);
    return *kept;
}

static struct behind behind(const char *name, void **kept, const void *caller) {
    void *own = own_function(name, kept);
    if (own != NULL && !__atomic_load_n(&has_foreign, __ATOMIC_ACQUIRE)) return (struct behind){own, 1};
    void *found = reached(name, "OPENSSL_3.0.0", caller);
    if (found == NULL) found = own;
    if (found != own) __atomic_store_n(&has_foreign, 1, __ATOMIC_RELEASE);
    return (struct behind){found, found != NULL && found == own};
}

/* Declares `real`, and `is_judged`. Only the function itself knows its caller's address. */
#define BEHIND(name) \
    static void *kept_; \
    struct behind behind_ = behind(#name, &kept_, __builtin_return_address(0)); \
    __typeof__(&name) real = (__typeof__(&name))behind_.function; \
    const int is_judged = behind_.is_judged

/* As `behind`, for a new context: a method belongs to the libssl that has made it. */
static struct behind behind_method(
    const char *name, void **kept, const SSL_METHOD *method, const void *caller) {
    void *own = own_function(name, kept);
    const void *maker = object_of(method);
    if (own != NULL && (maker == NULL ? !has_foreign : maker == object_of(own))) return (struct behind){own, 1};
    void *found = maker == NULL ? NULL : function_among(name, method);
    if (found == NULL || object_of(found) != maker) found = behind(name, kept, caller).function;
    if (found != NULL && found != own) {
        __atomic_store_n(&has_foreign, 1, __ATOMIC_RELEASE);
        look_at_loaded();
    }
    return (struct behind){found, found != NULL && found == own};
}

/* ------------------------------------------------------------------------------------- contexts */

/* Methods that only servers use. A libssl may lack DTLS. */
static int is_server_method(const SSL_METHOD *method) {
    static const char *const names[] = {"TLS_server_method", "DTLS_server_method"};
    for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
        const SSL_METHOD *(*function)(void) = (const SSL_METHOD *(*)(void))dlsym(libssl(), names[place]);
        if (function != NULL && function() == method) return 1;
    }
    return 0;
}

/* Guards a new context. NULL, and the context freed, where that fails under enforcement: a program
 * without a context connects to nobody. */
static SSL_CTX *guarded(SSL_CTX *context, const SSL_METHOD *method) {
    if (context == NULL || is_ours || is_server_method(method)) return context;
    start();
    int is_guarded = 0;
    if (!is_active) {
        say("%s", broken);
    } else {
        pthread_once(&judge_once, load_judge);
        is_ours++;
        is_guarded = judge != NULL && judge->guard(context);
        is_ours--;
    }
    if (is_guarded || settings.only_reports) return context;
    OPENSSL(SSL_CTX_free)(context);
    return NULL;
}

SHOWN SSL_CTX *SSL_CTX_new(const SSL_METHOD *method) {
    static void *kept;
    struct behind found = behind_method("SSL_CTX_new", &kept, method, __builtin_return_address(0));
    __typeof__(&SSL_CTX_new) real = (__typeof__(&SSL_CTX_new))found.function;
    SSL_CTX *context = real == NULL ? NULL : real(method);
    return found.is_judged ? guarded(context, method) : context;
}

SHOWN SSL_CTX *SSL_CTX_new_ex(OSSL_LIB_CTX *library_context, const char *properties, const SSL_METHOD *method) {
    static void *kept;
    struct behind found = behind_method("SSL_CTX_new_ex", &kept, method, __builtin_return_address(0));
    __typeof__(&SSL_CTX_new_ex) real = (__typeof__(&SSL_CTX_new_ex))found.function;
    SSL_CTX *context = real == NULL ? NULL : real(library_context, properties, method);
    return found.is_judged ? guarded(context, method) : context;
}

/* A server's context can become a client's. */
SHOWN int SSL_CTX_set_ssl_version(SSL_CTX *context, const SSL_METHOD *method) {
    BEHIND(SSL_CTX_set_ssl_version);
    if (real == NULL
        || (is_judged && !is_ours && !settings.only_reports && !is_server_method(method)
            && (judge == NULL || !judge->stands(context))))
        return 0;
    return real(context, method);
}

SHOWN int SSL_set_ssl_method(SSL *ssl, const SSL_METHOD *method) {
    BEHIND(SSL_set_ssl_method);
    if (real == NULL
        || (is_judged && !is_ours && !settings.only_reports && !is_server_method(method)
            && (judge == NULL || !judge->stands(OPENSSL(SSL_get_SSL_CTX)(ssl)))))
        return 0;
    return real(ssl, method);
}

/* A server changes contexts while it reads the client's hello. Before a handshake a connection of a
 * guarded context takes no other one: it may yet be a client's. */
SHOWN SSL_CTX *SSL_set_SSL_CTX(SSL *ssl, SSL_CTX *context) {
    BEHIND(SSL_set_SSL_CTX);
    if (real == NULL
        || (is_judged && !is_ours && judge != NULL && !settings.only_reports && context != NULL
            && judge->stands(OPENSSL(SSL_get_SSL_CTX)(ssl)) && !judge->stands(context)
            && (!OPENSSL(SSL_is_server)(ssl) || OPENSSL(SSL_in_before)(ssl))))
        return NULL;
    return real(ssl, context);
}

SHOWN void SSL_CTX_set_cert_verify_callback(
    SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument) {
    BEHIND(SSL_CTX_set_cert_verify_callback);
    if (is_judged && !is_ours && judge != NULL && judge->set_verify(context, callback, argument)) return;
    if (real != NULL) real(context, callback, argument);
}

SHOWN long SSL_CTX_callback_ctrl(SSL_CTX *context, int command, void (*callback)(void)) {
    BEHIND(SSL_CTX_callback_ctrl);
    if (is_judged && !is_ours && command == SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB && judge != NULL
        && judge->set_status(context, (int (*)(SSL *, void *))callback))
        return 1;
    return real == NULL ? 0 : real(context, command, callback);
}

SHOWN long SSL_CTX_ctrl(SSL_CTX *context, int command, long number, void *pointer) {
    BEHIND(SSL_CTX_ctrl);
    if (is_judged && !is_ours && command == SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG && judge != NULL
        && judge->set_status_argument(context, pointer))
        return 1;
    return real == NULL ? 0 : real(context, command, number, pointer);
}

SHOWN int SSL_set_session(SSL *ssl, SSL_SESSION *session) {
    BEHIND(SSL_set_session);
    if (is_judged && !is_ours && session != NULL && judge != NULL && !settings.only_reports
        && judge->stands(OPENSSL(SSL_get_SSL_CTX)(ssl)))
        return judge->keep_session(ssl, session);
    return real == NULL ? 0 : real(ssl, session);
}

/* ----------------------------------------------------------------------------------- handshakes */

/* The random of a connection's ClientHello; 0 where it has made none. */
static int random_of(SSL *ssl, unsigned char *random) {
    static const unsigned char none[SSL3_RANDOM_SIZE];
    return OPENSSL(SSL_get_client_random)(ssl, random, SSL3_RANDOM_SIZE) == SSL3_RANDOM_SIZE
        && memcmp(random, none, sizeof none) != 0;
}

/* Known when the hello was sent; before, where OpenSSL has the socket. */
static uint32_t port_of(SSL *ssl) {
    unsigned char random[SSL3_RANDOM_SIZE];
    uint32_t port = random_of(ssl, random) ? port_of_hello(random) : 0;
    return port != 0 ? port : port_of_descriptor(OPENSSL(SSL_get_fd)(ssl));
}

/* The name that the program has looked up for the peer. */
static int host_of(SSL *ssl, char *buffer, size_t capacity) {
    unsigned char random[SSL3_RANDOM_SIZE];
    int descriptor = random_of(ssl, random) ? descriptor_of_hello(random) : -1;
    return looked_up_name(descriptor, buffer, capacity);
}

/* The address that the connection goes straight to. */
static int address_of(SSL *ssl, char *buffer, size_t capacity) {
    unsigned char random[SSL3_RANDOM_SIZE];
    int descriptor = random_of(ssl, random) ? descriptor_of_hello(random) : -1;
    if (descriptor >= 0) address_of_peer(descriptor, buffer, capacity);
    return descriptor >= 0 && strchr(buffer, ':') != NULL;
}

static __thread SSL *shaking; /* the connection whose handshake this thread is in */

static int shake(SSL *ssl, int (*function)(SSL *), int is_client) {
    if (judge == NULL || is_ours || shaking == ssl) return function(ssl);
    is_ours++;
    judge->before(ssl, is_client);
    is_ours--;
    SSL *outer = shaking;
    shaking = ssl;
    int result = function(ssl);
    shaking = outer;
    if (result == 1 && !judge->after(ssl)) {
        OPENSSL(SSL_shutdown)(ssl);
        return -1;
    }
    return result;
}

SHOWN int SSL_connect(SSL *ssl) {
    BEHIND(SSL_connect);
    if (real == NULL) return -1;
    return is_judged ? shake(ssl, real, 1) : real(ssl);
}

SHOWN int SSL_do_handshake(SSL *ssl) {
    BEHIND(SSL_do_handshake);
    if (real == NULL) return -1;
    return is_judged ? shake(ssl, real, !OPENSSL(SSL_is_server)(ssl)) : real(ssl);
}

/* -------------------------------------------------------------------------- other TLS libraries */

/* Whether a client's connection by another TLS library is refused. A program that is judged has no
 * second way out. A program of that library alone was named at its start, unless it loaded the
 * library later. */
static int refuses(const char *name, int *has_told) {
    if (!is_active) return 0;
    int is_judged = libssl() != NULL;
    int is_refused = !settings.only_reports && (is_judged || settings.is_strict);
    if (is_refused || (is_judged && !*has_told))
        say("%s a connection by %s, which is not judged", is_refused ? "refused" : "would refuse", name);
    *has_told = 1;
    return is_refused;
}

/* The function behind one of another TLS library, whatever name its file has. */
static void *behind_other(const char *name, const char *file, const void *caller) {
    void *found = reached(name, NULL, caller);
    void *handle = found != NULL ? NULL : REAL(dlopen)(file, RTLD_LAZY | RTLD_NOLOAD);
    return handle == NULL ? found : dlsym(handle, name);
}

struct gnutls_session_int;

/* GNUTLS_CLIENT is 2, and -1250 is GNUTLS_E_UNIMPLEMENTED_FEATURE. */
SHOWN int gnutls_init(struct gnutls_session_int **session, unsigned int flags) {
    static int has_told;
    int (*real)(struct gnutls_session_int **, unsigned int) = (int (*)(struct gnutls_session_int **, unsigned int))
        behind_other("gnutls_init", "libgnutls.so.30", __builtin_return_address(0));
    if (real == NULL || ((flags & 2) != 0 && refuses("GnuTLS", &has_told))) return -1250;
    return real(session, flags);
}

/* NSS makes a TLS socket of another one. */
SHOWN void *SSL_ImportFD(void *model, void *descriptor) {
    static int has_told;
    void *(*real)(void *, void *) =
        (void *(*)(void *, void *))behind_other("SSL_ImportFD", "libssl3.so", __builtin_return_address(0));
    if (real == NULL || refuses("NSS", &has_told)) return NULL;
    return real(model, descriptor);
}

/* -------------------------------------------------------------------------- programs that start */

/* Why a file that is about to be executed cannot be reached; NULL where it may be. What its
 * libraries say, it says itself when it starts. Scripts are followed to their interpreter. */
static const char *reason_of_file(int folder, const char *path, int flags) {
    char head[512], name[PATH_MAX], loader[256];
    for (int depth = 0; depth < 5; depth++) {
        int descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
        /* Then exec says why, or the file may be executed and not read. */
        if (descriptor < 0) return NULL;
        struct stat status;
        ssize_t count = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)
            ? pread(descriptor, head, sizeof head - 1, 0)
            : -1;
        const char *reason = NULL;
        int is_script = count > 2 && head[0] == '#' && head[1] == '!';
        if (count >= 0 && !is_script) {
            if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) reason = "setuid";
            else if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status.st_gid != getgid())
                reason = "setgid";
            else if (getuid() != 0 && fgetxattr(descriptor, "security.capability", NULL, 0) > 0)
                reason = "file capabilities";
        }
        if (reason == NULL && count >= (ssize_t)sizeof(ElfW(Ehdr)) && memcmp(head, ELFMAG, SELFMAG) == 0) {
            ElfW(Ehdr) header;
            memcpy(&header, head, sizeof header);
            int is_dynamic = 0;
            if (header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
                || header.e_machine != RUN_MACHINE) {
                reason = "made for another processor";
            } else if (header.e_phentsize == sizeof(ElfW(Phdr))) {
                for (int place = 0; place < header.e_phnum && place < 256 && !is_dynamic; place++) {
                    ElfW(Phdr) part;
                    off_t where = (off_t)(header.e_phoff + (ElfW(Off))place * sizeof part);
                    if (pread(descriptor, &part, sizeof part, where) != (ssize_t)sizeof part) break;
                    is_dynamic = part.p_type == PT_INTERP;
                    ssize_t named = is_dynamic ? pread(descriptor, loader, sizeof loader, (off_t)part.p_offset) : 0;
                    if (named > 0 && memmem(loader, (size_t)named, "ld-musl", 7) != NULL)
                        reason = "another C library (musl)";
                }
                if (!is_dynamic) reason = "statically linked";
            }
        }
        close(descriptor);
        if (!is_script || reason != NULL) return reason;
        head[count] = 0;
        char *start = head + 2 + strspn(head + 2, " \t");
        start[strcspn(start, " \t\r\n")] = 0;
        if (*start == 0) return NULL;
        snprintf(name, sizeof name, "%s", start);
        path = name;
        folder = AT_FDCWD;
        flags = 0;
    }
    return NULL;
}

/* Names a program that cannot be reached; 0 where it is refused, with errno. */
static int may_start(int folder, const char *path, int flags) {
    if (!is_active || path == NULL) return 1;
    int saved = errno;
    const char *reason = reason_of_file(folder, path, flags);
    errno = saved;
    if (reason == NULL) return 1;
    char shown[512];
    show(path, shown, sizeof shown);
    if (is_refused_unreached()) {
        say("%s is not started, as its connections cannot be judged: %s", shown, reason);
        errno = EACCES;
        return 0;
    }
    say("the connections of %s are not judged: %s", shown, reason);
    return 1;
}

/* The most variables of an environment that gets ours: the list stands on the stack. */
enum { MOST_VARIABLES = 8192, VARIABLE = 64 };

static size_t count_of(char *const *list) {
    size_t count = 0;
    while (list != NULL && list[count] != NULL) count++;
    return count;
}

/* Fills `list` with an environment that has this library and its settings, whatever the program
 * left of them. */
static void fill_environment(
    char *const *given, char **list, char *preload, size_t capacity, char *variable, int goes_on) {
    size_t count = 0;
    const char *others = NULL;
    for (size_t place = 0; given != NULL && given[place] != NULL; place++) {
        if (strncmp(given[place], "LD_PRELOAD=", 11) == 0) others = given[place] + 11;
        else if (strncmp(given[place], RUN_VARIABLE "=", sizeof RUN_VARIABLE) != 0) list[count++] = given[place];
    }
    int has_ours = others != NULL && strstr(others, library) != NULL;
    int has_others = others != NULL && others[0] != 0 && !has_ours;
    snprintf(
        preload, capacity, "LD_PRELOAD=%s%s%s", has_ours ? others : library, has_others ? ":" : "",
        has_others ? others : "");
    list[count++] = preload;
    snprintf(
        variable, VARIABLE, RUN_VARIABLE "=%d %ld%s", descriptor_for_child(goes_on), first,
        settings.only_reports ? ONLY_REPORTS : "");
    list[count++] = variable;
    list[count] = NULL;
}

/* Declares `name`: the environment `given`, with this library in it. */
#define OURS(name, given, goes_on) \
    char *const *name = (given); \
    char preload_[2 * PATH_MAX], variable_[VARIABLE]; \
    size_t count_ = count_of(name); \
    if (is_active && count_ < MOST_VARIABLES) { \
        char **list_ = alloca((count_ + 3) * sizeof *list_); \
        fill_environment(name, list_, preload_, sizeof preload_, variable_, goes_on); \
        name = list_; \
    }

/* The file that a name without a slash stands for, as execvp finds it: only to look at it. */
static const char *searched(const char *name, char *buffer, size_t capacity) {
    if (name == NULL || strchr(name, '/') != NULL) return name;
    const char *path = getenv("PATH");
    if (path == NULL) path = "/bin:/usr/bin";
    while (1) {
        size_t length = strcspn(path, ":");
        int used = length == 0 ? snprintf(buffer, capacity, "%s", name)
                               : snprintf(buffer, capacity, "%.*s/%s", (int)(length > PATH_MAX ? PATH_MAX : length), path, name);
        struct stat status;
        if (used > 0 && (size_t)used < capacity && stat(buffer, &status) == 0 && S_ISREG(status.st_mode)
            && access(buffer, X_OK) == 0)
            return buffer;
        if (path[length] == 0) return name;
        path += length + 1;
    }
}

SHOWN int execve(const char *path, char *const *arguments, char *const *environment) {
    OURS(ours, environment, 0);
    if (!may_start(AT_FDCWD, path, 0)) return -1;
    return REAL(execve)(path, arguments, ours);
}

SHOWN int execv(const char *path, char *const *arguments) { return execve(path, arguments, environ); }

SHOWN int execvpe(const char *name, char *const *arguments, char *const *environment) {
    char found[PATH_MAX];
    OURS(ours, environment, 0);
    if (!may_start(AT_FDCWD, searched(name, found, sizeof found), 0)) return -1;
    return REAL(execvpe)(name, arguments, ours);
}

SHOWN int execvp(const char *name, char *const *arguments) { return execvpe(name, arguments, environ); }

SHOWN int fexecve(int descriptor, char *const *arguments, char *const *environment) {
    char path[40];
    OURS(ours, environment, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (!may_start(AT_FDCWD, path, 0)) return -1;
    return REAL(fexecve)(descriptor, arguments, ours);
}

SHOWN int execveat(int folder, const char *path, char *const *arguments, char *const *environment, int flags) {
    char itself[40];
    OURS(ours, environment, 0);
    snprintf(itself, sizeof itself, "/proc/self/fd/%d", folder);
    int is_itself = path[0] == 0 && (flags & AT_EMPTY_PATH) != 0;
    if (!may_start(is_itself ? AT_FDCWD : folder, is_itself ? itself : path, 0)) return -1;
    return REAL(execveat)(folder, path, arguments, ours, flags);
}

/* Declares `list`: the arguments that follow `first` up to NULL, and what follows them in
 * `arguments_`. */
#define LISTED(list, first) \
    va_list arguments_; \
    size_t length_ = 1; \
    va_start(arguments_, first); \
    while (va_arg(arguments_, char *) != NULL) length_++; \
    va_end(arguments_); \
    char **list = alloca((length_ + 1) * sizeof *list); \
    list[0] = (char *)(first); \
    va_start(arguments_, first); \
    for (size_t place_ = 1; place_ <= length_; place_++) list[place_] = va_arg(arguments_, char *);

SHOWN int execl(const char *path, const char *first, ...) {
    LISTED(list, first);
    va_end(arguments_);
    return execve(path, list, environ);
}

SHOWN int execlp(const char *name, const char *first, ...) {
    LISTED(list, first);
    va_end(arguments_);
    return execvpe(name, list, environ);
}

SHOWN int execle(const char *path, const char *first, ...) {
    LISTED(list, first);
    char *const *environment = va_arg(arguments_, char *const *);
    va_end(arguments_);
    return execve(path, list, environment);
}

SHOWN int posix_spawn(
    pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment) {
    OURS(ours, environment, 1);
    if (!may_start(AT_FDCWD, path, 0)) return EACCES;
    return REAL(posix_spawn)(pid, path, actions, attributes, arguments, ours);
}

SHOWN int posix_spawnp(
    pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment) {
    char found[PATH_MAX];
    OURS(ours, environment, 1);
    if (!may_start(AT_FDCWD, searched(name, found, sizeof found), 0)) return EACCES;
    return REAL(posix_spawnp)(pid, name, actions, attributes, arguments, ours);
}

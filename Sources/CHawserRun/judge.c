/* The policy of `hawser run` in one process: opens the store, guards contexts, tells what was
 * judged. See judge.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "judge.h"

#include "../CHawserOpenSSL/guard.h"

#include <errno.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct run_settings *settings;
static void (*say)(const char *format, ...);
static struct run_sockets sockets;
static struct hawser_guard guard;
static int session_index = -1;

/* ------------------------------------------------------------------------------------ the store */

/* A store belongs to one process: after a fork the child opens its own. The lock is not held over a
 * fork, so the child finds it free. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hawser_store store;
static pid_t store_owner;
static char reason[1200];
static struct stat seen; /* the table's file when it was last read */

static void lock_for_fork(void) { pthread_mutex_lock(&lock); }
static void unlock_after_fork(void) { pthread_mutex_unlock(&lock); }

static void hear(void *context, int32_t level, const char *message) {
    (void)context;
    if (level >= 4) say("%s", message);
}

static int is_same_file(const struct stat *one, const struct stat *other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_size == other->st_size
        && one->st_mtim.tv_sec == other->st_mtim.tv_sec && one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

static void open_store(void) {
    hawser_bytes keys[RUN_KEYS];
    for (size_t place = 0; place < settings->key_count; place++)
        keys[place] = (hawser_bytes){settings->keys[place], sizeof settings->keys[place]};
    hawser_store_options options;
    HAWSER_INIT(&options);
    options.name = "hawser run";
    options.trusted_keys = settings->key_count == 0 ? NULL : keys;
    options.trusted_key_count = settings->key_count;
    options.threshold = settings->threshold;
    options.policy_path = settings->policy;
    options.crlite_directory = settings->crlite_directory;
    options.log = hear;
    /* Programs that are judged get no thread of ours: `follow_file` looks at each connection. */
    options.follow = HAWSER_FOLLOW_NEVER;
    hawser_error error;
    HAWSER_INIT(&error);
    store.number = 0;
    store_owner = getpid();
    int32_t result;
    if (settings->table_file != NULL) {
        if (stat(settings->table_file, &seen) != 0) memset(&seen, 0, sizeof seen);
        result = hawser_store_open_file(settings->table_file, &options, &store, &error);
    } else {
        result = hawser_store_open(settings->table, settings->table_length, &options, &store, &error);
    }
    if (result == HAWSER_OK) return;
    store.number = 0;
    snprintf(reason, sizeof reason, "the policy cannot be loaded, %s: %s", error.reason, error.message);
}

/* Reads the table's file again where it was replaced. A table that is refused changes nothing, and
 * is refused aloud once. */
static void follow_file(void) {
    struct stat now;
    if (settings->table_file == NULL || stat(settings->table_file, &now) != 0 || is_same_file(&now, &seen)) return;
    seen = now;
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_store_reload_file(store, &error) != HAWSER_OK)
        say("the new table in %s is refused, %s: %s; the one before stays", settings->table_file, error.reason,
            error.message);
}

static hawser_store current_store(void) {
    pthread_mutex_lock(&lock);
    if (store_owner != getpid()) open_store();
    else if (store.number != 0) follow_file();
    hawser_store current = store;
    pthread_mutex_unlock(&lock);
    return current;
}

static const char *no_store(void) { return reason; }

/* ------------------------------------------------------------------------------------- messages */

/* A host is the program's text: octets that are not printable ASCII are shown as `?`. */
static void show_host(char *host) {
    for (; *host != 0; host++)
        if (*host <= ' ' || *host > '~') *host = '?';
}

/* How some programs are told to send a server name, by the beginning of the process's name. */
static const struct {
    const char *program, *remedy;
} remedies[] = {
    {"redis-cli", "; `redis-cli --sni NAME` tells it"},
    {"valkey-cli", "; `valkey-cli --sni NAME` tells it"},
    {"mariadb", "; MariaDB's library sends none: `hawser run --names-from-lookups` takes the name that was looked up"},
    {"nginx", "; `proxy_ssl_server_name on;` with a name in `proxy_ssl_name` or `proxy_pass` tells it"},
    {"haproxy", "; `sni str(NAME)` at the `server` tells it"},
    {"curl", "; a name in the URL in place of the address, with `--resolve NAME:PORT:ADDRESS`, tells it"},
};

/* The address and port of the connection that this thread judges, where its program names no host;
 * only for advice. Empty where that is not known. */
static __thread char server_address[80];

/* What may be done about a curl that was given an address: the command as it is to be typed. The
 * socket's peer never stands in for the name. Anybody on the way could answer for it. */
static const char *remedy_of_curl(void) {
    static __thread char text[400];
    const char *port = strrchr(server_address, ':');
    if (port == NULL) return NULL;
    int is_usual = strcmp(port, ":443") == 0;
    snprintf(text, sizeof text,
        "; name the host in the URL: `curl --resolve NAME%s:%.*s https://NAME%s/`, where NAME "
        "is the server's name",
        port, (int)(port - server_address), server_address, is_usual ? "" : port);
    return text;
}

/* What may be done about a program that names no host. */
static const char *remedy(void) {
    if (strcmp(program_invocation_short_name, "curl") == 0) {
        const char *command = remedy_of_curl();
        if (command != NULL) return command;
    }
    for (size_t place = 0; place < sizeof remedies / sizeof *remedies; place++)
        if (strncmp(program_invocation_short_name, remedies[place].program, strlen(remedies[place].program)) == 0)
            return remedies[place].remedy;
    return settings->takes_lookups
        ? "; the address has no name of its own among those that the program has looked up"
        : "; an option of the program may send the server name, or `hawser run --names-from-lookups` takes the "
          "name that was looked up";
}

/* Octets of the reasons that are told. */
enum { LONGEST_REASONS = 5000 };

static void judged(const struct hawser_guarded *guarded) {
    static int has_told_port;
    char host[HAWSER_LIMIT_NAME + 4] = "a host without a name";
    if (guarded->host[0] != 0) {
        /* As a URL has an IPv6 address. */
        const char *form = strchr(guarded->host, ':') == NULL ? "%s" : "[%s]";
        snprintf(host, sizeof host, form, guarded->host);
        show_host(host);
    }
    char place[sizeof host + 8];
    if (guarded->is_port_needed) snprintf(place, sizeof place, "%s", host);
    else snprintf(place, sizeof place, "%s:%u", host, guarded->port);
    if (!guarded->is_port_known && !guarded->is_port_needed && guarded->host[0] != 0
        && !__atomic_exchange_n(&has_told_port, 1, __ATOMIC_RELAXED))
        say("notice: the port of %s is not known, and every port of it has the same rule; 443 is assumed", host);
    if (guarded->is_accepted) {
        if (settings->is_verbose)
            say("accepted %s%s", place, guarded->is_resumed ? " (resumed)" : "");
        return;
    }
    say("%s %s: %.*s%s", settings->only_reports ? "would refuse" : "refused", place, LONGEST_REASONS,
        guarded->reasons, guarded->host[0] == 0 ? remedy() : "");
    server_address[0] = 0;
}

/* ------------------------------------------------------------------------------------- sessions */

static void free_session(void *parent, void *data, CRYPTO_EX_DATA *ad, int index, long argl, void *argp) {
    (void)parent, (void)ad, (void)index, (void)argl, (void)argp;
    SSL_SESSION_free(data);
}

/* SSL_dup copies no session that waits. */
static int copy_no_session(
    CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **data, int index, long argl, void *argp) {
    (void)to, (void)from, (void)index, (void)argl, (void)argp;
    *data = NULL;
    return 1;
}

static int keep_session(SSL *ssl, SSL_SESSION *session) {
    SSL_SESSION *old = SSL_get_ex_data(ssl, session_index);
    if (session != NULL && !SSL_SESSION_up_ref(session)) return 0;
    if (SSL_set_ex_data(ssl, session_index, session) != 1) {
        SSL_SESSION_free(session);
        return 0;
    }
    SSL_SESSION_free(old);
    return 1;
}

static void before(SSL *ssl, int is_client) {
    SSL_SESSION *session = SSL_get_ex_data(ssl, session_index);
    if (session == NULL || !SSL_in_before(ssl) || !is_client) return;
    if (!settings->only_reports) hawser_guard_offer_session(ssl, session);
    keep_session(ssl, NULL);
}

static int after(SSL *ssl) {
    if (SSL_is_server(ssl) || settings->only_reports || !SSL_session_reused(ssl)) return 1;
    return !hawser_guard_stands(SSL_get_SSL_CTX(ssl)) || hawser_guard_is_accepted(ssl);
}

/* ---------------------------------------------------------------------------------------- start */

static int guard_context(SSL_CTX *context) {
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_guard_attach(context, &guard, &error) == HAWSER_OK) return 1;
    say("a TLS context cannot be judged, %s: %s", error.reason, error.message);
    return 0;
}

static const struct run_judge functions = {
    .guard = guard_context,
    .stands = hawser_guard_stands,
    .set_verify = hawser_guard_set_verify,
    .set_status = hawser_guard_set_status,
    .set_status_argument = hawser_guard_set_status_argument,
    .keep_session = keep_session,
    .before = before,
    .after = after,
};

/* The name that the program has looked up for the peer, which is said. */
static int looked_up_host(SSL *ssl, char *buffer, size_t capacity) {
    if (sockets.address == NULL || !sockets.address(ssl, server_address, sizeof server_address))
        server_address[0] = 0;
    if (sockets.host == NULL || !sockets.host(ssl, buffer, capacity)) return 0;
    char host[HAWSER_LIMIT_NAME + 4];
    snprintf(host, sizeof host, "%s", buffer);
    show_host(host);
    say("notice: the program tells TLS no host; it is taken to be %s, the one name that it has looked up for this "
        "address",
        host);
    return 1;
}

const struct run_judge *hawser_run_judge(
    const struct run_settings *given, void (*writer)(const char *format, ...),
    const struct run_sockets *given_sockets) {
    settings = given;
    say = writer;
    sockets = *given_sockets;
    guard = (struct hawser_guard){
        .only_reports = given->only_reports,
        .store = current_store,
        .no_store = no_store,
        .port = sockets.port,
        .host = looked_up_host,
        .hello = sockets.hello,
        .judged = judged,
    };
    session_index = SSL_get_ex_new_index(0, NULL, NULL, copy_no_session, free_session);
    if (session_index < 0 || pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork) != 0) return NULL;
    return &functions;
}

/* hawser.h: trust verdicts for TLS servers, by a compiled policy table.
 *
 * C99. Everything here may be called from any thread at any time, also while another thread
 * reloads, closes or frees the same object; nothing here is for signal handlers.
 *
 * After fork() the child has none of its parent's objects, as the threads that follow tables are
 * not there: every number of the parent is refused with HAWSER_E_MISUSE, reason `forked`, and the
 * parent's numbers stay good in the parent. A server that forks its workers opens a store in each
 * of them; hawser_store_resume opens one that goes on with the policy that was in force at the
 * fork. A child of a process in which other threads were inside this library at the fork may
 * only call exec().
 *
 * Conventions
 *
 * - A function returns HAWSER_OK (0) when it did what its name says, and a negative HAWSER_E_* when
 *   its arguments are wrong or it failed. The functions that judge return HAWSER_REJECT (2) for
 *   a verdict that rejects. So for a connection only `== HAWSER_OK` means trust: every mistake and
 *   every failure is another number.
 * - Objects are numbers, never pointers: hawser_store, hawser_verdict, hawser_evidence,
 *   hawser_demands, hawser_fetcher. Each is a struct with one member, `number`, so the compiler
 *   refuses an object of one kind in the place of another. The number 0 is none:
 *   `hawser_store store = {0};`. A number that was freed, that is of another kind, or that was
 *   never given out, is refused with HAWSER_E_MISUSE and touches nothing, however often and from
 *   however many threads it is used. Where an object is freed while a call with it runs,
 *   the call completes as if it had come before. A number means nothing in another process, and
 *   each process begins at random, so one that is taken there by mistake is refused.
 * - Structs begin with `size`, which the caller sets to `sizeof` of it after filling it with zeros
 *   (HAWSER_INIT does both). A later library takes an older struct: it reads the fields that the
 *   struct lacks as zero, and does not write them. An older library takes a later struct whose
 *   further fields are zero, and refuses one whose further fields are not, since it would not do
 *   what they ask; in a struct that it fills it sets them to zero. A size that no version of the
 *   struct has is refused with HAWSER_E_ARGUMENT, reason `struct-size`.
 * - Octets are a pointer and a length. They are copied before the call returns; nothing of the
 *   caller's is kept, but for the callbacks and their contexts, until hawser_store_close has
 *   returned. A NULL pointer with length 0 is "absent", which is not the same as a pointer with
 *   length 0, which is "empty". NULL with a length, and lengths beyond the limits below, are
 *   refused. Names (`const char *`) end in NUL. A longer name than the limit is refused, and the
 *   rest of it is not read.
 * - Text comes into the caller's buffer: always ended by NUL, cut between characters where the
 *   buffer is too small, and then the answer is HAWSER_E_SMALL. `*length`, where given, is always
 *   the length of the whole text without its NUL; so a buffer of capacity 0 asks for the length. It
 *   is UTF-8, and hostile characters in it (control, bidirectional and zero-width ones) are shown
 *   as \u{HEX} and cannot act on a terminal or a log. JSON (HAWSER_TEXT_EXPLANATION, receipts,
 *   reports, disagreements) and the text of hawser_metrics escape in their own way.
 * - `error`, where a function takes one, may be NULL. It is filled in every case, so it
 *   needs no clearing. For HAWSER_REJECT `reason` is the first violation's id and `message` its
 *   sentence, followed by the words of HAWSER_TEXT_REJECT_LINE: side, rule, owner, id and the
 *   command to run next. They cost an explanation, so a caller in a hurry gives NULL.
 * - Each function, with the callbacks that it calls, leaves the thread's queue of OpenSSL errors
 *   unchanged: its entries stay, and none is added. (Where the queue is full, libcrypto drops the
 *   oldest entry for each new one.)
 *
 * The caller must ensure two facts that the library cannot check: a pointer that is not NULL points
 * to as many octets as its length says, and other threads do not change them during the call.
 *
 * The library has a Swift runtime of its own inside. Do not load it into a program that is itself
 * written in Swift: use the module Hawser there.
 */
#ifndef HAWSER_H
#define HAWSER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows when functions, fields or values are added, and a comment
 * then says since which version each of them is there. From the first release on none is removed or
 * given another meaning under the name libhawser.so.0. */
#define HAWSER_ABI_VERSION 1

/* The version of the interface that the library has, to be compared with
 * HAWSER_ABI_VERSION: not smaller. */
uint32_t hawser_abi_version(void);

/* Fills a struct with zeros and sets its size. */
#define HAWSER_INIT(pointer) (memset((pointer), 0, sizeof *(pointer)), (pointer)->size = sizeof *(pointer))

/* -------------------------------------------------------------------------------------- results */

enum {
    HAWSER_OK = 0,           /* done; of a verdict: accept */
    HAWSER_REJECT = 2,       /* of a verdict: reject. No function returns 1, the number of
                                HAWSER_DECISION_ACCEPT: a program that confuses the two enums
                                refuses */
    HAWSER_E_MISUSE = -1,    /* a number of no object: freed, never given out, of another kind, 0 */
    HAWSER_E_ARGUMENT = -2,  /* NULL where none may be, a value that is not allowed, a struct of
                                no version's size */
    HAWSER_E_LIMIT = -3,     /* a length or a count beyond the limits, or too many objects alive */
    HAWSER_E_TABLE = -4,     /* the table does not load or is refused; `reason` says which way */
    HAWSER_E_FILE = -5,      /* a file cannot be read, or a state directory that is required
                                cannot be used */
    HAWSER_E_EVIDENCE = -6,  /* evidence that does not parse */
    HAWSER_E_SMALL = -7,     /* the buffer is too small; what fits was written */
    HAWSER_E_RANGE = -8,     /* no item has this index, or no such text exists here */
    HAWSER_E_TLS = -9,       /* of hawser_openssl.h: the TLS library refused */
    HAWSER_E_INTERNAL = -10  /* a fault of our own; as everything but HAWSER_OK, not a
                                reason to trust */
};

/* The name of a result, such as "HAWSER_E_MISUSE"; "HAWSER_E_?" for a number that is
 * none. Never freed. */
const char *hawser_result_name(int32_t result);

/* Limits, octets and counts. Larger input is refused, not cut. */
#define HAWSER_LIMIT_NAME 256            /* names, TLS parameters, a host is octets and may
                                            have as many */
#define HAWSER_LIMIT_PATH 4096           /* paths of files */
#define HAWSER_LIMIT_TABLE (1u << 30)    /* a table */
#define HAWSER_LIMIT_ITEMS 1024          /* certificates, responses, CRLs, prepared
                                            evidence, assumptions, networks, ports, stores
                                            in one call, each */
#define HAWSER_LIMIT_OCTETS (64u << 20)  /* a request, all its octets together; and each
                                            piece of evidence */
#define HAWSER_LIMIT_KEYS 64             /* trusted keys, checks */
#define HAWSER_LIMIT_STORES 65536        /* alive at a time; of verdicts, evidence and demands
                                            sixteen times as many */
#define HAWSER_LIMIT_FETCHERS 1024       /* alive at a time */
#define HAWSER_LIMIT_DESCRIPTORS 64      /* of hawser_store_epoch_descriptor, for each store */

/* Why a call failed, or a verdict rejects. */
typedef struct hawser_error {
    size_t size;
    int32_t result;     /* as returned */
    uint32_t reserved;  /* 0 */
    char reason[64];    /* a stable word, such as `truncated`, `not-enough-signatures`,
                           `null-pointer` */
    char message[952];  /* what was found, for people: lower case, no full stop, escaped,
                           cut to fit */
} hawser_error;

/* Octets. */
typedef struct hawser_bytes {
    const void *data;
    size_t length;
} hawser_bytes;

/* --------------------------------------------------------------------------------------- stores */

typedef struct hawser_store { uint64_t number; } hawser_store;
typedef struct hawser_verdict { uint64_t number; } hawser_verdict;
typedef struct hawser_evidence { uint64_t number; } hawser_evidence;
typedef struct hawser_demands { uint64_t number; } hawser_demands;
typedef struct hawser_fetcher { uint64_t number; } hawser_fetcher;

/* What a check of the program is asked about; valid only during the call. */
typedef struct hawser_check_subject {
    size_t size;
    const hawser_bytes *path;    /* DER of each certificate, end entity first, anchor last */
    size_t path_count;
    hawser_bytes host;           /* in canonical form; not ended by NUL */
    uint32_t port;
    uint32_t reserved;
    int64_t time;                /* seconds since 1970 */
} hawser_check_subject;

/* A check that the program registers under a name of the policy's `checks`. Returns 1 for pass;
 * everything else fails, and then `reason` may be given why: lower case, no full stop, ended by
 * NUL, at most `capacity` octets with it. It must be pure and quick: the same subject, the same
 * answer, from any thread, nothing else touched. It must not call back into this library, but for
 * hawser_store_close, and must not unwind (no longjmp, no C++ exception). */
typedef int32_t (*hawser_check_function)(
    void *context, const hawser_check_subject *subject, char *reason, size_t capacity);

typedef struct hawser_check {
    const char *name;
    hawser_check_function function;
    void *context;
} hawser_check;

/* What the library has to say while it works: reloads, refusals, staleness. `level`: 0 trace,
 * 1 debug, 2 info, 3 notice, 4 warning, 5 error, 6 critical. `message` is one line, escaped, a
 * sentence and then `key=value` words; it ends in NUL and is valid during the call. It is called
 * from whichever thread has something to say, also by two at a time and before the function that
 * opens the store has returned. It must not call back into this library, but for
 * hawser_store_close, and must not unwind. */
typedef void (*hawser_log_function)(void *context, int32_t level, const char *message);

enum {
    HAWSER_STALE_NEVER = 0,  /* a table becomes stale only where it is signed with an end, and that
                                has come: then every request is rejected, under each of these */
    HAWSER_STALE_WARN = 1,   /* past `stale_after` the log, the state and a notice of
                                accepts say so */
    HAWSER_STALE_REJECT = 2  /* past `stale_after` every request is rejected with `table-stale` */
};

/* How a store on a file follows it. A thread of the library does, which is not in a child after
 * fork(). */
enum {
    HAWSER_FOLLOW_NOTIFIED = 0,  /* by the system's notices, which come at once, and a look at the
                                    file each minute */
    HAWSER_FOLLOW_POLLED = 1,    /* by a look at the file each five seconds, where notices do not
                                    come, as on network file systems */
    HAWSER_FOLLOW_NEVER = 2      /* only hawser_store_reload_file reads the file again */
};

enum {
    HAWSER_STORE_REFUSE_WAIVERS = 1,   /* do not load a table in which any rule has a waiver */
    HAWSER_STORE_REQUIRE_STATE = 2,    /* do not open where the state directory does not prove, by
                                          trusted keys, which revision was in force: HAWSER_E_FILE,
                                          and `reason` says why. It must be there: for the first
                                          start make it, empty, with mode 0700. Later refuse a
                                          newer table whose revision cannot be recorded there:
                                          HAWSER_E_TABLE, `not-recorded`; a watched file is offered
                                          again after 1, 2, 4 seconds and so on. Without this flag
                                          the store opens, and `rollback_protection` of its
                                          snapshot says it */
    HAWSER_STORE_REQUIRE_STATE_AT_START = 4 /* as the flag before, in its place, for the opening:
                                          later a newer table is in force even where its revision
                                          cannot be recorded, and `rollback_protection` says it */
};

/* How a store loads tables. All zeros is usable: a file is followed, warnings and errors go to
 * standard error, no key is trusted, and nothing is kept. */
typedef struct hawser_store_options {
    size_t size;
    const char *name;                  /* for logs, and whose the state directory is; NULL:
                                          "default" */
    const hawser_bytes *trusted_keys;  /* Ed25519 public keys: 32 octets each, or PEM */
    size_t trusted_key_count;          /* with any, a table must be signed by `threshold` of them */
    uint32_t threshold;                /* 0 means 1 */
    uint32_t flags;                    /* HAWSER_STORE_* */
    const char *state_directory;       /* where the last good table and its revision are kept, made
                                          0700, for stores of this name alone; NULL: nowhere */
    uint32_t staleness;                /* HAWSER_STALE_* */
    uint32_t follow;                   /* HAWSER_FOLLOW_*, of a store on a file */
    int64_t stale_after;               /* seconds, at least 1 unless HAWSER_STALE_NEVER */
    const hawser_check *checks;        /* a table that names another one does not load */
    size_t check_count;
    hawser_bytes log_list;             /* a log_list.json, version 3, newer than the
                                          table's; or absent */
    hawser_log_function log;           /* NULL: each line of level 4 and above goes to standard
                                          error, as `hawser: warning: LINE`, unless that would
                                          block. A function that does nothing silences the store */
    void *log_context;                 /* must live until hawser_store_close has returned */
    const char *service;               /* the service's name, for receipts, reports and
                                          disagreements; NULL: none */
    const char *policy_path;           /* the policy that the tables are compiled from, a file or a
                                          folder of this machine, for the commands that messages
                                          propose; NULL: they name the table's file, and a store
                                          on octets proposes no command */
    const char *crlite_directory;      /* a folder of CRLite filters, as `upki fetch` fills it, for
                                          rules that ask `crlite`; NULL: these rules find no
                                          filters. See below */
} hawser_store_options;

/* CRLite filters are not signed. The folder and its files must belong to root or to the user of the
 * process, and other users must not be able to write them. A store opens all filters when it is
 * opened. A folder that is missing or refused does not keep the store from opening: one line is
 * logged at level 5, HAWSER_TEXT_CRLITE_REASON gives the reason, and verdicts of rules that ask
 * `crlite` go by the rule's `revocation.causes`. They go by the filters as soon as these can be
 * asked.
 *
 * `upki fetch` puts a new index in the place of the old one while programs run. The first verdict
 * after it starts a thread of the library, which opens the new filters and ends; until then, some
 * milliseconds, the filters of the former index answer. Under HAWSER_FOLLOW_NEVER that verdict
 * opens the new filters itself, and the library starts no thread. hawser_store_state and
 * hawser_store_reload_file return when the newest filters answer. */

/* Opens a store on a table in memory. `options` may be NULL. With a state directory, `table` may be
 * NULL with length 0: the table that was last accepted is then in force, if there is one.
 *
 * Loading checks everything and takes its time (a million patterns some tens of milliseconds); it
 * is for the start of a program. *store is none unless HAWSER_OK. */
int32_t hawser_store_open(
    const void *table, size_t length, const hawser_store_options *options, hawser_store *store,
    hawser_error *error);

/* Opens a store on a table file, and follows the file as the options say. Replace the file by
 * rename. */
int32_t hawser_store_open_file(
    const char *path, const hawser_store_options *options, hawser_store *store, hawser_error *error);

/* Offers a table. It is in force when this returns HAWSER_OK (also where it says the same as the
 * one before; the epoch tells); otherwise it is refused and the one before stays in force. Verdicts
 * that are being made when it changes are made wholly by the one or the other. A store that follows
 * a file puts the file's table in force again when it next looks at the file. */
int32_t hawser_store_reload(
    hawser_store store, const void *table, size_t length, hawser_error *error);

/* Reads the file of hawser_store_open_file or hawser_store_resume again, now. HAWSER_E_ARGUMENT for
 * a store without one. */
int32_t hawser_store_reload_file(hawser_store store, hawser_error *error);

/* Confirms that the table in force is still the newest, as its source answered (HTTP 304): for
 * staleness. A table that is signed with the time of its issue is as old as that time, whatever is
 * confirmed. A file that has not changed confirms nothing. */
int32_t hawser_store_confirm(hawser_store store, hawser_error *error);

/* Whether a connection that was accepted under an epoch of this store may go on, as when its
 * session is resumed or a pool hands it out: HAWSER_OK when no table since then judges the host
 * more strictly. HAWSER_REJECT otherwise, for an epoch since which more than 100,000 patterns
 * became stricter, and under a table that is stale and rejects. `time` is in seconds since 1970, or
 * HAWSER_NOW. */
int32_t hawser_store_holds(
    hawser_store store, uint64_t epoch, const void *host, size_t length, uint32_t port, int64_t time,
    hawser_error *error);

/* Stops watching and gives everything back; verdicts and evidence live on.
 *
 * When it returns, no callback of the store runs on any thread, watching ones included, and none
 * will begin: log, checks and their contexts may go. So it waits for the callbacks that run and for
 * the verdicts that are being made with checks; what the store would have logged meanwhile is
 * dropped. Hold no lock that a callback takes. A second call for the same store, on another thread,
 * is HAWSER_E_MISUSE at once and says nothing of callbacks.
 *
 * A callback may call it, for its own store or another. It does not wait then, whoever else runs:
 * no log callback of the store begins after it has returned, but callbacks that run, the calling
 * one among them, come to their end later, and verdicts that are being made on other threads may
 * still ask checks. What those use must outlive them.
 *
 * A function that opens a store and fails has called the log for the last time when it returns. */
int32_t hawser_store_close(hawser_store store);

/* The policy in force. */
typedef struct hawser_snapshot {
    size_t size;
    uint64_t epoch;                /* from 1, one more whenever the meaning changes: put it into the
                                      keys of sessions and connection pools. Under
                                      HAWSER_STALE_REJECT resume no session while `is_stale` */
    uint64_t revision;             /* of the table; 0 where `has_revision` is 0 */
    uint32_t has_revision;
    uint32_t is_stale;
    int64_t loaded_at;             /* seconds since 1970 */
    int64_t confirmed_at;          /* when its source last said that it is the newest */
    uint64_t refusals;             /* tables refused since the store was opened */
    uint64_t source_failures;      /* times that there was no table to judge, as when the file could
                                      not be read */
    uint8_t policy_digest[32];     /* of the meaning; every verdict carries it */
    uint8_t file_digest[32];       /* of the table's octets, which signatures cover */
    uint8_t system_store_digest[32];
    uint32_t has_system_store;     /* whether the policy names `system` */
    uint32_t stricter_count;       /* patterns whose hosts may be judged more strictly than by the
                                      table before: close connections to them.
                                      HAWSER_TEXT_STRICTER_HOST names them */
    uint32_t stricter_default;     /* whether hosts that no pattern matches may be, too */
    uint32_t rollback_protection;  /* HAWSER_ROLLBACK_* */
} hawser_snapshot;

/* Whether the store refuses a table that is older than a table that was in force, restarts
 * included. */
enum {
    HAWSER_ROLLBACK_OFF = 0,              /* it may accept one: HAWSER_TEXT_ROLLBACK_MESSAGE says
                                             why, and what to do */
    HAWSER_ROLLBACK_ON = 1,               /* the newest revision is recorded, and trusted keys
                                             vouch for it. On a full disk its table may be missing:
                                             HAWSER_DIRECTORY_FAILED */
    HAWSER_ROLLBACK_AGAINST_MISTAKES = 2  /* it is kept, but no key is trusted: a table may
                                             state any revision */
};

int32_t hawser_store_snapshot(hawser_store store, hawser_snapshot *snapshot, hawser_error *error);

/* The octets of the table in force, as they were offered: in the signed envelope, where the table
 * had one. *length, where given, is how many there are, also where they do not fit: then the answer
 * is HAWSER_E_SMALL and the buffer is left as it is. Waits while another thread offers a table. */
int32_t hawser_store_table(
    hawser_store store, void *buffer, size_t capacity, size_t *length, hawser_error *error);

/* Opens a store that goes on where another one was, in a child of the process that has that one: so
 * the child begins with the policy that was in force at the fork, and not with whatever the file
 * holds by then. `table` is from hawser_store_table and `was` from hawser_store_snapshot, both
 * asked in the parent before the fork.
 *
 * Epochs go on from `was`, so that hawser_store_holds knows a connection of that epoch and refuses
 * older ones; the table is as fresh as `was` says, and older tables do not come into force. `path`,
 * which may be NULL, is the file that hawser_store_reload_file reads and that is followed from then
 * on. Unless `follow` is HAWSER_FOLLOW_NEVER it is read once before this returns, as a table may
 * have come since `was`. It need not be there. The table is judged by `options` as any other. A
 * state directory belongs to one process: leave it to the parent. One line is logged. *store is
 * none unless HAWSER_OK. */
int32_t hawser_store_resume(
    const void *table, size_t length, const hawser_snapshot *was, const char *path,
    const hawser_store_options *options, hawser_store *store, hawser_error *error);

/* How a store learns that its file has changed. */
enum {
    HAWSER_WATCHING_NOTHING = 0,  /* it does not: only a reload reads the file. Also of a store
                                     without a file */
    HAWSER_WATCHING_NOTIFIED = 1, /* by the system's notices, which come at once */
    HAWSER_WATCHING_POLLED = 2    /* by a look at the file each `poll_interval` */
};

enum {
    HAWSER_DIRECTORY_NONE = 0,  /* the store was given no state directory */
    HAWSER_DIRECTORY_USED = 1,  /* the table in force is kept there */
    HAWSER_DIRECTORY_FAILED = 2 /* its last use failed: HAWSER_TEXT_DIRECTORY_REASON says why */
};

enum {
    HAWSER_FAILURE_NONE = 0,   /* nothing failed since a table was accepted or confirmed */
    HAWSER_FAILURE_TABLE = 1,  /* a table was refused */
    HAWSER_FAILURE_SOURCE = 2  /* there was no table to judge */
};

/* The condition of a store, for a health page or an operator. */
typedef struct hawser_state {
    size_t size;
    uint32_t watching;         /* HAWSER_WATCHING_*; HAWSER_WATCHING_NOTHING until the thread that
                                  watches has begun, shortly after the store was opened */
    uint32_t directory;        /* HAWSER_DIRECTORY_* */
    uint32_t damage_count;     /* files of the state directory that did not hold what was written
                                  there: the last 16 */
    uint32_t failure;          /* HAWSER_FAILURE_*, what failed last; HAWSER_TEXT_REFUSAL_* say
                                  more */
    int64_t failed_at;         /* when; seconds since 1970, as each instant here */
    int64_t poll_interval;     /* milliseconds; 0 unless the file is looked at */
    uint32_t is_stale;
    uint32_t has_stale_after;  /* whether the table becomes stale at all */
    int64_t stale_after;       /* the last second at which it is fresh */
    uint32_t has_issued;       /* whether its signed envelope says when it was issued */
    uint32_t has_expires;      /* and until when it may be used */
    int64_t issued;
    int64_t expires;           /* the last second at which it may be used */
    uint64_t installed;        /* since the store was opened: tables put in force, the first one
                                  included */
    uint64_t confirmed;        /* times that a source said that the table is the newest */
    uint64_t refused;          /* tables refused */
    uint64_t source_failed;    /* times that there was no table to judge */
    uint64_t accepted;         /* verdicts of hawser_evaluate and hawser_explain, with fetching or
                                  without */
    uint64_t rejected;
} hawser_state;

int32_t hawser_store_state(hawser_store store, hawser_state *state, hawser_error *error);

enum {
    HAWSER_TEXT_REFUSAL_REASON = 1,   /* what failed last, a refused table or a source without one:
                                         a stable word; HAWSER_E_RANGE where nothing did since a
                                         table was accepted */
    HAWSER_TEXT_REFUSAL_MESSAGE = 2,  /* and what was found */
    HAWSER_TEXT_REFUSAL_ORIGIN = 3,   /* and where it came from */
    HAWSER_TEXT_STRICTER_HOST = 4,    /* by index: one of `stricter_count` patterns */
    HAWSER_TEXT_ROLLBACK_REASON = 5,  /* why rollback protection is off: a stable word;
                                         HAWSER_E_RANGE where it is not */
    HAWSER_TEXT_ROLLBACK_MESSAGE = 6, /* and what was found, and what would be right */
    HAWSER_TEXT_WATCHING_REASON = 7,  /* why changes of the file are noticed later than was asked
                                         for: a stable word; HAWSER_E_RANGE where they are
                                         not */
    HAWSER_TEXT_WATCHING_MESSAGE = 8, /* and what was found */
    HAWSER_TEXT_DIRECTORY = 9,        /* the state directory; HAWSER_E_RANGE without one */
    HAWSER_TEXT_DIRECTORY_REASON = 10,  /* why it is not used: a stable word; HAWSER_E_RANGE where
                                           it is, and without one */
    HAWSER_TEXT_DIRECTORY_MESSAGE = 11, /* and what was found */
    HAWSER_TEXT_DAMAGE_REASON = 12,   /* by index: one of `damage_count`, the newest last */
    HAWSER_TEXT_DAMAGE_MESSAGE = 13,  /* and what was found */
    HAWSER_TEXT_NAME = 14,            /* the name of the store */
    HAWSER_TEXT_ORIGIN = 15,          /* where the table in force came from: a path, or `program` */
    HAWSER_TEXT_CRLITE_DIRECTORY = 16, /* the folder of CRLite filters; HAWSER_E_RANGE without
                                          one */
    HAWSER_TEXT_CRLITE_REASON = 17,   /* why its filters cannot be asked: a stable word;
                                         HAWSER_E_RANGE where they can, and without a folder */
    HAWSER_TEXT_CRLITE_MESSAGE = 18   /* and what was found */
};

int32_t hawser_store_text(
    hawser_store store, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length);

/* Counters and gauges of stores in the text format of Prometheus, version 0.0.4
 * (`Content-Type: text/plain; version=0.0.4`), each family once, labelled with the names of the
 * stores: events by kind and reason, verdicts, the epoch and the revision, when the table was
 * loaded and confirmed, whether it is stale, whether notices of its file come, whether rollback
 * protection is on, whether CRLite filters can be asked, and what the comparisons with a shadow
 * found. Stores of one name have one set of labels, so give each a name. The numbers go on between
 * two calls: where a buffer that was measured by one call is too small for the next, ask again. */
int32_t hawser_metrics(
    const hawser_store *stores, size_t store_count, char *buffer, size_t capacity, size_t *length,
    hawser_error *error);

/* A descriptor that becomes readable whenever another epoch has come into force, for poll, epoll or
 * the loop of a program: there it drops pooled connections (HAWSER_TEXT_STRICTER_HOST) or derives
 * its TLS configuration anew (hawser_store_demands). It is a descriptor and no callback, because
 * that work belongs on the program's own thread.
 *
 * It is the caller's, does not block, and is closed on exec. Read from it until read() says EAGAIN,
 * and ask for the snapshot after that: then no epoch is missed, though several may be told as one.
 * The octets mean nothing. Ask for the snapshot once after this call, too. When the store is
 * closed, also while another thread waits in poll(), the descriptor is readable and read() returns
 * 0. Close it by close(), at any time. Each call makes another one, for another loop. A child after
 * fork() closes the inherited descriptor and must not read from it, since it would take the octets
 * that its parent waits for. *descriptor is -1 unless HAWSER_OK. */
int32_t hawser_store_epoch_descriptor(
    hawser_store store, int32_t *descriptor, hawser_error *error);

/* -------------------------------------------------------------------------------------- shadows */

enum {
    HAWSER_SHADOW_VIOLATIONS = 0,  /* two verdicts agree when both accept, or both reject for the
                                      same violations */
    HAWSER_SHADOW_VERDICT = 1,     /* when both accept, or both reject */
    HAWSER_SHADOW_REPORTED = 2     /* as HAWSER_SHADOW_VIOLATIONS, and two accepts report the same
                                      failures */
};

/* What the library has to say of a request on which two policies disagree. `kind`: `stricter` (the
 * candidate rejects what the policy in force accepts), `weaker`, `violations` or `reported`.
 * `json`: one line whose `active` and `candidate` are explanations, as HAWSER_TEXT_EXPLANATION is
 * one. Both end in NUL and are valid during the call, which comes on the thread that judges, also
 * on two at a time. It must not call back into this library, but for hawser_store_close, and must
 * not unwind. */
typedef void (*hawser_disagreement_function)(void *context, const char *kind, const char *json);

/* How a candidate is compared. All zeros is usable: every request, and only counted. */
typedef struct hawser_shadow_options {
    size_t size;
    uint32_t level;        /* HAWSER_SHADOW_* */
    uint32_t one_in;       /* one request in this many is compared; 0 means 1. The choice follows
                              from the request, so replicas choose the same */
    uint32_t per_minute;   /* most disagreements told in a minute, further ones are only counted;
                              0 means 60 */
    uint32_t reserved;     /* 0 */
    hawser_bytes seed;     /* what the choice depends on besides the request; or absent */
    hawser_disagreement_function function;  /* NULL: disagreements are only counted */
    void *context;         /* must live until the shadow has ended */
} hawser_shadow_options;

/* Lets a candidate, another store that is opened and reloaded as any other, judge what `store`
 * judges, and compares. The verdict is always the one of `store`; neither the candidate's verdict
 * nor its absence changes anything. The candidate replaces an earlier one; none,
 * `(hawser_store){0}`, ends the comparison. `options` may be NULL.
 *
 * Each compared request costs a second evaluation, on the thread that judges and after the verdict
 * is known; each disagreement that is told costs two explanations more.
 *
 * The shadow ends when another one takes its place, by none, and when `store` is closed.
 * Then its function runs on no thread any more and `context` may go, as hawser_store_close says it
 * of logs. When the candidate is closed, nothing is compared any more. */
int32_t hawser_store_shadow(
    hawser_store store, hawser_store candidate, const hawser_shadow_options *options,
    hawser_error *error);

/* What the comparisons found. The first five begin again when the meaning of either policy changes;
 * the others count since the shadow began. */
typedef struct hawser_shadow_counts {
    size_t size;
    uint64_t agreements;
    uint64_t stricter;           /* disagreements: the candidate rejects, the policy in force
                                    accepts */
    uint64_t weaker;             /* the other way round */
    uint64_t violations;         /* both reject, for different violations */
    uint64_t reported;           /* both accept, and report different failures */
    uint64_t over_limit;         /* disagreements that were counted and not told, as there were
                                    more than `per_minute`; begins again with the first five */
    uint64_t passed_over;        /* requests that `one_in` left out */
    uint64_t without_candidate;  /* requests when the candidate was closed */
    uint32_t has_compared;       /* whether the two digests are there */
    uint32_t reserved;           /* 0 */
    uint8_t active_policy[32];   /* the policies that were compared last */
    uint8_t candidate_policy[32];
} hawser_shadow_counts;

/* HAWSER_E_RANGE where the store has no shadow. */
int32_t hawser_store_shadow_counts(
    hawser_store store, hawser_shadow_counts *counts, hawser_error *error);

/* -------------------------------------------------------------------------------------- demands */

enum {
    HAWSER_STAPLE_UNUSED = 0,   /* the rule takes no evidence from the handshake */
    HAWSER_STAPLE_WANTED = 1,   /* ask the server for one; other evidence, or the rule's tolerance,
                                   may do without */
    HAWSER_STAPLE_REQUIRED = 2  /* the rule has no other source, and rejects without evidence */
};

/* What the rule of a host demands of a connection before the server has shown anything, in
 * numbers. */
typedef struct hawser_demanded {
    size_t size;
    uint64_t epoch;                  /* of the table that says so */
    uint32_t tls_version_minimum;    /* as on the wire: 0x0303 is TLS 1.2 */
    uint32_t tls_version_maximum;    /* not smaller */
    uint32_t cipher_suite_count;     /* 0: any. HAWSER_TEXT_DEMANDED_* name the items of each
                                        list */
    uint32_t group_count;
    uint32_t signature_scheme_count;
    uint32_t alpn_count;
    uint32_t revocation_source_count;
    uint32_t forward_secrecy;        /* before TLS 1.3 only suites with ephemeral keys: their names
                                        begin with TLS_ECDHE_ or TLS_DHE_ */
    uint32_t staple;                 /* HAWSER_STAPLE_* */
    uint32_t rejects_without_evidence; /* of revocation */
    uint32_t may_fetch;              /* whether the rule lets evidence be fetched:
                                        hawser_evaluate_fetching */
    uint32_t transparency;           /* whether it demands signed certificate timestamps */
    uint32_t offers_intermediates;   /* whether its anchors come with intermediates, so that a
                                        server may leave out its own */
    uint32_t has_server_name;        /* whether server_name is sent: not for an address */
    uint8_t policy_digest[32];       /* for `enforced_policy` */
    uint32_t depends_on_port;        /* whether connections to two ports of the host may be decided
                                        by two rules: a pattern with a port matches it, and no more
                                        specific one matches it at every port. Who does not know the
                                        port then has no rule. Also where no rule decides */
    uint32_t reserved;               /* 0 */
} hawser_demanded;

enum {
    HAWSER_TEXT_DEMANDED_RULE = 48,  /* the id of the rule, for `enforced_rule`; empty for the body
                                        of `default` */
    HAWSER_TEXT_DEMANDED_SERVER_NAME = 49, /* for server_name: canonical, without a dot at its end;
                                        HAWSER_E_RANGE for an address */
    HAWSER_TEXT_DEMANDED_CIPHER_SUITE = 50, /* by index, in the rule's order: IANA names */
    HAWSER_TEXT_DEMANDED_GROUP = 51,
    HAWSER_TEXT_DEMANDED_SIGNATURE_SCHEME = 52, /* of the server's handshake */
    HAWSER_TEXT_DEMANDED_ALPN = 53,
    HAWSER_TEXT_DEMANDED_REVOCATION_SOURCE = 54 /* `stapled`, `ocsp`, `crl` or `crlite` */
};

/* What the rule for a host and a port demands of a connection at an instant (seconds since 1970, or
 * HAWSER_NOW): enough to configure a TLS library by it, and then to say HAWSER_TLS_ENFORCED in the
 * request, with HAWSER_TEXT_DEMANDED_RULE and `policy_digest`. Say so only where the configuration
 * imposes all of the versions, forward secrecy, suites, groups, signature schemes and protocols
 * here; where the TLS library cannot, say HAWSER_TLS_OBSERVED with what the handshake came to.
 * These demands are not a verdict: the connection is judged all the same. When another table has
 * come into force meanwhile, its digest is another and the claim counts for nothing.
 *
 * The versions are those that the rule may accept, so waivers and report-only demands that are in
 * force at the instant widen them; what lies in between is still judged.
 *
 * HAWSER_REJECT where no rule decides, and where the host is none: every verdict for it rejects, so
 * there is nothing to connect for. Then *demands is none, and `numbers` has only the epoch, the
 * digest and `depends_on_port`. `numbers` and `demands` may each be NULL; without `demands` nothing
 * has to be freed. The texts of one object are all of one table. */
int32_t hawser_store_demands(
    hawser_store store, const void *host, size_t length, uint32_t port, int64_t time,
    hawser_demanded *numbers, hawser_demands *demands, hawser_error *error);

int32_t hawser_demands_text(
    hawser_demands demands, uint32_t which, size_t index, char *buffer, size_t capacity,
    size_t *length);

/* Frees demands. Freeing none does nothing. */
int32_t hawser_demands_free(hawser_demands demands);

/* ------------------------------------------------------------------------------------- requests */

enum {
    HAWSER_TLS_NOT_SUPPLIED = 0,  /* nothing is known: a rule that demands something
                                     of TLS rejects */
    HAWSER_TLS_OBSERVED = 1,      /* read from this connection's handshake */
    HAWSER_TLS_ENFORCED = 2,      /* imposed by a configuration derived from rule
                                     `enforced_rule` under `enforced_policy` */
    HAWSER_TLS_ASSUMED = 3,       /* stated without looking at a connection; the verdict
                                     has a notice */
    HAWSER_TLS_CLEARTEXT = 4      /* the connection has no TLS; only a waiver of
                                     `cleartext` accepts it */
};

/* For `time`: the system's clock, read once for the call. */
#define HAWSER_NOW INT64_MIN

/* What one verdict depends on besides the table. All zeros is rejected. */
typedef struct hawser_request {
    size_t size;
    hawser_bytes host;               /* the host that was asked for: a name in ASCII,
                                        or an address */
    uint32_t port;                   /* 0 to 65535 */
    uint32_t tls;                    /* HAWSER_TLS_* */
    int64_t time;                    /* seconds since 1970, or HAWSER_NOW; nothing is taken for
                                        granted: 0 is 1970 */
    const hawser_bytes *chain;       /* DER of each certificate as the peer sent it,
                                        end entity first */
    size_t chain_count;
    uint32_t tls_version;            /* as on the wire: 0x0304 is TLS 1.3; 0: unknown */
    uint32_t reserved;               /* 0 */
    const char *cipher_suite;        /* IANA names; NULL: unknown */
    const char *group;
    const char *signature_scheme;
    const char *alpn;
    const char *enforced_rule;       /* for HAWSER_TLS_ENFORCED */
    hawser_bytes enforced_policy;    /* 32 octets */
    hawser_bytes staple;             /* the OCSP response of this handshake, DER */
    hawser_bytes sct_list;           /* the SignedCertificateTimestampList of this
                                        handshake's TLS extension */
    const hawser_bytes *ocsp_responses; /* further ones, DER */
    size_t ocsp_response_count;
    const hawser_bytes *crls;        /* DER; each is read for each request: prepare large ones */
    size_t crl_count;
    const hawser_evidence *prepared;
    size_t prepared_count;
    const char *const *assumptions;  /* what you assumed, each a sentence, for the explanation
                                        alone */
    size_t assumption_count;
} hawser_request;

/* The decision of an outcome. Zero is undecided: so is an outcome that no call has filled, and
 * every outcome after a call that failed. */
enum {
    HAWSER_DECISION_UNDECIDED = 0,  /* do not trust the server */
    HAWSER_DECISION_ACCEPT = 1,
    HAWSER_DECISION_REJECT = 2
};

/* A verdict in numbers. */
typedef struct hawser_outcome {
    size_t size;
    uint32_t decision;         /* HAWSER_DECISION_* */
    uint32_t violation_count;  /* of a reject, at least 1 */
    uint32_t reported_count;   /* of an accept: failures that a waiver or report-only let through */
    uint32_t notice_count;     /* of an accept */
    uint32_t wanted_count;     /* pieces of evidence that could change the verdict */
    uint32_t path_count;       /* certificates of the accepted path */
    uint64_t epoch;            /* of the table that judged */
    int64_t time;              /* the validation time */
    uint8_t policy_digest[32];
    uint8_t system_store_digest[32];
    uint8_t log_list_digest[32];
    uint32_t has_system_store;
    uint32_t has_log_list;
} hawser_outcome;

/* Judges a request: HAWSER_OK to accept, HAWSER_REJECT, or an error. An error is not a verdict: do
 * not trust the server.
 *
 * `outcome` and `verdict` may each be NULL; without `verdict` nothing has to be freed, and that is
 * the fast way. *verdict is none unless the answer is HAWSER_OK or HAWSER_REJECT. `outcome` becomes
 * undecided before anything is checked, its own size and the one of `error` included: whatever it
 * held before, a call that fails leaves no accept in it. */
int32_t hawser_evaluate(
    hawser_store store, const hawser_request *request, hawser_outcome *outcome, hawser_verdict *verdict,
    hawser_error *error);

/* The same verdict by the same code, with the trace it follows from: HAWSER_TEXT_EXPLANATION of
 * `verdict`, which may not be NULL here. */
int32_t hawser_explain(
    hawser_store store, const hawser_request *request, hawser_outcome *outcome, hawser_verdict *verdict,
    hawser_error *error);

/* The outcome of a verdict that is alive. Otherwise `outcome` is undecided, as above. */
int32_t hawser_verdict_outcome(hawser_verdict verdict, hawser_outcome *outcome);

enum {
    HAWSER_TEXT_VIOLATION = 16,          /* by index: the sentence, as `hawser explain` says it */
    HAWSER_TEXT_VIOLATION_ID = 17,       /* its stable id, such as `pin-mismatch` */
    HAWSER_TEXT_VIOLATION_CHECK = 18,    /* the check it belongs to, as waivers name it */
    HAWSER_TEXT_VIOLATION_FOR_USER = 19, /* one sentence for someone who only wanted to connect */
    HAWSER_TEXT_REPORTED = 20,           /* by index: the sentence of a failure that
                                            was let through */
    HAWSER_TEXT_REPORTED_ID = 21,
    HAWSER_TEXT_REPORTED_REASON = 22,    /* `waived` or `report-only` */
    HAWSER_TEXT_NOTICE = 23,
    HAWSER_TEXT_NOTICE_ID = 24,
    HAWSER_TEXT_WANTED_SOURCE = 25,      /* `ocsp` or `crl` */
    HAWSER_TEXT_WANTED_URL = 26,         /* text of a stranger: whether it may be asked is
                                            yours to decide */
    HAWSER_TEXT_PATH_SUBJECT = 27,       /* of the accepted path, end entity first */
    HAWSER_TEXT_EXPLANATION = 28,        /* index 0: what `hawser explain --format json` prints,
                                            octet for octet, with the request's `assumptions`,
                                            without the members that the command adds
                                            (`commands`, `certificates`, `pinPlaces`);
                                            only of hawser_explain, as are the next three */
    HAWSER_TEXT_RECEIPT = 29,            /* index 0: a line of JSON without its end, by which
                                            `hawser explain --receipt` makes the decision again;
                                            it has digests of the inputs */
    HAWSER_TEXT_RECEIPT_WITH_INPUTS = 30, /* the same with the inputs, so that only the table is
                                            needed besides */
    HAWSER_TEXT_REPORT = 31,             /* index 0: a report for the owners of the policy, a line
                                            of JSON without its end (`hawser schema report`); to be
                                            sent for rejects, and for accepts where its `reported`
                                            has something: what nearly every accept says under
                                            `best-effort` is left out and counted there */
    HAWSER_TEXT_FETCH_URL = 32,          /* by index, until HAWSER_E_RANGE: each attempt of
                                            hawser_evaluate_fetching, in order. Text of a
                                            stranger */
    HAWSER_TEXT_FETCH_OUTCOME = 33,      /* `kept`, `fetched`, or a stable word for what failed,
                                            such as `address-refused` */
    HAWSER_TEXT_FETCH_MESSAGE = 34,      /* what was found where it failed, otherwise empty */
    HAWSER_TEXT_REJECT_LINE = 35,        /* index 0, of a reject: one line for a log.
                                            `reject HOST:PORT: ID: SENTENCE; ID: SENTENCE` and then
                                            the words `side=`, `rule=`, `owner=`, `id=` and `next=`,
                                            as far as they are known; a value with spaces stands in
                                            quotation marks. HAWSER_E_RANGE for an accept. The first
                                            of these texts that is asked for costs an
                                            explanation */
    HAWSER_TEXT_REJECT_REASONS = 36,     /* the same without `reject HOST:PORT: ` */
    HAWSER_TEXT_REJECT_RULE = 37,        /* the rule that decided; empty for the body of `default`;
                                            HAWSER_E_RANGE where no rule decided */
    HAWSER_TEXT_REJECT_OWNER = 38,       /* who answers for it; HAWSER_E_RANGE where no owner is
                                            written */
    HAWSER_TEXT_REJECT_SIDE = 39,        /* whose fault it is, as `hawser explain` says first:
                                            `server`, `policy`, `this-machine`, `network` or
                                            `in-between` */
    HAWSER_TEXT_REJECT_COMMAND = 40,     /* the command to run next on this machine; HAWSER_E_RANGE
                                            where no file has the policy */
    HAWSER_TEXT_DECISION_ID = 41         /* index 0: the id of the decision, which the receipt and
                                            the report have as `id`. Of a reject, and of an accept
                                            that was explained */
};

int32_t hawser_verdict_text(
    hawser_verdict verdict, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length);

/* Frees a verdict. Freeing none does nothing; freeing one twice is HAWSER_E_MISUSE and harmless. */
int32_t hawser_verdict_free(hawser_verdict verdict);

/* ------------------------------------------------------------------------------------- evidence */

enum {
    HAWSER_EVIDENCE_CRL = 1,
    HAWSER_EVIDENCE_OCSP = 2  /* counts as a response from elsewhere than the handshake, never
                                 as a staple */
};

/* Reads a CRL or an OCSP response once, for any number of requests to any store. `signers` are
 * certificates, DER, whose keys may have signed it: a signature that verifies under one of them is
 * not verified again. With a store, its anchors that issued one of `signers` are tried too; or
 * none. A request's verdict is the same with any signers; they spare it time. */
int32_t hawser_evidence_prepare(
    uint32_t kind, hawser_store store, const void *der, size_t length, const hawser_bytes *signers,
    size_t signer_count, hawser_evidence *evidence, hawser_error *error);

/* Frees evidence; requests that are being judged with it are not disturbed.
 * Freeing none does nothing. */
int32_t hawser_evidence_free(hawser_evidence evidence);

/* ------------------------------------------------------------------------------------- fetching */

enum {
    HAWSER_FETCH_AS_ASKED = 1  /* fetch whatever the rule says of it (`revocation.network`): for a
                                  person who asked for that, never for a service */
};

/* What a fetcher may do. All zeros is usable. */
typedef struct hawser_fetcher_options {
    size_t size;
    const char *folder;            /* keeps evidence between runs, made where it is missing; NULL:
                                      evidence is kept in memory alone */
    const char *const *networks;   /* networks that may be asked although they are not public, such
                                      as "10.0.0.0/8" or one address */
    size_t network_count;
    const uint32_t *ports;         /* ports that may be asked besides 80 and 8080 */
    size_t port_count;
    uint32_t flags;                /* HAWSER_FETCH_* */
    uint32_t reserved;             /* 0 */
    int64_t timeout;               /* milliseconds that one request may wait in all; 0 means 10000,
                                      at most 600000 */
    int64_t exchange_timeout;      /* milliseconds of one exchange, with its name resolution; 0
                                      means 5000, at most 600000 */
} hawser_fetcher_options;

/* Opens a fetcher: what was fetched, and which hosts failed and are left alone for a while. A
 * program opens one, and all threads and stores use it: a second connection to the same host then
 * finds the evidence of the first, and of two that want one piece at a time one asks and both are
 * answered. */
int32_t hawser_fetcher_open(
    const hawser_fetcher_options *options, hawser_fetcher *fetcher, hawser_error *error);

/* Closes a fetcher. Calls that are waiting with it complete as if they had come before, within
 * their `timeout`. Closing none does nothing. */
int32_t hawser_fetcher_close(hawser_fetcher fetcher);

/* hawser_evaluate, and where evidence is wanted that the rule lets the caller wait for: fetches it
 * and judges again at the same time, by the same table, at most three rounds. It judges, rather
 * than handing out the evidence, because which piece is worth asking for next follows from the
 * verdict with the piece before, and because an adapter should have one call in the place of
 * hawser_evaluate.
 *
 * Its work on the network is bounded, as the URLs are a stranger's: nothing for a chain whose
 * signatures reach no anchor; nothing but plain HTTP to public addresses and `networks`, on
 * permitted ports, without redirects and without the environment's proxies; two URLs for each
 * certificate; 100 KiB of a response, 32 MiB of a CRL and 64 MiB in all. A host that failed is not
 * asked for half a minute, and longer each time.
 *
 * It blocks for at most `timeout`, and does not wait where kept evidence is enough or nothing may
 * be fetched: under `network: never` and `network: prefetch` it is as quick as hawser_evaluate.
 * Evidence that cannot be had changes nothing; the rule says what follows. Closing the store while
 * it runs waits for it where the store has checks, as for each verdict. */
int32_t hawser_evaluate_fetching(
    hawser_store store, hawser_fetcher fetcher, const hawser_request *request, hawser_outcome *outcome,
    hawser_verdict *verdict, hawser_error *error);

/* The same, with the explanation and the receipt of the last verdict, as of hawser_explain: the
 * receipt lists the evidence that was fetched. `verdict` may not be NULL. */
int32_t hawser_explain_fetching(
    hawser_store store, hawser_fetcher fetcher, const hawser_request *request, hawser_outcome *outcome,
    hawser_verdict *verdict, hawser_error *error);

/* Fetches evidence for rules with `network: prefetch`: the pieces that verdicts have wanted since
 * the last call, and kept pieces that are half over. Fetches at most `limit` pieces. Call it every
 * few minutes on a thread that may block. `fetched` and `failed` get how many did and did not come;
 * each may be NULL. */
int32_t hawser_fetcher_prefetch(
    hawser_fetcher fetcher, uint32_t limit, uint32_t *fetched, uint32_t *failed,
    hawser_error *error);

#ifdef __cplusplus
}
#endif

#endif

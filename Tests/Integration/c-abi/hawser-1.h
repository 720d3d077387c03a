/* hawser.h: trust verdicts for TLS servers, by a compiled policy table.
 *
 * C99. Everything here may be called from any thread at any time, also while another thread
 * reloads, closes or frees the same object; nothing here is for signal handlers.
 *
 * After fork() the child has none of its parent's objects, as the threads that follow tables are
 * not there: every number of the parent is refused with HAWSER_E_MISUSE, reason `forked`, and the
 * parent's numbers stay good in the parent. A server that forks its workers opens a store in each
 * of them. A child of a process in which other threads were inside this library at the fork may
 * only call exec().
 *
 * Conventions
 *
 * - A function returns HAWSER_OK (0) when it did what its name says, and a negative HAWSER_E_* when
 *   its arguments are wrong or it failed. The two functions that judge return HAWSER_REJECT (1) for
 *   a verdict that rejects. So for a connection only `== HAWSER_OK` means trust: every mistake and
 *   every failure is another number.
 * - Objects are numbers, never pointers: hawser_store, hawser_verdict, hawser_evidence. 0 is
 *   none. A number that was freed, that is of another kind, or that was never given out, is
 *   refused with HAWSER_E_MISUSE and touches nothing, however often and from however many threads
 *   it is used. Where an object is freed while a call with it runs, the call completes as if it
 *   had come before.
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
 *   as \u{HEX} and cannot act on a terminal or a log; HAWSER_TEXT_EXPLANATION alone is JSON, which
 *   escapes in its own way.
 * - `error`, where a function takes one, may be NULL. It is filled in every case, so it
 *   needs no clearing.
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

/* The version of this interface. It grows when functions, fields or values are added; none is ever
 * removed or given another meaning under the name libhawser.so.0. */
#define HAWSER_ABI_VERSION 1

/* The version of the interface that the library has, to be compared with
 * HAWSER_ABI_VERSION: not smaller. */
uint32_t hawser_abi_version(void);

/* Fills a struct with zeros and sets its size. */
#define HAWSER_INIT(pointer) (memset((pointer), 0, sizeof *(pointer)), (pointer)->size = sizeof *(pointer))

/* -------------------------------------------------------------------------------------- results */

enum {
    HAWSER_OK = 0,           /* done; of a verdict: accept */
    HAWSER_REJECT = 1,       /* of a verdict: reject */
    HAWSER_E_MISUSE = -1,    /* a number of no object: freed, never given out, of another kind, 0 */
    HAWSER_E_ARGUMENT = -2,  /* NULL where none may be, a value that is not allowed, a struct of
                                no version's size */
    HAWSER_E_LIMIT = -3,     /* a length or a count beyond the limits, or too many objects alive */
    HAWSER_E_TABLE = -4,     /* the table does not load or is refused; `reason` says which way */
    HAWSER_E_FILE = -5,      /* a file cannot be read, or a state directory that is required
                                cannot be used */
    HAWSER_E_EVIDENCE = -6,  /* evidence that does not parse */
    HAWSER_E_SMALL = -7,     /* the buffer is too small; what fits was written */
    HAWSER_E_RANGE = -8,     /* there is no item with this index, or no such text here */
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
                                            evidence, assumptions, each */
#define HAWSER_LIMIT_OCTETS (64u << 20)  /* a request, all its octets together; and each
                                            piece of evidence */
#define HAWSER_LIMIT_KEYS 64             /* trusted keys, checks */
#define HAWSER_LIMIT_STORES 65536        /* alive at a time; of verdicts and evidence sixteen
                                            times as many */

/* Why a call failed. */
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

typedef uint64_t hawser_store;
typedef uint64_t hawser_verdict;
typedef uint64_t hawser_evidence;

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

enum {
    HAWSER_STORE_WATCH = 1,            /* hawser_store_open_file: follow the file as
                                          it is replaced */
    HAWSER_STORE_WATCH_BY_POLLING = 2, /* with it: look at the file at intervals, where notification
                                          does not work */
    HAWSER_STORE_REFUSE_WAIVERS = 4,   /* do not load a table in which any rule has a waiver */
    HAWSER_STORE_REQUIRE_STATE = 8     /* do not open where the state directory does not prove, by
                                          trusted keys, which revision was in force: HAWSER_E_FILE,
                                          and `reason` says why. It must be there: for the first
                                          start make it, empty, with mode 0700. Without this flag
                                          the store opens, and `rollback_protection` of its
                                          snapshot says it */
};

/* How a store loads tables. All zeros is usable: no key, nothing kept, no log. */
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
    uint32_t reserved;                 /* 0 */
    int64_t stale_after;               /* seconds, at least 1 unless HAWSER_STALE_NEVER */
    const hawser_check *checks;        /* a table that names another one does not load */
    size_t check_count;
    hawser_bytes log_list;             /* a log_list.json, version 3, newer than the
                                          table's; or absent */
    hawser_log_function log;           /* NULL: nothing is written anywhere */
    void *log_context;                 /* must live until hawser_store_close has returned */
} hawser_store_options;

/* Opens a store on a table in memory. `options` may be NULL. With a state directory, `table` may be
 * NULL with length 0: the table that was last accepted is then in force, if there is one.
 *
 * Loading checks everything and takes its time (a million patterns some tens of milliseconds); it
 * is for the start of a program. *store is 0 unless HAWSER_OK. */
int32_t hawser_store_open(
    const void *table, size_t length, const hawser_store_options *options, hawser_store *store,
    hawser_error *error);

/* Opens a store on a table file, which HAWSER_STORE_WATCH then follows. Replace the file by
 * rename. */
int32_t hawser_store_open_file(
    const char *path, const hawser_store_options *options, hawser_store *store, hawser_error *error);

/* Offers a table. It is in force when this returns HAWSER_OK (also where it says the same as the
 * one before; the epoch tells); otherwise it is refused and the one before stays in force. Verdicts
 * that are being made when it changes are made wholly by the one or the other. */
int32_t hawser_store_reload(
    hawser_store store, const void *table, size_t length, hawser_error *error);

/* Reads the file of hawser_store_open_file again, now. HAWSER_E_ARGUMENT for a store without
 * one. */
int32_t hawser_store_reload_file(hawser_store store, hawser_error *error);

/* Confirms that the table in force is still the newest, as its source answered (HTTP 304): for
 * staleness. A table that is signed with the time of its issue is as old as that time, whatever is
 * confirmed. A file that has not changed confirms nothing. */
int32_t hawser_store_confirm(hawser_store store, hawser_error *error);

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
    uint8_t file_digest[32];       /* of the table's octets, which is what is signed */
    uint8_t system_store_digest[32];
    uint32_t has_system_store;     /* whether the policy names `system` */
    uint32_t stricter_count;       /* patterns whose hosts may be judged more strictly than by the
                                      table before: close the open connections to them.
                                      HAWSER_TEXT_STRICTER_HOST names them */
    uint32_t stricter_default;     /* whether hosts that no pattern matches may be, too */
    uint32_t rollback_protection;  /* HAWSER_ROLLBACK_* */
} hawser_snapshot;

/* Whether the store refuses a table that is older than a table that was in force, restarts
 * included. */
enum {
    HAWSER_ROLLBACK_OFF = 0,              /* it may accept one: HAWSER_TEXT_ROLLBACK_MESSAGE says
                                             why, and what to do */
    HAWSER_ROLLBACK_ON = 1,               /* the newest revision is kept, and trusted keys
                                             vouch for it */
    HAWSER_ROLLBACK_AGAINST_MISTAKES = 2  /* it is kept, but no key is trusted: a table may
                                             state any revision */
};

int32_t hawser_store_snapshot(hawser_store store, hawser_snapshot *snapshot, hawser_error *error);

enum {
    HAWSER_TEXT_REFUSAL_REASON = 1,   /* what failed last, a refused table or a source without one:
                                         a stable word; HAWSER_E_RANGE where nothing did since a
                                         table was accepted */
    HAWSER_TEXT_REFUSAL_MESSAGE = 2,  /* and what was found */
    HAWSER_TEXT_REFUSAL_ORIGIN = 3,   /* and where it came from */
    HAWSER_TEXT_STRICTER_HOST = 4,    /* by index: one of `stricter_count` patterns */
    HAWSER_TEXT_ROLLBACK_REASON = 5,  /* why rollback protection is off: a stable word;
                                         HAWSER_E_RANGE where it is not */
    HAWSER_TEXT_ROLLBACK_MESSAGE = 6  /* and what was found, and what would be right */
};

int32_t hawser_store_text(
    hawser_store store, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length);

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
    const hawser_bytes *crls;        /* DER; each is read for each request: prepare what is large */
    size_t crl_count;
    const hawser_evidence *prepared;
    size_t prepared_count;
    const char *const *assumptions;  /* what you assumed, each a sentence, for the explanation
                                        alone */
    size_t assumption_count;
} hawser_request;

/* A verdict in numbers. */
typedef struct hawser_outcome {
    size_t size;
    int32_t result;            /* HAWSER_OK, HAWSER_REJECT, or the HAWSER_E_* of the call */
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
 * the fast way. *verdict is 0 unless the answer is HAWSER_OK or HAWSER_REJECT. `outcome` is an
 * error until it is filled. */
int32_t hawser_evaluate(
    hawser_store store, const hawser_request *request, hawser_outcome *outcome, hawser_verdict *verdict,
    hawser_error *error);

/* The same verdict by the same code, with the trace it follows from: HAWSER_TEXT_EXPLANATION of
 * `verdict`, which may not be NULL here. */
int32_t hawser_explain(
    hawser_store store, const hawser_request *request, hawser_outcome *outcome, hawser_verdict *verdict,
    hawser_error *error);

/* The outcome of a verdict that is alive. */
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
    HAWSER_TEXT_EXPLANATION = 28         /* index 0: what `hawser explain --format json` prints,
                                            octet for octet, with the request's `assumptions`;
                                            of hawser_explain alone */
};

int32_t hawser_verdict_text(
    hawser_verdict verdict, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length);

/* Frees a verdict. Freeing 0 does nothing; freeing one twice is HAWSER_E_MISUSE and harmless. */
int32_t hawser_verdict_free(hawser_verdict verdict);

/* ------------------------------------------------------------------------------------- evidence */

enum {
    HAWSER_EVIDENCE_CRL = 1,
    HAWSER_EVIDENCE_OCSP = 2  /* counts as a response from elsewhere than the handshake, never
                                 as a staple */
};

/* Reads a CRL or an OCSP response once, for any number of requests to any store. `signers` are
 * certificates, DER, whose keys may have signed it: a signature that verifies under one of them is
 * not verified again. With a store, its anchors that issued one of `signers` are tried too; 0 for
 * none. A request's verdict is the same with any signers; they spare it time. */
int32_t hawser_evidence_prepare(
    uint32_t kind, hawser_store store, const void *der, size_t length, const hawser_bytes *signers,
    size_t signer_count, hawser_evidence *evidence, hawser_error *error);

/* Frees evidence; requests that are being judged with it are not disturbed.
 * Freeing 0 does nothing. */
int32_t hawser_evidence_free(hawser_evidence evidence);

#ifdef __cplusplus
}
#endif

#endif

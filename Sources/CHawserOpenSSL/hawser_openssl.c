/* Hawser as the certificate verification of an OpenSSL client: see hawser_openssl.h.
 *
 * A handshake passes three gates. Each gate is a callback of libssl.
 *
 *   hello    `add_timestamps`, while the ClientHello is written, which is the first step of any
 *            handshake. The connection's state begins anew here. A session that is offered is
 *            checked: it must have been judged when it was made, under the epoch in force, and the
 *            table must not be stale. Otherwise the handshake is refused.
 *   chain    `verify_chain`, when a full handshake shows a certificate.
 *   status   `check_status`, when the server's flight is over (TLS 1.2: ServerHelloDone, TLS 1.3:
 *            Finished) and before the client answers. It is called in every full handshake that
 *            asked for a staple, whether one came or not, and under TLS 1.3 in resumed ones too.
 *
 * Fail closed: a full handshake passes the last gate only in the state `accepted`. A connection
 * enters this state only by a verdict over everything that was known at that gate. Where the chain
 * gate cannot decide, it leaves the decision to the status gate. Before that it makes sure that
 * libssl will call the status gate: a staple was requested, and the callback is still ours. A
 * resumed handshake under TLS 1.2 passes no gate after the first; `hawser_openssl_result` checks
 * its session again.
 */
#include "hawser_openssl.h"

#include "../CHawserABI/include/hawser_sizes.h"
#include "error_queue.h"
#include "guard.h"
#include "tls_names.h"

#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ----------------------------------------------------------------------------------- kept state */

/* The data of a context. Only `store` changes after attaching, in one step, so connections share it
 * without a lock. */
struct attachment {
    hawser_store store;    /* read by store_of alone */
    uint32_t default_port; /* 0: nobody has said it */
    uint32_t session_seconds;
    hawser_evidence *prepared;
    size_t prepared_count;
    int64_t (*clock)(void *);
    void *clock_context;
    int (*status_callback)(SSL *, void *); /* the program's own */
    void *status_argument;
    const struct hawser_guard *guard; /* NULL unless the context is guarded: see guard.h */
    int (*verify_callback)(X509_STORE_CTX *, void *); /* of a guarded context: the program's own */
    void *verify_argument;
};

enum state {
    unseen,    /* no handshake has passed the first gate */
    undecided, /* nothing was judged: no full handshake passes in this state */
    deferred,  /* the chain gate left the decision to the status gate */
    accepted,
    refused
};

/* The data of a connection. */
struct connection {
    enum state state;
    char host[HAWSER_LIMIT_NAME];  /* the host that the program set; empty where it set none */
    uint32_t port;                 /* 0 where the program set none */
    char found_host[HAWSER_LIMIT_NAME]; /* guarded: where the program has named none */
    int is_staple_ours;            /* guarded: the program did not ask for a staple */
    int is_session_offered;        /* by the program, before this handshake's hello */
    int is_told;                   /* guarded: what came of this handshake was told */
    int is_asking_program;         /* the program's status callback runs */
    int program_mode;              /* guarded: the program's verification mode at the chain gate */
    int chain_error;               /* guarded: the answer of the chain gate, as X509_V_* */
    unsigned char *timestamps;     /* in this handshake's extension; NULL where none came */
    size_t timestamps_length;
    hawser_bytes *chain;           /* copies that wait for the status gate */
    size_t chain_count;
    hawser_verdict verdict;
    uint64_t epoch;
    int64_t judged_at;
    char *failure;
    char failure_id[64];
    int is_refused_by_verdict;     /* `failure` is about `verdict` */
    char *reasons;                 /* of `verdict`; NULL until they are asked for */
};

/* The data of a session: under which store, epoch, host and port it was judged, and when. */
struct mark {
    hawser_store store;
    uint64_t epoch;
    int64_t judged_at;
    uint32_t port;
    char host[HAWSER_LIMIT_NAME];
};

static pthread_once_t indices_once = PTHREAD_ONCE_INIT;
static int context_index = -1, connection_index = -1, session_index = -1;

static void drop_chain(struct connection *connection) {
    for (size_t place = 0; place < connection->chain_count; place++)
        free((void *)connection->chain[place].data);
    free(connection->chain);
    connection->chain = NULL;
    connection->chain_count = 0;
}

static void free_attachment(void *parent, void *data, CRYPTO_EX_DATA *ad, int index, long argl, void *argp) {
    KEEP_ERROR_QUEUE;
    (void)parent, (void)ad, (void)index, (void)argl, (void)argp;
    struct attachment *attachment = data;
    if (attachment == NULL) return;
    free(attachment->prepared);
    free(attachment);
}

static void free_connection(void *parent, void *data, CRYPTO_EX_DATA *ad, int index, long argl, void *argp) {
    KEEP_ERROR_QUEUE;
    (void)parent, (void)ad, (void)index, (void)argl, (void)argp;
    struct connection *connection = data;
    if (connection == NULL) return;
    hawser_verdict_free(connection->verdict);
    drop_chain(connection);
    free(connection->timestamps);
    free(connection->failure);
    free(connection->reasons);
    free(connection);
}

/* SSL_dup copies the host and port that the program set for the connection. It copies no verdict.
 * */
static int copy_connection(
    CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **data, int index, long argl, void *argp) {
    KEEP_ERROR_QUEUE;
    (void)to, (void)from, (void)index, (void)argl, (void)argp;
    const struct connection *original = *data;
    if (original == NULL) return 1;
    struct connection *copy = calloc(1, sizeof *copy);
    if (copy == NULL) {
        *data = NULL;
        return 0;
    }
    memcpy(copy->host, original->host, sizeof copy->host);
    copy->port = original->port;
    *data = copy;
    return 1;
}

static void free_mark(void *parent, void *data, CRYPTO_EX_DATA *ad, int index, long argl, void *argp) {
    KEEP_ERROR_QUEUE;
    (void)parent, (void)ad, (void)index, (void)argl, (void)argp;
    free(data);
}

/* libssl copies a session for each ticket after the first. */
static int copy_mark(
    CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **data, int index, long argl, void *argp) {
    KEEP_ERROR_QUEUE;
    (void)to, (void)from, (void)index, (void)argl, (void)argp;
    if (*data == NULL) return 1;
    struct mark *copy = malloc(sizeof *copy);
    if (copy != NULL) memcpy(copy, *data, sizeof *copy);
    /* The copy may lack its mark: a session without a mark is refused. */
    *data = copy;
    return 1;
}

static void make_indices(void) {
    KEEP_ERROR_QUEUE;
    int context = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_attachment);
    int connection = SSL_get_ex_new_index(0, NULL, NULL, copy_connection, free_connection);
    int session = SSL_SESSION_get_ex_new_index(0, NULL, NULL, copy_mark, free_mark);
    if (context < 0 || connection < 0 || session < 0) return;
    connection_index = connection;
    session_index = session;
    context_index = context;
}

static int have_indices(void) {
    return pthread_once(&indices_once, make_indices) == 0 && context_index >= 0;
}

static struct attachment *attachment_of(const SSL *ssl) {
    if (!have_indices() || ssl == NULL) return NULL;
    SSL_CTX *context = SSL_get_SSL_CTX(ssl);
    return context == NULL ? NULL : SSL_CTX_get_ex_data(context, context_index);
}

static struct connection *connection_of(const SSL *ssl) {
    return !have_indices() || ssl == NULL ? NULL : SSL_get_ex_data(ssl, connection_index);
}

static struct connection *make_connection(SSL *ssl) {
    struct connection *connection = connection_of(ssl);
    if (connection != NULL || !have_indices()) return connection;
    connection = calloc(1, sizeof *connection);
    if (connection != NULL && SSL_set_ex_data(ssl, connection_index, connection) != 1) {
        free(connection);
        return NULL;
    }
    return connection;
}

static hawser_store store_of(const struct attachment *attachment) {
    if (attachment->guard != NULL) return attachment->guard->store();
    return (hawser_store){__atomic_load_n(&attachment->store.number, __ATOMIC_ACQUIRE)};
}

static int64_t now(const struct attachment *attachment) {
    return attachment->clock == NULL ? (int64_t)time(NULL) : attachment->clock(attachment->clock_context);
}

/* ------------------------------------------------------------------------------------- refusing */

static void refuse(struct connection *connection, const char *id, const char *sentence) {
    connection->state = refused;
    connection->is_refused_by_verdict = 0;
    snprintf(connection->failure_id, sizeof connection->failure_id, "%s", id);
    free(connection->failure);
    size_t length = strlen(id) + strlen(sentence) + 3;
    connection->failure = malloc(length);
    if (connection->failure != NULL) snprintf(connection->failure, length, "%s: %s", id, sentence);
}

/* A text of a verdict, which the caller frees; NULL where the text or memory for it is missing. */
static char *text_of(hawser_verdict verdict, uint32_t which, size_t index) {
    size_t length = 0;
    if (hawser_verdict_text(verdict, which, index, NULL, 0, &length) != HAWSER_E_SMALL) return NULL;
    char *text = malloc(length + 1);
    if (text != NULL && hawser_verdict_text(verdict, which, index, text, length + 1, NULL) != HAWSER_OK) {
        free(text);
        return NULL;
    }
    return text;
}

/* Makes the violations of a verdict the failure of the connection. */
static void refuse_by(struct connection *connection, hawser_verdict verdict, uint32_t violations) {
    connection->state = refused;
    free(connection->failure);
    connection->failure = NULL;
    size_t used = 0;
    for (uint32_t index = 0; index < violations; index++) {
        char *id = text_of(verdict, HAWSER_TEXT_VIOLATION_ID, index);
        char *sentence = text_of(verdict, HAWSER_TEXT_VIOLATION, index);
        if (id != NULL && sentence != NULL) {
            if (index == 0) snprintf(connection->failure_id, sizeof connection->failure_id, "%s", id);
            size_t more = strlen(id) + strlen(sentence) + 4;
            char *longer = realloc(connection->failure, used + more);
            if (longer != NULL) {
                connection->failure = longer;
                used += (size_t)snprintf(
                    longer + used, more, "%s%s: %s", used == 0 ? "" : "\n", id, sentence);
            }
        }
        free(id);
        free(sentence);
    }
    connection->is_refused_by_verdict = 1;
    if (connection->failure_id[0] == 0) refuse(connection, "no-verdict", "out of memory");
}

/* The failure in one line, with the words about it. They cost an explanation, so they are asked for
 * where they are told. */
static const char *reasons_of(struct connection *connection) {
    if (connection->is_refused_by_verdict && connection->reasons == NULL)
        connection->reasons = text_of(connection->verdict, HAWSER_TEXT_REJECT_REASONS, 0);
    if (connection->is_refused_by_verdict && connection->reasons != NULL) return connection->reasons;
    return connection->failure == NULL ? "" : connection->failure;
}

/* ---------------------------------------------------------------------------------- the request */

/* Writes the host of the connection into `buffer`; 0 where no host was set. Several hosts in the
 * verification parameters count as none, because a request has one host. */
static int host_of(SSL *ssl, const struct connection *connection, char *buffer, size_t capacity) {
    if (connection->host[0] != 0)
        return snprintf(buffer, capacity, "%s", connection->host) < (int)capacity;
    X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
    char *host = X509_VERIFY_PARAM_get0_host(parameters, 0);
    if (host != NULL)
        return X509_VERIFY_PARAM_get0_host(parameters, 1) == NULL
            && snprintf(buffer, capacity, "%s", host) < (int)capacity;
    char *address = X509_VERIFY_PARAM_get1_ip_asc(parameters);
    if (address != NULL) {
        int fits = snprintf(buffer, capacity, "%s", address) < (int)capacity;
        OPENSSL_free(address);
        return fits;
    }
    const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (name == NULL || name[0] == 0) name = connection->found_host;
    return name[0] != 0 && snprintf(buffer, capacity, "%s", name) < (int)capacity;
}

/* The port of HTTPS (RFC 9110 section 4.2.2), for a connection whose port was not said. */
enum { ASSUMED_PORT = 443 };

static int is_port_assumed(const struct attachment *attachment, const struct connection *connection) {
    return connection->port == 0 && attachment->default_port == 0;
}

static uint32_t port_of(const struct attachment *attachment, const struct connection *connection) {
    if (is_port_assumed(attachment, connection)) return ASSUMED_PORT;
    return connection->port != 0 ? connection->port : attachment->default_port;
}

/* Asks whether another port of the host may have another rule. `*epoch` is the answering table's.
 * HAWSER_OK, or why the table cannot be asked. */
static int32_t ask_about_port(
    hawser_store store, const char *host, int64_t time, int *matters, uint64_t *epoch, hawser_error *error) {
    hawser_demanded demanded;
    HAWSER_INIT(&demanded);
    int32_t result = hawser_store_demands(store, host, strlen(host), ASSUMED_PORT, time, &demanded, NULL, error);
    *matters = demanded.depends_on_port != 0;
    *epoch = demanded.epoch;
    return result == HAWSER_REJECT ? HAWSER_OK : result;
}

static const char port_unknown[] = "port-unknown";

/* Copies the presented chain, end entity first; 0 where that is not possible. */
static int take_chain(struct connection *connection, const STACK_OF(X509) *chain) {
    drop_chain(connection);
    int count = chain == NULL ? 0 : sk_X509_num(chain);
    if (count <= 0) return 1;
    if (count > HAWSER_LIMIT_ITEMS) return 0;
    connection->chain = calloc((size_t)count, sizeof *connection->chain);
    if (connection->chain == NULL) return 0;
    for (int place = 0; place < count; place++) {
        unsigned char *der = NULL;
        int length = i2d_X509(sk_X509_value(chain, place), &der);
        if (length <= 0) return 0;
        unsigned char *copy = malloc((size_t)length);
        if (copy != NULL) memcpy(copy, der, (size_t)length);
        OPENSSL_free(der);
        if (copy == NULL) return 0;
        connection->chain[connection->chain_count].data = copy;
        connection->chain[connection->chain_count].length = (size_t)length;
        connection->chain_count++;
    }
    return 1;
}

enum gate { chain_gate, status_gate };

/* Asks the policy, with everything that is known at a gate. The verdict is stored in the
 * connection; the state of the connection is not changed. Returns the result of hawser_evaluate. */
static int32_t ask(
    SSL *ssl, const struct attachment *attachment, struct connection *connection, enum gate gate,
    hawser_outcome *outcome, hawser_error *error) {
    char host[HAWSER_LIMIT_NAME + 1], alpn[HAWSER_LIMIT_NAME];
    HAWSER_INIT(error);
    HAWSER_INIT(outcome);
    /* A socket that the program keeps from OpenSSL is known once the hello was sent. */
    if (attachment->guard != NULL && connection->port == 0) connection->port = attachment->guard->port(ssl);
    hawser_verdict_free(connection->verdict);
    connection->verdict.number = 0;
    if (!host_of(ssl, connection, host, sizeof host)
        && (attachment->guard == NULL
            || !attachment->guard->host(ssl, connection->found_host, sizeof connection->found_host)
            || !host_of(ssl, connection, host, sizeof host))) {
        snprintf(
            error->message, sizeof error->message, "%s",
            attachment->guard == NULL
                ? "nobody said which host the connection is for: hawser_openssl_set_host says it"
                : "the program names no host for the connection: no server name, and no host to be verified");
        return HAWSER_E_ARGUMENT;
    }
    if (SSL_is_dtls(ssl)) {
        snprintf(
            error->message, sizeof error->message, "the connection is DTLS, and policies judge connections of TLS");
        return HAWSER_E_ARGUMENT;
    }
    hawser_store store = store_of(attachment);
    if (store.number == 0 && attachment->guard != NULL) {
        snprintf(error->message, sizeof error->message, "%s", attachment->guard->no_store());
        return HAWSER_E_MISUSE;
    }
    hawser_request request;
    HAWSER_INIT(&request);
    request.host.data = host;
    request.host.length = strlen(host);
    request.port = port_of(attachment, connection);
    request.time = now(attachment);
    request.chain = connection->chain;
    request.chain_count = connection->chain_count;
    request.prepared = attachment->prepared;
    request.prepared_count = attachment->prepared_count;
    request.sct_list.data = connection->timestamps;
    request.sct_list.length = connection->timestamps_length;

    int is13 = SSL_version(ssl) == TLS1_3_VERSION;
    request.tls = HAWSER_TLS_OBSERVED;
    request.tls_version = (uint32_t)SSL_version(ssl);
    const SSL_CIPHER *cipher = is13 ? SSL_get_current_cipher(ssl) : SSL_get_pending_cipher(ssl);
    request.cipher_suite = cipher == NULL ? NULL : SSL_CIPHER_standard_name(cipher);
    const unsigned char *protocol = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected(ssl, &protocol, &length);
    if (length > 0 && length < sizeof alpn && memchr(protocol, 0, length) == NULL) {
        memcpy(alpn, protocol, length);
        alpn[length] = 0;
        request.alpn = alpn;
    }
    /* Under TLS 1.2 the key exchange comes after the certificate. */
    if (is13 || gate == status_gate) request.group = hawser_tls_group_name(ssl);
    if (gate == status_gate) request.signature_scheme = hawser_tls_signature_scheme(ssl);
    const unsigned char *staple = NULL;
    long staple_length = SSL_get_tlsext_status_ocsp_resp(ssl, &staple);
    if (staple != NULL && staple_length > 0) {
        request.staple.data = staple;
        request.staple.length = (size_t)staple_length;
    }
    /* Another table may come into force between the two questions: then both are asked again. */
    for (int tries = 0; tries < 16; tries++) {
        int is_assumed = is_port_assumed(attachment, connection), matters = 0;
        uint64_t epoch = 0;
        int32_t result =
            is_assumed ? ask_about_port(store, host, request.time, &matters, &epoch, error) : HAWSER_OK;
        if (result != HAWSER_OK) return result;
        if (matters) {
            snprintf(error->reason, sizeof error->reason, "%s", port_unknown);
            snprintf(
                error->message, sizeof error->message,
                "the policy may decide this host by another rule at another port, and which port the connection is "
                "for is not known: %s",
                attachment->guard == NULL
                    ? "hawser_openssl_set_host and `default_port` say it"
                    : "a proxy was asked in a way that was not seen, or the beginning of the connection was not seen");
            return HAWSER_E_ARGUMENT;
        }
        result = hawser_evaluate(store, &request, outcome, &connection->verdict, error);
        if (!is_assumed || outcome->epoch == epoch || (result != HAWSER_OK && result != HAWSER_REJECT)) return result;
        hawser_verdict_free(connection->verdict);
        connection->verdict.number = 0;
    }
    snprintf(error->message, sizeof error->message, "the policy changed again and again during the handshake");
    return HAWSER_E_MISUSE;
}

/* Whether values that only the status gate knows could turn a reject into an accept: every
 * violation is about one of these values. */
static int may_change(hawser_verdict verdict, const hawser_outcome *outcome, int is13) {
    for (uint32_t index = 0; index < outcome->violation_count; index++) {
        char id[64];
        if (hawser_verdict_text(verdict, HAWSER_TEXT_VIOLATION_ID, index, id, sizeof id, NULL) != HAWSER_OK)
            return 0;
        int is_of_tls = strcmp(id, "tls-not-supplied") == 0;
        int is_of_staple = strcmp(id, "revocation-undetermined") == 0 || strcmp(id, "staple-missing") == 0;
        /* Under TLS 1.3 the staple is here already. */
        if (!is_of_tls && (is13 || !is_of_staple)) return 0;
    }
    return 1;
}

/* Whether an accept reports a parameter as missing that only the status gate knows. */
static int reports_missing(hawser_verdict verdict, const hawser_outcome *outcome) {
    for (uint32_t index = 0; index < outcome->reported_count; index++) {
        char id[64];
        if (hawser_verdict_text(verdict, HAWSER_TEXT_REPORTED_ID, index, id, sizeof id, NULL) == HAWSER_OK
            && strcmp(id, "tls-not-supplied") == 0)
            return 1;
    }
    return 0;
}

/* Refuses a connection that could not be judged; the error is the reason. */
static void refuse_unjudged(struct connection *connection, const hawser_error *error) {
    refuse(
        connection, strcmp(error->reason, port_unknown) == 0 ? port_unknown : "no-verdict",
        error->message[0] == 0 ? "the policy was not asked" : error->message);
}

/* Puts on the session of this connection the store, epoch, time, host and port that it
 * was judged under. */
static void mark_session(SSL *ssl, const struct attachment *attachment, struct connection *connection) {
    SSL_SESSION *session = SSL_get_session(ssl);
    if (session == NULL) return;
    struct mark *mark = calloc(1, sizeof *mark);
    if (mark == NULL) return;
    mark->store = store_of(attachment);
    mark->epoch = connection->epoch;
    mark->judged_at = connection->judged_at;
    mark->port = port_of(attachment, connection);
    if (!host_of(ssl, connection, mark->host, sizeof mark->host)) {
        free(mark);
        return;
    }
    struct mark *old = SSL_SESSION_get_ex_data(session, session_index);
    free(SSL_SESSION_set_ex_data(session, session_index, mark) == 1 ? old : mark);
}

/* Makes SSL_get_verify_result report the refusal. For a resumed session libssl would report
 * X509_V_OK. Where only reports are wanted, the result stays the program's. */
static void tell_libssl(SSL *ssl, const struct connection *connection) {
    const struct attachment *attachment = attachment_of(ssl);
    if (attachment != NULL && attachment->guard != NULL && attachment->guard->only_reports) return;
    SSL_set_verify_result(ssl, hawser_openssl_x509_error(connection->failure_id));
}

static const char changed_meanwhile[] = "the policy changed while the session was resumed";

/* The violations of every connection at this moment, whatever its server shows. */
struct standing {
    int is_known; /* 0 where the policy could not be asked, or its answer not be read */
    uint64_t epoch;
    int is_stale;
    char *sentence; /* of `table-stale`, to be freed; NULL where it does not stand there, or
                       without memory */
};

/* Asks the policy about a server that shows no certificate. That request is always rejected. Its
 * violations show whether the table is stale; its outcome has the epoch of the same table. */
static struct standing standing_of(
    const struct attachment *attachment, const char *host, uint32_t port, int64_t time) {
    struct standing standing = {0};
    hawser_request request;
    HAWSER_INIT(&request);
    request.host.data = host;
    request.host.length = strlen(host);
    request.port = port;
    request.time = time;
    hawser_outcome outcome;
    HAWSER_INIT(&outcome);
    hawser_verdict verdict = {0};
    standing.is_known = hawser_evaluate(store_of(attachment), &request, &outcome, &verdict, NULL) == HAWSER_REJECT;
    standing.epoch = outcome.epoch;
    for (uint32_t index = 0; standing.is_known && index < outcome.violation_count; index++) {
        char id[64];
        if (hawser_verdict_text(verdict, HAWSER_TEXT_VIOLATION_ID, index, id, sizeof id, NULL) != HAWSER_OK) {
            standing.is_known = 0;
        } else if (!standing.is_stale && strcmp(id, "table-stale") == 0) {
            standing.is_stale = 1;
            standing.sentence = text_of(verdict, HAWSER_TEXT_VIOLATION, index);
        }
    }
    hawser_verdict_free(verdict);
    return standing;
}

/* Whether a session was made by a connection that was judged. */
static int is_marked(const SSL_SESSION *session) {
    return session != NULL && SSL_SESSION_get_ex_data(session, session_index) != NULL;
}

/* Whether the verdict that a session was made under would still be given for the connection. Fills
 * `standing`, whose sentence is to be freed. */
static int is_session_current(
    SSL *ssl, const struct attachment *attachment, const struct connection *connection, const SSL_SESSION *session,
    struct standing *standing) {
    const struct mark *mark = session == NULL ? NULL : SSL_SESSION_get_ex_data(session, session_index);
    char host[HAWSER_LIMIT_NAME] = "";
    int has_host = host_of(ssl, connection, host, sizeof host);
    uint32_t port = port_of(attachment, connection);
    int64_t instant = now(attachment);
    *standing = standing_of(attachment, host, port, instant);
    /* An assumed port suffices for a session only if the port changes nothing, and never for a
     * guarded connection. */
    if (is_port_assumed(attachment, connection)) {
        int matters = 1;
        uint64_t epoch = 0;
        if (attachment->guard != NULL
            || ask_about_port(store_of(attachment), host, instant, &matters, &epoch, NULL) != HAWSER_OK || matters
            || epoch != standing->epoch)
            return 0;
    }
    if (!standing->is_known || standing->is_stale || !has_host || mark == NULL || mark->store.number != store_of(attachment).number
        || mark->port != port || strcmp(host, mark->host) != 0 || instant < mark->judged_at
        || instant - mark->judged_at > (int64_t)attachment->session_seconds)
        return 0;
    /* An earlier epoch counts where no table since then judges the host more strictly. */
    return mark->epoch == standing->epoch
        || hawser_store_holds(store_of(attachment), mark->epoch, host, strlen(host), port, instant, NULL) == HAWSER_OK;
}

/* Whether the verdict that the connection's session was made under would still be given. Otherwise
 * the connection is refused. Where the table is stale, the reason is the same as for a full
 * handshake. Elsewhere the reason is `otherwise`, because a full handshake may succeed. */
static int may_resume(
    SSL *ssl, const struct attachment *attachment, struct connection *connection, const char *otherwise) {
    struct standing standing;
    int is_current = is_session_current(ssl, attachment, connection, SSL_get_session(ssl), &standing);
    if (standing.is_stale)
        refuse(connection, "table-stale", standing.sentence == NULL ? "out of memory" : standing.sentence);
    else if (!is_current) refuse(connection, "session-not-current", otherwise);
    free(standing.sentence);
    if (!is_current) tell_libssl(ssl, connection);
    return is_current;
}

/* ------------------------------------------------------------------------------------- guarding */

/* Reports the outcome of a handshake of a guarded context, once. */
static void tell(SSL *ssl, const struct attachment *attachment, struct connection *connection) {
    if (attachment->guard == NULL || connection->is_told) return;
    connection->is_told = 1;
    char host[HAWSER_LIMIT_NAME + 1];
    if (!host_of(ssl, connection, host, sizeof host)) host[0] = 0;
    struct hawser_guarded guarded = {
        .is_accepted = connection->state == accepted,
        .is_resumed = SSL_session_reused(ssl),
        .is_port_known = connection->port != 0,
        .is_port_needed = strcmp(connection->failure_id, port_unknown) == 0,
        .host = host,
        .port = port_of(attachment, connection),
        .reasons = connection->state == accepted ? "" : reasons_of(connection),
    };
    attachment->guard->judged(&guarded);
}

/* What libssl would do without a callback of ours: the program's callback, else OpenSSL's own
 * verification. */
static int verify_as_the_program(X509_STORE_CTX *store, const struct attachment *attachment) {
    if (attachment->verify_callback != NULL)
        return attachment->verify_callback(store, attachment->verify_argument);
    return X509_verify_cert(store);
}

/* The certificates of the accepted path that the server sent, as far as each is signed by the next,
 * for a program that looks at the verified chain. Other certificates that the server sent are left
 * out. NULL without memory. */
static STACK_OF(X509) *signed_chain(const struct connection *connection, STACK_OF(X509) *sent) {
    STACK_OF(X509) *chain = sk_X509_new_null();
    X509 *last = sk_X509_value(sent, 0);
    if (chain == NULL || last == NULL || !X509_up_ref(last)) {
        sk_X509_free(chain);
        return NULL;
    }
    sk_X509_push(chain, last);
    hawser_outcome outcome;
    HAWSER_INIT(&outcome);
    if (hawser_verdict_outcome(connection->verdict, &outcome) != HAWSER_OK) return chain;
    for (uint32_t place = 1; place < outcome.path_count; place++) {
        X509 *issuer = NULL;
        for (int index = 1; index < sk_X509_num(sent) && issuer == NULL; index++) {
            X509 *candidate = sk_X509_value(sent, index);
            if (X509_check_issued(candidate, last) == X509_V_OK
                && X509_verify(last, X509_get0_pubkey(candidate)) == 1)
                issuer = candidate;
        }
        if (issuer == NULL || issuer == last || !X509_up_ref(issuer)) break;
        if (sk_X509_push(chain, issuer) <= 0) {
            X509_free(issuer);
            break;
        }
        last = issuer;
    }
    return chain;
}

/* Asks the program's own callbacks about a chain that the policy accepts or has yet to decide: each
 * certificate from the top to the end entity, as OpenSSL asks about a chain that it accepts. 0
 * where one refuses. `mode` is the program's: where it verifies nothing, its callback refuses
 * nothing. */
static int program_accepts(
    SSL *ssl, const struct attachment *attachment, const struct connection *connection, X509_STORE_CTX *store,
    int mode) {
    if (attachment->verify_callback != NULL
        && attachment->verify_callback(store, attachment->verify_argument) <= 0 && (mode & SSL_VERIFY_PEER) != 0)
        return 0;
    STACK_OF(X509) *sent = X509_STORE_CTX_get0_untrusted(store);
    STACK_OF(X509) *chain = sent == NULL || sk_X509_num(sent) == 0 ? NULL : signed_chain(connection, sent);
    if (chain == NULL) return 0;
    X509_STORE_CTX_set0_verified_chain(store, chain);
    int (*callback)(int, X509_STORE_CTX *) = attachment->verify_callback == NULL ? SSL_get_verify_callback(ssl) : NULL;
    for (int depth = sk_X509_num(chain) - 1; callback != NULL && depth >= 0; depth--) {
        X509_STORE_CTX_set_error_depth(store, depth);
        X509_STORE_CTX_set_current_cert(store, sk_X509_value(chain, depth));
        X509_STORE_CTX_set_error(store, X509_V_OK);
        if (callback(1, store) != 1 && (mode & SSL_VERIFY_PEER) != 0) return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------------------------ the gates */

static int check_status(SSL *ssl, void *argument);
static int check_guarded_status(SSL *ssl, void *argument);

/* Whether libssl will call the status gate in this handshake. If not, the connection is refused. */
static int status_gate_stands(SSL *ssl, struct connection *connection) {
    int (*callback)(SSL *, void *) = NULL;
    SSL_CTX_get_tlsext_status_cb(SSL_get_SSL_CTX(ssl), &callback);
    if ((callback == check_status || callback == check_guarded_status)
        && SSL_get_tlsext_status_type(ssl) == TLSEXT_STATUSTYPE_ocsp)
        return 1;
    refuse(
        connection, "no-verdict",
        "the status callback or the request for a staple was replaced after hawser_openssl_attach");
    tell_libssl(ssl, connection);
    return 0;
}

static int add_timestamps(
    SSL *ssl, unsigned int type, unsigned int context, const unsigned char **out, size_t *length, X509 *x,
    size_t place, int *alert, void *argument) {
    KEEP_ERROR_QUEUE;
    (void)type, (void)context, (void)x, (void)place, (void)argument;
    struct attachment *attachment = attachment_of(ssl);
    const struct hawser_guard *guard = attachment == NULL ? NULL : attachment->guard;
    if (guard != NULL && SSL_is_server(ssl)) return 0;
    struct connection *connection = attachment == NULL ? NULL : make_connection(ssl);
    if (connection == NULL) {
        if (guard != NULL && guard->only_reports) return 0;
        *alert = SSL_AD_INTERNAL_ERROR;
        return -1;
    }
    connection->state = undecided;
    hawser_verdict_free(connection->verdict);
    connection->verdict.number = 0;
    connection->epoch = 0;
    drop_chain(connection);
    free(connection->timestamps);
    connection->timestamps = NULL;
    connection->timestamps_length = 0;
    free(connection->failure);
    connection->failure = NULL;
    connection->failure_id[0] = 0;
    connection->is_refused_by_verdict = 0;
    free(connection->reasons);
    connection->reasons = NULL;
    if (guard != NULL) {
        connection->is_told = 0;
        connection->found_host[0] = 0;
        unsigned char random[SSL3_RANDOM_SIZE], finished;
        SSL_get_client_random(ssl, random, sizeof random);
        guard->hello(random);
        /* A renegotiation (RFC 5746) is sent encrypted, and goes to the first handshake's peer. */
        uint32_t port = guard->port(ssl);
        if (port != 0 || SSL_get_finished(ssl, &finished, 1) == 0) connection->port = port;
        /* libssl writes custom extensions before its own, so this still asks for a staple. */
        if (SSL_get_tlsext_status_type(ssl) != TLSEXT_STATUSTYPE_ocsp) {
            connection->is_staple_ours = 1;
            SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
        }
        if (!guard->only_reports && guard->store().number == 0) {
            refuse(connection, "no-verdict", guard->no_store());
            tell_libssl(ssl, connection);
            tell(ssl, attachment, connection);
            *alert = SSL_AD_INTERNAL_ERROR;
            return -1;
        }
    }
    SSL_SESSION *session = SSL_get_session(ssl);
    int is_offered = session != NULL && SSL_SESSION_is_resumable(session);
    connection->is_session_offered = is_offered;
    /* A handshake that resumes a session or uses an external pre-shared key never reaches the chain
     * gate, which would check that the status gate will be called. So it is checked here. */
    int only_reports = guard != NULL && guard->only_reports;
    if ((!SSL_is_server(ssl) && !only_reports && !status_gate_stands(ssl, connection))
        || (is_offered && !only_reports
            && !may_resume(
                ssl, attachment, connection,
                "the policy judges the host more strictly since the session was made, or the session is of another "
                "host or process, or too old: connect again without it"))) {
        tell(ssl, attachment, connection);
        *alert = SSL_AD_INTERNAL_ERROR;
        return -1;
    }
    *out = NULL;
    *length = 0;
    return 1;
}

static int take_timestamps(
    SSL *ssl, unsigned int type, unsigned int context, const unsigned char *in, size_t length, X509 *x,
    size_t place, int *alert, void *argument) {
    KEEP_ERROR_QUEUE;
    (void)type, (void)context, (void)x, (void)argument;
    /* Under TLS 1.3 each certificate may carry timestamps; only the end entity's are used. */
    if (place != 0 || length == 0) return 1;
    const struct attachment *attachment = attachment_of(ssl);
    if (attachment != NULL && attachment->guard != NULL && SSL_is_server(ssl)) return 1;
    struct connection *connection = connection_of(ssl);
    unsigned char *copy = connection == NULL ? NULL : malloc(length);
    if (copy == NULL) {
        *alert = SSL_AD_INTERNAL_ERROR;
        return 0;
    }
    memcpy(copy, in, length);
    free(connection->timestamps);
    connection->timestamps = copy;
    connection->timestamps_length = length;
    return 1;
}

/* The answer of the chain gate, as an X509_V_* value. */
static int judge_chain(
    SSL *ssl, struct attachment *attachment, struct connection *connection, X509_STORE_CTX *store) {
    if (SSL_is_server(ssl)) {
        refuse(connection, "no-verdict", "policies are about servers, and this is the server's side");
        return X509_V_ERR_APPLICATION_VERIFICATION;
    }
    if ((attachment->guard == NULL || !attachment->guard->only_reports) && !status_gate_stands(ssl, connection))
        return X509_V_ERR_APPLICATION_VERIFICATION;
    if (!take_chain(connection, X509_STORE_CTX_get0_untrusted(store))) {
        refuse(connection, "no-verdict", "the presented chain cannot be copied");
        return X509_V_ERR_OUT_OF_MEM;
    }
    hawser_outcome outcome;
    hawser_error error;
    int is13 = SSL_version(ssl) == TLS1_3_VERSION;
    int32_t result = ask(ssl, attachment, connection, chain_gate, &outcome, &error);
    if (result == HAWSER_OK && is13 && !reports_missing(connection->verdict, &outcome)) {
        connection->state = accepted;
        connection->epoch = outcome.epoch;
        connection->judged_at = outcome.time;
        drop_chain(connection);
        return X509_V_OK;
    }
    if (result == HAWSER_OK || (result == HAWSER_REJECT && may_change(connection->verdict, &outcome, is13))) {
        connection->state = deferred;
        return X509_V_OK;
    }
    drop_chain(connection);
    if (result == HAWSER_REJECT) {
        refuse_by(connection, connection->verdict, outcome.violation_count);
        return hawser_openssl_x509_error(connection->failure_id);
    }
    refuse_unjudged(connection, &error);
    return X509_V_ERR_APPLICATION_VERIFICATION;
}

/* The client's connection of a guarded handshake; NULL on the server's side, and for a connection
 * that the first gate never saw. */
static struct connection *guarded_connection(const SSL *ssl) {
    return ssl == NULL || SSL_is_server(ssl) || attachment_of(ssl) == NULL ? NULL : connection_of(ssl);
}

/* The policy's part of the chain gate of a guarded context. */
static void judge_guarded(SSL *ssl, const struct attachment *own, X509_STORE_CTX *store) {
    if (ssl == NULL || SSL_is_server(ssl)) return;
    int mode = SSL_get_verify_mode(ssl);
    struct connection *connection = guarded_connection(ssl);
    if (connection != NULL) {
        struct attachment *attachment = attachment_of(ssl);
        connection->program_mode = mode;
        connection->chain_error = judge_chain(ssl, attachment, connection, store);
        if (connection->chain_error != X509_V_OK) tell(ssl, attachment, connection);
    }
    /* libssl reads the mode after this gate. */
    if (!own->guard->only_reports && (mode & SSL_VERIFY_PEER) == 0)
        SSL_set_verify(ssl, mode | SSL_VERIFY_PEER, SSL_get_verify_callback(ssl));
}

/* The program's part of the chain gate of a guarded context. */
static int verify_by_program(SSL *ssl, const struct attachment *own, X509_STORE_CTX *store) {
    if (ssl == NULL || SSL_is_server(ssl) || own->guard->only_reports) return verify_as_the_program(store, own);
    struct connection *connection = guarded_connection(ssl);
    int error = connection == NULL ? X509_V_ERR_APPLICATION_VERIFICATION : connection->chain_error;
    if (error == X509_V_OK && !program_accepts(ssl, own, connection, store, connection->program_mode)) {
        KEEP_ERROR_QUEUE;
        refuse(connection, "program-refused", "the program's own verification refuses what the policy does not");
        tell(ssl, own, connection);
        error = X509_STORE_CTX_get_error(store);
        if (error == X509_V_OK) error = X509_V_ERR_APPLICATION_VERIFICATION;
    }
    X509_STORE_CTX_set_error(store, error);
    return error == X509_V_OK;
}

/* What libssl calls in place of X509_verify_cert for a guarded context. What the program's own
 * verification leaves in the queue of errors stays there; judging adds nothing. */
static int verify_guarded(X509_STORE_CTX *store, void *argument) {
    {
        KEEP_ERROR_QUEUE;
        judge_guarded(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()), argument, store);
    }
    return verify_by_program(
        X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()), argument, store);
}

static int verify_chain(X509_STORE_CTX *store, void *argument) {
    KEEP_ERROR_QUEUE;
    (void)argument;
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    struct attachment *attachment = attachment_of(ssl);
    /* No connection: the SSL was made before the context was attached to, so the first gate
     * never saw it. */
    struct connection *connection = attachment == NULL ? NULL : connection_of(ssl);
    int error = X509_V_ERR_APPLICATION_VERIFICATION;
    if (connection != NULL) error = judge_chain(ssl, attachment, connection, store);
    /* libssl reads the mode after this call. So a refusal counts even if a program switched
     * verification off meanwhile. */
    if (ssl != NULL && (SSL_get_verify_mode(ssl) & SSL_VERIFY_PEER) == 0)
        SSL_set_verify(ssl, SSL_VERIFY_PEER, SSL_get_verify_callback(ssl));
    X509_STORE_CTX_set_error(store, error);
    return error == X509_V_OK;
}

static const char no_certificate[] =
    "the server showed no certificate, as where a pre-shared key or an anonymous suite is used";

/* The decision of the status gate: 1 to continue the handshake, 0 to end it. */
static int decide(SSL *ssl, struct attachment *attachment, struct connection *connection) {
    if (SSL_session_reused(ssl) && !connection->is_session_offered && !is_marked(SSL_get_session(ssl))) {
        /* libssl takes an external pre-shared key under TLS 1.3 for a session. A session that was
         * judged before and is offered as a key is judged as any other session. */
        if (connection->state != refused) refuse(connection, "no-verdict", no_certificate);
        return 0;
    }
    if (SSL_session_reused(ssl)) {
        if (connection->state == undecided && may_resume(ssl, attachment, connection, changed_meanwhile)) {
            connection->state = accepted;
            return 1;
        }
        if (connection->state != refused) refuse(connection, "session-not-current", changed_meanwhile);
        return 0;
    }
    if (connection->state == accepted) {
        mark_session(ssl, attachment, connection);
        return 1;
    }
    if (connection->state != deferred) {
        if (connection->state != refused)
            refuse(connection, "no-verdict", no_certificate);
        return 0;
    }
    hawser_outcome outcome;
    hawser_error error;
    int32_t result = ask(ssl, attachment, connection, status_gate, &outcome, &error);
    drop_chain(connection);
    if (result == HAWSER_OK) {
        connection->state = accepted;
        connection->epoch = outcome.epoch;
        connection->judged_at = outcome.time;
        mark_session(ssl, attachment, connection);
        return 1;
    }
    if (result == HAWSER_REJECT) refuse_by(connection, connection->verdict, outcome.violation_count);
    else refuse_unjudged(connection, &error);
    return 0;
}

/* The policy's part of the status gate of a guarded context; 0 to end the handshake. */
static int decide_guarded(SSL *ssl, const void *own) {
    struct attachment *attachment = attachment_of(ssl);
    if (attachment == NULL || attachment != own) return 0;
    if (SSL_is_server(ssl)) return 1;
    int only_reports = attachment->guard->only_reports;
    struct connection *connection = connection_of(ssl);
    if (connection == NULL) return only_reports;
    int is_accepted = decide(ssl, attachment, connection);
    tell(ssl, attachment, connection);
    if (!is_accepted && !only_reports) tell_libssl(ssl, connection);
    return is_accepted || only_reports;
}

/* The status gate of a guarded context. On the server's side libssl asks here for a staple. */
static int check_guarded_status(SSL *ssl, void *argument) {
    {
        KEEP_ERROR_QUEUE;
        if (!decide_guarded(ssl, argument)) return 0;
    }
    const struct attachment *attachment = argument;
    struct connection *connection = guarded_connection(ssl);
    if (connection != NULL && connection->is_staple_ours) {
        connection->is_staple_ours = 0;
        SSL_set_tlsext_status_type(ssl, -1); /* none: ssl.h has no name for it */
        return 1;
    }
    if (attachment->status_callback != NULL)
        return attachment->status_callback(ssl, attachment->status_argument);
    return SSL_is_server(ssl) ? SSL_TLSEXT_ERR_NOACK : 1;
}

static int check_status(SSL *ssl, void *argument) {
    {
        KEEP_ERROR_QUEUE;
        struct attachment *attachment = attachment_of(ssl);
        struct connection *connection = connection_of(ssl);
        if (attachment == NULL || attachment != argument || connection == NULL || SSL_is_server(ssl)) return 0;
        /* A program's callback that calls the one before it, which is this one. */
        if (connection->is_asking_program) return connection->state == accepted;
        if (!decide(ssl, attachment, connection)) {
            tell_libssl(ssl, connection);
            return 0;
        }
    }
    /* Errors that the program's own callback leaves in the queue stay there. */
    const struct attachment *attachment = argument;
    if (attachment->status_callback == NULL) return 1;
    struct connection *connection = connection_of(ssl);
    connection->is_asking_program = 1;
    int answer = attachment->status_callback(ssl, attachment->status_argument);
    connection->is_asking_program = 0;
    return answer;
}

/* ------------------------------------------------------------------------------------ attaching */

/* Structs of the program, which may be compiled against an older or a later header: see
 * hawser.h. */

enum { OPTIONS_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_openssl_options, clock_context) };
_Static_assert(OPTIONS_SIZE_1 == 48, "a field of hawser_openssl_options moved");
_Static_assert(
    sizeof(hawser_openssl_options) == OPTIONS_SIZE_1,
    "a version that adds fields to hawser_openssl_options adds its size, and `has_a_size` to where it is read");

/* Whether some version of a struct has this size: the first version, this library's version, or
 * a later one. */
static int has_a_size(size_t size, size_t first, size_t ours) {
    return size == first || (size >= ours && size <= HAWSER_STRUCT_LIMIT);
}

static int32_t fail(hawser_error *error, int32_t result, const char *reason, const char *message) {
    if (error != NULL && has_a_size(error->size, HAWSER_ERROR_SIZE_1, sizeof *error)) {
        size_t size = error->size, shared = size < sizeof *error ? size : sizeof *error;
        hawser_error told;
        HAWSER_INIT(&told);
        told.size = size;
        told.result = result;
        snprintf(told.reason, sizeof told.reason, "%s", reason);
        snprintf(told.message, sizeof told.message, "%s", message);
        memcpy(error, &told, shared);
        memset((unsigned char *)error + shared, 0, size - shared);
    }
    return result;
}

/* Copies the options that the program's struct has; the others are zero. */
static int32_t copy_options(
    hawser_openssl_options *options, const hawser_openssl_options *given, hawser_error *error) {
    size_t size = given->size;
    if (!has_a_size(size, OPTIONS_SIZE_1, sizeof *options))
        return fail(error, HAWSER_E_ARGUMENT, "struct-size", "`options.size` is not sizeof: use HAWSER_INIT");
    for (size_t place = sizeof *options; place < size; place++)
        if (((const unsigned char *)given)[place] != 0)
            return fail(
                error, HAWSER_E_ARGUMENT, "struct-newer", "`options` sets a field that this library does not have");
    memset(options, 0, sizeof *options);
    memcpy(options, given, size < sizeof *options ? size : sizeof *options);
    return HAWSER_OK;
}

static int32_t read_options(
    struct attachment *attachment, const hawser_openssl_options *given, hawser_error *error) {
    attachment->session_seconds = 3600;
    if (given == NULL) return HAWSER_OK;
    hawser_openssl_options copy, *options = &copy;
    int32_t result = copy_options(options, given, error);
    if (result != HAWSER_OK) return result;
    if (options->default_port > 65535)
        return fail(error, HAWSER_E_ARGUMENT, "value-not-allowed", "`options.default_port` is above 65535");
    if (options->prepared_count > HAWSER_LIMIT_ITEMS)
        return fail(error, HAWSER_E_LIMIT, "too-large", "`options.prepared` has more than 1024");
    if (options->prepared_count > 0) {
        if (options->prepared == NULL)
            return fail(error, HAWSER_E_ARGUMENT, "null-pointer", "`options.prepared` is NULL");
        attachment->prepared = calloc(options->prepared_count, sizeof *attachment->prepared);
        if (attachment->prepared == NULL) return fail(error, HAWSER_E_INTERNAL, "no-memory", "out of memory");
        memcpy(
            attachment->prepared, options->prepared, options->prepared_count * sizeof *attachment->prepared);
        attachment->prepared_count = options->prepared_count;
    }
    attachment->default_port = options->default_port;
    if (options->session_seconds != 0) attachment->session_seconds = options->session_seconds;
    attachment->clock = options->clock;
    attachment->clock_context = options->clock_context;
    return HAWSER_OK;
}

/* The messages in which a server may send timestamps (RFC 6962 section 3.3.1,
 * RFC 8446 section 4.2). */
static const unsigned int timestamp_contexts =
    SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_2_SERVER_HELLO | SSL_EXT_TLS1_3_CERTIFICATE;

/* Puts the last two gates into a context. A status callback that is there becomes the one that is
 * called after Hawser's. */
static void take_place(SSL_CTX *context, struct attachment *attachment) {
    int (*callback)(SSL *, void *) = NULL;
    void *argument = NULL;
    SSL_CTX_get_tlsext_status_cb(context, &callback);
    SSL_CTX_get_tlsext_status_arg(context, &argument);
    if (callback != check_status) attachment->status_callback = callback;
    /* With Hawser's callback and another argument, the argument is for the program's. */
    if (argument != attachment) attachment->status_argument = argument;
    SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
    SSL_CTX_set_tlsext_status_cb(context, check_status);
    SSL_CTX_set_tlsext_status_arg(context, attachment);
    SSL_CTX_set_cert_verify_callback(context, verify_chain, NULL);
}

int32_t hawser_openssl_attach(
    SSL_CTX *context, hawser_store store, const hawser_openssl_options *options, hawser_error *error) {
    KEEP_ERROR_QUEUE;
    if (error != NULL && !has_a_size(error->size, HAWSER_ERROR_SIZE_1, sizeof *error)) return HAWSER_E_ARGUMENT;
    if (context == NULL) return fail(error, HAWSER_E_ARGUMENT, "null-pointer", "`context` is NULL");
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    int32_t result = hawser_store_snapshot(store, &snapshot, error);
    if (result != HAWSER_OK) return result;
    if (!have_indices()) return fail(error, HAWSER_E_TLS, "no-memory", "OpenSSL keeps no more data of ours");
    if (SSL_CTX_get_ex_data(context, context_index) != NULL)
        return fail(error, HAWSER_E_ARGUMENT, "attached-twice", "a policy is attached to this context already");
    struct attachment *attachment = calloc(1, sizeof *attachment);
    if (attachment == NULL) return fail(error, HAWSER_E_INTERNAL, "no-memory", "out of memory");
    attachment->store = store;
    result = read_options(attachment, options, error);
    if (result != HAWSER_OK) {
        free_attachment(NULL, attachment, NULL, 0, 0, NULL);
        return result;
    }
    /* First the steps that can fail, so that a context is either attached to or unchanged. */
    if (SSL_CTX_ct_is_enabled(context)
        || SSL_CTX_add_custom_ext(
               context, TLSEXT_TYPE_signed_certificate_timestamp, timestamp_contexts, add_timestamps, NULL,
               NULL, take_timestamps, NULL)
            != 1) {
        free_attachment(NULL, attachment, NULL, 0, 0, NULL);
        return fail(
            error, HAWSER_E_TLS, "extension-taken",
            "extension 18 is taken: by SSL_CTX_enable_ct, or by another custom extension");
    }
    if (SSL_CTX_set_ex_data(context, context_index, attachment) != 1) {
        /* The extension cannot be removed. It stays, and refuses every handshake of this
         * context. */
        free_attachment(NULL, attachment, NULL, 0, 0, NULL);
        return fail(error, HAWSER_E_TLS, "no-memory", "OpenSSL keeps no more data of ours");
    }
    take_place(context, attachment);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return fail(error, HAWSER_OK, "", "");
}

int32_t hawser_openssl_set_store(SSL_CTX *context, hawser_store store, hawser_error *error) {
    KEEP_ERROR_QUEUE;
    if (error != NULL && !has_a_size(error->size, HAWSER_ERROR_SIZE_1, sizeof *error)) return HAWSER_E_ARGUMENT;
    if (context == NULL) return fail(error, HAWSER_E_ARGUMENT, "null-pointer", "`context` is NULL");
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    int32_t result = hawser_store_snapshot(store, &snapshot, error);
    if (result != HAWSER_OK) return result;
    struct attachment *attachment = have_indices() ? SSL_CTX_get_ex_data(context, context_index) : NULL;
    if (attachment == NULL || attachment->guard != NULL)
        return fail(error, HAWSER_E_ARGUMENT, "not-attached", "no policy is attached to this context");
    __atomic_store_n(&attachment->store.number, store.number, __ATOMIC_RELEASE);
    return fail(error, HAWSER_OK, "", "");
}

int32_t hawser_openssl_reclaim(SSL_CTX *context, hawser_error *error) {
    KEEP_ERROR_QUEUE;
    if (error != NULL && !has_a_size(error->size, HAWSER_ERROR_SIZE_1, sizeof *error)) return HAWSER_E_ARGUMENT;
    if (context == NULL) return fail(error, HAWSER_E_ARGUMENT, "null-pointer", "`context` is NULL");
    struct attachment *attachment = have_indices() ? SSL_CTX_get_ex_data(context, context_index) : NULL;
    if (attachment == NULL || attachment->guard != NULL)
        return fail(error, HAWSER_E_ARGUMENT, "not-attached", "no policy is attached to this context");
    take_place(context, attachment);
    return fail(error, HAWSER_OK, "", "");
}

int32_t hawser_guard_attach(SSL_CTX *context, const struct hawser_guard *guard, hawser_error *error) {
    KEEP_ERROR_QUEUE;
    if (!have_indices()) return fail(error, HAWSER_E_TLS, "no-memory", "OpenSSL keeps no more data of ours");
    if (SSL_CTX_get_ex_data(context, context_index) != NULL) return HAWSER_OK;
    struct attachment *attachment = calloc(1, sizeof *attachment);
    if (attachment == NULL) return fail(error, HAWSER_E_INTERNAL, "no-memory", "out of memory");
    attachment->guard = guard;
    attachment->session_seconds = 3600;
    if (SSL_CTX_add_custom_ext(
            context, TLSEXT_TYPE_signed_certificate_timestamp, timestamp_contexts, add_timestamps, NULL, NULL,
            take_timestamps, NULL)
            != 1
        || SSL_CTX_set_ex_data(context, context_index, attachment) != 1) {
        free_attachment(NULL, attachment, NULL, 0, 0, NULL);
        return fail(error, HAWSER_E_TLS, "extension-taken", "OpenSSL takes no extension of ours");
    }
    SSL_CTX_set_tlsext_status_cb(context, check_guarded_status);
    SSL_CTX_set_tlsext_status_arg(context, attachment);
    SSL_CTX_set_cert_verify_callback(context, verify_guarded, attachment);
    return HAWSER_OK;
}

static struct attachment *guarded_attachment(SSL_CTX *context) {
    if (!have_indices() || context == NULL) return NULL;
    struct attachment *attachment = SSL_CTX_get_ex_data(context, context_index);
    return attachment == NULL || attachment->guard == NULL ? NULL : attachment;
}

int hawser_guard_stands(SSL_CTX *context) {
    KEEP_ERROR_QUEUE;
    return guarded_attachment(context) != NULL;
}

int hawser_guard_set_verify(SSL_CTX *context, int (*callback)(X509_STORE_CTX *, void *), void *argument) {
    KEEP_ERROR_QUEUE;
    struct attachment *attachment = guarded_attachment(context);
    if (attachment == NULL) return 0;
    attachment->verify_callback = callback;
    attachment->verify_argument = argument;
    return 1;
}

int hawser_guard_set_status(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    KEEP_ERROR_QUEUE;
    struct attachment *attachment = guarded_attachment(context);
    if (attachment == NULL) return 0;
    attachment->status_callback = callback;
    return 1;
}

int hawser_guard_set_status_argument(SSL_CTX *context, void *argument) {
    KEEP_ERROR_QUEUE;
    struct attachment *attachment = guarded_attachment(context);
    if (attachment == NULL) return 0;
    attachment->status_argument = argument;
    return 1;
}

void hawser_guard_offer_session(SSL *ssl, SSL_SESSION *session) {
    KEEP_ERROR_QUEUE;
    const struct attachment *attachment = attachment_of(ssl);
    struct connection *connection = attachment == NULL || attachment->guard == NULL ? NULL : make_connection(ssl);
    if (connection == NULL) return;
    connection->port = attachment->guard->port(ssl);
    if (connection->port != 0) hawser_openssl_offer_session(ssl, session);
}

int hawser_guard_is_accepted(SSL *ssl) {
    KEEP_ERROR_QUEUE;
    const struct attachment *attachment = attachment_of(ssl);
    struct connection *connection = connection_of(ssl);
    if (attachment == NULL || attachment->guard == NULL || connection == NULL) return 0;
    int is_accepted = hawser_openssl_result(ssl) == HAWSER_OK;
    tell(ssl, attachment, connection);
    return is_accepted;
}

/* -------------------------------------------------------------------------------- the interface */

int32_t hawser_openssl_set_host(SSL *ssl, const char *host, uint32_t port) {
    KEEP_ERROR_QUEUE;
    if (ssl == NULL || host == NULL || port > 65535) return HAWSER_E_ARGUMENT;
    size_t length = strnlen(host, HAWSER_LIMIT_NAME);
    if (length == 0) return HAWSER_E_ARGUMENT;
    if (length >= HAWSER_LIMIT_NAME) return HAWSER_E_LIMIT;
    struct connection *connection = make_connection(ssl);
    if (connection == NULL) return HAWSER_E_INTERNAL;
    memcpy(connection->host, host, length + 1);
    connection->port = port;
    return HAWSER_OK;
}

const char *hawser_openssl_failure(const SSL *ssl) {
    KEEP_ERROR_QUEUE;
    const struct connection *connection = connection_of(ssl);
    return connection == NULL || connection->failure == NULL ? "" : connection->failure;
}

const char *hawser_openssl_reasons(const SSL *ssl) {
    KEEP_ERROR_QUEUE;
    struct connection *connection = connection_of(ssl);
    return connection == NULL ? "" : reasons_of(connection);
}

const char *hawser_openssl_failure_id(const SSL *ssl) {
    KEEP_ERROR_QUEUE;
    const struct connection *connection = connection_of(ssl);
    return connection == NULL ? "" : connection->failure_id;
}

hawser_verdict hawser_openssl_verdict(const SSL *ssl) {
    KEEP_ERROR_QUEUE;
    const struct connection *connection = connection_of(ssl);
    return connection == NULL ? (hawser_verdict){0} : connection->verdict;
}

int32_t hawser_openssl_result(const SSL *ssl) {
    KEEP_ERROR_QUEUE;
    const struct attachment *attachment = attachment_of(ssl);
    struct connection *connection = connection_of(ssl);
    if (attachment == NULL || connection == NULL || !SSL_is_init_finished(ssl)) return HAWSER_REJECT;
    /* Under TLS 1.2 a resumed handshake passes only the first gate, and the policy may have changed
     * since. The cast is needed because libssl reads the host of a connection through a pointer
     * that is not const. */
    if (connection->state == undecided && SSL_session_reused(ssl)
        && may_resume((SSL *)ssl, attachment, connection, changed_meanwhile))
        connection->state = accepted;
    return connection->state == accepted ? HAWSER_OK : HAWSER_REJECT;
}

int32_t hawser_openssl_offer_session(SSL *ssl, SSL_SESSION *session) {
    KEEP_ERROR_QUEUE;
    if (ssl == NULL || session == NULL) return HAWSER_E_ARGUMENT;
    const struct attachment *attachment = attachment_of(ssl);
    const struct connection *connection = attachment == NULL ? NULL : make_connection(ssl);
    if (connection == NULL) return HAWSER_E_ARGUMENT;
    struct standing standing;
    int is_current = is_session_current(ssl, attachment, connection, session, &standing);
    free(standing.sentence);
    if (!is_current) return HAWSER_REJECT;
    return SSL_set_session(ssl, session) == 1 ? HAWSER_OK : HAWSER_E_TLS;
}

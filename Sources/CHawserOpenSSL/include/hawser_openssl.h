/* hawser_openssl.h: Hawser in place of OpenSSL's certificate verification, for TLS clients.
 * C99, OpenSSL 3.
 *
 *     hawser_store store;
 *     hawser_store_open_file("/etc/acme/policy.table", &options, &store, &error);
 *     SSL_CTX *context = SSL_CTX_new(TLS_client_method());
 *     hawser_openssl_attach(context, store, NULL, &error);
 *     SSL *ssl = SSL_new(context);                               after attaching
 *     SSL_set_tlsext_host_name(ssl, "api.acme.example");         or hawser_openssl_set_host
 *     if (SSL_connect(ssl) != 1) puts(hawser_openssl_failure(ssl));
 *
 * What attaching does to a context:
 *
 * - Only the store's policy judges chains. OpenSSL's trust store, purposes, depth and host checks
 *   have no effect. SSL_VERIFY_PEER is set, and is set again for a connection that switched it off.
 *   To let a certificate pass, change the policy.
 * - The OCSP staple and the timestamps of the TLS extension (18) are requested and given to the
 *   policy. OpenSSL's own certificate transparency (SSL_CTX_enable_ct) uses the same extension.
 *   Where it is enabled, attaching fails.
 * - The status callback is Hawser's. A callback that was set before is called after it. A callback
 *   that is set later replaces it, and handshakes then fail. A program that sets its callback for
 *   each connection, as Node does, calls hawser_openssl_reclaim after it.
 * - Sessions are not cached (SSL_SESS_CACHE_OFF). A session that a program keeps itself
 *   (SSL_get1_session, hawser_openssl_offer_session) is offered only while it is as good as a new
 *   verdict: it was made under the same store, for the same host and port, at most
 *   `session_seconds` ago, in this process, and later tables do not judge the host more strictly.
 *   With any other session, set by SSL_set_session, the handshake fails with `session-not-current`
 *   before anything is sent: connect again without the session. (Resumption shows no certificate,
 *   so nothing else would notice that the policy became stricter.) While the table is stale under
 *   HAWSER_STALE_REJECT, no session is offered or accepted, whenever it was made. The handshake
 *   fails with `table-stale`, as a handshake without a session does. Once the table is confirmed,
 *   the sessions that were made under it count again.
 * - The callbacks and every function here leave OpenSSL's queue of errors unchanged: entries of the
 *   program stay, and none is added. There are two exceptions: libssl's own entries about a
 *   handshake that was refused, and entries of the program's own status callback.
 *
 * What each callback knows:
 *
 *                         TLS 1.3                           TLS 1.2
 *   certificate callback  chain, version, suite, group,     chain, version, suite, ALPN, timestamps
 *                         ALPN, staple, timestamps
 *   status callback       and the signature scheme          and the staple, group, signature scheme
 *
 * In both versions the status callback comes before the client sends anything but its hello. Where
 * the values that are still missing cannot change a reject, the certificate callback rejects.
 * Otherwise, and for every accept under TLS 1.2, the status callback judges all values together. A
 * handshake that ends without a verdict fails.
 *
 * Attach only client contexts. A server's context that asks for client certificates refuses
 * all of them.
 */
#ifndef HAWSER_OPENSSL_H
#define HAWSER_OPENSSL_H

#include <hawser.h>
#include <openssl/ssl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hawser_openssl_options {
    size_t size;
    uint32_t default_port;        /* for connections that set no port; 0: nobody says it. They are
                                     then judged for 443 where no other port of the host may have
                                     another rule, and refused elsewhere (`port-unknown`) */
    uint32_t session_seconds;     /* how long a session counts as judged; 0 means 3600 */
    const hawser_evidence *prepared; /* further evidence for every handshake; must live as long
                                        as the context */
    size_t prepared_count;
    int64_t (*clock)(void *context); /* seconds since 1970; NULL: the system's */
    void *clock_context;
} hawser_openssl_options;

/* Makes a store's policy judge the connections of a client context. Call it before any SSL is
 * made from the context. `options` may be NULL. The store is not taken over: closing it while
 * the context is in use makes handshakes fail. A context is attached to only once; a second
 * call returns HAWSER_E_ARGUMENT. */
int32_t hawser_openssl_attach(
    SSL_CTX *context, hawser_store store, const hawser_openssl_options *options, hawser_error *error);

/* Makes another store judge the handshakes of an attached context from now on. It is for a child
 * after fork(), which has no store of its parent's (hawser_store_resume): so a context that was
 * made before the fork is used after it. Sessions that were made under the store before are not
 * offered. HAWSER_E_ARGUMENT where nothing is attached. */
int32_t hawser_openssl_set_store(SSL_CTX *context, hawser_store store, hawser_error *error);

/* Gives the policy its place back in an attached context whose program has since called
 * SSL_CTX_set_tlsext_status_cb, _arg or _type, or SSL_CTX_set_cert_verify_callback. The program's
 * status callback is then called after Hawser's, with its argument, as one that was set before
 * attaching. A verify callback is not called: only the policy judges.
 *
 * Call it directly after the program's call, before any handshake of the context goes on, and on no
 * other thread than the one that makes the context's connections: as of every SSL_CTX_set function,
 * a handshake that runs meanwhile may see either. A handshake that reaches its end while another
 * callback is in the place passes without a verdict, and hawser_openssl_result says so. Calling it
 * without need does nothing. HAWSER_E_ARGUMENT where nothing is attached. */
int32_t hawser_openssl_reclaim(SSL_CTX *context, hawser_error *error);

/* Sets the host and port that a connection is for, before the handshake. Without this call it is
 * the one host or address in the connection's verification parameters (SSL_set1_host,
 * X509_VERIFY_PARAM_set1_ip), else the server name (SSL_set_tlsext_host_name). Where none of these
 * is set, the handshake fails. The call does not set the server name. */
int32_t hawser_openssl_set_host(SSL *ssl, const char *host, uint32_t port);

/* Offers a session that the program kept (SSL_get1_session), if it is still current; call it after
 * the host was set, in place of SSL_set_session. HAWSER_OK: it is offered. HAWSER_REJECT: it is
 * not, and the handshake will be a full one; drop the session. HAWSER_E_ARGUMENT for NULL and for a
 * connection of a context that no policy is attached to. The session stays the program's. */
int32_t hawser_openssl_offer_session(SSL *ssl, SSL_SESSION *session);

/* Why a handshake was refused: one line for each violation, `id: sentence`; empty where no
 * handshake was refused. The text belongs to the connection and is valid until its next handshake
 * or SSL_free. Never NULL. */
const char *hawser_openssl_failure(const SSL *ssl);

/* The same in one line for a log, with the words of HAWSER_TEXT_REJECT_REASONS: side, rule, owner,
 * the id of the decision, and the command to run next. Where no verdict refused, it has no words.
 * The first call costs an explanation. */
const char *hawser_openssl_reasons(const SSL *ssl);

/* The stable id of the first violation, such as `pin-mismatch`; empty where there was none. The ids
 * `no-verdict`, `port-unknown` and `session-not-current` come from this library and are about no
 * certificate. */
const char *hawser_openssl_failure_id(const SSL *ssl);

/* The verdict of the last handshake, for hawser_verdict_text; 0 where there was none. It is freed
 * with the connection; the caller must not free it. */
hawser_verdict hawser_openssl_verdict(const SSL *ssl);

/* Whether the policy accepts the connection: its handshake is finished and was judged, or it
 * resumes a session that was judged. HAWSER_OK or HAWSER_REJECT.
 *
 * Call it when the handshake is over. A resumed handshake under TLS 1.2 has no callback after the
 * hello: only this call sees a change of the policy, or of the age of its table, that came before
 * the handshake was over. The first answer stays until the next handshake. */
int32_t hawser_openssl_result(const SSL *ssl);

/* The X509_V_ERR_* value that is nearest to a violation's id; X509_V_ERR_APPLICATION_VERIFICATION
 * where none is near. */
int hawser_openssl_x509_error(const char *violation_id);

#ifdef __cplusplus
}
#endif

#endif

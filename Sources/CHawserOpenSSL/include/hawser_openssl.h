/* hawser_openssl.h: Hawser in place of OpenSSL's certificate verification, for TLS clients. C99, OpenSSL 3.
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
 * - Chains are judged by the store's policy and by nothing else of OpenSSL's: its trust store, purposes, depth
 *   and host checks no longer have a say. SSL_VERIFY_PEER is set, and set again for a connection that switched
 *   it off; what a policy should let pass, the policy says.
 * - The OCSP staple and the timestamps of the TLS extension (18) are asked for and handed to the policy.
 *   OpenSSL's own certificate transparency (SSL_CTX_enable_ct) uses the same extension: the two exclude each
 *   other, and attaching then fails.
 * - The status callback is Hawser's. One that was set before is called after it; one that is set later would
 *   take its place, so handshakes then fail.
 * - Sessions are not cached (SSL_SESS_CACHE_OFF). A session that a program keeps itself (SSL_get1_session,
 *   SSL_set_session) is offered only while it is as good as a new verdict: made under the same store's epoch,
 *   for the same host and port, at most `session_seconds` ago, in this process. Any other makes the handshake
 *   fail, before anything is sent, with `session-not-current`: connect again without it. (Resumption shows no
 *   certificate, so nothing else would notice that the policy became stricter.) While the table is stale under
 *   HAWSER_STALE_REJECT no session is offered or accepted, whenever it was made: the handshake fails with
 *   `table-stale`, as one without a session does. Once the table is confirmed, its sessions count again.
 * - OpenSSL's queue of errors is left as it was, by the callbacks and by every function here: what a program had
 *   on it stays, and nothing is added. What libssl says of a handshake that was refused is libssl's, and what the
 *   program's own status callback leaves is the program's.
 *
 * What is known when:
 *
 *                         TLS 1.3                           TLS 1.2
 *   certificate callback  chain, version, suite, group,     chain, version, suite, ALPN, timestamps
 *                         ALPN, staple, timestamps
 *   status callback       and the signature scheme          and the staple, group, signature scheme
 *
 * In both the status callback comes before the client sends anything but its hello. A verdict that rejects
 * whatever is still to come is given in the first; one that turns on it, and every accept under TLS 1.2, in the
 * second, over all of it. A handshake that ends without a verdict was never accepted: it fails.
 *
 * Not for servers: a context of a server that asks for client certificates refuses them all.
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
    uint32_t default_port;        /* of connections that do not set theirs; 0 means 443 */
    uint32_t session_seconds;     /* how long a session counts as judged; 0 means 3600 */
    const hawser_evidence *prepared; /* further evidence for every handshake; must live as long as the context */
    size_t prepared_count;
    int64_t (*clock)(void *context); /* seconds since 1970; NULL: the system's */
    void *clock_context;
} hawser_openssl_options;

/* Puts a store's policy in charge of a client context, before any SSL is made of it. `options` may be NULL. The
 * store is not taken over: closing it while the context is in use makes handshakes fail. A context is attached
 * to once; HAWSER_E_ARGUMENT otherwise. */
int32_t hawser_openssl_attach(
    SSL_CTX *context, hawser_store store, const hawser_openssl_options *options, hawser_error *error);

/* Says whom a connection is for, before the handshake. Without it, it is the one host or address of the
 * connection's verification parameters (SSL_set1_host, X509_VERIFY_PARAM_set1_ip), else the server name
 * (SSL_set_tlsext_host_name); where neither says one, the handshake fails. It sets no server name. */
int32_t hawser_openssl_set_host(SSL *ssl, const char *host, uint32_t port);

/* Why a handshake was refused, one line for each violation, `id: sentence`; empty where none was. The text is
 * the connection's: valid until its next handshake or SSL_free. Never NULL. */
const char *hawser_openssl_failure(const SSL *ssl);

/* The stable id of the first violation, such as `pin-mismatch`; empty where there was none. `no-verdict` and
 * `session-not-current` are of this library and stand for no certificate. */
const char *hawser_openssl_failure_id(const SSL *ssl);

/* The verdict of the last handshake, for hawser_verdict_text; 0 where there was none. It is freed with the
 * connection, not by the caller. */
hawser_verdict hawser_openssl_verdict(const SSL *ssl);

/* Whether the connection is one that the policy accepts: its handshake is finished and was judged, or resumes
 * a session that was. HAWSER_OK, or HAWSER_REJECT.
 *
 * Ask it when the handshake is over. A resumed handshake under TLS 1.2 has no callback after the hello: what
 * became of the policy, or of the age of its table, until the handshake was over, is seen here and nowhere else.
 * The first answer stays until the next handshake. */
int32_t hawser_openssl_result(const SSL *ssl);

/* The X509_V_ERR_* that is nearest to a violation's id; X509_V_ERR_APPLICATION_VERIFICATION where none is. */
int hawser_openssl_x509_error(const char *violation_id);

#ifdef __cplusplus
}
#endif

#endif

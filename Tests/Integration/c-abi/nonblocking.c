/* An event loop over non-blocking sockets, as services have one, with the policy attached
 * to OpenSSL.
 *
 *     nonblocking SECONDS-SINCE-1970 judge TABLE VERSION FIRST HOST=PORT...
 *     nonblocking SECONDS-SINCE-1970 reload TABLE OTHER-TABLE ROUNDS VERSION HOST=PORT...
 *
 * All servers are on 127.0.0.1. A host is judged for port 443, whatever port its server has.
 *
 * `judge` connects to all servers at once. FIRST is the call that drives the handshake: `handshake`
 * (SSL_do_handshake), `write` (SSL_write of the program's own octets) or `read` (SSL_read). What
 * was refused is written to and read from again, as a careless program would. Prints for each host
 * its name, `accept` or `reject`, what stands against it, and OpenSSL's name of it.
 *
 * `reload` replaces the table ROUNDS times, alternating, also in the middle of handshakes, and each
 * time connects to all servers with the sessions that it kept. No connection may fail, but for
 * `session-not-current`, after which it connects once more. Prints for each host how many were
 * resumed, how many were not, how many sessions were not offered and how many connections repeated.
 */
#define _GNU_SOURCE
#include "tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 16 };

enum step { connecting, working, answering, over };

struct visit {
    const char *host;
    int port, descriptor;
    enum step step;
    short events;
    SSL *ssl;
    SSL_SESSION *session;
    int is_accepted, is_resumed, resumed, full, refused_sessions, repeats;
    char text[2048];
    char answer[256];
    size_t answer_length;
    long verify_result;
};

static struct visit visits[most];
static int visit_count;
static const char *first_call;

static void read_targets(char **arguments, int count) {
    need(count > 0 && count <= most, "the servers", "too few or too many");
    for (int index = 0; index < count; index++) {
        char *sign = strchr(arguments[index], '=');
        need(sign != NULL, "a server", arguments[index]);
        *sign = 0;
        visits[index].host = arguments[index];
        visits[index].port = atoi(sign + 1);
    }
    visit_count = count;
}

static void begin(struct visit *visit, SSL_CTX *context) {
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons((uint16_t)visit->port)};
    inet_pton(AF_INET, "127.0.0.1", &target.sin_addr);
    visit->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int result = connect(visit->descriptor, (struct sockaddr *)&target, sizeof target);
    need(result == 0 || errno == EINPROGRESS, visit->host, strerror(errno));
    visit->ssl = connection(context, visit->host);
    SSL_set_fd(visit->ssl, visit->descriptor);
    SSL_set_connect_state(visit->ssl);
    if (visit->session != NULL) {
        int32_t offered = hawser_openssl_offer_session(visit->ssl, visit->session);
        need(offered == HAWSER_OK || offered == HAWSER_REJECT, visit->host, hawser_result_name(offered));
        visit->refused_sessions += offered == HAWSER_REJECT;
        SSL_SESSION_free(visit->session);
        visit->session = NULL;
    }
    visit->step = connecting;
    visit->events = POLLOUT;
    visit->answer_length = 0;
    visit->is_accepted = visit->is_resumed = 0;
}

static const char request[] = "GET / HTTP/1.0\r\n\r\nthe-octets-of-the-program";

/* One call of libssl; 1 done, 0 to be called again when the socket is ready, -1 refused or
 * torn down. */
static int drive(struct visit *visit, int result) {
    if (result > 0) return 1;
    switch (SSL_get_error(visit->ssl, result)) {
    case SSL_ERROR_WANT_READ: visit->events = POLLIN; return 0;
    case SSL_ERROR_WANT_WRITE: visit->events = POLLOUT; return 0;
    default: return -1;
    }
}

static void finish(struct visit *visit) {
    visit->is_accepted = hawser_openssl_result(visit->ssl) == HAWSER_OK;
    visit->is_resumed = SSL_session_reused(visit->ssl);
    visit->verify_result = SSL_get_verify_result(visit->ssl);
    snprintf(visit->text, sizeof visit->text, "%s", hawser_openssl_failure(visit->ssl));
    if (visit->is_accepted) {
        /* Sessions of TLS 1.3 come with the answer. */
        visit->session = SSL_get1_session(visit->ssl);
        SSL_shutdown(visit->ssl);
    } else if (SSL_is_init_finished(visit->ssl)) {
        /* Resumed under TLS 1.2, and the policy became stricter in the handshake: the result
         * alone says it, so a program asks for it before it writes. */
        need(version == TLS1_2_VERSION && visit->is_resumed, visit->host, visit->text);
    } else {
        need(
            visit->verify_result == hawser_openssl_x509_error(hawser_openssl_failure_id(visit->ssl)), visit->host,
            "another verify result");
        /* A program that ignores the result. */
        char octets[16];
        for (int time_tried = 0; time_tried < 3; time_tried++) {
            need(SSL_write(visit->ssl, request, sizeof request - 1) <= 0, visit->host, "wrote after it was refused");
            need(SSL_read(visit->ssl, octets, sizeof octets) <= 0, visit->host, "read after it was refused");
            need(SSL_do_handshake(visit->ssl) <= 0, visit->host, "shook hands after it was refused");
        }
        need(hawser_openssl_result(visit->ssl) == HAWSER_REJECT, visit->host, "accepted after it was refused");
    }
    ERR_clear_error();
    SSL_free(visit->ssl);
    close(visit->descriptor);
    visit->step = over;
}

static void go_on(struct visit *visit) {
    ERR_clear_error();
    int is_done = 0;
    switch (visit->step) {
    case connecting: {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(visit->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
        need(error == 0, visit->host, strerror(error));
        visit->step = working;
    } /* fall through */
    case working:
        if (strcmp(first_call, "read") == 0 && !SSL_is_init_finished(visit->ssl)) {
            is_done = drive(visit, SSL_read(visit->ssl, visit->answer, sizeof visit->answer));
            if (is_done == 1) visit->answer_length = 1;
            if (is_done == 0 && !SSL_is_init_finished(visit->ssl)) return;
            if (is_done < 0) return finish(visit);
        }
        if (strcmp(first_call, "handshake") == 0 && !SSL_is_init_finished(visit->ssl)) {
            is_done = drive(visit, SSL_do_handshake(visit->ssl));
            if (is_done == 0) return;
            if (is_done < 0) return finish(visit);
        }
        if (SSL_is_init_finished(visit->ssl) && hawser_openssl_result(visit->ssl) != HAWSER_OK) return finish(visit);
        is_done = drive(visit, SSL_write(visit->ssl, request, sizeof request - 1));
        if (is_done == 0) return;
        if (is_done < 0) return finish(visit);
        visit->step = answering;
        /* fall through */
    case answering:
        while ((is_done = drive(visit, SSL_read(visit->ssl, visit->answer, sizeof visit->answer))) == 1)
            visit->answer_length = 1;
        if (is_done < 0) finish(visit);
        return;
    case over: return;
    }
}

static void load(hawser_store store, const char *path) {
    static unsigned char data[1 << 20];
    FILE *file = fopen(path, "rb");
    need(file != NULL, path, "not there");
    size_t count = fread(data, 1, sizeof data, file);
    fclose(file);
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_store_reload(store, data, count, &error) == HAWSER_OK, path, error.message);
}

/* Until every visit is over. Where there is a table, it is put in force when the first hello
 * is written, which is in the middle of handshakes. */
static void loop(hawser_store store, const char *meanwhile) {
    for (;;) {
        struct pollfd waiting[most];
        struct visit *who[most];
        nfds_t count = 0;
        for (int index = 0; index < visit_count; index++)
            if (visits[index].step != over) {
                waiting[count] = (struct pollfd){visits[index].descriptor, visits[index].events, 0};
                who[count++] = &visits[index];
            }
        if (count == 0) return;
        need(poll(waiting, count, 60000) > 0, who[0]->host, "nothing came for a minute");
        for (nfds_t index = 0; index < count; index++) {
            if (waiting[index].revents == 0) continue;
            go_on(who[index]);
            if (meanwhile != NULL) load(store, meanwhile);
            meanwhile = NULL;
        }
    }
}

static SSL_CTX *attached(hawser_store store) {
    SSL_CTX *context = client_context();
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    need(attach(context, store) == HAWSER_OK, "attach", "refused");
    return context;
}

static int judge(char **arguments, int count) {
    need(count > 2, "usage", "nonblocking judge TABLE VERSION FIRST HOST=PORT...");
    table = arguments[0];
    version = strcmp(arguments[1], "tls1_2") == 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
    first_call = arguments[2];
    read_targets(arguments + 3, count - 3);
    hawser_store store = open_store();
    SSL_CTX *context = attached(store);
    for (int index = 0; index < visit_count; index++) begin(&visits[index], context);
    loop(store, NULL);
    for (int index = 0; index < visit_count; index++) {
        struct visit *visit = &visits[index];
        printf("%s %s\n", visit->host, visit->is_accepted ? "accept" : "reject");
        if (!visit->is_accepted)
            printf("%s\nopenssl: %s\n", visit->text, X509_verify_cert_error_string(visit->verify_result));
        need(visit->is_accepted || visit->answer_length == 0, visit->host, "octets of a server that was refused");
        SSL_SESSION_free(visit->session);
    }
    SSL_CTX_free(context);
    return hawser_store_close(store);
}

static int reload(char **arguments, int count) {
    need(count > 4, "usage", "nonblocking reload TABLE OTHER-TABLE ROUNDS VERSION HOST=PORT...");
    table = arguments[0];
    int rounds = atoi(arguments[2]);
    version = strcmp(arguments[3], "tls1_2") == 0 ? TLS1_2_VERSION : TLS1_3_VERSION;
    first_call = "handshake";
    read_targets(arguments + 4, count - 4);
    hawser_store store = open_store();
    SSL_CTX *context = attached(store);
    for (int round = 0; round <= rounds; round++) {
        const char *next = arguments[round % 2];
        /* Half of the tables come between connections, half in the middle of handshakes. */
        int is_between = round % 4 < 2;
        if (round > 0 && is_between) load(store, next);
        for (int index = 0; index < visit_count; index++) begin(&visits[index], context);
        loop(store, round > 0 && !is_between ? next : NULL);
        for (int index = 0; index < visit_count; index++) {
            struct visit *visit = &visits[index];
            if (!visit->is_accepted && strncmp(visit->text, "session-not-current: ", 21) == 0) {
                /* As hawser_openssl.h says: once more, without the session. */
                visit->repeats++;
                begin(visit, context);
                loop(store, NULL);
            }
            need(visit->is_accepted, visit->host, visit->text);
            need(visit->answer_length > 0, visit->host, "no answer");
            visit->resumed += visit->is_resumed;
            visit->full += !visit->is_resumed;
        }
    }
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    hawser_store_snapshot(store, &snapshot, NULL);
    printf("epoch %llu\n", (unsigned long long)snapshot.epoch);
    for (int index = 0; index < visit_count; index++) {
        printf(
            "%s resumed %d full %d not-offered %d repeated %d\n", visits[index].host, visits[index].resumed,
            visits[index].full, visits[index].refused_sessions, visits[index].repeats);
        SSL_SESSION_free(visits[index].session);
    }
    SSL_CTX_free(context);
    return hawser_store_close(store);
}

int main(int argc, char **argv) {
    if (argc > 3) at = atoll(argv[1]);
    if (argc > 3 && strcmp(argv[2], "judge") == 0) return judge(argv + 3, argc - 3);
    if (argc > 3 && strcmp(argv[2], "reload") == 0) return reload(argv + 3, argc - 3);
    fprintf(stderr, "usage: nonblocking SECONDS judge | reload, see the head of nonblocking.c\n");
    return 2;
}

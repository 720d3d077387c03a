/* A program over libcurl whose servers the policy judges: CURLOPT_SSL_CTX_FUNCTION hands out the
 * SSL_CTX of each connection before it is used, where libcurl is built with OpenSSL.
 *
 *     curl --table policy.table https://api.acme.example/ [HOST:PORT:ADDRESS:PORT]
 *
 * The last argument is libcurl's CURLOPT_CONNECT_TO. Prints the status of the answer, or why the
 * server was refused.
 */
#include <curl/curl.h>
#include <hawser_openssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hawser_store store;
static int failure_index;

/* The port of the URL that the connection is for, after redirects too; 0 where it has none. */
static uint32_t port_of(CURL *easy) {
    char *url = NULL, *port = NULL;
    CURLU *parts = curl_url();
    uint32_t number = 0;
    if (parts != NULL && curl_easy_getinfo(easy, CURLINFO_EFFECTIVE_URL, &url) == CURLE_OK && url != NULL
        && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK
        && curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK)
        number = (uint32_t)strtoul(port, NULL, 10);
    curl_free(port);
    curl_url_cleanup(parts);
    return number;
}

/* At the end of a handshake: its SSL is gone when libcurl says that it failed. */
static void told(const SSL *ssl, int where, int value) {
    (void)value;
    if ((where & SSL_CB_EXIT) == 0) return;
    const char *failure = hawser_openssl_failure(ssl);
    char *text = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), failure_index);
    if (text != NULL && failure[0] != 0) snprintf(text, 1024, "%s", failure);
}

static CURLcode attach(CURL *easy, void *context, void *text) {
    hawser_openssl_options options;
    HAWSER_INIT(&options);
    options.default_port = port_of(easy);
    hawser_error error;
    HAWSER_INIT(&error);
    if (options.default_port == 0
        || hawser_openssl_attach(context, store, &options, &error) != HAWSER_OK
        || SSL_CTX_set_ex_data(context, failure_index, text) != 1) {
        snprintf(text, 1024, "%s", error.message);
        return CURLE_SSL_CERTPROBLEM;
    }
    SSL_CTX_set_info_callback(context, told);
    return CURLE_OK;
}

int main(int count, char **arguments) {
    if (count < 4 || count > 5 || strcmp(arguments[1], "--table") != 0) {
        fprintf(stderr, "usage: curl --table TABLE URL [HOST:PORT:ADDRESS:PORT]\n");
        return 2;
    }
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_store_open_file(arguments[2], NULL, &store, &error) != HAWSER_OK) {
        fprintf(stderr, "%s: %s\n", arguments[2], error.message);
        return 2;
    }
    failure_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *easy = curl_easy_init();
    struct curl_slist *places = count == 5 ? curl_slist_append(NULL, arguments[4]) : NULL;
    char failure[1024] = "";
    long status = 0;
    FILE *nowhere = fopen("/dev/null", "w");
    curl_easy_setopt(easy, CURLOPT_URL, arguments[3]);
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, places);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, nowhere);
    /* Only https, as clear text is not judged; no proxy, whose port is not in the URL; no sessions
     * of libcurl's, which it would offer to a policy that has become stricter. */
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    CURLcode result = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, attach);
    curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, failure);
    /* A libcurl with another TLS library refuses the option: then nobody would judge. */
    if (result == CURLE_OK) result = curl_easy_perform(easy);
    if (result == CURLE_OK) {
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        printf("%ld\n", status);
    } else {
        fprintf(stderr, "%s\n%s", curl_easy_strerror(result), failure);
        if (failure[0] != 0) fprintf(stderr, "\n");
    }
    curl_easy_cleanup(easy);
    curl_slist_free_all(places);
    curl_global_cleanup();
    if (nowhere != NULL) fclose(nowhere);
    hawser_store_close(store);
    return result == CURLE_OK ? 0 : 1;
}

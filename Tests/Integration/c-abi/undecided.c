/* No call that fails leaves an outcome that reads as an accept.
 *
 *     undecided TABLE CHAIN HOST SECONDS
 *
 * Reads an outcome before each call and after it: as HAWSER_INIT makes one, and with the accept of
 * an earlier call still in it. Prints a line for each way to fail.
 */
#include <hawser.h>

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int condition, const char *what, const char *found) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, found);
    exit(1);
}

static const char *word(uint32_t decision) {
    switch (decision) {
    case HAWSER_DECISION_UNDECIDED: return "undecided";
    case HAWSER_DECISION_ACCEPT: return "accept";
    case HAWSER_DECISION_REJECT: return "reject";
    default: return "no decision at all";
    }
}

/* All that a call is given; each way to fail spoils a part of a copy. */
struct call {
    hawser_store store;
    hawser_fetcher fetcher;
    hawser_request request;
    const hawser_request *asked;
    hawser_verdict read, *verdict;
    hawser_error error, *failure;
    size_t outcome_size;
    int explains, fetches, reads;
};

static struct call good;
static hawser_verdict freed;
static char long_name[HAWSER_LIMIT_NAME + 2];

#define WAY(name, change) \
    static void name(struct call *call) { change; }

WAY(nothing, (void)call)
WAY(no_store, memset(&call->store, 0, sizeof call->store))
WAY(another_store, memset(&call->store, 0x5A, sizeof call->store))
WAY(no_request, call->asked = NULL)
WAY(request_without_size, call->request.size = 0)
WAY(request_of_no_version, call->request.size -= 1)
WAY(no_host, memset(&call->request.host, 0, sizeof call->request.host))
WAY(long_host, call->request.host.length = HAWSER_LIMIT_NAME + 1)
WAY(port_too_large, call->request.port = 65536)
WAY(tls_out_of_range, call->request.tls = 9)
WAY(version_out_of_range, call->request.tls_version = 0x7F7F)
WAY(year_10000, call->request.time = INT64_MAX)
WAY(chain_without_octets, call->request.chain = NULL)
WAY(too_many_certificates, call->request.chain_count = HAWSER_LIMIT_ITEMS + 1)
WAY(endless_name, call->request.cipher_suite = long_name)
WAY(reserved, call->request.reserved = 1)
WAY(evidence_that_is_none, call->request.prepared_count = 1)
WAY(outcome_without_size, call->outcome_size = 0)
WAY(outcome_too_small, call->outcome_size = sizeof(hawser_outcome) - 1)
WAY(outcome_of_the_header_alone, call->outcome_size = sizeof(size_t))
WAY(outcome_too_large, call->outcome_size = HAWSER_LIMIT_OCTETS)
WAY(outcome_of_every_octet, call->outcome_size = SIZE_MAX)
WAY(error_without_size, call->error.size = 0)
WAY(error_too_small, call->error.size -= 1)
WAY(error_misplaced, call->failure = (hawser_error *)(void *)((char *)&call->error + 1))
WAY(no_verdict, call->explains = 1; call->verdict = NULL)
WAY(no_fetcher, call->fetches = 1; memset(&call->fetcher, 0, sizeof call->fetcher))
WAY(another_fetcher, call->fetches = 1; memset(&call->fetcher, 0x5A, sizeof call->fetcher))
WAY(verdict_that_was_freed, call->reads = 1; call->read = freed)
WAY(verdict_that_is_none, call->reads = 1; memset(&call->read, 0, sizeof call->read))
WAY(verdict_and_no_size, call->reads = 1; call->outcome_size = 0)

static const struct {
    const char *name;
    void (*spoil)(struct call *);
} ways[] = {
#define NAMED(name) {#name, name}
    NAMED(no_store), NAMED(another_store), NAMED(no_request), NAMED(request_without_size), NAMED(request_of_no_version),
    NAMED(no_host), NAMED(long_host), NAMED(port_too_large), NAMED(tls_out_of_range), NAMED(version_out_of_range),
    NAMED(year_10000), NAMED(chain_without_octets), NAMED(too_many_certificates), NAMED(endless_name), NAMED(reserved),
    NAMED(evidence_that_is_none), NAMED(outcome_without_size), NAMED(outcome_too_small),
    NAMED(outcome_of_the_header_alone), NAMED(outcome_too_large), NAMED(outcome_of_every_octet),
    NAMED(error_without_size), NAMED(error_too_small), NAMED(error_misplaced), NAMED(no_verdict), NAMED(no_fetcher),
    NAMED(another_fetcher), NAMED(verdict_that_was_freed), NAMED(verdict_that_is_none), NAMED(verdict_and_no_size),
};

/* Calls as `good` does, with one part spoilt. */
static int32_t made(void (*spoil)(struct call *), int explains, int fetches, hawser_outcome *outcome) {
    struct call call = good;
    call.explains = explains;
    call.fetches = fetches;
    call.asked = &call.request;
    call.verdict = &call.read;
    call.failure = &call.error;
    call.outcome_size = sizeof *outcome;
    spoil(&call);
    outcome->size = call.outcome_size;
    if (call.reads) return hawser_verdict_outcome(call.read, outcome);
    memset(&call.read, 0, sizeof call.read);
    int32_t result = call.fetches
        ? (call.explains ? hawser_explain_fetching : hawser_evaluate_fetching)(
            call.store, call.fetcher, call.asked, outcome, call.verdict, call.failure)
        : (call.explains ? hawser_explain : hawser_evaluate)(
            call.store, call.asked, outcome, call.verdict, call.failure);
    hawser_verdict_free(call.read);
    return result;
}

/* Every way to fail, with a new outcome and with one that says accept. */
static int all_ways(const char *where) {
    int count = 0;
    for (size_t place = 0; place < sizeof ways / sizeof *ways; place++)
        for (int form = 0; form < 8; form++) {
            hawser_outcome outcome;
            HAWSER_INIT(&outcome);
            need(outcome.decision == HAWSER_DECISION_UNDECIDED, "an outcome of HAWSER_INIT", word(outcome.decision));
            if (form & 1) {
                /* Octets as a struct on the stack may have them, and the decision of an accept. */
                memset(&outcome, 1, sizeof outcome);
                outcome.decision = HAWSER_DECISION_ACCEPT;
            }
            int32_t result = made(ways[place].spoil, form & 2, form & 4, &outcome);
            need(result < 0, ways[place].name, hawser_result_name(result));
            need(outcome.decision == HAWSER_DECISION_UNDECIDED, ways[place].name, word(outcome.decision));
            count++;
            if (form == 1 && where != NULL)
                printf("%-28s accept, then %-17s %s\n", ways[place].name, hawser_result_name(result), word(outcome.decision));
        }
    return count;
}

int main(int count, char **arguments) {
    need(count == 5, "arguments", "TABLE CHAIN HOST SECONDS");
    memset(long_name, 'a', sizeof long_name - 1);
    HAWSER_INIT(&good.error);
    need(hawser_store_open_file(arguments[1], NULL, &good.store, &good.error) == HAWSER_OK, "open", good.error.message);
    need(hawser_fetcher_open(NULL, &good.fetcher, &good.error) == HAWSER_OK, "a fetcher", good.error.message);
    hawser_bytes chain[16];
    BIO *file = BIO_new_file(arguments[2], "rb");
    need(file != NULL, arguments[2], "cannot be read");
    char *name, *header;
    unsigned char *data;
    long length;
    size_t certificates = 0;
    while (certificates < 16 && PEM_read_bio(file, &name, &header, &data, &length) == 1)
        chain[certificates++] = (hawser_bytes){data, (size_t)length};
    HAWSER_INIT(&good.request);
    good.request.host = (hawser_bytes){arguments[3], strlen(arguments[3])};
    good.request.port = 443;
    good.request.time = strtoll(arguments[4], NULL, 10);
    good.request.tls = HAWSER_TLS_OBSERVED;
    good.request.tls_version = 0x0304;
    good.request.chain = chain;
    good.request.chain_count = certificates;

    /* Both decisions are reached, so what follows is not empty. */
    hawser_outcome outcome;
    for (int form = 0; form < 4; form++) {
        HAWSER_INIT(&outcome);
        need(made(nothing, form & 1, form & 2, &outcome) == HAWSER_OK, "the good chain", "not accepted");
        need(outcome.decision == HAWSER_DECISION_ACCEPT, "an accept", word(outcome.decision));
        good.request.host = (hawser_bytes){"nobody.example", 14};
        need(made(nothing, form & 1, form & 2, &outcome) == HAWSER_REJECT, "no rule", "not rejected");
        need(outcome.decision == HAWSER_DECISION_REJECT, "a reject", word(outcome.decision));
        good.request.host = (hawser_bytes){arguments[3], strlen(arguments[3])};
    }
    /* `good` has a verdict that is alive, for the ways that read one. */
    need(hawser_evaluate(good.store, &good.request, NULL, &good.read, NULL) == HAWSER_OK, "a verdict", "none");
    need(hawser_evaluate(good.store, &good.request, NULL, &freed, NULL) == HAWSER_OK, "a verdict", "none");
    need(hawser_verdict_free(freed) == HAWSER_OK, "a verdict", "not freed");
    HAWSER_INIT(&outcome);
    need(hawser_verdict_outcome(good.read, &outcome) == HAWSER_OK && outcome.decision == HAWSER_DECISION_ACCEPT,
        "the outcome of a verdict", word(outcome.decision));

    int calls = all_ways("");
    /* An outcome that stands where no struct may. */
    char crooked[sizeof outcome + 8];
    for (size_t offset = 1; offset < 8; offset++) {
        hawser_outcome *misplaced = (hawser_outcome *)(void *)(crooked + offset);
        uint32_t decision = HAWSER_DECISION_ACCEPT;
        memset(crooked, 1, sizeof crooked);
        memcpy(crooked + offset + offsetof(hawser_outcome, decision), &decision, sizeof decision);
        int32_t result = hawser_evaluate(good.store, &good.request, misplaced, NULL, NULL);
        memcpy(&decision, crooked + offset + offsetof(hawser_outcome, decision), sizeof decision);
        need(result == HAWSER_E_ARGUMENT && decision == HAWSER_DECISION_UNDECIDED, "a misplaced outcome", word(decision));
        calls++;
    }
    /* A child of a fork, and a store that is closed. */
    pid_t child = fork();
    need(child >= 0, "fork", "failed");
    if (child == 0) {
        outcome.decision = HAWSER_DECISION_ACCEPT;
        int32_t result = hawser_evaluate(good.store, &good.request, &outcome, NULL, NULL);
        _exit(result == HAWSER_E_MISUSE && outcome.decision == HAWSER_DECISION_UNDECIDED ? 0 : 1);
    }
    int status = 1;
    need(waitpid(child, &status, 0) == child && status == 0, "the store in a child", "not refused, or not undecided");
    need(hawser_store_close(good.store) == HAWSER_OK, "the store", "not closed");
    outcome.decision = HAWSER_DECISION_ACCEPT;
    need(hawser_evaluate(good.store, &good.request, &outcome, NULL, NULL) == HAWSER_E_MISUSE, "a closed store", "asked");
    need(outcome.decision == HAWSER_DECISION_UNDECIDED, "a closed store", word(outcome.decision));
    printf("%d calls that failed left no accept\n", calls + 2);

    hawser_verdict_free(good.read);
    hawser_fetcher_close(good.fetcher);
    BIO_free(file);
    return 0;
}

/* What a child after fork() may do: it has none of its parent's objects, and may open its own.
 *
 *     forking TABLE [CHILDREN]      by default 20
 */
#include <hawser.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void need(int condition, const char *what, const char *found) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, found);
    _exit(1);
}

static hawser_store opened(const char *table) {
    hawser_store store;
    hawser_error error;
    HAWSER_INIT(&error);
    need(hawser_store_open_file(table, NULL, &store, &error) == HAWSER_OK, "open", error.message);
    return store;
}

/* A request that every policy rejects: it has no chain. */
static hawser_request asked(void) {
    hawser_request request;
    HAWSER_INIT(&request);
    request.host = (hawser_bytes){"nobody.example", 14};
    request.port = 443;
    request.time = HAWSER_NOW;
    return request;
}

static void need_judged(hawser_store store, const char *what) {
    hawser_request request = asked();
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_verdict verdict = {0};
    int32_t result = hawser_evaluate(store, &request, NULL, &verdict, &error);
    need(result == HAWSER_REJECT, what, error.message);
    need(hawser_verdict_free(verdict) == HAWSER_OK, what, "the verdict was not freed");
}

static void need_refused(int32_t result, const hawser_error *error, const char *what) {
    need(result == HAWSER_E_MISUSE, what, hawser_result_name(result));
    need(error == NULL || strcmp(error->reason, "forked") == 0, what, error == NULL ? "" : error->reason);
}

/* What belongs to a store, or is used with it. */
static void child_without_objects(hawser_store store, hawser_fetcher fetcher, int32_t descriptor) {
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_request request = asked();
    hawser_state state;
    HAWSER_INIT(&state);
    int32_t another;
    need_refused(hawser_store_state(store, &state, &error), &error, "a state in the child");
    need_refused(hawser_store_epoch_descriptor(store, &another, &error), &error, "a descriptor in the child");
    need_refused(hawser_store_demands(store, "x", 1, 443, 0, NULL, NULL, &error), &error, "demands in the child");
    need_refused(hawser_store_shadow(store, (hawser_store){0}, NULL, &error), &error, "a shadow in the child");
    need_refused(hawser_metrics(&store, 1, NULL, 0, NULL, &error), &error, "metrics in the child");
    need_refused(
        hawser_evaluate_fetching(store, fetcher, &request, NULL, NULL, &error), &error, "fetching in the child");
    need_refused(hawser_fetcher_close(fetcher), NULL, "the parent's fetcher");
    need(close(descriptor) == 0, "the parent's descriptor", "not inherited");
}

/* The policy of the fork goes on in the child. */
static char octets[1 << 20];
static size_t octet_count;
static hawser_snapshot was;

static void ask_in_parent(hawser_store store) {
    HAWSER_INIT(&was);
    need(hawser_store_snapshot(store, &was, NULL) == HAWSER_OK, "a snapshot", "none");
    need(hawser_store_table(store, octets, sizeof octets, &octet_count, NULL) == HAWSER_OK, "the table", "none");
}

static void resuming_child(hawser_store store) {
    hawser_error error;
    HAWSER_INIT(&error);
    need_refused(hawser_store_table(store, octets, sizeof octets, NULL, &error), &error, "a table in the child");
    hawser_store resumed;
    int32_t result = hawser_store_resume(octets, octet_count, &was, NULL, NULL, &resumed, &error);
    need(result == HAWSER_OK, "the policy in the child", error.message);
    need_judged(resumed, "a verdict of the policy in the child");
    hawser_snapshot now;
    HAWSER_INIT(&now);
    need(hawser_store_snapshot(resumed, &now, NULL) == HAWSER_OK, "a snapshot in the child", "none");
    need(now.epoch == was.epoch, "the epoch in the child", "another");
    need(hawser_store_close(resumed) == HAWSER_OK, "the policy in the child", "not closed");
}

static void child(
    hawser_store store, hawser_verdict verdict, hawser_fetcher fetcher, int32_t descriptor, const char *table, int told) {
    child_without_objects(store, fetcher, descriptor);
    resuming_child(store);
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_request request = asked();
    hawser_snapshot snapshot;
    HAWSER_INIT(&snapshot);
    need_refused(hawser_evaluate(store, &request, NULL, NULL, &error), &error, "a verdict in the child");
    need_refused(hawser_store_snapshot(store, &snapshot, &error), &error, "a snapshot in the child");
    need_refused(hawser_store_confirm(store, &error), &error, "a confirmation in the child");
    need_refused(hawser_store_reload_file(store, &error), &error, "a reload in the child");
    need_refused(hawser_store_close(store), NULL, "a close in the child");
    need_refused(hawser_verdict_free(verdict), NULL, "a verdict of the parent");
    hawser_store own = opened(table);
    need(own.number != store.number, "a store of the child", "the parent's number");
    need(write(told, &own, sizeof own) == sizeof own, "a store of the child", "not told");
    need_judged(own, "a verdict of the child's own store");
    /* A grandchild has neither. */
    pid_t grandchild = fork();
    if (grandchild == 0) {
        need_refused(hawser_store_snapshot(own, &snapshot, &error), &error, "the child's store in its child");
        need_refused(hawser_store_snapshot(store, &snapshot, &error), &error, "the parent's store two forks on");
        _exit(0);
    }
    int status = 1;
    need(waitpid(grandchild, &status, 0) == grandchild && status == 0, "a grandchild", "failed");
    need(hawser_store_close(own) == HAWSER_OK, "the child's own store", "not closed");
    _exit(0);
}

int main(int count, char **arguments) {
    need(count == 2 || count == 3, "arguments", "TABLE [CHILDREN]");
    int children = count == 3 ? atoi(arguments[2]) : 20;
    hawser_store store = opened(arguments[1]);
    hawser_request request = asked();
    hawser_verdict verdict;
    need(hawser_evaluate(store, &request, NULL, &verdict, NULL) == HAWSER_REJECT, "a verdict", "another");
    hawser_fetcher fetcher = {0};
    int32_t descriptor = -1;
    need(hawser_fetcher_open(NULL, &fetcher, NULL) == HAWSER_OK, "a fetcher", "not opened");
    need(hawser_store_epoch_descriptor(store, &descriptor, NULL) == HAWSER_OK, "a descriptor", "not made");
    for (int round = 0; round < children; round++) {
        int ends[2];
        need(pipe(ends) == 0, "a pipe", "not made");
        ask_in_parent(store);
        pid_t process = fork();
        need(process >= 0, "fork", "failed");
        if (process == 0) child(store, verdict, fetcher, descriptor, arguments[1], ends[1]);
        close(ends[1]);
        /* The next number of the parent is not the one that the child gave out. */
        hawser_store next = opened(arguments[1]), theirs = {0};
        need(read(ends[0], &theirs, sizeof theirs) == sizeof theirs, "the child's number", "not told");
        need(next.number != theirs.number, "a store of the parent", "the child's number");
        need(hawser_store_close(theirs) == HAWSER_E_MISUSE, "the child's number", "an object of the parent");
        need(hawser_store_close(next) == HAWSER_OK, "a store of the parent", "not closed");
        close(ends[0]);
        int status = 1;
        need(waitpid(process, &status, 0) == process && status == 0, "a child", "failed");
        need_judged(store, "a verdict in the parent");
    }
    need(hawser_verdict_free(verdict) == HAWSER_OK, "the verdict", "not freed");
    need(hawser_store_close(store) == HAWSER_OK, "the store", "not closed");
    printf("%d children refused what was their parent's and opened their own\n", children);
    return 0;
}

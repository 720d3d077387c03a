/* A store that is opened on a file without options, for defaults.py: writes its condition, and
 * again for each line of its standard input.
 *
 *     defaults TABLE
 */
#include <hawser.h>

#include <inttypes.h>
#include <stdio.h>

static const char *const watching[] = {"nothing", "notified", "polled"};
static const char *const protection[] = {"off", "on", "against-mistakes"};

int main(int count, char **arguments) {
    hawser_store store;
    hawser_state state;
    hawser_snapshot snapshot;
    if (count != 2 || hawser_store_open_file(arguments[1], NULL, &store, NULL) != HAWSER_OK) return 2;
    char line[16];
    do {
        HAWSER_INIT(&state);
        HAWSER_INIT(&snapshot);
        if (hawser_store_state(store, &state, NULL) != HAWSER_OK) return 2;
        if (hawser_store_snapshot(store, &snapshot, NULL) != HAWSER_OK) return 2;
        printf("watching=%s stale=%s directory=%s rollback=%s crlite=%s epoch=%" PRIu64 " refused=%" PRIu64 "\n",
            watching[state.watching], state.has_stale_after ? "dated" : "never",
            state.directory == HAWSER_DIRECTORY_NONE ? "none" : "some", protection[snapshot.rollback_protection],
            hawser_store_text(store, HAWSER_TEXT_CRLITE_DIRECTORY, 0, NULL, 0, NULL) == HAWSER_E_RANGE ? "none" : "some",
            snapshot.epoch, state.refused);
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin) != NULL);
    return hawser_store_close(store) == HAWSER_OK ? 0 : 2;
}

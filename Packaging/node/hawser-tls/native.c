/* hawser.h for Node, by Node-API: stores, verdicts, and the lines that a store logs.
 *
 * Node-API is stable across Node's versions, so one build serves all of them. The scripts beside
 * this file check each argument before they call a function here; this file checks again only where
 * a mistake would touch memory. Nothing here knows TLS.
 *
 * Any number of worker threads may load it: what belongs to a thread is in `struct instance`, and a
 * store of the library may be used by all of them at a time.
 */
#define _GNU_SOURCE
#define NAPI_VERSION 8
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <node_api.h>

#include <hawser.h>

/* Written by build.py: the functions of libcrypto that libhawser.so.0 calls. */
#include "libcrypto_names.h"

/* Lines that wait for the program's thread. Further ones are dropped: the thread that logs may be
 * judging, and never waits. */
enum { MOST_LINES = 256 };

struct instance {
    napi_ref store_error;
};

/* Takes what the library logs of a store, from whichever thread. */
struct journal {
    napi_threadsafe_function function;
};

struct held {
    napi_env env;
    hawser_store store;
    struct journal *journal;
    bool is_owned;
    bool is_closed;
    bool is_hooked;
};

static const napi_type_tag STORE_TAG = {UINT64_C(0x6861777365722d74), UINT64_C(0x6c732073746f7265)};

/* --------------------------------------------------------------------------------------- errors */

/* Throws what Node-API has to say, unless something is thrown already. */
static napi_value failed(napi_env env) {
    bool is_pending = false;
    napi_is_exception_pending(env, &is_pending);
    if (!is_pending) {
        const napi_extended_error_info *info = NULL;
        napi_get_last_error_info(env, &info);
        napi_throw_error(
            env, "ERR_HAWSER_INTERNAL", info && info->error_message ? info->error_message : "Node-API failed");
    }
    return NULL;
}

#define TRY(call) \
    do { \
        if ((call) != napi_ok) return failed(env); \
    } while (0)

/* Throws a StoreError. */
static napi_value refuse(napi_env env, int32_t result, const char *reason, const char *message) {
    struct instance *instance = NULL;
    napi_value constructor, arguments[3], error;
    TRY(napi_get_instance_data(env, (void **)&instance));
    TRY(napi_get_reference_value(env, instance->store_error, &constructor));
    TRY(napi_create_string_utf8(env, hawser_result_name(result), NAPI_AUTO_LENGTH, &arguments[0]));
    TRY(napi_create_string_utf8(env, reason, NAPI_AUTO_LENGTH, &arguments[1]));
    TRY(napi_create_string_utf8(env, message, NAPI_AUTO_LENGTH, &arguments[2]));
    TRY(napi_new_instance(env, constructor, 3, arguments, &error));
    napi_throw(env, error);
    return NULL;
}

static napi_value refuse_with(napi_env env, int32_t result, const hawser_error *error) {
    return refuse(env, result, error->reason, error->message[0] ? error->message : "the call failed");
}

/* --------------------------------------------------------------------------------------- memory */

/* Memory for one call, freed in one go. */
struct arena {
    struct block {
        struct block *next;
    } *blocks;
};

static void *allocated(struct arena *arena, size_t length) {
    struct block *block = calloc(1, sizeof *block + (length ? length : 1));
    if (!block) abort();
    block->next = arena->blocks;
    arena->blocks = block;
    return block + 1;
}

static void release(struct arena *arena) {
    while (arena->blocks) {
        struct block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

/* ------------------------------------------------------------------------- values of JavaScript */

static bool is_absent(napi_env env, napi_value value) {
    napi_valuetype type = napi_undefined;
    return napi_typeof(env, value, &type) != napi_ok || type == napi_undefined || type == napi_null;
}

static napi_value member(napi_env env, napi_value object, const char *name) {
    napi_value value = NULL;
    if (napi_get_named_property(env, object, name, &value) != napi_ok) napi_get_undefined(env, &value);
    return value;
}

/* The octets of a string as UTF-8, ended by NUL; NULL where it is absent or no string. */
static char *string_of(napi_env env, struct arena *arena, napi_value value, size_t *length) {
    size_t count = 0;
    if (length) *length = 0;
    if (is_absent(env, value) || napi_get_value_string_utf8(env, value, NULL, 0, &count) != napi_ok) return NULL;
    char *text = allocated(arena, count + 1);
    if (napi_get_value_string_utf8(env, value, text, count + 1, &count) != napi_ok) return NULL;
    if (length) *length = count;
    return text;
}

/* The octets of a Uint8Array, which are JavaScript's: no script runs until they were used. */
static hawser_bytes octets_of(napi_env env, napi_value value) {
    hawser_bytes bytes = {NULL, 0};
    bool is_typed = false;
    if (is_absent(env, value) || napi_is_typedarray(env, value, &is_typed) != napi_ok || !is_typed) return bytes;
    napi_typedarray_type type;
    size_t length = 0;
    void *data = NULL;
    if (napi_get_typedarray_info(env, value, &type, &length, &data, NULL, NULL) != napi_ok || type != napi_uint8_array)
        return bytes;
    /* An array without octets has no data, and is empty, not absent. */
    bytes.data = data ? data : "";
    bytes.length = data ? length : 0;
    return bytes;
}

static hawser_bytes *octets_list_of(napi_env env, struct arena *arena, napi_value value, size_t *count) {
    uint32_t length = 0;
    *count = 0;
    if (is_absent(env, value) || napi_get_array_length(env, value, &length) != napi_ok) return NULL;
    hawser_bytes *list = allocated(arena, length * sizeof *list);
    for (uint32_t index = 0; index < length; index++) {
        napi_value item;
        if (napi_get_element(env, value, index, &item) == napi_ok) list[index] = octets_of(env, item);
    }
    *count = length;
    return list;
}

static uint32_t number_of(napi_env env, napi_value value) {
    uint32_t number = 0;
    if (napi_get_value_uint32(env, value, &number) != napi_ok) return 0;
    return number;
}

/* Seconds since 1970; HAWSER_NOW where a number is missing. */
static int64_t instant_of(napi_env env, napi_value value) {
    int64_t seconds = 0;
    if (is_absent(env, value) || napi_get_value_int64(env, value, &seconds) != napi_ok) return HAWSER_NOW;
    return seconds;
}

/* ------------------------------------------------------------------------ values for JavaScript */

static napi_status set(napi_env env, napi_value object, const char *name, napi_value value) {
    return napi_set_named_property(env, object, name, value);
}

static napi_status set_number(napi_env env, napi_value object, const char *name, double number) {
    napi_value value;
    napi_status status = napi_create_double(env, number, &value);
    return status == napi_ok ? set(env, object, name, value) : status;
}

static napi_status set_flag(napi_env env, napi_value object, const char *name, bool flag) {
    napi_value value;
    napi_status status = napi_get_boolean(env, flag, &value);
    return status == napi_ok ? set(env, object, name, value) : status;
}

static napi_status set_digest(napi_env env, napi_value object, const char *name, const uint8_t *digest) {
    char text[65];
    for (int index = 0; index < 32; index++) snprintf(text + 2 * index, 3, "%02x", digest[index]);
    napi_value value;
    napi_status status = napi_create_string_utf8(env, text, 64, &value);
    return status == napi_ok ? set(env, object, name, value) : status;
}

/* A text of the library as a string; undefined where there is none. */
typedef int32_t (*text_function)(
    const void *of, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length);

static napi_value text(napi_env env, text_function function, const void *of, uint32_t which, size_t index) {
    char small[512], *buffer = small, *large = NULL;
    size_t capacity = sizeof small, length = 0;
    napi_value value = NULL;
    for (;;) {
        int32_t result = function(of, which, index, buffer, capacity, &length);
        if (result == HAWSER_E_SMALL) {
            capacity = length + length / 8 + 64;
            free(large);
            buffer = large = malloc(capacity);
            if (!large) abort();
            continue;
        }
        if (result == HAWSER_OK) {
            napi_create_string_utf8(env, buffer, NAPI_AUTO_LENGTH, &value);
        } else {
            napi_get_undefined(env, &value);
        }
        break;
    }
    free(large);
    return value;
}

static int32_t verdict_text(
    const void *of, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length) {
    return hawser_verdict_text(*(const hawser_verdict *)of, which, index, buffer, capacity, length);
}

static int32_t store_text(
    const void *of, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length) {
    return hawser_store_text(*(const hawser_store *)of, which, index, buffer, capacity, length);
}

static int32_t metrics_text(
    const void *of, uint32_t which, size_t index, char *buffer, size_t capacity, size_t *length) {
    (void)which, (void)index;
    return hawser_metrics(of, 1, buffer, capacity, length, NULL);
}

/* --------------------------------------------------------------------------------------- stores */

/* Runs on a thread of the library, or on one that judges. Takes no lock of the program's. */
static void take_line(void *context, int32_t level, const char *message) {
    struct journal *journal = context;
    size_t length = strlen(message);
    char *line = malloc(length + 2);
    if (!line) return;
    line[0] = (char)('0' + (level < 0 ? 0 : level > 6 ? 6 : level));
    memcpy(line + 1, message, length + 1);
    if (napi_call_threadsafe_function(journal->function, line, napi_tsfn_nonblocking) != napi_ok) free(line);
}

static void hand_over_line(napi_env env, napi_value function, void *context, void *data) {
    char *line = data;
    (void)context;
    if (env && function) {
        napi_value arguments[2], receiver, ignored;
        if (napi_create_int32(env, line[0] - '0', &arguments[0]) == napi_ok &&
            napi_create_string_utf8(env, line + 1, NAPI_AUTO_LENGTH, &arguments[1]) == napi_ok &&
            napi_get_undefined(env, &receiver) == napi_ok) {
            napi_call_function(env, receiver, function, 2, arguments, &ignored);
        }
    }
    free(line);
}

/* Closes a store once. When hawser_store_close has returned nothing logs any more. */
static void end(struct held *held) {
    if (held->is_closed) return;
    held->is_closed = true;
    if (held->is_owned) hawser_store_close(held->store);
    if (held->journal) {
        napi_release_threadsafe_function(held->journal->function, napi_tsfn_release);
        free(held->journal);
        held->journal = NULL;
    }
}

/* The thread's environment ends: nothing of it may be called from then on. */
static void end_with_environment(void *data) {
    struct held *held = data;
    held->is_hooked = false;
    end(held);
}

static void collect(napi_env env, void *data, void *hint) {
    struct held *held = data;
    (void)hint;
    if (held->is_hooked) napi_remove_env_cleanup_hook(env, end_with_environment, held);
    end(held);
    free(held);
}

static struct held *held_of(napi_env env, napi_value value) {
    bool is_store = false;
    struct held *held = NULL;
    if (napi_check_object_type_tag(env, value, &STORE_TAG, &is_store) != napi_ok || !is_store ||
        napi_unwrap(env, value, (void **)&held) != napi_ok) {
        napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", "this is not a store");
        return NULL;
    }
    if (held->is_closed) {
        refuse(env, HAWSER_E_MISUSE, "closed", "the store is closed");
        return NULL;
    }
    return held;
}

static napi_value wrapped(napi_env env, struct held *held) {
    napi_value object;
    if (napi_create_object(env, &object) != napi_ok ||
        napi_wrap(env, object, held, collect, NULL, NULL) != napi_ok) {
        end(held);
        free(held);
        return failed(env);
    }
    /* From here on the object frees it. */
    TRY(napi_type_tag_object(env, object, &STORE_TAG));
    TRY(napi_add_env_cleanup_hook(env, end_with_environment, held));
    held->is_hooked = true;
    return object;
}

/* open(settings, log): a store on `settings.path` or `settings.table`. */
static napi_value open_store(napi_env env, napi_callback_info info) {
    size_t count = 2;
    napi_value arguments[2];
    TRY(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    napi_value settings = arguments[0];
    struct arena arena = {NULL};
    struct held *held = calloc(1, sizeof *held);
    if (!held) abort();
    held->env = env;
    held->is_owned = true;
    hawser_store_options options;
    HAWSER_INIT(&options);
    if (!is_absent(env, arguments[1])) {
        napi_value name;
        struct journal *journal = calloc(1, sizeof *journal);
        if (!journal) abort();
        if (napi_create_string_utf8(env, "hawser-log", NAPI_AUTO_LENGTH, &name) != napi_ok ||
            napi_create_threadsafe_function(
                env, arguments[1], NULL, name, MOST_LINES, 1, NULL, NULL, NULL, hand_over_line,
                &journal->function) != napi_ok) {
            free(journal);
            free(held);
            return failed(env);
        }
        /* A store does not keep the program alive. */
        napi_unref_threadsafe_function(env, journal->function);
        held->journal = journal;
        options.log = take_line;
        options.log_context = journal;
    }
    options.name = string_of(env, &arena, member(env, settings, "name"), NULL);
    options.service = string_of(env, &arena, member(env, settings, "service"), NULL);
    options.policy_path = string_of(env, &arena, member(env, settings, "policyPath"), NULL);
    options.state_directory = string_of(env, &arena, member(env, settings, "stateDirectory"), NULL);
    options.crlite_directory = string_of(env, &arena, member(env, settings, "crliteDirectory"), NULL);
    options.threshold = number_of(env, member(env, settings, "threshold"));
    options.flags = number_of(env, member(env, settings, "flags"));
    options.staleness = number_of(env, member(env, settings, "staleness"));
    options.follow = number_of(env, member(env, settings, "follow"));
    int64_t stale_after = 0;
    if (napi_get_value_int64(env, member(env, settings, "staleAfter"), &stale_after) == napi_ok)
        options.stale_after = stale_after;
    options.log_list = octets_of(env, member(env, settings, "logList"));
    options.trusted_keys =
        octets_list_of(env, &arena, member(env, settings, "trustedKeys"), &options.trusted_key_count);
    char *path = string_of(env, &arena, member(env, settings, "path"), NULL);
    hawser_bytes table = octets_of(env, member(env, settings, "table"));
    hawser_error error;
    HAWSER_INIT(&error);
    int32_t result = path ? hawser_store_open_file(path, &options, &held->store, &error)
                          : hawser_store_open(table.data, table.length, &options, &held->store, &error);
    release(&arena);
    if (result != HAWSER_OK) {
        held->is_owned = false;
        end(held);
        free(held);
        return refuse_with(env, result, &error);
    }
    return wrapped(env, held);
}

/* share(store): the store's number, for other threads of this process. */
static napi_value share_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument, value;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    TRY(napi_create_bigint_uint64(env, held->store.number, &value));
    return value;
}

/* adopt(number): a store of another thread, which closes it. */
static napi_value adopt_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    hawser_store store = {0};
    bool is_whole = false;
    TRY(napi_get_value_bigint_uint64(env, argument, &store.number, &is_whole));
    hawser_snapshot snapshot;
    hawser_error error;
    HAWSER_INIT(&snapshot);
    HAWSER_INIT(&error);
    int32_t result = hawser_store_snapshot(store, &snapshot, &error);
    if (result != HAWSER_OK) return refuse_with(env, result, &error);
    struct held *held = calloc(1, sizeof *held);
    if (!held) abort();
    held->env = env;
    held->store = store;
    return wrapped(env, held);
}

static napi_value close_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    bool is_store = false;
    struct held *held = NULL;
    TRY(napi_check_object_type_tag(env, argument, &STORE_TAG, &is_store));
    if (!is_store) return NULL;
    TRY(napi_unwrap(env, argument, (void **)&held));
    end(held);
    return NULL;
}

/* reload(store, table): without a table the file is read again. */
static napi_value reload_store(napi_env env, napi_callback_info info) {
    size_t count = 2;
    napi_value arguments[2];
    TRY(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    struct held *held = held_of(env, arguments[0]);
    if (!held) return NULL;
    hawser_error error;
    HAWSER_INIT(&error);
    hawser_bytes table = octets_of(env, arguments[1]);
    int32_t result = table.data ? hawser_store_reload(held->store, table.data, table.length, &error)
                                : hawser_store_reload_file(held->store, &error);
    return result == HAWSER_OK ? NULL : refuse_with(env, result, &error);
}

static napi_value confirm_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    hawser_error error;
    HAWSER_INIT(&error);
    int32_t result = hawser_store_confirm(held->store, &error);
    return result == HAWSER_OK ? NULL : refuse_with(env, result, &error);
}

/* epoch(store) */
static napi_value epoch_of_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument, value;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    hawser_snapshot snapshot;
    hawser_error error;
    HAWSER_INIT(&snapshot);
    HAWSER_INIT(&error);
    int32_t result = hawser_store_snapshot(held->store, &snapshot, &error);
    if (result != HAWSER_OK) return refuse_with(env, result, &error);
    TRY(napi_create_double(env, (double)snapshot.epoch, &value));
    return value;
}

/* holds(store, epoch, host, port, time) */
static napi_value store_holds(napi_env env, napi_callback_info info) {
    size_t count = 5, length = 0;
    napi_value arguments[5], value;
    TRY(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    struct held *held = held_of(env, arguments[0]);
    if (!held) return NULL;
    int64_t epoch = 0;
    TRY(napi_get_value_int64(env, arguments[1], &epoch));
    struct arena arena = {NULL};
    char *host = string_of(env, &arena, arguments[2], &length);
    hawser_error error;
    HAWSER_INIT(&error);
    int32_t result = hawser_store_holds(
        held->store, (uint64_t)epoch, host, length, number_of(env, arguments[3]), instant_of(env, arguments[4]),
        &error);
    release(&arena);
    if (result != HAWSER_OK && result != HAWSER_REJECT) return refuse_with(env, result, &error);
    TRY(napi_get_boolean(env, result == HAWSER_OK, &value));
    return value;
}

/* demanded(store, host, port): [epoch, whether the rule hangs on the port]. */
static napi_value demanded_by_store(napi_env env, napi_callback_info info) {
    size_t count = 3, length = 0;
    napi_value arguments[3], object;
    TRY(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    struct held *held = held_of(env, arguments[0]);
    if (!held) return NULL;
    struct arena arena = {NULL};
    char *host = string_of(env, &arena, arguments[1], &length);
    hawser_demanded demanded;
    hawser_error error;
    HAWSER_INIT(&demanded);
    HAWSER_INIT(&error);
    int32_t result = hawser_store_demands(
        held->store, host, length, number_of(env, arguments[2]), HAWSER_NOW, &demanded, NULL, &error);
    release(&arena);
    if (result != HAWSER_OK && result != HAWSER_REJECT) return refuse_with(env, result, &error);
    TRY(napi_create_object(env, &object));
    TRY(set_number(env, object, "epoch", (double)demanded.epoch));
    TRY(set_flag(env, object, "dependsOnPort", demanded.depends_on_port != 0));
    return object;
}

static napi_value metrics_of_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    return text(env, metrics_text, &held->store, 0, 0);
}

static napi_status set_store_text(
    napi_env env, napi_value object, const char *name, const hawser_store *store, uint32_t which) {
    return set(env, object, name, text(env, store_text, store, which, 0));
}

static napi_value snapshot_of_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument, object, hosts;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    hawser_snapshot found;
    hawser_error error;
    HAWSER_INIT(&found);
    HAWSER_INIT(&error);
    int32_t result = hawser_store_snapshot(held->store, &found, &error);
    if (result != HAWSER_OK) return refuse_with(env, result, &error);
    TRY(napi_create_object(env, &object));
    TRY(set_number(env, object, "epoch", (double)found.epoch));
    if (found.has_revision) TRY(set_number(env, object, "revision", (double)found.revision));
    TRY(set_flag(env, object, "isStale", found.is_stale != 0));
    TRY(set_number(env, object, "loadedAt", (double)found.loaded_at));
    TRY(set_number(env, object, "confirmedAt", (double)found.confirmed_at));
    TRY(set_number(env, object, "refusals", (double)found.refusals));
    TRY(set_number(env, object, "sourceFailures", (double)found.source_failures));
    TRY(set_digest(env, object, "policyDigest", found.policy_digest));
    TRY(set_digest(env, object, "fileDigest", found.file_digest));
    TRY(set_flag(env, object, "stricterDefault", found.stricter_default != 0));
    TRY(set_number(env, object, "rollbackProtection", found.rollback_protection));
    TRY(set_store_text(env, object, "rollbackMessage", &held->store, HAWSER_TEXT_ROLLBACK_MESSAGE));
    TRY(napi_create_array(env, &hosts));
    for (uint32_t index = 0; index < found.stricter_count; index++) {
        napi_value host = text(env, store_text, &held->store, HAWSER_TEXT_STRICTER_HOST, index);
        if (is_absent(env, host)) break;
        TRY(napi_set_element(env, hosts, index, host));
    }
    TRY(set(env, object, "stricterHosts", hosts));
    return object;
}

static napi_value state_of_store(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument, object;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    struct held *held = held_of(env, argument);
    if (!held) return NULL;
    hawser_state found;
    hawser_error error;
    HAWSER_INIT(&found);
    HAWSER_INIT(&error);
    int32_t result = hawser_store_state(held->store, &found, &error);
    if (result != HAWSER_OK) return refuse_with(env, result, &error);
    TRY(napi_create_object(env, &object));
    TRY(set_store_text(env, object, "name", &held->store, HAWSER_TEXT_NAME));
    TRY(set_store_text(env, object, "origin", &held->store, HAWSER_TEXT_ORIGIN));
    TRY(set_number(env, object, "watching", found.watching));
    TRY(set_store_text(env, object, "watchingMessage", &held->store, HAWSER_TEXT_WATCHING_MESSAGE));
    TRY(set_store_text(env, object, "directory", &held->store, HAWSER_TEXT_DIRECTORY));
    TRY(set_store_text(env, object, "directoryMessage", &held->store, HAWSER_TEXT_DIRECTORY_MESSAGE));
    TRY(set_store_text(env, object, "crliteDirectory", &held->store, HAWSER_TEXT_CRLITE_DIRECTORY));
    TRY(set_store_text(env, object, "crliteMessage", &held->store, HAWSER_TEXT_CRLITE_MESSAGE));
    TRY(set_store_text(env, object, "refusalReason", &held->store, HAWSER_TEXT_REFUSAL_REASON));
    TRY(set_store_text(env, object, "refusalMessage", &held->store, HAWSER_TEXT_REFUSAL_MESSAGE));
    if (found.failure) TRY(set_number(env, object, "failedAt", (double)found.failed_at));
    TRY(set_flag(env, object, "isStale", found.is_stale != 0));
    if (found.has_stale_after) TRY(set_number(env, object, "staleAfter", (double)found.stale_after));
    if (found.has_expires) TRY(set_number(env, object, "expires", (double)found.expires));
    TRY(set_number(env, object, "installed", (double)found.installed));
    TRY(set_number(env, object, "confirmed", (double)found.confirmed));
    TRY(set_number(env, object, "refused", (double)found.refused));
    TRY(set_number(env, object, "sourceFailed", (double)found.source_failed));
    TRY(set_number(env, object, "accepted", (double)found.accepted));
    TRY(set_number(env, object, "rejected", (double)found.rejected));
    return object;
}

/* ------------------------------------------------------------------------------------- verdicts */

/* A list of a verdict: strings where `names[1]` is NULL, and otherwise objects with a member for
 * each name. */
static napi_value list(
    napi_env env, const hawser_verdict *verdict, uint32_t count, const char *const *names, const uint32_t *which) {
    napi_value array;
    TRY(napi_create_array_with_length(env, count, &array));
    for (uint32_t index = 0; index < count; index++) {
        napi_value item;
        if (names[1]) {
            TRY(napi_create_object(env, &item));
            for (int part = 0; names[part]; part++)
                TRY(set(env, item, names[part], text(env, verdict_text, verdict, which[part], index)));
        } else {
            item = text(env, verdict_text, verdict, which[0], index);
        }
        TRY(napi_set_element(env, array, index, item));
    }
    return array;
}

static const struct {
    const char *name;
    uint32_t which;
} REJECT_TEXTS[] = {
    {"reasons", HAWSER_TEXT_REJECT_REASONS}, {"rule", HAWSER_TEXT_REJECT_RULE},
    {"owner", HAWSER_TEXT_REJECT_OWNER},     {"side", HAWSER_TEXT_REJECT_SIDE},
    {"command", HAWSER_TEXT_REJECT_COMMAND}, {"id", HAWSER_TEXT_DECISION_ID},
}, EXPLAINED_TEXTS[] = {
    {"explanation", HAWSER_TEXT_EXPLANATION},
    {"receipt", HAWSER_TEXT_RECEIPT_WITH_INPUTS},
    {"report", HAWSER_TEXT_REPORT},
    {"id", HAWSER_TEXT_DECISION_ID},
};

static napi_value read_verdict(
    napi_env env, int32_t result, const hawser_outcome *outcome, const hawser_verdict *verdict, bool explains) {
    static const char *const violations[] = {"id", "sentence", "check", "forUser", NULL};
    static const char *const reported[] = {"id", "sentence", "reason", NULL};
    static const char *const notices[] = {"id", "sentence", NULL};
    static const char *const wanted[] = {"source", "url", NULL};
    static const char *const path[] = {"subject", NULL};
    static const uint32_t violation_texts[] = {
        HAWSER_TEXT_VIOLATION_ID, HAWSER_TEXT_VIOLATION, HAWSER_TEXT_VIOLATION_CHECK,
        HAWSER_TEXT_VIOLATION_FOR_USER};
    static const uint32_t reported_texts[] = {
        HAWSER_TEXT_REPORTED_ID, HAWSER_TEXT_REPORTED, HAWSER_TEXT_REPORTED_REASON};
    static const uint32_t notice_texts[] = {HAWSER_TEXT_NOTICE_ID, HAWSER_TEXT_NOTICE};
    static const uint32_t wanted_texts[] = {HAWSER_TEXT_WANTED_SOURCE, HAWSER_TEXT_WANTED_URL};
    static const uint32_t path_texts[] = {HAWSER_TEXT_PATH_SUBJECT};
    const struct {
        const char *name;
        uint32_t count;
        const char *const *names;
        const uint32_t *which;
    } lists[] = {
        {"violations", outcome->violation_count, violations, violation_texts},
        {"reported", outcome->reported_count, reported, reported_texts},
        {"notices", outcome->notice_count, notices, notice_texts},
        {"wanted", outcome->wanted_count, wanted, wanted_texts},
        {"path", outcome->path_count, path, path_texts},
    };
    napi_value object, value;
    TRY(napi_create_object(env, &object));
    TRY(set_flag(env, object, "accepted", result == HAWSER_OK && outcome->decision == HAWSER_DECISION_ACCEPT));
    TRY(set_number(env, object, "epoch", (double)outcome->epoch));
    TRY(set_number(env, object, "time", (double)outcome->time));
    TRY(set_digest(env, object, "policyDigest", outcome->policy_digest));
    for (size_t index = 0; index < sizeof lists / sizeof *lists; index++) {
        value = list(env, verdict, lists[index].count, lists[index].names, lists[index].which);
        if (!value) return NULL;
        TRY(set(env, object, lists[index].name, value));
    }
    for (size_t index = 0; result == HAWSER_REJECT && index < sizeof REJECT_TEXTS / sizeof *REJECT_TEXTS; index++)
        TRY(set(env, object, REJECT_TEXTS[index].name, text(env, verdict_text, verdict, REJECT_TEXTS[index].which, 0)));
    for (size_t index = 0; explains && index < sizeof EXPLAINED_TEXTS / sizeof *EXPLAINED_TEXTS; index++)
        TRY(
            set(env, object, EXPLAINED_TEXTS[index].name,
                text(env, verdict_text, verdict, EXPLAINED_TEXTS[index].which, 0)));
    return object;
}

/* judge(store, request, explains) */
static napi_value judge(napi_env env, napi_callback_info info) {
    size_t count = 3, host_length = 0;
    napi_value arguments[3];
    TRY(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
    struct held *held = held_of(env, arguments[0]);
    if (!held) return NULL;
    napi_value given = arguments[1];
    bool explains = false;
    TRY(napi_get_value_bool(env, arguments[2], &explains));
    struct arena arena = {NULL};
    hawser_request request;
    HAWSER_INIT(&request);
    /* Every member is read here, and none of them is a getter: no script runs before the call. */
    request.host.data = string_of(env, &arena, member(env, given, "host"), &host_length);
    request.host.length = host_length;
    request.port = number_of(env, member(env, given, "port"));
    request.tls = number_of(env, member(env, given, "tls"));
    request.time = instant_of(env, member(env, given, "time"));
    request.tls_version = number_of(env, member(env, given, "version"));
    request.cipher_suite = string_of(env, &arena, member(env, given, "cipherSuite"), NULL);
    request.group = string_of(env, &arena, member(env, given, "group"), NULL);
    request.signature_scheme = string_of(env, &arena, member(env, given, "signatureScheme"), NULL);
    request.alpn = string_of(env, &arena, member(env, given, "alpn"), NULL);
    request.chain = octets_list_of(env, &arena, member(env, given, "chain"), &request.chain_count);
    request.staple = octets_of(env, member(env, given, "staple"));
    request.sct_list = octets_of(env, member(env, given, "sctList"));
    request.ocsp_responses =
        octets_list_of(env, &arena, member(env, given, "ocspResponses"), &request.ocsp_response_count);
    request.crls = octets_list_of(env, &arena, member(env, given, "crls"), &request.crl_count);
    napi_value assumptions = member(env, given, "assumptions");
    uint32_t said_count = 0;
    if (!is_absent(env, assumptions)) napi_get_array_length(env, assumptions, &said_count);
    const char **said = allocated(&arena, said_count * sizeof *said);
    for (uint32_t index = 0; index < said_count; index++) {
        napi_value item;
        if (napi_get_element(env, assumptions, index, &item) == napi_ok)
            said[index] = string_of(env, &arena, item, NULL);
    }
    request.assumptions = said;
    request.assumption_count = said_count;

    hawser_outcome outcome;
    hawser_verdict verdict = {0};
    hawser_error error;
    HAWSER_INIT(&outcome);
    HAWSER_INIT(&error);
    int32_t result = explains ? hawser_explain(held->store, &request, &outcome, &verdict, &error)
                              : hawser_evaluate(held->store, &request, &outcome, &verdict, NULL);
    if (!explains && result != HAWSER_OK && result != HAWSER_REJECT) {
        /* The words of a reject cost an explanation, so only a failure asks for them. */
        result = hawser_evaluate(held->store, &request, &outcome, &verdict, &error);
    }
    release(&arena);
    if (result != HAWSER_OK && result != HAWSER_REJECT) return refuse_with(env, result, &error);
    napi_value value = read_verdict(env, result, &outcome, &verdict, explains);
    hawser_verdict_free(verdict);
    return value;
}

/* ----------------------------------------------------------------------------------- the module */

/* Whether all functions that libhawser.so.0 takes from libcrypto come from one library, of OpenSSL
 * 3: a program that brings an OpenSSL of its own, as Node does, gives it to every library. */
static const char *mixed_libcrypto(void) {
    static char message[160];
    void *one = NULL;
    for (size_t index = 0; index < sizeof LIBCRYPTO_NAMES / sizeof *LIBCRYPTO_NAMES; index++) {
        Dl_info found;
        void *function = dlsym(RTLD_DEFAULT, LIBCRYPTO_NAMES[index]);
        if (!function || !dladdr(function, &found)) {
            snprintf(message, sizeof message, "no library has %s: install OpenSSL 3", LIBCRYPTO_NAMES[index]);
            return message;
        }
        if (one && one != found.dli_fbase) {
            snprintf(
                message, sizeof message, "this program has only a part of OpenSSL's functions, and not %s",
                LIBCRYPTO_NAMES[index]);
            return message;
        }
        one = found.dli_fbase;
    }
    unsigned long (*version)(void) = (unsigned long (*)(void))dlsym(RTLD_DEFAULT, "OpenSSL_version_num");
    if (!version || version() >> 28 != 3) return "OpenSSL 3 is needed, and this program brings another version";
    return NULL;
}

static void forget(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    free(data);
}

/* begin(StoreError): the class of the errors that this file throws. */
static napi_value begin(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value argument;
    TRY(napi_get_cb_info(env, info, &count, &argument, NULL, NULL));
    const char *mixed = mixed_libcrypto();
    if (mixed) {
        napi_throw_error(env, "ERR_HAWSER_LIBRARY", mixed);
        return NULL;
    }
    if (hawser_abi_version() < HAWSER_ABI_VERSION) {
        napi_throw_error(env, "ERR_HAWSER_LIBRARY", "libhawser.so.0 is older than this package");
        return NULL;
    }
    struct instance *instance = calloc(1, sizeof *instance);
    if (!instance) abort();
    TRY(napi_create_reference(env, argument, 1, &instance->store_error));
    TRY(napi_set_instance_data(env, instance, forget, NULL));
    return NULL;
}

static const struct {
    const char *name;
    napi_callback function;
} FUNCTIONS[] = {
    {"begin", begin},           {"open", open_store},         {"share", share_store},
    {"adopt", adopt_store},     {"close", close_store},       {"reload", reload_store},
    {"confirm", confirm_store}, {"epoch", epoch_of_store},    {"holds", store_holds},
    {"demanded", demanded_by_store}, {"metrics", metrics_of_store}, {"snapshot", snapshot_of_store},
    {"state", state_of_store},  {"judge", judge},
};

NAPI_MODULE_INIT() {
    for (size_t index = 0; index < sizeof FUNCTIONS / sizeof *FUNCTIONS; index++) {
        napi_value function;
        TRY(napi_create_function(
            env, FUNCTIONS[index].name, NAPI_AUTO_LENGTH, FUNCTIONS[index].function, NULL, &function));
        TRY(set(env, exports, FUNCTIONS[index].name, function));
    }
    return exports;
}

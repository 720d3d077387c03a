#include "hawser_sizes.h"

/* Stands in C, since the text must live as long as the library. */
const char *hawser_result_name(int32_t result) {
    switch (result) {
    case HAWSER_OK: return "HAWSER_OK";
    case HAWSER_REJECT: return "HAWSER_REJECT";
    case HAWSER_E_MISUSE: return "HAWSER_E_MISUSE";
    case HAWSER_E_ARGUMENT: return "HAWSER_E_ARGUMENT";
    case HAWSER_E_LIMIT: return "HAWSER_E_LIMIT";
    case HAWSER_E_TABLE: return "HAWSER_E_TABLE";
    case HAWSER_E_FILE: return "HAWSER_E_FILE";
    case HAWSER_E_EVIDENCE: return "HAWSER_E_EVIDENCE";
    case HAWSER_E_SMALL: return "HAWSER_E_SMALL";
    case HAWSER_E_RANGE: return "HAWSER_E_RANGE";
    case HAWSER_E_TLS: return "HAWSER_E_TLS";
    case HAWSER_E_INTERNAL: return "HAWSER_E_INTERNAL";
    default: return "HAWSER_E_?";
    }
}

/* An object is passed as a number is. */
_Static_assert(sizeof(hawser_store) == 8 && sizeof(hawser_verdict) == 8, "an object is more than its number");

/* A result that is taken for a decision, or a decision for a result, never reads as an accept. */
_Static_assert(
    (int)HAWSER_DECISION_UNDECIDED == HAWSER_OK && (int)HAWSER_DECISION_REJECT == HAWSER_REJECT
        && (int)HAWSER_DECISION_ACCEPT == 1,
    "results and decisions can be confused");

/* The fields of a version never move, and the last line of each struct in hawser_sizes.h is its
 * size now. */
#define HOLDS(type, first, last) \
    _Static_assert(first, "a field of " #type " moved"); \
    _Static_assert(sizeof(type) == (last), #type " has a field that no line of hawser_sizes.h ends with")

HOLDS(hawser_error, HAWSER_ERROR_SIZE_1 == 1032, HAWSER_ERROR_SIZE_1);
HOLDS(hawser_store_options, HAWSER_STORE_OPTIONS_SIZE_1 == 136, HAWSER_STORE_OPTIONS_SIZE_1);
HOLDS(hawser_snapshot, HAWSER_SNAPSHOT_SIZE_1 == 176, HAWSER_SNAPSHOT_SIZE_1);
HOLDS(hawser_request, HAWSER_REQUEST_SIZE_1 == 216, HAWSER_REQUEST_SIZE_1);
HOLDS(hawser_outcome, HAWSER_OUTCOME_SIZE_1 == 152 && HAWSER_OUTCOME_DECISION == 8, HAWSER_OUTCOME_SIZE_1);
HOLDS(hawser_state, HAWSER_STATE_SIZE_1 == 128, HAWSER_STATE_SIZE_1);
HOLDS(hawser_shadow_options, HAWSER_SHADOW_OPTIONS_SIZE_1 == 56, HAWSER_SHADOW_OPTIONS_SIZE_1);
HOLDS(hawser_shadow_counts, HAWSER_SHADOW_COUNTS_SIZE_1 == 144, HAWSER_SHADOW_COUNTS_SIZE_1);
HOLDS(hawser_demanded, HAWSER_DEMANDED_SIZE_1 == 112, HAWSER_DEMANDED_SIZE_1);
HOLDS(hawser_fetcher_options, HAWSER_FETCHER_OPTIONS_SIZE_1 == 72, HAWSER_FETCHER_OPTIONS_SIZE_1);

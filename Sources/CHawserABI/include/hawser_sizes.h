/* hawser_sizes.h: how large the structs of hawser.h are in each version of the interface. Not
 * installed: programs set `size` to sizeof, and only the libraries ask which version that is.
 *
 * A version that adds fields to a struct adds a line for it: the end of its last field, under the
 * number of the version. CHawser/CStructs.swift lists the lines. A field must not stand where an
 * older struct had padding, and never moves.
 */
#ifndef HAWSER_SIZES_H
#define HAWSER_SIZES_H

#include <hawser.h>

/* Octets of a struct up to the end of a field. */
#define HAWSER_SIZE_THROUGH(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

enum {
    HAWSER_ERROR_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_error, message),
    HAWSER_STORE_OPTIONS_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_store_options, crlite_directory),
    HAWSER_SNAPSHOT_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_snapshot, rollback_protection),
    HAWSER_REQUEST_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_request, assumption_count),
    HAWSER_OUTCOME_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_outcome, has_log_list),
    HAWSER_STATE_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_state, rejected),
    HAWSER_SHADOW_OPTIONS_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_shadow_options, context),
    HAWSER_SHADOW_COUNTS_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_shadow_counts, candidate_policy),
    HAWSER_DEMANDED_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_demanded, reserved),
    HAWSER_FETCHER_OPTIONS_SIZE_1 = HAWSER_SIZE_THROUGH(hawser_fetcher_options, exchange_timeout)
};

/* The largest struct of any version. */
#define HAWSER_STRUCT_LIMIT 4096

/* Where the decision stands in an outcome of each version: it is written even where the outcome's
 * size is refused. */
enum { HAWSER_OUTCOME_DECISION = offsetof(hawser_outcome, decision) };

#endif

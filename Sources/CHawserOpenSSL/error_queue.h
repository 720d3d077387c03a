/* OpenSSL's queue of errors, which each thread has and SSL_get_error looks at. An entry that is left there is
 * taken for the reason of whatever fails next: a connection over a socket that does not block then fails though it
 * only had to wait.
 *
 * So every function that libssl or a program calls, callbacks and the functions of hawser_openssl.h alike, begins
 * with KEEP_ERROR_QUEUE. Tests/HouseTests/ErrorQueueTests.swift finds one that does not. */
#ifndef HAWSER_ERROR_QUEUE_H
#define HAWSER_ERROR_QUEUE_H

#include <openssl/err.h>

static inline void hawser_drop_new_errors(const int *is_marked) {
    (void)is_marked;
    ERR_pop_to_mark();
}

/* At the end of the block the queue has the entries that it has here, whatever is called between. A queue that is
 * empty takes no mark, and is emptied at the end. */
#define KEEP_ERROR_QUEUE \
    const int is_error_queue_marked __attribute__((cleanup(hawser_drop_new_errors))) = ERR_set_mark()

#endif

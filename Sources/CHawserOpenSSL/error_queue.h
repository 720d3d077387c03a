/* OpenSSL's queue of errors. Each thread has one, and SSL_get_error reads it. An entry that is left
 * in the queue is taken for the reason of the next failure: a connection over a non-blocking socket
 * then fails although it only had to wait.
 *
 * So every function that libssl or a program calls begins with KEEP_ERROR_QUEUE: callbacks, and
 * the functions of hawser_openssl.h. Tests/HouseTests/ErrorQueueTests.swift finds a function
 * that does not. */
#ifndef HAWSER_ERROR_QUEUE_H
#define HAWSER_ERROR_QUEUE_H

#include <openssl/err.h>

static inline void hawser_drop_new_errors(const int *is_marked) {
    (void)is_marked;
    ERR_pop_to_mark();
}

/* At the end of the block the queue holds the same entries as here, whatever was called in between.
 * An empty queue cannot be marked; it is emptied at the end. */
#define KEEP_ERROR_QUEUE \
    const int is_error_queue_marked __attribute__((cleanup(hawser_drop_new_errors))) = ERR_set_mark()

#endif

/* What the files of libhawser_run.so share. preload.c says what the library is. */
#ifndef HAWSER_RUN_PRELOAD_H
#define HAWSER_RUN_PRELOAD_H

#include "judge.h"

#include <dlfcn.h>

#define SHOWN __attribute__((visibility("default")))

/* --------------------------------------------------------------------------------- of preload.c */

extern struct run_settings settings;
extern int is_active; /* the settings were read */
extern long first;    /* the process that `hawser run` became */
extern char library[]; /* the path of libhawser_run.so */
extern __thread int is_ours; /* a call of ours comes back through these functions */

/* Copies a name or a path of the program's. Octets that are not printable ASCII are shown as `?`.
 * */
void show(const char *text, char *buffer, size_t capacity);

/* Writes a line about this process. One write, so that lines of several processes stay whole. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether this program has libssl.so.3, whose connections are judged. */
void *libssl(void);

/* The real function behind one of ours, in the objects after this one. */
#define REAL(name) \
    ({ \
        static __typeof__(&name) real_; \
        if (real_ == NULL) real_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        real_; \
    })

/* ------------------------------------------------------------------------------- of libraries.c */

/* Why this process cannot be reached by what was loaded with it; NULL where it can. */
const char *unreached_reason(void);

/* Looks at the libraries that came since this was last called, and names those whose connections
 * cannot be judged. */
void look_at_loaded(void);

/* -------------------------------------------------------------------------------- of passages.c */

/* A judged context has made a ClientHello with this random. */
void note_hello(const unsigned char *random);

/* The port that a connection is for: of the tunnel that the program asked a proxy for, else of the
 * peer. 0 where it is not known. */
uint32_t port_of_hello(const unsigned char *random);
uint32_t port_of_descriptor(int descriptor);

/* The descriptor that a ClientHello with this random was sent on, straight to the peer; -1 where
 * that was not seen, and where the descriptor is another socket's by now. */
int descriptor_of_hello(const unsigned char *random);

/* Writes the address and port of a socket's peer, as a URL has them; "a socket" without one. */
void address_of_peer(int descriptor, char *text, size_t capacity);

/* --------------------------------------------------------------------------------- of lookups.c */

/* The one name that the program asked for and was given the address of the descriptor's peer for; 0
 * where there is none, or more than one, and without `--names-from-lookups`. */
int looked_up_name(int descriptor, char *buffer, size_t capacity);

#endif

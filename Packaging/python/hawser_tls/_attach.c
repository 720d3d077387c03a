/* _attach.c: puts libhawser_openssl under an `ssl.SSLContext` of CPython.
 *
 * Python has no public way from its context to the SSL_CTX below. This file reads that one field,
 * the first behind the object's header, and nothing else of CPython's: `_attachment.py` says when
 * it may, and what has to be proved before anything is done with the pointer. It never reads the
 * SSL of a connection from Python's objects: libssl hands it to `told`, the information callback.
 *
 * Who judges are the drop-in's callbacks, which need none of this. What this file adds:
 *
 * - The host and the port that a connection is for, before its hello is written. A Handshake holds
 *   both. It runs one step of the handshake and is the thread's `current` one meanwhile, so that
 *   `told`, which libssl calls in that step and on that thread, finds it.
 * - The answer of the drop-in for Python, copied while libssl is in the call: a pointer to an SSL
 *   is never kept for use.
 *
 * Fail closed: a handshake that no Handshake runs has its request for a staple taken away in
 * `told`, and the drop-in refuses a connection without one before it sends a hello.
 *
 * libssl calls `told` while the interpreter's lock is released. It calls nothing of Python.
 */
#define _GNU_SOURCE 1
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <dlfcn.h>
#include <hawser_openssl.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(Py_GIL_DISABLED) || defined(Py_DEBUG) || defined(Py_TRACE_REFS)
#error "not for free-threaded and debug builds of Python: their objects have another header"
#endif

/* -------------------------------------------------------------------------------- one handshake */

/* Whether the rule of the host depends on the port, and the digest of the policy that says so. Two
 * tables of one digest have the same rules. */
enum port_matters { port_does_not_matter = 0, port_matters = 1, port_unknown = 2 };
struct look {
    uint8_t policy[32];
    enum port_matters matters;
};

struct record {
    char host[HAWSER_LIMIT_NAME];
    uint32_t port;
    hawser_store store;     /* who is asked whether the port matters; 0 where the port is known */
    struct look before;     /* the last look before the verdict */
    hawser_verdict verdict; /* the one that `matters` is of; compared alone */
    enum port_matters matters;
    const SSL *ssl;     /* whose handshake it is; compared, never followed */
    int runs;           /* a thread is in a step */
    int finished;       /* the handshake came to its end */
    int32_t result;     /* of hawser_openssl_result, when it was finished */
    uint64_t epoch;     /* of the verdict; 0 where there was none */
    char *failure;      /* lines of `id: sentence`; NULL where nothing was refused */
    char *reasons;      /* as hawser_openssl_reasons; NULL without memory for them */
    int is_forgotten;   /* a refusal came, and there was no memory for its text */
};

/* The record of the handshake step that this thread is in. */
static __thread struct record *current;

static void disarm(const SSL *ssl) {
    /* The cast: information callbacks get a const pointer, and libssl documents this call for
     * the time before the hello. */
    SSL_set_tlsext_status_type((SSL *)ssl, -1);
}

static void begin(const SSL *ssl, struct record *record) {
    record->ssl = ssl;
    record->finished = 0;
    record->result = HAWSER_REJECT;
    record->epoch = 0;
    record->verdict.number = 0;
    record->matters = port_unknown;
    record->is_forgotten = 0;
    free(record->failure);
    record->failure = NULL;
    free(record->reasons);
    record->reasons = NULL;
    if (hawser_openssl_set_host((SSL *)ssl, record->host, record->port) != HAWSER_OK) disarm(ssl);
}

static struct look look(const struct record *record) {
    struct look found = {{0}, port_unknown};
    hawser_demanded numbers;
    HAWSER_INIT(&numbers);
    int32_t result = hawser_store_demands(
        record->store, record->host, strlen(record->host), record->port, HAWSER_NOW, &numbers, NULL, NULL);
    if (result != HAWSER_OK && result != HAWSER_REJECT) return found;
    memcpy(found.policy, numbers.policy_digest, sizeof found.policy);
    found.matters = numbers.depends_on_port ? port_matters : port_does_not_matter;
    return found;
}

static int is_of(const struct look *look, const hawser_outcome *outcome) {
    return look->matters != port_unknown && memcmp(look->policy, outcome->policy_digest, sizeof look->policy) == 0;
}

/* The last looks of all handshakes. The answer of a look follows from the policy, the host and the
 * port, so a look of another handshake counts too. Under many reloads the looks of one handshake
 * may miss the policy that judged; the other handshakes have mostly met it. */
enum { KEPT_LOOKS = 64 };
static struct {
    char host[HAWSER_LIMIT_NAME];
    uint32_t port;
    struct look look;
} kept[KEPT_LOOKS];
static unsigned kept_count;
/* Only tried: a child of a fork may find it locked for ever. */
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(const struct record *record, const struct look *look) {
    if (look->matters == port_unknown || pthread_mutex_trylock(&kept_lock) != 0) return;
    for (unsigned place = 0; place < KEPT_LOOKS; place++)
        if (kept[place].look.matters == look->matters && kept[place].port == record->port
            && memcmp(kept[place].look.policy, look->policy, sizeof look->policy) == 0
            && strcmp(kept[place].host, record->host) == 0) {
            pthread_mutex_unlock(&kept_lock);
            return;
        }
    memcpy(kept[kept_count % KEPT_LOOKS].host, record->host, sizeof record->host);
    kept[kept_count % KEPT_LOOKS].port = record->port;
    kept[kept_count % KEPT_LOOKS].look = *look;
    kept_count++;
    pthread_mutex_unlock(&kept_lock);
}

static enum port_matters recalled(const struct record *record, const hawser_outcome *outcome) {
    enum port_matters found = port_unknown;
    if (pthread_mutex_trylock(&kept_lock) != 0) return found;
    for (unsigned place = 0; place < KEPT_LOOKS && place < kept_count; place++)
        if (is_of(&kept[place].look, outcome) && kept[place].port == record->port
            && strcmp(kept[place].host, record->host) == 0)
            found = kept[place].look.matters;
    pthread_mutex_unlock(&kept_lock);
    return found;
}

/* Finds out whether the port matters under the very policy that judged. libssl calls this before it
 * reads a message, so one look comes right before a verdict and one right after it. Where tables
 * came into force in between, looks of other handshakes and further looks may have met that policy;
 * otherwise nobody knows. */
enum { MOST_LOOKS = 64 };

static void watch_port(const SSL *ssl, struct record *record) {
    if (record->store.number == 0) return;
    hawser_verdict verdict = hawser_openssl_verdict(ssl);
    struct look now = look(record);
    keep(record, &now);
    if (verdict.number != 0 && verdict.number != record->verdict.number) {
        record->verdict = verdict;
        record->matters = port_unknown;
        hawser_outcome outcome;
        HAWSER_INIT(&outcome);
        if (hawser_verdict_outcome(verdict, &outcome) == HAWSER_OK) {
            if (is_of(&record->before, &outcome)) record->matters = record->before.matters;
            for (int looks = 0; record->matters == port_unknown && looks < MOST_LOOKS; looks++) {
                if (is_of(&now, &outcome)) record->matters = now.matters;
                else if ((record->matters = recalled(record, &outcome)) == port_unknown) now = look(record);
            }
        }
    }
    record->before = now;
}

static void leave(const SSL *ssl, struct record *record, int value) {
    if (value == 1 && SSL_is_init_finished(ssl)) {
        /* May judge again and refuse, so what follows is asked after it. */
        record->result = hawser_openssl_result(ssl);
        record->finished = 1;
        watch_port(ssl, record);
    }
    const char *failure = hawser_openssl_failure(ssl);
    if (failure[0] != 0) {
        free(record->failure);
        record->failure = strdup(failure);
        record->is_forgotten = record->failure == NULL;
        free(record->reasons);
        record->reasons = strdup(hawser_openssl_reasons(ssl));
    }
    hawser_outcome outcome;
    HAWSER_INIT(&outcome);
    if (hawser_verdict_outcome(hawser_openssl_verdict(ssl), &outcome) == HAWSER_OK) record->epoch = outcome.epoch;
}

/* libssl's information callback: where a handshake begins, before each message, and where a step
 * of it ends. */
static void told(const SSL *ssl, int where, int value) {
    struct record *record = current;
    int is_ours = record != NULL && (record->ssl == NULL || record->ssl == ssl);
    if ((where & SSL_CB_HANDSHAKE_START) != 0) {
        if (is_ours) begin(ssl, record);
        else disarm(ssl);
    } else if (is_ours && record->ssl == ssl && (where & (SSL_CB_EXIT | SSL_CB_LOOP)) != 0) {
        if (!record->finished) watch_port(ssl, record);
        if ((where & SSL_CB_EXIT) != 0) leave(ssl, record, value);
    }
}

typedef struct {
    PyObject_HEAD
    struct record record;
} Handshake;

static PyObject *handshake_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    static char *words[] = {"host", "port", "store", NULL};
    const char *host;
    unsigned int port;
    unsigned long long store;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "sIK:Handshake", words, &host, &port, &store)) return NULL;
    size_t length = strlen(host);
    if (length == 0 || length >= HAWSER_LIMIT_NAME || port > 65535) {
        PyErr_SetString(PyExc_ValueError, "the host has 1 to 255 octets, and the port 0 to 65535");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Handshake *self = (Handshake *)allocate(type, 0);
    if (self == NULL) return NULL;
    memset(&self->record, 0, sizeof self->record);
    memcpy(self->record.host, host, length + 1);
    self->record.port = port;
    self->record.store.number = store;
    self->record.matters = port_unknown;
    self->record.result = HAWSER_REJECT;
    return (PyObject *)self;
}

static void handshake_free(PyObject *object) {
    /* No step runs: a step holds a reference. */
    Handshake *self = (Handshake *)object;
    PyTypeObject *type = Py_TYPE(object);
    free(self->record.failure);
    free(self->record.reasons);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* Calls `step` with no arguments; the handshakes that libssl begins or goes on with in the call, on
 * this thread, are this one. */
static PyObject *handshake_run(PyObject *object, PyObject *step) {
    Handshake *self = (Handshake *)object;
    /* Under the interpreter's lock, so that two threads are not both in. */
    if (self->record.runs) {
        PyErr_SetString(PyExc_RuntimeError, "the handshake is under way already");
        return NULL;
    }
    struct record *before = current;
    self->record.runs = 1;
    current = &self->record;
    Py_INCREF(object);
    PyObject *answer = PyObject_CallNoArgs(step);
    current = before;
    self->record.runs = 0;
    Py_DECREF(object);
    return answer;
}

/* (accepted, epoch, failure, matters, reasons): whether the policy accepts the connection, whose
 * handshake is over; the epoch of the verdict; the reason of a refusal, empty after an accept;
 * whether the port matters under the policy that judged: 0 no, 1 yes, 2 not known or not judged;
 * and the refusal in one line with its words. */
static PyObject *handshake_answer(PyObject *object, PyObject *unused) {
    (void)unused;
    const struct record *record = &((Handshake *)object)->record;
    if (record->runs) {
        PyErr_SetString(PyExc_RuntimeError, "the handshake is under way");
        return NULL;
    }
    const char *failure = record->failure != NULL ? record->failure : record->is_forgotten ? "no-verdict: out of memory" : "";
    PyObject *text = PyUnicode_DecodeUTF8(failure, (Py_ssize_t)strlen(failure), "replace");
    if (text == NULL) return NULL;
    const char *reasons = record->reasons != NULL ? record->reasons : "";
    PyObject *line = PyUnicode_DecodeUTF8(reasons, (Py_ssize_t)strlen(reasons), "replace");
    if (line == NULL) {
        Py_DECREF(text);
        return NULL;
    }
    int is_accepted = record->finished && record->result == HAWSER_OK && record->failure == NULL
        && !record->is_forgotten;
    return Py_BuildValue(
        "(NKNiN)", PyBool_FromLong(is_accepted), (unsigned long long)record->epoch, text, (int)record->matters, line);
}

static PyMethodDef handshake_methods[] = {
    {"run", handshake_run, METH_O, "Runs a step of the handshake."},
    {"answer", handshake_answer, METH_NOARGS, "Whether the policy accepts, under which epoch, and why not."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot handshake_slots[] = {
    {Py_tp_new, handshake_new},
    {Py_tp_dealloc, handshake_free},
    {Py_tp_methods, handshake_methods},
    {Py_tp_doc, "The host and the port of a handshake, and what became of it."},
    {0, NULL},
};

static PyType_Spec handshake_spec = {
    .name = "hawser_tls._attach.Handshake",
    .basicsize = sizeof(Handshake),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = handshake_slots,
};

/* -------------------------------------------------------------------------------- the proofs */

/* Functions by which an extension that links another libssl, or another libcrypto, would be
 * told. */
static const char *const shared_names[] = {
    "SSL_CTX_new", "SSL_CTX_set_options", "SSL_CTX_free", "SSL_new", "SSL_do_handshake", "CRYPTO_free",
};

static void *ours(size_t index) {
    switch (index) {
    case 0: return (void *)(uintptr_t)SSL_CTX_new;
    case 1: return (void *)(uintptr_t)SSL_CTX_set_options;
    case 2: return (void *)(uintptr_t)SSL_CTX_free;
    case 3: return (void *)(uintptr_t)SSL_new;
    case 4: return (void *)(uintptr_t)SSL_do_handshake;
    case 5: return (void *)(uintptr_t)CRYPTO_free;
    }
    return NULL;
}

/* shares_libssl(path): None where the extension module that is loaded from `path` finds its libssl
 * and libcrypto in the very objects that this one does; else why not. */
static PyObject *shares_libssl(PyObject *module, PyObject *argument) {
    (void)module;
    PyObject *octets = NULL;
    if (!PyUnicode_FSConverter(argument, &octets)) return NULL;
    void *library = dlopen(PyBytes_AsString(octets), RTLD_LAZY | RTLD_NOLOAD);
    Py_DECREF(octets);
    if (library == NULL) return PyUnicode_FromString("the module `_ssl` is in no library of its own");
    PyObject *answer = NULL;
    for (size_t index = 0; index < sizeof shared_names / sizeof *shared_names && answer == NULL; index++) {
        const char *name = shared_names[index];
        void *theirs = dlsym(library, name), *global = dlsym(RTLD_DEFAULT, name);
        Dl_info found, own;
        if (theirs == NULL)
            answer = PyUnicode_FromFormat("the module `_ssl` loads no library that has %s", name);
        else if (theirs != ours(index) || (global != NULL && global != theirs))
            answer = PyUnicode_FromFormat("the module `_ssl` has another %s", name);
        else if (
            dladdr(theirs, &found) == 0 || dladdr(ours(index), &own) == 0 || found.dli_fbase != own.dli_fbase
            || strstr(found.dli_fname, index == 5 ? "libcrypto.so.3" : "libssl.so.3") == NULL)
            answer = PyUnicode_FromFormat("%s is in no libssl.so.3 or libcrypto.so.3", name);
        if (answer == NULL && PyErr_Occurred()) {
            dlclose(library);
            return NULL;
        }
    }
    /* The module stays loaded: Python imported it. */
    dlclose(library);
    if (answer != NULL) return answer;
    Py_RETURN_NONE;
}

/* The one field. `context` must be an instance of the type `_ssl._SSLContext` whose size was
 * compared; NULL, with an exception set, where it holds no pointer that could be one. */
static SSL_CTX *context_of(PyObject *context, PyObject *type) {
    if (!PyType_Check(type) || !PyObject_TypeCheck(context, (PyTypeObject *)type)) {
        PyErr_SetString(PyExc_TypeError, "that is no context of the module `_ssl`");
        return NULL;
    }
    SSL_CTX *field;
    memcpy(&field, (const char *)context + sizeof(PyObject), sizeof field);
    if (field == NULL || (uintptr_t)field % sizeof(void *) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "the context holds no pointer where one was expected");
        return NULL;
    }
    return field;
}

/* options(context, type): the options of the SSL_CTX below, read through the pointer. */
static PyObject *options(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *context, *type;
    if (!PyArg_ParseTuple(arguments, "OO:options", &context, &type)) return NULL;
    SSL_CTX *below = context_of(context, type);
    if (below == NULL) return NULL;
    return PyLong_FromUnsignedLongLong(SSL_CTX_get_options(below));
}

/* attach(context, type, store): None, or why the drop-in refused. */
static PyObject *attach(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *context, *type;
    unsigned long long store;
    if (!PyArg_ParseTuple(arguments, "OOK:attach", &context, &type, &store)) return NULL;
    SSL_CTX *below = context_of(context, type);
    if (below == NULL) return NULL;
    if (SSL_CTX_get_info_callback(below) != NULL)
        return PyUnicode_FromString("the context has an information callback already");
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_openssl_attach(below, (hawser_store){store}, NULL, &error) != HAWSER_OK)
        return PyUnicode_DecodeUTF8(error.message, (Py_ssize_t)strlen(error.message), "replace");
    SSL_CTX_set_info_callback(below, told);
    /* A second handshake would come without a Handshake, and be refused in the middle of the
     * program's data. */
    SSL_CTX_set_options(below, SSL_OP_NO_RENEGOTIATION);
    Py_RETURN_NONE;
}

/* move(context, type, store): makes another store judge a context that is attached to; None, or why
 * the drop-in refused. */
static PyObject *move(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *context, *type;
    unsigned long long store;
    if (!PyArg_ParseTuple(arguments, "OOK:move", &context, &type, &store)) return NULL;
    SSL_CTX *below = context_of(context, type);
    if (below == NULL) return NULL;
    hawser_error error;
    HAWSER_INIT(&error);
    if (hawser_openssl_set_store(below, (hawser_store){store}, &error) != HAWSER_OK)
        return PyUnicode_DecodeUTF8(error.message, (Py_ssize_t)strlen(error.message), "replace");
    Py_RETURN_NONE;
}

/* is_attached(context, type): whether the callback still stands, and renegotiation is still off. */
static PyObject *is_attached(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *context, *type;
    if (!PyArg_ParseTuple(arguments, "OO:is_attached", &context, &type)) return NULL;
    SSL_CTX *below = context_of(context, type);
    if (below == NULL) return NULL;
    return PyBool_FromLong(
        SSL_CTX_get_info_callback(below) == told
        && (SSL_CTX_get_options(below) & SSL_OP_NO_RENEGOTIATION) != 0);
}

/* ---------------------------------------------------------------------------------- the module */

static PyMethodDef functions[] = {
    {"shares_libssl", shares_libssl, METH_O, "Why the module of this file links another libssl; None where it does not."},
    {"options", options, METH_VARARGS, "The options of a context, read through its pointer."},
    {"attach", attach, METH_VARARGS, "Attaches a store to a context; None, or why not."},
    {"move", move, METH_VARARGS, "Makes another store judge a context; None, or why not."},
    {"is_attached", is_attached, METH_VARARGS, "Whether a context is attached to."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module) {
    PyObject *type = PyType_FromModuleAndSpec(module, &handshake_spec, NULL);
    if (type == NULL) return -1;
    int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)fill},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "hawser_tls._attach",
    .m_doc = "Puts a policy under an ssl.SSLContext; see _attachment.py.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__attach(void);
PyMODINIT_FUNC PyInit__attach(void) { return PyModuleDef_Init(&definition); }

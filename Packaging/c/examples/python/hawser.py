"""Trust verdicts through libhawser.so, by ctypes: what of hawser.h a program in Python needs.

    with Store.open_file("policy.table") as store:
        verdict = store.evaluate(host="api.acme.example", chain=[der, ...], tls_version=0x0304)
        if not verdict: print(*verdict.violations, sep="\n")

A verdict is true only where it accepts. Whatever else goes wrong raises HawserError, so that a call which could
not be asked is never taken for an answer.
"""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_uint8, c_void_p

OK, REJECT, SMALL, RANGE = 0, 2, -7, -8
NOW = -(2**63)
NOT_SUPPLIED, OBSERVED, ENFORCED, ASSUMED, CLEARTEXT = range(5)
CRL, OCSP = 1, 2
VIOLATION, VIOLATION_ID, VIOLATION_CHECK, VIOLATION_FOR_USER = 16, 17, 18, 19
EXPLANATION = 28
RECEIPT = 30


class StoreHandle(ctypes.Structure):
    """Each kind of object is a type, so ctypes refuses one in the place of another."""

    _fields_ = [("number", c_uint64)]


class VerdictHandle(ctypes.Structure):
    _fields_ = [("number", c_uint64)]


class EvidenceHandle(ctypes.Structure):
    _fields_ = [("number", c_uint64)]


class Bytes(ctypes.Structure):
    """Points into a bytes object, which must live until the call is over."""

    _fields_ = [("data", c_void_p), ("length", c_size_t)]


class Error(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("result", c_int32), ("reserved", c_uint32), ("reason", c_char * 64),
        ("message", c_char * 952),
    ]


class CheckSubject(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("path", POINTER(Bytes)), ("path_count", c_size_t), ("host", Bytes),
        ("port", c_uint32), ("reserved", c_uint32), ("time", c_int64),
    ]


CheckFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(CheckSubject), POINTER(c_char), c_size_t)
LogFunction = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class Check(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("function", CheckFunction), ("context", c_void_p)]


class StoreOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("trusted_keys", POINTER(Bytes)),
        ("trusted_key_count", c_size_t), ("threshold", c_uint32), ("flags", c_uint32),
        ("state_directory", c_char_p), ("staleness", c_uint32), ("follow", c_uint32),
        ("stale_after", c_int64), ("checks", POINTER(Check)), ("check_count", c_size_t),
        ("log_list", Bytes), ("log", LogFunction), ("log_context", c_void_p),
        ("service", c_char_p), ("policy_path", c_char_p), ("crlite_directory", c_char_p),
    ]


class Request(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("host", Bytes), ("port", c_uint32), ("tls", c_uint32), ("time", c_int64),
        ("chain", POINTER(Bytes)), ("chain_count", c_size_t), ("tls_version", c_uint32),
        ("reserved", c_uint32), ("cipher_suite", c_char_p), ("group", c_char_p),
        ("signature_scheme", c_char_p), ("alpn", c_char_p), ("enforced_rule", c_char_p),
        ("enforced_policy", Bytes), ("staple", Bytes), ("sct_list", Bytes),
        ("ocsp_responses", POINTER(Bytes)), ("ocsp_response_count", c_size_t), ("crls", POINTER(Bytes)),
        ("crl_count", c_size_t), ("prepared", POINTER(EvidenceHandle)), ("prepared_count", c_size_t),
        ("assumptions", POINTER(c_char_p)), ("assumption_count", c_size_t),
    ]


class Outcome(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("decision", c_uint32), ("violation_count", c_uint32), ("reported_count", c_uint32),
        ("notice_count", c_uint32), ("wanted_count", c_uint32), ("path_count", c_uint32),
        ("epoch", c_uint64), ("time", c_int64), ("policy_digest", c_uint8 * 32),
        ("system_store_digest", c_uint8 * 32), ("log_list_digest", c_uint8 * 32),
        ("has_system_store", c_uint32), ("has_log_list", c_uint32),
    ]


# ctypes.CDLL lets other threads of Python run while a call is under way.
library = ctypes.CDLL(os.environ.get("LIBHAWSER") or ctypes.util.find_library("hawser") or "libhawser.so.0")
_results = {
    "hawser_abi_version": (c_uint32,),
    "hawser_store_open_file": (c_int32, c_char_p, POINTER(StoreOptions), POINTER(StoreHandle), POINTER(Error)),
    "hawser_store_open": (c_int32, c_char_p, c_size_t, POINTER(StoreOptions), POINTER(StoreHandle), POINTER(Error)),
    "hawser_store_reload_file": (c_int32, StoreHandle, POINTER(Error)),
    "hawser_store_reload": (c_int32, StoreHandle, c_char_p, c_size_t, POINTER(Error)),
    "hawser_store_close": (c_int32, StoreHandle),
    "hawser_store_holds": (
        c_int32, StoreHandle, c_uint64, c_char_p, c_size_t, c_uint32, c_int64, POINTER(Error)),
    "hawser_store_epoch_descriptor": (c_int32, StoreHandle, POINTER(c_int32), POINTER(Error)),
    "hawser_metrics": (
        c_int32, POINTER(StoreHandle), c_size_t, c_char_p, c_size_t, POINTER(c_size_t), POINTER(Error)),
    "hawser_evaluate": (
        c_int32, StoreHandle, POINTER(Request), POINTER(Outcome), POINTER(VerdictHandle), POINTER(Error)),
    "hawser_explain": (
        c_int32, StoreHandle, POINTER(Request), POINTER(Outcome), POINTER(VerdictHandle), POINTER(Error)),
    "hawser_verdict_text": (
        c_int32, VerdictHandle, c_uint32, c_size_t, c_char_p, c_size_t, POINTER(c_size_t)),
    "hawser_verdict_free": (c_int32, VerdictHandle),
    "hawser_evidence_prepare": (
        c_int32, c_uint32, StoreHandle, c_char_p, c_size_t, POINTER(Bytes), c_size_t, POINTER(EvidenceHandle),
        POINTER(Error)),
    "hawser_evidence_free": (c_int32, EvidenceHandle),
}
if library.hawser_abi_version() < 1:
    raise ImportError("libhawser.so is older than this module")
for _name, (_result, *_arguments) in _results.items():
    getattr(library, _name).restype = _result
    getattr(library, _name).argtypes = _arguments


class HawserError(Exception):
    """A call that was not answered: `result` as in hawser.h, `reason` a stable word."""

    def __init__(self, error):
        self.result, self.reason = error.result, error.reason.decode()
        super().__init__(f"{self.reason}: {error.message.decode()}")


def _struct(kind, **fields):
    return kind(size=ctypes.sizeof(kind), **fields)


def _call(function, *arguments, also=()):
    error = _struct(Error)
    result = function(*arguments, byref(error))
    if result != OK and result not in also:
        raise HawserError(error)
    return result


def _bytes(data):
    return Bytes() if data is None else Bytes(ctypes.cast(c_char_p(data), c_void_p).value, len(data))


def _list(items):
    return (Bytes * max(1, len(items)))(*map(_bytes, items)), len(items)


def _text(text):
    return None if text is None else text.encode()


class Verdict:
    """What the policy says of a request; true only where it accepts."""

    def __init__(self, result, outcome, handle):
        self.accepts = result == OK
        self.epoch, self.policy_digest = outcome.epoch, bytes(outcome.policy_digest).hex()
        try:
            self.violations = [
                f"{self._text(handle, VIOLATION_ID, i)}: {self._text(handle, VIOLATION, i)}"
                for i in range(outcome.violation_count)
            ]
            self.explanation = self._text(handle, EXPLANATION, 0)
            # A line of JSON that `hawser explain --receipt` replays.
            self.receipt = self._text(handle, RECEIPT, 0)
        finally:
            library.hawser_verdict_free(handle)

    def __bool__(self):
        return self.accepts

    @staticmethod
    def _text(handle, which, index):
        length = c_size_t()
        if library.hawser_verdict_text(handle, which, index, None, 0, byref(length)) == RANGE:
            return None
        buffer = ctypes.create_string_buffer(length.value + 1)
        if library.hawser_verdict_text(handle, which, index, buffer, len(buffer), None) != OK:
            raise MemoryError
        return buffer.value.decode()


class Store:
    """A compiled policy in force."""

    def __init__(self, handle, kept):
        self.handle, self._kept = handle, kept

    @classmethod
    def open_file(cls, path, checks=None):
        """`checks`: name to a function of the path (DER, end entity first) that returns None, or why not."""
        kept, given = [], []
        for name, judge in (checks or {}).items():
            kept.append(CheckFunction(cls._check(judge)))
            given.append(Check(name.encode(), kept[-1], None))
        checks = (Check * max(1, len(given)))(*given)
        options = _struct(StoreOptions, checks=checks, check_count=len(given))
        handle = StoreHandle()
        _call(library.hawser_store_open_file, os.fsencode(path), byref(options), byref(handle))
        return cls(handle, kept)

    @staticmethod
    def _check(judge):
        def function(context, subject, reason, capacity):
            try:
                path = [
                    ctypes.string_at(subject[0].path[i].data, subject[0].path[i].length)
                    for i in range(subject[0].path_count)
                ]
                failure = judge(path)
            except Exception as error:  # nothing may leave a callback
                failure = f"the check failed: {error}"
            if failure is None:
                return 1
            text = failure.encode()[: capacity - 1]
            ctypes.memmove(reason, text + b"\0", len(text) + 1)
            return 0

        return function

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the store. No check of it runs any more when this returns, so what the checks use may go."""
        library.hawser_store_close(self.handle)

    def holds(self, epoch, host, port=443, time=NOW):
        """Whether a connection that was accepted under an epoch may go on, as when a pool hands it out."""
        name = host.encode()
        result = _call(
            library.hawser_store_holds, self.handle, epoch, name, len(name), port, time, also=[REJECT])
        return result == OK

    def epoch_descriptor(self):
        """A descriptor for `loop.add_reader`: readable when another epoch is in force; close it with os.close."""
        descriptor = c_int32()
        _call(library.hawser_store_epoch_descriptor, self.handle, byref(descriptor))
        return descriptor.value

    def metrics(self):
        """Counters and gauges in Prometheus' text format."""
        length, buffer = c_size_t(), None
        while True:
            result = _call(
                library.hawser_metrics, byref(self.handle), 1, buffer, len(buffer or b""), byref(length), also=[SMALL])
            if result == OK:
                return buffer.value.decode()
            buffer = ctypes.create_string_buffer(length.value + 1)

    def prepare(self, kind, der, signers=()):
        """Evidence read once for many requests; free it with `library.hawser_evidence_free`."""
        handle, (array, count) = EvidenceHandle(), _list(signers)
        _call(library.hawser_evidence_prepare, kind, self.handle, der, len(der), array, count, byref(handle))
        return handle

    def evaluate(self, explain=False, **request):
        """The verdict; with `explain` its explanation too, as JSON."""
        host = request["host"].encode()
        chain, chain_count = _list(request.get("chain", ()))
        responses, response_count = _list(request.get("ocsp", ()))
        prepared = request.get("prepared", ())
        assumptions = [text.encode() for text in request.get("assumptions", ())]
        asked = _struct(
            Request, host=_bytes(host), port=request.get("port", 443), tls=request.get("tls", OBSERVED),
            time=request.get("time", NOW), chain=chain, chain_count=chain_count,
            tls_version=request.get("tls_version", 0), cipher_suite=_text(request.get("cipher_suite")),
            group=_text(request.get("group")), signature_scheme=_text(request.get("signature_scheme")),
            alpn=_text(request.get("alpn")), staple=_bytes(request.get("staple")),
            sct_list=_bytes(request.get("sct_list")), ocsp_responses=responses,
            ocsp_response_count=response_count, prepared=(EvidenceHandle * max(1, len(prepared)))(*prepared),
            prepared_count=len(prepared), assumptions=(c_char_p * max(1, len(assumptions)))(*assumptions),
            assumption_count=len(assumptions))
        outcome, verdict = _struct(Outcome), VerdictHandle()
        result = _call(
            library.hawser_explain if explain else library.hawser_evaluate, self.handle, byref(asked),
            byref(outcome), byref(verdict), also=[REJECT])
        return Verdict(result, outcome, verdict)

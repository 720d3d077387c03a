"""libhawser.so.0 by ctypes: the structs and functions of hawser.h that the package needs.

ctypes lets other threads of Python run while a call is under way. Nothing here knows TLS.
"""

from __future__ import annotations

import ctypes
import pathlib
import ssl  # noqa: F401  First: libhawser then uses the libcrypto that the interpreter has loaded.
from collections.abc import Callable, Iterable, Sequence
from ctypes import (
    POINTER,
    byref,
    c_char,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from ._errors import StoreError

OK, REJECT, MISUSE, SMALL, RANGE = 0, 2, -1, -7, -8
# HAWSER_DECISION_ACCEPT: of an outcome. It is the number of no result.
ACCEPT = 1
NOW = -(2**63)
ABI_VERSION = 1

FOLDER = pathlib.Path(__file__).resolve().parent


class StoreHandle(ctypes.Structure):
    """A store of the library. Each kind of object is a type, so ctypes refuses one in the place of
    another. `number` is 0 in none."""

    _fields_ = [("number", c_uint64)]


class VerdictHandle(ctypes.Structure):
    """A verdict of the library."""

    _fields_ = [("number", c_uint64)]


class DemandsHandle(ctypes.Structure):
    """Demands of the library, which this package never asks for."""

    _fields_ = [("number", c_uint64)]


class EvidenceHandle(ctypes.Structure):
    """Prepared evidence of the library, which this package never prepares."""

    _fields_ = [("number", c_uint64)]


class Bytes(ctypes.Structure):
    """Points into a bytes object, which must live until the call is over."""

    _fields_ = [("data", c_void_p), ("length", c_size_t)]


class Error(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("result", c_int32), ("reserved", c_uint32), ("reason", c_char * 64),
        ("message", c_char * 952),
    ]


LogFunction = ctypes.CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class StoreOptions(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("trusted_keys", POINTER(Bytes)),
        ("trusted_key_count", c_size_t), ("threshold", c_uint32), ("flags", c_uint32),
        ("state_directory", c_char_p), ("staleness", c_uint32), ("follow", c_uint32),
        ("stale_after", c_int64), ("checks", c_void_p), ("check_count", c_size_t),
        ("log_list", Bytes), ("log", LogFunction), ("log_context", c_void_p),
        ("service", c_char_p), ("policy_path", c_char_p), ("crlite_directory", c_char_p),
    ]


class Snapshot(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("epoch", c_uint64), ("revision", c_uint64), ("has_revision", c_uint32),
        ("is_stale", c_uint32), ("loaded_at", c_int64), ("confirmed_at", c_int64),
        ("refusals", c_uint64), ("source_failures", c_uint64), ("policy_digest", c_uint8 * 32),
        ("file_digest", c_uint8 * 32), ("system_store_digest", c_uint8 * 32),
        ("has_system_store", c_uint32), ("stricter_count", c_uint32),
        ("stricter_default", c_uint32), ("rollback_protection", c_uint32),
    ]


class State(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("watching", c_uint32), ("directory", c_uint32),
        ("damage_count", c_uint32), ("failure", c_uint32), ("failed_at", c_int64),
        ("poll_interval", c_int64), ("is_stale", c_uint32), ("has_stale_after", c_uint32),
        ("stale_after", c_int64), ("has_issued", c_uint32), ("has_expires", c_uint32),
        ("issued", c_int64), ("expires", c_int64), ("installed", c_uint64),
        ("confirmed", c_uint64), ("refused", c_uint64), ("source_failed", c_uint64),
        ("accepted", c_uint64), ("rejected", c_uint64),
    ]


class Demanded(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("epoch", c_uint64), ("tls_version_minimum", c_uint32),
        ("tls_version_maximum", c_uint32), ("cipher_suite_count", c_uint32),
        ("group_count", c_uint32), ("signature_scheme_count", c_uint32), ("alpn_count", c_uint32),
        ("revocation_source_count", c_uint32), ("forward_secrecy", c_uint32), ("staple", c_uint32),
        ("rejects_without_evidence", c_uint32), ("may_fetch", c_uint32),
        ("transparency", c_uint32), ("offers_intermediates", c_uint32),
        ("has_server_name", c_uint32), ("policy_digest", c_uint8 * 32),
        ("depends_on_port", c_uint32), ("reserved", c_uint32),
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


# The sizes of hawser_sizes.h, for the structs above: of version 1 of the interface.
for _kind, _size in [
    (Error, 1032), (StoreOptions, 136), (Snapshot, 176), (State, 128), (Demanded, 112),
    (Request, 216), (Outcome, 152),
]:
    if ctypes.sizeof(_kind) != _size:
        raise ImportError(f"hawser_tls: {_kind.__name__} has {ctypes.sizeof(_kind)} octets here, not {_size}")

FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "hawser_abi_version": (c_uint32,),
    "hawser_result_name": (c_char_p, c_int32),
    "hawser_store_open_file": (c_int32, c_char_p, POINTER(StoreOptions), POINTER(StoreHandle), POINTER(Error)),
    "hawser_store_open": (c_int32, c_char_p, c_size_t, POINTER(StoreOptions), POINTER(StoreHandle), POINTER(Error)),
    "hawser_store_reload_file": (c_int32, StoreHandle, POINTER(Error)),
    "hawser_store_reload": (c_int32, StoreHandle, c_char_p, c_size_t, POINTER(Error)),
    "hawser_store_confirm": (c_int32, StoreHandle, POINTER(Error)),
    "hawser_store_close": (c_int32, StoreHandle),
    "hawser_store_snapshot": (c_int32, StoreHandle, POINTER(Snapshot), POINTER(Error)),
    "hawser_store_state": (c_int32, StoreHandle, POINTER(State), POINTER(Error)),
    "hawser_store_text": (c_int32, StoreHandle, c_uint32, c_size_t, c_char_p, c_size_t, POINTER(c_size_t)),
    "hawser_store_table": (c_int32, StoreHandle, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error)),
    "hawser_store_resume": (
        c_int32, c_char_p, c_size_t, POINTER(Snapshot), c_char_p, POINTER(StoreOptions), POINTER(StoreHandle),
        POINTER(Error)),
    "hawser_store_holds": (
        c_int32, StoreHandle, c_uint64, c_char_p, c_size_t, c_uint32, c_int64, POINTER(Error)),
    "hawser_store_epoch_descriptor": (c_int32, StoreHandle, POINTER(c_int32), POINTER(Error)),
    "hawser_store_demands": (
        c_int32, StoreHandle, c_char_p, c_size_t, c_uint32, c_int64, POINTER(Demanded), POINTER(DemandsHandle),
        POINTER(Error)),
    "hawser_metrics": (
        c_int32, POINTER(StoreHandle), c_size_t, c_char_p, c_size_t, POINTER(c_size_t), POINTER(Error)),
    "hawser_evaluate": (
        c_int32, StoreHandle, POINTER(Request), POINTER(Outcome), POINTER(VerdictHandle), POINTER(Error)),
    "hawser_explain": (
        c_int32, StoreHandle, POINTER(Request), POINTER(Outcome), POINTER(VerdictHandle), POINTER(Error)),
    "hawser_verdict_text": (
        c_int32, VerdictHandle, c_uint32, c_size_t, c_char_p, c_size_t, POINTER(c_size_t)),
    "hawser_verdict_free": (c_int32, VerdictHandle),
}


def load() -> ctypes.CDLL:
    """The library of the wheel; ImportError says what this machine lacks."""
    path = FOLDER / "lib" / "libhawser.so.0"
    # An executable that exports an OpenSSL of its own would give it to every library.
    everywhere = getattr(ctypes.CDLL(None), "OpenSSL_version_num", None)
    if everywhere is not None:
        everywhere.restype = ctypes.c_ulong
        if everywhere() >> 28 != 3:
            raise ImportError(
                "hawser_tls needs OpenSSL 3, and this program brings another version for all its libraries")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        needs = (FOLDER / "lib" / "needs.txt").read_text() if path.exists() else "a wheel, not a checkout"
        raise ImportError(f"hawser_tls needs {needs.strip()}: {error}") from error
    if library.hawser_abi_version() < ABI_VERSION:
        raise ImportError("hawser_tls: libhawser.so.0 is older than this package")
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()


def made(kind: type[Any], **fields: Any) -> Any:
    """A struct with its size."""
    return kind(size=ctypes.sizeof(kind), **fields)


def failed(result: int, error: Any = None) -> StoreError:
    """The exception for a result that is neither OK nor REJECT."""
    name = library.hawser_result_name(result).decode()
    reason = error.reason.decode() if error is not None else ""
    message = error.message.decode(errors="replace") if error is not None else ""
    return StoreError(name, reason, message or "the call failed")


def call(function: Callable[..., int], *arguments: Any, also: Iterable[int] = ()) -> int:
    """Calls a function whose last argument is a hawser_error; raises unless it is OK or in `also`."""
    error = made(Error)
    result = function(*arguments, byref(error))
    if result != OK and result not in also:
        raise failed(result, error)
    return result


def octets(data: bytes | None) -> Bytes:
    """Absent for None; empty for what has no octets."""
    if data is None:
        return Bytes()
    return Bytes(ctypes.cast(c_char_p(data), c_void_p).value, len(data))


def octets_list(items: Sequence[bytes], what: str) -> tuple[Any, int]:
    """An array of octets; TypeError for one piece in place of a list, and for text."""
    if isinstance(items, (bytes, bytearray, memoryview, str)):
        raise TypeError(f"{what} are a list of bytes objects, not {type(items).__name__}: for one of them write [it]")
    for item in items:
        if not isinstance(item, bytes):
            raise TypeError(f"{what} are bytes objects, not {type(item).__name__}")
    return (Bytes * max(1, len(items)))(*map(octets, items)), len(items)


def table_in_force(store: StoreHandle) -> bytes:
    """The octets of the table that a store has in force."""
    length = c_size_t()
    while True:
        buffer = ctypes.create_string_buffer(length.value)
        result = call(
            library.hawser_store_table, store, buffer if length.value else None, length.value, byref(length),
            also=[SMALL])
        if result == OK:
            return buffer.raw[: length.value]


def name(text: str | None, what: str) -> bytes | None:
    """A C string; None for the library's default. A NUL inside would cut it, so it is refused."""
    if text is None:
        return None
    if not text:
        raise ValueError(f"{what} is empty: leave it out for the default")
    data = text.encode()
    if b"\0" in data:
        raise ValueError(f"{what} has a NUL octet")
    return data


def text(function: Callable[..., int], *arguments: Any) -> str | None:
    """A text of the library; None where there is none."""
    capacity = 256
    while True:
        buffer, length = ctypes.create_string_buffer(capacity), c_size_t()
        result = function(*arguments, buffer, capacity, byref(length))
        if result == OK:
            return buffer.value.decode(errors="replace")
        if result != SMALL:
            return None
        capacity = length.value + capacity

"""The policy in force, and verdicts by it."""

from __future__ import annotations

import ctypes
import datetime
import itertools
import logging
import os
import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from ctypes import byref, c_int32, c_uint64
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Optional, Union

from . import _library as c
from ._errors import RejectError, StoreError, Violation

Time = Union[None, int, datetime.datetime]

# HAWSER_STORE_* and HAWSER_STALE_*.
_WATCH, _POLL, _REFUSE_WAIVERS, _REQUIRE_STATE = 1, 2, 4, 8
_STALENESS = {"never": 0, "warn": 1, "reject": 2}
# HAWSER_TLS_*.
_TLS = {"unknown": 0, "observed": 1, "assumed": 3, "cleartext": 4}
# HAWSER_ROLLBACK_*, HAWSER_WATCHING_*.
_ROLLBACK = {0: "off", 1: "on", 2: "against-mistakes"}
_WATCHING = {0: "nothing", 1: "notified", 2: "polled"}
# The levels of hawser_log_function.
_LEVELS = {
    0: logging.DEBUG, 1: logging.DEBUG, 2: logging.INFO, 3: logging.INFO, 4: logging.WARNING,
    5: logging.ERROR, 6: logging.CRITICAL,
}


class Reported(NamedTuple):
    """A failure that was let through; `reason` is `waived` or `report-only`."""

    id: str
    sentence: str
    reason: str


class Notice(NamedTuple):
    """What an accept has to say besides."""

    id: str
    sentence: str


class Wanted(NamedTuple):
    """Evidence that could change the verdict: `ocsp` or `crl`, and the URL, a stranger's text."""

    source: str
    url: str


@dataclass(frozen=True)
class Verdict:
    """What the policy says of one request at one instant; true only where it accepts."""

    accepted: bool
    host: str
    port: int
    time: datetime.datetime
    #: Of the table that judged.
    epoch: int
    policy_digest: str
    #: Of a reject: at least one.
    violations: tuple[Violation, ...]
    #: Of an accept.
    reported: tuple[Reported, ...]
    notices: tuple[Notice, ...]
    #: The subjects of the accepted path, end entity first.
    path: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    #: What `hawser explain --format json` prints, without the members that the command adds
    #: (`commands`, `certificates`, `pinPlaces`). Of `explain` alone, as the next two.
    explanation: Optional[str] = field(repr=False)
    #: A line of JSON by which `hawser explain --receipt` makes the decision again, with its inputs.
    receipt: Optional[str] = field(repr=False)
    #: A line of JSON for the owners of the policy: for rejects, and for accepts with `reported`.
    report: Optional[str] = field(repr=False)

    def __bool__(self) -> bool:
        return self.accepted

    def check(self) -> Verdict:
        """Itself where it accepts; otherwise raises RejectError."""
        if not self.accepted:
            raise RejectError(self.host, self.port, self.violations, self.epoch)
        return self


@dataclass(frozen=True)
class Snapshot:
    """What is in force."""

    #: 1 at the start, and one more whenever the meaning of the policy changes.
    epoch: int
    revision: Optional[int]
    is_stale: bool
    loaded_at: datetime.datetime
    confirmed_at: datetime.datetime
    #: Tables refused, and times that there was none to judge, since the store was opened.
    refusals: int
    source_failures: int
    policy_digest: str
    file_digest: str
    #: Patterns whose hosts may be judged more strictly than by the table before.
    stricter_hosts: tuple[str, ...]
    stricter_default: bool
    #: `on`, `against-mistakes` (no key is trusted) or `off`, and then the message says why.
    rollback_protection: str
    rollback_message: str


@dataclass(frozen=True)
class State:
    """The condition of a store, for a health page."""

    name: str
    #: Where the table in force came from: a path, or `program`.
    origin: str
    #: `nothing`, `notified` or `polled`; the message says why changes are noticed later than asked.
    watching: str
    watching_message: str
    directory: str
    directory_message: str
    #: What failed last, a stable word; "" where nothing did since a table was accepted.
    refusal_reason: str
    refusal_message: str
    failed_at: Optional[datetime.datetime]
    is_stale: bool
    stale_after: Optional[datetime.datetime]
    expires: Optional[datetime.datetime]
    #: Since the store was opened.
    installed: int
    confirmed: int
    refused: int
    source_failed: int
    accepted: int
    rejected: int


def _instant(time: Time) -> int:
    if time is None:
        return c.NOW
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ValueError("the time has no time zone")
        return int(time.timestamp() // 1)
    return time


def _date(seconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)


class _Journal:
    """Takes what the library logs, from whichever thread, and logs it on a thread of its own.

    So no code of the program runs on a thread of the library, and a handler may call anything,
    Store.close included.
    """

    # Some reloads' worth. Further lines are counted and dropped: who logs may be judging.
    _MOST = 256

    def __init__(self, logger: logging.Logger) -> None:
        self._lines: queue.SimpleQueue[Optional[tuple[int, str]]] = queue.SimpleQueue()
        self._lost = 0
        # By number: the library never holds a pointer to what Python may free.
        self.number = next(_numbers)
        _journals[self.number] = self
        threading.Thread(
            target=self._write, args=(self._lines, logger), name="hawser-log", daemon=True
        ).start()

    def take(self, level: int, message: bytes) -> None:
        if self._lines.qsize() >= self._MOST:
            self._lost += 1
            return
        lost, self._lost = self._lost, 0
        if lost:
            self._lines.put((logging.WARNING, f"{lost} lines were not logged, as too many waited"))
        self._lines.put((_LEVELS.get(level, logging.ERROR), message.decode(errors="replace")))

    @staticmethod
    def _write(lines: queue.SimpleQueue[Optional[tuple[int, str]]], logger: logging.Logger) -> None:
        while (line := lines.get()) is not None:
            try:
                logger.log(line[0], "%s", line[1])
            except Exception:  # a handler that raises costs its line
                pass

    def end(self) -> None:
        _journals.pop(self.number, None)
        self._lines.put(None)


_numbers = itertools.count(1)
_journals: dict[int, _Journal] = {}


def _take(number: Optional[int], level: int, message: bytes) -> None:
    try:
        journal = _journals.get(number or 0)
        if journal is not None:
            journal.take(level, message)
    except Exception:  # nothing may leave a callback
        pass


# One for all stores, which lives as long as the program.
_LOG = c.LogFunction(_take)


def _close(handle: int, owner: int, journal: Optional[_Journal]) -> None:
    # The child's copy of a parent's store is not the child's to close.
    if os.getpid() == owner:
        # Waits for callbacks that run: they need the interpreter's lock, which ctypes gives up.
        c.library.hawser_store_close(handle)
        if journal is not None:
            journal.end()


class Store:
    """Holds the policy in force and replaces it while the program runs.

    A table that is damaged, unsigned where keys are trusted, or older than the one in force never
    replaces a good one: `state` and the log say why. Any thread may call anything at any time. A
    store that nothing refers to any more is closed, and so is every one when the program ends.

    After `fork` the child has no store of its parent's: every call fails, and connections are
    refused. Open one in each worker.

    :param table: the path of a file that `hawser compile` or `hawser sign` wrote, or its octets.
    :param name: for logs and metrics, and whose the state directory is.
    :param service: the service's name, for receipts and reports.
    :param trusted_keys: Ed25519 public keys, 32 octets each, or PEM; with any, a table must be
        signed by `threshold` of them.
    :param watch: follow the file as it is replaced, by rename; `poll` looks at intervals instead.
    :param refuse_waivers: load no table in which any rule has a waiver.
    :param state_directory: where the last good table and its revision are kept.
    :param require_state: open no store where that directory does not prove which revision was in
        force.
    :param staleness: what becomes of a table that nobody confirms for `stale_after` seconds.
    :param log_list: a log_list.json, version 3, newer than the table's.
    :param logger: is told of reloads, refusals and staleness; by default
        `logging.getLogger("hawser_tls")`; None: nobody.
    """

    def __init__(
        self,
        table: Union[str, os.PathLike[str], bytes],
        *,
        name: str = "",
        service: str = "",
        trusted_keys: Sequence[bytes] = (),
        threshold: int = 0,
        watch: bool = False,
        poll: bool = False,
        refuse_waivers: bool = False,
        state_directory: Union[None, str, os.PathLike[str]] = None,
        require_state: bool = False,
        staleness: Literal["never", "warn", "reject"] = "never",
        stale_after: int = 0,
        log_list: Optional[bytes] = None,
        logger: Optional[logging.Logger] = logging.getLogger("hawser_tls"),
    ) -> None:
        if poll and not watch:
            raise ValueError("`poll` says how to watch, and `watch` is not set")
        if not 0 <= threshold < 2**32:
            raise ValueError(f"the threshold is {threshold}")
        keys, key_count = c.octets_list(trusted_keys)
        flags = watch * _WATCH | poll * _POLL | refuse_waivers * _REFUSE_WAIVERS | require_state * _REQUIRE_STATE
        journal = None if logger is None else _Journal(logger)
        options = c.made(
            c.StoreOptions, name=c.name(name, "the name"), service=c.name(service, "the service"),
            trusted_keys=keys, trusted_key_count=key_count, threshold=threshold, flags=flags,
            state_directory=None if state_directory is None else os.fsencode(state_directory),
            staleness=_STALENESS[staleness], stale_after=stale_after, log_list=c.octets(log_list),
            log=c.LogFunction() if journal is None else _LOG,
            log_context=None if journal is None else journal.number)
        handle = c_uint64()
        try:
            if isinstance(table, bytes):
                if watch:
                    raise ValueError("octets cannot be watched: give a path, or call `reload`")
                c.call(c.library.hawser_store_open, table, len(table), byref(options), byref(handle))
            else:
                path = os.fsencode(table)
                if b"\0" in path:
                    raise ValueError("the path has a NUL octet")
                c.call(c.library.hawser_store_open_file, path, byref(options), byref(handle))
        except BaseException:
            # The log was called for the last time.
            if journal is not None:
                journal.end()
            raise
        self._handle: int = handle.value
        self._finalizer = weakref.finalize(self, _close, handle.value, os.getpid(), journal)

    def close(self) -> None:
        """Stops watching. Verdicts that are being made complete; later ones fail, so connections
        are refused. A second call does nothing."""
        self._finalizer()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hawser_tls.Store {c.text(c.library.hawser_store_text, self._handle, 15, 0) or 'closed'}>"

    def reload(self, table: Optional[bytes] = None) -> None:
        """Offers a table, or reads the file again. StoreError says why it was refused; the one
        before stays in force."""
        if table is None:
            c.call(c.library.hawser_store_reload_file, self._handle)
        else:
            c.call(c.library.hawser_store_reload, self._handle, table, len(table))

    def confirm(self) -> None:
        """Says that the table in force is still the newest, as its source answered: for staleness."""
        c.call(c.library.hawser_store_confirm, self._handle)

    def holds(self, epoch: int, host: str, port: int = 443, time: Time = None) -> bool:
        """Whether a connection that was accepted under an epoch may go on, as when a pool hands it
        out: no table since then judges the host more strictly."""
        octets = host.encode()
        return c.call(
            c.library.hawser_store_holds, self._handle, epoch, octets, len(octets), port, _instant(time),
            also=[c.REJECT]) == c.OK

    def epoch_descriptor(self) -> int:
        """A descriptor for `loop.add_reader`, readable when another epoch is in force: read it until
        it would block, then ask `snapshot`. Close it by os.close."""
        descriptor = c_int32()
        c.call(c.library.hawser_store_epoch_descriptor, self._handle, byref(descriptor))
        return descriptor.value

    @property
    def epoch(self) -> int:
        found = c.made(c.Snapshot)
        c.call(c.library.hawser_store_snapshot, self._handle, byref(found))
        return int(found.epoch)

    def _text(self, which: int, index: int = 0) -> str:
        return c.text(c.library.hawser_store_text, self._handle, which, index) or ""

    def snapshot(self) -> Snapshot:
        found = c.made(c.Snapshot)
        c.call(c.library.hawser_store_snapshot, self._handle, byref(found))
        hosts: list[str] = []
        while pattern := self._text(4, len(hosts)):
            hosts.append(pattern)
        return Snapshot(
            epoch=found.epoch, revision=found.revision if found.has_revision else None,
            is_stale=bool(found.is_stale), loaded_at=_date(found.loaded_at),
            confirmed_at=_date(found.confirmed_at), refusals=found.refusals,
            source_failures=found.source_failures, policy_digest=bytes(found.policy_digest).hex(),
            file_digest=bytes(found.file_digest).hex(), stricter_hosts=tuple(hosts),
            stricter_default=bool(found.stricter_default),
            rollback_protection=_ROLLBACK[found.rollback_protection], rollback_message=self._text(6))

    def state(self) -> State:
        found = c.made(c.State)
        c.call(c.library.hawser_store_state, self._handle, byref(found))
        return State(
            name=self._text(14), origin=self._text(15), watching=_WATCHING[found.watching],
            watching_message=self._text(8), directory=self._text(9), directory_message=self._text(11),
            refusal_reason=self._text(1), refusal_message=self._text(2),
            failed_at=_date(found.failed_at) if found.failure else None,
            is_stale=bool(found.is_stale),
            stale_after=_date(found.stale_after) if found.has_stale_after else None,
            expires=_date(found.expires) if found.has_expires else None, installed=found.installed,
            confirmed=found.confirmed, refused=found.refused, source_failed=found.source_failed,
            accepted=found.accepted, rejected=found.rejected)

    def metrics(self) -> str:
        """Counters and gauges in Prometheus' text format, version 0.0.4."""
        handle = c_uint64(self._handle)

        def function(buffer: Any, capacity: int, length: Any) -> int:
            return c.call(
                c.library.hawser_metrics, byref(handle), 1, buffer, capacity, length, also=[c.SMALL])

        return c.text(function) or ""

    def _demanded(self, host: bytes, port: int) -> Any:
        found = c.made(c.Demanded)
        c.call(
            c.library.hawser_store_demands, self._handle, host, len(host), port, c.NOW, byref(found), None,
            also=[c.REJECT])
        return found

    def evaluate(
        self,
        host: str,
        chain: Sequence[bytes],
        *,
        port: int = 443,
        time: Time = None,
        tls: Literal["unknown", "observed", "assumed", "cleartext"] = "observed",
        version: int = 0,
        cipher_suite: Optional[str] = None,
        group: Optional[str] = None,
        signature_scheme: Optional[str] = None,
        alpn: Optional[str] = None,
        staple: Optional[bytes] = None,
        sct_list: Optional[bytes] = None,
        ocsp_responses: Sequence[bytes] = (),
        crls: Sequence[bytes] = (),
        assumptions: Sequence[str] = (),
    ) -> Verdict:
        """Judges a chain that the program has from elsewhere. A reject is a Verdict too; StoreError
        means that there is none, and is no reason to trust.

        :param chain: DER of each certificate as the peer sent it, its own first.
        :param tls: how the parameters after it are known. Versions are those of the wire, 0x0304 is
            TLS 1.3; the names are IANA's; what is left out is unknown.
        :param assumptions: sentences for the explanation alone.
        """
        return self._judge(
            c.library.hawser_evaluate, host, chain, port, time, tls, version, cipher_suite, group,
            signature_scheme, alpn, staple, sct_list, ocsp_responses, crls, assumptions)

    def explain(
        self,
        host: str,
        chain: Sequence[bytes],
        *,
        port: int = 443,
        time: Time = None,
        tls: Literal["unknown", "observed", "assumed", "cleartext"] = "observed",
        version: int = 0,
        cipher_suite: Optional[str] = None,
        group: Optional[str] = None,
        signature_scheme: Optional[str] = None,
        alpn: Optional[str] = None,
        staple: Optional[bytes] = None,
        sct_list: Optional[bytes] = None,
        ocsp_responses: Sequence[bytes] = (),
        crls: Sequence[bytes] = (),
        assumptions: Sequence[str] = (),
    ) -> Verdict:
        """The same verdict with its explanation, receipt and report, at several times the cost."""
        return self._judge(
            c.library.hawser_explain, host, chain, port, time, tls, version, cipher_suite, group,
            signature_scheme, alpn, staple, sct_list, ocsp_responses, crls, assumptions)

    def _judge(
        self, function: Callable[..., int], host: str, chain: Sequence[bytes], port: int, time: Time,
        tls: str, version: int, cipher_suite: Optional[str], group: Optional[str],
        signature_scheme: Optional[str], alpn: Optional[str], staple: Optional[bytes],
        sct_list: Optional[bytes], ocsp_responses: Sequence[bytes], crls: Sequence[bytes],
        assumptions: Sequence[str],
    ) -> Verdict:
        octets = host.encode()
        certificates, certificate_count = c.octets_list(chain)
        responses, response_count = c.octets_list(ocsp_responses)
        lists, list_count = c.octets_list(crls)
        said = [c.name(text, "an assumption") for text in assumptions]
        for value, what in [(port, "port"), (version, "version")]:
            if not 0 <= value < 2**16:
                raise ValueError(f"the {what} is {value}")
        request = c.made(
            c.Request, host=c.octets(octets), port=port, tls=_TLS[tls], time=_instant(time),
            chain=certificates, chain_count=certificate_count, tls_version=version,
            cipher_suite=c.name(cipher_suite, "the cipher suite"), group=c.name(group, "the group"),
            signature_scheme=c.name(signature_scheme, "the signature scheme"),
            alpn=c.name(alpn, "the application protocol"), staple=c.octets(staple),
            sct_list=c.octets(sct_list), ocsp_responses=responses, ocsp_response_count=response_count,
            crls=lists, crl_count=list_count,
            assumptions=(ctypes.c_char_p * max(1, len(said)))(*said), assumption_count=len(said))
        outcome, number = c.made(c.Outcome), c_uint64()
        result = c.call(
            function, self._handle, byref(request), byref(outcome), byref(number), also=[c.REJECT])
        try:
            return _read(result, outcome, number.value, host, port, function is c.library.hawser_explain)
        finally:
            c.library.hawser_verdict_free(number.value)


# HAWSER_TEXT_* of verdicts.
_VIOLATION, _VIOLATION_ID = 16, 17
_REPORTED, _REPORTED_ID, _REPORTED_REASON, _NOTICE, _NOTICE_ID = 20, 21, 22, 23, 24
_WANTED_SOURCE, _WANTED_URL, _PATH_SUBJECT, _EXPLANATION, _RECEIPT, _REPORT = 25, 26, 27, 28, 30, 31


def _read(result: int, outcome: Any, number: int, host: str, port: int, explains: bool) -> Verdict:
    def text(which: int, index: int = 0) -> str:
        found = c.text(c.library.hawser_verdict_text, number, which, index)
        if found is None:
            raise StoreError("HAWSER_E_RANGE", "no-such-text", "the verdict lacks a text of its own")
        return found

    return Verdict(
        accepted=result == c.OK, host=host, port=port, time=_date(outcome.time), epoch=outcome.epoch,
        policy_digest=bytes(outcome.policy_digest).hex(),
        violations=tuple(
            Violation(text(_VIOLATION_ID, i), text(_VIOLATION, i)) for i in range(outcome.violation_count)),
        reported=tuple(
            Reported(text(_REPORTED_ID, i), text(_REPORTED, i), text(_REPORTED_REASON, i))
            for i in range(outcome.reported_count)),
        notices=tuple(Notice(text(_NOTICE_ID, i), text(_NOTICE, i)) for i in range(outcome.notice_count)),
        path=tuple(text(_PATH_SUBJECT, i) for i in range(outcome.path_count)),
        wanted=tuple(
            Wanted(text(_WANTED_SOURCE, i), text(_WANTED_URL, i)) for i in range(outcome.wanted_count)),
        explanation=text(_EXPLANATION) if explains else None,
        receipt=text(_RECEIPT) if explains else None, report=text(_REPORT) if explains else None)

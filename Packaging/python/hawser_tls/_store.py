"""The policy in force, and verdicts by it."""

from __future__ import annotations

import _thread
import collections
import ctypes
import datetime
import itertools
import logging
import os
import socket
import threading
import weakref
from collections.abc import Callable, Sequence
from ctypes import byref, c_int32
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from . import _library as c
from ._errors import RejectError, StoreError, Violation, remember

Time = int | datetime.datetime | None

# HAWSER_STORE_*, HAWSER_FOLLOW_* and HAWSER_STALE_*.
_REFUSE_WAIVERS = 1
_REQUIRE_STATE: dict[bool | str, int] = {False: 0, True: 2, "at-start": 4}
_FOLLOW: dict[bool | str | None, int] = {None: 0, True: 0, "poll": 1, False: 2}
_STALENESS = {"never": 0, "warn": 1, "reject": 2}
# HAWSER_TLS_*.
_TLS = {"unknown": 0, "observed": 1, "assumed": 3, "cleartext": 4}
# HAWSER_ROLLBACK_*, HAWSER_WATCHING_*.
_ROLLBACK: dict[int, Literal["on", "against-mistakes", "off"]] = {0: "off", 1: "on", 2: "against-mistakes"}
_WATCHING: dict[int, Literal["nothing", "notified", "polled"]] = {0: "nothing", 1: "notified", 2: "polled"}
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
    #: (`commands`, `certificates`, `pinPlaces`). Only of `explain`, as the next two.
    explanation: str | None = field(repr=False)
    #: A line of JSON by which `hawser explain --receipt` makes the decision again, with its inputs.
    receipt: str | None = field(repr=False)
    #: A line of JSON for the owners of the policy: for rejects, and for accepts with `reported`.
    report: str | None = field(repr=False)
    #: Of a reject: one line for a log, with the violations and then the words `side=`, `rule=`,
    #: `owner=`, `id=` and `next=`, which `RejectError` has as attributes. None for an accept.
    reasons: str | None = None
    #: The id of the decision, which its receipt and its report have too: of a reject, and of
    #: `explain`; None otherwise.
    id: str | None = None

    def __bool__(self) -> bool:
        return self.accepted

    def raise_for_verdict(self) -> Verdict:
        """Itself where it accepts; otherwise raises RejectError."""
        if not self.accepted:
            raise RejectError(self.host, self.port, self.violations, self.epoch, self.reasons)
        return self


@dataclass(frozen=True)
class Snapshot:
    """The policy in force."""

    #: 1 at the start, and one more whenever the meaning of the policy changes.
    epoch: int
    revision: int | None
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
    rollback_protection: Literal["on", "against-mistakes", "off"]
    rollback_message: str | None


@dataclass(frozen=True)
class State:
    """The condition of a store, for a health page."""

    name: str
    #: Where the table in force came from: a path, or `program`.
    origin: str
    #: `nothing`, `notified` or `polled`; the message says why changes are noticed later than asked.
    watching: Literal["nothing", "notified", "polled"]
    watching_message: str | None
    #: None where the store was given none; the message says why it is not used.
    directory: str | None
    directory_message: str | None
    #: None where the store was given none; the message says why its filters cannot be asked.
    crlite_directory: str | None
    crlite_message: str | None
    #: What failed last, a stable word; None where nothing did since a table was accepted.
    refusal_reason: str | None
    refusal_message: str | None
    failed_at: datetime.datetime | None
    is_stale: bool
    stale_after: datetime.datetime | None
    expires: datetime.datetime | None
    #: Since the store was opened.
    installed: int
    confirmed: int
    refused: int
    source_failed: int
    accepted: int
    rejected: int


def _key(host: str) -> str:
    """A host as names are compared in DNS."""
    return host.lower().removesuffix(".")


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


class _Writer:
    """A thread that logs what journals have taken.

    The thread waits in `recv` of a socket: where gevent or eventlet has taken the place of threads
    and sockets, it is a greenlet that waits like any other.
    """

    def __init__(self) -> None:
        self.journals = 0
        self._woken: collections.deque[_Journal] = collections.deque()
        self._reader, self._writer = socket.socketpair()
        self._to = self._writer.fileno()
        # The library's threads never wait for a reader.
        os.set_blocking(self._to, False)
        # gevent: a greenlet that waits for a line does not keep the program's loop alive.
        event = getattr(self._reader, "_read_event", None)
        if event is not None and hasattr(event, "ref"):
            event.ref = False
        threading.Thread(target=self._write, name="hawser-log", daemon=True).start()

    def wake(self, journal: _Journal) -> None:
        self._woken.append(journal)
        try:
            os.write(self._to, b".")
        except OSError:  # it is full, so the reader wakes anyway; or over
            pass

    def _write(self) -> None:
        with self._reader:
            while True:
                try:
                    octets = self._reader.recv(64)
                except Exception:  # `forget` closed it
                    return
                while self._woken:
                    self._woken.popleft().write()
                if not octets:
                    return

    def end(self) -> None:
        """What waits is logged still."""
        self._to = -1
        self._writer.close()

    def forget(self) -> None:
        """In a child after fork: the thread is the parent's, and what its socket has is, too."""
        self.end()
        self._reader.close()


# Shared by all stores; None while no store logs.
_writer: _Writer | None = None


def _join() -> _Writer:
    """The writer for a new journal. The caller has `_gate`."""
    global _writer
    if socket.socket.__module__ != "socket" or getattr(_thread.start_new_thread, "__module__", "") != "_thread":
        # gevent or eventlet: a greenlet is of the thread that made it, and costs little.
        return _Writer()
    if _writer is None:
        _writer = _Writer()
    return _writer


class _Journal:
    """Takes what the library logs of a store, from whichever thread, and logs it on a thread of the
    package's.

    So no code of the program runs on a thread of the library, and a handler may call anything,
    Store.close included. The library's own threads, which know no greenlets, put a line into a deque
    and write an octet, and take no lock.
    """

    # Some reloads' worth. Further lines are counted and dropped: who logs may be judging.
    _MOST = 256

    def __init__(self, logger: logging.Logger | None, after: Callable[[], None]) -> None:
        self._lines: collections.deque[tuple[int, str]] = collections.deque()
        self._lost = 0
        self._logger, self._after = logger, after
        # By number: the library never holds a pointer to what Python may free.
        self.number = next(_numbers)
        with _gate:
            self._writer = _join()
            self._writer.journals += 1
            _journals[self.number] = self

    def take(self, level: int, message: bytes) -> None:
        if len(self._lines) >= self._MOST:
            self._lost += 1
            return
        lost, self._lost = self._lost, 0
        if lost:
            self._lines.append((logging.WARNING, f"{lost} lines were not logged, as too many waited"))
        self._lines.append((_LEVELS.get(level, logging.ERROR), message.decode(errors="replace")))
        self._writer.wake(self)

    def wake(self) -> None:
        """Lets `after` be called, unless the store is closed."""
        with _gate:
            if self.number in _journals:
                self._writer.wake(self)

    def write(self) -> None:
        while self._lines:
            level, line = self._lines.popleft()
            if self._logger is not None:
                _log(self._logger, level, line)
        self._after()

    def end(self) -> None:
        """The lines that wait are logged still. The store is closed, or was not opened."""
        global _writer
        with _gate:
            if _journals.pop(self.number, None) is None:
                return
            self._writer.wake(self)
            self._writer.journals -= 1
            if self._writer.journals == 0:
                self._writer.end()
                if _writer is self._writer:
                    _writer = None

    def forget(self) -> None:
        """In a child after fork."""
        _journals.pop(self.number, None)
        self._writer.forget()


def _log(logger: logging.Logger, level: int, line: str) -> None:
    try:
        logger.log(level, "%s", line)
    except Exception:  # a handler that raises costs its line
        pass


_numbers = itertools.count(1)
_journals: dict[int, _Journal] = {}


def _take(number: int | None, level: int, message: bytes) -> None:
    try:
        journal = _journals.get(number or 0)
        if journal is not None:
            journal.take(level, message)
    except Exception:  # nothing may leave a callback
        pass


# One for all stores, which lives as long as the program. A store without a journal has it too: it
# takes the lines, and nobody logs them.
_LOG = c.LogFunction(_take)


class _Settings:
    """How a store was opened."""

    def __init__(self, **names: Any) -> None:
        self._names = names

    def options(self, journal: _Journal | None, *, keeps_state: bool) -> Any:
        """The struct of the library; a child's store keeps no state, which is its parent's."""
        names = self._names
        flags = names["flags"] if keeps_state else names["flags"] & ~sum(_REQUIRE_STATE.values())
        keys, key_count = c.octets_list(names["trusted_keys"], "`trusted_keys`")
        directory, filters = names["state_directory"], names["crlite_directory"]
        return c.made(
            c.StoreOptions, name=c.name(names["name"], "the name"), service=c.name(names["service"], "the service"),
            trusted_keys=keys, trusted_key_count=key_count, threshold=names["threshold"], flags=flags,
            state_directory=None if directory is None or not keeps_state else os.fsencode(directory),
            staleness=_STALENESS[names["staleness"]], stale_after=names["stale_after"],
            log_list=c.octets(names["log_list"]),
            crlite_directory=None if filters is None else os.fsencode(filters),
            follow=names["follow"], log=_LOG, log_context=None if journal is None else journal.number)


class _Live(NamedTuple):
    """A store of the library, which belongs to this process."""

    handle: c.StoreHandle
    process: int
    journal: _Journal | None


class _Inherited(NamedTuple):
    """What was in force when the process forked."""

    table: bytes
    snapshot: Any


def _close(live: _Live) -> None:
    # The child's copy of a parent's store is not the child's to close.
    if os.getpid() == live.process:
        with _gate:
            # Waits for callbacks that run: they need the interpreter's lock, which ctypes gives up.
            c.library.hawser_store_close(live.handle)
        if live.journal is not None:
            live.journal.end()


# No thread of Python opens, reloads or closes a store while the process forks: a child has the
# locks of the library as they were.
_gate = threading.RLock()
_stores: weakref.WeakSet[Store] = weakref.WeakSet()


def _before_fork() -> None:
    _gate.acquire()
    for store in list(_stores):
        store._note()


def _after_fork_in_parent() -> None:
    for store in list(_stores):
        if store._live.process == os.getpid():
            store._inherited = None
    _gate.release()


def _after_fork_in_child() -> None:
    global _writer
    for journal in list(_journals.values()):
        journal.forget()
    _writer = None
    _gate.release()


os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


class Store:
    """Holds the policy in force and replaces it while the program runs.

    A table that is damaged, unsigned where keys are trusted, or older than the one in force never
    replaces a good one: `state` and the log say why. Any thread may call anything at any time. A
    store that nothing refers to any more is closed, and so is every one when the program ends.

    A store is not pickled and not copied: it stands for a policy that this process follows. Another
    process opens its own.

    After `fork` a child goes on with the policy that was in force at the fork: at its first use there
    the store opens itself again, with a line of log; one that watches reads its file and follows it.
    The state directory stays the parent's.

    :param table: the path of a file that `hawser compile` or `hawser sign` wrote, or its octets.
    :param name: for logs and metrics, and whose the state directory is; None: "default".
    :param service: the service's name, for receipts and reports.
    :param trusted_keys: Ed25519 public keys, 32 octets each, or PEM; with any, a table must be
        signed by `threshold` of them; None: by one.
    :param watch: how the file is followed as it is replaced, by rename: by the system's notices by
        default; "poll" looks at it each five seconds, where notices do not come; False reads it again
        only in `reload`. Octets are not followed.
    :param refuse_waivers: load no table in which any rule has a waiver.
    :param state_directory: where the last good table and its revision are kept.
    :param require_state: open no store where that directory does not prove which revision was in
        force, and refuse a newer table whose revision cannot be recorded there (`not-recorded`; one of
        a watched file is tried again). "at-start" demands it of the opening alone: later a newer table
        is in force all the same, and `rollback_protection` is off then.
    :param staleness: the fate of a table that is not confirmed for `stale_after` seconds.
    :param log_list: a log_list.json, version 3, newer than the table's.
    :param crlite_directory: a folder of CRLite filters, as `upki fetch` fills it, for rules that ask
        `crlite`; None: these rules find no filters. A folder that cannot be used is logged, and is
        `state().crlite_message`; verdicts then go by the rule's `revocation.causes`.
    :param logger: logs reloads, refusals and staleness, and each connection that is refused;
        by default `logging.getLogger("hawser_tls")`; None: nobody.
    :param on_change: is called with the snapshot when another epoch has come into force, as to close
        pooled connections, on a thread of its own, one call at a time. Its exceptions are logged.
    """

    _live: _Live
    _inherited: _Inherited | None = None
    _is_closed = False

    def __init__(
        self,
        table: str | os.PathLike[str] | bytes,
        *,
        name: str | None = None,
        service: str | None = None,
        trusted_keys: Sequence[bytes] = (),
        threshold: int | None = None,
        watch: bool | Literal["poll"] | None = None,
        refuse_waivers: bool = False,
        state_directory: str | os.PathLike[str] | None = None,
        require_state: bool | Literal["at-start"] = False,
        staleness: Literal["never", "warn", "reject"] = "never",
        stale_after: int | None = None,
        log_list: bytes | None = None,
        crlite_directory: str | os.PathLike[str] | None = None,
        logger: logging.Logger | None = logging.getLogger("hawser_tls"),  # noqa: B008  The one of the module.
        on_change: Callable[[Snapshot], object] | None = None,
    ) -> None:
        if watch not in _FOLLOW:
            raise ValueError(f"`watch` is {watch!r}, and may be True, False or 'poll'")
        if threshold is not None and not 0 < threshold < 2**32:
            raise ValueError(f"the threshold is {threshold}")
        if staleness not in _STALENESS:
            raise ValueError(f"`staleness` is {staleness!r}, and may be {', '.join(map(repr, _STALENESS))}")
        if (stale_after is None) != (staleness == "never"):
            raise ValueError(f"`staleness` is {staleness!r}, and `stale_after` {stale_after}: give both, or none")
        if require_state not in _REQUIRE_STATE:
            raise ValueError(f"`require_state` is {require_state!r}, and may be True, False or 'at-start'")
        if on_change is not None and not callable(on_change):
            raise TypeError(f"`on_change` is called with a snapshot, and {type(on_change).__name__} cannot be")
        flags = refuse_waivers * _REFUSE_WAIVERS | _REQUIRE_STATE[require_state]
        # Looked at before it is copied: one key is a sequence, too.
        c.octets_list(trusted_keys, "`trusted_keys`")
        self._settings = _Settings(
            name=name, service=service, trusted_keys=tuple(trusted_keys), threshold=threshold or 0, flags=flags,
            follow=_FOLLOW[watch], state_directory=state_directory, staleness=staleness,
            stale_after=stale_after or 0, log_list=log_list, crlite_directory=crlite_directory)
        self._logger, self._on_change = logger, on_change
        self._rejections: dict[str, RejectError] = {}
        self._path: bytes | None = None
        if isinstance(table, bytes):
            if watch:
                raise ValueError("octets cannot be watched: give a path, or call `reload`")
            octets = table

            def begin(options: Any, handle: Any) -> None:
                c.call(c.library.hawser_store_open, octets, len(octets), options, handle)
        else:
            path = self._path = os.fsencode(table)
            if b"\0" in path:
                raise ValueError("the path has a NUL octet")

            def begin(options: Any, handle: Any) -> None:
                c.call(c.library.hawser_store_open_file, path, options, handle)

        self._told = 1
        self._is_telling = False
        self._open(begin, keeps_state=True)
        _stores.add(self)

    def _open(self, begin: Callable[[Any, Any], None], *, keeps_state: bool) -> None:
        with _gate:
            journal = None
            if self._logger is not None or self._on_change is not None:
                # No circle: the thread does not keep a store that nothing else refers to.
                reference = weakref.ref(self)

                def after() -> None:
                    store = reference()
                    if store is not None:
                        store._tell_change()

                journal = _Journal(self._logger, after)
            handle = c.StoreHandle()
            try:
                begin(byref(self._settings.options(journal, keeps_state=keeps_state)), byref(handle))
            except BaseException:
                # The log was called for the last time.
                if journal is not None:
                    journal.end()
                raise
            live = _Live(handle, os.getpid(), journal)
            self._finalizer = weakref.finalize(self, _close, live)
            # Last: the journal's thread may look.
            self._live = live
            if journal is not None:
                # Another epoch may have come before `_live`.
                journal.wake()

    def _tell_change(self) -> None:
        """Lets `on_change` be called where another epoch has come into force. Only the writer's thread
        does, which serves other stores too: so a thread of its own makes the call."""
        if self._on_change is None or self._is_telling or "_live" not in self.__dict__:
            return
        try:
            if self.epoch == self._told:
                return
        except StoreError:  # it was closed meanwhile
            return
        self._is_telling = True
        try:
            threading.Thread(target=self._call_on_change, name="hawser-change", daemon=True).start()
        except RuntimeError:  # the system has no thread left
            self._call_on_change()

    def _call_on_change(self) -> None:
        journal = self._live.journal
        try:
            snapshot = self.snapshot()
            if snapshot.epoch != self._told and self._on_change is not None:
                self._told = snapshot.epoch
                self._on_change(snapshot)
        except StoreError:  # it was closed meanwhile
            pass
        except Exception:
            if self._logger is not None:
                self._logger.exception("`on_change` failed")
        self._is_telling = False
        # Another epoch may have come meanwhile.
        if journal is not None:
            journal.wake()

    # ---------------------------------------------------------------------------- other processes

    def _note(self) -> None:
        """Before a fork: what a child will need to go on."""
        if self._live.process != os.getpid():
            return  # Not used in this process: its inheritance goes on to the next.
        try:
            snapshot = c.made(c.Snapshot)
            c.call(c.library.hawser_store_snapshot, self._live.handle, byref(snapshot))
            self._inherited = _Inherited(c.table_in_force(self._live.handle), snapshot)
        except Exception:  # it is closed, or has no memory left: the child has no policy then
            self._inherited = None

    @property
    def _handle(self) -> c.StoreHandle:
        """The library's store in this process."""
        live = self._live
        if live.process != os.getpid():
            return self._resumed()
        if not self._finalizer.alive:
            raise StoreError("HAWSER_E_MISUSE", "closed", "the store is closed")
        return live.handle

    def _resumed(self) -> c.StoreHandle:
        with _gate:
            # Another thread may have done it.
            if self._live.process == os.getpid():
                return self._live.handle
            inherited = self._inherited
            if self._is_closed or inherited is None:
                raise StoreError(
                    "HAWSER_E_MISUSE", "forked",
                    "the store is of the process that forked this one, and it was closed, or nobody told Python of the "
                    "fork: open a store in this process")

            def begin(options: Any, handle: Any) -> None:
                c.call(
                    c.library.hawser_store_resume, inherited.table, len(inherited.table), byref(inherited.snapshot),
                    self._path, options, handle)

            self._told, self._is_telling = int(inherited.snapshot.epoch), False
            self._open(begin, keeps_state=False)
            self._inherited = None
            return self._live.handle

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(
            "a hawser_tls.Store is neither pickled nor copied, as it is a policy that this process follows: one store "
            "serves any number of threads and contexts, and another process opens its own, from the same table and "
            "arguments (in a pool, by its `initializer`)")

    # -------------------------------------------------------------------------------- refusals

    # Hosts whose last refusal is kept.
    _MOST_REJECTIONS = 1024

    def _refused(self, refusal: RejectError) -> None:
        """A connection was refused: a line of log, and kept for `last_rejection`."""
        remember(refusal)
        kept, host = self._rejections, _key(refusal.host)
        # Single steps of a dictionary, without a lock that a fork could leave held.
        kept.pop(host, None)
        kept[host] = refusal.again()
        while len(kept) > self._MOST_REJECTIONS:
            try:
                kept.pop(next(iter(kept)), None)
            except (StopIteration, RuntimeError):  # another thread was quicker
                break
        if self._logger is not None:
            line = "".join(letter if letter.isprintable() else f"\\u{{{ord(letter):x}}}" for letter in str(refusal))
            _log(self._logger, logging.WARNING, line)

    def last_rejection(self, host: str) -> RejectError | None:
        """Why the last connection to a host that was refused was, in this process: for libraries that
        keep nothing of an error. None where none was; kept are the last 1,024 hosts."""
        refusal = self._rejections.get(_key(host))
        return None if refusal is None else refusal.again()

    def close(self) -> None:
        """Stops watching. Verdicts that are being made complete; later ones fail, so connections
        are refused. A second call does nothing."""
        self._is_closed = True
        self._finalizer()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            origin = c.text(c.library.hawser_store_text, self._handle, 15, 0)
        except StoreError:
            origin = None
        return f"<hawser_tls.Store {origin or 'closed'}>"

    def reload(self, table: bytes | None = None) -> None:
        """Offers a table, or reads the file again. StoreError says why it was refused; the one
        before stays in force."""
        with _gate:
            if table is None:
                c.call(c.library.hawser_store_reload_file, self._handle)
            else:
                c.call(c.library.hawser_store_reload, self._handle, table, len(table))

    def confirm(self) -> None:
        """Confirms that the table in force is still the newest, as its source answered."""
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

    def _text(self, which: int, index: int = 0) -> str | None:
        return c.text(c.library.hawser_store_text, self._handle, which, index)

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
            name=self._text(14) or "default", origin=self._text(15) or "program", watching=_WATCHING[found.watching],
            watching_message=self._text(8), directory=self._text(9), directory_message=self._text(11),
            crlite_directory=self._text(16), crlite_message=self._text(18),
            refusal_reason=self._text(1), refusal_message=self._text(2),
            failed_at=_date(found.failed_at) if found.failure else None,
            is_stale=bool(found.is_stale),
            stale_after=_date(found.stale_after) if found.has_stale_after else None,
            expires=_date(found.expires) if found.has_expires else None, installed=found.installed,
            confirmed=found.confirmed, refused=found.refused, source_failed=found.source_failed,
            accepted=found.accepted, rejected=found.rejected)

    def metrics(self) -> str:
        """Counters and gauges in Prometheus' text format, version 0.0.4."""
        handle = self._handle

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
        version: int | None = None,
        cipher_suite: str | None = None,
        group: str | None = None,
        signature_scheme: str | None = None,
        alpn: str | None = None,
        staple: bytes | None = None,
        sct_list: bytes | None = None,
        ocsp_responses: Sequence[bytes] = (),
        crls: Sequence[bytes] = (),
        assumptions: Sequence[str] = (),
    ) -> Verdict:
        """Judges a chain that the program has from elsewhere. A reject is a Verdict too. StoreError
        means that there is none: do not trust the server.

        :param chain: DER of each certificate as the peer sent it, its own first.
        :param tls: how the parameters after it are known. Versions are as on the wire, 0x0304 is
            TLS 1.3; the names are IANA's; omitted parameters are unknown.
        :param assumptions: sentences that only the explanation has.
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
        version: int | None = None,
        cipher_suite: str | None = None,
        group: str | None = None,
        signature_scheme: str | None = None,
        alpn: str | None = None,
        staple: bytes | None = None,
        sct_list: bytes | None = None,
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
        tls: str, version: int | None, cipher_suite: str | None, group: str | None,
        signature_scheme: str | None, alpn: str | None, staple: bytes | None,
        sct_list: bytes | None, ocsp_responses: Sequence[bytes], crls: Sequence[bytes],
        assumptions: Sequence[str],
    ) -> Verdict:
        octets = host.encode()
        certificates, certificate_count = c.octets_list(chain, "the certificates of `chain`")
        responses, response_count = c.octets_list(ocsp_responses, "`ocsp_responses`")
        lists, list_count = c.octets_list(crls, "`crls`")
        said = [c.name(text, "an assumption") for text in assumptions]
        for value, what in [(port, "port"), (version, "version")]:
            if value is not None and not 0 <= value < 2**16:
                raise ValueError(f"the {what} is {value}")
        request = c.made(
            c.Request, host=c.octets(octets), port=port, tls=_TLS[tls], time=_instant(time),
            chain=certificates, chain_count=certificate_count, tls_version=version or 0,
            cipher_suite=c.name(cipher_suite, "the cipher suite"), group=c.name(group, "the group"),
            signature_scheme=c.name(signature_scheme, "the signature scheme"),
            alpn=c.name(alpn, "the application protocol"), staple=c.octets(staple),
            sct_list=c.octets(sct_list), ocsp_responses=responses, ocsp_response_count=response_count,
            crls=lists, crl_count=list_count,
            assumptions=(ctypes.c_char_p * max(1, len(said)))(*said), assumption_count=len(said))
        outcome, verdict = c.made(c.Outcome), c.VerdictHandle()
        result = c.call(
            function, self._handle, byref(request), byref(outcome), byref(verdict), also=[c.REJECT])
        try:
            return _read(result, outcome, verdict, host, port, function is c.library.hawser_explain)
        finally:
            c.library.hawser_verdict_free(verdict)


def explain(
    store: Store,
    host: str,
    chain: Sequence[bytes],
    *,
    port: int = 443,
    time: Time = None,
    tls: Literal["unknown", "observed", "assumed", "cleartext"] = "observed",
    version: int | None = None,
    cipher_suite: str | None = None,
    group: str | None = None,
    signature_scheme: str | None = None,
    alpn: str | None = None,
    staple: bytes | None = None,
    sct_list: bytes | None = None,
    ocsp_responses: Sequence[bytes] = (),
    crls: Sequence[bytes] = (),
    assumptions: Sequence[str] = (),
) -> Verdict:
    """`store.explain(…)`: a verdict with its explanation, receipt and report."""
    return store.explain(
        host, chain, port=port, time=time, tls=tls, version=version, cipher_suite=cipher_suite, group=group,
        signature_scheme=signature_scheme, alpn=alpn, staple=staple, sct_list=sct_list,
        ocsp_responses=ocsp_responses, crls=crls, assumptions=assumptions)


# HAWSER_TEXT_* of verdicts.
_VIOLATION, _VIOLATION_ID = 16, 17
_REPORTED, _REPORTED_ID, _REPORTED_REASON, _NOTICE, _NOTICE_ID = 20, 21, 22, 23, 24
_WANTED_SOURCE, _WANTED_URL, _PATH_SUBJECT, _EXPLANATION, _RECEIPT, _REPORT = 25, 26, 27, 28, 30, 31
_REJECT_REASONS, _DECISION_ID = 36, 41


def _read(result: int, outcome: Any, verdict: c.VerdictHandle, host: str, port: int, explains: bool) -> Verdict:
    def text(which: int, index: int = 0) -> str:
        found = c.text(c.library.hawser_verdict_text, verdict, which, index)
        if found is None:
            raise StoreError("HAWSER_E_RANGE", "no-such-text", "the verdict lacks a text of its own")
        return found

    return Verdict(
        accepted=result == c.OK and outcome.decision == c.ACCEPT, host=host, port=port,
        time=_date(outcome.time), epoch=outcome.epoch,
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
        receipt=text(_RECEIPT) if explains else None, report=text(_REPORT) if explains else None,
        reasons=text(_REJECT_REASONS) if result == c.REJECT else None,
        id=text(_DECISION_ID) if result == c.REJECT or explains else None)

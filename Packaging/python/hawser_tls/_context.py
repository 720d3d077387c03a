"""An `ssl.SSLContext` whose connections the policy judges.

Two ways, and one gate before both:

- *Attached*: the drop-in judges inside the handshake (`_attachment.py`).
- *Not attached*: the handshake is made without verification, and the chain that it brought is judged
  before the connection is let go.

The gate: in the place of `_ssl`'s object, which does all of a connection's reading and writing, a
connection has a `Gate`, and gets the object itself when the policy has accepted. So every way to a
byte leads through the verdict, whichever method, library or event loop asks for it.

gevent and eventlet put classes of their own in the place of `ssl.SSLContext` and `ssl.SSLSocket`,
before this module is imported or after. So connections are made as the `ssl` of the moment makes
them, and the class of judged sockets is made for the `ssl.SSLSocket` of the moment.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import weakref
from collections.abc import Callable
from typing import Any

from . import _attachment, _suites
from ._errors import RejectError, StoreError, Violation
from ._store import Store

_log = logging.getLogger("hawser_tls")

# What a library may look at before the verdict: none of it hands over data of the connection.
_LOOKS = frozenset({
    "cipher", "compression", "context", "get_channel_binding", "get_unverified_chain",
    "get_verified_chain", "getpeercert", "group", "owner", "pending", "selected_alpn_protocol",
    "selected_npn_protocol", "server_hostname", "server_side", "session", "session_reused",
    "shared_ciphers", "version",
})  # fmt: skip


_CHANGED = "the policy changed again and again during the handshake: connect again"


class Gate:
    """Stands where `_ssl`'s object of a connection would, until the policy has accepted."""

    def __init__(self, raw: Any, context: SSLContext, host: str, owner: Any) -> None:
        self._raw, self._context, self._host = raw, context, host
        # The owner has the gate: no circle, so that a dropped connection is closed at once.
        self._owner: Callable[[], Any] = (lambda: None) if owner is None else weakref.ref(owner)
        self._lock = threading.RLock()
        self._accepted = False
        self._refusal: RejectError | None = None
        self._port = 443 if context.port is None else context.port
        self._is_begun = False
        self._handshake: Any = None
        #: Of the verdict that accepted.
        self.epoch = 0

    def do_handshake(self) -> None:
        """A step of the handshake; what `_ssl`'s own raises while it waits. RejectError, now and
        whenever it is called again, where the policy does not accept."""
        with self._lock:
            if self._accepted:
                return
            if self._refusal is not None:
                raise self._refusal.again()
            try:
                self._judge()
            except RejectError as refusal:
                self._refusal = refusal
                self._context.store._refused(refusal)
                raise
            self._accepted = True
            owner = self._owner()
            if not isinstance(owner, _Judged):
                # gevent hands over the socket below, which knows the one above.
                owner = getattr(owner, "_sslsock", lambda: None)()
            if isinstance(owner, _Judged):
                owner._hawser_accept(self, self._raw)

    def read(self, *arguments: Any) -> Any:
        self.do_handshake()
        return self._raw.read(*arguments)

    def write(self, *arguments: Any) -> Any:
        self.do_handshake()
        return self._raw.write(*arguments)

    def holds(self) -> bool:
        """Whether the policy in force would accept what an earlier one has accepted."""
        store, port = self._context.store, self._context.port
        if not self._accepted:
            return False
        try:
            if port is None and store._demanded(self._host.encode(), self._port).depends_on_port:
                return False
            return store.holds(self.epoch, self._host, self._port)
        except StoreError:
            return False

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a judged connection is neither pickled nor copied")

    def shutdown(self) -> Any:
        # Hands out the socket for clear text.
        self.do_handshake()
        return self._raw.shutdown()

    def __getattr__(self, name: str) -> Any:
        # A copy has no `_raw` yet.
        raw = self.__dict__.get("_raw")
        if name not in _LOOKS and not self.__dict__.get("_accepted"):
            raise AttributeError(f"a connection has no `{name}` before the policy has accepted it")
        return getattr(raw, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "session":
            return  # Never offered: see SSLContext.
        if not name.startswith("_") and name != "epoch":
            raise AttributeError(f"`{name}` of a judged connection is not set")
        object.__setattr__(self, name, value)

    # ------------------------------------------------------------------------------------ judging

    def _refuse(self, *violations: Violation, epoch: int = 0, reasons: str | None = None) -> RejectError:
        return RejectError(self._host, self._context.port, violations, epoch, reasons)

    def _unjudged(self, why: object) -> RejectError:
        return self._refuse(Violation("no-verdict", str(why)))

    def _port_unknown(self, epoch: int) -> RejectError:
        return self._refuse(
            Violation(
                "port-unknown",
                "the policy may decide this host by another rule at another port, and `ssl` does not say which "
                "port a connection is for: give it, as hawser_tls.SSLContext(store, port=443)"),
            epoch=epoch)

    def _need_no_port(self) -> int:
        """The epoch in force; RejectError where the host's rule hangs on a port that nobody said."""
        try:
            demanded = self._context.store._demanded(self._host.encode(), self._port)
        except StoreError as error:
            raise self._unjudged(error) from None
        if demanded.depends_on_port:
            raise self._port_unknown(demanded.epoch)
        return int(demanded.epoch)

    def _judge(self) -> None:
        """Makes a step of the handshake, and judges when it is over. Returns after an accept."""
        if self._context.port is None and not self._is_begun:
            # Before anything is sent.
            self._need_no_port()
        self._is_begun = True
        if self._context.is_attached:
            self._judge_attached()
        else:
            self._judge_chain()

    def _judge_attached(self) -> None:
        try:
            self._context._settle()
        except (StoreError, RuntimeError) as error:
            raise self._unjudged(error) from None
        if self._handshake is None:
            try:
                self._handshake = self._context._handshake(self._host, self._port)
            except (RuntimeError, ValueError) as error:
                raise self._unjudged(error) from None
        try:
            self._handshake.run(self._raw.do_handshake)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except ssl.SSLError as error:
            _, epoch, failure, _, reasons = self._handshake.answer()
            if failure:
                raise self._of_drop_in(failure, epoch, reasons) from error
            raise
        accepted, epoch, failure, matters, reasons = self._handshake.answer()
        if not accepted:
            raise self._of_drop_in(failure or "no-verdict: the handshake was not judged", epoch, reasons)
        if self._context.port is None and matters != 0:
            raise self._port_unknown(epoch) if matters == 1 else self._unjudged(_CHANGED)
        self.epoch = epoch

    def _of_drop_in(self, failure: str, epoch: int, reasons: str) -> RejectError:
        violations = []
        for line in failure.split("\n"):
            id, _, sentence = line.partition(": ")
            violations.append(Violation(id, sentence))
        return self._refuse(*violations, epoch=epoch, reasons=reasons)

    def _judge_chain(self) -> None:
        self._raw.do_handshake()
        version, cipher = self._raw.version(), self._raw.cipher()
        # Under which table the port does not matter, and the same table's verdict: another one may
        # come into force in between, and then both are asked again.
        for _ in range(16):
            epoch = None if self._context.port is not None else self._need_no_port()
            try:
                verdict = self._context.store.evaluate(
                    self._host, chain_of(self._raw), port=self._port, version=_suites.VERSIONS.get(version),
                    cipher_suite=_suites.standard_name(cipher[0]) if cipher else None,
                    alpn=self._raw.selected_alpn_protocol())
            except (StoreError, ValueError) as error:
                raise self._unjudged(error) from None
            if not verdict.accepted:
                raise self._refuse(*verdict.violations, epoch=verdict.epoch, reasons=verdict.reasons)
            if epoch is None or epoch == verdict.epoch:
                self.epoch = verdict.epoch
                return
        raise self._unjudged(_CHANGED)


def chain_of(raw: Any) -> list[bytes]:
    """DER of what the server sent. The method is public from 3.13, on `ssl`'s classes; `_ssl`'s
    object has it since 3.10."""
    import _ssl

    return [certificate.public_bytes(_ssl.ENCODING_DER) for certificate in raw.get_unverified_chain() or ()]


class _Ended:
    """Stands where the object of a connection was whose handshake failed: `ssl` would write what
    comes next to the socket, in clear."""

    def __getattr__(self, name: str) -> Any:
        raise ssl.SSLError(ssl.SSL_ERROR_SSL, "hawser: the connection was not judged")


class _Judged:
    """What connections of both kinds do: hold a Gate, and let nothing else take its place."""

    @property
    def _sslobj(self) -> Any:
        return self.__dict__.get("_hawser_object")

    @_sslobj.setter
    def _sslobj(self, value: Any) -> None:
        before = self.__dict__.get("_hawser_object")
        if value is None and isinstance(before, (Gate, _Ended)):
            value = _Ended()
        elif value is not None and not isinstance(value, Gate):
            raise RuntimeError("hawser_tls: this `ssl` makes connections in a way that is not known")
        if isinstance(value, Gate):
            self.__dict__["_hawser_gate"] = value
        self.__dict__["_hawser_object"] = value

    def _hawser_accept(self, gate: Gate, raw: Any) -> None:
        if self.__dict__.get("_hawser_object") is gate:
            self.__dict__["_hawser_object"] = raw

    @property
    def epoch(self) -> int:
        """The epoch of the policy that accepted the connection; 0 where none has."""
        gate = self.__dict__.get("_hawser_gate")
        return 0 if gate is None else int(gate.epoch)

    def holds(self) -> bool:
        """Whether the connection may go on, as when a pool hands it out: a policy has accepted it, and
        none since then judges its host more strictly."""
        gate = self.__dict__.get("_hawser_gate")
        return gate is not None and gate.holds()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a judged connection is neither pickled nor copied")


class JudgedSocket(_Judged, ssl.SSLSocket):
    """A socket that the policy judges: made by SSLContext.wrap_socket.

    Where gevent or eventlet patches `ssl` after this package was imported, sockets are of a class of
    the same name that is made for their `ssl.SSLSocket`.
    """

    @property
    def context(self) -> SSLContext:
        return self._context  # type: ignore[attr-defined, no-any-return]

    @context.setter
    def context(self, context: ssl.SSLContext) -> None:
        raise AttributeError("the context of a judged connection is not exchanged")

    @property
    def session(self) -> ssl.SSLSession | None:
        return None if self._sslobj is None else self._sslobj.session

    @session.setter
    def session(self, session: ssl.SSLSession | None) -> None:
        """Not offered: see SSLContext."""


_socket_classes: dict[type, type] = {ssl.SSLSocket: JudgedSocket}


def _socket_class() -> Any:
    """The class of judged sockets, for the `ssl.SSLSocket` that is now."""
    found = ssl.SSLSocket
    if found not in _socket_classes:
        members = {name: JudgedSocket.__dict__[name] for name in ("__doc__", "__module__", "context", "session")}
        _socket_classes[found] = type("JudgedSocket", (_Judged, found), members)
    return _socket_classes[found]


class JudgedObject(_Judged, ssl.SSLObject):
    """A connection over memory that the policy judges, as event loops use it: made by
    SSLContext.wrap_bio."""

    @property
    def context(self) -> SSLContext:
        return self._sslobj.context  # type: ignore[no-any-return]

    @context.setter
    def context(self, context: ssl.SSLContext) -> None:
        raise AttributeError("the context of a judged connection is not exchanged")

    @property
    def session(self) -> ssl.SSLSession | None:
        return self._sslobj.session  # type: ignore[no-any-return]

    @session.setter
    def session(self, session: ssl.SSLSession | None) -> None:
        """Not offered: see SSLContext."""


def _set(context: ssl.SSLContext, name: str, value: Any) -> None:
    """Sets what `ssl.SSLContext` has from `_ssl`. The setters of `ssl` look for their own class by its
    name, and call themselves without end once a library has put another in its place."""
    import _ssl

    getattr(_ssl._SSLContext, name).__set__(context, value)


def _setting(name: str, kind: Callable[[Any], Any]) -> property:
    import _ssl

    found = getattr(_ssl._SSLContext, name)
    return property(lambda self: kind(found.__get__(self)), lambda self, value: _set(self, name, value))


class SSLContext(ssl.SSLContext):
    """A client's context for whatever takes an `ssl.SSLContext`; the policy judges its connections,
    before they send or hand out anything of the program's.

    The policy says which anchors are trusted: certificate authorities that a library loads, as
    requests and urllib3 do, have no effect. `verify_mode` and `check_hostname` say what holds,
    CERT_REQUIRED and True, and setting anything else is a ValueError: to let a certificate pass,
    change the policy. Sessions are not offered (`session=` is taken and ignored), so that each
    connection is judged by what its own handshake showed; renegotiation is off.

    :param store: judges; it may be used by any number of contexts.
    :param port: which port connections are for. `ssl` does not know it, and libraries do not say it;
        without it a host whose rule may depend on the port is refused, `port-unknown`.
    :param attach: whether the drop-in judges inside the handshake, by staple and timestamps too:
        True, or RuntimeError; False, never; None, where that is proved to be possible, and a warning
        in the log `hawser_tls` where it is not.
    """

    # Taken and ignored: libraries set classes that keep sessions, and other classes have no Gate.
    sslsocket_class = property(lambda self: _socket_class(), lambda self, value: None)
    sslobject_class = property(lambda self: JudgedObject, lambda self, value: None)

    _store: Store
    _port: int | None
    _extension: Any
    _why: str | None
    # The number of the store that the drop-in asks.
    _attached_to: int

    def __new__(
        cls, store: Store, *, port: int | None = None, attach: bool | None = None
    ) -> SSLContext:
        if not isinstance(store, Store):
            raise TypeError(f"a hawser_tls.Store judges, not {type(store).__name__}")
        if port is not None and not 0 < port < 2**16:
            raise ValueError(f"the port is {port}")
        self: SSLContext = ssl.SSLContext.__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        self._store, self._port, self._attached_to = store, port, 0
        # Of `_ssl` itself; what this class says of both is what holds.
        _set(self, "check_hostname", False)
        _set(self, "verify_mode", ssl.CERT_NONE)
        self._extension = None
        self._why = "it was not asked for"
        if attach is not False:
            try:
                number = store._handle.number
                self._extension = _attachment.attach(self, number)
                self._why, self._attached_to = None, number
            except _attachment.NotAttached as reason:
                if attach:
                    raise RuntimeError(f"hawser_tls: not attached: {reason}") from None
                self._why = str(reason)
                _log.warning("%s", self._unseen())
        self.options |= ssl.OP_NO_RENEGOTIATION
        self._probe()
        return self

    def __init__(
        self, store: Store, *, port: int | None = None, attach: bool | None = None
    ) -> None:
        pass  # `__new__` has done it, as in `ssl`

    def _unseen(self) -> str:
        return (
            f"not attached to OpenSSL ({self._why}): OCSP staples and the handshake's timestamps are not seen, "
            "and a client certificate is sent before the judgement"
        )

    def _probe(self) -> None:
        """Makes a connection that goes nowhere, to see that this `ssl` makes it with a Gate."""
        made = self.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="probe.invalid")
        gate = made.__dict__.get("_hawser_object")
        if not isinstance(gate, Gate):
            raise RuntimeError("hawser_tls: this `ssl` makes connections in a way that is not known")
        if not hasattr(gate._raw, "get_unverified_chain"):
            raise RuntimeError("hawser_tls: this `ssl` does not give the chain of a connection")
        if ssl.SSLSocket.__module__ == "ssl":
            return
        # And over a socket, where gevent, eventlet or another has put a class of its own.
        by = f"`ssl.SSLSocket` is that of {ssl.SSLSocket.__module__}"
        near, far = socket.socketpair()
        try:
            over: Any = self.wrap_socket(near, do_handshake_on_connect=False, server_hostname="probe.invalid")
        except Exception as error:
            raise RuntimeError(f"hawser_tls: {by}, and makes no connection: {type(error).__name__}: {error}") from error
        finally:
            near.close()
            far.close()
        with over:
            if not isinstance(over, _Judged) or not isinstance(over._sslobj, Gate):
                raise RuntimeError(f"hawser_tls: {by}, which makes connections in a way that is not known")

    @property
    def store(self) -> Store:
        return self._store

    @property
    def port(self) -> int | None:
        return self._port

    @property
    def is_attached(self) -> bool:
        """Whether the drop-in judges, inside the handshake."""
        return self._extension is not None

    @property
    def why_not_attached(self) -> str | None:
        """Which proof failed; None where the context is attached."""
        return self._why

    def _settle(self) -> None:
        """Makes the drop-in ask the store of this process: a child after fork has another number of
        it. StoreError or RuntimeError where it has none."""
        number = self._store._handle.number
        if number != self._attached_to:
            _attachment.move(self._extension, self, number)
            self._attached_to = number

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(
            "a hawser_tls.SSLContext is neither pickled nor copied: any number of threads and connections use one, and "
            "another process makes its own, with a store that it opens")

    def _handshake(self, host: str, port: int) -> Any:
        if not _attachment.stands(self._extension, self):
            raise RuntimeError("something took the policy off the context")
        return self._extension.Handshake(host, port, 0 if self._port is not None else self._store._handle.number)

    # ------------------------------------------------------------------ connections, as of `ssl`

    def wrap_socket(
        self,
        sock: socket.socket,
        server_side: bool = False,
        do_handshake_on_connect: bool = True,
        suppress_ragged_eofs: bool = True,
        server_hostname: Any = None,
        session: ssl.SSLSession | None = None,
    ) -> JudgedSocket:
        names: dict[str, Any] = {
            "server_side": server_side, "suppress_ragged_eofs": suppress_ragged_eofs,
            "server_hostname": server_hostname,
        }
        cls = self.sslsocket_class
        if not hasattr(ssl.SSLSocket, "_call_trampolining"):
            return ssl.SSLContext.wrap_socket(self, sock, do_handshake_on_connect=do_handshake_on_connect, **names)  # type: ignore[return-value]
        # eventlet, whose context makes sockets of one class: they become ours before the handshake.
        made: Any = ssl.SSLContext.wrap_socket(self, sock, do_handshake_on_connect=False, **names)
        gate = made.__dict__.pop("_sslobj", None)
        made.__class__ = cls
        made._sslobj = gate
        made.do_handshake_on_connect = do_handshake_on_connect
        if do_handshake_on_connect and gate is not None:
            try:
                made.do_handshake()
            except BaseException:
                made.close()
                raise
        return made  # type: ignore[no-any-return]

    def wrap_bio(
        self,
        incoming: ssl.MemoryBIO,
        outgoing: ssl.MemoryBIO,
        server_side: bool = False,
        server_hostname: Any = None,
        session: ssl.SSLSession | None = None,
    ) -> JudgedObject:
        return ssl.SSLContext.wrap_bio(self, incoming, outgoing, server_side, server_hostname)  # type: ignore[return-value]

    def _gate(
        self, make: Callable[..., Any], arguments: tuple[Any, ...], server_side: bool, host: str | None, owner: Any
    ) -> Gate:
        if server_side:
            raise ValueError("policies are about servers, and this would be the server's side")
        if not host:
            raise ValueError("`server_hostname` is needed: it is the host that the policy judges")
        return Gate(make(*arguments, False, host, owner=owner), self, host, owner)

    def _wrap_socket(
        self, sock: Any, server_side: bool, server_hostname: str | None = None, *, owner: Any = None,
        session: Any = None,
    ) -> Gate:
        return self._gate(super()._wrap_socket, (sock,), server_side, server_hostname, owner)  # type: ignore[misc]

    def _wrap_bio(
        self, incoming: Any, outgoing: Any, server_side: bool, server_hostname: str | None = None, *,
        owner: Any = None, session: Any = None,
    ) -> Gate:  # fmt: skip
        return self._gate(super()._wrap_bio, (incoming, outgoing), server_side, server_hostname, owner)  # type: ignore[misc]

    # -------------------------------------------------------------- settings that libraries make

    @property  # type: ignore[override]
    def verify_mode(self) -> ssl.VerifyMode:
        return ssl.CERT_REQUIRED

    @verify_mode.setter
    def verify_mode(self, value: ssl.VerifyMode) -> None:
        if value != ssl.CERT_REQUIRED:
            raise ValueError(
                "verification by a policy is not switched off: to let a certificate pass, change the policy")

    @property
    def check_hostname(self) -> bool:
        return True

    @check_hostname.setter
    def check_hostname(self, value: bool) -> None:
        if not value:
            raise ValueError("the host is judged by the policy: for another identity it has `identity`")

    @property
    def options(self) -> ssl.Options:
        return ssl.SSLContext.options.fget(self)  # type: ignore[attr-defined, no-any-return]

    @options.setter
    def options(self, value: int) -> None:
        _set(self, "options", value | ssl.OP_NO_RENEGOTIATION)

    minimum_version = _setting("minimum_version", ssl.TLSVersion)
    maximum_version = _setting("maximum_version", ssl.TLSVersion)
    verify_flags = _setting("verify_flags", ssl.VerifyFlags)

    def load_verify_locations(self, cafile: Any = None, capath: Any = None, cadata: Any = None) -> None:
        """Does nothing: the policy says which anchors are trusted."""

    def load_default_certs(self, purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH) -> None:
        """Does nothing: the policy says which anchors are trusted."""

    def set_default_verify_paths(self) -> None:
        """Does nothing: the policy says which anchors are trusted."""

"""An adapter for requests. It is here because a context alone does not reach a session's proxies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import requests.adapters

from ._context import JudgedObject, JudgedSocket, SSLContext, _Judged


def _judged(connection: Any) -> Iterator[JudgedSocket | JudgedObject]:
    """The judged layers of a connection, the outermost TLS last: a proxy that is spoken to over TLS is
    one below."""
    below = getattr(connection, "sock", None)
    # `urllib3.util.ssltransport.SSLTransport` has an object over memory and the socket below it.
    for _ in range(8):
        over = getattr(below, "sslobj", None)
        for layer in (over, below):
            if isinstance(layer, _Judged):
                yield layer  # type: ignore[misc]
        if over is None:
            return
        below = getattr(below, "socket", None)


class _Held:
    """A pool of urllib3 that hands out a connection while the policy in force would accept it."""

    def _get_conn(self, *arguments: Any, **names: Any) -> Any:
        connection = super()._get_conn(*arguments, **names)  # type: ignore[misc]
        if not all(layer.holds() for layer in _judged(connection)):
            # A closed connection connects anew, and is judged then.
            connection.close()
        return connection


def _hold(manager: Any) -> Any:
    """Makes the pools of a manager from now on ask the policy."""
    by_scheme = dict(manager.pool_classes_by_scheme)
    kind = by_scheme["https"]
    if not issubclass(kind, _Held):
        by_scheme["https"] = type(kind.__name__, (_Held, kind), {})
        manager.pool_classes_by_scheme = by_scheme
    return manager


class HTTPAdapter(requests.adapters.HTTPAdapter):
    """Connections of a session that a context judges, through proxies too:

        session.mount("https://", HTTPAdapter(context))

    A connection that the session keeps is used again while no policy since then judges its host more
    strictly (`Store.holds`); otherwise it is closed, and the next one is judged.

    `verify=False` is a ValueError, and a `verify` that names a file has no effect: the policy says which
    anchors are trusted. What else the class of requests takes, it takes.
    """

    __attrs__ = [*requests.adapters.HTTPAdapter.__attrs__, "_context"]  # noqa: RUF012  As in the class of requests.

    def __init__(self, context: SSLContext, *arguments: Any, **names: Any) -> None:
        if not isinstance(context, SSLContext):
            raise TypeError(f"a hawser_tls.SSLContext judges, not {type(context).__name__}")
        self._context = context
        super().__init__(*arguments, **names)

    def init_poolmanager(self, *arguments: Any, **names: Any) -> Any:
        super().init_poolmanager(*arguments, **{**names, "ssl_context": self._context})  # type: ignore[no-untyped-call, unused-ignore]
        _hold(self.poolmanager)

    def proxy_manager_for(self, proxy: Any, **names: Any) -> Any:
        return _hold(super().proxy_manager_for(  # type: ignore[no-untyped-call, unused-ignore]
            proxy, **{"proxy_ssl_context": self._context, **names, "ssl_context": self._context}))

    def build_connection_pool_key_attributes(self, request: Any, verify: Any, cert: Any = None) -> Any:
        # Of requests 2.32 on. It would choose a context of its own for `verify=True`.
        host, pool = super().build_connection_pool_key_attributes(request, verify, cert)
        pool["ssl_context"] = self._context
        return host, pool

    def send(self, request: Any, *arguments: Any, **names: Any) -> Any:
        if names.get("verify") is False or (len(arguments) > 2 and arguments[2] is False):
            raise ValueError(
                "verification by a policy is not switched off: to let a certificate pass, change the policy")
        return super().send(request, *arguments, **names)

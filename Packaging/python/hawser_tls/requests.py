"""An adapter for requests. It is here because a context alone does not reach a session's proxies."""

from __future__ import annotations

from typing import Any

import requests.adapters

from ._context import SSLContext


class HTTPAdapter(requests.adapters.HTTPAdapter):
    """Connections of a session that a context judges, through proxies too:

        session.mount("https://", HTTPAdapter(context))

    `verify=False` is a ValueError, and a `verify` that names a file has no effect: the policy says which
    anchors are trusted. What else the class of requests takes, it takes.
    """

    __attrs__ = [*requests.adapters.HTTPAdapter.__attrs__, "_context"]

    def __init__(self, context: SSLContext, *arguments: Any, **names: Any) -> None:
        if not isinstance(context, SSLContext):
            raise TypeError(f"a hawser_tls.SSLContext judges, not {type(context).__name__}")
        self._context = context
        super().__init__(*arguments, **names)

    def init_poolmanager(self, *arguments: Any, **names: Any) -> Any:
        return super().init_poolmanager(*arguments, **{**names, "ssl_context": self._context})  # type: ignore[no-untyped-call, unused-ignore]

    def proxy_manager_for(self, proxy: Any, **names: Any) -> Any:
        return super().proxy_manager_for(  # type: ignore[no-untyped-call, unused-ignore]
            proxy, **{"proxy_ssl_context": self._context, **names, "ssl_context": self._context})

    def build_connection_pool_key_attributes(self, request: Any, verify: Any, cert: Any = None) -> Any:
        # Of requests 2.32 on. It would choose a context of its own for `verify=True`.
        host, pool = super().build_connection_pool_key_attributes(request, verify, cert)
        pool["ssl_context"] = self._context
        return host, pool

    def send(self, request: Any, *arguments: Any, **names: Any) -> Any:
        if names.get("verify") is False or (len(arguments) > 2 and arguments[2] is False):
            raise ValueError("verification by a policy is not switched off: to let a certificate pass, change the policy")
        return super().send(request, *arguments, **names)

"""Whether the drop-in may be put under an `ssl.SSLContext`, and how.

CPython keeps its SSL_CTX in a field that no public function gives. The extension `_attach` reads
that field, the first behind the object's header, only after all of this was proved:

1. The interpreter is a CPython of a listed version, neither free-threaded nor a debug build (the
   header of their objects differs), and its type `_ssl._SSLContext` has the size that this version's
   has. Listed is what the package's tests have run on.
2. The module `_ssl` finds its libssl and its libcrypto in the very objects that the extension does
   (`dlsym`, `dladdr`).
3. Options that are set by Python come back through the pointer: three times on a context that is
   thrown away, and once more on each context that is attached to.

Where one fails, the context is not attached, and `SSLContext` judges by the chain from `ssl`.
"""

from __future__ import annotations

import functools
import platform
import ssl
import struct
import sys
import sysconfig
from typing import Any

#: Versions, and the octets of an `_ssl._SSLContext` in each.
LISTED = {(3, 10): 96, (3, 11): 96, (3, 12): 96, (3, 13): 112}

# Harmless on a client's context that nothing is connected with, and not set by default.
_PROBES = (
    ssl.OP_NO_TICKET, ssl.OP_CIPHER_SERVER_PREFERENCE | ssl.OP_NO_RENEGOTIATION, ssl.OP_SINGLE_DH_USE | ssl.OP_NO_TICKET
)


class NotAttached(Exception):
    """Which proof failed."""


def _need_listed_interpreter() -> type:
    import _ssl

    name = platform.python_implementation()
    version = ".".join(map(str, sys.version_info[:3]))
    if name != "CPython" or sys.version_info[:2] not in LISTED:
        raise NotAttached(f"{name} {version} is not listed")
    # Each way to recognise a debug build, by itself.
    if sysconfig.get_config_var("Py_GIL_DISABLED") or "t" in sys.abiflags:
        raise NotAttached("the interpreter is free-threaded")
    if hasattr(sys, "gettotalrefcount") or sysconfig.get_config_var("Py_DEBUG") or "d" in sys.abiflags:
        raise NotAttached("the interpreter is a debug build")
    # An empty object is its header: a count of references and a type.
    if struct.calcsize("P") != 8 or object.__basicsize__ != 16:
        raise NotAttached("objects have a header of another size")
    found: type = _ssl._SSLContext
    if found.__basicsize__ != LISTED[sys.version_info[:2]]:
        raise NotAttached(f"`_ssl._SSLContext` has {found.__basicsize__} octets")
    if found not in ssl.SSLContext.__mro__:
        raise NotAttached("`ssl.SSLContext` is not that of the module `_ssl`")
    return found


def _same_options(extension: Any, context: ssl.SSLContext, kind: type) -> bool:
    return bool(extension.options(context, kind) == int(context.options) & (2**64 - 1))


def _set_options(context: ssl.SSLContext, options: int) -> None:
    """By `_ssl`'s setter: see `_context._set`."""
    import _ssl

    getattr(_ssl._SSLContext, "options").__set__(context, options)  # noqa: B009  mypy takes it for an int.


@functools.cache
def _proved(listed: tuple[Any, ...]) -> tuple[Any, type]:
    """The extension and the type `_ssl._SSLContext`, once every proof has held that does not need a
    context; NotAttached otherwise. Depends only on LISTED, which is the argument."""
    kind = _need_listed_interpreter()
    import _ssl

    from . import _library  # noqa: F401  Loads the library that the extension needs.

    path = getattr(_ssl, "__file__", None)
    if path is None:
        raise NotAttached("the module `_ssl` is built into the interpreter")
    try:
        from . import _attach  # type: ignore[attr-defined, unused-ignore]
    except ImportError as error:
        raise NotAttached(f"the extension does not load: {error}") from error
    extension: Any = _attach
    reason = extension.shares_libssl(path)
    if reason is not None:
        raise NotAttached(reason)
    probe = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    begun = probe.options
    for option in _PROBES:
        _set_options(probe, begun | option)
        if probe.options == begun or not _same_options(extension, probe, kind):
            raise NotAttached("an option that was set is not found through the pointer")
        _set_options(probe, begun)
        if not _same_options(extension, probe, kind):
            raise NotAttached("an option that was cleared is still found through the pointer")
    return extension, kind


def attach(context: ssl.SSLContext, store: int) -> Any:
    """The extension, once it has attached a store to a context that nothing was made from;
    NotAttached where a proof fails."""
    extension, kind = _proved(tuple(sorted(LISTED.items())))
    begun = ssl.SSLContext.options.fget(context)  # type: ignore[attr-defined]
    _set_options(context, begun | ssl.OP_NO_TICKET)
    holds = _same_options(extension, context, kind)
    _set_options(context, begun)
    if not holds or not _same_options(extension, context, kind):
        raise NotAttached("an option of the context is not found through the pointer")
    reason: str | None = extension.attach(context, kind, store)
    if reason is not None:
        raise NotAttached(reason)
    return extension


def move(extension: Any, context: ssl.SSLContext, store: int) -> None:
    """Makes another store judge an attached context; RuntimeError where the drop-in refuses."""
    import _ssl

    reason: str | None = extension.move(context, _ssl._SSLContext, store)
    if reason is not None:
        raise RuntimeError(f"hawser_tls: the context has no store: {reason}")


def stands(extension: Any, context: ssl.SSLContext) -> bool:
    """Whether a context is still attached to."""
    import _ssl

    return bool(extension.is_attached(context, _ssl._SSLContext))

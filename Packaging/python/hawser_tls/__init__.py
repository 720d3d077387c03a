"""Judges the TLS servers of a Python program by a compiled policy table.

    store = hawser_tls.Store("policy.table")
    context = hawser_tls.SSLContext(store)
    urllib.request.urlopen("https://api.acme.example/", context=context)

The context goes wherever an `ssl.SSLContext` does. A server that the policy does not accept is a
RejectError, which is an ssl.SSLCertVerificationError, before the program has sent it anything.
"""

from ._context import JudgedObject, JudgedSocket, SSLContext
from ._errors import RejectError, StoreError, Violation, rejection
from ._store import Notice, Reported, Snapshot, State, Store, Verdict, Wanted, explain
from ._version import __version__

__all__ = [
    "JudgedObject",
    "JudgedSocket",
    "Notice",
    "RejectError",
    "Reported",
    "SSLContext",
    "Snapshot",
    "State",
    "Store",
    "StoreError",
    "Verdict",
    "Violation",
    "Wanted",
    "__version__",
    "explain",
    "rejection",
]

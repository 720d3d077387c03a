"""What the package raises."""

from __future__ import annotations

import ssl
from typing import Any, NamedTuple, Optional

# X509_V_ERR_APPLICATION_VERIFICATION of <openssl/x509_vfy.h>: a verifier beside OpenSSL's refused.
APPLICATION_VERIFICATION = 50


class Violation(NamedTuple):
    """A reason to reject: a stable id, such as `pin-mismatch`, and what `hawser explain` says.

    `no-verdict` and `port-unknown` come from this package: the policy could not be asked.
    """

    id: str
    sentence: str


class StoreError(Exception):
    """A call that failed, which is no verdict: `result` as in hawser.h, `reason` a stable word."""

    def __init__(self, result: str, reason: str, message: str) -> None:
        self.result, self.reason, self.message = result, reason, message
        super().__init__(result, reason, message)

    def __str__(self) -> str:
        return f"hawser: {self.message} ({', '.join(filter(None, (self.reason, self.result)))})"


class RejectError(ssl.SSLCertVerificationError):
    """A server that the policy does not accept, or could not be asked about.

    It is the error that `ssl` raises for a bad certificate, so what handles that handles this; its
    text has Hawser's sentences. `rejection` finds it in the errors of libraries.
    """

    host: str
    #: None where nobody said which, and the rule does not depend on it.
    port: Optional[int]
    #: At least one.
    violations: tuple[Violation, ...]
    #: Of the table that judged; 0 where none did.
    epoch: int

    def __init__(
        self, host: str, port: Optional[int], violations: tuple[Violation, ...], epoch: int = 0
    ) -> None:
        where = host if port is None else f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        said = "; ".join(f"{violation.id}: {violation.sentence}" for violation in violations)
        super().__init__(ssl.SSL_ERROR_SSL, f"hawser: reject {where}: {said}")
        self.host, self.port, self.violations, self.epoch = host, port, violations, epoch
        self.library, self.reason = "HAWSER", "CERTIFICATE_VERIFY_FAILED"
        self.verify_code, self.verify_message = APPLICATION_VERIFICATION, said

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.host, self.port, self.violations, self.epoch)

    def has(self, id: str) -> bool:
        """Whether a violation has this id, such as `revoked`."""
        return any(violation.id == id for violation in self.violations)


def rejection(error: Optional[BaseException]) -> Optional[RejectError]:
    """The RejectError that a library's error comes from; None where it comes from something else.

    Looked at are causes, contexts, and what libraries keep in `args`, `reason` and the like.
    """
    waiting: list[Any] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < 1000:
        found = waiting.pop(0)
        if isinstance(found, RejectError):
            return found
        if not isinstance(found, BaseException) or id(found) in seen:
            continue
        seen.add(id(found))
        waiting += [found.__cause__, found.__context__, *found.args]
        waiting += [getattr(found, name, None) for name in ("reason", "certificate_error", "os_error")]
        waiting += getattr(found, "exceptions", ())
    return None

"""What the package raises."""

from __future__ import annotations

import collections
import copy
import re
import ssl
from typing import Any, NamedTuple, overload

# X509_V_ERR_APPLICATION_VERIFICATION of <openssl/x509_vfy.h>: a verifier beside OpenSSL's refused.
APPLICATION_VERIFICATION = 50


class Violation(NamedTuple):
    """A reason to reject: a stable id, such as `pin-mismatch`, and what `hawser explain` says.

    `no-verdict` and `port-unknown` come from this package: the policy could not be asked.
    `unknown` is of a RejectError that was made of a text without an id.
    """

    id: str
    sentence: str


class StoreError(Exception):
    """A call that failed. Not a verdict. `result` is as in hawser.h, `reason` a stable word."""

    def __init__(self, result: str, reason: str, message: str) -> None:
        self.result, self.reason, self.message = result, reason, message
        super().__init__(result, reason, message)

    def __str__(self) -> str:
        return f"hawser: {self.message} ({', '.join(filter(None, (self.reason, self.result)))})"


# What RejectError writes, as a library may keep it: with words of its own before it.
_TEXT = re.compile(r"hawser: reject (?:(?:\[([^\]\s]+)\]|([^\s:]+))(?::(\d{1,5}))?|(\S*:\S*)): ", re.ASCII)
_ID = re.compile(r"([a-z][a-z0-9]*(?:-[a-z0-9]+)*): ", re.ASCII)
# The words behind the violations. The library lets no text of a stranger have a word's name before
# a `=`.
_VALUE = r'("(?:[^"\\]|\\.)*"|[^\s"=\\]+)'
_WORDS = re.compile(
    r" side=([a-z-]+)" + "".join(f"(?: {name}={_VALUE})?" for name in ("rule", "owner", "id", "next")), re.ASCII)


def _words(text: str) -> tuple[str | None, ...]:
    """The side, the rule, the owner, the id and the command that a text of RejectError has."""
    found = _WORDS.search(text)
    if found is None:
        return (None,) * 5
    return tuple(
        re.sub(r"\\(.)", r"\1", value[1:-1]) if value is not None and value.startswith('"') else value
        for value in found.groups())


def _read(text: str) -> tuple[str, int | None, tuple[Violation, ...]]:
    """The host, the port and the violations that a text of RejectError has."""
    found = _TEXT.search(text)
    host, port, rest = "", None, text
    if found is not None:
        host = found[1] or found[2] or found[4]
        port = int(found[3]) if found[3] is not None else None
        rest = text[found.end():]
    if (words := _WORDS.search(rest)) is not None:
        rest = rest[:words.start()]
    violations: list[Violation] = []
    for part in rest.split("; ") if found is not None else []:
        if (begin := _ID.match(part)) is not None:
            violations.append(Violation(begin[1], part[begin.end():]))
        elif violations:
            # A sentence with the separator in it.
            violations[-1] = Violation(violations[-1].id, f"{violations[-1].sentence}; {part}")
    return host, port, tuple(violations) or (Violation("unknown", rest),)


class RejectError(ssl.SSLCertVerificationError):
    """A server that the policy does not accept, or could not be asked about.

    It is the error that `ssl` raises for a bad certificate, so what handles that handles this; its
    text has Hawser's sentences. `rejection` finds it in the errors of libraries.

    Behind the sentences the text has the side, the rule, its owner, the id of the decision and the
    command to run next, as `side=… rule=… owner=… id=… next="…"`. The attributes have them too; each is
    None where it is not known, as in a refusal without a verdict.

    Libraries that make an error again from its text, as ldap3 does, get the host, the port, the
    violations and the words that the text has.
    """

    host: str
    #: None where the port is not known, and the rule does not depend on it.
    port: int | None
    #: At least one.
    violations: tuple[Violation, ...]
    #: Of the table that judged; 0 where none did, and where only the text is known.
    epoch: int
    #: Whose fault it is, as `hawser explain` says first: `server`, `policy`, `this-machine`,
    #: `network` or `in-between`.
    side: str | None
    #: The rule that decided, or `default`.
    rule: str | None
    #: Who answers for it.
    owner: str | None
    #: The id of the decision, which its receipt and its report have too.
    id: str | None
    #: The command that says more on this machine.
    command: str | None

    @overload
    def __init__(
        self, host: str, port: int | None, violations: tuple[Violation, ...], epoch: int = 0,
        reasons: str | None = None,
    ) -> None: ...

    # Of a text, and of the `args` of another one.
    @overload
    def __init__(self, host: object, port: object = None) -> None: ...

    def __init__(
        self, host: Any, port: Any = None, violations: tuple[Violation, ...] | None = None, epoch: int = 0,
        reasons: str | None = None,
    ) -> None:
        self._is_of_text = violations is None
        if violations is None:
            text = str(host if port is None else port)
            host, port, violations = _read(text)
        else:
            where = host if port is None else f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            text = f"hawser: reject {where}: {reasons or _said(violations)}"
        super().__init__(ssl.SSL_ERROR_SSL, text)
        said = _said(violations)
        self.host, self.port, self.violations, self.epoch = host, port, violations, epoch
        self._reasons = reasons
        self.side, self.rule, self.owner, self.id, self.command = _words(text)
        self.library, self.reason = "HAWSER", "CERTIFICATE_VERIFY_FAILED"
        self.verify_code, self.verify_message = APPLICATION_VERIFICATION, said

    def __reduce__(self) -> tuple[Any, ...]:
        if self._is_of_text:
            return type(self), (self.args[1],)
        return type(self), (self.host, self.port, self.violations, self.epoch, self._reasons)

    def again(self) -> RejectError:
        """The same refusal as an error of its own, without the traceback and the causes of this one."""
        made: RejectError = copy.copy(self)
        return made

    def has(self, id: str) -> bool:
        """Whether a violation has this id, such as `revoked`."""
        return any(violation.id == id for violation in self.violations)


def _said(violations: tuple[Violation, ...]) -> str:
    return "; ".join(f"{violation.id}: {violation.sentence}" for violation in violations)


def rejection(error: BaseException | None) -> RejectError | None:
    """The RejectError that a library's error comes from; None where it comes from something else.

    Looks at causes, contexts, and the values that libraries keep in `args`, `reason` and the like.
    Where a library keeps only the text, looks for the text among the last refusals.
    """
    texts: list[str] = []
    waiting: list[Any] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < 1000:
        found = waiting.pop(0)
        if isinstance(found, RejectError):
            return found
        if not isinstance(found, BaseException) or id(found) in seen:
            continue
        seen.add(id(found))
        try:
            texts.append(str(found))
        except Exception:  # an error of somebody's that has no text
            pass
        waiting += [found.__cause__, found.__context__, *found.args]
        waiting += [getattr(found, name, None) for name in ("reason", "certificate_error", "os_error")]
        waiting += getattr(found, "exceptions", ())
    for refusal in reversed(tuple(_recent)):
        if any(str(refusal) in text for text in texts):
            return refusal.again()
    return None


# The last refusals of this process, the newest last.
_recent: collections.deque[RejectError] = collections.deque(maxlen=128)


def remember(refusal: RejectError) -> None:
    """Keeps a refusal for `rejection`."""
    _recent.append(refusal.again())

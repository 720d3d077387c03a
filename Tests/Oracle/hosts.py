"""Host patterns (language.md 11.2 to 11.4) and the classes of hosts that patterns part (diff.md).

A host is a model of the solver: the labels of a name, counted from the last one, or the bits of an
address. A class is left out if the solver finds no host in it.
"""

import dataclasses
import functools
import ipaddress

import z3

DEPTH = 7  # labels of the longest name that the solver looks at: one more than any pattern has, and one


@dataclasses.dataclass(frozen=True)
class Pattern:
    """`host` as it is written, without the port."""

    host: str
    port: int | None

    @property
    def written(self) -> str:
        if self.port is None:
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parsed(text: str) -> Pattern:
    if text.startswith("["):
        host, _, port = text[1:].partition("]:")
        return Pattern(host, int(port))
    if text.count(":") == 1:
        host, port = text.split(":")
        return Pattern(host, int(port))
    return Pattern(text, None)


@functools.cache
def network(host: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(host)
    except ValueError:
        return None


def family(host: str) -> str:
    found = network(host)
    return "name" if found is None else f"v{found.version}"


@functools.cache
def narrowness(host: str) -> tuple[int, ...]:
    """Section 11.4, rules 1 to 4: of the patterns that match a host, the one with the largest value decides."""
    found = network(host)
    if found is not None:
        return (int(found.prefixlen == found.max_prefixlen), found.prefixlen)
    stars = 2 if host.startswith("**.") else 1 if host.startswith("*.") else 0
    return (int(stars == 0), len(host.split(".")) - (1 if stars else 0), -stars)


@dataclasses.dataclass(frozen=True)
class Host:
    """One host: labels from the last one, or the number of an address."""

    family: str
    labels: tuple[str, ...] = ()
    address: int = 0


def matches(host: str, place: Host) -> bool:
    if family(host) != place.family:
        return False
    found = network(host)
    if found is not None:
        return place.address in range(int(found.network_address), int(found.broadcast_address) + 1)
    fixed = tuple(reversed(host.removeprefix("**.").removeprefix("*.").split(".")))
    if place.labels[: len(fixed)] != fixed:
        return False
    more = len(place.labels) - len(fixed)
    return more >= 1 if host.startswith("**.") else more == 1 if host.startswith("*.") else more == 0


LABELS = [z3.Int(f"label{index}") for index in range(DEPTH)]
LENGTH = z3.Int("labels")
ADDRESSES = {"v4": z3.BitVec("v4", 32), "v6": z3.BitVec("v6", 128)}
NUMBERS: dict[str, int] = {}


def number(label: str) -> int:
    return NUMBERS.setdefault(label, len(NUMBERS))


def matching(host: str) -> z3.BoolRef:
    """That the solver's host, of the family of `host`, matches the pattern."""
    found = network(host)
    if found is not None:
        address = ADDRESSES[f"v{found.version}"]
        return z3.And(
            z3.UGE(address, int(found.network_address)), z3.ULE(address, int(found.broadcast_address)))
    fixed = list(reversed(host.removeprefix("**.").removeprefix("*.").split(".")))
    length = len(fixed)
    more = (
        LENGTH > length if host.startswith("**.") else LENGTH == length + 1 if host.startswith("*.")
        else LENGTH == length)
    return z3.And(more, *(LABELS[index] == number(label) for index, label in enumerate(fixed)))


@functools.cache
def member(host: str, narrower: frozenset[str]) -> Host | None:
    """A host that `host` matches and no pattern of `narrower`, or nothing where there is none."""
    solver = z3.Solver()
    solver.add(matching(host), *(z3.Not(matching(other)) for other in narrower))
    if network(host) is None:
        solver.add(LENGTH >= 1, LENGTH <= DEPTH)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    if network(host) is not None:
        kind = family(host)
        return Host(kind, address=model.eval(ADDRESSES[kind], model_completion=True).as_long())
    length = model.eval(LENGTH, model_completion=True).as_long()
    names = {index: label for label, index in NUMBERS.items()}
    chosen = (model.eval(label, model_completion=True).as_long() for label in LABELS[:length])
    return Host("name", labels=tuple(names.get(label, f"other{label}") for label in chosen))


@dataclasses.dataclass(frozen=True)
class HostClass:
    """All hosts whose narrowest pattern is `pattern` (none: those that no pattern matches), on one port.

    `port` is none for every port that no other class of the same hosts has.
    """

    pattern: str | None
    port: int | None
    host: Host | None


def classes(patterns: frozenset[Pattern]) -> list[HostClass]:
    hosts = sorted({pattern.host for pattern in patterns})
    found = []
    for host in hosts:
        narrower = frozenset(
            other for other in hosts
            if family(other) == family(host) and narrowness(other) > narrowness(host))
        place = member(host, narrower)
        if place is None:
            continue
        ports = {pattern.port for pattern in patterns if pattern.port is not None and matches(pattern.host, place)}
        found += [HostClass(host, port, place) for port in [None, *sorted(ports)]]
    return found + [HostClass(None, None, None)]


def deciding(patterns: dict[Pattern, str], at: HostClass) -> str | None:
    """The rule that decides, of the rules by their patterns; none for `default` (section 11.4)."""
    if at.host is None:
        return None
    candidates = [
        (narrowness(pattern.host), pattern.port is not None, rule) for pattern, rule in patterns.items()
        if matches(pattern.host, at.host) and pattern.port in (None, at.port)
    ]
    return max(candidates)[2] if candidates else None

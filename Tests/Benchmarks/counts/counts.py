"""Counts the instructions and the allocations of one verdict, for counts.sh.

counts.py WORK BASELINE [--only CASE,...] [--json FILE] [--update | --profile CASE]
"""

import argparse
import bisect
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

# Verdicts of the two runs, whose difference counts.
FEW, MANY = 100, 200

# A figure may be so much above its baseline, and is worth a word when it is so much below.
TOLERANCE = 0.02

# Who spends, in the order of the tables, and what each is.
ENGINE, BACKEND, SWIFT, LIBC, LIBCRYPTO = "engine", "backend", "swift", "libc", "libcrypto"
# Instructions of these together are ours: a change of the engine moves them, and they are the same
# on every processor. The C library chooses its copies by the processor, and libcrypto its
# arithmetic.
OURS = (ENGINE, BACKEND, SWIFT)
# Frames of these modules belong to the backend; what they call allocates for it.
BACKEND_SYMBOLS = ("$s9LibCrypto", "$s5MLDSA")
# What functions of Swift's own library begin with, specialized in the program or not.
STANDARD_LIBRARY = ("$ss", "$sS")


def owner_of_object(path):
    """The owner of everything in a shared object; None for the program."""
    name = os.path.basename(path)
    if name.startswith("libcrypto"):
        return LIBCRYPTO
    if name.startswith(("libswift", "libstdc++", "libgcc", "lib_Swift", "libFoundation")):
        return SWIFT
    if name.startswith(("libc.", "libc-", "ld-", "ld.", "libm.", "libm-", "libpthread", "allocations.so")):
        return LIBC
    return None


def owner_of_symbol(path, symbol):
    owner = owner_of_object(path)
    if owner is not None:
        return owner
    return BACKEND if symbol.startswith(BACKEND_SYMBOLS) else ENGINE


def environment(**more):
    """The same hashes in every run, and nothing of ours in the way."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"SWIFT_DETERMINISTIC_HASHING": "1", "LC_ALL": "C"} | more


class Counter:
    def __init__(self, work):
        self.work = work
        self.program = work / "counted-verdicts"

    def command(self, case, count):
        cases = self.work / "cases"
        return [str(self.program), str(cases / f"{case}.case"), str(cases / "store.case"), str(count)]

    def run(self, command, **variables):
        done = subprocess.run(command, env=environment(**variables), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    def instructions(self, case):
        """Instructions a verdict by (object, function)."""
        def total(count):
            out = self.work / f"callgrind-{count}"
            self.run(
                ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={out}",
                 *self.command(case, count)])
            return read_callgrind(out)
        return difference(total(FEW), total(MANY))

    def allocations(self, case):
        """Allocations a verdict by stack, a tuple of (object, offset) from the innermost on."""
        def total(count):
            out = self.work / f"allocations-{count}"
            self.run(
                self.command(case, count), ALLOCATIONS=str(out), LD_PRELOAD=str(self.work / "allocations.so"))
            stacks = collections.Counter()
            for line in out.read_text().splitlines():
                calls, *frames = line.split()
                if calls == "beyond":
                    sys.exit("more stacks than allocations.c has room for")
                stacks[tuple((path, int(offset, 16)) for path, _, offset in
                             (frame.rpartition("+") for frame in frames))] += int(calls)
            return stacks
        return difference(total(FEW), total(MANY))


def difference(few, many):
    """What one more verdict costs: never negative in a place that a verdict reaches."""
    return {key: (many[key] - few.get(key, 0)) / (MANY - FEW)
            for key in many if many[key] != few.get(key, 0)}


def read_callgrind(path):
    """The self cost of each (object, function) in a file of callgrind."""
    costs = collections.Counter()
    names = {"ob": {}, "fn": {}}
    current = {"ob": "", "fn": ""}
    skips = False
    pattern = re.compile(r"(?:c?)(ob|fn)=\((\d+)\)(?: (.*))?$")
    with open(path, errors="replace") as file:
        for line in file:
            first = line[0]
            if first.isdigit() or first in "+-*":
                if skips:
                    skips = False
                else:
                    costs[current["ob"], current["fn"]] += int(line.split()[1])
            elif line.startswith("calls="):
                skips = True
            else:
                found = pattern.match(line)
                if not found:
                    continue
                kind, number, name = found.groups()
                if name is not None:
                    names[kind][number] = name
                if first != "c":
                    current[kind] = names[kind][number]
    return costs


class Symbols:
    """Names of functions by their place in an object."""

    def __init__(self):
        self.tables = {}

    def name(self, path, offset):
        if path not in self.tables:
            listing = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True).stdout
            if not listing:
                listing = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True).stdout
            rows = sorted(
                (int(address, 16), symbol) for address, kind, symbol in
                (line.split(maxsplit=2) for line in listing.splitlines() if line.count(" ") >= 2)
                if kind in "tTwW")
            self.tables[path] = ([row[0] for row in rows], [row[1] for row in rows])
        addresses, symbols = self.tables[path]
        place = bisect.bisect_right(addresses, offset) - 1
        return symbols[place] if place >= 0 else "?"


def demangled(names):
    """Names as people read them, by the mangled name, in their order."""
    done = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), capture_output=True, text=True)
    lines = done.stdout.splitlines() if done.returncode == 0 else []
    return dict(zip(names, lines)) if len(lines) == len(names) else {name: name for name in names}


def owner_of_stack(stack, symbols):
    """Who an allocation is for: libcrypto where libcrypto itself allocates, the backend where it is
    on the stack, otherwise the engine."""
    if stack and owner_of_object(stack[0][0]) == LIBCRYPTO:
        return LIBCRYPTO
    for path, offset in stack:
        if owner_of_object(path) is None and symbols.name(path, offset).startswith(BACKEND_SYMBOLS):
            return BACKEND
    return ENGINE


class Count:
    """The figures of one case."""

    def __init__(self, counter, case, symbols):
        self.case = case
        self.functions = counter.instructions(case)
        self.stacks = counter.allocations(case)
        self.instructions = collections.Counter()
        for (path, function), cost in self.functions.items():
            self.instructions[owner_of_symbol(path, function)] += cost
        self.allocations = collections.Counter()
        for stack, calls in self.stacks.items():
            self.allocations[owner_of_stack(stack, symbols)] += calls

    @property
    def figures(self):
        """What the gate compares, by name."""
        return {
            f"{self.case}: instructions": round(sum(self.instructions[owner] for owner in OURS)),
            f"{self.case}: allocations of the engine": round(self.allocations[ENGINE], 2),
            f"{self.case}: allocations of the backend": round(self.allocations[BACKEND], 2),
        }

    def row(self):
        owners = [f"{self.instructions[owner]:,.0f}" for owner in (*OURS, LIBC, LIBCRYPTO)]
        allocations = [f"{self.allocations[owner]:,.2f}".removesuffix(".00") for owner in (ENGINE, BACKEND, LIBCRYPTO)]
        ours = f"**{sum(self.instructions[owner] for owner in OURS):,.0f}**"
        return f"| {self.case} | {ours} | {' | '.join(owners)} | {' | '.join(allocations)} |"


HEAD = (
    "| case | instructions, ours | of the engine | of the backend | of Swift's library | of the C library | of libcrypto "
    "| allocations, of the engine | of the backend | of libcrypto |\n|---|" + "---:|" * 9)


def shorter(name):
    return name if len(name) <= 110 else name[:107] + "..."


def profile(count, symbols):
    """Prints what a verdict spends, by function, and where it allocates."""
    total = sum(count.instructions[owner] for owner in OURS)
    print(f"{count.case}: instructions a verdict, self cost; of ours {total:,.0f}\n")
    for owner in (*OURS, LIBC, LIBCRYPTO):
        print(f"  {owner:10} {count.instructions[owner]:12,.0f}   allocations {count.allocations[owner]:8,.2f}")
    ours = sorted(
        ((cost, path, function) for (path, function), cost in count.functions.items()
         if owner_of_symbol(path, function) in (*OURS, LIBC)), reverse=True)[:60]
    names = demangled([function.split("'")[0] for _, _, function in ours])
    print("\ninstructions  share of ours  owner, function")
    for cost, path, function in ours:
        owner = owner_of_symbol(path, function)
        print(f"{cost:12,.0f}  {cost / total:6.1%}  {owner:8} {shorter(names[function.split(chr(39))[0]])}")
    print("\nallocations  owner, the innermost three functions of the program that are none of Swift's own library")
    sites = collections.Counter()
    for stack, calls in count.stacks.items():
        owner = owner_of_stack(stack, symbols)
        if owner == LIBCRYPTO:
            sites[owner, ("libcrypto",)] += calls
            continue
        frames = [symbols.name(path, offset) for path, offset in stack if owner_of_object(path) is None]
        # Arrays that grow say nothing; who lets them grow does.
        telling = [frame for frame in frames if not frame.startswith(STANDARD_LIBRARY)]
        sites[owner, tuple((telling or frames)[:3])] += calls
    ranked = sites.most_common(60)
    names = demangled(sorted({frame for (_, frames), _ in ranked for frame in frames}))
    for (owner, frames), calls in ranked:
        print(f"{calls:11,.2f}  {owner:9} " + "\n                         < ".join(shorter(names[frame]) for frame in frames))


def main():
    parser = argparse.ArgumentParser(prog="counts.sh", description=__doc__.splitlines()[0])
    parser.add_argument("work", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("baseline", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--only", metavar="CASE,...", help="count these cases alone")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write every figure of every case")
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    parser.add_argument("--profile", metavar="CASE", help="print what a verdict of CASE spends, by function")
    arguments = parser.parse_args()

    counter, symbols = Counter(arguments.work.resolve()), Symbols()
    there = sorted(path.stem for path in (arguments.work / "cases").glob("*.case") if path.stem != "store")
    chosen = [arguments.profile] if arguments.profile else arguments.only.split(",") if arguments.only else there
    unknown = [case for case in chosen if case not in there]
    if unknown:
        sys.exit(f"no case {', '.join(unknown)}; the cases are {', '.join(there)}")
    if arguments.profile:
        profile(Count(counter, arguments.profile, symbols), symbols)
        return

    print("Instructions and allocations a verdict. Ours are those of the engine, the backend and Swift's own library.\n")
    print(HEAD)
    counts = []
    for case in chosen:
        counts.append(Count(counter, case, symbols))
        print(counts[-1].row(), flush=True)
    figures = {name: value for count in counts for name, value in count.figures.items()}
    if arguments.json:
        arguments.json.write_text(json.dumps({
            count.case: {"instructions": {owner: round(value, 2) for owner, value in sorted(count.instructions.items())},
                         "allocations": {owner: round(value, 2) for owner, value in sorted(count.allocations.items())}}
            for count in counts}, indent=2) + "\n")
    baseline = json.loads(arguments.baseline.read_text()) if arguments.baseline.exists() else {}
    if arguments.update:
        # Cases that this machine does not have keep their figures.
        arguments.baseline.write_text(json.dumps(baseline | figures, indent=2, sort_keys=True) + "\n")
        print(f"\nwrote {arguments.baseline}")
        return
    sys.exit(judge(figures, baseline))


def judge(figures, baseline):
    """Compares figures with the baseline; the exit status."""
    above, below = [], []
    for name, value in figures.items():
        known = baseline.get(name)
        if known is None:
            above.append(f"{name}: {value:,}, and the baseline has no such figure")
        elif value > known * (1 + TOLERANCE):
            above.append(f"{name}: {value:,}, the baseline {known:,}{ratio(value, known)}")
        elif value < known * (1 - TOLERANCE):
            below.append(f"{name}: {value:,}, the baseline {known:,}{ratio(value, known)}")
    if below:
        print("\nBelow the baseline; `--update` in the same change keeps it so:")
        print("\n".join(f"  {line}" for line in below))
    if above:
        print(f"\nMore than {TOLERANCE:.0%} above the baseline; mend it, or raise the baseline in the same change (`--update`):")
        print("\n".join(f"  {line}" for line in above))
        return 1
    print(f"\n{len(figures)} figures, none more than {TOLERANCE:.0%} above the baseline")
    return 0


def ratio(value, known):
    return f" ({value / known - 1:+.1%})" if known else ""


if __name__ == "__main__":
    main()

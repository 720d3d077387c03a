"""Runs timed-verdicts and makes a page of its measurements, for verdicts.sh."""

import argparse
import base64
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

# The roots of the machine, where there are any; otherwise minted ones.
BUNDLE = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")

# The bars are written for a machine that verifies P-256 in so many microseconds; another gets as
# much more or less.
P256 = 63.0
# Parsing a certificate, in microseconds of that machine.
PARSING = 1.5
# A verdict may take this over its floor, in times of it and in microseconds beside it.
FLOOR, BESIDE = 1.10, 3.0
# Microseconds beside the signatures, by the number of names.
BESIDE_BY_NAMES = {2: 3.0, 100: 6.0, 1_000: 25.0}
# A repeated verdict beside the hash of the sent octets.
REPEAT = 6.0
# How much faster than OpenSSL, where the bar on the floor leaves room for it.
OPENSSL = 2.2
# Seven more certificates sent, in times of what three cost beside the signatures.
NINE = 3.0
# A thousand pins beside one, and a deny beside its look-up, in microseconds.
PINS, DENY = 1.0, 0.1
# With a trace: in times of `evaluate` on A2, and in microseconds on any chain.
EXPLAIN, EXPLAIN_BESIDE = 1.3, 40.0
# Verdicts of two threads, as a fraction of the verdicts of two processes.
THREADS = 0.9


class Case:
    """A case file, as far as the page speaks of it."""

    def __init__(self, path):
        octets, position = path.read_bytes(), 0

        def length():
            nonlocal position
            position += 4
            return int.from_bytes(octets[position - 4:position], "little")

        def skip():
            nonlocal position
            count = length()
            position += count
            return count
        self.seconds = int(octets[4:4 + length()].decode().split()[3])
        position = 4 + int.from_bytes(octets[:4], "little")
        for _ in range(length()):
            skip()
        sizes = [skip() for _ in range(length())]
        self.sent, self.octets = len(sizes), sum(sizes)


def write_store(path):
    """The roots of the machine as a case without chains; how many."""
    blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", BUNDLE.read_text(), re.DOTALL)
    roots = [base64.b64decode("".join(block.split())) for block in blocks]
    line = b"evaluate nobody.invalid nobody.invalid 0 0"

    def counted(octets):
        return len(octets).to_bytes(4, "little") + octets
    path.write_bytes(counted(line) + len(roots).to_bytes(4, "little") + b"".join(map(counted, roots)))
    return len(roots)


def throughput(program, cases, name):
    """Verdicts a second of two threads, as a fraction of the verdicts of two processes, by
    round."""
    def together(processes, threads):
        begin = time.monotonic() + 2.5
        running = [
            subprocess.Popen(
                [program, "throughput", cases, cases / "store.case", name, str(threads), str(begin), str(begin + 1)],
                stdout=subprocess.PIPE, text=True)
            for _ in range(processes)]
        answers = [process.communicate()[0].strip() for process in running]
        if any(process.returncode for process in running):
            sys.exit(f"{name}: {answers}")
        return sum(map(int, answers))
    return [together(1, 2) / together(2, 1) for _ in range(5)]


class Page:
    """The tables, and the bars with what was missed."""

    def __init__(self, times, cases, threads):
        self.times, self.cases, self.threads = times, cases, threads
        self.bars = []
        self.scale = self.least("A2", "floor, leaf's signature") / P256 if "A2" in times else 1.0

    def least(self, chain, subject):
        """Microseconds; None where the subject was not measured."""
        rounds = self.times[chain].get(subject)
        return min(rounds) / 1000 if rounds else None

    def median(self, chain, subject):
        return statistics.median(self.times[chain][subject]) / 1000

    def h(self, chain):
        """The hash of the sent octets and their parsing: every verdict needs them."""
        return self.least(chain, "SHA-256") + PARSING * self.cases[chain].sent * self.scale

    def bar(self, name, value, limit, unit="µs"):
        """Judges one bar; the cell that says so."""
        is_met = value <= limit
        self.bars.append((name, value, limit, unit, is_met))
        return "met" if is_met else f"**{value / limit:.2f}×**" if limit > 0 else "**missed**"

    # Tables

    def chains(self):
        def order(chain):
            return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", chain)]
        return sorted((chain for chain in self.times if "SHA-256" in self.times[chain]), key=order)

    def verdicts(self):
        yield "| chain | sent | state | ours | OpenSSL | swift-certificates | signatures | floor | ours / floor | bar | |"
        yield "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---|"
        floors = {"cold": "floor, signatures and keys", "warm": "floor, leaf's signature", "repeat": "SHA-256"}
        for chain in self.chains():
            for state, floor in floors.items():
                ours = self.least(chain, f"ours, {state}")
                if ours is None:
                    continue
                base = self.least(chain, floor)
                signature = self.least(chain, floors["warm" if state == "repeat" else state])
                limit = FLOOR * signature + self.h(chain) + BESIDE * self.scale
                if state == "repeat":
                    limit = min(limit, base + REPEAT * self.scale)
                peers = [self.cell(chain, peer) if state == "cold" else "" for peer in ("OpenSSL", "swift-certificates")]
                sent = f"{self.cases[chain].sent} / {self.cases[chain].octets:,}" if state == "cold" else ""
                yield (
                    f"| {chain if state == 'cold' else ''} | {sent} | {state} | {self.cell(chain, f'ours, {state}')} "
                    f"| {peers[0]} | {peers[1]} | {self.cell(chain, 'floor, signatures') if state == 'cold' else ''} "
                    f"| {self.cell(chain, floor)} | {ours / base:.2f} "
                    f"| {limit:.1f} | {self.bar(f'{chain}, {state}', ours, limit)} |")

    def cell(self, chain, subject):
        least = self.least(chain, subject)
        return "" if least is None else f"{least:.1f} / {self.median(chain, subject):.1f}"

    def peers(self):
        yield "| chain | of OpenSSL's time | bar | | of swift-certificates' time |"
        yield "|---|---:|---:|---|---:|"
        ratios = []
        for chain in self.chains():
            ours, openssl = self.least(chain, "ours, cold"), self.least(chain, "OpenSSL")
            floor = FLOOR * self.least(chain, "floor, signatures and keys") + self.h(chain) + BESIDE * self.scale
            limit = 1 / OPENSSL if openssl / floor >= OPENSSL else 1.0
            other = self.least(chain, "swift-certificates")
            if other:
                ratios.append(ours / other)
            yield (
                f"| {chain} | {ours / openssl:.2f} | {limit:.2f} "
                f"| {self.bar(f'{chain}, of the time of OpenSSL', ours / openssl, limit, '')} "
                f"| {f'{ours / other:.2f}' if other else ''} |")
        if ratios:
            yield f"| geometric mean | | | | {math.exp(statistics.fmean(map(math.log, ratios))):.2f} |"

    def beside(self):
        yield "| chain | beside the signatures, cold | DER walk | bar | |"
        yield "|---|---:|---:|---:|---|"
        beside = {chain: self.least(chain, "ours, cold") - self.least(chain, "floor, signatures and keys")
                  for chain in self.chains()}
        for chain, value in beside.items():
            found = re.fullmatch(r"[A-E](\d+)", chain)
            walk = f"{self.least(chain, 'walk'):.1f}"
            if found:
                limit = self.h(chain) + BESIDE_BY_NAMES[int(found[1])] * self.scale
                cell = self.bar(f"{chain}, beside the signatures", value, limit)
                yield f"| {chain} | {value:.1f} | {walk} | {limit:.1f} | {cell} |"
            else:
                yield f"| {chain} | {value:.1f} | {walk} | | |"
        if {"A2-three-sent", "A2-nine-sent"} <= beside.keys():
            few, many = beside["A2-three-sent"], beside["A2-nine-sent"]
            cell = self.bar("nine certificates sent, in times of three", many / few, NINE, "")
            yield f"| nine sent, in times of three | {many / few:.2f} | | {NINE:.1f} | {cell} |"

    def others(self):
        yield "| what | measured | bar | |"
        yield "|---|---:|---:|---|"

        def row(what, value, limit, unit="µs"):
            return f"| {what} | {value:.2f} {unit} | {limit:.2f} | {self.bar(what, value, limit, unit)} |"
        if {"A2-pins-1", "A2-pins-1000"} <= self.times.keys():
            one, many = (self.least(name, "ours, repeat") for name in ("A2-pins-1", "A2-pins-1000"))
            yield row("1,000 pins over one pin, repeat", many - one, PINS * self.scale)
        if "deny" in self.times:
            deny, found = self.least("deny", "ours, repeat"), self.least("deny", "look-up")
            yield row(f"a deny ({deny:.2f} µs) over its look-up ({found:.2f} µs)", deny - found, DENY * self.scale)
        if "A2" in self.times:
            yield row("`explain` in times of `evaluate`, A2 cold",
                      self.least("A2", "explain, cold") / self.least("A2", "ours, cold"), EXPLAIN, "×")
        most = [(self.least(chain, "explain, cold") - self.least(chain, "ours, cold"), chain) for chain in self.chains()]
        if most:
            value, chain = max(most)
            yield row(f"`explain` over `evaluate`, cold, at most ({chain})", value, EXPLAIN_BESIDE * self.scale)
        if self.threads:
            value = statistics.median(self.threads)
            cell = self.bar("two processes in times of two threads, A2", 1 / value, 1 / THREADS, "×")
            yield (f"| two threads in parts of two processes, A2 ({min(self.threads):.2f} to {max(self.threads):.2f}) "
                   f"| {value:.2f} | {THREADS} | {cell} |")


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True).stdout.split("(")[0].strip()
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, {version}; the load was {load:.1f}."


def main():
    parser = argparse.ArgumentParser(prog="verdicts.sh")
    parser.add_argument("work", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("--library", help=argparse.SUPPRESS)
    parser.add_argument("--without-swift-certificates", action="store_true")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--milliseconds", type=int, default=20)
    parser.add_argument("--chains", help="measure these chains alone, by their names in the table")
    parser.add_argument("--json", type=pathlib.Path, help="write nanoseconds of each chain, subject and round")
    parser.add_argument("--strict", action="store_true", help="fail where a bar is missed")
    arguments = parser.parse_args()

    folder = arguments.work / "cases"
    roots = write_store(folder / "store.case") if BUNDLE.exists() else None
    if arguments.chains:
        chosen = {"store"} | {name + state for name in arguments.chains.split(",") for state in ("", "-warm", "-cold")}
        for path in folder.glob("*.case"):
            if path.stem not in chosen:
                path.unlink()
    out = arguments.work / "times.json"
    command = [arguments.program, "time", folder, folder / "store.case", str(arguments.rounds),
               str(arguments.milliseconds), out, *([arguments.library] if arguments.library else [])]
    if subprocess.run(command).returncode != 0:
        sys.exit("nothing is measured where an answer is wrong")
    times = json.loads(out.read_text())
    cases = {name: Case(folder / f"{name}.case") for name in times}
    threads = throughput(arguments.program, folder, "A2") if "A2" in times else []
    page = Page(times, cases, threads)

    print(machine())
    print(f"\n{arguments.rounds} rounds; microseconds of CPU time, the least of the rounds / their median; ratios and bars are "
          f"of the least. {f'{roots} roots of the machine' if roots else '139 minted roots'} beside those of the chains. "
          f"P-256 takes {page.scale * P256:.1f} µs here, so the bars are those for {P256:.0f} µs times {page.scale:.2f}.")
    for rows in (page.verdicts(), page.peers(), page.beside(), page.others()):
        print()
        print("\n".join(rows))
    missed = [bar for bar in page.bars if not bar[4]]
    print(f"\n{len(page.bars) - len(missed)} of {len(page.bars)} bars are met.")
    if arguments.json:
        arguments.json.write_text(json.dumps({
            "machine": machine(), "scale": page.scale, "nanoseconds": times, "threads": threads,
            "bars": [{"name": name, "value": value, "limit": limit, "unit": unit, "met": is_met}
                     for name, value, limit, unit, is_met in page.bars]}, indent=1) + "\n")
    sys.exit(1 if missed and arguments.strict else 0)


if __name__ == "__main__":
    main()

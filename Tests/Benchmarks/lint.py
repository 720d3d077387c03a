#!/usr/bin/env python3
"""Runs the commands of lint.sh in turns and prints their medians as Markdown.

Usage: lint.py FOLDER HAWSER SCHEMA MOST

FOLDER is what lint.sh has made: the tools, `measure`, and a folder of inputs for each number of lines.
"""

import os
import platform
import statistics
import subprocess
import sys

FOLDER, HAWSER, SCHEMA = sys.argv[1:4]
MOST = int(sys.argv[4])
TOOLS = f"{FOLDER}/venv/bin"

# CPU time that `hawser lint` may take, in times of what libyaml takes for the events of the same
# file in the same run. A machine that is slower for one is slower for the other.
BARS = {10_000: 5.0, 100_000: 5.0}
# Twice the lines may take so many times as long.
GROWTH = 2.2

# Rounds by lines: medians of many short runs, and of few long ones.
ROUNDS = {0: 101, 1_000: 21, 10_000: 9, 100_000: 3, 200_000: 5, 400_000: 5}


def commands(lines):
    """The commands for an input, by name."""
    policy, module = f"{FOLDER}/{lines}/policy.yaml", f"{FOLDER}/{lines}/module.py"
    if lines == 0:
        return {"a bare C program": [f"{FOLDER}/bare"], "`hawser --version`": [HAWSER, "--version"]}
    own = {"hawser lint": [HAWSER, "lint", policy], "libyaml's events": [f"{FOLDER}/events", policy]}
    own["ruff check"] = [f"{TOOLS}/ruff", "check", "--no-cache", "--config", f"{FOLDER}/ruff.toml", module]
    if lines > MOST:
        return own
    return own | {
        "yamllint": [f"{TOOLS}/yamllint", "--config-file", f"{FOLDER}/yamllint.yaml", policy],
        "check-jsonschema": [f"{TOOLS}/check-jsonschema", "--schemafile", SCHEMA, policy],
    }


def run(command):
    """CPU and wall milliseconds, peak MiB; the command must find nothing wrong."""
    log = f"{FOLDER}/log"
    if os.path.exists(log):
        os.remove(log)
    subprocess.run([f"{FOLDER}/measure", log, *command], check=True)
    with open(log, encoding="ascii") as file:
        cpu, wall, memory, status = map(int, file.read().split())
    if status != 0:
        sys.exit(f"{' '.join(command)} gave the status {status}")
    return cpu / 1000, wall / 1000, memory / 1024


def medians(lines):
    """Of each command its medians; one round at a time, each command once in it."""
    taken = {name: [] for name in commands(lines)}
    for _ in range(ROUNDS[lines]):
        for name, command in commands(lines).items():
            taken[name].append(run(command))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in taken.items()}


def shown(milliseconds):
    return f"{milliseconds:,.2f}" if milliseconds < 10 else f"{milliseconds:,.0f}"


def machine():
    """What the numbers were taken on."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    versions = subprocess.run(
        [f"{TOOLS}/pip", "--disable-pip-version-check", "list", "--format=freeze"],
        capture_output=True, text=True, check=True).stdout
    wanted = ("check-jsonschema", "ruff", "yamllint")
    tools = [line.replace("==", " ") for line in versions.split() if line.split("==")[0] in wanted]
    own = subprocess.run([HAWSER, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}; {own}, {', '.join(tools)}.")


def main():
    failures = []
    print(machine())
    print("\n| lines | command | CPU ms | times libyaml's events | wall ms | peak MiB |\n|---:|---|---:|---:|---:|---:|")
    own, events = {}, {}
    for lines in ROUNDS:
        taken = medians(lines)
        events[lines] = taken["libyaml's events"][0] if lines else None
        for name, (cpu, wall, memory) in taken.items():
            size = f"{lines:,}" if lines else ""
            times = f"{cpu / events[lines]:.2f}" if lines else ""
            print(f"| {size} | {name} | {shown(cpu)} | {times} | {shown(wall)} | {memory:,.0f} |", flush=True)
            if name == "hawser lint":
                own[lines] = cpu
    for lines, bar in BARS.items():
        ratio = own[lines] / events[lines]
        print(f"\n{lines:,} lines take {ratio:.2f} times as long as libyaml's events; the bar is {bar:.1f}.")
        if ratio > bar:
            failures.append(f"{lines:,} lines took {ratio:.2f} times as long as libyaml's events, the bar is {bar:.1f}")
    for lines in (200_000, 400_000):
        growth = own[lines] / own[lines // 2]
        print(f"\n{lines:,} lines take {growth:.2f} times as long as {lines // 2:,}; the bar is {GROWTH}.")
        if growth > GROWTH:
            failures.append(f"{lines:,} lines took {growth:.2f} times as long as half of them, the bar is {GROWTH}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()

#!/usr/bin/env python3
"""Writes a policy and a Python module of the same number of lines, the same octets for the same number.

Usage: lint-inputs.py FOLDER LINES

The policy is one file and gives no finding: teams with a pin set, a profile and ten rules each, whose
hosts, pins, profiles and fields vary as in policies that people write, with a comment here and
there. The module is a program with the same checks in code: functions with conditions, calls and
texts.
"""

import base64
import hashlib
import os
import sys


def digest(text):
    return "sha256/" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def pin_set(team):
    return [
        f"  {team}:",
        "    keys:",
        f"      issuing: {{ spki: {digest(team)}, at: ca }}",
        "    backups:",
        f'      offline: {{ spki: {digest(team + " next")}, note: "safe, bag {len(team)}" }}',
        "    enforce-until: 2060-06-30",
    ]


def profile(team, number):
    return [
        f"  {team}:",
        "    keys:",
        f"      rsa-minimum: {3072 if number % 2 else 4096}",
        "    path:",
        f"      maximum-intermediates: {number % 4 + 1}",
    ]


def rule(team, number):
    """One rule; its contents follow from its number."""
    name = f"s{number}.{team}.corp.example"
    lines = [f"  # What {team} runs, number {number}."] if number % 6 == 0 else []
    lines += [f"  {team}-service-{number}:", "    hosts:", f'      - "{name}"']
    if number % 3 == 0:
        lines.append(f'      - "*.{name}"')
    if number % 11 == 0:
        lines.append(f'      - "admin.{team}-{number}.corp.example:8443"')
    lines.append("    anchors: [system]")
    if number % 4 == 0 or number % 10 == 0:
        lines.append(f"    pins: [{team}]")
    if number % 2 == 0:
        lines.append(f"    profile: {team}")
    lines.append(f"    owner: {team} # on call" if number % 3 == 1 else f"    owner: {team}")
    if number % 9 == 0:
        lines += ["    validity:", "      maximum-lifetime: 398d"]
    if number % 50 == 0:
        lines += [
            "    waivers:",
            "      expired: # hawser:ignore HW605 -- as long as the contract",
            "        tolerance: 14d",
            f"        reason: the vendor of {name} renews late",
            f"        owner: {team}",
            "        until: 2060-06-30",
        ]
    return lines


def policy(count):
    """Teams until the lines are used up; the rest of them are comments."""
    head = ["hawser: 1", "default: deny"]
    pins, profiles, rules = ["pins:"], ["profiles:"], ["rules:"]
    number = 0
    while True:
        team = f"team-{number // 10}"
        own = [pin_set(team), profile(team, number // 10), []]
        for index in range(number, number + 10):
            own[2] += rule(team, index)
        used = sum(map(len, (head, pins, profiles, rules, *own)))
        if used > count:
            break
        for section, lines in zip((pins, profiles, rules), own):
            section += lines
        number += 10
        if used == count:
            break
    lines = head + pins + profiles + rules
    return lines + ["# The end."] * (count - len(lines))


def function(number):
    return [
        f"def answer_{number}(host: str, port: int) -> str:",
        f'    """What is trusted of service {number}."""',
        f'    if host.endswith(".s{number}.corp.example") and port == {number % 65536}:',
        f'        return "pinned-{number}"',
        f"    names = [part for part in host.split(\".\") if len(part) > {number % 7}]",
        "    for index, name in enumerate(names):",
        f'        if name == "s{number}":',
        f'            return f"rule {{index}} of {number}"',
        '    return "deny"',
        "",
        "",
    ]


def module(count):
    """Functions until the lines are used up; the rest of them are comments."""
    lines = ['"""Which hosts are trusted, as a program."""', "", ""]
    for number in range((count - len(lines)) // len(function(0))):
        lines += function(number)
    return lines + ["# The end."] * (count - len(lines))


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder)
    write(f"{folder}/policy.yaml", policy(count))
    write(f"{folder}/module.py", module(count))


main()

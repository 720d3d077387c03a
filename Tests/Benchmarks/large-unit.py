#!/usr/bin/env python3
"""Writes a unit of many files and rules, the same octets for the same numbers.

Usage: large-unit.py FOLDER [FILES [RULES]]

Each file but the first is a team's: a pin set, a profile, and its share of the rules, whose hosts, pins,
profiles and fields vary as in policies that people write.
"""

import base64
import hashlib
import os
import sys


def digest(text):
    return "sha256/" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def rule(team, number):
    """One rule; its contents follow from its number."""
    name = f"s{number}.{team}"
    lines = [f"  {team}-service-{number}:", "    hosts:", f'      - "{name}.corp.example"']
    if number % 3 == 0:
        lines.append(f'      - "*.{name}.corp.example"')
    if number % 7 == 0:
        lines.append(f'      - "{name}.corp.example:8443"')
    if number % 11 == 0:
        lines.append(f'      - "10.{number // 65536 % 256}.{number // 256 % 256}.{number % 256}"')
    lines.append("    anchors: [system]")
    if number % 4 == 0:
        lines.append(f"    pins: [{team}]")
    if number % 2 == 0:
        lines.append(f"    profile: {team}")
    if number % 5 == 0:
        lines.append(f"    owner: {team}")
    if number % 9 == 0:
        lines += ["    keys:", "      rsa-minimum: 3072"]
    if number % 50 == 0:
        lines += [
            "    waivers:",
            "      expired:",
            "        tolerance: 14d",
            f"        reason: the vendor of {name} renews late",
            f"        owner: {team}",
            "        until: 2030-06-30",
        ]
    return lines


def team_file(number, first, count):
    team = f"team-{number}"
    lines = [
        "hawser: 1",
        f"# The services of {team}.",
        "pins:",
        f"  {team}:",
        "    keys:",
        f"      issuing: {{ spki: {digest(team)}, at: ca }}",
        "    backups:",
        f'      offline: {{ spki: {digest(team + " next")}, note: "safe, bag {number}" }}',
        "    enforce-until: 2030-06-30",
        "profiles:",
        f"  {team}:",
        "    extends: corp",
        "    path:",
        f"      maximum-intermediates: {number % 4 + 1}",
        "rules:",
    ]
    for offset in range(count):
        lines += rule(team, first + offset)
    return lines


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def main():
    folder = sys.argv[1]
    files = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    rules = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    os.makedirs(folder)
    write(
        f"{folder}/policy.yaml",
        ["hawser: 1", "default: deny", "profiles:", "  corp:", "    keys:", "      rsa-minimum: 2048"],
    )
    teams = files - 1
    first = 0
    for number in range(teams):
        share = rules // teams + (1 if number < rules % teams else 0)
        place = f"{folder}/division-{number % 20}"
        os.makedirs(place, exist_ok=True)
        write(f"{place}/team-{number}.policy.yaml", team_file(number, first, share))
        first += share


main()

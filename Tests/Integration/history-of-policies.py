"""Compares `hawser diff` with `hawser show` over the history of `policies/`; see the script beside it.

Usage: history-of-policies.py HAWSER REPOSITORY COMMITS
"""

import ipaddress
import json
import os
import subprocess
import sys
import tempfile

hawser, repository, most = sys.argv[1], sys.argv[2], int(sys.argv[3])

# Before every date of the history, so that no exception has ended.
AT = "2020-01-01"

# What annotates a rule, an exception or a set and decides nothing.
ANNOTATIONS = {"reason", "owner", "ticket", "note", "warn-from"}


def git(*arguments):
    return subprocess.run(
        ["git", "-C", repository, *arguments], check=True, capture_output=True
    ).stdout


def units(commit):
    """The folders with a `policy.yaml` under `policies/`, each with the id of its tree."""
    found = {}
    for line in git("ls-tree", "-r", "-z", "--name-only", commit, "policies").split(b"\0"):
        path = line.decode()
        if os.path.basename(path) == "policy.yaml" and not path.startswith("policies/invalid/"):
            folder = os.path.dirname(path)
            found[folder] = git("rev-parse", f"{commit}:{folder}").decode().strip()
    return found


class Unit:
    """One state of a unit: its table, or None where it does not load, and its patterns."""

    known = {}

    @classmethod
    def of(cls, tree, scratch):
        if tree not in cls.known:
            cls.known[tree] = Unit(tree, scratch)
        return cls.known[tree]

    def __init__(self, tree, scratch):
        folder = os.path.join(scratch, tree)
        os.mkdir(folder)
        archive = subprocess.Popen(
            ["git", "-C", repository, "archive", tree], stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        if archive.wait() != 0:
            sys.exit(f"git archive {tree} failed")
        self.table = os.path.join(scratch, tree + ".table")
        self.shown = {}
        self.patterns = []
        compiled = subprocess.run(
            [hawser, "compile", folder, "-o", self.table], capture_output=True
        )
        self.loads = compiled.returncode == 0
        if self.loads:
            inspected = subprocess.run(
                [hawser, "inspect", self.table, "--format", "json"],
                capture_output=True, check=True,
            )
            for rule in json.loads(inspected.stdout)["rules"]:
                self.patterns += rule["hosts"]

    def show(self, host):
        """The fields that decide a host: names and values without places and annotations."""
        if host not in self.shown:
            run = subprocess.run(
                [hawser, "show", host, "--table", self.table, "--format", "json"],
                capture_output=True,
            )
            if run.returncode != 0:
                sys.exit(f"show {host}: {run.stderr.decode()}")
            answer = json.loads(run.stdout)
            # After its last day a set that fails rejects as before.
            failing = {
                field["field"].removesuffix("on-expiry") + "enforce-until"
                for field in answer["fields"]
                if field["field"].endswith(".on-expiry") and field["value"] == "fail"
            }
            fields = [
                (field["field"], json.dumps(plain(field["value"]), sort_keys=True))
                for field in answer["fields"]
                if field["field"].split(".")[-1] not in ANNOTATIONS
                and field["field"] not in failing | {"hosts", "profile"}
            ]
            self.shown[host] = (answer["denied"], fields)
        return self.shown[host]


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key not in ANNOTATIONS}
    return value


def split(pattern):
    """The host part of a pattern, and its port or None."""
    if pattern.startswith("["):
        host, _, port = pattern[1:].partition("]")
        return host, port[1:] or None
    if pattern.count(":") == 1:
        host, port = pattern.split(":")
        return host, port
    return pattern, None


def witnesses(patterns):
    """Hosts with ports, at least one for each pattern on each port that any pattern names."""
    parts = [split(pattern) for pattern in patterns]
    ports = sorted({"443", "8443"} | {port for _, port in parts if port})
    hosts = {"unlisted.example", "unlisted.invalid"}
    for host, _ in parts:
        if host.startswith("**."):
            hosts |= {"x-one" + host[2:], "x-two.x-one" + host[2:]}
        elif host.startswith("*."):
            hosts.add("x-one" + host[1:])
        elif "/" in host:
            network = ipaddress.ip_network(host)
            hosts |= {str(network[0]), str(network[-1])}
        else:
            hosts.add(host)
    return sorted(
        (f"[{host}]" if ":" in host else host) + ":" + port for host in hosts for port in ports
    )


def main():
    commits = git("log", "--reverse", "--format=%H", "--", "policies").decode().split()
    pairs = list(zip(commits, commits[1:]))[::-1]
    seen = same = compared = equal = changed = idle = missing = asked = 0
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        after = units(commits[-1])
        for old, new in pairs:
            # The last commits may hold no change of a policy, or nothing but changes: then more
            # commits are looked at, until both were seen.
            if seen >= most and changed and equal:
                break
            seen += 1
            before = units(old)
            for folder in sorted(before.keys() & after.keys()):
                if before[folder] == after[folder]:
                    same += 1
                    continue
                one, two = Unit.of(before[folder], scratch), Unit.of(after[folder], scratch)
                if not (one.loads and two.loads):
                    missing += 1
                    continue
                compared += 1
                diff = subprocess.run(
                    [hawser, "diff", one.table, two.table, "--at", AT, "--require", "equal"],
                    capture_output=True, text=True,
                )
                if diff.returncode not in (0, 1):
                    wrong.append(f"{old[:8]} {new[:8]} {folder}: diff failed: {diff.stderr}")
                    continue
                hosts = witnesses(one.patterns + two.patterns)
                asked += len(hosts)
                differing = [host for host in hosts if one.show(host) != two.show(host)]
                if diff.returncode == 1:
                    changed += 1
                    if not differing:
                        wrong.append(f"{old[:8]} {new[:8]} {folder}: diff alone: {diff.stdout}")
                    continue
                equal += 1
                if differing:
                    # `show` differs in what decides nothing: another order, another id.
                    host = differing[0]
                    fields = set(one.show(host)[1]) ^ set(two.show(host)[1])
                    told = {name.split(".")[0] for name, _ in fields}
                    if "decide nothing" in diff.stdout or "decides nothing" in diff.stdout:
                        idle += 1
                    else:
                        wrong.append(
                            f"{old[:8]} {new[:8]} {folder}: show alone, {host}: {sorted(told)} "
                            f"{sorted(fields)[:4]}\n{diff.stdout}"
                        )
            after = before
    print(
        f"{seen} pairs of commits: {same} units with the same files, "
        f"{missing} not compared because they do not load, {compared} compared: {changed} changed, "
        f"{equal} equal ({idle} of them with changes that decide nothing); {asked} hosts asked"
    )
    for line in wrong:
        print("FAILED:", line, file=sys.stderr)
    if compared == 0 or changed == 0 or equal == 0:
        sys.exit("the history holds too little to compare")
    return 1 if wrong else 0


sys.exit(main())

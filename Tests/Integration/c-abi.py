"""What the C interface says beside what the command says, of every case under policies/: see c-abi.sh.

    c-abi.py HAWSER POLICIES SCRATCH EVERY EXAMPLE...

EVERY is 1 for all cases and 12 for every twelfth. Each EXAMPLE is a command line that takes the options of
Packaging/c/examples/c/verdict.c. Verdict, violations and explanation must be the command's, the explanation octet
for octet.
"""

import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from case_requests import request_of, seconds

hawser, policies, scratch, every, *examples = sys.argv[1:]
scratch = pathlib.Path(scratch)
# Where the library and the command look for the machine's store: a case's own takes its place, seen
# by this process and its children alone (c-abi.sh makes the mounts private).
store_place = next(
    (place for place in ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                         "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"] if os.path.exists(place)), None)
can_mount = os.environ.get("MOUNTS_ARE_PRIVATE") == "1" and store_place is not None


VERSIONS = {"tls1.0": "0x0301", "tls1.1": "0x0302", "tls1.2": "0x0303", "tls1.3": "0x0304"}


def options_of(case, request):
    """Of one case: what the command is given, and what the examples are given."""
    command = ["--at", request["at"]]
    shared = []
    port = request.get("port", "443")
    if request.get("tls") == "none":
        command.append("--cleartext")
        example = ["--tls", "none"]
    else:
        chain = str(case / request.get("chain", "chain.pem"))
        shared += ["--chain", chain]
        version = request.get("tls", "tls1.3")
        command += ["--tls-version", version]
        example = ["--tls", VERSIONS[version]]
    for key in ["cipher-suite", "group", "signature-scheme", "alpn"]:
        if key in request:
            shared += ["--" + key, request[key]]
    for key in ["staple", "sct-list"]:
        if key in request:
            shared += ["--" + key, str(case / request[key])]
    for key, option in [("ocsp", "--ocsp"), ("crls", "--crl")]:
        for name in request.get(key, []):
            shared += [option, str(case / name)]
    for assumed in request.get("assume", []):
        name, outcome = (part.strip() for part in assumed.split(":"))
        command += ["--assume", f"{name}={outcome}"]
        example += ["--check", f"{name}={outcome}"]
    return command + shared, example + shared + ["--port", port, "--at", seconds(request["at"])]


# What the command adds to an explanation, which the trace itself does not have.
ADDITIONS = ["commands", "certificates", "pinPlaces"]


def without_additions(text):
    """The JSON of an explanation without the members of the command: each is a list of its own
    lines."""
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        inside = inside or any(line == f'  "{name}": [\n' for name in ADDITIONS)
        if not inside:
            kept.append(line)
        inside = inside and line != "  ],\n"
    return "".join(kept)


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def without_facts(line):
    """A violation's line without the part that only an explanation knows: the other evidence that
    was supplied. A verdict says only that the certificate has no answer."""
    return re.sub(r"^(revocation-undetermined: .*?\(`[a-z-]+`\)): .*", r"\1", line)


def says_the_same(line, told):
    """Whether a verdict's line is the line of the explanation. Some lines of a reject have an
    addition there, behind `; `, which follows from the certificates that were presented."""
    told = without_facts(told)
    return line == told or told.startswith(line + "; ")


def fail(name, what, *outputs):
    sys.exit("\n".join([f"FAILED: {name}: {what}", *map(str, outputs)]))


compared = {"accept": 0, "reject": 0}
skipped = {}
everything = sorted(case for case in pathlib.Path(policies).glob("*/cases/*")
                    if (case.parent.parent / "policy.yaml").exists())
sample = everything[:: int(every)]
for recipe, cases in itertools.groupby(sample, lambda case: case.parent.parent):
    table = scratch / f"{recipe.name}.table"
    done = run(hawser, "compile", str(recipe), "--output", str(table))
    if done.returncode != 0:
        fail(recipe.name, "does not compile", done.stdout, done.stderr)
    # A table loads with every check that it names, and only the deciding rule's are asked.
    names = sorted(set(re.findall(r"^\s*checks:\s*\[([^\]]*)\]", "\n".join(
        path.read_text() for path in recipe.rglob("*policy.yaml")), re.M)))
    checks = sorted({name.strip() for group in names for name in group.split(",")})
    for case in cases:
        name = f"{recipe.name}/{case.name}"
        request = request_of(case / "request.yaml")
        if "system" in request:
            if not can_mount:
                skipped["the machine's store cannot be replaced"] = skipped.get(
                    "the machine's store cannot be replaced", 0) + 1
                continue
            done = run("mount", "--bind", str(recipe / request["system"]), store_place)
            if done.returncode != 0:
                fail(name, "mount", done.stderr)
        try:
            command, example = options_of(case, request)
            for check in checks:
                if not any(option.startswith(check + "=") for option in example):
                    example += ["--check", f"{check}=fail"]
            host = request["host"] if ":" not in request["host"] else f"[{request['host']}]"
            target = f"{host}:{request['port']}" if "port" in request else host
            told = run(hawser, "explain", target, "--table", str(table), "--format", "json", *command)
            if told.returncode not in (0, 1):
                reason = told.stderr.strip().splitlines()[-1:] or ["?"]
                skipped[f"the command cannot be asked {name}: {reason[0]}"] = 1
                continue
            wanted = json.loads(told.stdout)
            lines = [wanted["verdict"]] + [f"{v['id']}: {v['summary']}" for v in wanted["violations"]]
            assumptions = [part for text in wanted["assumptions"] for part in ["--assumption", text]]
            for line in examples:
                base = [*shlex.split(line), "--table", str(table), "--host", request["host"], *example]
                said = run(*base)
                found = [without_facts(one) for one in said.stdout.splitlines()]
                same = len(found) == len(lines) and all(
                    says_the_same(one, line_told) for one, line_told in zip(found, lines))
                if not same or said.returncode != told.returncode:
                    fail(name, line, "wanted:", *lines, "found:", said.stdout, said.stderr)
                explained = run(*base, "--explain", *assumptions)
                if explained.stdout != without_additions(told.stdout):
                    (scratch / "wanted.json").write_text(without_additions(told.stdout))
                    (scratch / "found.json").write_text(explained.stdout)
                    difference = run("diff", str(scratch / "wanted.json"), str(scratch / "found.json"))
                    fail(name, f"{line}: another explanation", difference.stdout[:2000], explained.stderr)
            compared[wanted["verdict"]] += 1
        finally:
            if "system" in request and can_mount:
                run("umount", store_place)

for reason, count in sorted(skipped.items()):
    print(f"skipped {count}: {reason}")
if len(sample) < len(everything):
    print(f"a sample: every {every}th of {len(everything)} cases")
print(f"{sum(compared.values())} cases ({compared['accept']} accept, {compared['reject']} reject): verdict, violations "
      f"and explanation are the command's in {len(examples)} examples")
if sum(compared.values()) == 0:
    sys.exit("FAILED: nothing was compared")

"""Judges the chains that private-pki.sh has made, and every case of policies/private-pki, with three validators.

    private-pki.py HAWSER ROOT SCRATCH JUDGE [--markdown FILE]

ROOT is the checkout. SCRATCH/live has a folder for each chain: `chain.pem`, `anchor.pem`, `host`, `kind` (of the
anchor), `breaches` (demands that it certainly breaches), and for a chain that every validator must reject `hostile`
(the violations of which Hawser names one). JUDGE is the program of judge.go, or `-`.

It ends with 1 if
  - Hawser rejects a sound chain under `files:`, or any chain by an issuance demand that nobody enforces;
  - Hawser accepts a hostile chain, or rejects it for another reason;
  - Hawser accepts a chain that OpenSSL and Go both refuse (without Go: that OpenSSL refuses);
  - only Hawser rejects a chain, by a violation that stops no known attack;
  - `enforce` does not reject by the id of each demand that the accept was given a notice of;
  - a waiver of these ids does not accept, or one that lacks an id does;
  - Hawser accepts fewer of the sound cases than Go.
"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from datetime import datetime, timezone

hawser, root, scratch, judge, *options = sys.argv[1:]
root, scratch = pathlib.Path(root), pathlib.Path(scratch)
markdown = pathlib.Path(options[options.index("--markdown") + 1]) if "--markdown" in options else None
grammar = root / "grammar" / "violations.yaml"
recipe = root / "policies" / "private-pki"
work = scratch / "judged"
work.mkdir()

failures = []


def fail(what, why):
    failures.append(f"{what}: {why}")


# ---------------------------------------------------------------------------------------- questions

# `anchors` are files, of the anchor kind `kind`; `extras` are the anchor set's intermediates. The
# certificate must present one of `names`; there are none where the rule asks for no DNS name and no
# address. `host` is what the command is asked, with a port if need be. `purpose` is `server` or
# `any`.
Question = namedtuple("Question", "chain anchors kind extras names host at purpose", defaults=["server"])
Answer = namedtuple("Answer", "word why")


def certificates(*files):
    """The certificates of PEM files, or of a file in DER, each as PEM."""
    found = []
    for file in files:
        octets = pathlib.Path(file).read_bytes()
        blocks = re.findall(rb"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", octets, re.S)
        found += [block.decode() for block in blocks] or [pem(octets)]
    return found


def pem(octets):
    text = base64.b64encode(octets).decode()
    lines = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


def der(text):
    return base64.b64decode("".join(text.split("-----")[2].split()))


def written(name, texts):
    path = work / name
    path.write_text("".join(texts))
    return str(path)


def seconds(text):
    if "T" not in text:
        text += "T00:00:00Z"
    return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())


def instant(at):
    return datetime.fromtimestamp(at, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_address(name):
    return ":" in name or re.fullmatch(r"[0-9.]+", name) is not None


# --------------------------------------------------------------------------------- three validators


def first_accept(question, ask):
    """The answer for the first name that is accepted, or else for the last one."""
    for name in question.names or [None]:
        answer = ask(name)
        if answer.word == "accept":
            break
    return answer


def openssl(question):
    leaf, *others = certificates(question.chain)
    others += certificates(*question.extras)
    command = ["openssl", "verify", "-no-CApath", "-no-CAstore", "-attime", str(question.at), "-CAfile",
               written("anchors.pem", certificates(*question.anchors)), "-purpose",
               "sslserver" if question.purpose == "server" else "any"]
    if question.kind != "root":
        command.append("-partial_chain")
    if others:
        command += ["-untrusted", written("others.pem", others)]

    def ask(name):
        wanted = [] if name is None else ["-verify_ip" if is_address(name) else "-verify_hostname", name]
        ended = subprocess.run([*command, *wanted, written("leaf.pem", [leaf])], capture_output=True, text=True)
        if ended.returncode == 0:
            return Answer("accept", "")
        said = ended.stdout + ended.stderr
        error = re.search(r"^error \d+ at \d+ depth lookup: (.*)$", said, re.M)
        return Answer("reject", error.group(1) if error else said.strip().splitlines()[-1])

    return first_accept(question, ask)


def go(question):
    if judge == "-":
        return Answer("-", "")
    chain = written("chain.pem", certificates(question.chain) + certificates(*question.extras))
    anchors = written("anchors.pem", certificates(*question.anchors))

    def ask(name):
        command = [judge, chain, anchors, name or "-", str(question.at), question.purpose]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        word, _, why = said.partition(" ")
        return Answer(word, why)

    return first_accept(question, ask)


# `ids` are the violations of a reject, `notices` the demands in the notice `issuance` of an accept,
# `reported` what a waiver let through. `why` says the violations in words, or the error.
Verdict = namedtuple("Verdict", "word ids notices reported why")


def unique(items):
    return list(dict.fromkeys(items))


def ours(question, policy):
    ended = subprocess.run(
        [hawser, "explain", question.host, "--chain", question.chain, "--policy", str(policy), "--at",
         instant(question.at), "--format", "json"], capture_output=True, text=True)
    if ended.returncode not in (0, 1):
        return Verdict("error", [], [], [], " ".join((ended.stderr or ended.stdout).split()))
    told = json.loads(ended.stdout)
    return Verdict(
        told["verdict"],
        ids=unique(violation["id"] for violation in told["violations"]),
        notices=unique(breach["demand"] for notice in told["notices"] for breach in notice.get("breaches", [])),
        reported=unique(failure["violation"]["id"] for failure in told["reported"]),
        why="; ".join(f"{violation['id']}: {violation['summary']}" for violation in told["violations"]))


# ------------------------------------------------------------------------------- why Hawser rejects


def section(text, name):
    """The entries of a section of violations.yaml: ids, each with its keys that hold one text."""
    lines = re.split(rf"^{name}:\n", text, flags=re.M)[1].splitlines()
    entries, keys, key = {}, {}, None
    for line in lines:
        if line and not line.startswith((" ", "#")):
            break
        if match := re.fullmatch(r"  ([a-z0-9-]+):", line):
            keys, key = entries.setdefault(match.group(1), {}), None
        elif match := re.fullmatch(r"    ([a-z-]+): *(.*)", line):
            key = match.group(1)
            keys[key] = match.group(2)
        elif key and line.startswith("      "):
            keys[key] += " " + line.strip()
    return {id: {key: text.strip('">| ') for key, text in keys.items()} for id, keys in entries.items()}


contract = grammar.read_text()
demands = section(contract, "standard-demands")
violations = section(contract, "violations")


def is_issuance(id):
    return demands.get(id, {}).get("kind") == "issuance"


# The attacks that the other violations stop, as far as other validators let these chains pass.
ATTACKS = {
    "anchor-not-trusted": "Whoever holds the key of a certificate that is trusted for itself alone issues others.",
    "constraint-not-evaluated": "A CA vouches for names outside a constraint that the validator cannot read.",
    "end-entity-unreadable": "Two readers of one certificate find two meanings in it.",
    "hash-too-weak": "Whoever finds a collision moves the signature to another certificate.",
    "issuer-not-found": "Whoever holds the key of a certificate that is trusted for itself alone issues others.",
    "key-too-small": "Whoever factors the key signs for every name that it vouches for.",
    "key-type-not-allowed": "A key with made-up curve parameters passes for the CA's key.",
    "name-mismatch": "A certificate for one host passes for another host.",
    "name-not-permitted": "A CA vouches for names that its issuer has not given to it.",
    "not-a-ca": "The owner of any certificate issues certificates.",
    "purpose-not-allowed": "A certificate for users, mail or code is shown as a server's.",
    "purpose-not-named": "A certificate for users, mail or code that names no purpose is shown as a server's.",
    "revocation-undetermined": "A stolen key is used after its certificate was revoked.",
    "staple-missing": "A stolen key is used after its certificate was revoked.",
    "unknown-critical-extension": "A limit that the issuer wrote does not bind.",
}


def attack(id):
    """The attack that the violation stops. The contract writes "Nothing" where it stops none."""
    text = demands[id].get("attack", "") if id in demands else ATTACKS.get(id, "")
    return "" if text.startswith("Nothing") else text


# ------------------------------------------------------------------------------------------- tables


class Table:
    def __init__(self, title, *columns):
        self.title, self.columns, self.rows = title, columns, []

    def add(self, *cells):
        self.rows.append([str(cell) for cell in cells])

    def text(self):
        widths = [max(len(row[at]) for row in [self.columns, *self.rows]) for at in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in [self.columns, ["-" * width for width in widths], *self.rows]]
        return "\n".join(["", f"== {self.title}", "", *lines])

    def markdown(self):
        def line(cells):
            return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

        rule = "|" + "---|" * len(self.columns)
        return "\n".join([f"## {self.title}", "", line(self.columns), rule, *map(line, self.rows), ""])


shown = []


def show(table):
    shown.append(table)
    print(table.text())


def cell(verdict):
    """A verdict in a word, with the number of its notices or violations."""
    count = len(verdict.ids if verdict.word == "reject" else verdict.notices)
    return f"{verdict.word} {count}" if count else verdict.word


STANDARDS = {"files": "rfc5280", "web-pki": "web-pki"}


class Counts:
    """How many chains there are, and how many each validator accepts; `-` where it is missing."""

    def __init__(self):
        self.accepts, self.all = {}, 0

    def add(self, **words):
        self.all += 1
        for name, word in words.items():
            before = self.accepts.get(name, 0)
            self.accepts[name] = "-" if word == "-" else before + (word == "accept")


only_ours = Table("What Hawser alone rejects, and the attack that this stops", "chain", "judged by", "violation",
                  "attack")


def note_alone(name, label, verdict, others):
    """Lists chains that only Hawser rejects. `held` reports an issuance demand that rejects."""
    if verdict.word != "reject" or any(other.word == "reject" for other in others):
        return
    for id in verdict.ids:
        only_ours.add(name, label, id, attack(id) or "none is known")
        if not attack(id) and not is_issuance(id):
            fail(f"{name} ({label})", f"rejected by Hawser alone, and no attack is known that `{id}` stops")


def held(name, label, verdict, others, enforced):
    """What must hold of any chain that is judged."""
    if verdict.word == "error":
        fail(f"{name} ({label})", f"the command could not ask: {verdict.why}")
    if not enforced:
        for id in filter(is_issuance, verdict.ids):
            fail(f"{name} ({label})", f"`{id}` is an issuance demand that nobody enforces, and rejects")
    asked = [other for other in others if other.word != "-"]
    if verdict.word == "accept" and all(other.word == "reject" for other in asked):
        reasons = "; ".join(other.why for other in asked)
        fail(f"{name} ({label})", f"accepted, while the other validators refuse it: {reasons}")


# -------------------------------------------------------------------------------------- live chains


def policy_for(name, question, standard, more=""):
    """A policy with the CA under `files:` and nothing else written, but for `more` in its rule."""
    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ca.pem").write_text("".join(certificates(*question.anchors)))
    kind = "" if question.kind == "root" else f"    kind: {question.kind}\n"
    judged_by = "" if standard == "rfc5280" else f"    standard: {standard}\n"
    (folder / "policy.yaml").write_text(f"""hawser: 1
default: deny
anchors:
  ca:
    files: [ca.pem]
{kind}{judged_by}rules:
  asked:
    hosts: ["{question.host}"]
    anchors: [ca]
{more}""")
    return folder


ENFORCED = "    path: { issuance: enforce }\n"


def waived(ids):
    return ENFORCED + f"""    waivers:
      issuance:
        demands: [{", ".join(ids)}]
        reason: "the CA is made by a tool that we do not change"
        owner: tests
        until: 2099-12-31
"""


def knows(question, more):
    """None if the command takes a key, otherwise the start of its error message."""
    verdict = ours(question, policy_for("asked", question, "rfc5280", more))
    return None if verdict.word != "error" else verdict.why[:160]


def enforcement(name, question, label, reported, breached):
    """The cells of `enforce` and of the waiver, and the demands that `enforce` rejects by."""
    standard = STANDARDS[label]
    strict = ours(question, policy_for("enforced", question, standard, ENFORCED))
    for id in unique(reported.notices + breached):
        if id not in strict.ids:
            fail(f"{name} ({label}, enforce)", f"not rejected by `{id}`: {strict.word} {strict.why}")
    # Where validation rejects, no waiver of issuance demands lets the chain pass.
    if strict.word != "reject" or reported.word != "accept":
        return cell(strict), "-", strict.ids
    tolerant = ours(question, policy_for("waived", question, standard, waived(strict.ids)))
    what = f"{name} ({label}, waiver of {' '.join(strict.ids)})"
    if tolerant.word != "accept":
        fail(what, f"{tolerant.word} {tolerant.why}")
    elif sorted(tolerant.reported) != sorted(strict.ids):
        fail(what, f"the accept reports {' '.join(tolerant.reported) or 'nothing'}")
    for id in strict.ids if len(strict.ids) > 1 else []:
        others = [other for other in strict.ids if other != id]
        less = ours(question, policy_for("less", question, standard, waived(others)))
        if less.word != "reject" or less.ids != [id]:
            fail(what, f"without `{id}` it gives {less.word} {less.why}")
    return cell(strict), cell(tolerant), strict.ids


def lines_of(path):
    return path.read_text().splitlines() if path.exists() else []


def live(folder):
    return Question(
        chain=str(folder / "chain.pem"), anchors=[folder / "anchor.pem"], kind=lines_of(folder / "kind")[0], extras=[],
        names=lines_of(folder / "host"), host=lines_of(folder / "host")[0], at=now)


def judge_sound(folders):
    table = Table("Chains that tools made now, all sound", "chain", "OpenSSL", "Go", "files", "enforce", "waiver",
                  "web-pki", "enforce", "waiver")
    found = Table("Which demands these chains breach, and why a validator refuses them", "chain", "judged by", "says",
                  "ids")
    unknown = knows(live(folders[0]), ENFORCED) or knows(live(folders[0]), waived(["name-constraints-not-critical"]))
    if unknown:
        fail("the columns `enforce` and `waiver` are empty", f"the command does not know the keys: {unknown}")
    counts = Counts()
    for folder in folders:
        name, question = folder.name, live(folder)
        others = {"OpenSSL": openssl(question), "Go": go(question)}
        for label, other in others.items():
            if other.word == "reject":
                found.add(name, label, "reject", other.why)
        cells, words = [], {}
        for label, standard in STANDARDS.items():
            verdict = ours(question, policy_for("reported", question, standard))
            words[label] = verdict.word
            held(name, label, verdict, others.values(), enforced=False)
            note_alone(name, label, verdict, others.values())
            if label == "files" and verdict.word == "reject":
                fail(name, f"a sound chain is rejected: {verdict.why}")
            breached = [demand for by, demand in map(str.split, lines_of(folder / "breaches")) if by == label]
            enforced, waiver, ids = "-", "-", []
            if not unknown:
                enforced, waiver, ids = enforcement(name, question, label, verdict, breached)
            cells += [cell(verdict), enforced, waiver]
            if verdict.ids:
                found.add(name, label, "reject", " ".join(verdict.ids))
            if verdict.notices:
                found.add(name, label, "notice", " ".join(verdict.notices))
            if ids and sorted(ids) != sorted(verdict.ids + verdict.notices):
                found.add(name, f"{label}, enforce", "reject", " ".join(ids))
        table.add(name, *(other.word for other in others.values()), *cells)
        counts.add(**{label: other.word for label, other in others.items()}, **words)
    for part in table, found:
        show(part)
    return counts


def end_of(chain):
    said = subprocess.run(["openssl", "x509", "-in", chain, "-noout", "-enddate"], capture_output=True, text=True,
                          check=True).stdout
    end = datetime.strptime(said.strip(), "notAfter=%b %d %H:%M:%S %Y GMT")
    return int(end.replace(tzinfo=timezone.utc).timestamp())


def siblings(folder):
    """What nobody may accept though it is nearly the sound chain: name, question, violations of which one is named."""
    name, question = folder.name, live(folder)
    yield f"{name}/expired", question._replace(at=end_of(question.chain) + 86_400), ["expired"]
    # Another host that the rule would decide.
    stranger = "10.0.0.6" if is_address(question.host) else "stranger.acme.example"
    yield f"{name}/another-host", question._replace(names=[stranger], host=stranger), ["name-mismatch"]
    leaf, *others = certificates(question.chain)
    octets = bytearray(der(leaf))
    octets[-1] ^= 1
    changed = written(f"{name}-changed.pem", [pem(bytes(octets)), *others])
    yield (f"{name}/changed-signature", question._replace(chain=changed),
           ["bad-signature", "anchor-not-trusted", "self-signed-leaf"])


def judge_hostile(sound, made):
    table = Table("Hostile siblings of these chains", "chain", "OpenSSL", "Go", "files", "web-pki", "violations")
    asked = [(str(folder.relative_to(scratch / "live")), live(folder), lines_of(folder / "hostile")) for folder in made]
    asked += [sibling for folder in sound for sibling in siblings(folder)]
    counts = Counts()
    for name, question, wanted in sorted(asked):
        others = {"OpenSSL": openssl(question), "Go": go(question)}
        verdicts = {label: ours(question, policy_for("hostile", question, standard))
                    for label, standard in STANDARDS.items()}
        for label, verdict in verdicts.items():
            held(name, label, verdict, others.values(), enforced=False)
            note_alone(name, label, verdict, others.values())
            if verdict.word == "accept":
                fail(f"{name} ({label})", "a hostile chain is accepted")
            elif verdict.word == "reject" and not set(wanted) & set(verdict.ids):
                fail(f"{name} ({label})", f"rejected by none of {' '.join(wanted)}, but by {' '.join(verdict.ids)}")
        words = {label: answer.word for label, answer in [*others.items(), *verdicts.items()]}
        table.add(name, *words.values(), " ".join(verdicts["files"].ids))
        counts.add(**words)
    show(table)
    return counts


# -------------------------------------------------------------------- cases of policies/private-pki


def scalar(text):
    return re.sub(r"\s+#.*$", "", text).strip().strip('"')


def items(text):
    """The items of a list in flow form."""
    return [scalar(item) for item in scalar(text).strip("[]").split(",") if item.strip()]


def map_of(lines):
    """The anchor sets of a policy: ids, each with its keys that hold one text or a list of texts."""
    found, entry, key = {}, None, None

    def value(text):
        return items(text) if text.startswith("[") else [item for item in [scalar(text)] if item]

    for line in lines:
        if match := re.match(r"  ([\w-]+):\s*(\{.*\})?", line):
            entry, key = found.setdefault(match.group(1), {}), None
            for pair in re.finditer(r"([\w-]+): *(\[[^]]*\]|[^,}]*)", match.group(2) or ""):
                entry[pair.group(1)] = value(pair.group(2))
        elif match := re.match(r"    ([\w-]+): *(.*)", line):
            key = match.group(1)
            entry[key] = value(match.group(2))
        elif (match := re.match(r"\s{4,}- (.*)", line)) and key:
            entry[key].append(scalar(match.group(1)))
    return found


def top(text, key):
    """The lines below a key of the policy's top level, and the number of the first one."""
    lines = text.splitlines()
    start = lines.index(f"{key}:") + 1
    end = next((at for at in range(start, len(lines)) if re.match(r"[^\s#]", lines[at])), len(lines))
    return start, lines[start:end]


def with_web_pki(text):
    """The policy with `standard: web-pki` in each anchor set."""
    start, lines = top(text, "anchors")
    changed = []
    for line in lines:
        if re.match(r"    standard:", line):
            continue
        line = re.sub(r"standard: [\w-]+,? ?", "", line)
        if re.match(r"  [\w-]+:.*\{", line):
            line = line.replace("{", "{ standard: web-pki,", 1)
        changed.append(line)
        if re.fullmatch(r"  [\w-]+:\s*(#.*)?", line):
            changed.append("    standard: web-pki")
    whole = text.splitlines()
    whole[start : start + len(lines)] = changed
    return "\n".join(whole) + "\n"


def fields_of(host, policy):
    """What the rule of a host says, field by field."""
    said = subprocess.run([hawser, "show", host, "--policy", str(policy), "--format", "flat"], capture_output=True,
                          text=True, check=True).stdout
    return dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)


def host_of(request):
    host = f"[{request['host']}]" if ":" in request["host"] else request["host"]
    return f"{host}:{request['port']}" if "port" in request else request["host"]


def asked_of(case, request, fields, sets):
    chosen = [sets[id] for id in items(fields["anchors"])]
    names = items(fields.get("identity.dns", ""))
    if fields.get("identity.reference", "host") in ("host", "host-and-listed"):
        names = [request["host"], *names]
    return Question(
        chain=str(case / "chain.pem"), anchors=[recipe / file for one in chosen for file in one["files"]],
        kind=next((kind for one in chosen for kind in one.get("kind", []) if kind != "root"), "root"),
        extras=[recipe / file for one in chosen for file in one.get("intermediates", [])],
        names=names, host=host_of(request), at=seconds(request["at"]),
        purpose="server" if "server-auth" in fields["path.key-purposes"] else "any")


def in_web_pki():
    """A copy of the recipe in which every anchor set is judged by `web-pki`."""
    folder = work / "web-pki"
    shutil.copytree(recipe, folder, ignore=shutil.ignore_patterns("cases"))
    (folder / "policy.yaml").write_text(with_web_pki((recipe / "policy.yaml").read_text()))
    return folder


def judge_cases():
    table = Table("Cases of policies/private-pki", "case", "expected", "OpenSSL", "Go", "files", "web-pki", "notices")
    refused = Table("Why a validator refuses a case", "case", "validator", "reason")
    sets = map_of(top((recipe / "policy.yaml").read_text(), "anchors")[1])
    web_pki = in_web_pki()
    counts, sound = Counts(), Counts()
    for case in sorted((recipe / "cases").iterdir()):
        request = {key.strip(): scalar(value) for key, value in
                   (line.split(":", 1) for line in (case / "request.yaml").read_text().splitlines()
                    if ":" in line and not line.startswith("#"))}
        fields = fields_of(host_of(request), recipe)
        question = asked_of(case, request, fields, sets)
        others = {"OpenSSL": openssl(question), "Go": go(question)}
        verdicts = {"files": ours(question, recipe), "web-pki": ours(question, web_pki)}
        for label, verdict in verdicts.items():
            held(case.name, label, verdict, others.values(), enforced=fields.get("path.issuance") == "enforce")
            note_alone(case.name, label, verdict, others.values())
        if verdicts["files"].word != request["verdict"]:
            fail(case.name, f"{request['verdict']} is expected: {verdicts['files'].word} {verdicts['files'].why}")
        words = {label: answer.word for label, answer in [*others.items(), *verdicts.items()]}
        table.add(case.name, request["verdict"], *(other.word for other in others.values()),
                  *(cell(verdict) for verdict in verdicts.values()), " ".join(verdicts["files"].notices))
        for label, answer in [*others.items(), *verdicts.items()]:
            if answer.word == "reject":
                refused.add(case.name, label, answer.why)
        counts.add(**words)
        if request["verdict"] == "accept":
            sound.add(**words)
    for part in table, refused:
        show(part)
    if judge != "-" and sound.accepts["files"] < sound.accepts["Go"]:
        fail("the sound cases", f"Hawser accepts {sound.accepts['files']} of them, Go {sound.accepts['Go']}")
    return counts, sound


now = int(time.time()) + 3_600
made = sorted(path.parent for path in (scratch / "live").rglob("chain.pem"))
sound = [folder for folder in made if not (folder / "hostile").exists()]
ends = {"sound live chains": judge_sound(sound),
        "hostile siblings": judge_hostile(sound, [folder for folder in made if folder not in sound])}
if recipe.exists():
    ends["cases of policies/private-pki"], ends["sound cases among them"] = judge_cases()
else:
    fail("policies/private-pki", "there is no such folder")
show(only_ours)
table = Table("How many each accepts", "chains", "all", "OpenSSL", "Go", "files", "web-pki")
for what, counts in ends.items():
    table.add(what, counts.all, *counts.accepts.values())
show(table)
if markdown:
    markdown.write_text("\n".join(part.markdown() for part in shown))
print()
for failure in failures:
    print(f"FAILED: {failure}", file=sys.stderr)
judged = sum(counts.all for what, counts in ends.items() if what != "sound cases among them")
print(f"{judged} cases judged, {len(failures)} failures")
sys.exit(1 if failures else 0)

"""Compares `hawser export --to backend-tls-policy` and `hawser import backend-tls-policy` with the
CRD of the Gateway API, as jsonschema and cel-python read it.

    backend-tls.py HAWSER GATEWAY-API POLICIES FOLDER SEED

FOLDER has two certificates, one.pem and two.pem.
"""

import collections
import copy
import json
import pathlib
import random
import re
import shutil
import ssl
import subprocess
import sys

import celpy
import jsonschema
import re2
import yaml

HAWSER, GATEWAY, POLICIES, FOLDER = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
CHANCE = random.Random(int(sys.argv[5]))
COUNTS = collections.Counter()
FAULTS = []


class Loader(yaml.SafeLoader):
    """YAML as kubectl reads it (go-yaml 2.4): a time is a text, `1e5` a number, `y` true."""


Loader.yaml_implicit_resolvers = {
    first: [row for row in rows if row[0] != "tag:yaml.org,2002:timestamp"]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^[yYnN]$"), list("yYnN"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"), list("-+.0123456789"))
Loader.bool_values = Loader.bool_values | {"y": True, "n": False}


def documents(text):
    return [found for found in yaml.load_all(text, Loader) if found is not None]


# The CRD ------------------------------------------------------------------------------------------

PLAIN_KEYWORDS = {
    "type", "properties", "additionalProperties", "items", "required", "enum", "minItems",
    "maxItems", "maxProperties", "minLength", "maxLength", "minimum", "maximum", "pattern",
}
# `format` and `default` refuse nothing in this CRD: they are of numbers and of the status.
SILENT_KEYWORDS = {"description", "default", "format", "x-kubernetes-list-map-keys"}
CEL_FUNCTIONS = {"all", "exists", "exists_one", "filter", "map", "has", "size", "matches",
                 "startsWith", "endsWith", "contains"}
CEL = "x-kubernetes-validations"
PROGRAMS = {}


def program(rule):
    """The program of a rule in CEL, or None for a rule that cel-python cannot evaluate."""
    if rule not in PROGRAMS:
        environment = celpy.Environment()
        called = set(re.findall(r"([A-Za-z_]+)\(", rule))
        PROGRAMS[rule] = (
            environment.program(environment.compile(rule))
            if "oldSelf" not in rule and called <= CEL_FUNCTIONS else None)
    return PROGRAMS[rule]


def rules(validator, rows, value, schema):
    for row in rows:
        found = program(row["rule"])
        COUNTS["rules" if found else "left"] += 1
        try:
            if found and not found.evaluate({"self": celpy.json_to_cel(value)}):
                yield jsonschema.ValidationError(row["message"])
        except celpy.CELEvalError:
            yield jsonschema.ValidationError(f"{row['message']} (not evaluated)")


def list_type(validator, kind, value, schema):
    keys = schema.get("x-kubernetes-list-map-keys")
    if kind != "atomic" and isinstance(value, list):
        seen = [json.dumps([item.get(key) for key in keys] if keys else item) for item in value]
        if len(set(seen)) < len(seen):
            yield jsonschema.ValidationError("an item stands twice")


def pattern(validator, written, value, schema):
    # Go's expressions, whose `$` is only the end of the text.
    if isinstance(value, str) and not re2.search(written, value):
        yield jsonschema.ValidationError(f"{value!r} does not match {written}")


OWN_KEYWORDS = {"x-kubernetes-list-type": list_type, CEL: rules}
Schema = jsonschema.validators.extend(
    jsonschema.Draft202012Validator, {"x-kubernetes-list-type": list_type, "pattern": pattern})
SchemaAndRules = jsonschema.validators.extend(Schema, {CEL: rules})


def unknown_keywords(schema):
    known = PLAIN_KEYWORDS | SILENT_KEYWORDS | set(OWN_KEYWORDS)
    below = list(schema.get("properties", {}).values())
    below += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    return set(schema) - known | set().union(*map(unknown_keywords, below))


SCHEMAS = {}  # by channel and version
for path in sorted(GATEWAY.glob("config/crd/*/*backendtlspolicies.yaml")):
    for version in yaml.safe_load(path.read_text())["spec"]["versions"]:
        schema = version["schema"]["openAPIV3Schema"]
        assert not unknown_keywords(schema), (path, unknown_keywords(schema))
        SCHEMAS[path.parent.name, version["name"]] = Schema(schema), SchemaAndRules(schema)
VERSIONS = {version for _, version in SCHEMAS}
assert {channel for channel, _ in SCHEMAS} == {"standard", "experimental"}, SCHEMAS.keys()


def without_nulls(value):
    """A value as the API server decodes it: entries without a value are pruned."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def refusals(document):
    """Why the CRD refuses a document, as keywords and messages. Every version in every channel has
    to agree: the API server converts between them without a change.
    """
    version = document["apiVersion"].removeprefix("gateway.networking.k8s.io/")
    if version not in VERSIONS:
        return [("apiVersion", f"no version {version}")]
    value, found = without_nulls(document), []
    for schema, both in SCHEMAS.values():
        # The API server evaluates the rules of a document that meets the schema.
        errors = list(schema.iter_errors(value)) or both.iter_errors(value)
        found.append([(error.validator, error.message) for error in errors])
    assert all(bool(errors) == bool(found[0]) for errors in found), (document, found)
    return found[0]


# The command --------------------------------------------------------------------------------------


def hawser(*words):
    return subprocess.run([HAWSER, *map(str, words)], capture_output=True, text=True, cwd=FOLDER)


def is_refused(text, bundles=()):
    """Whether the import refuses a file by its form, and its output. A ConfigMap that is not
    given is an error of another code (HX502).
    """
    path, made, folder = FOLDER / "read.yaml", FOLDER / "made", FOLDER / "bundles"
    path.write_text(text)
    for old in (made, folder):
        shutil.rmtree(old, ignore_errors=True)
    folder.mkdir()
    for name in bundles:
        shutil.copy(FOLDER / "one.pem", folder / f"{name}.pem")
    done = hawser("import", "backend-tls-policy", path, "--owner", "mesh", "--certificates", folder,
                  "-o", made)
    said = done.stdout + done.stderr
    refused = "error[HX501]" in said or "error[HX101]" in said
    if not refused and "error[HX502]" not in said and not (made / "policy.yaml").exists():
        FAULTS.append(f"the import fails: {said[-300:]}")
    return refused, said


# Planted faults -----------------------------------------------------------------------------------


def valid(**validation):
    if not validation:
        validation = {"wellKnownCACertificates": "System"}
    target = {"group": "", "kind": "Service", "name": "api"}
    return {
        "apiVersion": "gateway.networking.k8s.io/v1", "kind": "BackendTLSPolicy",
        "metadata": {"name": "api", "namespace": "shop"},
        "spec": {"targetRefs": [target],
                 "validation": {"hostname": "api.example", **validation}},
    }


REFERENCE = {"group": "", "kind": "ConfigMap", "name": "ca"}
SYSTEM = {"wellKnownCACertificates": "System"}
BOTH = {"uri": "spiffe://a/b", "hostname": "a.example"}


def targets(*rows):
    made = valid()
    target = made["spec"]["targetRefs"][0]
    made["spec"]["targetRefs"] = [{**target, **row} for row in rows]
    return made


def names(*rows):
    return valid(**SYSTEM, subjectAltNames=list(rows))


def without(*path):
    made = valid()
    node = made
    for key in path[:-1]:
        node = node[key]
    del node[path[-1]]
    return made


PLANTED = [
    (valid(**SYSTEM, caCertificateRefs=[REFERENCE]), CEL, "must not contain both"),
    (valid(subjectAltNames=[]), CEL, "must specify either"),
    (valid(caCertificateRefs=[]), CEL, "must specify either"),
    (valid(**SYSTEM, hostname="*.example"), "pattern", "*.example"),
    (valid(**SYSTEM, hostname="2001:db8::1"), "pattern", "2001:db8::1"),
    (valid(**SYSTEM, hostname="api.example\n"), "pattern", "api.example"),
    (valid(**SYSTEM, hostname="a" * 254), "maxLength", "too long"),
    (valid(**SYSTEM, hostname=123), "type", "'string'"),
    (valid(wellKnownCACertificates="system"), "pattern", "system"),
    (valid(caCertificateRefs=[REFERENCE] * 9), "maxItems", "too long"),
    (valid(caCertificateRefs=[{**REFERENCE, "name": ""}]), "minLength", "non-empty"),
    (valid(caCertificateRefs=[{"kind": "ConfigMap", "name": "ca"}]), "required", "'group'"),
    (targets(*({"name": f"api-{number}"} for number in range(17))), "maxItems", "too long"),
    (targets(), "minItems", "non-empty"),
    (targets({}, {}), CEL, "must be unique"),
    (targets({}, {"sectionName": "https"}), CEL, "must be specified"),
    (targets({"group": "Apps"}), "pattern", "Apps"),
    (targets({"kind": "My_Service"}), "pattern", "My_Service"),
    (targets({"name": ""}), "minLength", "non-empty"),
    (targets({"sectionName": "HTTPS"}), "pattern", "HTTPS"),
    (names({"type": "URI", **BOTH}), CEL, "not contain Hostname"),
    (names({"type": "Hostname", **BOTH}), CEL, "not contain URI"),
    (names({"type": "Hostname"}), CEL, "must contain Hostname"),
    (names({"type": "URI"}), CEL, "must contain URI"),
    (names({"type": "URI", "uri": "spiffe:a"}), "pattern", "spiffe:a"),
    (names({"type": "IP", "ip": "192.0.2.1"}), "enum", "'IP'"),
    (names({"hostname": "a.example"}), "required", "'type'"),
    (names(*[{"type": "Hostname", "hostname": "a.example"}] * 6), "maxItems", "too long"),
    (without("spec"), "required", "'spec'"),
    (without("spec", "targetRefs"), "required", "'targetRefs'"),
    (without("spec", "validation", "hostname"), "required", "'hostname'"),
    ({**valid(), "apiVersion": "gateway.networking.k8s.io/v9"}, "apiVersion", "v9"),
]
OPTIONS = valid()
OPTIONS["spec"]["options"] = {f"mesh.example/{number}": "x" for number in range(17)}
PLANTED.append((OPTIONS, "maxProperties", "too many"))
OPTIONS = copy.deepcopy(OPTIONS)
OPTIONS["spec"]["options"] = {"mesh.example/depth": 3}
PLANTED.append((OPTIONS, "type", "'string'"))

assert refusals(valid()) == [] and not is_refused(json.dumps(valid()))[0]
for document, keyword, words in PLANTED:
    why = refusals(document)
    assert any(own == keyword and words in said for own, said in why), (document, keyword, why)
    if not is_refused(json.dumps(document))[0]:
        FAULTS.append(f"the import takes what the CRD refuses ({keyword}, {words}): "
                      f"{json.dumps(document)[:400]}")
print(f"{len(PLANTED)} planted faults, each refused by the CRD for its keyword or rule")
COUNTS.clear()

# Exports ------------------------------------------------------------------------------------------

LABEL = re.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?")  # of a Service: RFC 1035
NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")


def check(text):
    """Why a cluster would refuse an exported file, or some of its objects would not meet."""
    found = documents(text)
    objects = {}
    for document in found:
        kind, metadata = document["kind"], document["metadata"]
        where = (kind, metadata["namespace"], metadata["name"])
        if not all(isinstance(part, str) and NAME.fullmatch(part) for part in where[1:]):
            yield f"{where} is no name of an object"
        if where in objects:
            yield f"{where} stands twice"
        objects[where] = document
        COUNTS["documents"] += 1
    for (kind, namespace, name), document in objects.items():
        if kind == "BackendTLSPolicy":
            for keyword, message in refusals(document):
                yield f"{kind} {name}: {keyword}: {message}"
            for row in document["spec"]["targetRefs"]:
                service = objects.get(("Service", namespace, row["name"]), {}).get("spec")
                ports = [port["name"] for port in service["ports"]] if service else []
                if "sectionName" in row and row["sectionName"] not in ports:
                    yield f"{kind} {name}: no port {row['sectionName']}"
            for row in document["spec"]["validation"].get("caCertificateRefs", []):
                if ("ConfigMap", namespace, row["name"]) not in objects:
                    yield f"{kind} {name}: no ConfigMap {row['name']}"
        elif kind == "ConfigMap":
            bundle = document["data"]["ca.crt"]
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=bundle)
        elif kind == "Service":
            ports = [port["name"] for port in document["spec"]["ports"]]
            if not LABEL.fullmatch(name) or len(set(ports)) < len(ports):
                yield f"{kind} {name}: the name of it or of a port"
            if not isinstance(document["spec"]["externalName"], str):
                yield f"{kind} {name}: {document['spec']['externalName']} is no text"
        else:
            yield f"an object of the kind {kind}"


# Texts that YAML takes for another type, equal ids of several hosts, and long names.
LABELS = ["api", "a-b", "on", "no", "y", "null", "true", "1e5", "123", "0x1f", "a", "example"]


def host(labels):
    some, short = (lambda: CHANCE.choice(["x" * 63, *labels])), (lambda: CHANCE.choice(labels))
    name = CHANCE.choice([
        f"{some()}.example", f"{some()}.{some()}.example", f"{short()}-{short()}.example",
        f"{some()}.{some()}.svc.cluster.local", f"{short()}-example.default.svc.cluster.local",
        f"*.{some()}.example", f"{short()}_b.example",
        f"{some()}.{some()}.{some()}.svc.cluster.local",
    ])
    return name + CHANCE.choice(["", "", "", ":443", ":8443"])


def listed():
    names = {host(LABELS).split(":")[0].removeprefix("*.") for _ in range(CHANCE.randrange(1, 8))}
    uris = [f"spiffe://mesh.example/{number}" for number in range(CHANCE.randrange(1, 4))]
    return f"    identity: {json.dumps({'reference': 'listed', 'dns': sorted(names), 'uri': uris})}"


def policy():
    lines = ["hawser: 1", "default: deny", "anchors:"]
    for name in ("one", "two"):
        lines += [f"  {name}:", "    files:", f"      - {name}.pem"]
    lines.append("rules:")
    labels = CHANCE.sample(LABELS, 3)
    hosts = sorted({host(labels) for _ in range(CHANCE.randrange(1, 8))})
    CHANCE.shuffle(hosts)
    for index, name in enumerate(hosts):
        anchors = CHANCE.choice(["[one]", "[two]", "[one, two]", "[system]", "[one, system]"])
        lines += [f"  r{index}:", "    hosts:", f'      - "{name}"', f"    anchors: {anchors}"]
        lines += [listed()] * (CHANCE.randrange(3) == 0) + ["    owner: mesh"]
    return "".join(line + "\n" for line in lines)


def export(unit, name):
    made = FOLDER / "export.yaml"
    made.unlink(missing_ok=True)
    done = hawser("export", "--policy", unit, "--to", "backend-tls-policy", "-o", made)
    if made.exists():
        COUNTS["policies"] += 1
        FAULTS.extend(f"{name}: {why}" for why in check(made.read_text()))
        return True
    FAULTS.append(f"{name}: {done.stderr[-300:]}")


unit = FOLDER / "unit"
unit.mkdir()
for name in ("one", "two"):
    shutil.copy(FOLDER / f"{name}.pem", unit)
for index in range(300):
    text = policy()
    (unit / "policy.yaml").write_text(text)
    export(unit, f"random policy {index}")
for path in sorted(POLICIES.glob("**/policy.yaml")):
    folder = path.parent.relative_to(POLICIES)
    if "invalid" not in folder.parts:
        export(path.parent, f"policies/{folder}")
exported = COUNTS.copy()

# Imports ------------------------------------------------------------------------------------------

VALUES = ["", "A_b", "*.x", "a" * 254, "System", "URI", "spiffe://a/b", "x.example/a", "a", "b",
          "a.example", "Service", 17, True, None, [], {}, ["a"], "-a", "a\n", "\u00c9"]
for path in sorted(GATEWAY.glob("**/*.yaml")):
    found = documents(path.read_text())
    own = [row for row in found if row["kind"] == "BackendTLSPolicy"]
    if own:
        COUNTS["examples"] += len(own)
        validations = [row["spec"]["validation"] for row in own]
        refused, said = is_refused(path.read_text(), {
            row["name"] for value in validations for row in value.get("caCertificateRefs", [])})
        if refused != any(map(refusals, own)):
            FAULTS.append(f"{path.relative_to(GATEWAY)}: {said[-300:]}")


def places(value, path=()):
    rows = ()
    if isinstance(value, (dict, list)):
        rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in rows:
        yield (*path, key)
        yield from places(below, (*path, key))


SEEDS = [
    valid(), valid(caCertificateRefs=[REFERENCE, {**REFERENCE, "name": "other"}]),
    targets({"sectionName": "a"}, {"sectionName": "b"}, {"name": "other"}),
    names({"type": "URI", "uri": "spiffe://a/b"}, {"type": "Hostname", "hostname": "*.example"}),
]
SEEDS[1]["spec"]["options"] = {"mesh.example/depth": "3"}
for index in range(400):
    document = copy.deepcopy(CHANCE.choice(SEEDS))
    for _ in range(CHANCE.randrange(1, 3)):
        *way, last = CHANCE.choice(list(places(document["spec"])) or [("new",)])
        node = document["spec"]
        for key in way:
            node = node[key]
        draw = CHANCE.randrange(6)
        if draw == 0:
            node.pop(last, None) if isinstance(node, dict) else node.pop(last)
        elif draw == 1 and isinstance(node, list):
            node.extend([node[last]] * CHANCE.randrange(1, 17))
        else:
            node[last] = copy.deepcopy(CHANCE.choice(VALUES))
    why = refusals(document)
    refused, said = is_refused(json.dumps(document))
    COUNTS["wrong" if why else "right"] += 1
    if bool(why) != refused:
        FAULTS.append(
            f"the CRD {'refuses' if why else 'accepts'}, the import "
            f"{'refuses' if refused else 'accepts'}: {json.dumps(document['spec'])[:300]} "
            f"{why[:1] or said[-300:]}")

for fault in FAULTS[:300]:
    print(fault, file=sys.stderr)
print(f"seed {sys.argv[5]}; {COUNTS['examples']} objects of the Gateway API's own files imported; "
      f"of {COUNTS['right'] + COUNTS['wrong']} changed documents the CRD refuses {COUNTS['wrong']}")
if FAULTS:
    sys.exit(f"{len(FAULTS)} faults")
print(f"{exported['policies']} policies, {exported['documents']} documents, "
      f"{exported['rules']} rules evaluated, {exported['left']} left out; {len(SCHEMAS)} schemas")

"""The bills of materials of a release, as SPDX 2.3 and CycloneDX 1.6, and its provenance.

All three follow from the facts that the build has recorded and from the files of the release: no clock,
no random number.
"""

import datetime
import json
import uuid

from contents import HOMEPAGE

AUTHORS = "The Hawser authors"

APACHE = "Apache-2.0"
SWIFT = "Apache-2.0 WITH Swift-exception"
LICENCES = {
    "swift": SWIFT,
    "swift-argument-parser": SWIFT,
    "swift-atomics": SWIFT,
    "swift-collections": SWIFT,
    "swift-log": APACHE,
    "swift-metrics": APACHE,
    "swift-nio": APACHE,
    "swift-system": SWIFT,
    "openssl": APACHE,
    "libyaml": "MIT",
    "glibc": "LGPL-2.1-or-later",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
SUPPLIERS = {"swift-log": "Apple Inc.", "swift-metrics": "Apple Inc.", "openssl": "Debian", "libyaml": "Debian", "glibc": "Debian", "gcc": "Debian"}

COMMAND = ["swift", "swift-argument-parser", "swift-log", "swift-metrics"]
SERVER = [*COMMAND, "swift-atomics", "swift-collections", "swift-nio", "swift-system"]
LIBRARY = ["swift", "swift-log", "swift-metrics"]
SYSTEM = ["openssl", "libyaml", "glibc", "gcc"]

# What the kinds of files contain, and what they load from the system.
INSIDE = {
    "tarball": SERVER + SYSTEM,
    "rpm": SERVER + SYSTEM,
    "image": SERVER + SYSTEM,
    "command-wheel": COMMAND + SYSTEM,
    "deb": SERVER,
    "library-deb": LIBRARY,
    "development-deb": [],
    "library-wheel": LIBRARY,
    "npm": LIBRARY,
    "jar": LIBRARY,
    "jar-of-texts": [],
    "pom": [],
    "go": [],
}
LOADED = {
    "deb": SYSTEM,
    "library-deb": ["openssl", "glibc", "gcc"],
    "library-wheel": ["openssl", "glibc", "gcc"],
    "npm": ["openssl", "glibc", "gcc"],
    "jar": ["openssl", "glibc", "gcc"],
}


class Component:
    def __init__(self, name, version, purl, supplier, cpe=None, revision=None, location=None):
        self.name, self.version, self.purl, self.supplier = name, version, purl, supplier
        self.cpe, self.revision, self.location = cpe, revision, location
        self.licence = LICENCES[name]


def upstream(version):
    """The version of a Debian package without Debian's own parts."""
    return version.split(":")[-1].rsplit("-", 1)[0].split("+")[0]


def components(facts):
    """Everything that programs of the release contain or load, by name."""
    found = {}
    release = facts["toolchain"].split("(")[-1].rstrip(")")
    number = facts["toolchain"].split()[2]
    found["swift"] = Component(
        "swift", number, f"pkg:github/swiftlang/swift@{release}", "Swift.org", location="https://github.com/swiftlang/swift"
    )
    for package in facts["packages"]:
        path = package["location"].removeprefix("https://")
        found[package["name"]] = Component(
            package["name"], package["version"], f"pkg:swift/{path}@{package['version']}", "Apple Inc.",
            revision=package["revision"], location=package["location"],
        )  # fmt: skip
    cpes = {"openssl": "openssl:openssl", "libyaml": "pyyaml:libyaml", "glibc": "gnu:glibc", "gcc": "gnu:gcc"}
    for name, package in facts["libraries"].items():
        number = package["source-version"]
        found[name] = Component(
            name, number, f"pkg:deb/debian/{package['source']}@{number.replace('+', '%2B')}?arch=source", "Debian",
            cpe=f"cpe:2.3:a:{cpes[name]}:{upstream(number)}:*:*:*:*:*:*:*",
        )  # fmt: skip
    return found


def created(facts):
    return datetime.datetime.fromtimestamp(facts["date"], datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def namespace(facts):
    return f"{HOMEPAGE}/releases/{facts['version']}/{facts['machine']}/{facts['commit']}"


def spdx(facts, files):
    """The document in SPDX 2.3. `files` are of the release: name, digest and kind."""
    parts = components(facts)
    main = "SPDXRef-hawser"

    def identifier(word):
        return "SPDXRef-" + "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in word)

    def described(reference, name, version, supplier, licence, purl=None, cpe=None, **further):
        references = []
        if purl:
            references.append({"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl})
        if cpe:
            references.append({"referenceCategory": "SECURITY", "referenceType": "cpe23Type", "referenceLocator": cpe})
        return {
            "SPDXID": reference,
            "name": name,
            "versionInfo": version,
            "supplier": f"Organization: {supplier}",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
            "licenseConcluded": licence,
            "licenseDeclared": licence,
            "copyrightText": "NOASSERTION",
            **({"externalRefs": references} if references else {}),
            **further,
        }

    packages = [
        described(
            main, "hawser", facts["version"], AUTHORS, APACHE, f"pkg:generic/hawser@{facts['version']}",
            sourceInfo=f"commit {facts['commit']}", primaryPackagePurpose="APPLICATION",
        )
    ]  # fmt: skip
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", main)]
    for part in parts.values():
        location = {"downloadLocation": f"git+{part.location}@{part.revision}"} if part.revision else {}
        packages.append(
            described(
                identifier(part.name), part.name, part.version, part.supplier, part.licence, part.purl, part.cpe,
                primaryPackagePurpose="LIBRARY", **location,
            )
        )  # fmt: skip
        relations.append((main, "DEPENDS_ON", identifier(part.name)))
    for file in files:
        reference = identifier(file.name)
        packages.append(
            described(
                reference, file.name, facts["version"], AUTHORS, APACHE, f"pkg:generic/{file.name}@{facts['version']}",
                packageFileName=file.name, primaryPackagePurpose="ARCHIVE",
                checksums=[{"algorithm": "SHA256", "checksumValue": file.digest}],
            )
        )  # fmt: skip
        relations.append((main, "CONTAINS", reference))
        relations += [(reference, "STATIC_LINK", identifier(name)) for name in INSIDE[file.kind]]
        relations += [(reference, "DYNAMIC_LINK", identifier(name)) for name in LOADED.get(file.kind, [])]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"hawser-{facts['version']}-{facts['machine']}",
        "documentNamespace": namespace(facts),
        "creationInfo": {"created": created(facts), "creators": [f"Organization: {AUTHORS}", "Tool: Packaging/dist/bills.py"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other} for one, kind, other in relations
        ],
    }


def cyclonedx(facts, files):
    """The document in CycloneDX 1.6."""
    parts = components(facts)
    main = f"pkg:generic/hawser@{facts['version']}"

    def licences(text):
        return [{"expression": text}] if " " in text else [{"license": {"id": text}}]

    described = []
    for part in parts.values():
        component = {
            "type": "library", "bom-ref": part.purl, "name": part.name, "version": part.version, "purl": part.purl,
            "supplier": {"name": part.supplier}, "licenses": licences(part.licence),
        }  # fmt: skip
        if part.cpe:
            component["cpe"] = part.cpe
        if part.revision:
            component["externalReferences"] = [{"type": "vcs", "url": part.location, "comment": f"commit {part.revision}"}]
        described.append(component)
    relations = [{"ref": main, "dependsOn": [file.name for file in files]}]
    for file in files:
        described.append(
            {
                "type": "file", "bom-ref": file.name, "name": file.name, "version": facts["version"],
                "supplier": {"name": AUTHORS}, "licenses": licences(APACHE),
                "hashes": [{"alg": "SHA-256", "content": file.digest}],
            }
        )  # fmt: skip
        names = INSIDE[file.kind] + LOADED.get(file.kind, [])
        relations.append({"ref": file.name, "dependsOn": [parts[name].purl for name in names]})
    relations += [{"ref": part.purl, "dependsOn": []} for part in parts.values()]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, namespace(facts))}",
        "version": 1,
        "metadata": {
            "timestamp": created(facts),
            "authors": [{"name": AUTHORS}],
            "supplier": {"name": AUTHORS},
            "component": {
                "type": "application", "bom-ref": main, "name": "hawser", "version": facts["version"], "purl": main,
                "supplier": {"name": AUTHORS}, "licenses": licences(APACHE),
            },
        },
        "components": described,
        "dependencies": relations,
    }  # fmt: skip


def provenance(facts, files):
    """The in-toto statement: what was built, from what. It is signed together with everything, by SHA256SUMS."""
    inputs = [{"uri": f"git+{HOMEPAGE}", "digest": {"gitCommit": facts["commit"]}}]
    for package in facts["packages"]:
        inputs.append({"uri": f"git+{package['location']}@{package['version']}", "digest": {"gitCommit": package["revision"]}})
    for package in [*facts["libraries"].values(), *facts["tools"]]:
        version = package["version"].replace("+", "%2B")
        inputs.append({"uri": f"pkg:deb/debian/{package['package']}@{version}?arch={package['architecture']}"})
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": file.name, "digest": {"sha256": file.digest}} for file in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{HOMEPAGE}/Packaging/dist/README.md",
                "externalParameters": {"commit": facts["commit"], "version": facts["version"], "machine": facts["machine"]},
                "internalParameters": {
                    **{name: facts[name] for name in ["toolchain", "zlib", "node", "npm", "jdk"]},
                    "SOURCE_DATE_EPOCH": facts["date"],
                },
                "resolvedDependencies": inputs,
            },
            "runDetails": {"builder": {"id": f"{HOMEPAGE}/Packaging/dist/build.sh"}},
        },
    }


def text(value):
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()

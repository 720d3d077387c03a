"""Pushes a table to an OCI registry, and pulls one by its digest.

    publish.py push REGISTRY/NAME:TAG TABLE       prints REGISTRY/NAME@sha256:…
    publish.py pull REGISTRY/NAME@sha256:… FOLDER

Needs PyPI's `oras`. The digests are compared here: the registry is not trusted. Who signed the
table is for `hawser inspect --trusted-key` and for the services that load it. INSECURE=1 speaks
HTTP, for a registry on loopback.
"""
import hashlib
import json
import os
import pathlib
import re
import sys

import oras.client

TABLE = "application/vnd.hawser.table"
# The most octets of a manifest, and of a table that services read.
MANIFEST, LARGEST = 4 << 20, 1 << 30


def client():
    return oras.client.OrasClient(insecure=os.environ.get("INSECURE") == "1")


def digest_of(octets):
    return "sha256:" + hashlib.sha256(octets).hexdigest()


def octets_of(answer, most, place):
    """The octets of an answer, of which no more are read than `most`."""
    octets = bytearray()
    for part in answer.iter_content(1 << 16):
        octets += part
        if len(octets) > most:
            sys.exit(f"{place}: the registry answers with more than {most} octets")
    return bytes(octets)


def manifest_of(registry, place):
    """The octets of a manifest, as the registry has them."""
    container = registry.get_container(place)
    answer = registry.do_request(
        f"{registry.prefix}://{container.manifest_url()}", "GET",
        headers={"Accept": "application/vnd.oci.image.manifest.v1+json"}, stream=True)
    if answer.status_code != 200:
        sys.exit(f"{place}: the registry answers {answer.status_code}")
    return octets_of(answer, MANIFEST, place)


def push(place, table):
    registry = client()
    path = pathlib.Path(table).absolute()
    here = pathlib.Path.cwd()
    # The name in the registry is the file's name, without folders.
    os.chdir(path.parent)
    registry.push(target=place, files=[f"{path.name}:{TABLE}"], disable_path_validation=False)
    os.chdir(here)
    octets = manifest_of(registry, place)
    layers = json.loads(octets)["layers"]
    if [layer["digest"] for layer in layers] != [digest_of(path.read_bytes())]:
        sys.exit(f"{place}: the registry holds another table than {table}")
    print(f"{place.rsplit(':', 1)[0]}@{digest_of(octets)}")


def pull(place, folder):
    name, _, wanted = place.partition("@")
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", wanted):
        sys.exit(f"{place}: a table is pulled by its digest, NAME@sha256:…; a tag can be moved")
    registry = client()
    octets = manifest_of(registry, place)
    if digest_of(octets) != wanted:
        sys.exit(f"{place}: the registry's manifest is {digest_of(octets)}")
    layers = json.loads(octets)["layers"]
    if len(layers) != 1 or layers[0]["mediaType"] != TABLE or layers[0]["size"] > LARGEST:
        sys.exit(f"{place}: it is no table")
    answer = registry.get_blob(registry.get_container(name), layers[0]["digest"], stream=True)
    blob = octets_of(answer, layers[0]["size"], place)
    if digest_of(blob) != layers[0]["digest"]:
        sys.exit(f"{place}: the registry's table is {digest_of(blob)}, not {layers[0]['digest']}")
    title = pathlib.PurePath(layers[0].get("annotations", {}).get("org.opencontainers.image.title", ""))
    target = pathlib.Path(folder) / (title.name or "hawser.table")
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(target.name + ".new")
    new.write_bytes(blob)
    os.replace(new, target)
    print(target)


if __name__ == "__main__":
    tasks = {"push": push, "pull": pull}
    if len(sys.argv) != 4 or sys.argv[1] not in tasks:
        sys.exit(__doc__)
    tasks[sys.argv[1]](*sys.argv[2:])

"""An OCI image layout in a tar archive: the static programs, and nothing else."""

import datetime
import hashlib
import json

from archives import Entry, compressed, tar
from contents import terms

# Neither root nor a user of a distribution.
USER = "65532:65532"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def document(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def digest(octets):
    return "sha256:" + hashlib.sha256(octets).hexdigest()


def image(tree):
    """The name of the archive and its octets."""
    layer = tar(
        [
            Entry("hawser", tree.read("static/hawser"), 0o755),
            Entry("hawser-serve", tree.read("static/hawser-serve"), 0o755),
            *terms(tree, "licenses"),
        ],
        tree.date,
    )
    packed = compressed(layer)
    created = datetime.datetime.fromtimestamp(tree.date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.title": "hawser",
        "org.opencontainers.image.description": "Policy as code for TLS server trust",
        "org.opencontainers.image.version": tree.version,
        "org.opencontainers.image.revision": tree.facts["commit"],
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    architecture = ARCHITECTURES[tree.machine]
    configuration = document(
        {
            "architecture": architecture,
            "os": "linux",
            "created": created,
            "config": {"User": USER, "Entrypoint": ["/hawser"], "WorkingDir": "/", "Labels": labels},
            "rootfs": {"type": "layers", "diff_ids": [digest(layer)]},
            "history": [{"created": created, "created_by": "Packaging/dist/image.py"}],
        }
    )

    def described(kind, octets, **further):
        return {"mediaType": kind, "digest": digest(octets), "size": len(octets), **further}

    manifest = document(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": described("application/vnd.oci.image.config.v1+json", configuration),
            "layers": [described("application/vnd.oci.image.layer.v1.tar+gzip", packed)],
            "annotations": labels,
        }
    )
    index = document(
        {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.index.v1+json",
            "manifests": [
                described(
                    "application/vnd.oci.image.manifest.v1+json",
                    manifest,
                    platform={"architecture": architecture, "os": "linux"},
                    annotations={"org.opencontainers.image.ref.name": tree.version},
                )
            ],
        }
    )
    blobs = [Entry(f"blobs/sha256/{digest(octets)[7:]}", octets) for octets in (packed, configuration, manifest)]
    layout = [Entry("oci-layout", document({"imageLayoutVersion": "1.0.0"})), Entry("index.json", index), *blobs]
    return f"{tree.stem}-oci-{tree.machine}.tar", tar(layout, tree.date)

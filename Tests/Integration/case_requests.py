"""The `request.yaml` of the cases under `policies/`, for scripts that judge them in other ways."""

import re
from datetime import datetime, timezone


def request_of(path):
    """`key: value`, lists and maps in flow form; the keys below `expect` are of no interest."""
    request = {}
    for line in path.read_text().splitlines():
        line = re.sub(r"\s+#.*$", "", line)
        if ":" not in line or line.startswith("#"):
            continue
        key, value = (part.strip() for part in line.split(":", 1))
        if value[:1] in "[{":
            value = [item.strip() for item in value[1:-1].split(",") if item.strip()]
        request[key] = value.strip('"') if isinstance(value, str) else value
    return request


def seconds(text):
    if "T" not in text:
        text += "T00:00:00Z"
    return str(int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp()))

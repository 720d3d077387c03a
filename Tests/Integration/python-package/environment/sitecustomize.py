"""The world of the scripts that the tests run as they are written: names of the rig are loopback, and
with UNLISTED this interpreter's version is on no list, so that a proof of the attachment fails."""

import os
import socket

_resolve = socket.getaddrinfo


def _in_the_rig(host, *arguments, **names):
    if isinstance(host, (str, bytes)):
        name = host.decode() if isinstance(host, bytes) else host
        if name.rstrip(".").endswith(".rig.example"):
            host = "127.0.0.1"
    return _resolve(host, *arguments, **names)


socket.getaddrinfo = _in_the_rig

if os.environ.get("UNLISTED"):
    import hawser_tls._attachment

    hawser_tls._attachment.LISTED.clear()

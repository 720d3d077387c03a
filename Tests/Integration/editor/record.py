"""Stands between an editor and `hawser lsp`, and keeps each message that the editor sends.

    record.py FILE COMMAND...
"""
import os
import subprocess
import sys

server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE)
with open(sys.argv[1], "ab", buffering=0) as kept:
    while octets := os.read(0, 1 << 16):
        kept.write(octets)
        server.stdin.write(octets)
        server.stdin.flush()
server.stdin.close()
sys.exit(server.wait())

"""Connects before a fork, in the child and in the parent: forks.py HOST PORT"""
import os
import socket
import ssl
import sys

HOST, PORT = sys.argv[1], int(sys.argv[2])
CONTEXT = ssl.create_default_context()
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE


def connect():
    with socket.create_connection(("127.0.0.1", PORT)) as plain:
        with CONTEXT.wrap_socket(plain, server_hostname=HOST) as wrapped:
            return wrapped.version()


connect()
child = os.fork()
if child == 0:
    connect()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
connect()

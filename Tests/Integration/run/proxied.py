"""Asks for a page through CONNECT and verifies nothing: proxied.py HOST PORT PROXY"""
import ssl
import sys
import urllib.request

HOST, PORT, PROXY = sys.argv[1:]
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({"https": f"http://127.0.0.1:{PROXY}"}),
    urllib.request.HTTPSHandler(context=ssl._create_unverified_context()))
opener.open(f"https://{HOST}:{PORT}/").read()

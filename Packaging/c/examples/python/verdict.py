"""The verdict of a compiled policy on a chain from a file: the options and the output of ../c/verdict.c."""

import argparse
import base64
import re
import sys

import hawser

parser = argparse.ArgumentParser()
for name in ["table", "host", "chain", "staple", "sct-list", "cipher-suite", "group", "signature-scheme", "alpn"]:
    parser.add_argument("--" + name)
parser.add_argument("--port", type=int, default=443)
parser.add_argument("--at", type=int, default=hawser.NOW)
parser.add_argument("--tls", default="0x0304")
parser.add_argument("--explain", action="store_true")
for name in ["ocsp", "crl", "check", "assumption"]:
    parser.add_argument("--" + name, action="append", default=[])
options = parser.parse_args()


def octets(path):
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()


def blocks(path):
    text = octets(path).decode("latin-1") if path else ""
    pattern = r"-----BEGIN ([^\n]*)-----\n(.*?)-----END \1-----"
    return [base64.b64decode(block) for _, block in re.findall(pattern, text, re.S)]


def check(argument):
    name, outcome = argument.split("=")
    return name, lambda path: None if outcome == "pass" else f"assumed by `--assume {name}=fail`"


chain = blocks(options.chain)
try:
    with hawser.Store.open_file(options.table, checks=dict(map(check, options.check))) as store:
        verdict = store.evaluate(
            explain=options.explain, host=options.host, port=options.port, time=options.at, chain=chain,
            tls=hawser.CLEARTEXT if options.tls == "none" else hawser.ASSUMED,
            tls_version=0 if options.tls == "none" else int(options.tls, 0),
            cipher_suite=options.cipher_suite, group=options.group,
            signature_scheme=options.signature_scheme, alpn=options.alpn, staple=octets(options.staple),
            sct_list=octets(options.sct_list), ocsp=[octets(path) for path in options.ocsp],
            prepared=[store.prepare(hawser.CRL, octets(path), chain) for path in options.crl],
            assumptions=options.assumption)
except hawser.HawserError as error:
    sys.exit(f"verdict: {error}")
if options.explain:
    sys.stdout.write(verdict.explanation)
else:
    print("accept" if verdict else "reject", *verdict.violations, sep="\n")
sys.exit(0 if verdict else 1)

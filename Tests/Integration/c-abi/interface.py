"""Prints the binary interface of the C libraries, to be held against c-abi/interface.txt.

    interface.py DIST     what Packaging/c/build.sh has built

The symbols that each library exports; and of the headers each function as it is declared, each constant
with its value, each struct with the places and sizes of its fields, as the C compiler has them (CC).
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

CC = os.environ.get("CC", "cc")
HEADERS = ["hawser.h", "hawser_openssl.h"]
LIBRARIES = ["libhawser.so.0", "libhawser_openssl.so.0", "hawser/libhawser_judge.so", "hawser/libhawser_run.so"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def exported(library):
    """The symbols that a library exports, with their versions."""
    rows = run("nm", "-D", "--defined-only", "--extern-only", library).splitlines()
    return sorted(row.split()[2] for row in rows)


def own_text(include, header):
    """The preprocessed text of one header, without the headers that it includes, and its macros."""
    rows = run(CC, "-E", "-dD", f"-I{include}", include / header).splitlines()
    own, is_own = [], False
    for row in rows:
        if mark := re.match(r'# \d+ "([^"]*)"', row):
            is_own = pathlib.Path(mark[1]) == include / header
        elif is_own:
            own.append(row)
    macros = [found[1] for row in own if (found := re.match(r"#define (HAWSER_\w+) \S", row))]
    return "\n".join(row for row in own if not row.startswith("#")), macros


def functions(text):
    for found in re.finditer(r"^(?:[\w ]+?[ *]+)(hawser_\w+)\s*\(([^;{}]*)\);", text, re.MULTILINE):
        yield " ".join(found[0].split()).replace("( ", "(")


def structs(text):
    """Each struct with its fields, in order."""
    for found in re.finditer(r"typedef struct (hawser_\w+)\s*\{([^}]*)\}", text):
        fields = []
        for declared in filter(None, map(str.strip, found[2].split(";"))):
            if pointer := re.search(r"\(\*(\w+)\)\(", declared):
                fields.append(pointer[1])
            else:
                fields += [re.search(r"(\w+)(?:\[\w+\])?$", part.strip())[1] for part in declared.split(",")]
        yield found[1], fields


def numbers(include, questions):
    """The value of each expression of C."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "asks.c"), pathlib.Path(folder, "asks")
        lines = "".join(f'    printf("%lld\\n", (long long)({question}));\n' for question in questions)
        headers = "".join(f"#include <{header}>\n" for header in HEADERS)
        source.write_text(f"{headers}#include <stdio.h>\nint main(void) {{\n{lines}    return 0;\n}}\n")
        subprocess.run([CC, f"-I{include}", source, "-o", program], check=True)
        return run(program).split()


def main(dist):
    for library in LIBRARIES:
        print(f"{library.rsplit('/')[-1]} exports")
        print(*(f"    {name}" for name in exported(dist / "lib" / library)), sep="\n")
    for header in HEADERS:
        text, macros = own_text(dist / "include", header)
        print(f"\n{header}")
        print(*(f"    {function}" for function in sorted(functions(text))), sep="\n")
        constants = re.findall(r"\b(HAWSER_[A-Z0-9_]+) = ", text) + [name for name in macros if name != "HAWSER_H"]
        constants = [name for name in constants if name not in ("HAWSER_INIT", "HAWSER_OPENSSL_H")]
        for name, value in zip(constants, numbers(dist / "include", constants)):
            print(f"    {name} {value}")
        for name, fields in structs(text):
            questions = [f"sizeof({name})"]
            for field in fields:
                questions += [f"offsetof({name}, {field})", f"sizeof((({name} *)0)->{field})"]
            size, *places = numbers(dist / "include", questions)
            print(f"    struct {name}, {size} octets")
            for place, field in enumerate(fields):
                print(f"        {places[2 * place]:>4} {places[2 * place + 1]:>4}  {field}")


main(pathlib.Path(sys.argv[1]))

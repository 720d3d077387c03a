"""Opens a store on a file in each language, with nothing said but its path, and prints the defaults as a
table of Markdown.

    defaults.py ONE.table OTHER.table PAGE NAME=COMMAND...

Each COMMAND gets the path of a table and writes the condition of its store for each line that it reads.
The file is then replaced by OTHER.table and by a damaged table: the table of defaults says what came of
both. Fails where a language has another default than the first, and where PAGE has another table.
"""

import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

BEGIN, END = "<!-- defaults: written by Tests/Integration/defaults.sh -->", "<!-- end of defaults -->"
# What a default is about, in the order of the table.
ROWS = [
    ("watching", "how the file is followed"),
    ("reloads", "another table in the file"),
    ("logs", "a file that is refused"),
    ("stale", "when a table becomes stale"),
    ("directory", "the state directory"),
    ("rollback", "rollback protection"),
    ("crlite", "CRLite filters"),
]


def put(octets, path):
    """Replaces the file by rename, as a publisher does."""
    beside = path.with_name("beside")
    beside.write_bytes(octets)
    beside.rename(path)


def defaults(command, one, other):
    """What a program says of its store, by the words of ROWS."""
    with tempfile.TemporaryDirectory() as folder:
        path, errors = pathlib.Path(folder, "policy.table"), pathlib.Path(folder, "errors")
        shutil.copy(one, path)
        with open(errors, "wb") as stream, subprocess.Popen(
            [*shlex.split(command), path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream, text=True
        ) as program:

            def condition():
                return dict(word.split("=", 1) for word in program.stdout.readline().split())

            def until(holds, seconds):
                end = time.monotonic() + seconds
                while True:
                    program.stdin.write("\n")
                    program.stdin.flush()
                    found = condition()
                    if not found:
                        sys.exit(f"`{command}` ended: {errors.read_text()}")
                    if holds(found) or time.monotonic() > end:
                        return found
                    time.sleep(0.05)

            condition()
            found = until(lambda now: now["watching"] != "nothing", 10)
            put(pathlib.Path(other).read_bytes(), path)
            found["reloads"] = "is in force" if until(lambda now: now["epoch"] == "2", 20)["epoch"] == "2" else "is not seen"
            put(b"no table", path)
            until(lambda now: now["refused"] == "1", 20)
            end = time.monotonic() + 10
            while "refused" not in errors.read_text() and time.monotonic() < end:
                time.sleep(0.05)
            found["logs"] = "is a line on standard error" if "refused" in errors.read_text() else "is not told"
            program.stdin.close()
        print(f"{command}: status {program.returncode}; standard error:\n{errors.read_text()}", file=sys.stderr)
        if program.returncode != 0:
            sys.exit(1)
        return found


def main(one, other, page, *commands):
    languages = [name.split("=", 1) for name in commands]
    found = [defaults(command, one, other) for _, command in languages]
    lines = ["| | " + " | ".join(name for name, _ in languages) + " |", "|---" * (len(languages) + 1) + "|"]
    lines += [f"| {title} | " + " | ".join(one[row] for one in found) + " |" for row, title in ROWS]
    print(*lines, sep="\n")
    for row, title in ROWS:
        if len({one[row] for one in found}) != 1:
            sys.exit(f"FAILED: {title}: the languages have different defaults")
    if found[0]["reloads"] != "is in force" or found[0]["logs"] == "is not told":
        sys.exit("FAILED: a store does not follow its file, or is silent about a refusal")
    text = pathlib.Path(page).read_text(encoding="utf-8")
    written = text.partition(BEGIN)[2].partition(END)[0].split("\n")
    if [line for line in written if line.startswith("|")] != lines:
        sys.exit(f"FAILED: {page} has another table of defaults")


main(*sys.argv[1:])

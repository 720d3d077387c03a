"""Runs the console blocks of the documentation: console-blocks.py HAWSER.

A block of the pages whose language is `sh` or `console`, or that has none and begins with a command,
is run in a copy of the repository's policies, each page in its own copy. The lines below a command
with `$ ` are its output, which must be the same. A verdict or findings (status 1) pass. Blocks that are not run stand in console-blocks.txt, each with its reason; a line there that
fits no block is a failure too."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# First words of the commands of blocks that name no language.
COMMANDS = re.compile(r"\$ |(?:hawser|hawser_\w+|swift|install|make|bash|pip3?|python3?|export|git|go|cc|jq|openssl|diff"
                      r"|cp|curl|cmake|docker|\.?/?Packaging/\S+|\./\S+|\.ci/\S+|[A-Z_]+=\S+)(?: |$)")


def blocks(text):
    """The blocks of code: their language, the line of the first line, and their lines."""
    fence, found = None, []
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            if fence is None:
                fence = (line.strip("` "), number + 1, [])
            else:
                found.append(fence)
                fence = None
        elif fence:
            fence[2].append(line)
    return found


def is_console(language, lines):
    return language in ("sh", "bash", "console", "shell") or not language and lines and COMMANDS.match(lines[0])


def commands(lines):
    """The commands of a block, each with the lines of its output."""
    if not any(line.startswith("$ ") for line in lines):
        return [("\n".join(lines), [])]
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and not found[-1][1] and found[-1][0].endswith("\\"):
            found[-1] = (found[-1][0] + "\n" + line, [])
        else:
            found[-1][1].append(line)
    return found


def run(command, folder, path):
    """What a command prints, and its status, in a shell that goes on where the last one stood."""
    script = ("hawser() { command hawser \"$@\" || [ $? = 1 ]; }\nset -eo pipefail\n"
              f"cd \"$(cat {folder}/.git/at)\"\n{command}\npwd > {folder}/.git/at\n")
    environment = {"PATH": f"{path}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8",
                   "PIP_NO_INDEX": "1"}
    done = subprocess.run(["bash", "-c", script], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.stdout, done.returncode


def main(hawser):
    pages = subprocess.check_output(["git", "ls-files", "--cached", "--others", "--exclude-standard",
                                     "*.md", ".github/*.md"], cwd=ROOT, text=True).split()
    left = {}
    for line in (ROOT / "Tests/Integration/console-blocks.txt").read_text().split("\n"):
        if line and not line.startswith("#"):
            page, rest = line.split(" | ", 1)
            first, reason = rest.rsplit(" | ", 1)
            left[page, first] = reason
    unused, faults, counts = set(left), [], {"run": 0, "not run": 0, "compared": 0}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "bin").mkdir()
        (scratch / "bin/hawser").symlink_to(hawser)
        tree = scratch / "tree"
        tree.mkdir()
        archive = subprocess.run(["git", "archive", "HEAD", "policies", "Packaging/review"], cwd=ROOT,
                                 stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x"], cwd=tree, input=archive, check=True)
        for words in (["init", "--quiet", "-b", "main"], ["add", "-A"],
                      ["-c", "user.name=a", "-c", "user.email=a@a.example", "commit", "--quiet", "-m", "begin"],
                      ["update-ref", "refs/remotes/origin/main", "HEAD"]):
            subprocess.run(["git", *words], cwd=tree, check=True)
        for page in sorted(set(pages)):
            for language, number, lines in blocks((ROOT / page).read_text()):
                if not is_console(language, lines):
                    continue
                if (page, lines[0].strip()) in left:
                    unused.discard((page, lines[0].strip()))
                    counts["not run"] += 1
                    continue
                counts["run"] += 1
                (tree / ".git/at").write_text(str(tree))
                for command, wanted in commands(lines):
                    printed, status = run(command, tree, scratch / "bin")
                    if status != 0:
                        faults.append(f"{page}:{number}: `{command}` ends with {status}:\n{printed}")
                    elif wanted:
                        counts["compared"] += 1
                        if printed.rstrip("\n").split("\n") != wanted:
                            faults.append(f"{page}:{number}: `{command}` prints\n{printed}")
            for words in (["checkout", "--quiet", "."], ["clean", "--quiet", "-fdx"]):
                subprocess.run(["git", *words], cwd=tree, check=True)
    faults += [f"console-blocks.txt: no block of {page} begins with `{first}`" for page, first in sorted(unused)]
    print("\n".join(faults))
    print(f"{counts['run']} console blocks run, {counts['compared']} outputs compared; {counts['not run']} named as "
          f"not run, each with its reason; {len(faults)} faults")
    sys.exit(1 if faults else 0)


main(pathlib.Path(sys.argv[1]).resolve())

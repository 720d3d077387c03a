"""Applies the mutants of Tests/Mutation/Mutants to a copy of the tree, and runs each with its nearest suites.

mutants.py apply TREE                                 copies what git knows into TREE, every mutant as a condition
mutants.py run TREE BINARY [--resume] [ID|FILE...]    runs the mutants with the built tests

README.md, beside this file, says how a mutant is written and what the answers mean.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading
import time
import zlib

HERE = pathlib.Path(__file__).parent
RESULTS = pathlib.Path(".build-mutants/results")
VARIABLE = "HAWSER_MUTANT"
# The targets whose suites run. The copy is built without the other tests. The variable leaves out
# more of them, for a loop over the mutants of one area.
TEST_TARGETS = os.environ.get("MUTANT_TESTS", "").split() or [
    "TrustEngineTests", "LibCryptoTests", "HawserTests", "PolicyCompilerTests", "PolicyToolsTests", "CHawserTests",
    "CLITests",
]
# Seconds that a suite may take beyond four times its time without a mutant, and octets of memory: a
# run that reaches either limit is killed.
TIME_LIMIT = 30
MEMORY_LIMIT = 8 << 30
AT_ONCE = 2

# Goes into each target that has mutants. Read once: a run has one mutant or none. The engine
# imports no C library, so its function is named by its symbol. `PolicyTools` has a type `Mutant`.
SWITCH = """\
@_silgen_name("getenv")
private func variable(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?

enum MutantSwitch {
    private static let chosen = unsafe variable("%s").flatMap { unsafe UInt32(String(cString: $0)) } ?? 0

    static func isOn(_ number: UInt32) -> Bool { chosen == number }
}
""" % VARIABLE


# The same for a target in C, at the start of each file that has mutants.
SWITCH_OF_C = """\
#include <stdlib.h>
static int mutant_is_on(unsigned long number) {
    const char *chosen = getenv("%s");
    return chosen && strtoul(chosen, 0, 10) == number;
}
""" % VARIABLE

# Tests of the command run it with an environment of their own. In the copy they hand the mutant on.
HANDED_ON = {
    "Tests/CLITests/CommandRun.swift": (
        """["PATH": "/usr/bin:/bin", "TERM": "dumb"]""",
        """["PATH": "/usr/bin:/bin", "TERM": "dumb",
            "%s": ProcessInfo.processInfo.environment["%s"] ?? "0"]""" % (VARIABLE, VARIABLE)),
}


class Mutant:
    def __init__(self, name, place, file, suites):
        self.name, self.place, self.file, self.suites = name, place, file, suites
        self.text = self.new = self.equivalent = None
        self.is_statement = False
        self.number = zlib.crc32(name.encode())

    @property
    def is_of_c(self):
        return self.file.endswith(".c")

    def conditional(self, old):
        if self.is_of_c:
            test = f"mutant_is_on({self.number}ul)"
            if self.is_statement:
                return f"if ({test}) {{ {self.new} }} else {{ {old} }}"
            return f"({test} ? ({self.new}) : ({old}))"
        if self.is_statement:
            return f"if MutantSwitch.isOn({self.number}) {{ {self.new} }} else {{ {old} }}"
        return f"(MutantSwitch.isOn({self.number}) ? ({self.new}) : ({old}))"


def stop(message):
    sys.exit(f"mutants: {message}")


def read_mutants():
    mutants = []
    for path in sorted((HERE / "Mutants").glob("*.txt")):
        file, suites, mutant = None, [], None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            place = f"{path.name}:{number}"
            if not line.strip() or line.startswith("#"):
                continue
            key, colon, value = line.partition(":")
            value = value.strip()
            if not colon:
                stop(f"{place}: a line is `key: value`")
            if key == "file":
                file, mutant, suites = value, None, []
            elif key == "suites" and mutant is None:
                suites = value.split()
            elif key == "mutant":
                mutant = Mutant(value, place, file, suites)
                mutants.append(mutant)
            elif mutant is None:
                stop(f"{place}: `{key}` stands before a mutant")
            elif key == "suites":
                mutant.suites = value.split()
            elif key in ("new", "statement"):
                mutant.new, mutant.is_statement = value, key == "statement"
            elif key in ("text", "equivalent"):
                setattr(mutant, key, value)
            else:
                stop(f"{place}: no such key: {key}")
    check(mutants)
    return mutants


def check(mutants):
    names, numbers = set(), set()
    for mutant in mutants:
        where = f"{mutant.place}: {mutant.name}"
        if not re.fullmatch(r"[a-z0-9-]+", mutant.name):
            stop(f"{where}: an id is of letters, digits and hyphens")
        if mutant.name in names or mutant.number in numbers:
            stop(f"{where}: the id is taken")
        names.add(mutant.name)
        numbers.add(mutant.number)
        if mutant.file is None or not mutant.suites or mutant.text is None or mutant.new is None:
            stop(f"{where}: needs file, suites, text, and new or statement")
        if mutant.text.count("«") != 1 or mutant.text.count("»") != 1:
            stop(f"{where}: the text marks with « and » what is replaced")
        if mutant.equivalent == "":
            stop(f"{where}: `equivalent` needs a reason")


def place_of(mutant, source):
    """Where the marked part of a mutant's text lies; any run of white space equals any other."""
    marked = re.escape(mutant.text)
    pattern = re.sub(r"(?:\\\s)+", r"\\s+", marked).replace("«", "(").replace("»", ")")
    found = list(re.finditer(pattern, source))
    if len(found) == 1:
        return found[0].span(1)
    print(f"mutants: {mutant.place}: {mutant.name}: the text occurs {len(found)} times in {mutant.file}, not once",
          file=sys.stderr)
    return None


def mutated(source, mutants):
    """The source with every mutant in it. Mutants of one place stand in one another's else."""
    places = {}
    for mutant in mutants:
        places.setdefault(place_of(mutant, source), []).append(mutant)
    if None in places:
        return None
    done = len(source) + 1
    for start, end in sorted(places, reverse=True):
        if end > done:
            stop(f"{places[start, end][0].name}: its place overlaps another mutant's")
        done = start
        text = source[start:end]
        for mutant in places[start, end]:
            text = mutant.conditional(text)
        source = source[:start] + text + source[end:]
    return SWITCH_OF_C + source if mutants[0].is_of_c else source


def tail_of_manifest():
    return """
// The copy is built for the suites that judge mutants, and for what they depend on.
var kept: Set = [%s]
var reached = 0
while kept.count > reached {
    reached = kept.count
    for target in package.targets where kept.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
    }
}
package.products = kept.contains("HawserCommand")
    ? [.executable(name: "hawser", targets: ["HawserCommand"])] : []
package.targets.removeAll { !kept.contains($0.name) }
""" % ", ".join(f'"{name}"' for name in TEST_TARGETS)


def apply(tree):
    mutants = read_mutants()
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", ":!Tests/Mutation"],
        capture_output=True, check=True).stdout
    files = {name: pathlib.Path(name).read_bytes()
             for name in listed.decode().split("\0") if name and os.path.isfile(name)}
    lost = False
    for file in sorted({mutant.file for mutant in mutants}):
        chosen = [mutant for mutant in mutants if mutant.file == file]
        source = mutated(files.get(file, b"").decode(), chosen)
        lost = lost or source is None
        files[file] = (source or "").encode()
        if not chosen[0].is_of_c:
            files["/".join(file.split("/")[:2]) + "/MutantSwitch.swift"] = SWITCH.encode()
    for file, (old, new) in HANDED_ON.items():
        text = files[file].decode()
        if text.count(old) != 1:
            stop(f"{file}: the environment of the command is not found once")
        files[file] = text.replace(old, new).encode()
    if lost:
        stop("change these texts as their files have changed")
    # A condition on a mutant may make a warning of what surrounds it.
    manifest = files["Package.swift"].decode().replace("    .treatAllWarnings(as: .error),\n", "")
    files["Package.swift"] = (manifest + tail_of_manifest()).encode()

    # Unchanged files keep their time, so that the next build compiles only the changed ones.
    tree.mkdir(parents=True, exist_ok=True)
    for path in sorted(tree.rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in files and path.name != "Package.resolved":
            path.unlink()
    for name, content in files.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    print(f"{len(mutants)} mutants in {len({mutant.file for mutant in mutants})} files, each text found once",
          file=sys.stderr)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def filter_of(suite):
    """The tests of a suite, `Suite`, or one of its test functions, `Suite/function`."""
    suite, _, function = suite.partition("/")
    return r"^(%s)\.%s/%s" % ("|".join(TEST_TARGETS), suite, function + r"\(" if function else "")


def run_suite(binary, suite, seconds, number=0):
    """How a run of a suite ends: `passed`, or what failed first; and the number of its tests."""
    process = subprocess.Popen(
        [binary, "--testing-library", "swift-testing", "--filter", filter_of(suite)],
        env=os.environ | {VARIABLE: str(number)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, preexec_fn=limit_memory)
    hung = threading.Event()

    def give_up():
        hung.set()
        process.kill()

    timer = threading.Timer(seconds, give_up)
    timer.start()
    count = 0
    try:
        for line in process.stdout:
            line = re.sub(r"\x1b\[[0-9;]*m", "", line.decode(errors="replace"))
            if failed := re.search(r"✘ Test (.*?) (?:recorded an issue|failed|with \d+ argument)", line):
                return failed[1].strip('"'), 0
            if counted := re.search(r"Test run with (\d+) tests?", line):
                count = int(counted[1])
        status = process.wait()
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
    if hung.is_set():
        return f"no end in {seconds:.0f} s", 0
    return ("passed", count) if status == 0 else (f"the process ended with status {status}", 0)


def run_suites(mutant, binary, seconds):
    """What first kills a mutant, or `passed`."""
    for suite in mutant.suites:
        result, _ = run_suite(binary, suite, seconds[suite] * 4 + TIME_LIMIT, mutant.number)
        if result != "passed":
            return f"{suite}: {result}"
    return "passed"


def digest_of(tree, binary):
    digest = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        if path.is_file():
            digest.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def run(tree, binary, arguments):
    resumes = "--resume" in arguments
    chosen = {argument for argument in arguments if argument != "--resume"}
    mutants = read_mutants()
    unknown = chosen - {m.name for m in mutants} - {os.path.basename(m.file) for m in mutants} - {m.file for m in mutants}
    if unknown:
        stop(f"no mutant and no file of one: {' '.join(sorted(unknown))}")
    if chosen:
        mutants = [m for m in mutants if chosen & {m.name, m.file, os.path.basename(m.file)}]

    suites = sorted({suite for mutant in mutants for suite in mutant.suites})
    started = time.monotonic()
    seconds = {}
    for suite in suites:
        before = time.monotonic()
        result, count = run_suite(binary, suite, 600)
        seconds[suite] = time.monotonic() - before
        if result != "passed" or count == 0:
            stop(f"without a mutant, {suite} must pass: {result}, {count} tests")
    print(f"without a mutant: {len(suites)} suites pass in {time.monotonic() - started:.0f} s, slowest "
          + ", ".join(f"{suite} {seconds[suite]:.1f} s" for suite in sorted(suites, key=lambda s: -seconds[s])[:4]))

    RESULTS.mkdir(parents=True, exist_ok=True)
    mark, digest = RESULTS / "tree", digest_of(tree, binary)
    if not (resumes or chosen) or not mark.exists() or mark.read_text() != digest:
        for path in RESULTS.iterdir():
            path.unlink()
        mark.write_text(digest)

    lock = threading.Lock()

    def judge(mutant):
        note = RESULTS / mutant.name
        if resumes and note.exists():
            return mutant, note.read_text()
        result = run_suites(mutant, binary, seconds)
        note.write_text(result)
        with lock:
            print(f"{'survives' if result == 'passed' else 'killed':8} {mutant.name:44} "
                  f"{'' if result == 'passed' else result[:90]}", flush=True)
        return mutant, result

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        judged = list(pool.map(judge, mutants))

    survivors = [m for m, result in judged if result == "passed" and m.equivalent is None]
    stale = [(m, result) for m, result in judged if result != "passed" and m.equivalent is not None]
    equivalent = [m for m, result in judged if result == "passed" and m.equivalent is not None]
    print()
    for mutant in equivalent:
        print(f"equivalent: {mutant.name}: {mutant.equivalent}")
    for mutant in survivors:
        print(f"SURVIVES: {mutant.name} ({mutant.file}, {mutant.place}) passes {' '.join(mutant.suites)}: "
              "write the row of a test that fails, or say under `equivalent:` why none can")
    for mutant, result in stale:
        print(f"NOT EQUIVALENT: {mutant.name} ({mutant.place}) is killed by {result}: take its reason away")
    killed = len(judged) - len(survivors) - len(equivalent)
    print(f"{len(judged)} mutants: {killed} killed, {len(equivalent)} equivalent with a reason, "
          f"{len(survivors)} survive; {time.monotonic() - started:.0f} s")
    return 1 if survivors or stale else 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["apply", tree]:
            apply(pathlib.Path(tree))
        case ["run", tree, binary, *arguments]:
            sys.exit(run(pathlib.Path(tree), str(pathlib.Path(binary).resolve()), arguments))
        case _:
            stop(__doc__)

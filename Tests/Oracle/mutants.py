"""Plants the faults of Mutants/ in a copy of the tree, as Tests/Mutation does, and asks the oracle to find each.

mutants.py apply TREE          copies what git knows into TREE, every fault as a condition on HAWSER_MUTANT
mutants.py run HAWSER [ID...]  runs the oracle with the command of that copy, once for each fault
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
# Pairs, and statements about them, within which a fault must be found.
PAIRS = STATEMENTS = 1000


def planting():
    """The program of Tests/Mutation, with the faults of this folder and the whole manifest."""
    path = HERE.parent / "Mutation" / "mutants.py"
    spec = importlib.util.spec_from_file_location("mutation", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.HERE = HERE
    module.tail_of_manifest = lambda: ""
    return module


def asked(binary: str, kind: str, number: int) -> tuple[bool, str]:
    """Whether the oracle disagrees with the command under a fault (0 is none), and the last line that it prints."""
    environment = dict(os.environ, HAWSER_MUTANT=str(number))
    amount = [f"--{kind}", str(PAIRS if kind == "pairs" else STATEMENTS)]
    run = subprocess.run(
        [sys.executable, str(HERE / "oracle.py"), binary, *amount, "--seed", "1", "--first", "--no-expectations"],
        env=environment, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"the oracle ended with {run.returncode}\n{run.stderr}")
    return run.returncode == 1, (run.stdout.strip().splitlines() or [""])[-1]


def is_found(binary: str, mutant) -> bool:
    found, last = asked(binary, mutant.suites[0], mutant.number)
    print(f"{'found' if found else 'NOT FOUND':<10} {mutant.name:<32} {last}", flush=True)
    return found


def main() -> int:
    module = planting()
    if sys.argv[1] == "apply":
        module.apply(pathlib.Path(sys.argv[2]))
        return 0
    chosen = [mutant for mutant in module.read_mutants() if not sys.argv[3:] or mutant.name in sys.argv[3:]]
    started = time.monotonic()
    for kind in sorted({mutant.suites[0] for mutant in chosen}):
        if asked(sys.argv[2], kind, 0)[0]:
            sys.exit(f"the oracle disagrees about {kind} without a fault")
    lost = [mutant.name for mutant in chosen if not is_found(sys.argv[2], mutant)]
    print(f"{len(chosen)} mutants in {time.monotonic() - started:.0f} s; not found: {', '.join(lost) or 'none'}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

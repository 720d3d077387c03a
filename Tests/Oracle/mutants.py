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


def is_found(binary: str, mutant) -> bool:
    environment = dict(os.environ, HAWSER_MUTANT=str(mutant.number))
    amount = [f"--{mutant.suites[0]}", str(PAIRS if mutant.suites[0] == "pairs" else STATEMENTS)]
    run = subprocess.run(
        [sys.executable, str(HERE / "oracle.py"), binary, *amount, "--seed", "1", "--first", "--no-expectations"],
        env=environment, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{mutant.name}: the oracle ended with {run.returncode}\n{run.stderr}")
    last = (run.stdout.strip().splitlines() or [""])[-1]
    print(f"{'found' if run.returncode == 1 else 'NOT FOUND':<10} {mutant.name:<36} {last}", flush=True)
    return run.returncode == 1


def main() -> int:
    module = planting()
    if sys.argv[1] == "apply":
        module.apply(pathlib.Path(sys.argv[2]))
        return 0
    chosen = [mutant for mutant in module.read_mutants() if not sys.argv[3:] or mutant.name in sys.argv[3:]]
    started = time.monotonic()
    lost = [mutant.name for mutant in chosen if not is_found(sys.argv[2], mutant)]
    print(f"{len(chosen)} mutants in {time.monotonic() - started:.0f} s; not found: {', '.join(lost) or 'none'}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

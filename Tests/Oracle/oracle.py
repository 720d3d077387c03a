"""A second opinion on `hawser diff` and `hawser assert`: oracle.py HAWSER [options]. README.md
describes the model."""

import argparse
import collections
import dataclasses
import json
import pathlib
import random
import sys
import tempfile
import time
import typing

import chance
import compare
import demands
import hawser
import order
import shrink
from compare import Pair
from demands import Statement, World

HERE = pathlib.Path(__file__).parent
EXPECTATIONS = HERE / "expectations.json"
# Pairs that share one run of the command, and statements about each new unit.
BATCH, STATEMENTS_OF_A_UNIT = 20, 4
# Batches that do not compile: a fault of chance.py, which takes out what the language refuses.
MOST_REFUSED = 3
# A run of this many statements must meet every known deviation that is met often.
ENOUGH_STATEMENTS = 20_000


@dataclasses.dataclass
class Example:
    """A pair of units with their defaults, and a statement about the new one where there is one."""

    pair: Pair
    statement: Statement | None = None

    def tree(self) -> dict[str, typing.Any]:
        made = {"old": self.pair.old, "new": self.pair.new, "defaults": list(self.pair.defaults)}
        return made if self.statement is None else made | {"statement": self.statement}


def example(tree: dict[str, typing.Any]) -> Example:
    return Example(Pair(filled(tree["old"]), filled(tree["new"]), tuple(tree["defaults"])), tree.get("statement"))


def filled(unit: dict[str, typing.Any]) -> dict[str, typing.Any]:
    return {section: unit.get(section, {}) for section in ("anchors", "pins", "profiles", "rules")}


class Oracle:
    def __init__(self, binary: str, folder: pathlib.Path) -> None:
        self.workshop = hawser.Workshop(binary, folder)
        self.seen: collections.Counter[str] = collections.Counter()
        self.found: list[tuple[str, Example]] = []
        self.explained: collections.Counter[str] = collections.Counter()
        self.refused: list[str] = []

    # One batch.

    def write(self, pairs: list[Pair]) -> None:
        defaults = pairs[0].defaults
        self.workshop.write("old", [pair.old for pair in pairs], defaults[0])
        self.workshop.write("new", [pair.new for pair in pairs], defaults[1])

    def ask_pairs(self, pairs: list[Pair]) -> None:
        answer = self.workshop.diff()
        self.found += [(f"diff {title}", Example(pairs[0])) for title in answer.wrong()]
        for place, pair in enumerate(pairs, 1):
            self.seen["pairs"] += 1
            for found in compare.disagreements(pair, place, answer, self.seen):
                self.found.append((f"diff {found.group}: {found.model}, and diff says {found.told}", Example(pair)))

    def ask_statements(self, pairs: list[Pair], statements: list[tuple[int, Statement]]) -> None:
        names = {f"p{place}-s{index}": entry for index, (place, entry) in enumerate(statements)}
        places = {f"p{place}-s{index}": place for index, (place, _) in enumerate(statements)}
        answers = self.workshop.asserted({
            name: hawser.renamed_statement(entry, places[name]) for name, entry in names.items()})
        for name, entry in names.items():
            told = answers[name]["verdict"]
            self.seen["statements"] += 1
            self.seen[told] += 1
            self.judge(Example(pairs[places[name] - 1], entry), told)

    def judge(self, given: Example, told: str) -> None:
        model = self.verdict(given)
        if model == told:
            return
        for name in known():
            if self.verdict(given, name) == told:
                self.explained[name] += 1
                return
        self.found.append((f"assert {', '.join(demand_names(given))}: {model}, and assert says {told}", given))

    def verdict(self, given: Example, deviation: str | None = None) -> str:
        assert given.statement is not None
        pair = given.pair
        demands.DEVIATIONS = set() if deviation is None else {deviation}
        try:
            return demands.verdict(given.statement, World(pair.new, pair.old, pair.defaults[1], pair.defaults[0]))
        finally:
            demands.DEVIATIONS = set()

    # A disagreement by itself.

    def titles(self, given: Example) -> set[str]:
        """The disagreements of one example by itself."""
        alone = Oracle.__new__(Oracle)
        alone.workshop, alone.seen, alone.found = self.workshop, collections.Counter(), []
        alone.explained = collections.Counter()
        alone.write([given.pair])
        if given.statement is None:
            alone.ask_pairs([given.pair])
        else:
            alone.ask_statements([given.pair], [(1, given.statement)])
        return {title for title, _ in alone.found}

    def smaller(self, title: str, given: Example) -> Example:
        def holds(tree: dict[str, typing.Any]) -> bool:
            try:
                return title in self.titles(example(tree))
            except (hawser.Refused, RuntimeError, LookupError, TypeError, ValueError, AttributeError):
                # The text is not a unit any more, or does not compile.
                return False

        tree = given.tree()
        return example(shrink.shrunk(tree, holds, shrink.from_both_sides)) if holds(tree) else given


def demand_names(given: Example) -> list[str]:
    return sorted(set(given.statement or {}) - {"hosts", "during"})


def known() -> dict[str, typing.Any]:
    """The deviations of the prover that are known, by their names."""
    return json.loads(EXPECTATIONS.read_text())["deviations"]


def check_expectations(oracle: Oracle) -> list[str]:
    """Each known deviation must still show on its own example: what agrees now is to be taken out of the file."""
    wrong = []
    examples = [(name, example(tree)) for name, entry in known().items() for tree in entry["examples"]]
    for name, given in examples:
        assert given.statement is not None
        oracle.write([given.pair])
        told = oracle.workshop.asserted({"it": hawser.renamed_statement(given.statement, 1)})["it"]["verdict"]
        model, deviating = oracle.verdict(given), oracle.verdict(given, name)
        if model == told:
            wrong.append(f"{name}: assert agrees now ({told}): take it out of expectations.json and of demands.py")
        elif deviating != told:
            wrong.append(f"{name}: assert says {told}, the model {model}, and with the deviation {deviating}")
    return wrong


def batch(source: random.Random) -> list[Pair]:
    """Some pairs over one pair of defaults; most are a unit and an edit of it, a few are two units."""
    old = chance.default(source)
    defaults = (old, chance.edited_default(source, old))
    pairs = []
    for _ in range(BATCH):
        before = chance.unit(source)
        after = chance.edited(source, before) if source.random() < 0.95 else chance.unit(source)
        pairs.append(Pair(before, after, defaults))
    return pairs


def run(oracle: Oracle, options: argparse.Namespace) -> None:
    source = random.Random(options.seed)
    end = time.monotonic() + options.seconds if options.seconds else None
    while oracle.seen["pairs"] < options.pairs or oracle.seen["statements"] < options.statements:
        pairs = batch(source)
        made = [(place, chance.statement(source, pair.new)) for place, pair in enumerate(pairs, 1)
                for _ in range(STATEMENTS_OF_A_UNIT)]
        try:
            oracle.write(pairs)
            if oracle.seen["pairs"] < options.pairs:
                oracle.ask_pairs(pairs)
            if oracle.seen["statements"] < options.statements:
                oracle.ask_statements(pairs, made)
        except hawser.Refused as refused:
            oracle.refused.append(str(refused))
            if options.keep:
                trees = [Example(pair).tree() for pair in pairs]
                (pathlib.Path(options.keep) / "refused.json").write_text(json.dumps(trees))
            if len(oracle.refused) > MOST_REFUSED:
                return
        if oracle.found and options.first or end is not None and time.monotonic() > end:
            return


def tell(oracle: Oracle, options: argparse.Namespace) -> None:
    """Prints one small example of each kind of disagreement."""
    kinds: dict[str, list[Example]] = {}
    for title, given in oracle.found:
        kinds.setdefault(title, []).append(given)
    for title, examples in sorted(kinds.items()):
        print(f"disagreement, {len(examples)} times: {title}")
        given = examples[0] if options.first else oracle.smaller(title, examples[0])
        if not options.first:
            print(json.dumps(given.tree(), indent=1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hawser", help="the command")
    parser.add_argument("--pairs", type=int, default=0, help="pairs of units to compare with `diff`")
    parser.add_argument("--statements", type=int, default=0, help="statements to compare with `assert`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--first", action="store_true", help="stop at the first disagreement, and do not shrink it")
    parser.add_argument("--keep", help="a folder for the last batch that does not compile")
    parser.add_argument("--no-expectations", action="store_true", help="do not look whether the known deviations stand")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(str(pathlib.Path(options.hawser).resolve()), pathlib.Path(folder))
        wrong = [] if options.no_expectations else check_expectations(oracle)
        run(oracle, options)
        tell(oracle, options)
    unmet = [name for name, entry in known().items() if entry["often"] and oracle.explained[name] == 0]
    if oracle.seen["statements"] >= ENOUGH_STATEMENTS:
        wrong += [f"{name}: no random statement met it" for name in unmet]
    for line in oracle.refused:
        print(f"a unit of chance.py does not compile: {line}")
    for line in wrong:
        print(f"expectation: {line}")
    for name, count in oracle.explained.most_common():
        print(f"known deviation, {count} times: {name}")
    seen = ", ".join(f"{oracle.seen[name]:,} {name}" for name in ["pairs", "classes", "intervals", "fields",
                                                                 "statements", "proved", "refuted", "stale"])
    print(f"{seen}; seed {options.seed}, {order.QUERIES:,} questions to the solver, "
          f"{len(oracle.found)} disagreements, {time.monotonic() - started:.0f} s")
    return 1 if oracle.found or wrong or oracle.refused else 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes a pair of units smaller, as long as something holds of it."""

import copy
import typing

Tree = typing.Any
Path = tuple[typing.Any, ...]


def places(tree: Tree, below: Path = ()) -> list[Path]:
    """Every place of a tree of maps and lists at which something can be taken out, the widest first."""
    found: list[Path] = []
    if isinstance(tree, dict):
        entries = list(tree.items())
    elif isinstance(tree, list):
        entries = list(enumerate(tree))
    else:
        return found
    found += [(*below, key) for key, _ in entries]
    for key, value in entries:
        found += places(value, (*below, key))
    return sorted(found, key=len)


def without(tree: Tree, path: Path) -> Tree | None:
    """The tree without what stands at the path; none where nothing stands there."""
    made = copy.deepcopy(tree)
    parent = made
    for key in path[:-1]:
        if not isinstance(parent, (dict, list)):
            return None
        try:
            parent = parent[key]
        except (KeyError, IndexError):
            return None
    if isinstance(parent, dict) and path[-1] in parent or isinstance(parent, list) and path[-1] < len(parent):
        del parent[path[-1]]
        return made
    return None


def shrunk(tree: Tree, holds: typing.Callable[[Tree], bool], together: typing.Callable[[Tree, Path], Tree | None],
           limit: int = 600) -> Tree:
    """The smallest tree that was found of which `holds` still is true.

    `together` takes one place out of every part of the tree that has it, which is tried before
    single parts.
    """
    asked = 0
    progress = True
    while progress and asked < limit:
        progress = False
        for path in places(tree):
            for smaller in (together(tree, path), without(tree, path)):
                if smaller is None or asked >= limit:
                    continue
                asked += 1
                if holds(smaller):
                    tree, progress = smaller, True
                    break
            if progress:
                break
    return tree


def from_both_sides(tree: Tree, path: Path) -> Tree | None:
    """For a tree whose first key is the side: takes the place out of both sides."""
    if len(path) < 2 or path[0] not in ("old", "new"):
        return None
    made = tree
    for side in ("old", "new"):
        made = without(made, (side, *path[1:])) or made
    return made if made is not tree else None

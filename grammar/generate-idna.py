#!/usr/bin/env python3
"""Write Sources/PolicyCompiler/Scalars/IDNATables+Generated.swift.

What goes in: the mapping table of UTS #46 and the joining types as the `idna` package carries them
(`uts46data`, `idnadata`), and general categories, bidirectional classes, combining classes and
canonical decompositions as `unicodedata2` carries them. All are facts of the Unicode Character
Database, whose files are under the Unicode License v3 (https://www.unicode.org/license.txt). Both
packages must be of one Unicode version, or nothing is written.

    pip install idna==3.13 unicodedata2==17.0.0
    python3 grammar/generate-idna.py

What comes out: streams of numbers (`number_stream.py`), which nothing decodes before the first name
outside ASCII.

  properties   (gap since the last range, length - 1, kind), kinds in a list of their own
  mappings     (gap since the last run, length - 1, targets, then each target: first source to
               target, signed); all targets of a run move with the source; no target = ignored
  pairs        (gap since the last composite, first part, second part, signed from the composite)

Only what a label may hold after mapping has properties and pairs.
"""

import os
import sys

import idna.idnadata
import idna.uts46data
import unicodedata2

from number_stream import number, signed, swift

BIDI = ["L", "R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"]
JOINING = ["U", "L", "R", "D", "T"]


def statuses():
    """Status and replacement of every code point, in order."""
    rows = idna.uts46data.uts46data
    rows = rows() if callable(rows) else rows
    ends = [row[0] for row in rows[1:]] + [0x110000]
    for row, end in zip(rows, ends):
        for code in range(row[0], end):
            yield code, row[1], row[2] if len(row) == 3 else None


def joining_types():
    table = idna.idnadata.joining_types
    return table() if callable(table) else table


def is_surrogate(code):
    return 0xD800 <= code <= 0xDFFF


def main():
    version = unicodedata2.unidata_version
    if not version == idna.idnadata.__version__ == idna.uts46data.__version__:
        sys.exit(f"unicodedata2 has Unicode {version}, idna {idna.idnadata.__version__}")

    joining = joining_types()
    valid, mapped = set(), {}
    for code, status, target in statuses():
        if is_surrogate(code):
            continue
        if status in "VD":
            valid.add(code)
        elif status == "M":
            mapped[code] = [ord(character) for character in target]
        elif status == "I":
            mapped[code] = []
        elif status != "X":
            sys.exit(f"U+{code:04X} has the unknown status {status}")
    for code, target in mapped.items():
        if not set(target) <= valid:
            sys.exit(f"U+{code:04X} is mapped to what is not valid")

    kinds, properties = [], []
    for code in sorted(valid):
        character = chr(code)
        bidi = unicodedata2.bidirectional(character) or "L"
        join = joining.get(code, "U")
        join = chr(join) if isinstance(join, int) else join
        join = "U" if join == "C" else join
        kind = (
            BIDI.index(bidi) if bidi in BIDI else len(BIDI),
            JOINING.index(join),
            int(unicodedata2.category(character).startswith("M")),
            unicodedata2.combining(character),
        )
        if kind not in kinds:
            kinds.append(kind)
        kind = kinds.index(kind)
        if properties and properties[-1][1] == code and properties[-1][2] == kind:
            properties[-1][1] = code + 1
        else:
            properties.append([code, code + 1, kind])

    runs = []
    for code in sorted(mapped):
        moves = [target - code for target in mapped[code]]
        # Targets of one code point move with it; what maps to several is a run of its own.
        if runs and runs[-1][1] == code and runs[-1][2] == moves and len(moves) <= 1:
            runs[-1][1] = code + 1
        else:
            runs.append([code, code + 1, moves])

    pairs = []
    for code in sorted(valid):
        decomposition = unicodedata2.decomposition(chr(code))
        if not decomposition or decomposition.startswith("<"):
            continue
        parts = [int(part, 16) for part in decomposition.split()]
        if len(parts) != 2 or not set(parts) <= valid:
            sys.exit(f"U+{code:04X} does not decompose into two valid code points")
        if unicodedata2.normalize("NFC", chr(code)) != chr(code):
            sys.exit(f"U+{code:04X} is no primary composite")
        pairs.append((code, parts))

    def stream(entries):
        text, last = "", 0
        for start, end, rest in entries:
            text += number(start - last) + rest
            last = end
        return text

    texts = {
        "kinds": "".join(number(part) for kind in kinds for part in kind),
        "properties": stream(
            (start, end, number(end - start - 1) + number(kind)) for start, end, kind in properties
        ),
        "mappings": stream(
            (
                start,
                end,
                number(end - start - 1) + number(len(moves)) + "".join(map(signed, moves)),
            )
            for start, end, moves in runs
        ),
        "pairs": stream(
            (code, code, "".join(signed(part - code) for part in parts)) for code, parts in pairs
        ),
    }

    out = f"""// Generated by grammar/generate-idna.py from Unicode {version} data. Do not edit.
//
// Facts of the Unicode Character Database and of UTS #46 (IdnaMappingTable.txt, DerivedJoiningType
// .txt, UnicodeData.txt), (c) Unicode, Inc., under the Unicode License v3,
// https://www.unicode.org/license.txt. The form of the streams is told in the generator.

extension IDNATables {{
    /// The version of Unicode that the tables are of.
    static let unicodeVersion = "{version}"
"""
    notes = {
        "kinds": f"{len(kinds)} kinds: bidirectional class, joining type, mark, combining class.",
        "properties": f"{len(properties)} ranges of {len(valid)} code points that a label may hold.",
        "mappings": f"{len(runs)} runs of {len(mapped)} code points that are replaced or dropped.",
        "pairs": f"{len(pairs)} composites, each with the two code points it composes.",
    }
    out += swift(texts, notes)
    out += "}\n"
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(root, "Sources/PolicyCompiler/Scalars/IDNATables+Generated.swift")
    with open(path, "w", encoding="ascii") as file:
        file.write(out)
    print(f"{path}: Unicode {version}", {name: len(text) for name, text in texts.items()})


if __name__ == "__main__":
    main()

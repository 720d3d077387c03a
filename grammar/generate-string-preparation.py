#!/usr/bin/env python3
"""Write Sources/TrustEngine/Certificates/Unicode/StringPreparationTables+Generated.swift.

What goes in: Unicode 3.2 (`unicodedata.ucd_3_2_0`) and the tables of RFC 3454 (`stringprep`) as every
Python 3 carries them, and the lists of RFC 4518 section 2.2, which stand below. Nothing is installed:

    python3 grammar/generate-string-preparation.py

Python makes table B.2 from `str.lower()`, which also knows letters that were added after Unicode 3.2.
RFC 3454 does not have those rows; they are left out here, and the number of the rest is held to the
RFC's.

What comes out: streams of numbers (`number_stream.py`).

  mappings     (gap since the last run * 8 + 4 if it is longer than one + targets, 3 for three and
               more; then targets - 3 where it is 3; then length - 2 where it is longer than one; then
               each target, signed, from the target that stood in the same place of the last run that
               had one there). The one target of a longer run moves with the source; no target = the
               code point is dropped. Targets are what steps 2 and 3 of RFC 4518 make of a code point,
               fully decomposed (NFKD).
  prohibited   (gap since the last range, length - 1): what step 4 refuses.
  classes      (gap since the last range, length - 1, canonical combining class).

ASCII and the syllables of Hangul are not in the mappings: code does them.
"""

import os
import stringprep
import sys
from unicodedata import ucd_3_2_0 as unicode

from number_stream import number, signed, swift

# Rows of table B.2 of RFC 3454.
FOLDED = 1371


def ranges(text):
    codes = set()
    for part in text.split():
        first, _, last = part.partition("-")
        codes.update(range(int(first, 16), int(last or first, 16) + 1))
    return codes


# RFC 4518 section 2.2, in its order. The variation selectors are FE00-FE0F: the RFC's FF00
# is a slip.
NOTHING = ranges(
    """00AD 1806 034F 180B-180D FE00-FE0F FFFC
    0000-0008 000E-001F 007F-0084 0086-009F 06DD 070F 180E 200C-200F 202A-202E 2060-2063 206A-206F
    FEFF FFF9-FFFB 1D173-1D17A E0001 E0020-E007F
    200B"""
)
SPACE = ranges("0009-000D 0085 0020 00A0 1680 2000-200A 2028-2029 202F 205F 3000")

SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xD7A4)


def folded(character):
    """Table B.2."""
    target = stringprep.map_table_b2(character)
    return character if any(map(stringprep.in_table_a1, target)) else target


def is_prohibited(character):
    """Section 2.4. What table C.8 lists is gone after mapping and normalisation."""
    return (
        stringprep.in_table_a1(character)
        or stringprep.in_table_c3(character)
        or stringprep.in_table_c4(character)
        or character == "\uFFFD"
    )


def coded(codes):
    """Ranges of consecutive code points that have the same value."""
    runs = []
    for code, value in codes:
        if runs and runs[-1][1] == code and runs[-1][2] == value:
            runs[-1][1] = code + 1
        else:
            runs.append([code, code + 1, value])
    return runs


def main():
    prohibited, mapped, classes, folds = [], {}, [], 0
    for code in range(0x110000):
        character = chr(code)
        if code in SURROGATES:
            prohibited.append((code, None))
            continue
        if unicode.combining(character):
            classes.append((code, unicode.combining(character)))
        target = folded(character)
        if target != character and not stringprep.in_table_a1(character):
            folds += 1
        if code in NOTHING:
            mapped[code] = []
        elif code in SPACE:
            mapped[code] = [0x20]
        elif is_prohibited(character):
            prohibited.append((code, None))
        else:
            parts = unicode.normalize("NFKD", target)
            composed = unicode.normalize("NFKC", target)
            if any(is_prohibited(part) or stringprep.in_table_c8(part) for part in parts + composed):
                sys.exit(f"U+{code:04X} becomes what is prohibited")
            if parts != character:
                mapped[code] = [ord(part) for part in parts]
    if folds != FOLDED:
        sys.exit(f"table B.2 has {folds} rows here, {FOLDED} in RFC 3454")

    runs = []
    for code in sorted(mapped):
        if code < 0x80 or code in HANGUL:
            continue
        targets = mapped[code]
        if runs and runs[-1][1] == code and len(targets) <= 1 and len(targets) == len(runs[-1][2]):
            moved = [target + code - runs[-1][0] for target in runs[-1][2]]
            if targets == moved:
                runs[-1][1] = code + 1
                continue
        runs.append([code, code + 1, targets])

    mappings, last, places = "", 0, [0] * 32
    for start, end, targets in runs:
        count = len(targets)
        mappings += number((start - last) * 8 + (4 if end - start > 1 else 0) + min(count, 3))
        mappings += number(count - 3) if count >= 3 else ""
        mappings += number(end - start - 2) if end - start > 1 else ""
        for place, target in enumerate(targets):
            mappings += signed(target - places[place])
            places[place] = target
        last = end

    def stream(runs):
        text, last = "", 0
        for start, end, value in runs:
            text += number(start - last) + number(end - start - 1)
            text += "" if value is None else number(value)
            last = end
        return text

    prohibited, classes = coded(prohibited), coded(classes)
    texts = {
        "mappings": mappings,
        "prohibited": stream(prohibited),
        "classes": stream(classes),
    }
    count = sum(end - start for start, end, _ in runs)
    notes = {
        "mappings": f"{len(runs)} runs of {count} code points that become others, or nothing.",
        "prohibited": f"{len(prohibited)} ranges of what cannot be prepared.",
        "classes": f"{len(classes)} ranges of canonical combining classes other than 0.",
    }
    out = f"""// Generated by grammar/generate-string-preparation.py from Unicode {unicode.unidata_version} data. Do not edit.
//
// Facts of the Unicode Character Database, (c) Unicode, Inc., under the Unicode License v3,
// https://www.unicode.org/license.txt, and of RFC 3454 and RFC 4518. The generator tells the form of
// the streams.

extension StringPreparationTables {{"""
    out += swift(texts, notes)
    out += "}\n"
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(
        root,
        "Sources/TrustEngine/Certificates/Unicode/StringPreparationTables+Generated.swift",
    )
    with open(path, "w", encoding="ascii") as file:
        file.write(out)
    print(f"{path}: Unicode {unicode.unidata_version}", {k: len(v) for k, v in texts.items()})


if __name__ == "__main__":
    main()

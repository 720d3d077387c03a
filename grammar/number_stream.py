"""How the generators of this folder write numbers into Swift source, so that a compiler sees one
string and no table. `NumberStream` in the engine reads them."""

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def number(value):
    """Five bits a digit, the lowest first, with 32 added to all digits but the last."""
    text = ""
    while value >= 32:
        text += DIGITS[value % 32 + 32]
        value //= 32
    return text + DIGITS[value]


def signed(value):
    """A number of either sign: even where it is not below zero."""
    return number(value * 2 if value >= 0 else -value * 2 - 1)


def swift(texts, notes):
    """A `static let` for each stream, with its note as the doc comment."""
    out = ""
    for name, text in texts.items():
        lines = [text[start : start + 90] for start in range(0, len(text), 90)]
        body = "\\\n        ".join(lines)
        out += f"""
    /// {notes[name]}
    static let {name}Stream = \"\"\"
        {body}
        \"\"\"
"""
    return out

"""Reads what `hawser diff --format markdown` writes of hostile policies with two Markdown readers.

    diff-markdown.py HAWSER FOLDER
"""

import html.parser
import json
import pathlib
import random
import re
import subprocess
import sys

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

HAWSER, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])

# What an owner, a subject or a name of a file could try.
HOSTILE = [
    "a|b", "a\\|b", "|", "||", "`", "``", "`a`", "a`b", "`|`", "``|`", "\\", "\\`", "\\\\|",
    "<img src=x onerror=alert(1)>", "<b>bold", "</td></tr></table>", "</details>", "<!--", "-->",
    "--><script>alert(1)</script>", "@team", "@acme/security", "x@team.example", "#123", "GH-123",
    "acme/app#7", "[a](https://evil.example)", "![a](https://evil.example/x.png)", "[a]: /b",
    "www.evil.example", "https://evil.example/a", "ftp://evil.example", "mailto:a@evil.example",
    "*a*", "**a**", "_a_", "__a__", "~~a~~", "~a~", "$a$", "$`a`$", "&lt;b&gt;", "&amp;", "&#64;team",
    ":smile:", "<https://evil.example>", "<a@evil.example>", "1. one", "- one", "# one", "> one",
    "---", "```", "~~~", "a  b", "a<br>b", "deadbeef", "0123456789abcdef0123456789abcdef01234567",
    "`\u0301@team", "|\u0301", "\u0d4e`<b>", "\u0d4e|x", "a\u00a0b", "\u2014", "[^1]", "[ ] a", "[x] a",
]

# The elements that the comment is made of.
OWN = {
    "h3", "h4", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "br", "details",
    "summary", "ul", "li", "pre",
}
VOID = {"br"}


class Page(html.parser.HTMLParser):
    """Holds that no other element is there, and collects the texts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.items, self.plain, self.comments = [], [], [], "", []

    def handle_starttag(self, tag, attributes):
        assert tag in OWN, f"an element <{tag}>"
        allowed = {("class", "language-sh"), ("lang", "sh")}
        assert set(attributes) <= allowed, f"<{tag}> has {attributes}"
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "li":
            self.items.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open and self.open[-1] == tag, f"</{tag}> ends {self.open}"
            self.open.pop()

    def handle_comment(self, text):
        self.comments.append(text)

    def handle_data(self, text):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += text
        if "li" in self.open:
            self.items[-1] += text
        if "code" not in self.open and "pre" not in self.open:
            self.plain += text


def read(markdown):
    """The pages that the readers make of a comment."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    yield "cmark-gfm", cmarkgfm.github_flavored_markdown_to_html(markdown, options=options)
    reader = MarkdownIt("gfm-like", {"html": True, "linkify": True, "typographer": False})
    yield "markdown-it", reader.render(markdown)


def bare(text):
    """A text without backticks and blanks, which are markup of sentences."""
    return re.sub(r"[` ]", "", text)


def escaped(text):
    """A text as the command shows it."""
    for old, new in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        text = text.replace(old, new)
    return text


def check(markdown, wanted):
    assert len(markdown.encode()) <= 60_000, f"{len(markdown.encode())} octets"
    for reader, page in read(markdown):
        try:
            found = Page()
            found.feed(page)
            found.close()
            assert not found.open, f"{found.open} is left open"
            assert len(found.comments) == 1, found.comments
            assert re.fullmatch(r" hawser-diff: [A-Za-z0-9%._~/-]+ ", found.comments[0])
            sizes = {len(row) for row in found.rows}
            assert sizes <= {2, 3, 5}, f"rows of {sizes} cells"
            for sign in ("@", "#", "www.", "://", "<", "*", "_", "~", "$", "[", "&", "\\"):
                assert sign not in found.plain, f"{sign!r} outside of code: {found.plain!r}"
            cells = [bare(text) for row in found.rows for text in row] + [bare(i) for i in found.items]
            everything = "\0".join(cells)
            for text in wanted:
                assert bare(escaped(text)) in everything, f"{text!r} is not in any cell"
        except AssertionError:
            print(f"{reader}:\n{markdown}\n{page}", file=sys.stderr)
            raise


def diff(*arguments, status=0):
    run = subprocess.run(
        [HAWSER, "diff", *arguments], cwd=FOLDER, capture_output=True, encoding="utf-8", check=False
    )
    assert run.returncode == status, (run.returncode, run.stderr)
    return run.stdout


def root(path, subject):
    """A self-signed authority with this common name."""
    config = FOLDER / "openssl.cnf"
    # A name with these signs is safe in no `-subj` and in no file; it is asked for by number.
    value = "".join(f"\\{c}" if c in "\\\"'#;$`" else c for c in subject)
    config.write_text(
        "[req]\nprompt=no\nutf8=yes\nstring_mask=utf8only\ndistinguished_name=dn\nx509_extensions=ca\n"
        f"[dn]\nCN={value}\n[ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
        "subjectKeyIdentifier=hash\n"
    )
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        + ["-days", "3000", "-keyout", "/dev/null", "-config", config, "-out", path],
        check=True, capture_output=True,
    )


def unit(name, owners, bits, subjects):
    """A unit with one rule for each owner, in a file with a hostile name."""
    folder = FOLDER / name
    (folder / "anchors").mkdir(parents=True, exist_ok=True)
    anchors = []
    for index, subject in enumerate(subjects):
        path = FOLDER / f"root-{index}.pem"
        if not path.exists():
            root(path, subject)
        (folder / "anchors" / path.name).write_bytes(path.read_bytes())
        anchors.append(f"anchors/{path.name}")
    (folder / "policy.yaml").write_text(
        f"hawser: 1\ndefault: deny\nanchors:\n  acme: {{ files: [{', '.join(anchors)}] }}\n"
    )
    rules = "".join(
        f"  rule-{index}:\n    hosts: [\"host-{index}.acme.example\"]\n    anchors: [acme]\n"
        f"    owner: {json.dumps(owner)}\n    keys: {{ rsa-minimum: {bits + index} }}\n"
        for index, owner in enumerate(owners)
    )
    (folder / "team `x` <b> @team #1.policy.yaml").write_text(f"hawser: 1\nrules:\n{rules}")


def main():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    mixed = ["".join(chance.choices(HOSTILE + [" "], k=chance.randint(2, 5))) for _ in range(300)]
    owners = [text for text in HOSTILE + mixed if text.strip() and len(text) < 200]
    names = ("old` @team <b> --><script>", "new| #1 `x` --> &lt;")
    subjects = ["Acme Root", "a|b `x` <img src=y> @team", "[a](https://evil.example) *b* _c_"]
    count = 0
    for start in range(0, len(owners), 40):
        some = owners[start : start + 40]
        # Weaker, then stricter: in the table and in the folded one.
        for old, new in ((3072, 3000), (3000, 3072)):
            unit(names[0], some, old, subjects[:1])
            unit(names[1], [text + " " for text in some], new, subjects)
            arguments = [*names, "--at", "2027-01-01"]
            document = json.loads(diff(*arguments, "--format", "json"))["comparisons"][0]
            told = {rule["new"].get("owner", "") for c in document["changes"] for rule in c["rules"]}
            told |= {a["subject"] for c in document["changes"] for a in c["authorities"]["added"]}
            assert len(told) > len(set(some)) // 2, told
            check(diff(*arguments, "--format", "markdown"), [])
            count += len(told)
    # One rule at a time: each text must come back.
    for text in owners[: len(HOSTILE) + 40]:
        unit(names[0], [text], 3072, subjects[:1])
        unit(names[1], [text], 3000, subjects)
        markdown = diff(*names, "--at", "2027-01-01", "--format", "markdown")
        check(markdown, [text.strip(), names[0], names[1], "team `x` <b> @team #1.policy.yaml"])
        count += 1
    # A policy that does not load, with a hostile name.
    (FOLDER / names[1] / "policy.yaml").write_text("hawser: 1\nrules: @team | <b>\n")
    check(diff(*names, "--format", "markdown", status=2), [])
    print(f"{count} texts, by two readers: each stays in its place")


main()

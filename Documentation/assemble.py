"""Writes the sources of the site: assemble.py OUT [PAGES]. OUT gets the pages of this repository at
their paths, cut where they are long, with their links led to the new places, and OUT/../mkdocs.yml
with the navigation. PAGES is the folder that policies/pages.sh wrote."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages that are cut at their headings of the second level, and the folder of the parts.
CUT = {"grammar/diagnostics.md": "grammar/diagnostics", "grammar/language.md": "grammar/language"}
# How a file that a page links to is shown, by the end of its name.
SHOWN = {"json": "json", "yaml": "yaml", "yml": "yaml", "txt": "", "h": "c", "c": "c", "py": "python",
         "sh": "sh", "ebnf": "", "1": ""}

# The hundreds of the codes, and their names in the navigation.
AREAS = {"0": "HW0: text", "1": "HW1: keys and ids", "2": "HW2: hosts", "3": "HW3: anchors", "4": "HW4: pins",
         "5": "HW5: demands", "6": "HW6: governance", "7": "HW7: suppressions", "8": "HW8: tests and changes",
         "9": "HW9: layout", "X": "HX: files of other systems"}

GUIDES = ["Documentation/README.md", "Documentation/author.md", "Documentation/reviewer.md",
          "Documentation/service.md", "Documentation/on-call.md", "Documentation/install.md",
          "Documentation/ci.md", "Documentation/editors.md"]
ANSWERS = ["diff", "allow", "log", "test", "assert", "forecast", "exports", "report", "audit", "demands",
           "foreign-files", "chrome-root-store"]
FORMATS = ["README", "versions", "table-format", "signed-table", "revocation-set"]
LIBRARY = ["Packaging/README.md", "Sources/Hawser/Hawser.docc/Hawser.md",
           "Sources/Hawser/Hawser.docc/FiveMinutes.md", "Sources/Hawser/Hawser.docc/RestartState.md",
           "Sources/Hawser/Hawser.docc/Decisions.md", "Packaging/c/README.md",
           "Packaging/python/README.md", "Packaging/go/README.md", "Packaging/java/README.md",
           "Packaging/node/README.md", "Packaging/rust/README.md", "Packaging/run/README.md",
           "Sources/Integrations/Serve/README.md", "Sources/Integrations/NIO/README.md",
           "Sources/Integrations/SwiftCrypto/README.md", "Packaging/wheel/README.md",
           "Packaging/pre-commit/README.md", "Packaging/oci/README.md", "Packaging/spark/README.md"]
TRUST = [".github/SECURITY.md", "Documentation/correctness.md",
         "Sources/TrustEngine/PathValidation/Deviations.md",
         "Sources/TrustEngine/PathValidation/CallerDuties.md", "Tests/Conformance/README.md",
         "Tests/Differential/disagreements.md", "Tests/Differential/private-pki.md"]
INSIDE = ["Documentation/architecture.md", "Sources/README.md", "Tests/README.md",
          ".github/CONTRIBUTING.md", ".github/CHANGELOG.md"]


def slug(heading):
    """The name of a heading in links, as repositories and the site make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def plain(heading):
    return heading.replace("`", "").strip()


def prose(text):
    """The parts of a page: whether each is a block of code, and its text."""
    part, fence = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            if not fence:
                yield False, part
                part = []
            part.append(line)
            fence = not fence
            if not fence:
                yield True, part
                part = []
        else:
            part.append(line)
    yield fence, part


def sections(text):
    """The text before the first heading of the second level, and each section from its heading."""
    found, current = [], []
    for is_code, lines in prose(text):
        for line in lines:
            if not is_code and line.startswith("## "):
                found.append(current)
                current = []
            current.append(line)
    found.append(current)
    return ["\n".join(lines).rstrip() + "\n" for lines in found]


def headings(text):
    for is_code, lines in prose(text):
        for line in lines:
            if not is_code and (match := re.match(r"(#+) +(.*)", line)):
                yield len(match[1]), match[2]


def relative(target, page):
    """A path of the site as a link from a page."""
    up = len(pathlib.PurePosixPath(page).parent.parts)
    folder, parts = pathlib.PurePosixPath(page).parent.parts, target.split("/")
    while up and len(parts) > 1 and folder and parts[0] == folder[0]:
        folder, parts, up = folder[1:], parts[1:], up - 1
    return "../" * up + "/".join(parts)


class Site:
    def __init__(self, out, pages):
        self.out, self.pages = out, pages
        listed = subprocess.check_output(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True)
        self.files = [file for file in listed.split("\n") if (ROOT / file).is_file()]
        self.texts = {file: (ROOT / file).read_text() for file in self.files if file.endswith(".md")}
        # Where each page, and each heading of a page that is cut, stands on the site.
        self.places = {file: file.replace(".github/", "github/") for file in self.texts}
        self.anchors, self.parts, self.titles, self.wholes, self.extra = {}, {}, {}, {}, set()
        for file, text in self.texts.items():
            self.titles[file] = plain(next(headings(text), (1, file))[1])
        for file, folder in CUT.items():
            self.cut(file, folder)

    def cut(self, file, folder):
        first, *rest = sections(self.texts[file])
        self.texts[file] = first
        self.parts[file] = []
        for text in rest:
            title = next(headings(text))[1]
            code = re.match(r"H[WX]\d+", title)
            name = code[0] if code else slug(title).lstrip("0123456789-") or slug(title)
            part = f"{folder}/{name}.md"
            self.parts[file].append(part)
            self.places[part] = part
            self.wholes[part] = file
            self.titles[part] = plain(title)
            for _, heading in headings(text):
                self.anchors[file, slug(heading)] = part
            # Headings move up by one: a section is a page.
            lines = []
            for is_code, part_lines in prose(text):
                lines += [line if is_code or not re.match(r"##+ ", line) else line[1:]
                          for line in part_lines]
            self.texts[part] = "\n".join(lines) + "\n"

    def link(self, target, source, page):
        """A link of a file of the repository as a link of a page of the site; None where the site
        has nothing to link to."""
        if "://" in target or target.startswith("mailto:"):
            return target
        path, _, anchor = target.partition("#")
        source = self.wholes.get(source, source)
        folder = pathlib.PurePosixPath(source).parent
        file = source
        if path:
            parts = []
            for part in (folder / path).parts:
                if part == "..":
                    parts.pop()
                elif part != ".":
                    parts.append(part)
            file = "/".join(parts)
        if (ROOT / file).is_dir():
            file = f"{file}/README.md".lstrip("/")
        if file in self.texts:
            place = self.places[self.anchors.get((file, anchor), file)]
            if (file, anchor) in self.anchors and anchor == slug(self.titles[self.anchors[file, anchor]]):
                anchor = ""
        elif (ROOT / file).is_file():
            place = self.show(file)
        else:
            raise SystemExit(f"{source} links to {target}, which is not there")
        return relative(place, page) + (f"#{anchor}" if anchor else "")

    def show(self, file):
        """A page that shows another file, or the file where it is a picture."""
        place = file.replace(".github/", "github/")
        ending = file.rsplit(".", 1)[-1]
        if ending in ("svg", "png"):
            self.write(place, (ROOT / file).read_bytes())
            return place
        place += ".md"
        if place not in self.extra:
            self.extra.add(place)
            text = (ROOT / file).read_text()
            fence = "`" * 6
            self.write(place, f"---\nsearch:\n  exclude: true\n---\n\n# {file}\n\n{fence}"
                              f"{SHOWN.get(ending, '')}\n{text.rstrip()}\n{fence}\n")
        return place

    def write(self, place, content):
        target = self.out / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())

    def convert(self, file):
        page, text, out = self.places[file], self.texts[file], []
        def linked(match):
            return "](" + self.link(match[1], file, page) + ")"
        for is_code, lines in prose(text):
            if not is_code:
                part = "\n".join(re.sub(r"^( +)(?=[-*] )", r"\1\1", line) for line in lines)
                part = re.sub(r"\]\(([^)\s]+)\)", linked, part)
                part = re.sub(r"<doc:(\w+)>", lambda match: f"[{self.titles[self.docc(match[1])]}]"
                              f"({match[1]}.md)", part)
                part = re.sub(r"``([A-Z][\w/]*)``", lambda match: f"`{match[1].split('/')[-1]}`", part)
                # The rows of tables that name a recipe link to it.
                if file == "policies/README.md":
                    part = re.sub(r"^\| `([a-z0-9-]+)` \|", lambda match: f"| [`{match[1]}`]"
                                  f"({match[1]}/README.md) |" if f"policies/{match[1]}/README.md"
                                  in self.texts else match[0], part, flags=re.M)
                # The table of contracts links to each of them.
                if file == "grammar/README.md":
                    part = re.sub(r"^\|[^|]*\|", lambda row: re.sub(
                        r"`([\w.-]+\.(?:md|json|yaml|ebnf|txt|1))`", lambda match:
                        f"[`{match[1]}`]({self.link(match[1], file, page)})", row[0]), part, flags=re.M)
                part = re.sub(r"^<details>", '<details markdown="1">', part, flags=re.M)
                # Comments of a page are for its authors.
                part = re.sub(r"^<!-- .* -->\n", "", part, flags=re.M)
                for name in re.findall(r'<(?:img|source)\b[^>]* (?:src|srcset)="([^":]+)"', part):
                    self.show(name if file == "README.md" else f"{pathlib.PurePosixPath(file).parent}/{name}")
                out.append(part)
            else:
                # A second word after the language is for tests.
                lines[0] = re.sub(r"(```\w+) \w+$", r"\1", lines[0])
                out.append("\n".join(lines))
        return "\n".join(out)

    def docc(self, name):
        return f"Sources/Hawser/Hawser.docc/{name}.md"

    # What pages get beside their text

    def recipe(self, file):
        folder = file.split("/")[1]
        text = ""
        policies = sorted(name for name in self.files if name.startswith(f"policies/{folder}/")
                          and re.search(r"/([^/]+\.)?policy\.yaml$", name))
        for name in policies[:3]:
            text += (f"\n## {name.removeprefix(f'policies/{folder}/')}\n\n```yaml\n"
                     f"{(ROOT / name).read_text().rstrip()}\n```\n")
        if len(policies) > 3:
            text += f"\nThe unit has {len(policies) - 3} more files, in `policies/{folder}`.\n"
        pages = sorted((self.pages / folder).glob("*.html")) if self.pages else []
        if pages:
            text += "\n## Its pages\n\nEach is one file, as the command writes it.\n\n"
            known = {"report": "the report of the unit", "lint": "the findings of `hawser lint`",
                     "forecast": "the forecast of the year after", "test": "the tests"}
            for kind in [kind for kind in known if self.pages / folder / f"{kind}.html" in pages]:
                text += f"- [{known[kind]}](../../recipes/{folder}/{kind}.html)\n"
            for page in pages:
                if page.stem not in known:
                    text += f"- `hawser explain`: [{page.stem}](../../recipes/{folder}/{page.name})\n"
        return text

    def contents(self, file):
        if file == "grammar/language.md":
            rows = []
            for part in self.parts[file]:
                keys = [plain(heading) for level, heading in headings(self.texts[part])
                        if level == 3 and heading.startswith("`")]
                name = part.removeprefix("grammar/")
                links = ", ".join(f"[`{key}`]({name}#{slug(key)})" for key in keys)
                rows.append(f"| [{self.titles[part]}]({name}) | {links} |")
            return "\n| section | keys |\n|---|---|\n" + "\n".join(rows) + "\n"
        if file == self.docc("Hawser"):
            # DocC's pages need a server, and are not among the sources of mkdocs.
            place = "library/documentation/hawser/index.html"
            link = (f'<a href="../../../{place}">The reference of every symbol</a>'
                    if (self.out.parent / place).is_file() else "The reference of every symbol")
            return (f"\n## Reference\n\n{link} is made by DocC, with `make docs LIBRARY=yes`, and needs a web server:\n"
                    "`python3 -m http.server --directory .build-docs/site`, then\n"
                    "`/library/documentation/hawser/`.\n")
        return ""

    def commands(self):
        """A page for each command, and one for the rest of the manual page."""
        made, title, lines = [], None, []
        def end():
            if title and lines:
                name = slug(title.removeprefix("hawser ")) if title.startswith("hawser ") else "manual"
                made.append((f"commands/{name}.md", title, "\n".join(lines)))
        term = nested = False
        rest = "# The manual page\n"
        for line in (ROOT / "grammar/hawser.1").read_text().split("\n"):
            line = line.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\").replace("\\&", "")
            if line.startswith(".SS "):
                end()
                title, lines = line[4:], [f"# {line[4:]}", ""]
            elif line.startswith(".SH "):
                end()
                title, lines = None, []
                if made:
                    title, lines = "manual", [f"## {line[4:].capitalize()}", ""]
            elif line.startswith((".TH", '.\\"', ".RS", ".RE")):
                continue
            elif line == ".PP":
                lines.append("")
            elif line == ".nf":
                lines.append("\n```")
                nested = True
            elif line == ".fi":
                lines.append("```\n")
                nested = False
            elif line == ".TP":
                term = True
            else:
                line = line if nested else marked(line)
                if term:
                    lines.append(f"\n{line}")
                    # The next line begins the definition.
                    lines.append(":   ")
                    term = False
                elif lines and lines[-1] == ":   ":
                    lines[-1] += line
                elif lines and not nested and any(entry.startswith(":   ") for entry in lines[-12:]) \
                        and lines[-1]:
                    lines.append("    " + line)
                else:
                    lines.append(line)
        end()
        pages = [page for page in made if page[1] != "manual"]
        rest += "\n" + "\n\n".join(text for _, kind, text in made if kind == "manual")
        for place, title, text in pages:
            self.write(place, text + "\n")
        self.write("commands/manual.md", rest + "\n")
        return [{title: place} for place, title, _ in pages] + [{"Manual page": "commands/manual.md"}]

    def navigation(self, commands):
        def entries(files):
            return [{self.titles[file]: self.places[file]} for file in files]
        codes = {}
        for part in self.parts["grammar/diagnostics.md"]:
            code = pathlib.PurePosixPath(part).stem
            area = AREAS["X" if code[1] == "X" else code[2]]
            codes.setdefault(area, []).append({self.titles[part]: part})
        recipes = [file for file in sorted(self.texts)
                   if re.fullmatch(r"policies/[a-z0-9-]+/README.md", file)]
        return [
            {"Hawser": "README.md"},
            {"Guides": entries(GUIDES)},
            {"Language": entries(["grammar/language.md"] + self.parts["grammar/language.md"])},
            {"Codes": entries(["grammar/diagnostics.md"]) + [{name: pages} for name, pages in codes.items()]},
            {"Recipes": entries(["policies/README.md"] + recipes + ["policies/verdicts.md"])},
            {"Commands": entries(["Documentation/commands.md"])
                + [{"Answers": entries([f"grammar/{name}.md" for name in ANSWERS])}] + commands},
            {"Formats": entries([f"grammar/{name}.md" for name in FORMATS])},
            {"Library": entries(LIBRARY)},
            {"Security": entries(TRUST)},
            {"Inside": entries(INSIDE)},
        ]

    def run(self):
        shutil.rmtree(self.out, ignore_errors=True)
        for file in self.texts:
            text = self.convert(file) + self.contents(file)
            if re.fullmatch(r"policies/[a-z0-9-]+/README.md", file):
                text += self.recipe(file)
            self.write(self.places[file], text)
        for name in ["style.css", "iframe-worker.js"]:
            self.write(f"assets/{name}", (ROOT / "Documentation" / name).read_bytes())
        if self.pages:
            shutil.copytree(self.pages, self.out / "recipes")
        settings = {"INHERIT": str(ROOT / "Documentation/mkdocs.yml"), "docs_dir": str(self.out),
                    "site_dir": str(self.out.parent / "site"), "nav": self.navigation(self.commands())}
        # JSON is YAML.
        (self.out.parent / "mkdocs.yml").write_text(json.dumps(settings, indent=1, ensure_ascii=False))
        print(f"{len(list(self.out.rglob('*.md')))} pages of text, "
              f"{len(list(self.out.rglob('*.html')))} of the command")


def marked(line):
    """A line of the manual page in Markdown."""
    line = re.sub(r"([*_<`])", r"\\\1", line)
    line = re.sub(r"\\fB(.*?)\\fR", lambda match: "`" + match[1].replace("\\", "") + "`", line)
    return re.sub(r"\\fI(.*?)\\fR", lambda match: "*" + match[1] + "*", line)


if __name__ == "__main__":
    Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None).run()

"""Fails where a link of the site leads nowhere, a page would fetch something from elsewhere, or
Markdown was not understood and is shown as it was written: links.py SITE."""
import html.parser
import pathlib
import re
import sys
import urllib.parse

# Elements whose address a browser fetches by itself.
FETCHING = {"script": ["src"], "link": ["href"], "img": ["src", "srcset"], "source": ["src", "srcset"],
            "iframe": ["src"], "object": ["data"], "embed": ["src"], "video": ["src"], "audio": ["src"],
            "form": ["action"], "image": ["href"], "use": ["href"]}

# Elements whose text is shown as it is.
VERBATIM = {"code", "pre", "script", "style"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.links, self.fetched, self.marks, self.depth = set(), [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.names.add(values[name])
        for name in FETCHING.get(tag, []):
            if values.get(name):
                self.fetched.append(values[name].split(" ")[0])
        if tag == "a" and "href" in values:
            self.links.append(values["href"] or "")
        self.depth += tag in VERBATIM

    def handle_endtag(self, tag):
        self.depth -= tag in VERBATIM

    def handle_data(self, data):
        if self.depth == 0:
            self.marks += re.findall(r".{0,30}(?:\]\(|`|\*\*\w|<doc:).{0,30}", data)


def main(site):
    # DocC checks its own links.
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))
             if path.relative_to(site).parts[0] != "library"}
    faults, counts = [], {"links": 0, "anchors": 0, "elsewhere": 0}
    for path, page in pages.items():
        name = path.relative_to(site)
        # The page for addresses that are not there is shown at any of them, by servers.
        if str(name) == "404.html":
            continue
        if name.parts[0] != "recipes":
            faults += [f"{name} shows {mark}" for mark in page.marks]
        for link, is_fetched in [(link, False) for link in page.links] + [(link, True) for link in page.fetched]:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                counts["elsewhere"] += 1
                if is_fetched:
                    faults.append(f"{name} fetches {link}")
                continue
            counts["links"] += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                faults.append(f"{name} links to {link}: no such file")
            elif parts.fragment and target in pages:
                counts["anchors"] += 1
                if urllib.parse.unquote(parts.fragment) not in pages[target].names:
                    faults.append(f"{name} links to {link}: no such heading")
    for path in sorted(set(site.rglob("*.css")) - set(site.glob("library/**/*.css"))):
        for address in re.findall(r"url\(\s*[\"']?(https?:[^)\"']*|//[^)\"']*)", path.read_text()):
            faults.append(f"{path.relative_to(site)} fetches {address}")
    print("\n".join(faults))
    print(f"{len(pages)} pages: {counts['links']} links, {counts['anchors']} of them to headings, "
          f"{counts['elsewhere']} to other sites; faults: {len(faults)}")
    sys.exit(1 if faults else 0)


main(pathlib.Path(sys.argv[1]).resolve())

"""Opens the site of the documentation in Chromium, from its files (documentation-site.sh)."""
import pathlib
import sys
import time

import browser

chromium, site, shots = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
# One page of each kind, kept as pictures.
SHOWN = ["index.html", "grammar/diagnostics/HW211.html", "policies/bank/index.html"]
# Words that a reader types, and the page that must be among the first three answers.
SEARCHES = {"weaker-inside": "grammar/diagnostics/HW211.html", "HW301": "grammar/diagnostics/HW301.html",
            "revocation.causes": "grammar/language/profile-and-fields.html",
            "starttls": "commands/explain.html", "rotate backup pin": None}


def judge(tab, path, width, scheme):
    tab.open(path, width, scheme)
    name = f"{path.relative_to(site)} at {width}, {scheme}"
    size = tab.value("[document.documentElement.scrollWidth, innerWidth]")
    assert size[0] <= size[1], f"{name}: {size[0]} pixels wide in {size[1]}"
    assert not tab.messages(), (name, tab.messages())
    others = [url for url in tab.requests() if not url.startswith((site.as_uri(), "data:"))]
    assert not others, (name, others)


def search(tab, words):
    """The addresses of the answers, in their order, and the milliseconds until they were there."""
    judge(tab, site / "index.html", 1600, "light")
    tab.value("document.querySelector('.md-search__input').focus()")
    started = time.monotonic()
    tab.call("Input.insertText", text=words)
    while True:
        found = tab.value("[...document.querySelectorAll('.md-search-result__item a')].map(a => a.href)")
        if found:
            break
        assert time.monotonic() - started < 30, f"no answer to {words}"
        time.sleep(0.02)
    others = [url for url in tab.requests() if not url.startswith((site.as_uri(), "data:"))]
    assert not others and not tab.messages(), (words, others, tab.messages())
    return found, (time.monotonic() - started) * 1000


with browser.tab(chromium) as tab:
    pages = [path for path in sorted(site.rglob("*.html"))
             # Pages of the command and of DocC have tests of their own; 404.html is for servers.
             if path.relative_to(site).parts[0] not in ("recipes", "library") and path.name != "404.html"]
    for path in pages:
        judge(tab, path, 360, "light")
    print(f"{len(pages)} pages at 360 pixels: no sideways scroll, no message, no request but for files")
    for name in SHOWN:
        for width in [360, 1600]:
            for scheme in ["light", "dark"]:
                judge(tab, site / name, width, scheme)
                time.sleep(0.5)  # until the theme has faded its parts in
                tab.picture(shots / f"{name.replace('/', '-').removesuffix('.html')}-{width}-{scheme}.png", width)
    for words, wanted in SEARCHES.items():
        found, spent = search(tab, words)
        places = [url.split("#")[0].split("?")[0].removeprefix(site.as_uri() + "/") for url in found]
        assert wanted is None or wanted in places[:3], (words, places[:6])
        print(f"search from a file, `{words}`: {len(found)} answers after {spent:.0f} ms, first {places[0]}")

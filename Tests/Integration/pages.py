"""Opens pages in Chromium and asks it by the DevTools protocol what they did (pages.sh)."""
import base64
import json
import pathlib
import sys
import time

import browser

chromium, folder, shots = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
WIDTHS = [360, 900, 1600]
# Every page is opened once. These, which are of each kind, are opened at every width and in both
# schemes, and kept as pictures and on paper.
SHOWN = ["hostile", "classic-failures-expired", "classic-failures-good", "tangled-chain",
         "bank-", "regulated-", "waivers-", "generation-y-", "hostile-report", "private-pki-report",
         "hostile-answer", "review-06", "mobile-app-lint", "iot-fleet-test"]


def is_report(path):
    return path.stem.endswith("report") or "large-" in str(path)


def judge(tab, path, width, scheme):
    """Opens a page and returns its document's text."""
    tab.open(path, width, scheme)
    name = f"{path.stem} at {width}, {scheme}"
    size = tab.value("[document.documentElement.scrollWidth, innerWidth]")
    assert size[0] <= size[1], f"{name}: {size[0]} pixels wide in {size[1]}"
    told = tab.messages()
    assert not told, (name, told)
    asked = tab.requests()
    assert asked == [path.as_uri()], (name, asked)
    first = tab.value("document.head.firstElementChild.httpEquiv")
    assert first == "Content-Security-Policy", (name, first)
    assert tab.value("document.querySelectorAll('img,iframe,object,embed,link,[style],"
                     "[onerror],[onload]').length") == 0, name
    # A report has one script, the filter.
    scripts = 1 if is_report(path) else 0
    assert tab.value("document.scripts.length") == scripts, name
    assert tab.value("[...document.querySelectorAll('a')].every(a => { "
                     "const to = a.getAttribute('href'); return to.startsWith('#') ? "
                     "document.getElementById(to.slice(1)) : /^\\.{1,2}\\//.test(to) })"), f"{name}: links"
    assert tab.value("[...document.querySelectorAll('svg')].every(s => s.querySelector('title') "
                     "&& s.querySelector('desc'))"), f"{name}: drawings without text"
    assert tab.value("['header','nav','main','footer'].every(n => "
                     "document.querySelectorAll('body>' + n).length == 1) "
                     "&& document.querySelectorAll('h1').length == 1"), f"{name}: landmarks"
    # The style sheet is in force: the page's policy has its hash.
    assert tab.value("getComputedStyle(document.body).marginTop") == "0px", name
    return tab.value("document.body.textContent")


def type_words(tab, words):
    """Types into the filter and returns the milliseconds until the page is laid out again."""
    return tab.value(f"""(() => {{ const input = document.querySelector("#filter input");
        const start = performance.now(); input.value = {json.dumps(words)};
        input.dispatchEvent(new Event("input")); document.body.offsetHeight;
        return performance.now() - start }})()""")


SHOWN_ROWS = "[...document.querySelectorAll('.row')].filter(r => r.getClientRects().length > 0)"


def filtered(tab, path, words):
    """The filter of a report shows the rows that hold the words, and all rows again."""
    judge(tab, path, 900, "light")
    assert tab.value("document.getElementById('filter').getClientRects().length > 0"), path
    whole = tab.value(SHOWN_ROWS + ".length")
    spent = type_words(tab, words)
    shown = tab.value(SHOWN_ROWS + ".length")
    assert 0 < shown < whole, (path, shown, whole)
    assert tab.value(f"{SHOWN_ROWS}.every(r => r.textContent.toLowerCase()"
                     f".includes({json.dumps(words.lower())}))"), path
    told = tab.value("document.querySelector('#filter output').textContent")
    assert told.startswith(f"{shown} of {whole} rows"), told
    # A link to a row that is filtered out shows it again.
    hidden = tab.value("document.querySelector('.row[hidden] details[id]')?.id "
                       "?? document.querySelector('.row[hidden] [id], .row[hidden][id]').id")
    tab.value(f"location.hash = {json.dumps(hidden)}")
    for _ in range(100):
        if tab.value(SHOWN_ROWS + ".length") == whole:
            break
        time.sleep(0.05)
    assert tab.value(SHOWN_ROWS + ".length") == whole, path
    return spent


def without_script(tab, path):
    """Without scripts a report shows every row and no filter, and has the same text."""
    judge(tab, path, 900, "light")
    rows, text = tab.value(SHOWN_ROWS + ".length"), tab.value("document.body.textContent")
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.events.clear()
    tab.call("Page.navigate", url=path.as_uri())
    tab.wait("Page.loadEventFired")
    assert tab.value("document.getElementById('filter').getClientRects().length") == 0, path
    assert tab.value(SHOWN_ROWS + ".length") == rows > 0, path
    assert tab.value("document.body.textContent") == text, path
    tab.call("Emulation.setScriptExecutionDisabled", value=False)


def reports(tab, folder):
    for path in sorted(folder.glob("gallery/*/report.html"))[:6] + [folder / "hostile-report.html"]:
        without_script(tab, path)
    filtered(tab, folder / "gallery/waivers/report.html", "vendor")
    large = folder / "large-1000.html"
    without_script(tab, large)
    spent = filtered(tab, large, "service-77")
    judge(tab, large, 360, "dark")
    took = tab.value("(() => { const n = performance.getEntriesByType('navigation')[0]; "
                     "return [n.domInteractive, n.loadEventEnd] })()")
    print(f"the report of 1,000 rules: interactive {took[0]:.0f} ms and loaded {took[1]:.0f} ms "
          f"after its navigation began; filtered in {spent:.0f} ms")
    # The first page of the split report, the others, and a way from one to another.
    first = folder / "large-10000.html"
    spent = filtered(tab, first, "waiver expired")
    took = tab.value("performance.getEntriesByType('navigation')[0].loadEventEnd")
    others = sorted(first.with_name("large-10000-pages").glob("*.html"))
    slowest = 0
    for path in others:
        judge(tab, path, 900, "light")
        slowest = max(slowest, tab.value("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    print(f"the report of 10,000 rules: its first page loaded in {took:.0f} ms, filtered in "
          f"{spent:.0f} ms; the slowest of {len(others)} others loaded in {slowest:.0f} ms")
    judge(tab, first, 900, "light")
    wanted = tab.value("(() => { const a = [...document.querySelectorAll('#exceptions a')]"
                       ".find(a => a.hash.startsWith('#c')); a.click(); return a.hash })()")
    for _ in range(200):
        if "-pages/" in tab.value("location.pathname"):
            break
        time.sleep(0.05)
    for _ in range(200):
        if tab.value(f"document.querySelector({json.dumps(wanted)})?.open"):
            break
        time.sleep(0.05)
    assert tab.value(f"document.querySelector({json.dumps(wanted)}).open"), wanted
    print("reports: filtered, whole without scripts, split and linked")


def main():
    with browser.tab(chromium) as tab:
        count = 0
        paths = sorted(folder.glob("hostile*.html")) + sorted(folder.glob("gallery/*/*.html"))
        for path in paths:
            name = path.stem if path.parent == folder else f"{path.parent.name}-{path.stem}"
            is_shown = any(name.startswith(word) for word in SHOWN)
            kinds = [(width, scheme) for width in WIDTHS for scheme in ["light", "dark"]]
            for width, scheme in kinds if is_shown else [(360, "light")]:
                text = judge(tab, path, width, scheme)
                count += 1
                assert "\u202e" not in text and "\u2066" not in text, name
                if name == "hostile":
                    for word in ["</script><img src=x onerror=alert(1)>", "]]>", "&quot;",
                                 "\\u{202E}", "<style>*{display:none}</style>"]:
                        assert word in text, (word, text)
                if name == "hostile-report":
                    for word in ["</script><img src=x onerror=alert(1)>", "]]>", "&quot;",
                                 "\\u{202E}", "<script>document.title=1</script>",
                                 "<svg/onload=alert(1)>"]:
                        assert word in text, (word, text)
                if is_shown:
                    tab.picture(shots / f"{name}-{width}-{scheme}.png", width)
            if is_shown:
                tab.call("Emulation.setEmulatedMedia", media="", features=[])
                paper = tab.call("Page.printToPDF", printBackground=True)
                (shots / f"{name}.pdf").write_bytes(base64.b64decode(paper["data"]))
        reports(tab, folder)
        print(f"{count} runs: no message, no request, no sideways scroll, landmarks, "
              "text for every drawing")


main()

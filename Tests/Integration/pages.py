"""Opens pages in Chromium and asks it by the DevTools protocol what they did (pages.sh)."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

chromium, folder, shots = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
WIDTHS = [360, 900, 1600]
# Every page is opened once. These, which are of each kind, are opened at every width and in both
# schemes, and kept as pictures and on paper.
SHOWN = ["hostile", "classic-failures-expired", "classic-failures-good", "tangled-chain",
         "bank-", "regulated-", "waivers-", "generation-y-"]


class Tab:
    def __init__(self, address):
        self.socket = websocket.create_connection(address, timeout=60, suppress_origin=True)
        self.number = 0
        self.events = []

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, (method, message)
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        while True:
            for event in self.events:
                if event["method"] == method:
                    return
            self.events.append(json.loads(self.socket.recv()))

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")


def judge(tab, path, width, scheme):
    """Opens a page and returns its document's text."""
    tab.events.clear()
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
             deviceScaleFactor=1, mobile=False)
    tab.call("Emulation.setEmulatedMedia", media="screen",
             features=[{"name": "prefers-color-scheme", "value": scheme}])
    tab.call("Page.navigate", url=path.as_uri())
    tab.wait("Page.loadEventFired")
    name = f"{path.stem} at {width}, {scheme}"
    size = tab.value("[document.documentElement.scrollWidth, innerWidth]")
    assert size[0] <= size[1], f"{name}: {size[0]} pixels wide in {size[1]}"
    told = [event for event in tab.events
            if event["method"] in ("Log.entryAdded", "Runtime.consoleAPICalled",
                                   "Runtime.exceptionThrown")]
    assert not told, (name, told)
    asked = [event["params"]["request"]["url"] for event in tab.events
             if event["method"] == "Network.requestWillBeSent"]
    assert asked == [path.as_uri()], (name, asked)
    first = tab.value("document.head.firstElementChild.httpEquiv")
    assert first == "Content-Security-Policy", (name, first)
    assert tab.value("document.querySelectorAll('script,img,iframe,object,embed,link,[style],"
                     "[onerror],[onload]').length") == 0, name
    assert tab.value("[...document.querySelectorAll('a')].every(a => "
                     "a.getAttribute('href').startsWith('#') && "
                     "document.querySelector(a.getAttribute('href')))"), f"{name}: links"
    assert tab.value("[...document.querySelectorAll('svg')].every(s => s.querySelector('title') "
                     "&& s.querySelector('desc'))"), f"{name}: drawings without text"
    assert tab.value("['header','nav','main','footer'].every(n => "
                     "document.querySelectorAll('body>' + n).length == 1) "
                     "&& document.querySelectorAll('h1').length == 1"), f"{name}: landmarks"
    # The style sheet is in force: its hash is that of the policy.
    assert tab.value("getComputedStyle(document.body).marginTop") == "0px", name
    return tab.value("document.body.textContent")


def main():
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-port=0",
             f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = pathlib.Path(profile, "DevToolsActivePort")
            # The browser writes the file when it listens.
            while not port.exists() or not port.read_text().strip():
                assert browser.poll() is None, "chromium has ended"
                time.sleep(0.1)
            number = port.read_text().split()[0]
            pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json/list"))
            tab = Tab(next(page for page in pages if page["type"] == "page")["webSocketDebuggerUrl"])
            for domain in ["Page", "Runtime", "Log", "Network"]:
                tab.call(f"{domain}.enable")
            count = 0
            paths = [folder / "hostile.html"] + sorted(folder.glob("gallery/*/*.html"))
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
                    if is_shown:
                        height = tab.value("document.documentElement.scrollHeight")
                        shot = tab.call(
                            "Page.captureScreenshot", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})
                        (shots / f"{name}-{width}-{scheme}.png").write_bytes(
                            base64.b64decode(shot["data"]))
                if is_shown:
                    paper = tab.call("Page.printToPDF", printBackground=True)
                    (shots / f"{name}.pdf").write_bytes(base64.b64decode(paper["data"]))
            print(f"{count} runs: no message, no request, no sideways scroll, landmarks, "
                  "text for every drawing")
        finally:
            browser.terminate()
            browser.wait()


main()

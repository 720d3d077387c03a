"""Chromium without a window, asked by the DevTools protocol what a page did."""
import base64
import contextlib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.request

import websocket


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

    def open(self, path, width, scheme, scale=1):
        """Opens a file, and returns when it is loaded and laid out."""
        self.events.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=scale, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=path.as_uri())
        self.wait("Page.loadEventFired")
        # Two frames later the new size is in force.
        self.call("Runtime.evaluate", awaitPromise=True, expression="new Promise(done => "
                  "requestAnimationFrame(() => requestAnimationFrame(done)))")

    def requests(self):
        """The addresses that were asked for since the last page was opened."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def messages(self):
        """The messages of the console since the last page was opened."""
        return [event for event in self.events
                if event["method"] in ("Log.entryAdded", "Runtime.consoleAPICalled",
                                       "Runtime.exceptionThrown")]

    def picture(self, file, width, height=None, top=0):
        """Writes a picture of the page, by default of all of it."""
        height = height or self.value("document.documentElement.scrollHeight") - top
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": top, "width": width, "height": height, "scale": 1})
        file.write_bytes(base64.b64decode(shot["data"]))


@contextlib.contextmanager
def tab(chromium):
    """A tab of a browser that is started for it."""
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
            yield tab
        finally:
            browser.terminate()
            browser.wait()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Chromium through its DevTools protocol: a websocket and what a test needs of a page."""
import base64
import json
import os
import socket
import struct
import subprocess
import time


POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
# The page's files, by the paths that they are served at.
FOLDER = os.path.join("rigs", "station")
PARTS = {"": "page.html", "page.css": "page.css", "page.js": "page.js",
         **{f"page/{name}": os.path.join("page", name)
            for name in sorted(os.listdir(os.path.join(FOLDER, "page")))}}


def read_part(path):
    """The text of one of the page's files."""
    with open(os.path.join(FOLDER, PARTS[path]), encoding="utf-8") as part:
        return part.read()


class Failed(Exception):
    """A rule that does not hold, in words."""


class Socket:
    """A websocket as a client, text only: RFC 6455 without extensions."""

    def __init__(self, host, port, path):
        self.stream = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            (f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Failed(f"the browser refuses the websocket: {head[:80]}")

    def _more(self):
        try:
            data = self.stream.recv(1 << 20)
        except TimeoutError:
            raise Failed("the browser does not answer") from None
        if not data:
            raise Failed("the browser has closed its websocket")
        return data

    def _take(self, size):
        while len(self.rest) < size:
            self.rest += self._more()
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81]) + (
            bytes([0x80 | size]) if size < 126 else
            bytes([0xFE]) + struct.pack(">H", size) if size < 65536 else
            bytes([0xFF]) + struct.pack(">Q", size))
        mask_all = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(mask_all, "big")).to_bytes(size, "big")
        self.stream.sendall(head + mask + masked)

    def receive(self):
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            data = self._take(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()


class Browser:
    """One headless browser; each page has a context of its own, as on a tablet of its own."""

    def __init__(self, profile, patience=20):
        self.patience = patience  # seconds until what is awaited is missing
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--disable-sync", f"--user-data-dir={profile}", "--remote-debugging-port=0",
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        place = os.path.join(profile, "DevToolsActivePort")
        until = time.monotonic() + 60
        while not os.path.exists(place) or "\n" not in open(place, encoding="utf-8").read():
            if time.monotonic() > until or self.process.poll() is not None:
                raise Failed("chromium does not start")
            time.sleep(0.05)
        port, path = open(place, encoding="utf-8").read().split("\n")[:2]
        self.socket = Socket("127.0.0.1", int(port), path)
        self.pages, self.number = {}, 0

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        return self.number

    def call(self, method, session=None, **parameters):
        number = self.send(method, session, **parameters)
        while True:
            reply = json.loads(self.socket.receive())
            if reply.get("id") == number:
                if "error" in reply:
                    raise Failed(f"{method}: {reply['error']['message']}")
                return reply["result"]
            page = self.pages.get(reply.get("sessionId"))
            if page and "method" in reply:
                page.told(reply["method"], reply["params"])

    def close(self):
        self.process.terminate()
        self.process.wait()


class Page:
    """A tab: what its console says is an error unless it was announced by `allowed`. `changed` is a
    text of the page's files and what the browser gets instead of it; `beside` another tab of the same
    browser, which shares what it keeps."""

    def __init__(self, browser, address, width=1280, height=900, changed=None, beside=None, **media):
        self.browser, self.changed = browser, changed
        self.errors, self.allowed = [], ["/favicon.ico"]  # an errand of the browser's own
        self.is_guest = beside is not None
        self.context = beside.context if beside else browser.call(
            "Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", url="about:blank",
                              browserContextId=self.context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.size(width, height)
        if media:
            self.media(**media)
        if changed:
            self.call("Fetch.enable", patterns=[{"urlPattern": address.split("#")[0] + path}
                                                for path in PARTS])
        self.open(address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def told(self, method, parameters):
        if method == "Fetch.requestPaused":
            self._give_changed(parameters)
            return
        text = ""
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details["text"]
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            text = json.dumps(parameters["args"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            text = parameters["entry"]["text"] + " " + parameters["entry"].get("url", "")
        if text and not any(word in text for word in self.allowed):
            self.errors.append(text)

    def _give_changed(self, asked):
        path = asked["request"]["url"].split("/", 3)[3].split("#")[0]
        kind = {"html": "text/html", "css": "text/css",
                "js": "text/javascript"}[PARTS[path].rsplit(".", 1)[1]]
        body = read_part(path).replace(*self.changed)
        self.browser.send("Fetch.fulfillRequest", self.session, requestId=asked["requestId"],
                          responseCode=200, body=base64.b64encode(body.encode()).decode(),
                          responseHeaders=[{"name": "Content-Type", "value": kind + "; charset=utf-8"},
                                           {"name": "Content-Security-Policy", "value": POLICY}])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 700)

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.until("document.readyState==='complete'&&Boolean(document.querySelector('#seats li'))",
                   "the page is not there")

    def reload(self):
        self.evaluate("window.isOld=true")
        self.call("Page.reload")
        self.until("!window.isOld&&document.readyState==='complete'&&"
                   "Boolean(document.querySelector('#seats li'))", "the page does not come back")

    def evaluate(self, script):
        reply = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in reply:
            raise Failed(f"{script}: {reply['exceptionDetails']}")
        return reply["result"].get("value")

    def until(self, script, otherwise, seconds=None):
        seconds = seconds or self.browser.patience
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(script)
            except Failed:
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise Failed(f"{otherwise} (not within {seconds} s: {script})")
            time.sleep(0.05)

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def place(self, selector):
        """Where a finger would press it: fails when something else is there, or it cannot be."""
        box = self.evaluate(
            f"(function(){{const e=document.querySelector({json.dumps(selector)});"
            "if(!e)return null;const seen=()=>{const b=e.getBoundingClientRect();"
            "const x=b.x+b.width/2,y=b.y+b.height/2,hit=document.elementFromPoint(x,y);"
            "return {x,y,hit:Boolean(hit)&&e.contains(hit)&&!e.disabled}};"
            "e.scrollIntoView({block:'nearest'});const near=seen();"
            "if(near.hit)return near;e.scrollIntoView({block:'center'});return seen()})()")
        if not box or not box["hit"]:
            raise Failed(f"{selector} cannot be pressed")
        return {"x": box["x"], "y": box["y"]}

    def click(self, selector):
        place = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def tap(self, selector, times=1):
        """By a finger on glass; more than once is faster than anything can be shown."""
        place = self.place(selector)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        for _ in range(times):
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[place])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40, "Escape": 27}
        code = codes.get(key, ord(key.upper()[0]))
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def media(self, media="", **features):
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def network(self, latency=0, kilobytes=-1, offline=False):
        """How slow it is: milliseconds to and fro, and kilobytes a second."""
        speed = kilobytes * 1000 if kilobytes > 0 else -1
        self.call("Network.enable")
        self.call("Network.emulateNetworkConditions", offline=offline, latency=latency,
                  downloadThroughput=speed, uploadThroughput=speed)

    def print(self, path):
        data = base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
        with open(path, "wb") as out:
            out.write(data)
        return data

    def close(self):
        if not self.is_guest:
            self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)
        self.browser.pages.pop(self.session, None)

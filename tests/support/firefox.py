"""Drives an installed Firefox with the extension in it, by WebDriver BiDi.

Playwright cannot drive a Firefox that it did not build, so this is the little of it that the tests need, under the
same names: what takes a Playwright page and only evaluates in it takes a :class:`Tab` too. ::

    with open_firefox() as firefox:
        tab = firefox.new_tab()
        tab.goto("http://127.0.0.1:8000/")
        tab.wait_for("document.querySelector('[data-thinkfold-box]')")
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tools.package import FIREFOX_ID

EXTENSION = Path(__file__).resolve().parents[2] / "dist" / "firefox"
START_SECONDS = 60.0
WAIT_SECONDS = 20.0

FIREFOX_PLACES = (
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    r"C:\Program Files\Mozilla Firefox\firefox.exe",
)
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Alt": "\ue00a", "Shift": "\ue008", "Control": "\ue009"}
# The last is for pages of the extension, which are Firefox's own to it.
FLAGS = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--remote-allow-system-access"]
_PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.connectivity-service.enabled": False,
    "network.captive-portal-service.enabled": False,
}

_RESULT = """
const result = await (typeof value === "function" ? value(...JSON.parse(given)) : value);
return JSON.stringify(result ?? null);
"""

_MIDDLE = """async (selector, words) => {
  const fits = (element) => element.checkVisibility() && (!words || element.innerText.trim() === words);
  const element = [...document.querySelectorAll(selector)].find(fits);
  if (!element || element.matches(":disabled, [aria-disabled=true]")) return null;
  element.scrollIntoView({block: "nearest"});
  const before = element.getBoundingClientRect();
  await new Promise(requestAnimationFrame);
  const { x, y, width, height } = element.getBoundingClientRect();
  if (x !== before.x || y !== before.y) return null;
  const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
  return element.contains(document.elementFromPoint(...middle)) ? middle : null;
}"""


class NoFirefox(Exception):
    """No Firefox was found; the text says how to install one."""


class FirefoxError(Exception):
    """Firefox refused a command, or a script threw; the text is Firefox's."""


def find_firefox() -> str:
    """The path of an installed Firefox. ``THINKFOLD_FIREFOX`` names another.

    Raises NoFirefox with the command that installs one.
    """
    named = os.environ.get("THINKFOLD_FIREFOX")
    if named:
        if not Path(named).exists():
            raise NoFirefox(f"THINKFOLD_FIREFOX names {named}, which does not exist")
        return named
    found = next((path for name in ("firefox-esr", "firefox") if (path := shutil.which(name))), None)
    found = found or next((place for place in FIREFOX_PLACES if Path(place).exists()), None)
    if found is None:
        raise NoFirefox(
            "No Firefox was found, which the test part 'firefox' runs. Install one:\n"
            "  Debian:   sudo apt-get install firefox-esr\n"
            "  Fedora:   sudo dnf install firefox\n"
            "  macOS:    brew install --cask firefox\n"
            "  Windows:  winget install Mozilla.Firefox\n"
            "or name one in THINKFOLD_FIREFOX."
        )
    return found


class Firefox:
    """A running Firefox. Commands are answered in turn; what it tells in between is noted for the tabs."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = count(1)
        self.errors: dict[str, list[str]] = {}  # of each tab's console, by the tab's id
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the BiDi command *method* answers. Raises FirefoxError."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(timeout=60))
            if message.get("id") == number:
                break
            if message.get("method") == "log.entryAdded":
                self._note(message["params"])
        if message["type"] == "error":
            raise FirefoxError(f"{method}: {message['message'][:1000]}")
        return dict(message["result"])

    def _note(self, entry: dict[str, Any]) -> None:
        tab = entry["source"].get("context")
        if entry["level"] == "error" and tab in self.errors:
            self.errors[tab].append(str(entry["text"])[:500])

    def install(self) -> None:
        """Load the extension as *Load Temporary Add-on* does. Where it is loaded already, this is an update."""
        self.command("webExtension.install", extensionData={"type": "path", "path": str(EXTENSION)})

    def uninstall(self) -> None:
        """Remove the extension, under the pages that are open."""
        self.command("webExtension.uninstall", extension=FIREFOX_ID)

    def add_init_script(self, script: str) -> None:
        """Run *script* in every page from now on, before the page's own."""
        self.command("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def in_window(self, expression: str) -> Any:
        """The value of an expression in the browser's own window, where its find bar and its key bindings are."""
        (window, *_) = self.command("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]
        return self.evaluate(window["context"], expression)

    def evaluate(self, context: str, expression: str, *arguments: Any) -> Any:
        """:meth:`Tab.evaluate` in any context."""
        answer = self.command(
            "script.callFunction",
            functionDeclaration=f"async (given) => {{ const value = ({expression}); {_RESULT} }}",
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": context},
            awaitPromise=True,
            userActivation=True,
        )
        if answer["type"] == "exception":
            raise FirefoxError(str(answer["exceptionDetails"]["text"])[:1000])
        return json.loads(answer["result"]["value"])

    def new_tab(self) -> Tab:
        """A fresh tab, in front."""
        return Tab(self, self.command("browsingContext.create", type="tab")["context"])

    @property
    def popup_url(self) -> str:
        """Where the popup can be opened as a page: Firefox draws an address for each installation."""
        addresses = self.in_window("Services.prefs.getStringPref('extensions.webextensions.uuids')")
        return f"moz-extension://{json.loads(addresses)[FIREFOX_ID]}/popup.html"


class Tab:
    """A tab of Firefox, with the methods of a Playwright page that the tests use."""

    def __init__(self, firefox: Firefox, context: str) -> None:
        self.firefox = firefox
        self.context = context
        self.errors = firefox.errors.setdefault(context, [])
        self._command("browsingContext.setViewport", viewport={"width": 1280, "height": 900})

    def _command(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.firefox.command(method, context=self.context, **parameters)

    def goto(self, url: str) -> None:
        """Open an address and wait until it has loaded."""
        self._command("browsingContext.navigate", url=url, wait="complete")

    def reload(self) -> None:
        """Load the page anew."""
        self._command("browsingContext.reload", wait="complete")

    def close(self) -> None:
        """Close the tab."""
        self._command("browsingContext.close")

    def bring_to_front(self) -> None:
        """Make it the tab that one sees."""
        self._command("browsingContext.activate")

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        """The value of an expression in the page, or what the function that it is returns for *arguments*; a
        promise is waited for. Only what JSON can say goes in and out. Raises FirefoxError when it throws."""
        return self.firefox.evaluate(self.context, expression, *arguments)

    def wait_for(self, condition: str, timeout: float = WAIT_SECONDS) -> None:
        """Wait until an expression is true in the page. *timeout* in seconds."""
        self._wait(f"(async () => !!(await ({condition})))()", timeout)

    def _wait(self, condition: str, timeout: float = WAIT_SECONDS) -> Any:
        deadline = time.monotonic() + timeout
        while not (value := self.evaluate(condition)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"after {timeout} seconds it was still not so: {condition}")
            time.sleep(0.05)
        return value

    def click(self, selector: str, words: str = "") -> None:
        """Click the middle of the first visible element that *selector* finds and that says just *words*, if any are
        given. It is waited for, until it is enabled, stands still and nothing covers it."""
        x, y = self._wait(f"({_MIDDLE})({json.dumps(selector)}, {json.dumps(words)})")
        move: dict[str, Any] = {"type": "pointerMove", "x": x, "y": y}
        actions = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "actions": actions})

    def press(self, keys: str) -> None:
        """Press keys at once, for example ``Alt+Shift+,``."""
        named = [KEYS.get(key, key) for key in keys.split("+")]
        down, up = ([{"type": kind, "value": key} for key in named] for kind in ("keyDown", "keyUp"))
        self._act({"type": "key", "id": "keyboard", "actions": [*down, *reversed(up)]})

    def type(self, text: str) -> None:
        """Type *text* where the caret is."""
        actions = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, Any]) -> None:
        self._command("input.performActions", actions=[source])

    def screenshot(self, path: Path) -> None:
        """Write a picture of what shows to *path*, a PNG."""
        path.write_bytes(base64.b64decode(self._command("browsingContext.captureScreenshot")["data"]))


@contextmanager
def open_firefox() -> Iterator[Firefox]:
    """A headless Firefox with a fresh profile and the extension, both gone at the end."""
    with tempfile.TemporaryDirectory(prefix="thinkfold-firefox-", ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("".join(lines), "utf-8")
        log = Path(profile) / "firefox.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [find_firefox(), *FLAGS, "--profile", profile],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            with connect(_address(process, log), max_size=None) as connection:
                firefox = Firefox(connection)
                firefox.install()
                yield firefox
                with suppress(Exception):  # it may be gone before it has answered
                    firefox.command("browser.close")
        finally:
            _end(process)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where Firefox listens, which it says when it is up."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if said := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text("utf-8", "replace")):
            return f"{said[1]}/session"
        time.sleep(0.05)
    raise FirefoxError(f"Firefox did not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

"""Installs and runs the real DSH Web, so that tests and the benchmark drive what people run.

The first use installs the wanted version into ``.cache/hosts`` (about 20 seconds): 0.1.0-rc.8 from npm with
pnpm, where a stamp of the lock file keeps it, and the newer ones from PyPI (see :mod:`real_host.newer_hosts`).
A :class:`Host` runs on a free port of 127.0.0.1 with a fresh home folder and a
:class:`~real_host.model_server.ModelServer` for a model, and is stopped by process group::

    with running_host("0.2.1rc2") as host:
        host.model.script("hello", [Reply(text="Hello.")])
        host.open(page)
        host.send(page, "hello")
        host.wait_for_turn(page, 1)
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page, expect

from . import newer_hosts
from .model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(__file__).parent / "dsh-0.1.0"
INSTALLED = ROOT / ".cache" / "hosts" / "dsh-0.1.0"
FIRST_VERSION = "0.1.0-rc.8"
NEWER_VERSIONS = ("0.1.2rc1", "0.1.5rc1", "0.2.1rc2")
NODE = str(Path(sys.executable).parent / "node")  # of the project's own tools
START_SECONDS = 60.0
COMPOSER = "textarea, [contenteditable=true]"  # one that takes text: without a workspace it may not


def install(version: str = FIRST_VERSION) -> list[str]:
    """Install the host *version* where it is not yet; returns the command that starts it, up to its options."""
    if version in NEWER_VERSIONS:
        return newer_hosts.install(version)
    if version != FIRST_VERSION:
        raise ValueError(f"no host {version}; there are {', '.join((FIRST_VERSION, *NEWER_VERSIONS))}")
    binary = INSTALLED / "node_modules" / "@deepseek-ai" / "dsh" / "lib" / "bin.js"
    lock = (PACKAGE / "pnpm-lock.yaml").read_text("utf-8")
    stamp = INSTALLED / "installed.stamp"
    if binary.exists() and stamp.exists() and stamp.read_text("utf-8") == lock:
        return [NODE, str(binary), "web"]
    shutil.rmtree(INSTALLED, ignore_errors=True)
    shutil.copytree(PACKAGE, INSTALLED)
    pnpm = ROOT / "node_modules" / "pnpm" / "bin" / "pnpm.cjs"
    command = [NODE, str(pnpm), "install", "--frozen-lockfile", "--ignore-scripts", "--reporter=silent"]
    done = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not binary.exists():
        raise RuntimeError(f"DSH could not be installed:\n{(done.stdout + done.stderr)[-2000:]}")
    stamp.write_text(lock, "utf-8")
    return [NODE, str(binary), "web"]


@dataclass
class Host:
    """A running DSH Web: its address, which holds the newer hosts' token, and the model that it talks to."""

    url: str
    model: ModelServer
    home: Path
    version: str = FIRST_VERSION
    _visited: bool = False

    def open(self, page: Page) -> None:
        """Open the host's page and get it ready for a message: notice closed, workspace chosen."""
        page.goto(self.url)
        if not self._visited:
            self._first_visit(page)
        page.wait_for_selector(COMPOSER)  # comes with the workspace's first session, which is empty

    def _first_visit(self, page: Page) -> None:
        """What the host asks once, and remembers for all browsers."""
        page.get_by_role("button", name="Continue", exact=True).click()
        chooser = page.get_by_text("Choose workspace", exact=True).first
        chooser.click()
        page.get_by_role("button", name="Open", exact=True).click()
        chooser.wait_for(state="detached")
        self._visited = True

    def new_session(self, page: Page) -> None:
        """Leave the open chat for a new one, which is empty; one that is still empty is kept."""
        start_screen = page.locator("[data-phase=hero]")
        if not start_screen.count():
            page.get_by_role("button", name="New session").first.click()
            start_screen.wait_for()  # it comes with the new session's own composer
        expect(page.locator("[data-chat-flow-kind]")).to_have_count(0)

    def configure_chat(self, page: Page, **settings: str) -> None:
        """Change the host's own chat settings, which open pages follow at once.

        ``transcriptView`` is compact or normal (0.1.2, 0.1.5); compact, standard, detailed or verbose (0.2).
        ``collapseTiming`` is completion or next-input (0.2).
        """
        operations = [{"op": "set", "path": [name], "value": value} for name, value in settings.items()]
        payload = {"args": {"ns": "ui-chat", "ops": operations}}
        request = {"type": "client-request", "rpcId": "configure", "method": "settings/mutate", "payload": payload}
        address = f"{self.url.partition('?')[0]}api/settings/mutate"
        answer = page.request.post(address, data=request).json()  # with the page's cookie
        if not answer["result"]["ok"]:
            raise ValueError(f"the host refused {settings}: {answer['result']}")

    def send(self, page: Page, prompt: str, key: str = "Enter") -> None:
        """Type *prompt* into the composer and send it with *key*: Control+Enter steers a turn that runs."""
        composer = page.locator(COMPOSER).last
        composer.fill(prompt)  # not click and type: a menu of workspaces may lie over the composer
        composer.press(key)

    def play(self, page: Page, prompts: Sequence[str], timeout: float = 120.0) -> None:
        """Have a whole session played, one turn for each of *prompts*, much faster than a page could draw it.

        The first prompt goes through the composer, the others by the request that the page made for it, which the
        host queues. The page is elsewhere meanwhile, and at the end shows the session as history. *timeout* is in
        seconds.
        """
        with page.expect_request(re.compile(r"/api/session[./]prompt$")) as info:
            self.send(page, prompts[0])
        self.wait_for_turn(page, 1)
        page.goto("about:blank")
        request = json.dumps(info.value.post_data_json)
        for prompt in prompts[1:]:
            another = request.replace(json.dumps(prompts[0]), json.dumps(prompt))
            another = re.sub(r'"(rpcId|requestId)": "[^"]*"', lambda found: f'"{found[1]}": "{uuid4()}"', another)
            answer = page.request.post(info.value.url, data=json.loads(another)).json()
            if not answer["result"]["ok"]:
                raise ValueError(f"the host refused {prompt!r}: {answer['result']}")
        deadline = time.monotonic() + timeout
        while not any(prompts[-1] in prompt for prompt in self.model.ended[-2:]):
            if time.monotonic() > deadline:
                raise TimeoutError(f"after {timeout} seconds the host had not come to {prompts[-1]!r}")
            time.sleep(0.1)
        self.open(page)
        self.wait_for_turn(page, len(prompts))

    def wait_for_turn(self, page: Page, number: int, timeout: float = 60.0) -> None:
        """Wait until the turn *number* (from 1) of the open chat has ended. *timeout* in seconds."""
        tail = "[data-chat-flow-kind=turn-tail]"
        selector = f'{tail}[data-chat-flow-key="9:turn-tail{number}"], {tail}[data-chat-turn="{number}"]'
        page.wait_for_selector(selector, state="attached", timeout=timeout * 1000)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait until the host is up, which it says with the address of its page, with a token on newer hosts."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        said = re.search(r"^dsh web: (http://127\.0\.0\.1:\d+\S*)$", log.read_text("utf-8", "replace"), re.MULTILINE)
        if said:
            return said[1] if "?" in said[1] else said[1].rstrip("/") + "/"
        time.sleep(0.1)
    raise RuntimeError(f"DSH did not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the host and all that it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def running_host(version: str = FIRST_VERSION) -> Iterator[Host]:
    """A fresh host with a scripted model; both end with the ``with`` block."""
    command = install(version)
    with tempfile.TemporaryDirectory(prefix="thinkfold-host-") as folder, ModelServer() as model:
        home = Path(folder)
        for name in ("a.txt", "b.txt", "c.txt"):
            (home / name).write_text(f"contents of {name}\n", "utf-8")
        log = home / "host.log"
        environment = {
            **os.environ,
            "HOME": str(home),
            "DSH_HOME": str(home / ".dsh"),
            "DEEPSEEK_BASE_URL": model.url,
            "DEEPSEEK_API_KEY": "sk-local",
            "DSH_PERMISSION_MODE": "danger-full-access",
            "DSH_TELEMETRY_MODE": "DISABLED",
        }
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--no-open", "--port", str(_free_port())],
                cwd=home,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            yield Host(_address(process, log), model, home, version)
        finally:
            _stop(process)

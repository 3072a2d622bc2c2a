"""Installs and runs the real DSH Web, so that tests and the benchmark drive what people run.

The first use installs DSH 0.1.0-rc.8 from npm with pnpm into ``.cache/hosts`` (about 20 seconds); a stamp of
the lock file keeps it there. A :class:`Host` runs on a free port with a fresh home folder and a
:class:`~real_host.model_server.ModelServer` for a model, and is stopped by process group.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from .model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(__file__).parent / "dsh-0.1.0"
INSTALLED = ROOT / ".cache" / "hosts" / "dsh-0.1.0"
START_SECONDS = 60.0


def install() -> Path:
    """Install the host where it is not yet; returns the file that starts it."""
    binary = INSTALLED / "node_modules" / "@deepseek-ai" / "dsh" / "lib" / "bin.js"
    lock = (PACKAGE / "pnpm-lock.yaml").read_text("utf-8")
    stamp = INSTALLED / "installed.stamp"
    if binary.exists() and stamp.exists() and stamp.read_text("utf-8") == lock:
        return binary
    shutil.rmtree(INSTALLED, ignore_errors=True)
    shutil.copytree(PACKAGE, INSTALLED)
    pnpm = ROOT / "node_modules" / "pnpm" / "bin" / "pnpm.cjs"
    command = ["node", str(pnpm), "install", "--frozen-lockfile", "--ignore-scripts", "--reporter=silent"]
    done = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not binary.exists():
        raise RuntimeError(f"DSH could not be installed:\n{(done.stdout + done.stderr)[-2000:]}")
    stamp.write_text(lock, "utf-8")
    return binary


@dataclass
class Host:
    """A running DSH Web: its address, and the model that it talks to."""

    url: str
    model: ModelServer
    home: Path

    def open(self, page: Page) -> None:
        """Open the host's page and get it ready for a message: notice closed, workspace chosen."""
        page.goto(self.url)
        page.wait_for_selector("textarea, [contenteditable=true]")
        notice = page.get_by_role("button", name="Continue")
        with contextlib.suppress(Exception):
            notice.click(timeout=1500)
        chooser = page.get_by_text("Choose workspace", exact=True)
        if chooser.count():
            chooser.first.click()
            page.get_by_role("button", name="Open", exact=True).click()
            chooser.first.wait_for(state="detached")

    def send(self, page: Page, prompt: str) -> None:
        """Type *prompt* into the composer and send it."""
        composer = page.locator("textarea, [contenteditable=true]").last
        composer.fill(prompt)  # not click and type: a menu of workspaces may lie over the composer
        composer.press("Enter")

    def wait_for_turn(self, page: Page, number: int, timeout: float = 60.0) -> None:
        """Wait until the turn *number* (from 1) of the open chat has ended. *timeout* in seconds."""
        page.wait_for_selector(f'[data-chat-flow-key="9:turn-tail{number}"]', state="attached", timeout=timeout * 1000)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError(f"DSH did not start:\n{log.read_text('utf-8', 'replace')[-2000:]}")


@contextmanager
def running_host() -> Iterator[Host]:
    """A fresh host with a scripted model; both end with the ``with`` block."""
    binary = install()
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="thinkfold-host-") as folder, ModelServer() as model:
        home = Path(folder)
        for name in ("a.txt", "b.txt", "c.txt"):
            (home / name).write_text(f"contents of {name}\n", "utf-8")
        log = home / "host.log"
        environment = {
            **os.environ,
            "HOME": str(home),
            "DEEPSEEK_BASE_URL": model.url,
            "DEEPSEEK_API_KEY": "sk-local",
            "DSH_PERMISSION_MODE": "danger-full-access",
            "DSH_TELEMETRY_MODE": "DISABLED",
        }
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["node", str(binary), "web", "--no-open", "--port", str(port)],
                cwd=home,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            url = f"http://127.0.0.1:{port}/"
            _wait_until_up(url, process, log)
            yield Host(url, model, home)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

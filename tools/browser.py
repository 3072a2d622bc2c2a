"""Finds the installed Chromium and opens it with the extension loaded; for the demo, the tests and the bench."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Playwright

EXTENSION = Path(__file__).resolve().parent.parent / "dist" / "chromium"

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
)
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
CHROMIUM_FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),  # Chromium refuses root otherwise
]


class NoBrowser(Exception):
    """No Chromium was found; the text says how to install one."""


def find_chromium() -> str:
    """The path of an installed Chromium or Chrome. ``THINKFOLD_CHROMIUM`` names another.

    Raises NoBrowser with the command that installs one.
    """
    named = os.environ.get("THINKFOLD_CHROMIUM")
    if named:
        if not Path(named).exists():
            raise NoBrowser(f"THINKFOLD_CHROMIUM names {named}, which does not exist")
        return named
    found = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    found = found or next((place for place in CHROMIUM_PLACES if Path(place).exists()), None)
    if found is None:
        raise NoBrowser(
            "No Chromium or Chrome was found. Install one:\n"
            "  Debian, Ubuntu:  sudo apt-get install chromium\n"
            "  Fedora:          sudo dnf install chromium\n"
            "  macOS:           brew install --cask google-chrome\n"
            "  Windows:         winget install Google.Chrome\n"
            "or name one in THINKFOLD_CHROMIUM."
        )
    return found


def extension_id(folder: Path = EXTENSION) -> str:
    """The id that Chromium gives to the unpacked extension in *folder*."""
    digits = hashlib.sha256(str(folder).encode()).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digits)


@contextmanager
def open_browser(
    playwright: Playwright,
    *,
    extension: bool = True,
    folder: Path = EXTENSION,
    headless: bool = True,
    profile: Path | None = None,
    welcome: bool = False,
    flags: Sequence[str] = (),
    **context_options: Any,
) -> Iterator[BrowserContext]:
    """A browser with the extension of *folder* loaded, or without. Without a *profile* it has a fresh one, deleted
    at the end. The page that welcomes who has just installed the extension is closed, unless *welcome*. *flags* are
    more of the browser's command line."""
    flags = [*CHROMIUM_FLAGS, *flags]
    if extension:
        flags += [f"--disable-extensions-except={folder}", f"--load-extension={folder}"]
        flags += ["--disable-features=DisableLoadExtensionCommandLineSwitch"]
    with tempfile.TemporaryDirectory(prefix="thinkfold-profile-", ignore_cleanup_errors=True) as fresh:
        context = playwright.chromium.launch_persistent_context(
            profile or fresh,
            executable_path=find_chromium(),
            headless=False,  # Playwright's own headless mode is another browser; the flag below is Chromium's
            args=[*flags, *(["--headless=new"] if headless else [])],
            ignore_default_args=["--disable-extensions"],
            **context_options,
        )
        try:
            if extension and profile is None and not welcome:
                close_welcome(context)
            yield context
        finally:
            context.close()


def close_welcome(context: BrowserContext) -> None:
    """Close the welcome page of an extension that was just installed, once it is there."""
    is_welcome = re.compile(r"^chrome-extension://\w+/welcome\.html$")
    page = next((page for page in context.pages if is_welcome.match(page.url)), None)
    page = page or context.wait_for_event("page", lambda page: bool(is_welcome.match(page.url)))
    page.close()

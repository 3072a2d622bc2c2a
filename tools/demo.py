"""Opens a browser with the extension on the bundled chat, or on a real DSH: ``python build.py demo``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

from playwright.sync_api import Error, Playwright, sync_playwright

from .browser import NoBrowser, open_browser

DEMO = Path(__file__).resolve().parent.parent / "demo"


class _QuietFiles(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def demo_server() -> Iterator[str]:
    """The bundled chat on 127.0.0.1; gives its address, and ends with the ``with`` block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietFiles, directory=str(DEMO)))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--headless", action="store_true")
    parser.add_argument("--shot", type=Path)
    parser.add_argument("--after", type=float, default=12.0)
    parser.add_argument("--url")
    parser.add_argument("--theme", choices=("light", "dark"))
    parser.add_argument("--generation", choices=("0.1", "0.2"))
    arguments = parser.parse_args()
    try:
        with demo_server() as bundled, sync_playwright() as playwright:
            return show(playwright, arguments, bundled)
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1


def show(playwright: Playwright, arguments: argparse.Namespace, bundled: str) -> int:
    """Open the page; wait until the window is closed, or take the picture."""
    look = {name: value for name in ("theme", "generation") if (value := getattr(arguments, name))}
    address = arguments.url or (f"{bundled}?{urlencode(look)}" if look else bundled)
    shooting = arguments.shot is not None
    size = {"viewport": {"width": 1280, "height": 900}} if shooting or arguments.headless else {"no_viewport": True}
    with open_browser(playwright, headless=arguments.headless, **size) as context:
        page = context.pages[0] if context.pages else context.new_page()
        try:
            page.goto(address)
        except Error as error:
            print(f"{address} does not answer: {error.message.splitlines()[0]}", file=sys.stderr)
            return 1
        print(f"Thinkfold is at work on {address}")
        if shooting:
            page.wait_for_timeout(arguments.after * 1000)
            page.screenshot(path=arguments.shot)
            print(f"Picture: {arguments.shot}")
            return 0
        print("Close the browser's window to end, or press Ctrl+C here.")
        with suppress(Error):  # the whole browser may have been closed
            page.wait_for_event("close", timeout=0)
        return 0


if __name__ == "__main__":
    sys.exit(main())

"""Python in the page: what the snapshot holds, asked in the extension's own isolated world."""

from __future__ import annotations

import pytest
from conftest import Chat
from support.extension import World


@pytest.fixture
def python(chat: Chat) -> World:
    """A second Python from the same snapshot; the extension's own is not reachable, and stays so."""
    world = World(chat.page)
    world.evaluate(
        """(async () => {
            const folder = chrome.runtime.getURL("python/");
            const { loadPython } = await import(folder + "load.mjs");
            globalThis.testPython = await loadPython(folder);
        })()"""
    )
    return world


def test_markdown_is_rendered_without_html(python: World) -> None:
    code = "import markdown_it; markdown_it.MarkdownIt('commonmark', {'html': False}).render('*a* <b onclick=x>b</b>')"
    assert python.evaluate(f"testPython.runPython({code!r})") == "<p><em>a</em> &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"


def test_pyscript_builds_elements(python: World) -> None:
    code = "from pyscript import web; web.p('hello', classes=['x'])._dom_element.outerHTML"
    assert python.evaluate(f"testPython.runPython({code!r})") == '<p class="x">hello</p>'


def test_nothing_can_be_fetched_at_run_time(python: World) -> None:
    assert python.evaluate("testPython.runPython('import sys; \"micropip\" in sys.modules')") is False

"""Python in the page: what the snapshot holds, asked in the extension's own isolated world."""

from __future__ import annotations

from support.extension import World


def test_markdown_is_rendered_without_html(python: World) -> None:
    code = "import markdown_it; markdown_it.MarkdownIt('commonmark', {'html': False}).render('*a* <b onclick=x>b</b>')"
    assert python.evaluate(f"testPython.runPython({code!r})") == "<p><em>a</em> &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"


def test_pyscript_builds_elements(python: World) -> None:
    code = "from pyscript import web; web.p('hello', classes=['x'])._dom_element.outerHTML"
    assert python.evaluate(f"testPython.runPython({code!r})") == '<p class="x">hello</p>'


def test_nothing_can_be_fetched_at_run_time(python: World) -> None:
    assert python.evaluate("testPython.runPython('import sys; \"micropip\" in sys.modules')") is False

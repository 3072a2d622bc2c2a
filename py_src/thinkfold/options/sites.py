"""Where Thinkfold is used: the list of websites, and the form that adds one to it.

``sites.js`` asks the browser for access, which it may only in a click, and writes the entries; the service worker
then brings the scripts to the site, or takes the access back.
"""

from __future__ import annotations

import asyncio
from typing import Any

import js
from pyodide.ffi import JsException, create_proxy
from pyscript import web, when

from ..core.schema import Group, Problem
from ..core.search import matches
from ..core.sites import ADDRESS, PREFIX, SELECTOR, Site, sites_from, validate_site
from ..page.words import word
from .control import section_of, set_attributes
from .notice import Notice


class Sites:
    """The group of websites. *notice* says what was done."""

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
        self._sites: list[Site] = []
        self._tasks: set[Any] = set()  # asyncio keeps no task itself
        js.chrome.storage.local.onChanged.addListener(create_proxy(self._hear))

    async def read(self) -> None:
        """Read what is stored."""
        self._sites = sites_from((await js.chrome.storage.local.get(None)).to_py())

    def draw(self) -> Any:
        """Draw the group, in the language that is set."""
        own = _row(word("sitesOwn"), word("sitesOwnHelp"))
        self._list = web.div(classes=["sites"])
        self._section = section_of(Group.SITES, [own, self._list, self._form()])
        self._fill()
        return self._section

    def search(self, query: str) -> bool:
        """Show the group if a search for *query* means it."""
        keys = (Group.SITES.label, "sitesOwn", "sitesOwnHelp", "sitesAddress", "sitesSelector", "sitesSelectorHelp")
        said = [*(word(key) for key in keys), *(f"{site.origin} {site.selector}" for site in self._sites)]
        is_meant = matches(query, "\n".join(said))
        self._section.hidden = not is_meant
        return bool(is_meant)

    def _fill(self) -> None:
        self._list.replaceChildren(*(self._entry(site)._dom_element for site in self._sites))

    def _entry(self, site: Site) -> Any:
        switch = web.input_(type="checkbox", checked=site.on)
        set_attributes(switch, role="switch", aria_label=word("sitesOn", site.origin))
        remove = web.button(textContent=word("sitesRemove"), type="button")
        set_attributes(remove, aria_label=word("sitesRemoveOne", site.origin))

        async def on_switch(_event: Any) -> None:
            await js.switchSite(site.origin, switch.checked)

        async def on_remove(_event: Any) -> None:
            await js.chrome.storage.local.remove(PREFIX + site.origin)
            self._notice.say(word("sitesRemoved", site.origin))

        when("change", switch)(on_switch)
        when("click", remove)(on_remove)
        kind = word("sitesTagged", site.selector) if site.selector else word("sitesChat")
        return _row(site.origin, kind, switch, remove)

    def _form(self) -> Any:
        self._address = web.input_(type="url", maxLength=ADDRESS.maximum, id="site-address")
        self._selector = web.input_(type="text", maxLength=SELECTOR.maximum, id="site-selector")
        self._problems = {
            name: web.p(classes=["problem"], id=f"site-{name}-problem", hidden=True) for name in ("address", "selector")
        }
        for name, field in self._fields().items():
            set_attributes(field, autocomplete="off", spellcheck="false", aria_describedby=f"site-{name}-problem")
        set_attributes(self._selector, aria_describedby="site-selector-help site-selector-problem")
        form = web.form(
            web.label(textContent=word("sitesAddress"), for_="site-address"),
            self._address,
            self._problems["address"],
            web.label(textContent=word("sitesSelector"), for_="site-selector"),
            self._selector,
            self._problems["selector"],
            web.p(textContent=word("sitesSelectorHelp"), id="site-selector-help", classes=["help"]),
            web.button(textContent=word("sitesAdd"), type="submit"),
            classes=["add-site"],
            noValidate=True,
        )
        when("submit", form)(self._on_add)
        return form

    def _fields(self) -> dict[str, Any]:
        return {"address": self._address, "selector": self._selector}

    def _on_add(self, event: Any) -> None:
        """Not asynchronous: the browser takes the question for the user's only while the click is handled."""
        event.preventDefault()
        address, selector = str(self._address.value).strip(), str(self._selector.value).strip()
        site = Site(_origin_of(address), selector)
        used = [*self._sites, *([Site(site.origin)] if js.isOnThisComputer(site.origin) else [])]
        problems = validate_site(site, address, is_selector=_is_selector(selector), used=used)
        self._show_problems(problems)
        if not problems:
            task = asyncio.ensure_future(self._add(js.useSite(site.origin, selector), site))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _add(self, asked: Any, site: Site) -> None:
        if not await asked:
            self._notice.warn(word("sitesRefused", site.origin))
            return
        for field in self._fields().values():
            field.value = ""
        self._notice.say(word("sitesAdded", site.origin))

    def _show_problems(self, problems: list[Problem]) -> None:
        for name, field in self._fields().items():
            problem = next((each for each in problems if name in each.names), None)
            self._problems[name].textContent = word(problem.key, *problem.arguments) if problem else ""
            self._problems[name].hidden = problem is None
            set_attributes(field, aria_invalid="true" if problem else "false")

    async def _hear(self, changes: Any, *_: object) -> None:
        if any(name.startswith(PREFIX) for name in changes.to_py()):
            await self.read()
            self._fill()


def _row(name: str, kind: str, *controls: Any) -> Any:
    said = web.div(
        web.p(textContent=name, classes=["name"]), web.p(textContent=kind, classes=["help"]), classes=["said"]
    )
    return web.div(said, *([web.div(*controls, classes=["site-controls"])] if controls else []), classes=["setting"])


def _origin_of(address: str) -> str:
    try:
        return str(js.URL.new(address).origin)
    except JsException:
        return ""


def _is_selector(selector: str) -> bool:
    try:
        js.document.createDocumentFragment().querySelector(selector)
    except JsException:
        return False
    return True

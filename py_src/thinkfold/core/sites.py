"""The websites that the user chose, as the browser's storage has them: one entry for each, named after its origin.

``browser_ext/sites.js`` reads and writes the same entries where Python is not there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from .schema import Problem, Text, TextKind
from .settings import Stored

PREFIX = "site/"
"""What the names of the entries begin with; the origin follows. Such names are in no exported file."""

ADDRESS = Text(2000, TextKind.ADDRESS)
SELECTOR = Text(500)

WHOLE_PAGE = ("html", "head", "body", "*", ":root")
"""Selectors that no message can be told apart by."""


@dataclass(frozen=True, slots=True)
class Site:
    """A website. *selector* finds its messages; a DSH needs none. Thinkfold is switched off there when not *on*."""

    origin: str
    selector: str = ""
    on: bool = True


def sites_from(stored: Stored) -> list[Site]:
    """The sites among what is stored, by their origins. What is no entry of a site is passed over."""
    found = []
    for name, entry in stored.items():
        if name.startswith(PREFIX) and isinstance(entry, dict):
            selector = SELECTOR.read(entry.get("selector"), "")
            found.append(Site(name.removeprefix(PREFIX), selector, entry.get("on") is not False))
    return sorted(found, key=lambda site: site.origin)


def validate_site(site: Site, address: str, *, is_selector: bool, used: Collection[Site]) -> list[Problem]:
    """What is wrong with a site that the user wants to add by its *address*.

    Its origin is what the browser makes of the address, empty for none; *is_selector* is what the browser says of the
    selector; *used* are the sites where Thinkfold is used already. A
    problem is named ``address`` or ``selector``.
    """
    problems = []
    if problem := ADDRESS.problem(address) or (None if site.origin else Problem("problemAddress")):
        problems.append(replace(problem, names=("address",)))
    elif any(each.origin == site.origin and each.selector == site.selector for each in used):
        problems.append(Problem("problemSiteUsed", (site.origin,), ("address",)))
    if problem := SELECTOR.problem(site.selector):
        problems.append(replace(problem, names=("selector",)))
    elif site.selector and not is_selector:
        problems.append(Problem("problemSelector", (), ("selector",)))
    elif any(part.strip().lower() in WHOLE_PAGE for part in site.selector.split(",")):
        problems.append(Problem("problemWholePage", (), ("selector",)))
    return problems

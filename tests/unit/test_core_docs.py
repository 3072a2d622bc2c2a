"""What the documentation shows of the core is true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest
import thinkfold.core

DOCS = Path(__file__).parents[2] / "docs" / "core.md"
MODULES = [
    thinkfold.core,
    *(
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(thinkfold.core.__path__, "thinkfold.core.")
    ),
]


class MarkdownParser(doctest.DocTestParser):
    """Reads examples in fences: the line that ends a fence is not part of what is expected."""

    def parse(self, string: str, name: str = "<string>") -> list[str | doctest.Example]:
        return super().parse(re.sub(r"^```.*", "", string, flags=re.MULTILINE), name)


def test_the_page_about_the_core_shows_what_happens() -> None:
    failed, tried = doctest.testfile(str(DOCS), module_relative=False, encoding="utf-8", parser=MarkdownParser())
    assert not failed
    assert tried > 20


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_a_module_show_what_happens(module: ModuleType) -> None:
    assert not doctest.testmod(module).failed

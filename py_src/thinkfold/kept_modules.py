"""Keeps the compiled code of a package in memory and imports it from there, without a file system.

Why: see :mod:`thinkfold.preload`.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

_kept: dict[str, tuple[CodeType, bool]] = {}


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _kept:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=_kept[fullname][1])

    def exec_module(self, module: ModuleType) -> None:
        exec(_kept[module.__name__][0], module.__dict__)


def keep(folder: Path, package: str) -> list[str]:
    """Compile the modules of *package* in *folder* and keep them. Returns their names.

    Raises FileNotFoundError where *folder* has no ``__init__.py``.
    """
    if not (folder / "__init__.py").exists():
        raise FileNotFoundError(f"{folder} is not a package")
    for file in sorted(folder.glob("*.py")):
        is_package = file.name == "__init__.py"
        name = package if is_package else f"{package}.{file.stem}"
        _kept[name] = (compile(file.read_text("utf-8"), f"<{name}>", "exec"), is_package)
    if not any(isinstance(finder, _Importer) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Importer())
    return sorted(_kept)

"""The built extension as a folder of files."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

import build
from tools.browser import EXTENSION


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_builds_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "DIST", tmp_path)
    build.assemble()
    assert tree(tmp_path / "chromium") == tree(EXTENSION)


def test_a_build_removes_what_is_no_longer_part_of_it(tmp_path: Path) -> None:
    build.write_tree(tmp_path, {"old/file": b"1", "kept": b"2"})
    assert build.write_tree(tmp_path, {"kept": b"2", "new": b"3"}) == 2
    assert tree(tmp_path) == {"kept": b"2", "new": b"3"}


def test_the_package_is_small() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in tree(EXTENSION).items():
            archive.writestr(name, content)
    assert len(packed.getvalue()) < 12e6


def test_the_manifest_asks_for_little() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    assert manifest["permissions"] == ["storage", "scripting"]
    assert manifest["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert [script.get("world") for script in manifest["content_scripts"]] == [None, "MAIN"]
    for script in manifest["content_scripts"]:
        assert script["matches"] == ["http://127.0.0.1/*", "http://localhost/*"]
    for resource in manifest["web_accessible_resources"]:
        assert resource["use_dynamic_url"]


def test_every_file_that_the_manifest_names_is_there() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    script = manifest["content_scripts"][0]
    icons = [*manifest["icons"].values(), *manifest["action"]["default_icon"].values()]
    for name in [
        *icons,
        *script["js"],
        *script["css"],
        manifest["action"]["default_popup"],
        "third_party_licenses.txt",
    ]:
        assert (EXTENSION / name).is_file()

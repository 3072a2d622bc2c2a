"""The built extension as a folder of files."""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path

import pytest

import build
from tools.browser import EXTENSION
from tools.package import LIMIT, archive


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


@pytest.mark.parametrize("browser", build.ARCHIVES)
def test_the_package_is_small_and_holds_the_licences(browser: str) -> None:
    packed = archive(tree(build.DIST / browser))
    assert len(packed) <= LIMIT == 12_000_000
    with zipfile.ZipFile(io.BytesIO(packed)) as read:
        assert {"manifest.json", "LICENSE", "third_party_licenses.txt"} <= set(read.namelist())
        assert read.testzip() is None


def test_the_same_files_make_the_same_archive() -> None:
    files = {"b": b"2" * 1000, "a/c": b"1"}
    assert archive(files) == archive(dict(reversed(files.items())))
    with zipfile.ZipFile(io.BytesIO(archive(files))) as read:
        assert [(entry.filename, entry.date_time[0]) for entry in read.infolist()] == [("a/c", 1980), ("b", 1980)]


def test_a_package_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="more than the 12,000,000"):
        archive({"noise": random.Random(1).randbytes(LIMIT)})


def test_the_manifest_for_firefox_differs_in_what_firefox_needs_alone() -> None:
    chromium, firefox = (
        json.loads((build.DIST / browser / "manifest.json").read_text("utf-8")) for browser in build.ARCHIVES
    )
    differs = {name for name in chromium | firefox if chromium.get(name) != firefox.get(name)}
    assert differs == {
        "minimum_chrome_version",
        "background",
        "web_accessible_resources",
        "browser_specific_settings",
    }
    assert firefox["background"] == {
        "scripts": ["words.js", "sites.js", "idb.js", "thought_store.js", "refine.js", "service_worker.js"]
    }
    assert firefox["browser_specific_settings"]["gecko"]["data_collection_permissions"] == {
        "required": ["none"],
        "optional": ["websiteContent"],
    }


def test_the_manifest_asks_for_little() -> None:
    manifest = json.loads((EXTENSION / "manifest.json").read_text("utf-8"))
    assert manifest["permissions"] == ["storage", "scripting", "activeTab"]
    assert manifest["optional_host_permissions"] == ["http://*/*", "https://*/*"]  # asked for one by one
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
        "welcome.html",
        "changelog.html",
    ]:
        assert (EXTENSION / name).is_file()


def test_what_is_new_is_in_the_package() -> None:
    assert "<h1>Changelog</h1>" in (EXTENSION / "changelog.html").read_text("utf-8")

"""The documents: every link within the project leads somewhere, and every document can be reached."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT,
    capture_output=True,
    text=True,
    check=True,
)
TRACKED = {name for name in FILES.stdout.splitlines() if (ROOT / name).exists()}
DOCUMENTS = sorted(name for name in TRACKED if name.endswith(".md") and not name.startswith(("tests/", "bench/")))

_CODE = re.compile(r"^(```|~~~).*?^\1\s*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def links_in(document: str) -> list[str]:
    return _LINK.findall(_CODE.sub("", (ROOT / document).read_text("utf-8")))


def anchors_in(document: str) -> set[str]:
    """The anchors that a code forge gives to a document's headings."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", (ROOT / document).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {heading.strip().replace(" ", "-") for heading in plain}


def target_of(document: str, link: str) -> tuple[str, str]:
    """The file, from the project's folder on, and the anchor in it."""
    path, _, anchor = link.partition("#")
    file = (ROOT / document).parent / path if path else ROOT / document
    return file.resolve().relative_to(ROOT).as_posix(), anchor


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    broken = []
    for link in links_in(document):
        if re.match(r"https?://", link):
            continue
        file, anchor = target_of(document, link)
        known = file in TRACKED or any(name.startswith(f"{file}/") for name in TRACKED)
        if not known or (anchor and anchor not in anchors_in(file)):
            broken.append(link)
    assert broken == []


def test_every_document_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), ["README.md"]
    while waiting:
        document = waiting.pop()
        if document in reached or document not in DOCUMENTS:
            continue
        reached.add(document)
        waiting += [target_of(document, link)[0] for link in links_in(document) if not re.match(r"https?://", link)]
    parts_of_folders = {name for name in DOCUMENTS if name.startswith(("demo/", "tools/"))}
    assert set(DOCUMENTS) - reached - parts_of_folders == set()


def test_the_link_check_finds_what_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[a](b.md) `[c](d.md)` ![e](f.png#g)\n```\n[h](i.md)\n```\n# One `two`, three!\n"
    (tmp_path / "x.md").write_text(text, "utf-8")
    monkeypatch.setattr("test_docs.ROOT", tmp_path)
    assert links_in("x.md") == ["b.md", "f.png#g"]
    assert anchors_in("x.md") == {"one-two-three"}

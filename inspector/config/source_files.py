"""Watches the source files of a stdio server by polling. Reads names, times and sizes; opens no file.

These are the files among the command and its arguments, the source files in their folders, and those in the working directory. Data files are not
watched: a server that writes one would be restarted for ever.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.config.profile import Profile

POLL_SECONDS = 1.0
"""Between two scans; longer if a scan takes long."""

SHARE = 20
"""The minimum pause between two scans, as a multiple of the time that a scan took."""

MAX_ENTRIES = 20_000
"""Files and folders of one scan."""

SUFFIXES = frozenset(
    [
        *(".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".go"),
        *(".rs", ".java", ".kt", ".scala", ".cs", ".fs", ".rb", ".php", ".lua", ".pl"),
        *(".sh", ".ps1", ".swift", ".dart", ".ex", ".exs"),
    ]
)
"""Endings of source files."""

SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "site-packages", "dist-packages"})
"""Folders with code of packages; folders whose names start with a dot are skipped too."""


class Sources(NamedTuple):
    """The result of one scan."""

    stamps: dict[str, tuple[int, int]]
    """Time of the last change in nanoseconds, and size, by path."""
    is_cut: bool
    """Whether there are more than `MAX_ENTRIES` files and folders."""


def scan(profile: Profile) -> Sources:
    """Return the source files of a server. Blocks: call it in a thread."""
    folder = Path(profile.cwd or ".").expanduser()
    named = [path for arg in (profile.command, *profile.args) if (path := _file(folder, arg))]
    stamps = {str(path): stamp for path in named if (stamp := _stamp(path)) is not None}
    folders = [folder] if profile.cwd else []
    folders += [path.parent for path in named if path.suffix.lower() in SUFFIXES]
    left = MAX_ENTRIES
    for each in dict.fromkeys(folders):
        if _is_project(each):
            for path in _sources(each, left):
                left -= 1
                if path is not None and (stamp := _stamp(path)) is not None:
                    stamps[str(path)] = stamp
    return Sources(stamps, left <= 0)


class SourceWatch:
    """Waits for changes of the source files of one server."""

    def __init__(self, profile: Profile, *, poll_seconds: float = POLL_SECONDS) -> None:
        """`start` makes the first scan."""
        self._profile = profile
        self._poll_seconds = poll_seconds
        self._known = Sources({}, is_cut=False)
        self._took_seconds = 0.0

    async def start(self) -> Sources:
        """Make the first scan and return it."""
        self._known = await self._scan()
        return self._known

    async def changed(self) -> tuple[str, ...]:
        """Wait until files are changed, added or deleted, and no further change follows; return their paths."""
        before = self._known.stamps
        while True:
            await asyncio.sleep(max(self._poll_seconds, self._took_seconds * SHARE))
            now = await self._scan()
            is_stable = now.stamps == self._known.stamps
            self._known = now
            if is_stable and now.stamps != before:
                paths = sorted(before.keys() | now.stamps.keys())
                return tuple(path for path in paths if before.get(path) != now.stamps.get(path))

    async def _scan(self) -> Sources:
        began = time.monotonic()
        found = await asyncio.to_thread(scan, self._profile)
        self._took_seconds = time.monotonic() - began
        return found


def _file(folder: Path, arg: str) -> Path | None:
    """Return the file that an argument names, relative to `folder`; None for anything else."""
    try:
        path = folder / arg
        return path if arg and path.is_file() else None
    except (OSError, ValueError):
        return None


def _is_project(folder: Path) -> bool:
    """Whether a folder can be a project: neither the home folder nor the root of a disk."""
    try:
        whole = folder.resolve()
        return whole.is_dir() and whole not in {Path.home(), Path(whole.anchor)}
    except (OSError, RuntimeError, ValueError):
        return False


def _sources(folder: Path, limit: int) -> Iterator[Path | None]:
    """Yield each entry below `folder`, at most `limit` of them: the path of a source file, None for anything else."""
    pending = [folder]
    while pending and limit > 0:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    limit -= 1
                    if limit < 0:
                        return
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and entry.name not in SKIPPED:
                            pending.append(Path(entry.path))
                        yield None
                    else:
                        path = Path(entry.path)
                        yield path if path.suffix.lower() in SUFFIXES else None
        except OSError:
            continue


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size

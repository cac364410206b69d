"""The source files of a server that is started from here, watched for changes by polling. Reads names, times and sizes; opens nothing.

Watched are the files among the command and its arguments, the source files in their folders, and those in the working directory. Data that
a server may write itself is not source: it would start the server again for ever.
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
"""Between two looks; longer where a look takes long."""

SHARE = 20
"""How many times what a look took passes at least before the next one."""

MAX_ENTRIES = 20_000
"""Files and folders that are looked at."""

SUFFIXES = frozenset(
    [
        ".py",
        ".js",
        ".mjs",
        ".cjs",
        ".ts",
        ".mts",
        ".cts",
        ".jsx",
        ".tsx",
        ".go",
        ".rs",
        ".java",
        ".kt",
        ".scala",
        ".cs",
        ".fs",
        ".rb",
        ".php",
        ".lua",
        ".pl",
        ".sh",
        ".ps1",
        ".swift",
        ".dart",
        ".ex",
        ".exs",
    ]
)
"""Endings of source files."""

SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "site-packages", "dist-packages"})
"""Folders of others' code, beside those whose names begin with a dot."""


class Sources(NamedTuple):
    """What was found at one look."""

    stamps: dict[str, tuple[int, int]]
    """Time of the last change in nanoseconds, and size, by path."""
    is_cut: bool
    """Whether there was more than is looked at."""


def look(profile: Profile) -> Sources:
    """Return the source files of a server as they are now. Blocks: call it from a thread."""
    folder = Path(profile.cwd or ".").expanduser()
    named = [path for word in (profile.command, *profile.args) if (path := _file(folder, word))]
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
        """Nothing is looked at before `start`."""
        self._profile = profile
        self._poll_seconds = poll_seconds
        self._known = Sources({}, is_cut=False)
        self._took_seconds = 0.0

    async def start(self) -> Sources:
        """Look for the first time; return what is watched."""
        self._known = await self._look()
        return self._known

    async def changed(self) -> tuple[str, ...]:
        """Wait until files changed, came or went, and nothing more changes; return their paths."""
        before = self._known.stamps
        while True:
            await asyncio.sleep(max(self._poll_seconds, self._took_seconds * SHARE))
            now = await self._look()
            is_calm = now.stamps == self._known.stamps
            self._known = now
            if is_calm and now.stamps != before:
                paths = sorted(before.keys() | now.stamps.keys())
                return tuple(path for path in paths if before.get(path) != now.stamps.get(path))

    async def _look(self) -> Sources:
        began = time.monotonic()
        found = await asyncio.to_thread(look, self._profile)
        self._took_seconds = time.monotonic() - began
        return found


def _file(folder: Path, word: str) -> Path | None:
    """The file that a word of the command names, from `folder`; None where it is something else."""
    try:
        path = folder / word
        return path if word and path.is_file() else None
    except (OSError, ValueError):
        return None


def _is_project(folder: Path) -> bool:
    """Whether a folder is one that belongs to a server, and not a home or all of a disk."""
    try:
        whole = folder.resolve()
        return whole.is_dir() and whole not in {Path.home(), Path(whole.anchor)}
    except (OSError, RuntimeError, ValueError):
        return False


def _sources(folder: Path, most: int) -> Iterator[Path | None]:
    """Each entry below `folder` up to `most`: the path of a source file, None for anything else."""
    waiting = [folder]
    while waiting and most > 0:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    most -= 1
                    if most < 0:
                        return
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith(".") and entry.name not in SKIPPED:
                            waiting.append(Path(entry.path))
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

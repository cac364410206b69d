"""Processes that carry a mark in their command line, so that none is overlooked; needs /proc."""

from __future__ import annotations

import uuid
from pathlib import Path

from tests.support.programs import lives


def new_mark() -> str:
    """Words that no other process has in its command line."""
    return f"mark-{uuid.uuid4().hex}"


def marked(mark: str) -> list[int]:
    """The processes that live and have `mark` in their command line, oldest first."""
    found = (int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _has(folder, mark))
    return sorted(pid for pid in found if lives(pid))


def _has(folder: Path, mark: str) -> bool:
    try:
        return mark.encode() in (folder / "cmdline").read_bytes()
    except OSError:
        return False

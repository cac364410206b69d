"""The lines of a text file from anywhere, each with its place; one that is too long is skipped without being read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport

_BOM = b"\xef\xbb\xbf"


def text_lines(path: Path, max_bytes: int, report: ImportReport) -> Iterator[tuple[str, bytes]]:
    """Yield where each line is and its bytes, without the newline; blank lines are left out.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(max_bytes + 1):
            number += 1
            if len(line) > max_bytes and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(max_bytes)
                report.skip(f"line {number:,}", "too long")
                continue
            if number == 1:
                line = line.removeprefix(_BOM)
            stripped = line.rstrip(b"\r\n")
            if stripped.strip():
                yield f"line {number:,}", stripped

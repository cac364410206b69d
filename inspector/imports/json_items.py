"""The items of one array in a JSON document of any size: one by one, and as far as a truncated document goes.

Only brackets and strings are examined, in a mapped file, so neither memory nor time depends on more than the bytes; what is inside of an item
is read by the caller.
"""

from __future__ import annotations

import mmap
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.imports.importer import MAX_LINE_BYTES

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from inspector.imports.importer import ImportReport

MAX_DEPTH = 1000
"""Levels of a document; a deeper one is read up to there."""

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},:]', re.DOTALL)


def array_items(path: Path, keys: tuple[str, ...], report: ImportReport) -> Iterator[bytes]:
    """Yield the JSON texts of the items of the array at `keys`, member names from the outermost object on; of the document itself without any.

    A document that ends too early, or is nested too deeply, is a failure in the report.

    Raises:
        OSError: the file cannot be read.
        StorageError: it is empty.
    """
    with mapped(path) as text:
        found = _Walk(text, [name.encode() for name in keys])
        for start, end in found.items():
            if end - start > MAX_LINE_BYTES:
                report.skip(f"byte {start:,}", "too large")
                continue
            yield text[start:end]
        report.failure = found.failure


@contextmanager
def mapped(path: Path) -> Generator[mmap.mmap]:
    """Map a file into memory.

    Raises:
        OSError: the file cannot be read.
        StorageError: it is empty.
    """
    with path.open("rb") as file:
        try:
            text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError as error:
            raise StorageError(f"{path} is empty") from error
        with text:
            yield text


class _Walk:
    """One way through a document."""

    def __init__(self, text: mmap.mmap, keys: list[bytes]) -> None:
        self.failure = ""
        self._text = text
        self._path = keys
        self._open: list[int] = []
        """The opening brackets of the containers around."""
        self._names: list[bytes] = []
        """The name of the member that is read, of each container around; empty for an array."""
        self._start = 0
        """Where the item that is read may begin."""

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield where each item begins and ends."""
        string = b""
        for token in _TOKEN.finditer(self._text):
            sign = token[0]
            if sign[:1] == b'"':
                string = sign[1:-1]
            elif sign == b":":
                if self._names:
                    self._names[-1] = string
            elif sign in b"[{":
                if len(self._open) >= MAX_DEPTH:
                    self.failure = f"nested too deeply at byte {token.start():,}"
                    return
                self._enter(sign, token.end())
            else:
                if self._is_target():
                    yield from self._item(token.start())
                    self._start = token.end()
                if sign != b"," and self._open:
                    self._open.pop()
                    self._names.pop()
                    if not self._open:
                        return
        self.failure = "the document is not complete"

    def _enter(self, sign: bytes, end: int) -> None:
        self._open.append(sign[0])
        self._names.append(b"")
        if self._is_target():
            self._start = end

    def _is_target(self) -> bool:
        depth = len(self._path)
        return (
            len(self._open) == depth + 1
            and self._open[-1] == 0x5B
            and self._names[:depth] == self._path
        )

    def _item(self, end: int) -> Iterator[tuple[int, int]]:
        if self._text[self._start : end].strip():
            yield self._start, end

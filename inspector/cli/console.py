"""The only place that writes to the terminal (results to stdout, everything about them to stderr) and reads from it."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import shutil
import sys
import threading
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from inspector.visible_text import one_line, visible, visible_json
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Sequence

    from inspector.wire.json_codec import Json, JsonObject

UNLIMITED_COLUMNS = 1 << 30
"""Columns of a file or pipe."""

MAX_ALIGNED_COLUMNS = 40
"""Columns up to which the cells of a table are aligned."""

MAX_STRING_LENGTH = 400
"""Characters of a string in a JSON value for reading; `--json` prints every character."""

MAX_DEPTH = 100
"""Levels of a JSON value in which long strings are cut."""

READ_BYTES = 65_536

MAX_LINE_BYTES = 1 << 20
"""Of a longer line of input the rest is dropped; a URL with a code is far shorter."""

_WIDE = {"W", "F"}


class OutputError(Exception):
    """Standard output, or the file in its place, cannot be written."""


class Discarded(io.StringIO):
    """A stream that keeps nothing: in place of one that is closed, or cannot be written."""

    def write(self, s: str) -> int:
        """Return the length of a text, as if it was written."""
        return len(s)


class Console:
    """Standard output and standard error."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        """Write results to `out` and the rest to `err`."""
        self._out = out
        self._err = err
        self.mask: Callable[[str], str] = str
        """Masks known secrets in everything except results: a server may repeat them in an error."""
        self.masks_results = False
        """Whether known secrets are masked in results, too."""
        self.unfinished: JsonObject = {}
        """What a command has of its JSON document when it fails: printed together with the failure."""
        self.internal_errors = 0
        """How many internal errors were printed."""
        self._is_terminal = out.isatty()
        terminal = shutil.get_terminal_size()
        self.columns = terminal.columns if self._is_terminal else UNLIMITED_COLUMNS

    @property
    def is_terminal(self) -> bool:
        """Whether results are printed on a terminal."""
        return self._is_terminal

    @classmethod
    def standard(cls, out: TextIO | None = None) -> Console:
        """Return the streams of this process, or `out` in place of standard output; what they cannot encode is written as escapes.

        Raises:
            OutputError: standard output was closed before the program started, as `>&-` does.
        """
        out, err = out or _stream("stdout"), _stream("stderr")
        if out is None:
            raise OutputError("standard output is closed")
        return cls(out, Discarded() if err is None else err)

    def out(self, text: str = "") -> None:
        """One or more lines of text; control characters are escaped."""
        self._write(visible(self._result(text)) + "\n")

    def out_exact(self, text: str, end: str = "\n") -> None:
        """Text for a file or another program, and `end`; control characters are escaped on a terminal only."""
        text = self._result(text)
        self._write((visible(text) if self._is_terminal else text) + end)

    def out_value(self, value: Json) -> None:
        """A JSON value, indented, with long strings cut."""
        self.out(json_codec.write(shorten_strings(value), indent=2))

    def out_row(self, cells: Sequence[str], widths: Sequence[int]) -> None:
        """One row of a table: every cell one line, all but the last padded, cut at the edge of the terminal."""
        texts = [row_text(self._result(cell)) for cell in cells]
        padded = [cell + " " * (to - width(cell)) for cell, to in zip(texts, widths, strict=False)]
        line = "  ".join([*padded, *texts[len(padded) :]]).rstrip()
        self._write(cut_columns(line, self.columns) + "\n")

    def out_table(self, rows: Sequence[Sequence[str]], indent: str = "") -> None:
        """A table; the columns are as wide as their widest cell, within reason."""
        if not rows:
            return
        widths = [max(width(row_text(row[at])) for row in rows) for at in range(len(rows[0]) - 1)]
        widths = [min(MAX_ALIGNED_COLUMNS, columns) for columns in widths]
        for row in rows:
            self.out_row([indent + row[0], *row[1:]], [widths[0] + len(indent), *widths[1:]])

    def out_json(self, value: Json, *, hides: bool = False) -> None:
        """One JSON document on one line, in UTF-8 on every terminal; `hides` masks known secrets.

        On a terminal, what it would act on or hide is written as JSON escapes.
        """
        self._flush()
        text = json_codec.write(value)
        text = self.mask(text) if hides else self._result(text)
        data = (visible_json(text) if self._is_terminal else text).encode() + b"\n"
        buffer = getattr(self._out, "buffer", None)
        if isinstance(buffer, io.BufferedIOBase):
            with output_errors():
                buffer.write(data)
        else:
            self._write(data.decode())

    def out_failure(self, failure: JsonObject) -> None:
        """The JSON document of a failure, with known secrets masked."""
        self.out_json({**self.unfinished, **failure}, hides=True)
        self.unfinished = {}

    def out_bytes(self, data: bytes) -> None:
        """Bytes, unchanged; on a terminal only what it can show of them, as text."""
        self._flush()
        buffer = getattr(self._out, "buffer", None)
        if self._is_terminal or not isinstance(buffer, io.BufferedIOBase):
            self._write(visible(data.decode("utf-8", "replace")))
            return
        with output_errors():
            buffer.write(data)

    def err(self, text: str, *, with_secrets: bool = False) -> None:
        """One or more lines on stderr; known secrets are masked unless the user has to see them."""
        self._write_err(visible(text if with_secrets else self.mask(text)) + "\n")

    def err_internal(self, text: str) -> None:
        """An internal error on stderr; known secrets are masked. It counts whether or not anything reads it."""
        self.internal_errors += 1
        try:
            self.err(text)
        except BrokenPipeError:
            self._discard_err()

    def writing_to(self, out: TextIO, err: TextIO | None = None) -> Console:
        """Return a console whose results go to `out`, and the rest to `err` or where it went."""
        made = Console(out, err or self._err)
        made.mask, made.masks_results = self.mask, self.masks_results
        return made

    def redirect_errors(self, err: TextIO) -> None:
        """Write to `err` from now on what went to standard error."""
        self._err = err

    def pass_on(self, text: str, *, to_err: bool = False) -> None:
        """Print what another console has made safe for this terminal."""
        if to_err:
            self._write_err(text)
        else:
            self._write(text)

    def prompt(self, text: str) -> None:
        """Ask for a line on stderr."""
        self.flush()
        self._write_err(text, flushes=True)

    def flush(self) -> None:
        """Write out everything that is buffered.

        Raises:
            OutputError: standard output cannot be written.
        """
        self._flush()
        self._write_err("", flushes=True)

    def _write_err(self, text: str, *, flushes: bool = False) -> None:
        """Write to stderr; what cannot be written there, as to a full disk, is lost, and the command goes on."""
        try:
            self._err.write(text)
            if flushes:
                self._err.flush()
        except BrokenPipeError:
            raise
        except OSError:
            self._discard_err()

    def _discard_err(self) -> None:
        with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nothing:
            # Python would write what is buffered once more
            os.dup2(nothing.fileno(), self._err.fileno())
        self._err = Discarded()

    def _result(self, text: str) -> str:
        return self.mask(text) if self.masks_results else text

    def _write(self, text: str) -> None:
        with output_errors():
            self._out.write(text)

    def _flush(self) -> None:
        with output_errors():
            self._out.flush()


def indented(text: str, blanks: int = 4) -> str:
    """Return `text` with `blanks` before each line."""
    return "\n".join(f"{' ' * blanks}{line}" for line in text.split("\n"))


def row_text(text: str) -> str:
    """Return `text` for one row, however long it is: newlines and tabs as signs."""
    return one_line(text.replace("\r\n", "\n"), len(text))


def width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def cut_columns(text: str, columns: int) -> str:
    """`text`, shortened so that it takes at most `columns`."""
    if width(text) <= columns:
        return text
    taken = 0
    for position, character in enumerate(text):
        taken += _columns(character)
        if taken > columns - 1:
            return text[:position] + "…"
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def shorten_strings(value: Json, depth: int = 0) -> Json:
    """Return `value` with long strings cut, such as images and audio in base64."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, str) and len(value) > MAX_STRING_LENGTH:
        return f"{value[:MAX_STRING_LENGTH]}… ({len(value):,} characters)"
    if isinstance(value, list):
        return [shorten_strings(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: shorten_strings(item, depth + 1) for key, item in value.items()}
    return value


@contextlib.contextmanager
def output_errors() -> Generator[None]:
    """Yield a reader that closes the pipe is no error; a full disk and a closed file are."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise OutputError(str(error)) from error


def _stream(name: str) -> TextIO | None:
    """Return a stream of this process; None if it is closed, which the types of Python do not declare."""
    stream: TextIO | None = getattr(sys, name)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream


class Keyboard:
    """Lines from one file descriptor.

    A thread reads them, because no event loop can wait for a terminal on every system. It is a daemon and reads the descriptor itself: a thread
    that waits in a buffered reader would keep the program from ending.
    """

    def __init__(self, descriptor: int | None) -> None:
        """Read from `descriptor`; None if there is no standard input."""
        self._descriptor = descriptor
        self.on_interrupt: Callable[[], bool] = lambda: False
        """Called for Ctrl+C; returns whether that was all it should do. Otherwise the program ends."""
        self._arrived: asyncio.Queue[bytes] | None = None
        self._rest = b""

    @classmethod
    def standard(cls) -> Keyboard:
        """Return the standard input of this process."""
        try:
            return cls(sys.stdin.fileno())
        except (AttributeError, OSError, ValueError):  # closed, or no file at all
            return cls(None)

    @property
    def is_terminal(self) -> bool:
        """Whether a user can type."""
        return self._descriptor is not None and os.isatty(self._descriptor)

    async def lines(self) -> AsyncIterator[str]:
        """Yield every line without its end until the input ends; a later call continues with the next line."""
        if self._descriptor is None:
            return
        if self._arrived is None:
            self._arrived = asyncio.Queue()
            _start_reading(self._descriptor, self._arrived)
        while data := await self._arrived.get():
            *lines, rest = (self._rest + data).split(b"\n")
            self._rest = rest[:MAX_LINE_BYTES]
            for line in lines:
                yield _text(line)
        self._arrived.put_nowait(b"")  # the end stays the end
        if self._rest:
            line, self._rest = self._rest, b""
            yield _text(line)


def _start_reading(descriptor: int, arrived: asyncio.Queue[bytes]) -> None:
    """Add what is typed to a queue; an empty piece is the end."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        data = b"begin"
        while data:
            try:
                data = os.read(descriptor, READ_BYTES)
            except OSError:
                data = b""
            try:
                loop.call_soon_threadsafe(arrived.put_nowait, data)
            except RuntimeError:  # the event loop has ended
                return

    threading.Thread(target=read, name="read standard input", daemon=True).start()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")

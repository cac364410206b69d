"""The file of `--output`: what was there before stays until the output of the command is complete.

It is written beside the old one, which it replaces at the end; a command that is interrupted, or fails before it printed anything, leaves the old
one as it is. So a command may also read the file that it replaces. What is printed as it arrives, for others to follow, and what is no regular
file (a pipe, `/dev/stdout`) is written directly.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from inspector.cli.command import FIRST_SIGNAL, SUCCESS
from inspector.cli.console import OutputError, output_errors

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from typing import TextIO


class OutputFile:
    """An open file in place of standard output."""

    def __init__(self, path: Path, *, is_followed: bool) -> None:
        """Write to `path` in the end; at once if it `is_followed` by others.

        Raises:
            OutputError: the file cannot be made or written.
        """
        self._is_whole = False
        with output_errors():
            self._path = _resolved(path)
            self._is_new = not self._path.exists()
            is_regular = self._is_new or self._path.is_file()
            if is_regular and not self._is_new:
                os.close(os.open(self._path, os.O_WRONLY))  # it may be protected against changes
            self._made = None if is_followed or not is_regular else self._beside()
            self.out: TextIO = (self._made or self._path).open(
                "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            )
            """Where to write."""
            if self._made is not None and not self._is_new:
                self._made.chmod(self._path.stat().st_mode & 0o777)

    def settle(self, code: int) -> str:
        """Decide by the exit code of the command what becomes of the file; returns what to tell the user."""
        with output_errors():
            is_empty = self.out.tell() == 0
        self._is_whole = code == SUCCESS or (code < FIRST_SIGNAL and not is_empty)
        if self._made is None or self._is_new:
            return ""
        return f"{self._path} is {'replaced' if self._is_whole else 'unchanged'}"

    def close(self) -> None:
        """Close the file, and put it in place if it is whole."""
        try:
            with output_errors():
                self.out.close()  # writes what is buffered
                if self._made is not None and self._is_whole:
                    self._made.replace(self._path)
        finally:
            if self._made is not None:
                with contextlib.suppress(OSError):
                    self._made.unlink(missing_ok=True)

    def _beside(self) -> Path | None:
        """Return the path of a new file in the same folder; None if the folder takes none, and the file itself has to be written."""
        made = self._path.with_name(f".{self._path.name}.{os.urandom(4).hex()}.part")
        try:
            made.touch(exist_ok=False)
        except OSError:
            return None
        return made


def _resolved(path: Path) -> Path:
    """Return where the file is that a symbolic link may stand for."""
    try:
        return path.resolve()
    except RuntimeError as error:  # before Python 3.13: links that lead to themselves
        raise OutputError(str(error)) from error


@contextlib.contextmanager
def redirected(
    path: Path | None, *, is_followed: bool = False, makes_folder: bool = False
) -> Generator[OutputFile | None]:
    """Open the file in place of standard output, in a new folder if it `makes_folder`; yields None without a path.

    Raises:
        OutputError: the file cannot be made or written.
    """
    if path is None:
        yield None
        return
    if makes_folder:
        with output_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
    file = OutputFile(path, is_followed=is_followed)
    try:
        yield file
    finally:
        file.close()

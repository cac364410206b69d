"""A command line split into tokens, as a POSIX shell would split it. Pure; nothing is ever expanded.

Differs from `shlex` in two ways: operators (`|`, `&&`, `>` …) are tokens of their own when unquoted, and a
text with Windows paths keeps its backslashes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPERATOR = re.compile(r"\d*(?:&>>?|>>|>&|<<<|<<|<&|>|<)|&&|\|\||\|&|[|;&\n()]")
_WINDOWS = re.compile(r"""(?:^|[\s"'=])(?:[A-Za-z]:\\|\\\\\w|\.{1,2}\\|%\w+%)""")
_SPACED_PROGRAM = re.compile(
    r"^([A-Za-z]:\\[^\"\n]{0,500} [^\"\n]{0,500}?\.(?:exe|cmd|bat))(?=\s|$)", re.I
)
_CONTINUED = re.compile(r"[\\`^]\r?\n")
_ANGLED = re.compile(r"<[A-Za-z][\w.-]*>(?=[\s\"']|$)")
"""`<TOKEN>`: a placeholder where a value belongs, not two redirections."""

_SUBSTITUTION = re.compile(r"\$\([^()]*\)|`[^`]*`")
_EXPANDING = re.compile(r"\$[\w{(]|`|\*|%\w+%")


class ShellToken(FrozenStruct, frozen=True):
    """An argument or operator of a command line."""

    text: str
    """The token without its quotes."""
    is_operator: bool = False
    """Whether it is an unquoted shell operator."""
    is_expanded: bool = False
    """Whether a shell would have replaced a part (`$HOME`, `~`, `$(…)`)."""


class UnclosedQuote(ValueError):
    """A quote was opened and never closed."""


def has_windows_paths(text: str) -> bool:
    """Return whether `text` has Windows paths, whose backslashes are no escapes."""
    return bool(_WINDOWS.search(text))


def quote_program(text: str) -> str:
    r"""Quote a leading Windows program whose path holds spaces (`C:\Program Files\x.exe`)."""
    return _SPACED_PROGRAM.sub(lambda found: f'"{found[1]}"', text)


def shell_split(text: str) -> tuple[ShellToken, ...]:
    r"""Split a command line into tokens.

    Raises:
        UnclosedQuote: a quote is not closed.
    """
    return tuple(_Splitter(text, escapes=not has_windows_paths(text)).tokens())


@dataclass
class _Splitter:
    """Reads a text from left to right."""

    text: str
    escapes: bool
    """Whether a backslash outside single quotes is an escape."""
    at: int = 0
    part: list[str] = field(default_factory=list[str])
    started: bool = False
    """Whether a token is being collected (it may be empty, as in `""`)."""
    expanding: bool = False

    def tokens(self) -> Iterator[ShellToken]:
        while self.at < len(self.text):
            char = self.text[self.at]
            if continued := _CONTINUED.match(self.text, self.at):
                self.at = continued.end()
                continue
            operator = None if char in " \t\r" else self._operator()
            if operator or char in " \t\r":
                yield from self._finish()
                self.at += len(operator) if operator else 1
                if operator:
                    yield ShellToken(operator, is_operator=True)
            elif char == "#" and not self.started:
                self._skip_comment()
            else:
                self._read_char(char)
        yield from self._finish()

    def _operator(self) -> str | None:
        if _ANGLED.match(self.text, self.at):
            return None
        found = _OPERATOR.match(self.text, self.at)
        if not found or (self.started and found[0][0].isdigit()):
            return None
        return None if found[0] == "&" and self._in_query() else found[0]

    def _in_query(self) -> bool:
        """Return whether an ampersand is part of an unquoted URL, which users forget to quote."""
        following = self.text[self.at + 1 : self.at + 2]
        beginning = "".join(self.part[: len("https:")])
        return following.isalnum() and beginning.startswith(("http:", "https:"))

    def _skip_comment(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _read_char(self, char: str) -> None:
        if char == "'":
            self._quoted("'")
        elif char == '"':
            self._quoted('"')
        elif found := _SUBSTITUTION.match(self.text, self.at):
            self.expanding = True
            self._add(found[0], len(found[0]))
        elif char == "\\" and self.escapes:
            self._add(self.text[self.at + 1 : self.at + 2] or "\\", 2)
        elif found := _ANGLED.match(self.text, self.at):
            self._add(found[0], len(found[0]))
        else:
            is_home = char == "~" and not self.started
            self.expanding |= bool(_EXPANDING.match(self.text, self.at)) or is_home
            self._add(char, 1)

    def _add(self, text: str, length: int) -> None:
        self.part.append(text)
        self.started = True
        self.at += length

    def _quoted(self, quote: str) -> None:
        end, text = self.at + 1, ""
        while end < len(self.text) and self.text[end] != quote:
            if quote == '"' and self._is_escape(end):
                end += 1
            elif quote == '"' and self.text[end] in "$`":
                self.expanding |= bool(_EXPANDING.match(self.text, end))
            text += self.text[end]
            end += 1
        if end >= len(self.text):
            raise UnclosedQuote(f"unclosed quote {quote} at character {self.at + 1}")
        self._add(text, end + 1 - self.at)

    def _is_escape(self, at: int) -> bool:
        if self.text[at] != "\\" or at + 1 >= len(self.text):
            return False
        following = self.text[at + 1]
        return following in '"\\$`\n' if self.escapes else following == '"'

    def _finish(self) -> Iterator[ShellToken]:
        if self.started:
            yield ShellToken("".join(self.part), is_expanded=self.expanding)
        self.part, self.started, self.expanding = [], False, False

"""A command line to a `Profile`. No shell is ever run, nothing is expanded: what only a shell could do becomes a warning.

The shape is: environment assignments, then a program, then its arguments. Of several commands joined together the one that most likely is the
server is used, and the others are named. A text with Windows paths keeps its backslashes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from inspector.config.importers.result import NotRecognized
from inspector.config.profile import Profile
from inspector.frozen import FrozenStruct
from inspector.wire.shell_tokens import split_pasted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.wire.shell_tokens import Piece, PlacedToken

_WINDOWS = re.compile(r"""(?:^|[\s"'=])(?:[A-Za-z]:\\|\\\\\w|\.{1,2}\\|%\w+%)""")
_SPACED_PROGRAM = re.compile(
    r"^([A-Za-z]:\\[^\"\n]{0,500} [^\"\n]{0,500}?\.(?:exe|cmd|bat))(?=\s|$)", re.I
)
_EXPANDING = re.compile(r"\$[\w{(]|`|\*|%\w+%")
_EXPANDING_IN_QUOTES = re.compile(r"\$[\w{(]|`")
_PROMPT = re.compile(r"\s*(?:\$|%|❯|>|PS [^>\n]*>|[A-Za-z]:\\[^>\s]*>)[ \t]+")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_POWERSHELL = re.compile(r"\$env:(\w+)(?:=(.*))?", re.DOTALL | re.IGNORECASE)
_REDIRECT = re.compile(r"\d*[<>&]*[<>][<>&|]*")
NO_SHELL = "Spyglass runs programs without a shell"


class ShellToken(FrozenStruct, frozen=True):
    """An argument or operator of a command line."""

    text: str
    """The token without its quotes."""
    is_operator: bool = False
    """Whether it is an unquoted shell operator."""
    is_expanded: bool = False
    """Whether a shell would have replaced a part (`$HOME`, `~`, `$(…)`)."""


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
    found = split_pasted(text, has_escapes=not has_windows_paths(text))
    return tuple(
        ShellToken(each.text, each.is_operator, not each.is_operator and _is_expanded(text, each))
        for each in found
    )


def _is_expanded(line: str, token: PlacedToken) -> bool:
    """Return whether a shell would have replaced a part of a token."""
    if line.startswith("~", token.start):
        return True
    if not token.pieces:
        return _expands(line, token.start, token.start + len(token.text), _EXPANDING)
    return any(_is_piece_expanded(line, each) for each in token.pieces)


def _is_piece_expanded(line: str, piece: Piece) -> bool:
    start, end = piece.start, piece.end
    is_escape = line.startswith("\\", start) and end - start == 2
    if is_escape or (piece.quotes is not None and line.startswith("'", piece.quotes[0])):
        return False
    return _expands(line, start, end, _EXPANDING if piece.quotes is None else _EXPANDING_IN_QUOTES)


def _expands(line: str, start: int, end: int, pattern: re.Pattern[str]) -> bool:
    """Return whether a shell would replace something in a part of a line; a substitution without an end is an operator from its parenthesis on."""
    return pattern.search(line, start, end) is not None or line.startswith("$(", end - 1)


@dataclass
class Segment:
    """One command of a command line."""

    tokens: list[str] = field(default_factory=list[str])
    """The program and its arguments, without redirections."""
    after: str = ""
    """The operator that ends it."""
    expanded: list[str] = field(default_factory=list[str])
    """Arguments that a shell would have replaced."""
    redirections: list[str] = field(default_factory=list[str])
    """Redirections as written."""

    @property
    def text(self) -> str:
        """The command for display."""
        return " ".join(self.tokens)


def segments(text: str) -> list[Segment]:
    """Split a text into its commands.

    Raises:
        UnclosedQuote: a quote is not closed.
    """
    found = [Segment()]
    split = iter(shell_split(quote_program(_without_prompt(text))))
    for token in split:
        if token.is_operator and _REDIRECT.fullmatch(token.text):
            target = next(split, ShellToken(""))
            found[-1].redirections.append(f"{token.text}{target.text}")
        elif token.is_operator:
            found[-1].after = token.text
            found.append(Segment())
        else:
            found[-1].tokens.append(token.text)
            if token.is_expanded:
                found[-1].expanded.append(token.text)
    for segment in found[1:]:
        if segment.tokens[:1] in (["$"], ["%"], ["❯"]):  # a prompt that was copied along
            del segment.tokens[0]
    return [segment for segment in found if segment.tokens]


_SENTENCE_WORD = re.compile(
    r"a|add|after|an|and|any|apply|before|by|can|click|copy|create|edit|ensure|enter|execute|finally|first|"
    r"follow|following|for|from|in|insert|install|into|it|its|launch|make|next|note|of|on|once|open|"
    r"optional|optionally|or|paste|place|please|put|replace|restart|run|save|see|select|so|start|step|"
    r"steps|that|the|then|these|this|to|use|using|we|when|where|with|you|your",
    re.IGNORECASE,
)
"""What begins a sentence and is the name of no server program."""


def is_prose(segment: Segment) -> bool:
    """Return whether a command is a line of text, of a configuration or of headers: no program is named like its first word."""
    program, *rest = segment.tokens
    if not re.search(r"\w", program) or program.endswith((":", ",", ";")):
        return True
    if rest[:1] == ["="]:
        return not _POWERSHELL.fullmatch(program)
    return bool(rest) and bool(_SENTENCE_WORD.fullmatch(program))


def _without_prompt(text: str) -> str:
    found = _PROMPT.match(text)
    return text[found.end() :] if found else text


@dataclass
class CommandReader:
    """The environment and working directory that commands set for the server."""

    env: dict[str, str] = field(default_factory=dict[str, str])
    cwd: str = ""
    warnings: list[str] = field(default_factory=list[str])

    def prepares(self, segment: Segment) -> bool:
        """Read a command that only prepares the next one: `cd DIR`, `export K=V`, `set K=V`."""
        tokens = segment.tokens
        if tokens[0] in ("cd", "pushd", "Set-Location") and len(tokens) == 2 and segment.after:
            self.cwd = tokens[1]
            self.warnings.append(f"Working directory set from “cd {tokens[1]}”.")
            return True
        if tokens[0] in ("export", "set", "setx") and segment.after:
            tokens = tokens[1:]
        elif not segment.after:
            return False
        rest = self.assignments(tokens)
        return not rest

    def assignments(self, tokens: list[str]) -> list[str]:
        """Read the leading `KEY=value` arguments (and the program `env`); return the rest."""
        at = 0
        while at < len(tokens) and (taken := self._assignment(tokens[at : at + 3])):
            at += taken
        return tokens[at:]

    def _assignment(self, tokens: list[str]) -> int:
        """Read one assignment; return how many arguments it took."""
        if found := _ASSIGNMENT.fullmatch(tokens[0]):
            self.env[found[1]] = found[2].rstrip() if found[2].isspace() else found[2]
            return 1
        if found := _POWERSHELL.fullmatch(tokens[0]):
            if found[2] is not None:
                self.env[found[1]] = found[2]
                return 1
            if len(tokens) >= 3 and tokens[1] == "=":
                self.env[found[1]] = tokens[2]
                return 3
        plain_env = tokens[0] in ("env", "/usr/bin/env") and len(tokens) > 1
        return 1 if plain_env and not tokens[1].startswith("-") else 0


def read_segments(found: Sequence[Segment]) -> tuple[Profile, tuple[str, ...]] | NotRecognized:
    """Return the profile that the commands of one line describe, and warnings."""
    reading = CommandReader()
    commands = [segment for segment in found if not reading.prepares(segment)]
    if not commands:
        return NotRecognized("No program found, only setup commands.")
    chosen = _choose(commands)
    tokens = reading.assignments(chosen.tokens)
    if not tokens:
        return NotRecognized("Environment variables found, but no program.")
    reading.warnings += _about(commands, chosen)
    profile = Profile(
        transport="stdio",
        command=tokens[0],
        args=tuple(tokens[1:]),
        env=tuple(reading.env.items()),
        cwd=reading.cwd,
    )
    return profile, tuple(reading.warnings)


def _choose(commands: Sequence[Segment]) -> Segment:
    """Return the command that most likely is the server: after `&&` the last, of a pipe the first."""
    chosen = commands[0]
    for before, segment in pairwise(commands):
        if before.after in ("|", "|&", "||"):
            break
        chosen = segment
    return chosen


def _about(commands: Sequence[Segment], chosen: Segment) -> list[str]:
    warnings = [
        f"{NO_SHELL}; “{segment.text}” was ignored."
        for segment in commands
        if segment is not chosen
    ]
    if chosen.redirections:
        warnings.append(f"{NO_SHELL}; redirection “{' '.join(chosen.redirections)}” was ignored.")
    if chosen.after == "&":
        warnings.append("Trailing “&” was ignored; Spyglass manages the server process.")
    warnings += [f"{NO_SHELL}; “{arg}” is passed unchanged." for arg in chosen.expanded]
    return warnings

"""A command line to a `Profile`. No shell is ever run: what only a shell could do becomes words.

The shape is: environment assignments, then a program, then its arguments. Of several commands
joined together the one that most likely is the server is used, and the others are named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from inspector.config.importers.result import NotRecognized
from inspector.config.importers.shell_split import (
    ShellToken,
    quote_program,
    shell_split,
)
from inspector.config.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROMPT = re.compile(r"\s*(?:\$|%|❯|>|PS [^>\n]*>|[A-Za-z]:\\[^>\s]*>)[ \t]+")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_POWERSHELL = re.compile(r"\$env:(\w+)(?:=(.*))?", re.DOTALL | re.IGNORECASE)
_REDIRECT = re.compile(r"\d*[<>&]*[<>][<>&|]*")
NO_SHELL = "Spyglass runs programs without a shell"


@dataclass
class Segment:
    """One command of a command line."""

    words: list[str] = field(default_factory=list[str])
    """The words, redirections left out."""
    after: str = ""
    """The operator that ends it."""
    expanding: list[str] = field(default_factory=list[str])
    """Words a shell would have replaced."""
    redirections: list[str] = field(default_factory=list[str])
    """Redirections as written."""

    @property
    def text(self) -> str:
        """The command for display."""
        return " ".join(self.words)


def segments(text: str) -> list[Segment]:
    """Cut a text into the commands it holds.

    Raises:
        UnclosedQuote: a quotation has no end.
    """
    found = [Segment()]
    words = iter(shell_split(quote_program(_without_prompt(text))))
    for word in words:
        if word.is_operator and _REDIRECT.fullmatch(word.text):
            target = next(words, ShellToken(""))
            found[-1].redirections.append(f"{word.text}{target.text}")
        elif word.is_operator:
            found[-1].after = word.text
            found.append(Segment())
        else:
            found[-1].words.append(word.text)
            if word.is_expanded:
                found[-1].expanding.append(word.text)
    for segment in found[1:]:
        if segment.words[:1] in (["$"], ["%"], ["❯"]):  # a prompt that was copied along
            del segment.words[0]
    return [segment for segment in found if segment.words]


_SENTENCE_WORD = re.compile(
    r"a|add|after|an|and|any|apply|before|by|can|click|copy|create|edit|ensure|enter|execute|finally|first|"
    r"follow|following|for|from|in|insert|install|into|it|its|launch|make|next|note|of|on|once|open|"
    r"optional|optionally|or|paste|place|please|put|replace|restart|run|save|see|select|so|start|step|"
    r"steps|that|the|then|these|this|to|use|using|we|when|where|with|you|your",
    re.IGNORECASE,
)
"""Words that begin sentences and name no program that serves."""


def is_prose(segment: Segment) -> bool:
    """Return whether a command is a line of text, of a configuration or of headers: no program is named like its first word."""
    first, *rest = segment.words
    if not re.search(r"\w", first) or first.endswith((":", ",", ";")):
        return True
    if rest[:1] == ["="]:
        return not _POWERSHELL.fullmatch(first)
    return bool(rest) and bool(_SENTENCE_WORD.fullmatch(first))


def _without_prompt(text: str) -> str:
    found = _PROMPT.match(text)
    return text[found.end() :] if found else text


@dataclass
class CommandReading:
    """A profile in the making."""

    env: dict[str, str] = field(default_factory=dict[str, str])
    cwd: str = ""
    warnings: list[str] = field(default_factory=list[str])

    def prepares(self, segment: Segment) -> bool:
        """Take in a command that only prepares the next one: `cd DIR`, `export K=V`, `set K=V`."""
        words = segment.words
        if words[0] in ("cd", "pushd", "Set-Location") and len(words) == 2 and segment.after:
            self.cwd = words[1]
            self.warnings.append(f"Working directory set from “cd {words[1]}”.")
            return True
        if words[0] in ("export", "set", "setx") and segment.after:
            words = words[1:]
        elif not segment.after:
            return False
        rest = self.assignments(words)
        return not rest

    def assignments(self, words: list[str]) -> list[str]:
        """Take leading `KEY=value` words (and the program `env`) away; return the rest."""
        at = 0
        while at < len(words) and (taken := self._assignment(words[at : at + 3])):
            at += taken
        return words[at:]

    def _assignment(self, words: list[str]) -> int:
        """Take in one assignment; return how many words it took."""
        if found := _ASSIGNMENT.fullmatch(words[0]):
            self.env[found[1]] = found[2].rstrip() if found[2].isspace() else found[2]
            return 1
        if found := _POWERSHELL.fullmatch(words[0]):
            if found[2] is not None:
                self.env[found[1]] = found[2]
                return 1
            if len(words) >= 3 and words[1] == "=":
                self.env[found[1]] = words[2]
                return 3
        plain_env = words[0] in ("env", "/usr/bin/env") and len(words) > 1
        return 1 if plain_env and not words[1].startswith("-") else 0


def read_segments(found: Sequence[Segment]) -> tuple[Profile, tuple[str, ...]] | NotRecognized:
    """Return the profile that the commands of one line describe, and warnings."""
    reading = CommandReading()
    commands = [segment for segment in found if not reading.prepares(segment)]
    if not commands:
        return NotRecognized("No program found, only setup commands.")
    chosen = _choose(commands)
    words = reading.assignments(chosen.words)
    if not words:
        return NotRecognized("Environment variables found, but no program.")
    reading.warnings += _about(commands, chosen)
    profile = Profile(
        transport="stdio",
        command=words[0],
        args=tuple(words[1:]),
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
    words = [
        f"{NO_SHELL}; “{segment.text}” was ignored."
        for segment in commands
        if segment is not chosen
    ]
    if chosen.redirections:
        words.append(f"{NO_SHELL}; redirection “{' '.join(chosen.redirections)}” was ignored.")
    if chosen.after == "&":
        words.append("Trailing “&” was ignored; Spyglass manages the server process.")
    words += [f"{NO_SHELL}; “{word}” is passed unchanged." for word in chosen.expanding]
    return words

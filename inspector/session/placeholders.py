"""Placeholders in configuration: texts that another client, or the user, is expected to replace. Pure.

Spyglass sends every value exactly as it is written, so a placeholder reaches the server unless the user replaces it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.session.transport_factory import transport_kind
from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.transport_factory import ConnectionTarget

_SUBSTITUTED = re.compile(
    r"\$\{\{[^{}]*\}\}"  # ${{ secrets.X }} (Continue)
    r"|\$\{[^{}]*\}"  # ${X}, ${env:X}, ${input:x}, ${X:-default}
    r"|\{\{[^{}]+\}\}"  # {{server.key}} (Docker), {{USER}} (LibreChat)
    r"|\{(?:env|file|input|secret):[^{}]+\}"  # {env:X} (opencode)
    r"|\$\([^()]+\)"  # $(command)
    r"|\$env:\w+"  # PowerShell
    r"|(?<![\w$\\])\$[A-Za-z_]\w*"  # $X
    rf"|{MASK}"  # of a configuration that was copied without its secrets
)
_WINDOWS = re.compile(r"%[A-Za-z_]\w*%")
_BRACED = re.compile(r"\{[A-Za-z_][\w.-]*\}")
_ANGLED = re.compile(r"(?<!\w)<[A-Za-z][\w .:/-]*>(?!\w)")
_ASSIGNMENT = re.compile(r"--?[\w-]+=")
_WRITTEN = re.compile(
    r"\[?\b(?:your|my|insert|enter|replace|paste)[-_ ](?:[\w -]{0,60}?[-_ ])??(?:api[-_ ]?key|key|token|secret|password|pat|id|here|with|me)\b[^,;\s]*"
    r"|\b(?:changeme|change[-_]me|replaceme|todo)\b"
    r"|\b(?:API|ACCESS|AUTH|SECRET)_(?:KEY|TOKEN)(?:_HERE)?\b"
    r"|\b(?:sk|ghp|pat|xoxb|glpat)[-_](?:x{3,}|\.{3}|…)"
    r"|(?:(?<!x)x{4,}|(?<!\*)\*{4,}|(?<!\.)\.{3,}|…)$",
    re.IGNORECASE,
)
"""Instructions to the user in the position of a value."""


_INSTRUCTION = re.compile(
    r"\[?(?:your|insert|enter|replace|paste)[-_ ][\w -]{1,60}\]?|x{4,}(?:-x+)*", re.IGNORECASE
)
"""A whole argument that is an instruction; `API_KEY` and `MY_KEY` are names of variables there."""


def placeholders(text: str, *, is_value: bool = False, is_url: bool = False) -> tuple[str, ...]:
    """Return the placeholders in `text`, in order and without repeats.

    `is_value` also finds instructions such as `YOUR_TOKEN`, for texts that hold nothing but a value (a variable, a header);
    `is_url` leaves percent-encoding alone.
    """
    patterns = [_SUBSTITUTED, _ANGLED]
    if not is_url:
        patterns.append(_WINDOWS)
    if is_value or is_url:
        patterns.append(_BRACED)
    if is_value:
        patterns.append(_WRITTEN)
    found: list[tuple[int, str]] = []
    taken = bytearray(len(text))  # 1 where a placeholder was found: what overlaps is none
    for pattern in patterns:
        for match in pattern.finditer(text):
            start, end = match.span()
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\1" * (end - start)
                found.append((start, match[0]))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def placeholders_of(profile: ConnectionTarget) -> dict[str, tuple[str, ...]]:
    """Return the placeholders in a profile by field: `command`, `args`, `cwd`, `env`, `url` or `headers`."""
    found: dict[str, list[str]] = {}
    for field, name in _fields(profile):
        found.setdefault(field, []).append(name)
    return {field: tuple(dict.fromkeys(names)) for field, names in found.items()}


def _fields(profile: ConnectionTarget) -> Iterator[tuple[str, str]]:
    if transport_kind(profile.transport).is_process:
        for text in (profile.command, *profile.args):
            yield from (("args", name) for name in in_argument(text))
        yield from (("cwd", name) for name in placeholders(profile.cwd))
        for _, value in profile.env:
            yield from (("env", name) for name in placeholders(value, is_value=True))
        return
    yield from (("url", name) for name in placeholders(profile.url, is_url=True))
    for _, value in profile.headers:
        yield from (("headers", name) for name in placeholders(value, is_value=True))


def in_argument(text: str) -> Iterator[str]:
    """Return the placeholders of an argument, which may be a program of its own: there `$x` and `$(x)` are code."""
    is_assignment = bool(_ASSIGNMENT.match(text))
    value = text.partition("=")[2] if is_assignment else text
    for name in placeholders(text, is_value=is_assignment or bool(_INSTRUCTION.fullmatch(text))):
        if name == value or not re.match(r"\$[\w(]", name):
            yield name


def placeholder_warnings(profile: ConnectionTarget) -> tuple[str, ...]:
    """Return a warning for each placeholder in a profile."""
    names = dict.fromkeys(name for names in placeholders_of(profile).values() for name in names)
    return tuple(
        f"{name} is a placeholder: Spyglass sends it as it is. Replace it with the value."
        for name in names
    )

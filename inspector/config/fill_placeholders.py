"""Placeholders of a configuration replaced by variables of the environment, as the client replaces them that it was written for. Pure.

Only on request of the user: the variable may be a secret, and the configuration may send it to a server that the user does not know. Other
placeholders stay unchanged: inputs that a client prompts for, folders of a workspace, instructions to the user.

Source: the dialects of Claude Code, Gemini CLI, VS Code, Cursor, Windsurf, Cline, opencode, and of the registry of MCP.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from inspector.config import authorization
from inspector.frozen import FrozenStruct
from inspector.session.placeholders import in_argument, placeholders
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inspector.config.profile import Profile

_NAMES = re.compile(
    r"\$\{(?:env:)?(\w+)(?::-(?P<default>[^{}]*))?\}"  # ${X}, ${X:-default}, ${env:X}
    r"|\{env:(\w+)\}"  # {env:X}
    r"|\$env:(\w+)|\$(\w+)"  # PowerShell, shells
    r"|%(\w+)%"
    r"|<(\w+)>|\{(\w+)\}"  # what a registry asks for
)


class Filling(FrozenStruct, frozen=True):
    """A profile whose placeholders are replaced if the environment has their variables."""

    profile: Profile
    """The profile."""
    filled: tuple[str, ...]
    """Placeholders that were replaced."""
    missing: tuple[str, ...]
    """Placeholders without a value."""


def fill_placeholders(profile: Profile, environ: Mapping[str, str]) -> Filling:
    """Return `profile` with its placeholders replaced by the variables of `environ`, or by their own default, as in `${X:-value}`."""
    fields = _Fields(environ)
    is_process = transport_kind(profile.transport).is_process
    credentials = authorization.credentials(profile.authorization)
    if is_process:
        changed = replace(
            profile,
            command=fields.filled(profile.command, [*in_argument(profile.command)]),
            args=tuple(fields.filled(arg, [*in_argument(arg)]) for arg in profile.args),
            cwd=fields.filled(profile.cwd, placeholders(profile.cwd)),
            env=tuple(fields.pairs(profile.env)),
        )
    else:
        changed = replace(
            profile,
            url=fields.filled_url(profile.url),
            headers=tuple(fields.pairs(profile.headers)),
            authorization=replace(
                profile.authorization, **dict(fields.pairs([*credentials.items()]))
            ),
        )
    found = dict.fromkeys(fields.found)
    missing = tuple(name for name in dict.fromkeys(fields.missing) if name not in found)
    return Filling(changed, tuple(found), missing)


class _Fields:
    """Replaces placeholders, and collects which had a value."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.found: list[str] = []
        self.missing: list[str] = []
        self._environ = environ

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        for name, value in pairs:
            yield name, self.filled(value, placeholders(value, is_value=True))

    def filled(self, text: str, names: Sequence[str]) -> str:
        # Once only: what resembles a placeholder in a value is not one.
        values = {name: value for name in names if (value := self._value(name)) is not None}
        return _replaced(text, values)

    def filled_url(self, url: str) -> str:
        """Replace in a URL: a value in the query is percent-encoded, a value before it may be a part of the URL."""
        before, mark, query = url.partition("?")
        start = self.filled(before, placeholders(before, is_url=True))
        values = {
            name: quote(value, safe="")
            for name in placeholders(query, is_url=True)
            if (value := self._value(name)) is not None
        }
        return f"{start}{mark}{_replaced(query, values)}"

    def _value(self, placeholder: str) -> str | None:
        match = _NAMES.fullmatch(placeholder)
        name = next((each for each in match.groups() if each), "") if match else ""
        value = self._environ.get(name) if name else None
        if not value and match is not None:
            value = match["default"] if match["default"] is not None else value
        (self.missing if value is None else self.found).append(placeholder)
        return value


def _replaced(text: str, values: Mapping[str, str]) -> str:
    if not values:
        return text
    # Longest first: `$NAMES` begins with `$NAME`.
    pattern = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    return re.sub(pattern, lambda found: values[found[0]], text)

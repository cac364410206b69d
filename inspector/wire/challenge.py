"""The challenges of a 401 or 403 response, from `WWW-Authenticate`. Pure; never raises.

Each field is parsed by the grammar first. Servers break it (quotes inside quotes, blanks around `=`, single quotes) in ways that are still clear:
such a field is parsed again tolerantly, and `is_broken` is set.

Source: RFC 9110, sections 11.3 to 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1; RFC 9449, section 7.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_FIELD = 16_384
"""Characters of one field that are read."""

MAX_CHALLENGES = 50

OAUTH_SCHEMES = ("bearer", "dpop")
"""Schemes of OAuth access tokens, in lower case."""

_TOKEN = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_BLANKS = re.compile(r"[ \t,]*")
_SCHEME = re.compile(rf"({_TOKEN})(?=[ \t,]|$)")
_TOKEN68 = re.compile(r"[ \t]+([A-Za-z0-9\-._~+/]+=*)[ \t]*(?=,|$)")
_NAME = re.compile(rf"({_TOKEN})[ \t]*=[ \t]*(?!=)")
_STRICT_NAME = re.compile(rf"({_TOKEN})=(?!=)")
_END = r"(?=[ \t]*(?:,|$))"
_QUOTED = re.compile(rf'"((?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\.)*)"{_END}')
_PLAIN = re.compile(rf"({_TOKEN}){_END}")
_NEXT = rf"(?=[ \t]*(?:$|,[ \t]*(?:{_TOKEN}[ \t]*=|{_TOKEN}(?:[ \t]|$))))"
_NO_COMMA = re.compile(rf'"([^"]*)"(?=[ \t]+{_TOKEN}[ \t]*=[ \t]*")')
"""A value in quotes that another parameter follows without a comma."""
_CLOSING = {quote: re.compile(f"{quote}{_NEXT}") for quote in "\"'"}
"""The quote that ends a value, whichever quotes there are in it."""
_UNCLOSED = re.compile(r"[\"']?([^,]*)")
_UNESCAPE = re.compile(r"\\(.)")
_SPLIT = re.compile(r"[^,]*(?:,|$)")


class Challenge(FrozenStruct, frozen=True):
    """One scheme and what it asks for."""

    scheme: str
    """As it was spelled; schemes have no case."""
    params: tuple[tuple[str, str], ...] = ()
    """Names as they were spelled with their values, in order; a name may stand there twice."""
    token68: str = ""
    """What stands in the place of parameters."""

    def get(self, name: str) -> str:
        """Return the first value of a parameter, whose name is case-insensitive; empty without one."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a parameter."""
        return tuple(value for each, value in self.params if each.lower() == name)

    @property
    def is_oauth(self) -> bool:
        """Whether it asks for an OAuth access token."""
        return self.scheme.lower() in OAUTH_SCHEMES


class Challenges(FrozenStruct, frozen=True):
    """Every challenge of one response."""

    items: tuple[Challenge, ...] = ()
    """In order."""
    is_broken: bool = False
    """Whether a field breaks the grammar."""

    @property
    def oauth(self) -> tuple[Challenge, ...]:
        """Those that ask for an OAuth access token, the ones that say most first."""
        found = [each for each in self.items if each.is_oauth]
        return tuple(sorted(found, key=lambda each: not each.get("resource_metadata")))

    @property
    def wants_dpop(self) -> bool:
        """Whether only tokens bound to a key are taken."""
        schemes = {each.scheme.lower() for each in self.oauth}
        return schemes == {"dpop"}

    def get(self, name: str) -> str:
        """Return the first value of a parameter in any OAuth challenge; empty without one."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a parameter in the challenges of OAuth."""
        return tuple(value for each in self.oauth for value in each.all(name))

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that are asked for; empty where none are named."""
        return tuple(dict.fromkeys(" ".join(self.all("scope")).split()))


NONE = Challenges()
"""No challenge at all."""


def read(fields: Iterable[str]) -> Challenges:
    """The challenges in the values of every `WWW-Authenticate` header of a response."""
    items: list[Challenge] = []
    is_broken = False
    for field in fields:
        found = _strict(field[:MAX_FIELD])
        if found is None:
            is_broken, found = True, _loose(field[:MAX_FIELD])
        items += found
    return Challenges(tuple(items[:MAX_CHALLENGES]), is_broken)


def _strict(field: str) -> list[Challenge] | None:
    """Return the challenges of a field; None if it breaks the grammar."""
    found: list[Challenge] = []
    at = _skip(field, 0)
    while at < len(field):
        scheme = _SCHEME.match(field, at)
        if scheme is None:
            return None
        at = scheme.end()
        if token := _TOKEN68.match(field, at):
            found.append(Challenge(scheme[1], token68=token[1]))
            at = _skip(field, token.end())
            continue
        params: list[tuple[str, str]] = []
        at = _skip(field, at)
        while name := _STRICT_NAME.match(field, at):
            value = _QUOTED.match(field, name.end()) or _PLAIN.match(field, name.end())
            if value is None:
                return None
            params.append((name[1], _UNESCAPE.sub(r"\1", value[1])))
            at = _skip(field, value.end())
        found.append(Challenge(scheme[1], tuple(params)))
    return found


def _loose(field: str) -> list[Challenge]:
    """The challenges that a field seems to mean; what means nothing is skipped."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    closing = dict(_CLOSING)
    at = _skip(field, 0)
    while at < len(field):
        if name := _NAME.match(field, at):
            value, at = _loose_value(field, name.end(), closing)
            if not found:
                found.append(("", []))
            found[-1][1].append((name[1], value.strip()))
        elif scheme := _SCHEME.match(field, at):
            found.append((scheme[1], []))
            at = scheme.end()
        else:
            rest = _SPLIT.match(field, at)
            at = rest.end() if rest is not None else len(field)
        at = _skip(field, at)
    return [Challenge(scheme, tuple(params)) for scheme, params in found]


def _loose_value(field: str, at: int, closing: dict[str, re.Pattern[str]]) -> tuple[str, int]:
    """The value that begins at `at`, and where it ends. A quote that ends no value from here on leaves `closing`: it is not looked for again."""
    if found := _NO_COMMA.match(field, at):
        return found[1], found.end()
    quote = field[at : at + 1]
    if quote in closing:
        if end := closing[quote].search(field, at + 1):
            return field[at + 1 : end.start()], end.end()
        del closing[quote]
    found = _UNCLOSED.match(field, at)
    return (found[1], found.end()) if found else ("", at)


def _skip(field: str, at: int) -> int:
    blanks = _BLANKS.match(field, at)
    return blanks.end() if blanks is not None else at

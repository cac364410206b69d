"""Why a server may reject a token that was just issued for it, as far as the token itself tells. Pure; never raises.

A token is never trusted here: what it says of itself is compared with what was asked for.

Source: RFC 9068, section 4; RFC 7519, section 4.1; C-AUT-30.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING

from inspector.auth import document, urls
from inspector.wire import jsontext
from inspector.wire.jsontext import JsonTextError

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.wire.jsontext import Json, JsonObject

MAX_TOKEN = 100_000
"""Characters of a token that are read."""

REJECTED = "the server rejects the token that was issued for it a moment ago"


def claims(token: str) -> JsonObject | None:
    """What a token says, if it is a JSON Web Token that is only signed; None for any other."""
    parts = token[:MAX_TOKEN].split(".")
    if len(parts) != 3:
        return None
    try:
        raw = binascii.a2b_base64(f"{parts[1].translate(_URL_SAFE)}===")
        value = jsontext.read(raw).value
    except (binascii.Error, ValueError, JsonTextError):
        return None
    return value if isinstance(value, dict) else None


def explain(grant: Grant, now: float) -> tuple[str, str]:
    """Words and remedy for a token that was rejected although it is new; `now` is wall time."""
    said = claims(grant.tokens.access)
    wanted = grant.resource or grant.server_url
    if said is None:
        words = f"{REJECTED}; it is no JSON Web Token, so that only its issuer can read it"
        return (
            words,
            "Check that the server asks its authorization server about such tokens, and that `resource` was sent.",
        )
    audience = _texts(said.get("aud"))
    if grant.server_url not in map(urls.canonical, audience):
        shown = ", ".join(audience) or "missing"
        words = f"{REJECTED}; its audience is {shown}, the server is {grant.server_url}, requested was {wanted}"
        return (
            words,
            "Let the authorization server issue tokens whose audience is the URL of the server.",
        )
    begins, ends = _number(said.get("nbf")), _number(said.get("exp"))
    if begins is not None and begins > now + 1:
        words = f"{REJECTED}; it is valid only in {begins - now:,.0f} s: the clock of the authorization server is ahead"
        return words, "Set the clocks of both servers."
    if ends is not None and ends < now:
        words = f"{REJECTED}; it expired {now - ends:,.0f} s ago: the clock of the authorization server is behind"
        return words, "Set the clocks of both servers."
    issuer = document.text(said, "iss")
    if issuer != grant.issuer:
        words = f"{REJECTED}; its issuer is {issuer or 'missing'}, the authorization server is {grant.issuer}"
        return words, "Let the token name its authorization server, character by character."
    return (
        f"{REJECTED}; audience, issuer and times in it are right",
        "Check the log of the server: signature, algorithm and scopes are left.",
    )


_URL_SAFE = str.maketrans("-_", "+/")


def _texts(value: Json) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(each for each in found[: document.MAX_ITEMS] if isinstance(each, str))


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None

"""Why a server may reject a token that was just issued for it, as far as the token itself tells. Pure; never raises.

A token is never trusted here: what it says of itself is compared with what was asked for.

Source: RFC 9068, section 4; RFC 7519, section 4.1; C-AUT-30.
"""

from __future__ import annotations

import binascii
from typing import TYPE_CHECKING

from inspector.auth import clock_skew, document, urls
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


def explain(
    grant: Grant,
    now: float,
    *,
    issuer_ahead: float | None = None,
    server_ahead: float | None = None,
) -> tuple[str, str]:
    """Words and remedy for a token that was rejected although it is new; `now` is wall time.

    `issuer_ahead` and `server_ahead` are the seconds that the clocks of the authorization server and of the server are ahead of ours; None where
    that is not known.
    """
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
    clocks = [
        clock_skew.told("the authorization server", issuer_ahead),
        clock_skew.told("the server", server_ahead),
    ]
    if (about_time := _about_time(said, now + (server_ahead or 0.0))) is not None:
        words, guess = about_time
        known = " and ".join(each for each in clocks if each)
        return f"{REJECTED}; {words}: {known or guess}", "Set the clocks of both servers."
    issuer = document.text(said, "iss")
    if issuer != grant.issuer:
        words = f"{REJECTED}; its issuer is {issuer or 'missing'}, the authorization server is {grant.issuer}"
        return words, "Let the token name its authorization server, character by character."
    return (
        f"{REJECTED}; audience, issuer and times in it are right",
        "Check the log of the server: signature, algorithm and scopes are left.",
    )


def _about_time(said: JsonObject, theirs: float) -> tuple[str, str] | None:
    """Why a token is not valid at the time `theirs`, and whose clock that suggests; None where it is valid then."""
    begins = [_number(said.get(name)) for name in ("nbf", "iat")]
    begin = max((each for each in begins if each is not None), default=theirs)
    if begin > theirs + 1:
        words = f"it is valid only in {begin - theirs:,.0f} s"
        return words, "the clock of the authorization server is ahead"
    end = _number(said.get("exp"))
    if end is not None and end < theirs:
        words = f"it expired {theirs - end:,.0f} s ago"
        return words, "the clock of the authorization server is behind"
    return None


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

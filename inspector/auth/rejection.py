"""Why a server may reject a token that was just issued for it, as far as the token itself and the clocks of the servers tell. Pure; never raises.

A token is never trusted here: its claims are compared with what was requested.

Source: RFC 9068, section 4; RFC 7519, section 4.1; RFC 9110, sections 5.6.7 and 6.6.1; C-AUT-30.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from inspector.auth import document, urls
from inspector.auth.check import Check, failed, info, passed
from inspector.wire.json_web_token import token_claims, token_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.auth.grant import Grant
    from inspector.wire.json_codec import Json, JsonObject

REJECTED = "the server rejects the token that was issued for it a moment ago"


_PROFILE = "RFC 9068"

MIN_SKEW_SECONDS = 5.0
"""A response takes its time, and its `Date` has whole seconds: less is no difference."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Not strptime, which goes by the language of the user.
_DATE = re.compile(
    rf"[A-Z][a-z]{{2}}, (\d\d) ({'|'.join(_MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) GMT", re.ASCII
)


def explain(
    grant: Grant,
    now: float,
    *,
    issuer_ahead: float | None = None,
    server_ahead: float | None = None,
) -> tuple[str, str]:
    """Return reason and hint for a token that was rejected although it is new; `now` is wall time.

    `issuer_ahead` and `server_ahead` are the seconds that the clocks of the authorization server and of the server are ahead; None if unknown.
    """
    found = token_claims(grant.tokens.access)
    if found is None:
        text = f"{REJECTED}; it is not a JSON Web Token, and only its issuer can read it"
        return (
            text,
            "The server must verify such tokens at its authorization server (introspection), or the authorization server must issue JSON Web Tokens; some do so only where `resource` is sent.",
        )
    audience = _texts(found.get("aud"))
    if grant.server_url not in map(urls.canonical, audience):
        listed = ", ".join(audience) or "missing"
        requested = grant.resource or grant.server_url
        text = f"{REJECTED}; its audience is {listed}, the server is {grant.server_url}, requested was {requested}"
        return text, _audience_hint(grant, audience)
    clocks = {"the authorization server": issuer_ahead, "the server": server_ahead}
    if (about_time := _about_time(found, now + (server_ahead or 0.0), clocks)) is not None:
        return about_time
    issuer = document.text(found, "iss")
    if issuer != grant.issuer:
        text = f"{REJECTED}; its issuer is {issuer or 'missing'}, the authorization server is {grant.issuer}"
        return text, "The token must name its authorization server, character by character."
    algorithm = document.text(token_header(grant.tokens.access) or {}, "alg")
    if algorithm.upper().startswith("HS"):
        text = f"{REJECTED}; it is signed with {algorithm}, which can be checked only with a secret of the authorization server"
        hint = "Let it be signed with a key whose public half is published, such as ES256 or RS256."
        return text, hint
    return (
        f"{REJECTED}; audience, issuer and times in it are right",
        "Check the log of the server: signature, algorithm and scopes are left.",
    )


def wrong_audience(grant: Grant) -> str:
    """Return the audience of an access token for another resource; empty if it is for the server, or cannot be read."""
    found = token_claims(grant.tokens.access)
    audience = _texts(found.get("aud")) if found is not None else ()
    is_ours = grant.server_url in map(urls.canonical, audience)
    return "" if is_ours else ", ".join(audience)


def _audience_hint(grant: Grant, audience: tuple[str, ...]) -> str:
    if grant.resource in audience and grant.resource != grant.server_url:
        return f"Set `resource` in the metadata of the server to {grant.server_url}: tokens are requested for what stands there."
    return f"The authorization server must issue tokens whose audience is {grant.server_url}, as `resource` requests."


def _about_time(
    claims: JsonObject, theirs: float, clocks: dict[str, float | None]
) -> tuple[str, str] | None:
    """Return reason and hint for a token that is not valid at the time `theirs`; None if it is. `clocks` are how far others are ahead, in seconds."""
    begins = [_number(claims.get(name)) for name in ("nbf", "iat")]
    begin = max((each for each in begins if each is not None), default=theirs)
    end = _number(claims.get("exp"))
    if begin > theirs + 1:
        text, guess = f"it is valid only in {begin - theirs:,.0f} s", "ahead"
    elif end is not None and end < theirs:
        text, guess = f"it expired {theirs - end:,.0f} s ago", "behind"
    else:
        return None
    found = {whose: skew_text(whose, ahead) for whose, ahead in clocks.items()}
    wrong = [whose for whose, skew in found.items() if skew]
    why = " and ".join(filter(None, found.values()))
    text = f"{REJECTED}; {text}: {why or f'the clock of the authorization server is {guess}'}"
    if len(wrong) == 1:
        return text, f"Set the clock of {wrong[0]}."
    return text, "Set the clocks of both servers."


def check(grant: Grant, now: float) -> tuple[Check, ...]:
    """Return the checks of the access token, as far as it can be read; `now` is wall time."""
    found = token_claims(grant.tokens.access)
    if found is None:
        text = "the access token is not a JSON Web Token: only its issuer can read it"
        return (info(_PROFILE, _PROFILE, "", text),)
    return (_audience(found, grant), *_times(found, now), _issuer(found, grant))


def _audience(found: JsonObject, grant: Grant) -> Check:
    audience = _texts(found.get("aud"))
    source = f"{_PROFILE}, section 4"
    if grant.server_url in map(urls.canonical, audience):
        return passed("C-AUT-30", source, "/aud", "`aud` is the URL of this server")
    text = f"`aud` must be {grant.server_url}; it is {', '.join(audience) or 'missing'}"
    return failed("C-AUT-30", source, "/aud", text)


def _times(found: JsonObject, now: float) -> Iterator[Check]:
    begins, ends = _number(found.get("nbf")), _number(found.get("exp"))
    if begins is not None and begins > now + 1:
        source = "RFC 7519, section 4.1.5"
        text = f"`nbf` must be in the past; it is {begins - now:,.0f} s in the future"
        yield failed(source, source, "/nbf", text)
    source = "RFC 7519, section 4.1.4"
    if ends is not None and ends < now:
        text = f"`exp` must be in the future; it is {now - ends:,.0f} s in the past"
        yield failed(source, source, "/exp", text)
    elif ends is not None:
        yield passed(source, source, "/exp", "`exp` is in the future")


def _issuer(found: JsonObject, grant: Grant) -> Check:
    source, issuer = f"{_PROFILE}, section 4", document.text(found, "iss")
    if issuer == grant.issuer:
        return passed(source, source, "/iss", "`iss` is the authorization server")
    text = f"`iss` must be {grant.issuer}; it is {issuer or 'missing'}"
    return failed(source, source, "/iss", text)


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


def seconds_ahead(date: str, now: float) -> float | None:
    """Return how far the clock of a server is ahead that sent `date` in a `Date` header at wall time `now`; None if it cannot be read."""
    found = _DATE.fullmatch(date.strip())
    if found is None:
        return None
    day, year, *time = (int(found[group]) for group in (1, 3, 4, 5, 6))
    try:
        theirs = datetime(year, _MONTHS.index(found[2]) + 1, day, *time, tzinfo=UTC)
    except ValueError:
        return None
    return theirs.timestamp() - now


def skew_text(whose: str, seconds: float | None) -> str:
    """Return whose clock is how far off, as a clause; empty below `MIN_SKEW_SECONDS`."""
    if seconds is None or abs(seconds) < MIN_SKEW_SECONDS:
        return ""
    where = "ahead of" if seconds > 0 else "behind"
    return f"the clock of {whose} is {abs(seconds):,.0f} s {where} ours"

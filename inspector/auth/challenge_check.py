"""What the rules say of the challenges of a 401 or 403. Pure; never raises.

Source: RFC 9110, sections 11 and 15.5.2; RFC 6750, section 3; RFC 9728, section 5.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth.check import Check, failed, info, passed, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.challenge import Challenges

UNAUTHORIZED = 401


def check(
    found: Challenges, *, status: int, sent_token: bool, wants_scope: bool
) -> tuple[Check, ...]:
    """What the rules say of the challenges of a response with `status` to a request with or without a token."""
    return tuple(_checks(found, status, sent_token=sent_token, wants_scope=wants_scope))


def _checks(
    found: Challenges, status: int, *, sent_token: bool, wants_scope: bool
) -> Iterator[Check]:
    grammar = "RFC 9110, section 11.6.1"
    if status != UNAUTHORIZED and not sent_token:
        text = f"the response to a request without a token must be HTTP 401, not HTTP {status}"
        yield failed("L-AUT-13", "MCP, error handling", "", text)
    if found.is_broken:
        yield failed(
            "WWW-Authenticate",
            grammar,
            "WWW-Authenticate",
            "the header breaks the grammar of challenges; it was read tolerantly, strict clients ignore it",
        )
    if not found.items:
        if status == UNAUTHORIZED:
            text = "HTTP 401 must come with a `WWW-Authenticate` header; most clients stop here"
            yield failed("L-AUT-01", "RFC 9110, section 15.5.2", "WWW-Authenticate", text)
        return
    if not found.oauth:
        schemes = ", ".join(each.scheme for each in found.items)
        text = f"the server asks for {schemes}, not for an OAuth access token"
        yield info("RFC 6750", "RFC 6750, section 3", "WWW-Authenticate", text)
        return
    yield from _of_metadata(found)
    if wants_scope and not found.scopes:
        text = "`scope` should name the scopes that the request needs"
        yield warning("L-AUT-09", "MCP, protected resource metadata discovery", "scope", text)
    if found.get("error") and not sent_token:
        text = "`error` should be left out where the request carried no token"
        yield info("RFC 6750", "RFC 6750, section 3.1", "error", text)


def _of_metadata(found: Challenges) -> Iterator[Check]:
    source, named = "RFC 9728, section 5.1", found.all("resource_metadata")
    if not named:
        text = "`resource_metadata` is missing: the metadata has to be found by its well-known URL"
        yield warning("L-AUT-01", source, "resource_metadata", text)
    elif len(set(named)) > 1:
        text = f"`resource_metadata` is named {len(named)} times with different URLs; they are tried in order"
        yield failed("RFC 9110", "RFC 9110, section 11.2", "resource_metadata", text)
    else:
        text = "`resource_metadata` names the metadata of the server"
        yield passed("L-AUT-01", source, "resource_metadata", text)

"""The steps that find the authorization server: challenge, metadata of the server, metadata of its authorization server. Pure.

Source: basic/authorization, "Authorization Server Discovery"; RFC 9110, sections 11 and 15.5.2; RFC 6750, section 3; RFC 9728, section 5.1;
C-AUT-02 to C-AUT-09, C-AUT-24, C-AUT-49.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import document, urls
from inspector.auth.check import Check, failed, info, passed, warning
from inspector.auth.messages import JSON, HttpRequest
from inspector.auth.metadata import (
    check_resource,
    check_server,
    describes,
    endpoint,
    guessed,
    is_same_issuer,
    lists_s256,
    read_resource,
    read_server,
)
from inspector.auth.settings import Waiver, Way
from inspector.auth.state import Conclusion, Planned, Stage, StepResponse
from inspector.spec.keys import HEADER_PROTOCOL_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.auth.document import Document
    from inspector.auth.metadata import ResourceMetadata, ServerMetadata
    from inspector.auth.state import State
    from inspector.wire.challenge import Challenges

UNAUTHORIZED = 401

MAX_NAMED = 5
"""Authorization servers that are named beside the one that is used."""

_MCP = "MCP, authorization server discovery"


def plan(state: State) -> Planned | None:
    """Return the next step of discovery; None if the authorization server is known."""
    if state.status and not state.is_read:
        return Planned(Stage.CHALLENGE, "Read the challenge", state)
    if state.resource is None and len(state.resource_documents) < len(state.resource_metadata_urls):
        pointer = state.resource_metadata_urls[len(state.resource_documents)]
        return Planned(
            Stage.RESOURCE, "Get protected resource metadata", state, _get(state, pointer)
        )
    if state.server is None:
        places, tried = state.server_metadata_urls, len(state.server_documents)
        request = _get(state, places[tried]) if tried < len(places) else None
        return Planned(Stage.SERVER, "Get authorization server metadata", state, request)
    return None


def _get(state: State, url: str) -> HttpRequest | None:
    """Return the request for a document; None if nothing may be sent to that URL."""
    if state.why_not(url):
        return None
    headers = (("Accept", JSON), ("Cache-Control", "no-cache"))
    if state.is_legacy:
        headers = (*headers, (HEADER_PROTOCOL_VERSION, state.revision.date))  # C-AUT-08
    return HttpRequest("GET", url, headers)


def read_challenge(planned: Planned, came: StepResponse) -> Conclusion:
    """Read what the challenge requires; this step sends nothing."""
    del came
    state = planned.state
    wants_scope = state.revision.has_metadata_probing
    checks = check_challenges(
        state.challenges, status=state.status, sent_token=state.sent_token, wants_scope=wants_scope
    )
    schemes = ", ".join(each.scheme for each in state.challenges.items)
    scopes = " ".join(state.challenges.scopes)
    named = f" requires {schemes}{f', scope {scopes}' if scopes else ''}"
    text = f"HTTP {state.status}{named if schemes else ' without a challenge'}"
    return Conclusion(replace(state, is_read=True), text, tuple(checks))


def find_resource(planned: Planned, came: StepResponse) -> Conclusion:
    """Read the response for metadata of the server."""
    state = planned.state
    pointer = state.resource_metadata_urls[len(state.resource_documents)]
    found = document.read(pointer, came.response)
    if came.request is None:
        found = document.Document(pointer, came.response, None, state.why_not(pointer))
    tried = replace(state, resource_documents=(*state.resource_documents, found))
    if not found.is_found:
        return _no_resource(tried, found, is_sent=came.request is not None)
    metadata = read_resource(found)
    checks = check_resource(metadata, state.server_url)
    is_ours = describes(metadata, state.server_url)
    if not is_ours and not state.settings.waives(Waiver.RESOURCE):
        return Conclusion(
            state,
            checks=checks,
            problem=f"the metadata describes {metadata.resource or 'no resource'}, the server is {state.server_url}",
            hint=urls.repair(metadata.resource, state.server_url),
            waiver=Waiver.RESOURCE,
            expected=urls.canonical(state.server_url),
            received=metadata.resource,
        )
    found_out = replace(tried, resource=metadata)
    if not found_out.issuer:
        return Conclusion(
            state,
            checks=checks,
            problem="the metadata names no authorization server that can be used",
            hint="Let the server name an https URL in `authorization_servers`.",
            waiver=next(filter(None, map(state.waiver_for, metadata.servers)), None),
        )
    text, more = _selected(found_out.issuer, metadata, state.settings.issuer)
    return Conclusion(found_out, text, (*checks, *more))


def _selected(
    issuer: str, metadata: ResourceMetadata, by_user: str
) -> tuple[str, tuple[Check, ...]]:
    """Return the used authorization server as text, with the others that are named."""
    text = f"authorization server {issuer}"
    others = [each for each in metadata.servers if each != issuer]
    if others:
        named = ", ".join(others[:MAX_NAMED])
        rest = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
        how = "selected in the settings" if by_user else "the first that can be used"
        text += f", {how}; the metadata also names {named}{rest}"
    if issuer in metadata.servers:
        return text, ()
    pointer, source = "/authorization_servers", "RFC 9728, section 2"
    unnamed = f"the metadata does not name {issuer}, which was selected in the settings"
    return text, (warning("RFC 9728", source, pointer, unnamed),)


def _no_resource(state: State, found: Document, *, is_sent: bool) -> Conclusion:
    if is_sent and found.is_out_of_order:
        return _out_of_order(state, found)
    text = f"nothing at {found.url}: {found.reason}"
    checks: tuple[Check, ...] = ()
    if found.url in state.challenges.all("resource_metadata"):
        missing = "the challenge must name metadata that is there: clients look in no other place"
        checks = (failed("L-AUT-02", "RFC 9728, section 5.1", "resource_metadata", missing),)
    if len(state.resource_documents) == len(state.resource_metadata_urls):
        missing = "there is no metadata: the authorization server is looked for at the server itself, which few clients do"
        checks = (*checks, failed("L-AUT-02", _MCP, "", missing))
    return Conclusion(state, text, checks)


def find_server(planned: Planned, came: StepResponse) -> Conclusion:
    """Read the response for metadata of the authorization server."""
    state = planned.state
    places, tried = state.server_metadata_urls, len(state.server_documents)
    if tried >= len(places):
        return _nowhere(state)
    if came.request is None:
        text = f"{places[tried]} cannot be used: {state.why_not(places[tried])}"
        hint = "Let the authorization server be reached by https, at a host that is not private."
        waiver = state.waiver_for(places[tried])
        return Conclusion(state, problem=text, hint=hint, waiver=waiver)
    found = document.read(came.request.url, came.response)
    state = replace(state, server_documents=(*state.server_documents, found))
    if not found.is_found:
        if found.is_out_of_order:
            return _out_of_order(state, found)
        if tried + 1 == len(places) and not state.is_legacy:
            return _nowhere(state)
        return Conclusion(state, f"nothing at {found.url}: {found.reason}")
    metadata = read_server(found, state.issuer, is_legacy=state.is_legacy)
    return _check_metadata(state, metadata)


def _check_metadata(state: State, metadata: ServerMetadata) -> Conclusion:
    needs_user = state.settings.way is Way.CODE
    must = state.revision.has_metadata_probing
    checks = check_server(metadata, needs_authorization=needs_user, must_list_pkce=must)
    conclusion = Conclusion(replace(state, server=metadata), f"issuer {metadata.issuer}", checks)
    is_same = is_same_issuer(metadata)
    if not is_same and not state.settings.waives(Waiver.ISSUER):
        return replace(
            conclusion,
            problem=f"the issuer is {metadata.issuer or 'missing'}, requested was {metadata.expected}",
            hint=urls.repair(metadata.issuer, metadata.expected),
            waiver=Waiver.ISSUER,
            expected=metadata.expected,
            received=metadata.issuer,
        )
    needed = ("token_endpoint", *(("authorization_endpoint",) if needs_user else ()))
    for name in needed:
        url = endpoint(metadata, name)
        reason = state.why_not(url) if url else "it is missing"
        if reason:
            return replace(
                conclusion,
                problem=f"`{name}` cannot be used: {reason}",
                hint="Correct the metadata of the authorization server.",
                waiver=state.waiver_for(url) if url else None,
            )
    lists = lists_s256(metadata) or state.settings.waives(Waiver.PKCE)
    if needs_user and must and not lists:
        return replace(
            conclusion,
            problem="the authorization server does not declare S256 code challenges (PKCE)",
            hint="The authorization server must list S256 in `code_challenge_methods_supported`.",
            waiver=Waiver.PKCE,
        )
    if not is_same:
        metadata = replace(metadata, issuer=metadata.issuer or metadata.expected)
        conclusion = replace(conclusion, state=replace(state, server=metadata))
    return conclusion


def _nowhere(state: State) -> Conclusion:
    """Conclude that no URL has metadata of the authorization server."""
    if state.is_legacy and state.issuer:
        metadata = guessed(state.server_url)
        check = warning(
            "L-AUT-05",
            _MCP,
            "",
            "there is no metadata: the endpoints of the oldest revision are used",
        )
        text = f"endpoints at {metadata.issuer} are assumed"
        return Conclusion(replace(state, server=metadata), text, (check,))
    check = failed("L-AUT-05", _MCP, "", "the authorization server must publish its metadata")
    asked = "; ".join(f"{each.url}: {each.reason}" for each in state.server_documents)
    problem = f"no metadata of the authorization server was found ({asked or 'no place to look'})"
    return Conclusion(
        state,
        checks=(check,),
        problem=problem,
        hint="The authorization server must serve its metadata at one of these URLs.",
    )


def _out_of_order(state: State, found: Document) -> Conclusion:
    return Conclusion(
        state,
        problem=f"{found.url} could not be read: {found.reason}",
        hint=found.response.hint or "Check the log of that server.",
    )


def check_challenges(
    found: Challenges, *, status: int, sent_token: bool, wants_scope: bool
) -> Iterator[Check]:
    """Yield the checks of the challenges of a response with `status` to a request with or without a token."""
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

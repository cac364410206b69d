"""The next step of an authorization, and what follows from its response. Pure: a state in, a state out; nothing is sent here.

`plan` returns the next step with its request, which the user may edit; `conclude` reads the response. A request that is repeated with another URL
(metadata) or a nonce is planned again, and so is a step of its own.

Source: basic/authorization; C-AUT-10 to C-AUT-25, C-AUT-36, C-AUT-47, C-AUT-48.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import attempt as attempts
from inspector.auth import client as clients
from inspector.auth import discovery, rejection, signing, tokens
from inspector.auth.attempt import Attempt
from inspector.auth.check import CheckResult, info, warning
from inspector.auth.client import Client
from inspector.auth.settings import Way
from inspector.auth.state import Conclusion, Planned, Stage, StepResponse
from inspector.errors import Hint

if TYPE_CHECKING:
    from inspector.auth.messages import HttpRequest
    from inspector.auth.metadata import ServerMetadata
    from inspector.auth.settings import Settings
    from inspector.auth.state import State

_WITH_ASSERTION = {Way.ENTERPRISE, Way.WORKLOAD}

UNAUTHORIZED = 401


def plan(state: State, now: float) -> Planned | None:
    """Return the next step; None if there are tokens. `now` is wall time.

    Raises:
        AuthError: a key that the user gave cannot be used.
    """
    if state.tokens is not None:
        return None
    if (found := discovery.plan(state)) is not None:
        return found
    server = _server(state)
    if state.client is None:
        return _plan_client(state, server)
    if state.settings.way is Way.CODE and state.callback is None:
        return _plan_authorization(state, server, state.client)
    if state.settings.way in _WITH_ASSERTION and not state.assertion:
        return _plan_assertion(state, server)
    return _plan_token(state, server, state.client, now)


def conclude(planned: Planned, came: StepResponse) -> Conclusion:
    """Return what follows from the response of a step."""
    return _CONCLUDE[planned.stage](planned, came)


# The client


def _plan_client(state: State, server: ServerMetadata) -> Planned:
    if _known_client(state, server) is not None or not server.registration_endpoint:
        return Planned(Stage.CLIENT, "Select the client", state)
    if state.settings.way is not Way.CODE or state.why_not(server.registration_endpoint):
        return Planned(Stage.CLIENT, "Select the client", state)
    request = clients.registration(
        server,
        state.redirect_uri,
        state.scopes,
        method=state.settings.client_auth,
        initial_token=state.settings.initial_access_token,
    )
    return Planned(Stage.CLIENT, "Register the client", state, request)


def _known_client(state: State, server: ServerMetadata) -> Client | None:
    """Return the client that needs no registration: entered, stored for this issuer, or described by a document (C-AUT-12)."""
    if state.settings.client_id:
        return clients.chosen(state.settings, server)
    stored = state.stored_client
    if stored is not None and stored.issuer == server.issuer and not state.registers_again:
        return stored
    has_document = bool(clients.document_url(state.settings, state.redirect_uri))
    if server.takes_client_documents and has_document:
        return clients.of_document(state.settings, server, state.redirect_uri)
    return None


def _take_client(planned: Planned, came: StepResponse) -> Conclusion:
    state, server = planned.state, _server(planned.state)
    if came.request is not None:
        client, text, checks = clients.read_registration(came.response, server, state.redirect_uri)
        if client is None:
            hint = _registration_hint(state.settings, came.response.status)
            return Conclusion(state, checks=checks, problem=text, hint=hint)
        return Conclusion(replace(state, client=client), f"registered as {client.id}", checks)
    client = _known_client(state, server)
    if client is None:
        text = "the authorization server offers no registration, and no client id was entered"
        where = f" with the redirect URI {state.redirect_uri}" if state.redirect_uri else ""
        by_hand = f"Register a client at {server.issuer} by hand{where}, and"
        hint = Hint(f"{by_hand} enter its id.", cli=f"{by_hand} pass its id with --client-id ID.")
        return Conclusion(state, problem=text, hint=hint)
    registered_at = state.settings.client_issuer
    if client.origin is clients.Origin.BY_HAND and registered_at not in {"", server.issuer}:
        text = f"the client {client.id} belongs to {registered_at}, the server now uses {server.issuer}"
        hint = Hint(
            f"Enter a client that is registered at {server.issuer}.",
            cli=f"Pass a client that is registered at {server.issuer} with --client-id ID.",
        )
        return Conclusion(state, problem=text, hint=hint)
    if client.origin is clients.Origin.DOCUMENT and (reason := clients.document_problem(client)):
        text = f"the URL of the client id metadata document cannot be used: {reason}"
        return Conclusion(state, problem=text, hint="Correct the URL of the document.")
    return Conclusion(replace(state, client=client), f"{client.origin} client {client.id}")


def _registration_hint(settings: Settings, status: int) -> str:
    """Return the hint for a rejected registration; 401 requires a token that only the authorization server issues."""
    if status == UNAUTHORIZED and settings.initial_access_token:
        return "Replace the initial access token: the authorization server rejects it."
    window, cli = "Enter", "Pass"
    if status == UNAUTHORIZED:
        window += " an initial access token of the authorization server, or"
        cli += " an initial access token of the authorization server with --initial-access-token-env VAR, or"
    return Hint(
        f"{window} the id of a client that is registered by hand.",
        cli=f"{cli} the id of a client that is registered by hand with --client-id ID.",
    )


# The user


def _plan_authorization(state: State, server: ServerMetadata, client: Client) -> Planned:
    made = Attempt(
        issuer=server.issuer,
        promises_iss=server.promises_iss,
        state=attempts.random_text(),
        verifier=attempts.random_text(),
        redirect_uri=state.redirect_uri,
        resource=state.resource_uri,
        scopes=state.scopes,
    )
    url = attempts.authorization_url(server, client.id, made, state.settings.extra)
    return Planned(
        Stage.AUTHORIZATION, "Log in with the browser", replace(state, attempt=made), visit=url
    )


def _take_callback(planned: Planned, came: StepResponse) -> Conclusion:
    state, attempt = planned.state, planned.state.attempt
    assert attempt is not None
    callback, checks = attempts.read_callback(came.callback, attempt)
    if callback.error == "invalid_scope" and _can_register_again(state):
        text = "the client may not ask for these scopes: it is registered again"
        return Conclusion(replace(state, client=None, registers_again=True), text, checks)
    if callback.reason:
        broken = next((each.pointer for each in checks if each.result is CheckResult.FAILED), "")
        hint = _CALLBACK_HINTS.get(broken) or _ERROR_HINTS.get(callback.error, _READ)
        if callback.error == "access_denied" and not attempt.scopes:
            hint = "Enter scopes: none were requested, and some authorization servers grant nothing then."
        return Conclusion(state, checks=checks, problem=callback.reason, hint=hint)
    return Conclusion(replace(state, callback=callback), "a code came back", checks)


def _can_register_again(state: State) -> bool:
    """Whether another client may be granted what the one that was stored is not: a client gets no scope that it was not registered for."""
    stored = state.client is not None and state.client.origin is clients.Origin.STORED
    return stored and bool(_server(state).registration_endpoint)


# Tokens


def _plan_assertion(state: State, server: ServerMetadata) -> Planned:
    settings = state.settings
    if settings.way is Way.WORKLOAD:
        return Planned(Stage.ASSERTION, "Use the assertion", state)
    method = clients.POST if settings.idp_client_secret else clients.NONE
    client = Client("", settings.idp_client_id, settings.idp_client_secret, method)
    fields = tokens.fields_of(
        tokens.EXCHANGE,
        requested_token_type=tokens.ID_JAG,
        audience=server.issuer,
        resource=state.resource_uri,
        scope=" ".join(state.scopes),
        subject_token=settings.idp_id_token,
        subject_token_type=tokens.ID_TOKEN,
    )
    request = tokens.request(settings.idp_token_endpoint, client, fields)
    return Planned(Stage.ASSERTION, "Exchange the identity token", state, request)


def _take_assertion(planned: Planned, came: StepResponse) -> Conclusion:
    state = planned.state
    if came.request is None:
        assertion, text = state.settings.assertion, "no assertion was entered"
        if not assertion:
            return Conclusion(state, problem=text, hint="Enter the assertion.")
        return Conclusion(replace(state, assertion=assertion), "the assertion that was entered")
    assertion, text, checks = tokens.assertion_of(came.response)
    if not assertion:
        hint = "Check the identity token, and whether it may be exchanged for this server."
        return Conclusion(state, checks=checks, problem=text, hint=hint)
    return Conclusion(replace(state, assertion=assertion), "an assertion came back", checks)


def _plan_token(state: State, server: ServerMetadata, client: Client, now: float) -> Planned:
    if state.binds_tokens and not state.dpop_key:
        state = replace(state, dpop_key=signing.new_key())
    request = _token_request(state, server, client, now)
    return Planned(Stage.TOKEN, "Request tokens", state, request)


def _token_request(state: State, server: ServerMetadata, client: Client, now: float) -> HttpRequest:
    scope, resource = " ".join(state.scopes), state.resource_uri
    if state.callback is not None and state.attempt is not None:
        fields = tokens.fields_of(
            tokens.CODE,
            code=state.callback.code,
            redirect_uri=state.attempt.redirect_uri,
            code_verifier=state.attempt.verifier,
            resource=state.attempt.resource,
        )
    elif state.assertion:
        grant_type, given = tokens.JWT_BEARER, state.assertion
        fields = tokens.fields_of(grant_type, assertion=given, scope=scope, resource=resource)
    else:
        fields = tokens.fields_of(tokens.CLIENT_CREDENTIALS, scope=scope, resource=resource)
    assertion = client_assertion(state.settings, client, now)
    request = tokens.request(server.token_endpoint, client, fields, assertion=assertion)
    return with_proof(request, state.dpop_key, state.dpop_nonce, now)


def client_assertion(settings: Settings, client: Client, now: float) -> str:
    """Return the assertion of a client with a key; empty if it authenticates in another way."""
    if client.method != clients.SIGNED:
        return ""
    return signing.client_assertion(
        settings.private_key,
        settings.signing_algorithm,
        client_id=client.id,
        audience=client.issuer,
        now=now,
    )


def with_proof(request: HttpRequest, key: str, nonce: str, now: float) -> HttpRequest:
    """Return a request to a token endpoint with the proof that it needs where tokens are bound to `key`."""
    if not key:
        return request
    proof = signing.proof(key, verb=request.verb, url=request.url, now=now, nonce=nonce)
    return replace(request, headers=(*request.headers, ("DPoP", proof)))


def _take_token(planned: Planned, came: StepResponse) -> Conclusion:
    state = planned.state
    answer = tokens.read(came.response, requested=state.scopes, now=came.now)
    nonce = came.response.header("dpop-nonce")
    ahead = rejection.seconds_ahead(came.response.header("date"), came.now)
    clock = rejection.skew_text("the authorization server", ahead)
    if answer.error == signing.NONCE_ERROR and nonce and nonce != state.dpop_nonce:
        text = "the authorization server wants a nonce in the proof: requested again"
        return Conclusion(replace(state, dpop_nonce=nonce), text, answer.checks)
    if answer.tokens is None:
        hint = _ERROR_HINTS.get(answer.error, _READ)
        problem = answer.reason
        if answer.error == "invalid_client" and state.client is not None:
            problem += f"; the client authenticated with {state.client.method}"
        if clock and _is_signed(state):
            problem += f"; {clock}"
            hint = "Set the clocks: what is signed holds the time of this machine."
        return Conclusion(state, checks=answer.checks, problem=problem, hint=hint)
    checks, kind = answer.checks, answer.tokens.type
    if clock:
        text = f"{clock}: tokens may be taken for expired, or for not yet valid"
        checks = (*checks, info("RFC 9110", "RFC 9110, section 6.6.1", "Date", text))
    if state.dpop_key and not answer.tokens.is_bound:
        text = "`token_type` should be DPoP: the request carried a proof"
        checks = (*checks, warning("RFC 9449", "RFC 9449, section 5", "/token_type", text))
    scopes = " ".join(answer.tokens.scopes)
    text = f"{kind} token{f', scope {scopes}' if scopes else ''}"
    known = replace(
        state, tokens=answer.tokens, issuer_ahead=ahead, dpop_nonce=nonce or state.dpop_nonce
    )
    return Conclusion(known, text, checks)


def _is_signed(state: State) -> bool:
    """Whether a token request is signed, with the time of this machine."""
    client = state.client
    return bool(state.dpop_key) or (client is not None and client.method == clients.SIGNED)


_READ = "Read what the authorization server says."
_CALLBACK_HINTS = {
    "state": "Let the authorization server return `state` as it was sent.",
    "iss": "Let the authorization server send its own issuer in `iss`, as its metadata names it.",
    "code": "Let the authorization server send one `code`, or an `error`.",
}
"""Parameter of a callback that breaks a rule → what to do."""

_ERROR_HINTS: dict[str, str] = {
    "access_denied": "Log in again, and allow what is requested.",
    "invalid_client": Hint(
        "Check id and secret of the client, select another method of authentication, or register it again.",
        cli="Check --client-id and --client-secret-env, pass another --client-auth, or run this again: a client that was kept is registered again.",
    ),
    "invalid_grant": "Log in again: what was exchanged is expired, used, or belongs to another client.",
    "invalid_scope": Hint("Request other scopes.", cli="Request other scopes with --scope."),
    "invalid_target": Hint(
        "Enter another resource, or send none: the authorization server does not know this one.",
        cli="Pass another resource with --resource URI, or none with --resource '': the authorization server does not know this one.",
    ),
    "unsupported_grant_type": "Check the way of authorization: the authorization server does not support it.",
    "unauthorized_client": "Check what the client may do at the authorization server.",
}


def _server(state: State) -> ServerMetadata:
    assert state.server is not None
    return state.server


_CONCLUDE = {
    Stage.CHALLENGE: discovery.read_challenge,
    Stage.RESOURCE: discovery.find_resource,
    Stage.SERVER: discovery.find_server,
    Stage.CLIENT: _take_client,
    Stage.AUTHORIZATION: _take_callback,
    Stage.ASSERTION: _take_assertion,
    Stage.TOKEN: _take_token,
}

"""One login of the user: the authorization request, and whether a callback may be used. Pure; never raises.

Everything that the callback is compared with is recorded before the browser is opened: `state`, verifier, issuer and redirect URI.

Source: RFC 7636; RFC 6749, section 4.1; RFC 9207, section 2.4; basic/authorization, "Authorization Response Validation"; C-AUT-22 to C-AUT-27,
C-AUT-36 to C-AUT-40.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from inspector.auth import document, messages
from inspector.auth.check import Check, failed, info, passed
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.auth.messages import Pairs
    from inspector.auth.metadata import ServerMetadata

OFFLINE = "offline_access"
"""The scope for a refresh token (OpenID Connect Core 1.0, section 11)."""

MAX_CALLBACK = 65_536
"""Characters of a callback that are read."""


class Attempt(FrozenStruct, frozen=True):
    """The values of an authorization request."""

    issuer: str
    """The issuer that must send the callback."""
    promises_iss: bool
    """Whether its callbacks name it."""
    state: str
    """Comes back with the callback."""
    verifier: str
    """Proves to the token endpoint that the code was issued to this client."""
    redirect_uri: str
    """Where the callback goes."""
    resource: str
    """The resource that the token is for; empty if none is named."""
    scopes: tuple[str, ...]
    """The requested scopes."""

    @property
    def challenge(self) -> str:
        """The code challenge of the verifier."""
        return challenge_of(self.verifier)


class Callback(FrozenStruct, frozen=True):
    """The callback that the browser was redirected to."""

    fields: Pairs
    """The parameters, decoded once and nothing else."""
    code: str = ""
    """The code; empty if it must not be used."""
    reason: str = ""
    """Why the code must not be used; empty if it may be."""
    error: str = ""
    """The error of the authorization server; empty without one, and for one that must not be used."""

    def get(self, name: str) -> str | None:
        """Return the first value of a parameter; None without one."""
        return next((value for each, value in self.fields if each == name), None)


def random_text() -> str:
    """43 characters that cannot be guessed."""
    return secrets.token_urlsafe(32)


def challenge_of(verifier: str) -> str:
    """Return the S256 code challenge."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def authorization_url(
    server: ServerMetadata, client_id: str, attempt: Attempt, extra: Pairs = ()
) -> str:
    """Return the URL to be opened in a browser."""
    fields = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", attempt.redirect_uri),
        ("code_challenge", attempt.challenge),
        ("code_challenge_method", "S256"),
        ("state", attempt.state),
        ("scope", " ".join(attempt.scopes)),
        ("resource", attempt.resource),
        *_consent(attempt, extra),
        *extra,
    ]
    query = urlencode([(name, value) for name, value in fields if value])
    joint = "&" if urlsplit(server.authorization_endpoint).query else "?"
    return f"{server.authorization_endpoint}{joint}{query}"


def _consent(attempt: Attempt, extra: Pairs) -> Pairs:
    """What makes OpenID servers grant `offline_access`: without it they drop the scope, and no refresh token comes."""
    is_chosen = any(name == "prompt" for name, _ in extra)
    return () if is_chosen or OFFLINE not in attempt.scopes else (("prompt", "consent"),)


def read_callback(url: str, attempt: Attempt) -> tuple[Callback, tuple[Check, ...]]:
    """Return the callback of a URL, and its checks; nothing in it is used before `state` and `iss` are right."""
    query = url[:MAX_CALLBACK].partition("#")[0].partition("?")[2]
    fields = messages.read_form(query)
    callback = Callback(fields)
    checks = [*_state(callback, attempt)]
    if not any(each.result.value == "failed" for each in checks):
        checks += [*_iss(callback, attempt)]
    broken = next((each.summary for each in checks if each.result.value == "failed"), "")
    if broken:
        return Callback(fields, reason=broken), tuple(checks)
    error, code = callback.get("error"), callback.get("code")
    if error is not None:
        description = document.one_line(callback.get("error_description") or "")
        code = document.one_line(error)
        text = (
            f"the authorization server refused: {code}{f': {description}' if description else ''}"
        )
        return Callback(fields, reason=text, error=error), tuple(checks)
    if not code:
        text = "the callback must hold `code` or `error`"
        checks.append(failed("RFC 6749", "RFC 6749, section 4.1.2", "code", text))
        return Callback(fields, reason=text), tuple(checks)
    doubled = [name for name in ("code", "state", "iss") if _count(fields, name) > 1]
    if doubled:
        text = f"`{doubled[0]}` must not occur more than once"
        checks.append(failed("RFC 6749", "RFC 6749, section 3.1", doubled[0], text))
        return Callback(fields, reason=text), tuple(checks)
    return Callback(fields, code), tuple(checks)


def _state(callback: Callback, attempt: Attempt) -> tuple[Check, ...]:
    source, state = "RFC 6749, section 10.12", callback.get("state")
    if state is None:
        return (failed("C-AUT-40", source, "state", "the callback comes without `state`"),)
    if not secrets.compare_digest(state.encode(), attempt.state.encode()):
        text = (
            "`state` is not that of this attempt: the callback belongs to another one, or is forged"
        )
        return (failed("C-AUT-40", source, "state", text),)
    return (passed("C-AUT-40", source, "state", "`state` is that of this attempt"),)


def _iss(callback: Callback, attempt: Attempt) -> tuple[Check, ...]:
    source, iss = "RFC 9207, section 2.4", callback.get("iss")
    if iss is None:
        if attempt.promises_iss:
            text = "`iss` must be in the callback: the metadata declares it"
            return (failed("L-AUT-14", source, "iss", text),)
        text = "`iss` should be in the callback: which server answered cannot be told"
        return (info("L-AUT-15", source, "iss", text),)
    if iss != attempt.issuer:
        text = f"`iss` must be the issuer {attempt.issuer}, character by character; another server responded"
        return (failed("C-AUT-37", source, "iss", text),)
    found = [passed("C-AUT-37", source, "iss", "`iss` is the issuer")]
    if not attempt.promises_iss:
        text = "`iss` comes although the metadata does not promise it"
        found.append(info("L-AUT-14", "RFC 9207, section 3", "iss", text))
    return tuple(found)


def _count(fields: Pairs, name: str) -> int:
    return sum(each == name for each, _ in fields)

"""The command that logs in to a server that requires authorization."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from inspector.session.error_responses import http_of
from inspector.session.transport_factory import transport_kind
from inspector.wire import challenge
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.config.profile import Profile
    from inspector.errors import HttpStatus
    from inspector.wire.challenge import Challenges

FORBIDDEN = 403

_SCOPE_MISSING = "insufficient_scope"
_CHALLENGE = "www-authenticate"


def requires_authorization(error: BaseException | None) -> bool:
    """Whether a failure or its cause is a response that requires authorization, or more scopes."""
    return _refusal(error) is not None


def login_command(
    options: Options, profile: Profile, error: BaseException | None, held: tuple[str, ...] = ()
) -> str:
    """Return the command line that logs in; `held` are the scopes of the login in use.

    Empty if no login helps: over other transports, and if the server requires no OAuth token.
    """
    refusal = _refusal(error)
    given = options.auth.is_from_outside or options.auth.client_credentials
    has_header = any(name.lower() == "authorization" for name, _ in profile.headers)
    if refusal is None or not transport_kind(profile.transport).has_headers or given or has_header:
        return ""
    found = _challenges(refusal)
    if found.items and not found.oauth:
        return ""
    parts = ["spyglass-cli", "login", *_server(options, profile)]
    if refusal.status == FORBIDDEN and found.scopes:  # the server names them only in this response
        parts += ["--scope", " ".join(dict.fromkeys((*held, *found.scopes)))]
    return shlex.join(parts)


def _challenges(refusal: HttpStatus) -> Challenges:
    fields = (each.partition(": ") for each in refusal.explained)
    return challenge.read(value for name, _, value in fields if name.lower() == _CHALLENGE)


def _server(options: Options, profile: Profile) -> list[str]:
    """The part of the command line that names the server, and how it is reached."""
    named = [
        ("--server", options.server),
        ("--config", options.config),
        ("--folder", options.folder),
        ("--transport", options.transport),
        ("--ca", options.ca_file),
        ("--client-cert", options.client_cert),
        ("--proxy", mask_addresses(options.proxy)),
    ]
    parts = [part for switch, value in named if value for part in (switch, str(value))]
    if options.insecure:
        parts.append("--insecure")
    return [*parts, mask_addresses(profile.url)] if options.target else parts


def _refusal(error: BaseException | None) -> HttpStatus | None:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        http = http_of(error)
        if http is not None and _is_about_authorization(http):
            return http
        seen.add(id(error))
        error = error.__cause__
    return None


def _is_about_authorization(http: HttpStatus) -> bool:
    if http.status == FORBIDDEN:
        return any(_SCOPE_MISSING in each for each in http.explained)
    return http.status == 401

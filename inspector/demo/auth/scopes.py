"""What may be asked for: scopes and resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.faults import Fault
from inspector.demo.auth.reply import OAuthError
from inspector.demo.auth.setup import READ, SCOPES, WRITE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.auth.setup import Setup


def parse_scopes(text: str) -> tuple[str, ...]:
    """The scopes of a request, in its order and each once; reading alone where it names none.

    Raises:
        OAuthError: one is not known.
    """
    scopes = tuple(dict.fromkeys(text.split()))
    if not set(scopes) <= set(SCOPES):
        raise OAuthError("invalid_scope", f"The scopes are {', '.join(SCOPES)}")
    return scopes or (READ,)


def allowed(setup: Setup, scopes: tuple[str, ...]) -> tuple[str, ...]:
    """Those of them that this server ever grants."""
    if setup.has(Fault.SCOPE_NEVER_GRANTED):
        return tuple(scope for scope in scopes if scope != WRITE)
    return scopes


def requested_resource(setup: Setup, form: Mapping[str, str]) -> str:
    """The resource of a request; the MCP endpoint where it names none, as clients of old revisions do.

    Raises:
        OAuthError: there are no tokens for it.
    """
    resource = form.get("resource")
    if resource is None:
        return setup.resource
    if setup.has(Fault.RESOURCE_REFUSED):
        raise OAuthError("invalid_target", "The parameter resource is not supported")
    if resource not in (setup.resource, setup.described_resource):
        raise OAuthError("invalid_target", f"The resource is {setup.described_resource}")
    return resource

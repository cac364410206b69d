"""A whole HTTP response, and the errors of OAuth that become one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from msgspec import field

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

INVALID_REQUEST = "invalid_request"

PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing of a page runs or loads; `form-action` is left out, for browsers apply it to the redirect that follows, too."""


class Reply(FrozenStruct, frozen=True):
    """A whole HTTP response."""

    status: int
    """The status."""
    body: bytes = b""
    """The body."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Names as `HttpAnswering.whole` takes them."""


class OAuthError(Exception):
    """Ends a request with an error of OAuth."""

    def __init__(self, error: str, description: str, *, status: int = 400, **headers: str) -> None:
        """Say `error`, a code of an RFC, and explain it to a developer."""
        super().__init__(f"{error}: {description}")
        self.error = error
        self.description = description
        self.status = status
        self.headers = headers

    def reply(self) -> Reply:
        """The response with a JSON body."""
        body: JsonObject = {"error": self.error, "error_description": self.description}
        return json_reply(body, self.status, **self.headers)


def json_reply(value: JsonObject, status: int = 200, **headers: str) -> Reply:
    """A response with JSON that must not be cached."""
    fixed = {"content_type": "application/json", "cache_control": "no-store"}
    return Reply(status, json.dumps(value).encode(), fixed | headers)


def page_reply(html: str, status: int = 200) -> Reply:
    """A response with a web page."""
    headers = {
        "content_type": "text/html; charset=utf-8",
        "cache_control": "no-store",
        "content_security_policy": PAGE_POLICY,
        "referrer_policy": "no-referrer",
    }
    return Reply(status, html.encode(), headers)


def redirect(url: str) -> Reply:
    """Send a browser elsewhere; what it does there is a GET (RFC 9700, 4.12)."""
    return Reply(303, b"", {"location": url, "cache_control": "no-store"})


def parameters(text: str) -> dict[str, str]:
    """Read a query or a form.

    Raises:
        OAuthError: a parameter is there twice, which RFC 6749, 3.1 and 3.2, forbids.
    """
    pairs = parse_qsl(text, keep_blank_values=True)
    found = dict(pairs)
    if len(found) < len(pairs):
        raise OAuthError(INVALID_REQUEST, "A parameter is there twice")
    return found

"""The values in an exchange that nobody should see. Pure; never raises.

They are told before anything is recorded, so that they can be hidden by value wherever they come back: a parameter called `code` is a secret
here, and none in the arguments of a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.auth import document, messages
from inspector.wire.redaction import OAUTH_NAMES

if TYPE_CHECKING:
    from inspector.auth.messages import HttpRequest, HttpResponse, Pairs

_HEADERS = frozenset({"authorization", "dpop", "set-cookie"})


def in_request(request: HttpRequest) -> tuple[str, ...]:
    """The secrets of a request."""
    is_form = any(value == messages.FORM for _, value in request.headers)
    fields = request.form if is_form else ()
    return (*_in_headers(request.headers), *_in_fields(fields), *in_url(request.url))


def in_response(response: HttpResponse) -> tuple[str, ...]:
    """The secrets of a response: those of an object or a form in its body, and of a redirect."""
    value, _, _ = document.read_object(response)
    found = list(in_url(response.header("location")))
    if value is not None:
        found += [document.text(value, name) for name in OAUTH_NAMES]
    elif response.media_type == messages.FORM:
        found += _in_fields(messages.read_form(response.body.decode("utf-8", "replace")))
    return (*(each for each in found if each), *_in_headers(response.headers))


def in_url(url: str) -> tuple[str, ...]:
    """The secrets of a URL, those of its fragment included."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    fields = (*messages.read_form(parts.query), *messages.read_form(parts.fragment))
    return _in_fields(fields)


def _in_fields(fields: Pairs) -> tuple[str, ...]:
    return tuple(value for name, value in fields if value and name in OAUTH_NAMES)


def _in_headers(headers: Pairs) -> tuple[str, ...]:
    found = (value for name, value in headers if name.lower() in _HEADERS)
    return tuple(value.partition(" ")[2] or value for value in found)

"""What an HTTP response means for the way to a server. Everything is judged by the status, never by the shape of a body.

1. Some statuses say nothing about era or transport: authorization (401, 403), proxies and gateways, limits, redirects, servers that are
   down. Connecting ends with them, and what an earlier connection found stays.
2. Any other 4xx, 501, and a good status without an MCP response may come from a server of the older transport: C-VER-15 demands GET after
   any 4xx, and old servers respond to the POST in odd ways, even with 200. A JSON-RPC response that names the request comes from a server
   of this transport, so that it is no reason.

Source: basic/versioning, "Backward Compatibility"; basic/transports, "Backwards Compatibility"; C-VER-07, C-VER-13 to C-VER-17.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import HttpStatus, PeerError
from inspector.spec.error_codes import STATELESS_ERA_CODES
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from inspector.spec.revision import Revision

_NO_VERDICT = {401, 402, 403, 407, 408, 425, 429, 431, 451, 502, 503, 504, 511}
_FROM_520_ON = 520
"""From here on statuses are those of proxies."""

_REFUSES_CONTENT = {400, 422, 426}
"""What servers respond to a revision that they do not support."""

NOT_FOR_POST = {405, 501}
"""There is something at the URL, but it takes no POST."""


def http_of(error: BaseException) -> HttpStatus | None:
    """The HTTP response that `error` is about, where its status is a bad one or it held no message."""
    if isinstance(error, PeerError):
        return error.http
    return error if isinstance(error, HttpStatus) else None


def is_no_verdict(error: BaseException) -> bool:
    """Whether an HTTP response says nothing about era and transport, whatever its body; false where there is none."""
    http = http_of(error)
    if http is None:
        return False
    status = http.status
    is_page_of_a_proxy = status >= 500 and http.media_type == "text/html"
    is_redirect = status < 200 or 300 <= status < 400
    return is_redirect or status in _NO_VERDICT or status >= _FROM_520_ON or is_page_of_a_proxy


def may_be_older(error: BaseException) -> bool:
    """Whether a server that responded so to `initialize` may know the older transport only."""
    http = http_of(error)
    if http is None or http.knows_request or is_no_verdict(error):
        return False
    if isinstance(error, PeerError) and error.code in STATELESS_ERA_CODES:
        return False
    return http.status < 500 or http.status in NOT_FOR_POST


def hint(refusal: HttpStatus, offered: Revision) -> str:
    """What to do about a refusal of `initialize`: select a revision where the server names others than the one `offered`."""
    is_of_content = refusal.status in _REFUSES_CONTENT and refusal.media_type != "text/html"
    named = [r.date for r in REVISIONS if _names(refusal.body, r.date) and r != offered]
    if not is_of_content or not named:
        return refusal.hint
    listed = ", ".join(reversed(named))
    return f"Select a revision that the response of the server names: {listed}."


def _names(text: str, date: str) -> bool:
    return re.search(rf"(?<![\w-]){date}(?![\w-])", text) is not None

"""Lists in pages. Cursors are opaque to the client; one that we did not make is refused."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from inspector.demo.request_errors import INVALID_PARAMS, RpcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.demo.options import Options
    from inspector.wire.json_codec import Json, JsonObject


def page(key: str, entries: Sequence[Json], params: JsonObject, options: Options) -> JsonObject:
    """The page of `entries` that `params.cursor` asks for, as a result with `key` and perhaps `nextCursor`."""
    start = _start(key, params.get("cursor"), "cursor" in params)
    end = start + options.entries_a_page
    result: JsonObject = {key: list(entries[start:end])}
    if options.loop_pages:
        result["nextCursor"] = _cursor(key, start)
    elif end < len(entries):
        result["nextCursor"] = _cursor(key, end)
    return result


def _cursor(key: str, start: int) -> str:
    return base64.urlsafe_b64encode(f"{key}@{start}".encode()).decode()


def _start(key: str, cursor: Json, is_given: bool) -> int:
    if not is_given:
        return 0
    try:
        name, _, start = base64.urlsafe_b64decode(str(cursor).encode()).decode().partition("@")
    except (binascii.Error, ValueError):
        name, start = "", ""
    if name != key or not start.isdecimal():
        raise RpcError(INVALID_PARAMS, "Unknown cursor", {"cursor": cursor})
    return int(start)

"""The trace context that a request carries in `_meta`, as facts. Pure.

Source: basic, "_meta", reserved keys; W3C Trace Context, sections 3.2 and 3.3; W3C Baggage. C-MET-08.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.spec.keys import META
from inspector.visible_text import one_line
from inspector.wire import json_codec
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

KEYS = ("traceparent", "tracestate", "baggage")

LONGEST = 300
"""Characters of a value."""

_PARENT = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?"
)


def trace_facts(transcript: Transcript, request: int) -> list[KeyValue]:
    """The rows for a request; none where it carries no trace context."""
    try:
        params = transcript.message(request).params
    except StorageError:
        return []
    meta = params.get(META) if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        return []
    return [_fact(key, meta[key]) for key in KEYS if key in meta]


def _fact(key: str, value: Json) -> KeyValue:
    text = one_line(value if isinstance(value, str) else json_codec.write(value), LONGEST)
    if not isinstance(value, str):
        return KeyValue(key, text, "must be a string", tone="warning")
    if key != "traceparent":
        return KeyValue(key, text, "trace context sent with the request")
    found = _PARENT.fullmatch(value)
    if found is None:
        return KeyValue(key, text, "not a valid W3C Trace Context value", tone="warning")
    return KeyValue(key, text, f"trace {found[1]}\nparent {found[2]}")

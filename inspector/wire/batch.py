"""The messages of a batch as texts: a batch may be as large as any line, and to read all of it in one call would hold other threads for that long.

Source: JSON-RPC 2.0, section 6.
"""

from __future__ import annotations

from functools import cache

import msgspec

from inspector.wire.incremental_json import decode_items

MAX_BATCH = 5_000
"""Messages of a batch that is read, all in one turn of the loop: each takes up to 8 µs."""

SEARCHED_MESSAGES = 50_000
"""Messages of a longer one that are searched for responses."""

IN_BATCH = f"in a batch of more than {MAX_BATCH:,} messages"
"""The problem of a response that was not read because of it."""


MANY_COMMAS = 200_000
"""Commas in an array of which it is not known how many stand between its items; to take out as many items takes a tenth of a second."""


def texts(raw: bytes) -> list[bytes] | None:
    """Return the texts of the items of an array, of very many the first `MAX_BATCH` + 1; None for what is no array, or needs a tolerance."""
    if raw[:1] != b"[":
        return None
    try:
        if not raw.isascii():
            raw.decode()
        may_be_many = raw.count(b",") > MANY_COMMAS
        return list(map(bytes, _first_items(raw) if may_be_many else decode_items(raw)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _first_items(raw: bytes) -> list[msgspec.Raw]:
    """Return the first items of an array; the others are skipped, which takes a tenth of the time."""
    found = msgspec.structs.astuple(_array_decoder().decode(raw))
    return [each for each in found if each is not msgspec.UNSET]


@cache
def _array_decoder() -> msgspec.json.Decoder[msgspec.Struct]:
    names = [f"item{number}" for number in range(MAX_BATCH + 1)]
    fields = [(name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for name in names]
    return msgspec.json.Decoder(msgspec.defstruct("FirstItems", fields, array_like=True, gc=False))


def too_long(count: int) -> str:
    """Return the problem of a batch of which `texts` are so many, which is more than are read."""
    counted = f"{count:,}" if count > MAX_BATCH + 1 else f"more than {MAX_BATCH:,}"
    return f"batch of {counted} messages; Spyglass reads no batch of more than {MAX_BATCH:,}"

"""What can be read of a line that is not JSON: the messages in it, and the beginning of a truncated message. Never raises.

The result is only reported, never processed as a message: the server may not have meant it as one.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from inspector.wire.absent import ABSENT, Absent

SEARCHED_BYTES = 1 << 20
"""Longer lines are not searched, and no more than this is decoded of one: each object may hold the rest of the line."""

ATTEMPTS = 30
"""Places where an object may begin that are tried."""

HEAD_BYTES = 1 << 16
"""How far the first members of a message that was cut are looked for."""

EXCERPT = 60
"""Characters shown of the text beside a message."""

_MARK = b'"jsonrpc"'
_decode = json.JSONDecoder().raw_decode


class Embedded(NamedTuple):
    """Messages that stand among other text on one line."""

    messages: list[bytes]
    """Each of them."""
    before: str
    """The text before the first."""
    after: str
    """The text after the last."""

    @property
    def problem(self) -> str:
        """What is wrong with the line."""
        if len(self.messages) > 1:
            return f"{len(self.messages)} messages on one line: a newline must end each of them"
        beside = [
            f"{where} the message on its line (“{_excerpt(text)}”)"
            for where, text in (("before", self.before), ("after", self.after))
            if text.strip()
        ]
        return f"text {' and '.join(beside)}"


def embedded(raw: bytes) -> Embedded | None:
    """Return the messages in a line that is not JSON; None without any."""
    if len(raw) > SEARCHED_BYTES or _MARK not in raw:
        return None
    text = raw.decode("utf-8", "replace")
    found: list[tuple[int, int]] = []
    at, left = text.find("{"), SEARCHED_BYTES
    for _ in range(ATTEMPTS):
        if at < 0 or left <= 0:
            break
        end, decoded = _message_end(text, at)
        left -= decoded - at
        if end:
            found.append((at, end))
        at = text.find("{", end or at + 1)
    if not found:
        return None
    pieces = [text[start:end].encode("utf-8", "surrogatepass") for start, end in found]
    return Embedded(pieces, text[: found[0][0]], text[found[-1][1] :])


def response_id(raw: bytes, start: int = 0) -> int | str | Absent:
    """The id of the response that a message which begins at byte `start` may be, by its beginning alone."""
    members = first_members(raw, start)
    id_ = members.get("id") if "method" not in members else None
    return id_ if isinstance(id_, (int, str)) else ABSENT


def first_members(raw: bytes, start: int = 0) -> dict[str, object]:
    """The whole members at the beginning of an object that was cut."""
    text = raw[start : start + HEAD_BYTES].decode("utf-8", "replace")
    members: dict[str, object] = {}
    at = _after(text, 0, "{")
    while at:
        try:
            name, at = _decode(text, at)
            value, at = _decode(text, _after(text, at, ":"))
        except (ValueError, RecursionError):
            break
        if not isinstance(name, str) or at >= len(text):  # the value may go on
            break
        members[name] = value
        at = _after(text, at, ",")
    return members


def _message_end(text: str, start: int) -> tuple[int, int]:
    """Where the message that begins at `start` ends, 0 where none does; and how far the text was decoded."""
    try:
        value, end = _decode(text, start)
    except json.JSONDecodeError as error:
        return 0, error.pos
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        return 0, len(text)
    return (end if isinstance(value, dict) and "jsonrpc" in value else 0), end


def _after(text: str, at: int, sign: str) -> int:
    """The place of what follows `sign`, which is the next thing in the text; 0 where it is not."""
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    if not text.startswith(sign, at):
        return 0
    at += 1
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _excerpt(text: str) -> str:
    text = text.strip().replace("\r\n", "↵").replace("\n", "↵")  # a body has several lines
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"

"""JSON as a user writes it: what a text means, and why it is not JSON. Pure functions that never raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.json_codec import JsonSyntaxError, RawJson, read

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def json_trouble(text: str) -> str:
    """Why a text is not JSON, in words; empty if it is."""
    try:
        read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        return trouble_of(text, error)
    return ""


def trouble_of(text: str, error: JsonSyntaxError) -> str:
    """What `error` says about `text`, in words, with the place."""
    if not text.strip():
        return "no JSON"
    return f"not JSON: {error.reason.lower()} {_place(text, error.position)}"


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    return not json_trouble(text)


def parsed(text: str) -> Json:
    """The value of a text; as raw text where reading it would lose something."""
    try:
        found = read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError:
        return RawJson(text)
    lossy = any(note.rule == "duplicate-key" for note in found.notes)
    return RawJson(text) if lossy else found.value


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"at line {line}, column {column}" if line > 1 else f"at character {column}"

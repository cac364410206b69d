"""Members of JSON text set and removed while everything else stays as it was typed. Pure; never raises, whether the text is JSON or not."""

from __future__ import annotations

import re

from inspector.background_tasks import at_once
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.json_nesting import indented
from inspector.wire.json_spans import locate

_NAME_BEFORE = re.compile(r'"(?:[^"\\]|\\.)*"\s*:\s*\Z')
_COMMA_BEFORE = re.compile(r"\s*,\s*\Z")
_COMMA_AFTER = re.compile(r"\s*,\s*")
_SPACE = re.compile(r"\s*")


def value_span(text: str, *names: str) -> tuple[int, int] | None:
    """Return where the value of a member is; of several with one name the last, as it is read. None without one."""
    return at_once(locate(text, names))


def value_text(text: str, *names: str) -> str:
    """Return the value of a member as it is written; empty without one."""
    span = value_span(text, *names)
    return text[slice(*span)] if span is not None else ""


def is_json(text: str) -> bool:
    """Whether a text can be read as JSON."""
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError:
        return False
    return True


def set_member(text: str, value: str, *names: str) -> str:
    """Return the text with the member at `names` set to `value`, which is JSON.

    A member that is new begins its object, which must be there; without one, nothing changes.
    """
    span = value_span(text, *names)
    if span is not None:
        return text[: span[0]] + value + text[span[1] :]
    inside = _inside(text, names[:-1])
    if inside is None:
        return text
    start = _SPACE.match(text, inside)
    at = start.end() if start is not None else inside
    end = "" if text[at : at + 1] in {"}", ""} else ","
    return f"{text[:inside]}{json_codec.write(names[-1])}:{value}{end}{text[inside:]}"


def remove_member(text: str, *names: str) -> str:
    """Return the text without the member at `names` and the comma that belonged to it."""
    span = value_span(text, *names)
    name = _NAME_BEFORE.search(text, 0, span[0]) if span is not None else None
    if span is None or name is None:
        return text
    start, end = name.start(), span[1]
    if after := _COMMA_AFTER.match(text, end):
        end = after.end()
    elif before := _COMMA_BEFORE.search(text, 0, start):
        start = before.start()
    return text[:start] + text[end:]


def laid_out_like(text: str, before: str) -> str:
    """Return an edited text in lines if it was in lines `before`."""
    return indented(text) if "\n" in before and is_json(text) else text


def _inside(text: str, names: tuple[str, ...]) -> int | None:
    """Return the position behind the brace of an object; None for anything else."""
    span = value_span(text, *names) if names else (_start(text), len(text))
    if span is None or text[span[0] : span[0] + 1] != "{":
        return None
    return span[0] + 1


def _start(text: str) -> int:
    return len(text) - len(text.lstrip())

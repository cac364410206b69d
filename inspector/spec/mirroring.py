"""What of a message is repeated in HTTP headers: its revision, method and name, and the arguments that a tool's schema annotates.

Pure functions: the same that decides what is sent tells beforehand what will be, and why something will not.

Source: basic/transports/streamable-http, "Standard Request Headers", "Custom Headers from Tool Parameters", "Value Encoding";
server/tools, "x-mcp-header". C-HTTP-20 to C-HTTP-36.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import methods
from inspector.spec.annotated import Annotated, annotated
from inspector.spec.keys import (
    HEADER_METHOD,
    HEADER_NAME,
    HEADER_PARAM_PREFIX,
    HEADER_PROTOCOL_VERSION,
    META,
    META_PROTOCOL_VERSION,
)
from inspector.spec.kinds import kind_words
from inspector.spec.pointer import join
from inspector.wire.jsontext import SpelledNumber

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json

LARGEST_INTEGER = 2**53 - 1
"""Integers beyond it are not the same for every reader, so that they are not mirrored."""

_OPENING, _CLOSING = "=?base64?", "?="
_PLAIN = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True, slots=True)
class Mirror:
    """One header and what it repeats."""

    name: str
    """Of the header."""
    value: str
    """As it is sent, encoded where it must be."""
    source: str
    """JSON pointer into the message, of what it repeats."""

    @property
    def is_encoded(self) -> bool:
        """Whether the value travels in base64."""
        return self.value.startswith(_OPENING) and self.value.endswith(_CLOSING)


@dataclass(frozen=True, slots=True)
class Mirroring:
    """What is repeated in headers, and what cannot be."""

    headers: tuple[Mirror, ...]
    """In the order in which they are sent."""
    troubles: tuple[Finding, ...] = ()
    """Why an annotated argument is not mirrored although it is there."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names and values."""
        return tuple((mirror.name, mirror.value) for mirror in self.headers)


def encode(text: str) -> str:
    """The value of a header that says `text`; in base64 where it would not survive as it is (C-HTTP-24, C-HTTP-30, C-HTTP-31)."""
    looks_encoded = text.startswith(_OPENING) and text.endswith(_CLOSING)
    if _PLAIN.fullmatch(text) and text == text.strip(" ") and not looks_encoded:
        return text
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode()
    return f"{_OPENING}{packed}{_CLOSING}"


def decode(value: str) -> str:
    """What the value of a header says; as it stands where it is not encoded, or not properly."""
    if not (value.startswith(_OPENING) and value.endswith(_CLOSING)):
        return value
    try:
        packed = value.removeprefix(_OPENING).removesuffix(_CLOSING)
        return base64.b64decode(packed, validate=True).decode()
    except ValueError:
        return value


def mirrored(method: str, params: Json, revision: Revision, input_schema: Json = None) -> Mirroring:
    """What the headers of a message repeat; `input_schema` is that of the tool, for a call whose tool is known."""
    found = [*_version(params, revision), Mirror(HEADER_METHOD, encode(method), "/method")]
    row = methods.find(method, revision)
    if row is None or not isinstance(params, dict):
        return Mirroring(tuple(found))
    name = params.get(row.named_by) if row.named_by else None
    if isinstance(name, str):
        found.append(Mirror(HEADER_NAME, encode(name), join("/params", row.named_by)))
    if method != "tools/call" or input_schema is None:
        return Mirroring(tuple(found))
    arguments = mirrored_arguments(input_schema, params.get("arguments"))
    return Mirroring((*found, *arguments.headers), arguments.troubles)


def mirrored_arguments(input_schema: Json, arguments: Json) -> Mirroring:
    """What the headers of a call repeat of its `arguments`: each annotated one that is there and not null (C-HTTP-32, C-HTTP-33)."""
    headers: list[Mirror] = []
    troubles: list[Finding] = []
    for each in annotated(input_schema).valid:
        value = _at(arguments, each)
        if value is None:
            continue
        place = join("/params/arguments", *each.path)
        text = _text(value)
        if text is None:
            words = f"`{each.path[-1]}` is not repeated in the header {each.header}: {_why(value)}"
            troubles.append(Finding("L-MOD-09", Severity.WARNING, words, place))
        else:
            headers.append(Mirror(HEADER_PARAM_PREFIX + each.header, encode(text), place))
    return Mirroring(tuple(headers), tuple(troubles))


def _version(params: Json, revision: Revision) -> list[Mirror]:
    """The header equals what `_meta` says, whatever that is (C-HTTP-21)."""
    meta = params.get(META) if isinstance(params, dict) else None
    said = meta.get(META_PROTOCOL_VERSION) if isinstance(meta, dict) else None
    version = said if isinstance(said, str) else revision.date
    place = join("/params", META, META_PROTOCOL_VERSION) if isinstance(said, str) else ""
    return [Mirror(HEADER_PROTOCOL_VERSION, encode(version), place)]


def _at(arguments: Json, where: Annotated) -> Json:
    value = arguments
    for step in where.path:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _text(value: Json) -> str | None:
    """C-HTTP-29: text as it is, integers in decimal, `true` and `false`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, SpelledNumber | float):
        value = int(value) if value.is_integer() else None
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return str(value)
    return None


def _why(value: Json) -> str:
    if isinstance(value, int | float):
        return "the number is no integer, or beyond 2^53-1"
    return f"{kind_words(value)} has no form in a header"

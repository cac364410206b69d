"""JSON text to values and back, without loss.

Reading raises only `JsonSyntaxError`, and only for text that is not JSON even with every tolerance below; each tolerance that was needed is
returned as a `JsonWarning`. Numbers keep how they are written (`1.50`, `1e3`, `-0`), integers of any length their digits. Writing returns the same
text, so what a user typed is what is sent. No nesting is too deep: what Python could not read stays text (`RawJson`).

Source: RFC 8259; section 4 on duplicate names, section 6 on numbers, section 8 on encodings.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, TypeGuard

import msgspec

from inspector.frozen import FrozenStruct
from inspector.json_value import Json, JsonObject  # noqa: TC001 - imported from here by many modules
from inspector.wire.json_nesting import DEEPEST, indented, line_start, may_be_deep, split_nested
from inspector.wire.tolerant_json import (
    JsonSyntaxError,
    JsonWarning,
    RawNumber,
    load,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = 65_536
"""Characters from which a text is checked for errors before it is read."""

PLAIN_LIMIT = 1 << 20
"""Bytes of a text that is read and written again to see that it needs no tolerance; a longer one would take that memory twice."""

TOLERANT_LIMIT = 32 << 20
"""Bytes of a text that is read although it is JSON only with a tolerance: that takes up to thirty times as many bytes of memory, and half a minute."""

_STEP_BYTES = 1 << 20
"""Bytes that are decoded at once where some are not UTF-8: other threads run in between."""

_BOM = b"\xef\xbb\xbf"
_UNSPACED = re.compile(r'\s*+([^"\s]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"?)?)', re.DOTALL)
"""White space, and what follows it up to the next, with whole strings."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEGATIVE_ZERO = re.compile(rb"-0(?![0-9.eE])")


class TooLargeToTolerate(JsonSyntaxError):
    """The text may be JSON with a tolerance, and is too large to be read so."""


def raw_number(value: float) -> RawNumber:
    """Return `value` so that it is written without a superfluous fraction."""
    return RawNumber(f"{value:g}")


class RawJson(str):
    """JSON text that `write` copies: what a user wrote, or what is nested too deeply to be read."""

    __slots__ = ()


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a JSON string; raw JSON text is none."""
    return isinstance(value, str) and not isinstance(value, RawJson)


class DecodedJson(FrozenStruct, frozen=True):
    """A value and what it took to read it."""

    value: Json
    """The value; of duplicate names the last one counts, as in every common reader."""
    notes: tuple[JsonWarning, ...] = ()
    """Tolerances needed, in the order noticed."""


def read(raw: bytes) -> DecodedJson:
    """Read JSON text.

    Raises:
        JsonSyntaxError: the text is not JSON, or `TooLargeToTolerate`.
    """
    plain = _read_plain(raw)
    if plain is not None:
        return plain
    notes: list[JsonWarning] = []
    if len(raw) > LONG and not is_plain(raw) and len(raw) > TOLERANT_LIMIT:
        raise TooLargeToTolerate("too large to be read with a tolerance", 0)
    text = _decode(raw, notes)
    value = _parse(text, notes)
    if "\\u" in text and _has_surrogate(text, value):
        notes.append(JsonWarning("lone-surrogate", "string contains a lone surrogate"))
    return DecodedJson(value, tuple(notes))


def is_json(raw: bytes) -> bool:
    """Return whether `read` would read the text; a long one that needs a tolerance counts as none.

    That takes 2 ns a byte, and a tolerance 100 times as long.
    """
    try:
        if not is_plain(raw):
            if len(raw) > LONG:
                return False
            read(raw)
    except JsonSyntaxError:
        return False
    return True


def _read_plain(raw: bytes) -> DecodedJson | None:
    """Read text as most servers write it, in a third of the time; None for any other text.

    What is written again byte by byte needed no tolerance: a name that occurs twice, for one, would be lost.
    """
    if len(raw) > PLAIN_LIMIT or _SPACED in raw:
        return None
    try:
        value: Json = _decode_fast(raw)
        is_same = _encode(value) == raw
    except (msgspec.MsgspecError, UnicodeError, RecursionError, TypeError):
        return None
    return DecodedJson(value) if is_same else None


_SPACED = b'": '


def read_value(raw: bytes | msgspec.Raw) -> Json:
    """Return the value of JSON text without warnings: the same value as `read` does, many times as fast.

    Raises:
        JsonSyntaxError: the text is not JSON.
    """
    is_string = bytes(memoryview(raw)[:1]) == b'"'
    if is_string or not _NEGATIVE_ZERO.search(raw):  # whose sign would be lost
        try:
            fast: Json = _decode_fast(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass  # needs a tolerance, or is not JSON
        else:
            return fast
    return read(bytes(raw)).value


def _decode(raw: bytes, notes: list[JsonWarning]) -> str:
    if raw.startswith(_BOM):
        notes.append(JsonWarning("byte-order-mark", "text starts with a byte order mark"))
        raw = raw[len(_BOM) :]
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        notes.append(JsonWarning("invalid-utf8", f"invalid UTF-8 at byte {error.start + 1}"))
    decode = getincrementaldecoder("utf-8")("replace").decode
    starts = range(0, len(raw), _STEP_BYTES)
    return "".join([decode(raw[at : at + _STEP_BYTES]) for at in starts]) + decode(b"", final=True)


def _parse(text: str, notes: list[JsonWarning]) -> Json:
    known = len(notes)
    try:
        return load(text, notes, RawNumber)
    except RecursionError:
        del notes[known:]
        return _parse_deep(text, notes)


def is_plain(raw: bytes) -> bool:
    """Return whether a long text needs no tolerance but for its encoding.

    That takes 2 ns a byte, and reading it to its error 30.

    Raises:
        JsonSyntaxError: no tolerance helps.
    """
    text = raw.removeprefix(_BOM)
    try:
        _skip(text)
    except (msgspec.ValidationError, UnicodeDecodeError, RecursionError):
        return False
    except msgspec.DecodeError as error:
        found = _AT_BYTE.fullmatch(str(error))
        end = int(found[2]) if found else len(text)
        reason = found[1] if found else "the text ends before the value does"
        is_half = "surrogate" in reason or "hex escape" in reason
        if is_half or text.startswith(_NUMBERS, end) or (not found and b"\\u" in text[-12:]):
            return False
        before = raw[: end + len(raw) - len(text)]
        raise JsonSyntaxError(reason, len(before.decode(errors="replace"))) from None
    return True


_skip = msgspec.json.Decoder(msgspec.Raw).decode

_AT_BYTE = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")

_NUMBERS = (b"NaN", b"Infinity")
"""Numbers of JavaScript, which only a tolerant reading accepts."""


def _parse_deep(text: str, notes: list[JsonWarning]) -> Json:
    """What is too deep for any reader: its first levels, and `RawJson` for what stands deeper."""
    found = split_nested(text)
    if found is None:
        raise JsonSyntaxError("mismatched brackets in deeply nested JSON", len(text))
    notes.append(
        JsonWarning(
            "too-deep", f"nested deeper than {DEEPEST} levels; deeper parts are not validated"
        )
    )
    for start, inner in found.inner:
        load(inner, notes, RawNumber, start)

    def number(spelling: str) -> Json:
        if spelling.startswith(found.mark):
            return RawJson(found.pieces[int(spelling[len(found.mark) :])])
        return RawNumber(spelling)

    return load(found.text, notes, number)


def _has_surrogate(text: str, value: Json) -> bool:
    if not re.search(r"\\u[dD][89a-fA-F]", text):
        return False
    return any(not string.isascii() and not _has_utf8(string) for string in _strings(value))


def _has_utf8(string: str) -> bool:
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True


def _strings(value: Json) -> Iterator[str]:
    pending: list[Json] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, dict):
            yield from item
            pending.extend(item.values())


def write(value: Json, *, indent: int | None = None) -> str:
    """Write JSON text: one line, or indented by `indent` spaces a level (as far as `json_nesting.indented` does).

    `RawNumber` and `RawJson` leave as they were written; half surrogates as escapes, so that the text has a UTF-8 form.
    No depth is too deep.
    """
    try:
        return _write_fast(value, indent)
    except (UnicodeEncodeError, TypeError, RecursionError, msgspec.DecodeError):
        return "".join(_pieces(value, indent))


def write_beginning(value: Json, limit: int) -> str:
    """What `write` gives for one line, up to `limit` characters: what only it can write takes longer than what is needed of it."""
    try:
        return _write_fast(value, None)[:limit]
    except (UnicodeEncodeError, TypeError, RecursionError):
        pieces, written = _pieces(value, None), ""
        while len(written) < limit and (piece := next(pieces, "")):
            written += piece
        return written[:limit]


MAX_READABLE = 50_000
"""Characters of a value that is laid out beside a message; its frame shows all of it."""


def write_readable(value: Json) -> str:
    """Write a value in indented lines, or of a long one the beginning of its one line, with an ellipsis."""
    text = write_beginning(value, MAX_READABLE + 1)
    is_whole = len(text) <= MAX_READABLE
    return write(value, indent=2) if is_whole else f"{text[:MAX_READABLE]}…"


def write_bytes(value: Json) -> bytes:
    """What `write` gives for one line, in UTF-8."""
    try:
        return _encode(value)
    except (UnicodeEncodeError, TypeError, RecursionError):
        return write(value).encode()


_decode_fast = msgspec.json.Decoder(float_hook=RawNumber).decode


def _verbatim(value: object) -> msgspec.Raw:
    if isinstance(value, RawNumber):
        return msgspec.Raw(value.text.encode())
    if isinstance(value, RawJson):
        return msgspec.Raw(value.encode())
    raise TypeError(type(value).__name__)


_encode = msgspec.json.Encoder(enc_hook=_verbatim).encode


def _write_fast(value: Json, indent: int | None) -> str:
    encoded = _encode(value)
    if indent is not None and may_be_deep(encoded):
        return indented(encoded.decode(), spaces=indent)
    return (encoded if indent is None else msgspec.json.format(encoded, indent=indent)).decode()


class _Piece(str):
    """Text that is already JSON."""

    __slots__ = ()


def _pieces(value: Json, indent: int | None) -> Iterator[str]:
    """What `write` gives, slowly and to any depth, for the values that the fast encoder refuses."""
    pending: list[Iterator[tuple[Json, int]]] = [iter([(value, 0)])]
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            continue
        item, level = found
        if isinstance(item, (_Piece, RawJson)):
            yield str(item)
        elif isinstance(item, RawNumber):
            yield item.text
        elif isinstance(item, (dict, list)) and item:
            pending.append(_container(item, indent, level))
        else:
            yield _quoted(item)


def _container(
    value: dict[str, Json] | list[Json], indent: int | None, level: int
) -> Iterator[tuple[Json, int]]:
    """A list or object in the order of writing: its own signs as pieces, its members as they are."""
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    inner = "" if indent is None else line_start(level + 1, indent)
    colon = ":" if indent is None else ": "
    between = opening
    for key, item in _members(value):
        name = "" if key is None else _quoted(key) + colon
        yield _Piece(between + inner + name), level
        yield item, level + 1
        between = ","
    outer = "" if indent is None else line_start(level, indent)
    yield _Piece(outer + closing), level


def _members(value: JsonObject | list[Json]) -> Iterator[tuple[str | None, Json]]:
    if isinstance(value, dict):
        yield from value.items()
    else:
        yield from ((None, item) for item in value)


def _quoted(value: Json) -> str:
    return _SURROGATE.sub(_escape, json.dumps(value, ensure_ascii=False))


def _escape(half: re.Match[str]) -> str:
    return f"\\u{ord(half[0]):04x}"


def compact(text: str) -> str:
    """Remove white space outside strings; every token keeps its spelling.

    The result has no newline unless a string of the (then invalid) text has one.
    """
    return "".join(_UNSPACED.findall(text))

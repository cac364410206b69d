"""Texts of many megabytes in pieces, so that no step takes long."""

from __future__ import annotations

import base64
import codecs
from typing import TYPE_CHECKING

from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from inspector.background_tasks import Steps
    from inspector.transcript.redaction import Masking

PIECE_BYTES = 1 << 20
"""Length of a piece."""

SEARCHED_BYTES = 1 << 18
"""Length of what is searched for secrets at once: there may be dozens."""


class Piece(str):
    """A text that goes on in the next one, on the same line."""

    __slots__ = ()


class EmptyLine(str):
    """A line without text, as a server may send one: any other empty text only gives a turn to the loop."""

    __slots__ = ()


def is_turn(text: str) -> bool:
    """Whether a text is none of the export, and only gives a turn to the loop."""
    return not text and not isinstance(text, EmptyLine)


def lines_of(texts: Iterable[str]) -> Iterator[str]:
    """Yield whole lines: pieces joined, without the empty texts that only give a turn to the loop."""
    begun: list[str] = []
    for text in texts:
        if isinstance(text, Piece):
            begun.append(text)
        elif not is_turn(text):
            yield "".join([*begun, text]) if begun else text
            begun = []
    if begun:
        yield "".join(begun)


def masked(masking: Masking, number: int, raw: bytes) -> Generator[str, None, bytes]:
    """Return `raw`, of a frame, without its secrets; a large one is searched first, piece by piece, for whether it has any, and masked in steps.

    Yields empty texts meanwhile.
    """
    signs = masking.signs(number, raw) if len(raw) > PIECE_BYTES else None
    if signs is None:
        return masking.apply(number, raw)
    overlap = max(map(len, signs), default=0)
    for start in range(0, len(raw), SEARCHED_BYTES):
        window = raw[start : start + SEARCHED_BYTES + overlap]
        if any(sign in window for sign in signs):
            return (yield from _with_turns(masking.applying(number, raw)))
        yield ""
    return raw


def _with_turns(work: Steps[bytes]) -> Generator[str, None, bytes]:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
        yield ""


def text_line(raw: bytes) -> Iterator[str]:
    """Yield one line in pieces: the text of `raw`, in which bytes that are no UTF-8 are replaced."""
    last = ""
    for text in filter(None, _as_text([raw])):
        if last:
            yield Piece(last)
        last = text
    yield last or EmptyLine()


def json_string(parts: Sequence[bytes], *, is_text: bool) -> Iterator[str]:
    """Yield a JSON string in pieces: the text of `parts`, in which bytes that are no UTF-8 are replaced, or they in base64."""
    yield Piece('"')
    for text in _as_text(parts) if is_text else _as_base64(parts):
        yield Piece(json_codec.write(text)[1:-1])
    yield Piece('"')


def is_utf8(parts: Sequence[bytes]) -> Generator[str, None, bool]:
    """Return whether `parts` are UTF-8 together; yield empty texts meanwhile, to give turns to the loop."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for piece in _split(parts):
            decode(piece)
            yield ""
        decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _split(parts: Iterable[bytes]) -> Iterator[bytes]:
    for part in parts:
        if len(part) <= PIECE_BYTES:
            yield part
        else:
            for start in range(0, len(part), PIECE_BYTES):
                yield part[start : start + PIECE_BYTES]


def _as_text(parts: Iterable[bytes]) -> Iterator[str]:
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    for piece in _split(parts):
        yield decode(piece)
    yield decode(b"", final=True)


def _as_base64(parts: Iterable[bytes]) -> Iterator[str]:
    left = b""
    for piece in _split(parts):
        whole = left + piece
        stop = len(whole) - len(whole) % 3
        yield base64.b64encode(whole[:stop]).decode()
        left = whole[stop:]
    yield base64.b64encode(left).decode()

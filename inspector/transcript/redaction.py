"""Secrets leave no trace on the disk: what stands in a recording in the place of each.

A marker tells the length of the secret and a fingerprint, so that equal secrets stay recognizable within one recording: a session id that
changed, a token that was refused. The key of the fingerprints is never stored, so nobody can try values against them. The frames
themselves stay as they crossed the wire, in memory (`Recent.hold`).
"""

from __future__ import annotations

import hashlib
import re
import secrets
from operator import is_
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from inspector.wire import json_codec
from inspector.wire.frame import HTTP_CHANNELS, Channel, FrameDefect
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.line_splitter import RawChunk
from inspector.wire.secrecy import (
    MASK,
    SHORTEST_SECRET,
    holds_marker,
    is_head,
    marker,
    mask_addresses,
    mask_arguments,
    mask_head,
    mask_oauth,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.wire.secrecy import Hide

FINGERPRINT_BYTES = 4
"""Enough to tell a few thousand secrets of one recording apart."""

_BY_NAME = frozenset({*HTTP_CHANNELS, Channel.NOTE})
"""Channels on which a name or a place marks secrets."""

_AMBIGUOUS = re.compile(r"[a-z]{1,10}|[-+.\deE]+")
"""Values that are words or numbers as well: in a message they may mean anything, and a marker in the place of a number is no JSON."""


class Redaction:
    """Takes the secrets out of what is written of one session."""

    def __init__(self) -> None:
        """Know no secret yet but those that have the name of one."""
        self.is_on = True
        """False to record frames as they are: only where somebody asked for that."""
        self.values: tuple[str, ...] = ()
        """Secrets that the server was given."""
        self._key = secrets.token_bytes(32)
        self._known: dict[bytes, bytes] = {}

    def know(self, values: Sequence[str]) -> None:
        """Replace these values wherever they stand in what is written from now on, instead of those that were known before.

        Short lower-case words and numbers are not looked for.
        """
        self.values = tuple(values)
        # The longest first: what is left of a secret that begins with another one would be readable.
        self._known = {
            spelling: self.marker(value).encode()
            for value in sorted(values, key=len, reverse=True)
            if not _AMBIGUOUS.fullmatch(value)
            for spelling in spellings(value)
        }

    def know_more(self, values: Sequence[str]) -> None:
        """Replace these values too, from now on; those that are shorter than any secret are found by their names alone."""
        new = (each for each in values if len(each) >= SHORTEST_SECRET)
        self.know(tuple(dict.fromkeys((*self.values, *new))))

    def marker(self, secret: str) -> str:
        """What is written in the place of a secret; a marker stays what it is."""
        if holds_marker(secret):
            return secret
        size = len(secret.encode("utf-8", "surrogateescape"))
        return marker(size, self.fingerprint(secret))

    def fingerprint(self, secret: str) -> str:
        """Hexadecimal digits by which equal secrets are recognized, within this recording alone."""
        raw = secret.encode("utf-8", "surrogateescape")
        return hashlib.blake2b(raw, key=self._key, digest_size=FINGERPRINT_BYTES).hexdigest()

    def hide(self, text: str) -> str:
        """A text about the session, as others may see it: dots for every secret that is known."""
        raw = text.encode("utf-8", "surrogateescape")
        for spelling in self._known:
            raw = raw.replace(spelling, MASK.encode())
        return raw.decode("utf-8", "surrogateescape")

    def redact(self, channel: Channel, lines: Sequence[RawChunk]) -> Sequence[RawChunk]:
        """Frames as they are written: the same sequence where nothing is to be hidden."""
        if not self.is_on or not (channel in _BY_NAME or self._known):
            return lines
        redacted = [self._redact_line(channel, line) for line in lines]
        return lines if all(map(is_, redacted, lines)) else redacted

    def _redact_line(self, channel: Channel, line: RawChunk) -> RawChunk:
        raw = without_secrets(channel, line.raw, self.marker)
        for spelling, replaced in self._known.items():
            if spelling in raw:
                raw = raw.replace(spelling, replaced)
        return (
            line
            if raw == line.raw
            else RawChunk(raw, line.flaw | FrameDefect.REDACTED, line.dropped)
        )


def without_secrets(channel: int, raw: bytes, hide: Hide) -> bytes:
    """A frame without what its place or its name marks as a secret: headers, parameters, arguments of a program."""
    if channel in HTTP_CHANNELS and is_head(raw):
        raw = mask_head(raw, hide)
    if channel == Channel.AUTH:
        return mask_oauth(raw, hide)
    return _without_arguments(raw, hide) if channel == Channel.NOTE else raw


def spellings(secret: str) -> set[bytes]:
    """A secret as text, and as JSON and forms spell it."""
    found = {secret.encode("utf-8", "surrogateescape"), json_codec.write_bytes(secret)[1:-1]}
    found |= {
        quote_plus(secret, errors="replace").encode(),
        quote(secret, safe="", errors="replace").encode(),
    }
    return found - {b""}


def arguments_of(raw: bytes) -> list[str]:
    """The arguments in the note about a program that was started."""
    if b'"args"' not in raw:
        return []
    try:
        note = json_codec.read(raw).value
    except JsonSyntaxError:
        return []
    arguments = note.get("args") if isinstance(note, dict) else None
    return (
        [each for each in arguments if isinstance(each, str)] if isinstance(arguments, list) else []
    )


def _without_arguments(raw: bytes, hide: Hide) -> bytes:
    """A note: its text stays as it is spelled, but for the secrets."""
    arguments = arguments_of(raw)
    for argument, masked in zip(arguments, mask_arguments(arguments, hide), strict=True):
        if argument != masked:
            raw = raw.replace(json_codec.write_bytes(argument), json_codec.write_bytes(masked))
    text = raw.decode("utf-8", "surrogateescape")
    return mask_addresses(text, hide).encode("utf-8", "surrogateescape")

"""Transcripts without their secrets: what is written to the disk, and what leaves Spyglass (copies, exports, printed text).

In a recording a marker replaces each secret. It has the length of the secret and a fingerprint, so that equal secrets stay recognizable
within one recording: a session id that changed, a token that was refused. The key of the fingerprints is never stored, so that values cannot
be tried against them. The frames in memory stay complete (`FrameCache.keep_unredacted`).

`Masking` hides the values of secret headers, secret arguments of the command, secret parameters and passwords in URLs, state handles
(C-SEC-14), and wherever they occur the secrets that the server was given: those of `Transcript.redaction`, and those that the notes and
header blocks of a recording contain.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from operator import is_
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus
from weakref import WeakKeyDictionary

from inspector.background_tasks import at_once
from inspector.errors import StorageError
from inspector.transcript.quick_fields import LABEL_MEMBER
from inspector.wire import json_codec
from inspector.wire.argument_secrets import mask_arguments, secrets_in_arguments
from inspector.wire.frame import HTTP_CHANNELS, Channel, FrameDefect
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import (
    MASK,
    MIN_SECRET_CHARS,
    STATE_HANDLES,
    dots,
    has_marker,
    is_header_block,
    marker,
    mask_header_block,
    mask_oauth,
    mask_state_handles,
    mask_task_id,
    mask_urls,
    secrets_in_header_block,
    secrets_in_urls,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.background_tasks import Steps
    from inspector.transcript.transcript import Transcript
    from inspector.wire.redaction import Hide

FINGERPRINT_BYTES = 4
"""Enough to tell a few thousand secrets of one recording apart."""

_BY_NAME = frozenset({*HTTP_CHANNELS, Channel.NOTE})
"""Channels on which a name or a place marks secrets."""

_AMBIGUOUS = re.compile(r"[a-z]{1,10}|[-+.\deE]+")
"""Values that are also common texts or numbers: in a message they may mean anything, and a marker instead of a number is not JSON."""


class Redaction:
    """Takes the secrets out of what is written of one session."""

    def __init__(self) -> None:
        """Start with the secrets that are recognized by name."""
        self.is_on = True
        """False to record frames unchanged: only when the user requested that."""
        self.values: tuple[str, ...] = ()
        """Secrets that were given to the server."""
        self._key = secrets.token_bytes(32)
        self._known: dict[bytes, bytes] = {}

    def know(self, values: Sequence[str]) -> None:
        """Replace these values, instead of the earlier ones, in everything that is written from now on.

        Short lower-case texts and numbers are not replaced.
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
        """Replace these values too, from now on; values below the length of a secret are recognized by name only."""
        new = (each for each in values if len(each) >= MIN_SECRET_CHARS)
        self.know(tuple(dict.fromkeys((*self.values, *new))))

    def marker(self, secret: str) -> str:
        """Return the marker of a secret; a marker stays unchanged, as does what was masked before it was exported."""
        if has_marker(secret) or secret == MASK:
            return secret
        size = len(secret.encode("utf-8", "surrogateescape"))
        return marker(size, self.fingerprint(secret))

    def fingerprint(self, secret: str) -> str:
        """Return hexadecimal digits that are equal for equal secrets, within this recording."""
        raw = secret.encode("utf-8", "surrogateescape")
        return hashlib.blake2b(raw, key=self._key, digest_size=FINGERPRINT_BYTES).hexdigest()

    def hide(self, text: str) -> str:
        """Return a text about the session with every known secret masked."""
        return _masked(text, self._known)

    def redact(self, channel: Channel, lines: Sequence[RawChunk]) -> Sequence[RawChunk]:
        """Return frames as they are written: the same sequence when they contain no secret."""
        if not self.is_on or not (channel in _BY_NAME or self._known):
            return lines
        redacted = [self._redact_line(channel, line) for line in lines]
        return lines if all(map(is_, redacted, lines)) else redacted

    def redacted(self, channel: int, raw: bytes) -> bytes:
        """Return a frame, or a part of one, with a marker in place of each secret."""
        raw = without_secrets(channel, raw, self.marker)
        for spelling, replaced in self._known.items():
            if spelling in raw:
                raw = raw.replace(spelling, replaced)
        return raw

    def _redact_line(self, channel: Channel, line: RawChunk) -> RawChunk:
        raw = self.redacted(channel, line.raw)
        return (
            line
            if raw == line.raw
            else RawChunk(raw, line.flaw | FrameDefect.REDACTED, line.dropped)
        )


def without_secrets(channel: int, raw: bytes, hide: Hide) -> bytes:
    """Return a frame without the secrets that are recognized by name or position: headers, parameters, arguments of a command."""
    if channel in HTTP_CHANNELS and is_header_block(raw):
        raw = mask_header_block(raw, hide)
    if channel == Channel.AUTH:
        return mask_oauth(raw, hide)
    return _without_arguments(raw, hide) if channel == Channel.NOTE else raw


def spellings(secret: str) -> set[bytes]:
    """Return a secret as text, and as it is written in JSON and forms."""
    found = {secret.encode("utf-8", "surrogateescape"), json_codec.write_bytes(secret)[1:-1]}
    found |= {
        quote_plus(secret, errors="replace").encode(),
        quote(secret, safe="", errors="replace").encode(),
    }
    return found - {b""}


def process_of(raw: bytes) -> tuple[str, list[str]]:
    """Return the program and the arguments in the note about a started process; nothing for another note."""
    if b'"args"' not in raw:
        return "", []
    try:
        note = json_codec.read(raw).value
    except JsonSyntaxError:
        return "", []
    arguments = note.get("args") if isinstance(note, dict) else None
    if not isinstance(note, dict) or not isinstance(arguments, list):
        return "", []
    program = note.get("program")
    found = [each for each in arguments if isinstance(each, str)]
    return program if isinstance(program, str) else "", found


def _without_arguments(raw: bytes, hide: Hide) -> bytes:
    """Return a note without its secrets; the rest of its text is unchanged."""
    program, arguments = process_of(raw)
    hidden = mask_arguments(arguments, hide, program=program)
    for argument, masked in zip(arguments, hidden, strict=True):
        if argument != masked:
            raw = raw.replace(json_codec.write_bytes(argument), json_codec.write_bytes(masked))
    text = raw.decode("utf-8", "surrogateescape")
    return mask_urls(text, hide).encode("utf-8", "surrogateescape")


_WHERE: dict[int, str] = {Channel.AUTH: "in authorization", Channel.NOTE: "in arguments and URLs"}
"""Where the secrets of a channel are that are recognized by name."""

_MASK = MASK.encode()

MAX_SEARCHED, MAX_SEARCHED_BYTES = 2000, 64 << 10
"""Frames at the beginning of a recording that are searched for secrets, and the largest one."""


class Masking:
    """Returns the frames of one transcript without their secrets."""

    def __init__(self, transcript: Transcript, *, with_secrets: bool = False) -> None:
        """Hide nothing with `with_secrets`."""
        self._transcript = transcript
        self.with_secrets = with_secrets
        self.masked: Counter[str] = Counter()
        """How many secrets were masked in frames, by where they were."""
        self._given = known_secrets(transcript)
        self._known = _spellings_by_length(self._given)

    def raw(self, number: int) -> bytes:
        """Return the bytes of a frame.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        return self.apply(number, self._transcript.raw(number))

    def apply(self, number: int, raw: bytes) -> bytes:
        """Return `raw`, the frame `number` or its message, without its secrets."""
        return at_once(self.applying(number, raw))

    def applying(self, number: int, raw: bytes) -> Steps[bytes]:
        """Return the same in steps, for a frame of many megabytes."""
        if self.with_secrets:
            return raw
        channel = self._transcript.columns.channel[number - 1]
        hidden = without_secrets(channel, raw, dots)
        self._count(_WHERE.get(channel, "in headers"), raw, hidden)
        yield
        handled = hidden
        if channel in HTTP_CHANNELS:
            handled = mask_task_id(hidden) if is_header_block(raw) else mask_state_handles(hidden)
        elif channel != Channel.NOTE:
            handled = mask_state_handles(hidden)
        yield
        self._count("in state handles", hidden, handled)
        self._refresh_known()
        known = handled
        for spelling in self._known:
            yield
            known = known.replace(spelling, _MASK)
        self._count("known values", handled, known)
        return known

    def signs(self, number: int, raw: bytes) -> tuple[bytes, ...] | None:
        """Return texts without any of which `apply` leaves `raw` as it is; None if what is secret in it has no such signs."""
        channel = self._transcript.columns.channel[number - 1]
        if channel in {Channel.NOTE, Channel.AUTH} or is_header_block(raw):
            return None
        self._refresh_known()
        return () if self.with_secrets else (*STATE_HANDLES, *self._known)

    def _count(self, where: str, before: bytes, after: bytes) -> None:
        if after is not before and after != before:
            self.masked[where] += max(1, after.count(_MASK) - before.count(_MASK))

    def text(self, text: str) -> str:
        """Return a text about a frame, of a note or of an error of the server, without its secrets."""
        if self.with_secrets:
            return text
        self._refresh_known()
        return _masked(mask_urls(text), self._known)

    def label(self, method: str, label: str) -> str:
        """Return what a request of `method` names without its secrets; the id of a task is one as a whole."""
        if self.with_secrets or not label:
            return label
        return MASK if LABEL_MEMBER.get(method) == "taskId" else self.text(label)

    def _refresh_known(self) -> None:
        """Know the secrets that were given since: a token may come in the session."""
        if self._transcript.live and self._given is not self._transcript.redaction.values:
            self._given = self._transcript.redaction.values
            self._known = _spellings_by_length(self._given)

    def hides(self, numbers: Iterable[int]) -> bool:
        """Return whether any of these frames contains a secret."""
        return any(self.raw(number) != self._transcript.raw(number) for number in numbers)


def _masked(text: str, known: Iterable[bytes]) -> str:
    """Return a text without these spellings of secrets. It is not encoded for that: texts of a server may have lone surrogates."""
    for spelling in known:
        text = text.replace(spelling.decode("utf-8", "surrogateescape"), MASK)
    return text


def _spellings_by_length(given: tuple[str, ...]) -> list[bytes]:
    found = {spelling for secret in given for spelling in spellings(secret)}
    return sorted(found, key=len, reverse=True)


def known_secrets(transcript: Transcript) -> tuple[str, ...]:
    """Return the secrets that were given to the server, in a session or as its recording shows them."""
    return transcript.redaction.values if transcript.live else recorded_secrets(transcript)


def recorded_secrets(transcript: Transcript) -> tuple[str, ...]:
    """Return the secrets that were given to the server, as the beginning of a recording shows them; it is read once."""
    last = min(transcript.count, MAX_SEARCHED)
    known = _RECORDED.get(transcript)
    if known is None or known[0] != last:
        found, is_whole = _secrets_up_to(transcript, last)
        if not is_whole:
            return found  # the next search may read what this one could not
        known = _RECORDED[transcript] = last, found
    return known[1]


_RECORDED: WeakKeyDictionary[Transcript, tuple[int, tuple[str, ...]]] = WeakKeyDictionary()
"""How many frames of a recording were searched, and what was found: each of its responses is checked for these secrets."""


def _secrets_up_to(transcript: Transcript, last: int) -> tuple[tuple[str, ...], bool]:
    """Return the secrets in these frames, and whether all of them could be read."""
    found, is_whole = list[str](), True
    columns = transcript.columns
    for number in range(1, last + 1):
        if columns.size[number - 1] > MAX_SEARCHED_BYTES:
            continue
        channel = columns.channel[number - 1]
        if channel in _BY_NAME:
            try:
                found += secrets_in_frame(channel, transcript.raw(number))
            except StorageError:
                is_whole = False
    return tuple(dict.fromkeys(found)), is_whole


def secrets_in_frame(channel: int, raw: bytes) -> list[str]:
    """Return the secrets that were given to the server, as a note or a header block shows them."""
    if channel not in _BY_NAME:
        return []
    found = _secrets_of_note(raw) if channel == Channel.NOTE else secrets_in_header_block(raw)
    long = (each for each in found if len(each) >= MIN_SECRET_CHARS)
    return [each for each in long if not has_marker(each) and MASK not in each]


def _secrets_of_note(raw: bytes) -> tuple[str, ...]:
    program, arguments = process_of(raw)
    in_text = secrets_in_urls(raw.decode("utf-8", "surrogateescape"))
    return (*secrets_in_arguments(arguments, program=program), *in_text)

"""A record without its secrets, for whatever leaves Spyglass: copies, exports, what is printed. The record itself stays as it is.

Hidden are the values of secret headers in heads of HTTP, secret arguments of the program that was started, secret parameters and passwords
in addresses of ours, handles of the server's state (C-SEC-14), and the secrets that the server was given, wherever they come back: those
of `Transcript.secrets`, and those that the notes and heads of a recording name.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.wire import jsontext
from inspector.wire.frame import Channel
from inspector.wire.handles import mask_handles, mask_task_name
from inspector.wire.jsontext import JsonTextError
from inspector.wire.secrecy import (
    DOTS,
    SHORTEST_SECRET,
    is_head,
    mask_addresses,
    mask_arguments,
    mask_head,
    secrets_in_address,
    secrets_in_arguments,
    secrets_in_head,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.transcript import Transcript

MAX_SEARCHED, MAX_SEARCHED_BYTES = 2000, 64 << 10
"""Frames at the beginning of a recording that are searched for secrets, and the largest one."""


class Masking:
    """Gives the frames of one record as others may see them."""

    def __init__(self, transcript: Transcript, *, with_secrets: bool = False) -> None:
        """Hide nothing with `with_secrets`."""
        self._transcript = transcript
        self.with_secrets = with_secrets
        known = transcript.secrets if transcript.live else recorded_secrets(transcript)
        self._known = sorted(_spellings(known), key=len, reverse=True)

    def raw(self, number: int) -> bytes:
        """The bytes of a frame.

        Raises:
            StorageError: they are in the file and it cannot be read.
        """
        return self.apply(number, self._transcript.raw(number))

    def apply(self, number: int, raw: bytes) -> bytes:
        """`raw`, which is the frame `number` or the message in it."""
        if self.with_secrets:
            return raw
        channel = self._transcript.columns.channel[number - 1]
        if channel == Channel.HTTP and is_head(raw):
            raw = mask_task_name(mask_head(raw))
        elif channel == Channel.NOTE:
            raw = _mask_note(raw)
        else:
            raw = mask_handles(raw)
        return self._without_known(raw)

    def text(self, words: str) -> str:
        """A sentence about a frame: of a note of ours, or of an error that the server returned."""
        if self.with_secrets:
            return words
        raw = mask_addresses(words).encode("utf-8", "surrogateescape")
        return self._without_known(raw).decode("utf-8", "surrogateescape")

    def _without_known(self, raw: bytes) -> bytes:
        for known in self._known:
            raw = raw.replace(known, DOTS.encode())
        return raw

    def hides(self, numbers: Iterable[int]) -> bool:
        """Whether there is something to hide in any of these frames."""
        return any(self.raw(number) != self._transcript.raw(number) for number in numbers)


def recorded_secrets(transcript: Transcript) -> tuple[str, ...]:
    """The secrets that the beginning of a recording shows the server to have been given."""
    found: list[str] = []
    columns = transcript.columns
    for number in range(1, min(transcript.count, MAX_SEARCHED) + 1):
        if columns.size[number - 1] > MAX_SEARCHED_BYTES:
            continue
        with suppress(StorageError):
            if columns.channel[number - 1] == Channel.NOTE:
                found += _secrets_of_note(transcript.raw(number))
            elif columns.channel[number - 1] == Channel.HTTP:
                found += secrets_in_head(transcript.raw(number))
    return tuple(dict.fromkeys(each for each in found if len(each) >= SHORTEST_SECRET))


def _secrets_of_note(raw: bytes) -> tuple[str, ...]:
    arguments = _arguments(raw)
    in_text = secrets_in_address(raw.decode("utf-8", "surrogateescape"))
    return (*secrets_in_arguments(arguments), *in_text)


def _mask_note(raw: bytes) -> bytes:
    """Its text stays as it is spelled, but for the secrets."""
    arguments = _arguments(raw)
    for argument, masked in zip(arguments, mask_arguments(arguments), strict=True):
        if argument != masked:
            raw = raw.replace(jsontext.write_bytes(argument), jsontext.write_bytes(masked))
    text = raw.decode("utf-8", "surrogateescape")
    return mask_addresses(text).encode("utf-8", "surrogateescape")


def _arguments(raw: bytes) -> list[str]:
    """The arguments in the note about a program that was started."""
    if b'"args"' not in raw:
        return []
    try:
        note = jsontext.read(raw).value
    except JsonTextError:
        return []
    arguments = note.get("args") if isinstance(note, dict) else None
    return (
        [each for each in arguments if isinstance(each, str)] if isinstance(arguments, list) else []
    )


def _spellings(secrets: Iterable[str]) -> set[bytes]:
    """Each secret as text and as JSON spells it."""
    found: set[bytes] = set()
    for secret in secrets:
        found |= {secret.encode("utf-8", "surrogateescape"), jsontext.write_bytes(secret)[1:-1]}
    return found - {b""}

"""A record without its secrets, for whatever leaves Spyglass: copies, exports, what is printed. The record itself stays as it is.

Hidden are the values of secret headers in heads of HTTP, secret arguments of the program that was started, secret parameters and passwords
in addresses of ours, handles of the server's state (C-SEC-14), and the secrets that the server was given, wherever they come back: those
of `Transcript.redaction`, and those that the notes and heads of a recording name. The markers of `redaction.py` hide nothing more.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.redaction import arguments_of, spellings, without_secrets
from inspector.wire.frame import HTTP_CHANNELS, Channel
from inspector.wire.handles import mask_handles, mask_task_name
from inspector.wire.secrecy import (
    MASK,
    SHORTEST_SECRET,
    dots,
    holds_marker,
    is_head,
    mask_addresses,
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
        known = transcript.redaction.values if transcript.live else recorded_secrets(transcript)
        found = {spelling for secret in known for spelling in spellings(secret)}
        self._known = sorted(found, key=len, reverse=True)

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
        hidden = without_secrets(channel, raw, dots)
        if channel in HTTP_CHANNELS:
            hidden = mask_task_name(hidden) if is_head(raw) else mask_handles(hidden)
        elif channel != Channel.NOTE:
            hidden = mask_handles(hidden)
        return self._without_known(hidden)

    def text(self, text: str) -> str:
        """A sentence about a frame: of a note of ours, or of an error that the server returned."""
        if self.with_secrets:
            return text
        raw = mask_addresses(text).encode("utf-8", "surrogateescape")
        return self._without_known(raw).decode("utf-8", "surrogateescape")

    def _without_known(self, raw: bytes) -> bytes:
        for known in self._known:
            raw = raw.replace(known, MASK.encode())
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
            elif columns.channel[number - 1] in HTTP_CHANNELS:
                found += secrets_in_head(transcript.raw(number))
    known = (each for each in found if len(each) >= SHORTEST_SECRET and not holds_marker(each))
    return tuple(dict.fromkeys(known))


def _secrets_of_note(raw: bytes) -> tuple[str, ...]:
    arguments = arguments_of(raw)
    in_text = secrets_in_address(raw.decode("utf-8", "surrogateescape"))
    return (*secrets_in_arguments(arguments), *in_text)

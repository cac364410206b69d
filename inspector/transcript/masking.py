"""A record without its secrets, for whatever leaves Spyglass: copies, exports, what is printed. The record itself stays as it is.

Hidden are the values of secret headers in heads of HTTP, secret parameters and passwords in addresses of ours, handles of the server's
state (C-SEC-14), and the secrets that the server was given (`Transcript.secrets`), wherever they come back. Those of an earlier session
are not known any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import jsontext
from inspector.wire.frame import Channel
from inspector.wire.handles import mask_handles, mask_task_name
from inspector.wire.secrecy import DOTS, is_head, mask_addresses, mask_head

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.transcript import Transcript


class Masking:
    """Gives the frames of one record as others may see them."""

    def __init__(self, transcript: Transcript, *, with_secrets: bool = False) -> None:
        """Hide nothing with `with_secrets`."""
        self._transcript = transcript
        self.with_secrets = with_secrets
        self._known = sorted(_spellings(transcript.secrets), key=len, reverse=True)

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
            raw = mask_addresses(raw.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        else:
            raw = mask_handles(raw)
        for known in self._known:
            raw = raw.replace(known, DOTS.encode())
        return raw

    def hides(self, numbers: Iterable[int]) -> bool:
        """Whether there is something to hide in any of these frames."""
        return any(self.raw(number) != self._transcript.raw(number) for number in numbers)


def _spellings(secrets: Iterable[str]) -> set[bytes]:
    """Each secret as text and as JSON spells it."""
    found: set[bytes] = set()
    for secret in secrets:
        found |= {secret.encode("utf-8", "surrogateescape"), jsontext.write_bytes(secret)[1:-1]}
    return found - {b""}

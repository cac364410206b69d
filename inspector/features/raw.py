"""Sending any text as a frame, valid or not, to see what the server does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.session.session import Session


class Raw:
    """The unguarded way to the wire."""

    def __init__(self, session: Session) -> None:
        """Offer to send over the connection of `session`."""
        self._session = session

    async def send(self, text: str) -> int:
        """Send `text` as it is and give the number of its frame; an answer is linked to it like any other.

        A newline in it ends the frame for the server, as the record will show by what comes back.

        Raises:
            ConnectionLost: the connection is over.
        """
        number = await self._session.peer.send_raw(text.encode("utf-8", "surrogatepass"))
        self._session.transcript.annotations.set_edited(number)
        return number

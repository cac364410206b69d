"""What came back in one HTTP exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import TEMPORARY_STATUSES, TransportError
from inspector.fact import Fact
from inspector.wire.frame import Flaw
from inspector.wire.lines import DEFAULT_LINE_BUDGET, Line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"


def _drop(_rest: Line) -> None:
    """Record nothing."""


class Answer(Fact, frozen=True):
    """A status with its headers, and a body that is still to come."""

    status: int
    """The status."""
    reason: str
    """What the server says beside it."""
    headers: Mapping[str, str]
    """By name, whatever its case."""
    stream: int
    """The frame that opened the exchange."""
    chunks: AsyncIterator[bytes]
    """The body; raises `TransportError` when it is cut off."""
    record_rest: Callable[[Line], None] = _drop
    """Takes what came of a body that was not read to its end."""

    @property
    def is_good(self) -> bool:
        """Whether the status says so."""
        return 200 <= self.status < 300

    @property
    def is_temporary(self) -> bool:
        """Whether asking again later may lead to something else."""
        return self.status in TEMPORARY_STATUSES

    @property
    def media_type(self) -> str:
        """What the body is, in small letters and without parameters; empty when it is not said."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_stream(self) -> bool:
        """Whether the body is an event stream."""
        return self.is_good and self.media_type == STREAM_TYPE

    async def read(self, budget: int = DEFAULT_LINE_BUDGET) -> Line:
        """The whole body, `budget` bytes of it at most.

        What came is recorded too when it ends early, or when nobody waits any longer.

        Raises:
            TransportError: it was cut off; the words say how much came.
        """
        parts: list[bytes] = []
        size = dropped = 0
        try:
            async for chunk in self.chunks:
                room = max(0, budget - size)
                parts.append(chunk[:room])
                size += min(len(chunk), room)
                dropped += max(0, len(chunk) - room)
        except BaseException as error:
            if isinstance(error, TransportError):
                error.words += f"; {self._amount_words(size + dropped)} came"
            if size:
                flaw = Flaw.UNTERMINATED | (Flaw.CUT if dropped else Flaw.NONE)
                self.record_rest(Line(b"".join(parts), flaw, dropped))
            raise
        return Line(b"".join(parts), Flaw.CUT if dropped else Flaw.NONE, dropped)

    def _amount_words(self, came: int) -> str:
        """How much of the body that is, as its head has it; a compressed one has another size."""
        promised = self.headers.get("content-length", "")
        is_known = promised.isdecimal() and "content-encoding" not in self.headers
        whole = f"{int(promised):,} bytes" if is_known and len(promised) < 20 else "the body"
        return f"{came:,} of {whole}" if is_known else f"{came:,} bytes of {whole}"

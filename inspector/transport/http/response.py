"""What came back in one HTTP exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import TEMPORARY_STATUSES, TransportError
from inspector.fact import Fact
from inspector.wire.frame import Channel, Flaw
from inspector.wire.lines import DEFAULT_LINE_BUDGET, EXCERPT_BYTES, Line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"


def _drop(_rest: Line) -> None:
    """Record nothing."""


def _keep_quiet(_channel: Channel, _size: int, _head: bytes, _tail: bytes) -> None:
    """Tell nobody."""


class HttpResponse(Fact, frozen=True):
    """A status with its headers, and a body that is still to come."""

    status: int
    """The status."""
    reason: str
    """What the server says beside it."""
    headers: Mapping[str, str]
    """By name, whatever its case."""
    frame: int
    """The frame that opened the exchange."""
    chunks: AsyncIterator[bytes]
    """The body; raises `TransportError` when it is cut off."""
    request_headers: Mapping[str, str] = {}
    """Headers of the request, by name, whatever its case."""
    url: str = ""
    """Where it was sent."""
    via: str = ""
    """The proxy that may have responded itself, in words; empty for none, or where there is a tunnel through it."""
    record_rest: Callable[[Line], None] = _drop
    """Takes what came of a body that was not read to its end."""
    report_unfinished: Callable[[Channel, int, bytes, bytes], None] = _keep_quiet
    """Takes what came of the body and is no frame yet, as `Sink.unfinished` does."""
    credentials_text: str = ""
    """What the credentials say of a refusal; empty where they say nothing."""
    remedy: str = ""
    """What they say to do about it."""
    needs_user: bool = False
    """Whether they need the user, who was not asked yet."""
    header_pairs: tuple[tuple[str, str], ...] = ()
    """The headers once more: in order, each as often as it came."""

    @property
    def is_success(self) -> bool:
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
        return self.is_success and self.media_type == STREAM_TYPE

    async def read(self, budget: int = DEFAULT_LINE_BUDGET) -> Line:
        """The whole body, `budget` bytes of it at most.

        What came is recorded too when it ends early, or when nobody waits any longer.

        Raises:
            TransportError: it was cut off; the words say how much came.
        """
        body = _Body(budget)
        try:
            async for chunk in self.chunks:
                body.add(chunk)
                self.unfinished(body.size, body.head, body.tail)
        except BaseException as error:
            if isinstance(error, TransportError):
                error.words += f"; {self._amount_words(body.size)} came"
            if body.size:
                self.record_rest(body.line(Flaw.UNTERMINATED))
            raise
        finally:
            self.unfinished(0)
        return body.line(Flaw.NONE)

    def unfinished(self, size: int, head: bytes = b"", tail: bytes = b"") -> None:
        """Let it be known that so many bytes of the body came and are no frame yet; 0 for none any more."""
        is_json = self.media_type == JSON_TYPE
        channel = Channel.BODY if is_json else Channel.SSE if self.is_stream else Channel.HTTP
        self.report_unfinished(channel, size, head, tail)

    def _amount_words(self, came: int) -> str:
        """How much of the body that is, as its head has it; a compressed one has another size."""
        promised = self.headers.get("content-length", "")
        is_known = promised.isdecimal() and "content-encoding" not in self.headers
        whole = f"{int(promised):,} bytes" if is_known and len(promised) < 20 else "the body"
        return f"{came:,} of {whole}" if is_known else f"{came:,} bytes of {whole}"


class _Body:
    """What came of a body."""

    def __init__(self, budget: int) -> None:
        self.size = 0
        """Bytes that came, kept or not."""
        self.head = b""
        """The first of them, `EXCERPT_BYTES` at most."""
        self.tail = b""
        """The latest of them, as many."""
        self._budget = budget
        self._parts: list[bytes] = []
        self._kept = 0

    def add(self, chunk: bytes) -> None:
        part = chunk[: max(0, self._budget - self._kept)]
        self._parts.append(part)
        self._kept += len(part)
        self.size += len(chunk)
        self.head += chunk[: max(0, EXCERPT_BYTES - len(self.head))]
        self.tail = (self.tail + chunk[-EXCERPT_BYTES:])[-EXCERPT_BYTES:]

    def line(self, flaw: Flaw) -> Line:
        dropped = self.size - self._kept
        return Line(b"".join(self._parts), flaw | Flaw.CUT if dropped else flaw, dropped)

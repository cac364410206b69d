"""The thread that decodes large messages, held until a test lets it go on."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.transport import large_messages
from inspector.wire.message import decode_frame

if TYPE_CHECKING:
    from collections.abc import Generator

    import pytest

    from inspector.wire.frame import Channel, FrameDefect
    from inspector.wire.message import Message


class DecodingThread:
    """What the thread that decodes does, and when."""

    def __init__(self) -> None:
        self.may_decode = threading.Event()
        self.sizes: list[int] = []
        """Of the messages that it began to decode."""
        self.error: Exception | None = None
        self.names: set[str] = set()
        self.began: list[float] = []
        """When it began with each, in monotonic seconds."""

    def decode(self, channel: Channel, raw: bytes, flaw: FrameDefect) -> Message:
        """Wait for the test, then decode or fail."""
        self.began.append(time.monotonic())
        self.sizes.append(len(raw))
        self.names.add(threading.current_thread().name)
        assert self.may_decode.wait(10)
        if self.error is not None:
            raise self.error
        return decode_frame(channel, raw, flaw)


@contextmanager
def holding_decoding(monkeypatch: pytest.MonkeyPatch) -> Generator[DecodingThread]:
    """Hold the thread until `may_decode` is set, at the latest at the end."""
    thread = DecodingThread()
    monkeypatch.setattr(large_messages, "decode_frame", thread.decode)
    try:
        yield thread
    finally:
        thread.may_decode.set()

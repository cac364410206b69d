"""What is on the page for one server: the message that is edited, and what was sent."""

from __future__ import annotations

import msgspec

from inspector.compare.compared_frame import ComparedFrame
from inspector.features.repeat import Send, Sends
from inspector.features.repeated_sends import RepeatedSends


class Work(msgspec.Struct, eq=False, weakref=True):
    """The message, and the sends."""

    text: str = ""
    """The text in the editor; Qt reports changes of its fonts as changes of the text."""
    is_as_typed: bool = False
    """Whether JSON in lines is sent in lines."""
    original: ComparedFrame | None = None
    """The message of the traffic that it was made from."""
    original_text: str = ""
    current: Send | None = None
    """The row that the text belongs to; None for a message that was not edited yet."""
    sends: Sends = msgspec.field(default_factory=Sends)
    confirmed: set[str] = msgspec.field(default_factory=set[str])
    """Destructive tools that the user agreed to call."""
    run: RepeatedSends | None = None
    """The latest run of many sends."""

    def set_original(self, frame: ComparedFrame | None) -> None:
        """Compare with another message of the traffic."""
        if frame != self.original:
            self.original = frame
            raw = frame.transcript.raw(frame.number) if frame is not None else b""
            self.original_text = raw.decode(errors="replace")

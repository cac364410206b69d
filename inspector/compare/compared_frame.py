"""A frame that is compared, named before anything is compared: the traffic names them from its start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript


class ComparedFrame(FrozenStruct, frozen=True):
    """A frame that is compared, with the exchange it belongs to."""

    transcript: Transcript
    number: int
    """The frame."""
    answer: int = 0
    """The frame with the result, where that is not the response of the exchange: the result of a task. 0 otherwise."""

    @property
    def request(self) -> int:
        """The request of the exchange; 0 for a frame that belongs to none."""
        return self.transcript.columns.request[self.number - 1]

    @property
    def response(self) -> int:
        """The frame with the result; 0 without one."""
        return self.answer or (
            self.transcript.columns.response[self.request - 1] if self.request else 0
        )


def compared_result(transcript: Transcript, request: int, answer: int) -> ComparedFrame:
    """Return an exchange whose result is in the frame `answer`."""
    is_response = transcript.columns.response[request - 1] == answer
    return ComparedFrame(transcript, request, 0 if is_response else answer)

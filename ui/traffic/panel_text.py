"""What the panel says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel


OPEN_RECORDING = "Open its recording"
"""The way on from a frame whose run is not listed."""


class EmptyText(NamedTuple):
    """Why there are no rows, and the next step."""

    title: str
    """In short."""
    text: str
    """What would be here."""
    action: str = ""
    """The next step; empty where it is not in this panel."""


def state(model: TrafficModel) -> tuple[str, str]:
    """What is going on, or how many rows there are; and the tone."""
    feed, count = model.feed, model.timeline.count
    if model.transcript is None:
        return "", "muted"
    if feed.paused:
        return f"paused · {feed.waiting:,} new", "warning"
    if feed.share is not None:
        return f"filtering {feed.share:.0%}", "pending"
    if feed.query.is_empty and not model.shown.first:
        return plural(count, "frame"), "muted"
    return f"{model.matching:,} of {plural(count, 'frame')}", "muted"


def http_hidden(headers: int, events: int) -> str:
    """Count HTTP headers and SSE events without a message that are no rows; empty where there are none."""
    parts = [
        plural(headers, "HTTP header block") if headers else "",
        plural(events, "SSE event without a message", "SSE events without a message")
        if events
        else "",
    ]
    named = ", ".join(part for part in parts if part)
    return f"{named} hidden" if named else ""


def hidden(count: int) -> tuple[str, str]:
    """That rows were cleared, and the way back."""
    return f"{plural(count, 'earlier row')} hidden", "Show"


def hidden_frame_notice(model: TrafficModel, number: int) -> tuple[str, str]:
    """Why a frame that is shown whole is not among the rows, and the way back."""
    _, local = model.timeline.locate(number)
    if number >= model.feed.next:
        return f"Frame {local:,} arrived while paused.", "Resume"
    if model.shown.holds(number):
        return f"Frame {local:,} is in the hidden earlier rows.", "Show"
    return f"Frame {local:,} does not match the filter.", "Clear filter"


def of_no_row(transcript: Transcript, number: int) -> tuple[str, str]:
    """That a frame belongs to a run or server whose frames are not the rows, and where the others of its run are."""
    text = f"Frame {number:,} is from a run that is no longer listed."
    if transcript.path is None:
        return f"{text} That run was in memory only.", ""
    return text, OPEN_RECORDING


def no_frame(number: int) -> str:
    """That there is no such frame."""
    return f"Frame {number:,} is not in this session."


def emptiness(model: TrafficModel, filter_text: str) -> EmptyText | None:
    """Why there are no rows; none if there are."""
    transcript, count = model.transcript, model.timeline.count
    if model.matching or model.feed.share is not None:
        return None
    if transcript is None:
        return EmptyText("No session", "Connect to a server to see its traffic.")
    if model.shown.first:
        text = f"{plural(model.shown.first, 'earlier row')} hidden. New frames appear here."
        return EmptyText("Cleared", text, "Show earlier rows")
    if count and filter_text.strip():
        text = f"No frames match the filter ({plural(count, 'frame')} total)."
        return EmptyText("No matches", text, "Clear filter")
    return EmptyText("No traffic yet", "Frames appear here as they are sent and received.")

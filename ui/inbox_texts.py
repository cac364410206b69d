"""What is said of a request of a server in its dialog, in a list and in the header. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.inbox import Declinable
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.inbox import InboxItem

CLOCK_MS = 1000
"""How often a running clock of minutes and seconds is redrawn."""


def cause_text(ask: InboxItem) -> str:
    """Return which client request may have caused this one."""
    if not ask.causes:
        return "Sent by the server while no client request was in progress"
    if len(ask.causes) == 1:
        cause = ask.causes[0]
        return f"Sent while {cause.text} was in progress (frame {cause.frame:,})"
    named = ", ".join(cause.text for cause in ask.causes[:4])
    more = f" and {len(ask.causes) - 4} more" if len(ask.causes) > 4 else ""
    return f"Sent while {len(ask.causes)} requests were in progress; possible cause: {named}{more}"


def format_age(seconds: float) -> str:
    """`0:14`, `12:03`, `1:02:03`."""
    minutes, rest = divmod(max(int(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def dropped_text(ask: InboxItem) -> str:
    """What an error in response to a question drops; empty where it is nothing."""
    given = ask.given_beside()
    ends_round = isinstance(ask.feature, Declinable) and ask.feature.declines_with_error
    if not given or not ends_round:
        return ""
    named = ask.causes[0].text if ask.causes else "the request"
    responses = plural(given, "response")
    return f"Rejecting ends {named}: {responses} already given in this round will not be sent."

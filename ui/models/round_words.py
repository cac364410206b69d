"""The rounds of a request whose results ask for input, in words. Pure; a request of one round has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.exchange import Status
from ui.widgets.units import duration

if TYPE_CHECKING:
    from inspector.transcript.exchange import Exchange


def times_asked(exchange: Exchange) -> int:
    """How often the server asked for input."""
    again = len(exchange.rounds) - 1
    return again + (1 if exchange.status is Status.INPUT_REQUIRED else 0)


def is_ours_to_answer(exchange: Exchange | None) -> bool:
    """Whether the latest answer asks, and nothing was sent since."""
    return exchange is not None and exchange.status is Status.INPUT_REQUIRED


def running_words(exchange: Exchange | None, most: int) -> str:
    """Of one that goes on, where there is more to say than that; `most` is how often it is sent again by itself."""
    if exchange is None:
        return ""
    asked = times_asked(exchange)
    who = "waiting for you" if is_ours_to_answer(exchange) else "waiting for the server"
    if exchange.is_out_of_reach:
        who = "waiting for the server, which cannot be reached"
    if not asked:
        return who if exchange.is_out_of_reach else ""
    near = f" (of at most {most})" if 2 * asked >= most else ""
    return f"asked {_times(asked)}{near}; {who}"


def ended_words(exchange: Exchange | None) -> str:
    """Of one that is over: how its time divides."""
    asked = times_asked(exchange) if exchange is not None else 0
    if exchange is None or not asked:
        return ""
    return f"it asked {_times(asked)}; {split_words(exchange)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def split_words(exchange: Exchange) -> str:
    """How the time divides between the server and us."""
    server = exchange.server_seconds
    took = f"server {duration(server)}" if server is not None else "no answer yet"
    return f"{took}, waited for us {duration(exchange.waited_seconds)}"


def repeated_words(earlier: tuple[int, ...], latest: int) -> str:
    """That a request was sent more than once by itself, and where."""
    nth = {1: "2nd", 2: "3rd"}.get(len(earlier), f"{len(earlier) + 1}th")
    return f"{nth} attempt, #{latest}; before: {', '.join(f'#{frame}' for frame in earlier)}"

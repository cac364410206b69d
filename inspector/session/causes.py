"""Which failure is the cause, where several ways to a server failed; the others are side notes, and only its hint is given.

The response that tells most about the URL is the cause: a 415 or a challenge, not the 404 of the fallback. Of two that tell as much, it
is the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ConnectFailed
from inspector.session.http_verdict import NOT_FOR_POST, http_of
from inspector.session.steps import StepState

if TYPE_CHECKING:
    from inspector.errors import HttpStatus, InspectorError
    from inspector.session.steps import Steps

_ABSENT = {404, 410}


def of_transports(
    newer: InspectorError, older: InspectorError, steps: Steps, tried: int
) -> InspectorError:
    """The cause, where streamable HTTP failed by `newer` in the first `tried` steps, and then HTTP+SSE by `older` in the others.

    A server whose event stream of HTTP+SSE could be opened is one of that transport.
    """
    is_older = any(step.state is StepState.DONE for step in list(steps)[tried:])
    refused = http_of(older)
    has_no_get = (
        refused is not None and refused.status in NOT_FOR_POST
    )  # which the newer transport has no need of
    cause = older if is_older else newer if has_no_get else min((newer, older), key=_rank)
    other = ("over HTTP+SSE", older) if cause is newer else ("over streamable HTTP", newer)
    cause.reason = _with_other(cause, *other)
    first, last = (tried, len(steps)) if cause is newer else (0, tried)
    for at in range(first, last):
        steps[at].hint = ""
    return cause


def of_openings(asked: HttpStatus | None, greeted: InspectorError, steps: Steps) -> InspectorError:
    """The cause, where `greeted` is how the handshake failed, and `asked` what HTTP responded to the question before it."""
    if asked is None or _rank(greeted) <= _rank(asked):
        return greeted
    asked.reason = _with_other(asked, "to initialize", greeted)
    for step in steps:
        step.hint = ""
    steps[-1].hint = asked.hint
    return asked


def _with_other(cause: InspectorError, name: str, other: InspectorError) -> str:
    """The words of the cause, and in short what came of the other way, which has that name."""
    return f"{cause.reason}; {name}: {_short(other)}"


def _rank(error: InspectorError) -> int:
    """How much a failure tells about the URL; 0 tells most."""
    http = http_of(error)
    if http is None:
        return 2 if isinstance(error, ConnectFailed) else 0
    if http.is_named:
        return 1
    if http.status in _ABSENT:
        return 5
    if http.status < 300 or http.status in NOT_FOR_POST:
        return 4
    return 3 if http.status == 400 else 1


def _short(error: InspectorError) -> str:
    http = http_of(error)
    return error.reason if http is None else "; ".join((http.line, *http.explained))

"""HTTP+SSE: one event stream for all messages of the server, and an endpoint for those of the client.

Source: basic/transports, "HTTP with SSE".
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.checks.families.event_streams import ENDPOINT, check_name, has_data
from inspector.checks.families.http import RESPONSES
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding


def check_name_of_older(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield the same over HTTP+SSE."""
    return check_name(frame, history, "L-OLD-03")


def check_first_event(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the stream does not begin with the event `endpoint`, once."""
    event = frame.event
    if event is not None and event.event != ENDPOINT and history.is_first("L-OLD-01"):
        text = "the first event of the stream must be `endpoint`"
        yield make_finding("L-OLD-01", text, "", frame.revision)


def _is_before_endpoint(frame: HttpFrame, history: History) -> bool:
    is_block = frame.event is not None and not frame.event.is_comment
    return is_block and history.http.endpoint is None


def check_endpoint(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the endpoint is no URI, or one of another origin."""
    del history
    endpoint = frame.event.data.strip() if frame.event is not None else ""
    problem = _problem_of(endpoint, frame.exchange.sent.get("host", ""))
    if problem:
        text = f"the `endpoint` event {problem}: “{one_line(endpoint, 120)}”"
        yield make_finding("L-OLD-02", text, "", frame.revision)


def _problem_of(endpoint: str, host: str) -> str:
    if not endpoint or endpoint.startswith(("{", "[", '"', "<")) or " " in endpoint:
        return "must have only a URI as its data"
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        return "must have a URI as its data"
    netloc = parts.netloc.rpartition("@")[2].lower().removesuffix(":80").removesuffix(":443")
    known = host.lower().removesuffix(":80").removesuffix(":443")
    return "must not lead to another origin" if netloc and known and netloc != known else ""


def _is_endpoint(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.event is not None and frame.event.event == ENDPOINT


def check_body(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a POST is answered by the response instead of an acceptance."""
    del history
    if frame.kind in RESPONSES and frame.exchange.is_good:
        text = "the response must be sent on the event stream, not in the body of the POST"
        yield make_finding("L-OLD-04", text, "", frame.revision)


def _is_of_post(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.asked is MessageKind.REQUEST and frame.exchange.verb == "POST"


def check_transport(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the server is reached over HTTP+SSE, once."""
    if history.is_first("L-OLD-06"):
        text = "HTTP+SSE is deprecated; Streamable HTTP replaces it"
        yield make_finding("L-OLD-06", text, "", frame.revision)


def check_second_endpoint(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the endpoint changes while the stream is open."""
    before = history.http.endpoint
    given = frame.event.data.strip() if frame.event is not None else ""
    if before is not None and given != before:
        text = f"the endpoint changed from “{one_line(before, 120)}” to “{one_line(given, 120)}”"
        yield make_finding("L-OLD-07", text, "", frame.revision)


_OLDER = "HTTP with SSE"
_ON_HEADERS, _ON_EVENT, _ON_BODY = On(Subject.HTTP), On(Subject.EVENT), On(Subject.BODY)
_OVER_SSE = frozenset({"sse"})

RULES = (
    Rule(
        "L-OLD-01",
        Severity.ERROR,
        "http",
        "stream does not start with the endpoint event",
        why="Clients cannot post messages before they receive the endpoint.",
        hint="Send the `endpoint` event first, with the URI for messages as its data.",
        section=_OLDER,
        level="MUST",
        transports=_OVER_SSE,
        on=(_ON_EVENT,),
        check=check_first_event,
        when=_is_before_endpoint,
    ),
    Rule(
        "L-OLD-02",
        Severity.ERROR,
        "http",
        "endpoint is not a URI of this server",
        why="Clients refuse to post messages, and tokens with them, to another origin.",
        hint="Send a path such as `/messages?session_id=…` as the data of the `endpoint` event.",
        section=_OLDER,
        level="MUST",
        transports=_OVER_SSE,
        on=(_ON_EVENT,),
        check=check_endpoint,
        when=_is_endpoint,
    ),
    Rule(
        "L-OLD-03",
        Severity.WARNING,
        "http",
        "message in an event with another name",
        why="Clients handle only `message` events, and never see this one.",
        hint="Send each message as an event named `message`.",
        section=_OLDER,
        level="RULE",
        transports=_OVER_SSE,
        on=(_ON_EVENT,),
        check=check_name_of_older,
        when=has_data,
    ),
    Rule(
        "L-OLD-04",
        Severity.WARNING,
        "http",
        "response in the body of a POST",
        why="Clients read responses only from the event stream, and time out.",
        hint="Respond to the POST with HTTP 202, and send the JSON-RPC response on the event stream.",
        section=_OLDER,
        level="quality",
        transports=_OVER_SSE,
        on=(_ON_BODY, _ON_HEADERS),
        check=check_body,
        when=_is_of_post,
    ),
    Rule(
        "L-OLD-06",
        Severity.INFO,
        "deprecated",
        "only HTTP+SSE is offered",
        why="The transport is deprecated, and newer clients do not support it.",
        hint="Offer Streamable HTTP as well, at a URL of its own.",
        python='Run the server with `transport="streamable-http"`.',
        typescript="Use `StreamableHTTPServerTransport`, in version 2 `NodeStreamableHTTPServerTransport`.",
        level="deprecated",
        transports=_OVER_SSE,
        on=(_ON_EVENT,),
        check=check_transport,
        when=_is_endpoint,
    ),
    Rule(
        "L-OLD-07",
        Severity.INFO,
        "http",
        "endpoint changes while the stream is open",
        why="Clients keep the first endpoint, and post to the wrong URL.",
        hint="Send the `endpoint` event once for each stream.",
        section=_OLDER,
        level="quality",
        transports=_OVER_SSE,
        on=(_ON_EVENT,),
        check=check_second_endpoint,
        when=_is_endpoint,
    ),
)

"""The handshake and the ping: what is agreed on, what may come before, and what another connection got.

Source: basic/lifecycle; basic/utilities/ping; basic/versioning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import Kind, On, Rule, Subject
from inspector.spec import revision as revisions
from inspector.spec.error_codes import UNSUPPORTED_VERSION
from inspector.spec.findings import make_finding
from inspector.spec.keys import META
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

PING_SECONDS = 5.0
"""A ping that takes longer is not answered promptly."""


def check_echo(earlier: History, history: History) -> Iterator[Finding]:
    """Yield a finding about a server that served the offered revision before, and answers another now."""
    offered, agreed, before = history.openings.offered, history.revision, earlier.revision
    if agreed is None or before is None:
        return
    if offered == before.date and offered != agreed.date:
        text = f"the server returned {agreed.date} for {offered}, which it supported in the previous run"
        yield make_finding("L-LC-02", text, "/result/protocolVersion", agreed)


def check_counter_offer(earlier: History, history: History) -> Iterator[Finding]:
    """Yield a finding about another revision than the newest that the server is known to support."""
    offered, agreed, before = history.openings.offered, history.revision, earlier.revision
    if agreed is None or before is None or offered == agreed.date:
        return
    if before > agreed and before.stateful and offered != before.date:
        text = f"the server returned {agreed.date} for {offered}, but supported the newer {before.date} in the previous run"
        yield make_finding("L-LC-03", text, "/result/protocolVersion", agreed)


def check_unsupported(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an error in response to a revision that the server does not support."""
    text = str(message.error.get("message", ""))[:1000]
    if "version" in text.lower() and message.code in {-32602, -32600, -32603}:
        found = f"{history.openings.offered} was rejected with an error: “{one_line(text, 80)}”"
        yield make_finding("L-LC-05", found, "/error", message.revision)


def check_early_request(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request that comes before the client is ready."""
    if "initialize" in history.sent and "notifications/initialized" not in history.sent:
        text = f"`{message.method}` was sent before `notifications/initialized`"
        yield make_finding("L-LC-06", text, "/method", message.revision)


def _is_no_ping(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.method != "ping"


def check_ping(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what is wrong with the answer to a ping."""
    extra = [key for key in message.result if key != META]
    if extra:
        text = f"the result of `ping` must be empty, but has `{one_line(extra[0], 60)}`"
        yield make_finding("L-LC-08", text, "/result", message.revision)
    seconds = history.calls.seconds_of(message.request, message.monotonic_s)
    if seconds is not None and seconds > PING_SECONDS:
        text = f"`ping` took {seconds:.1f} s"
        yield make_finding("L-LC-08", text, "", message.revision, severity=Severity.WARNING)


def check_identity(earlier: History, history: History) -> Iterator[Finding]:
    """Yield a finding about another identity, or other capabilities, than in the run before."""
    old, new = earlier.server_info or {}, history.server_info or {}
    revision = history.revision
    if old.get("name") != new.get("name"):
        names = (
            f"{_quoted(new.get('name'))}, but was {_quoted(old.get('name'))} in the previous run"
        )
        yield make_finding("L-LC-09", f"the name is {names}", "", revision)
    same = ("name", "version")
    if any(old.get(key) != new.get(key) for key in same) or earlier.revision != revision:
        return  # another server, or another revision of the protocol
    is_same_client = earlier.client_capabilities == history.client_capabilities
    if is_same_client and earlier.server_capabilities != history.server_capabilities:
        before, now = earlier.server_capabilities or {}, history.server_capabilities or {}
        keys = sorted(key for key in {*before, *now} if before.get(key) != now.get(key))
        listed = ", ".join(f"`{one_line(key, 40)}`" for key in keys[:5])
        text = (
            f"the same version declares different capabilities than in the previous run: {listed}"
        )
        yield make_finding("L-LC-09", text, "", revision)


def _quoted(value: object) -> str:
    return one_line(json_codec.write(value), 60) if isinstance(value, str) else "missing"


def _is_stateless_alone(message: ReceivedMessage, history: History) -> bool:
    """Whether the error is that of a server of the stateless era: the handshake itself is of the era before."""
    is_known = history.revision is not None and not history.revision.stateful
    return is_known or message.error.get("code") == UNSUPPORTED_VERSION


def check_named_versions(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an error to `initialize` that does not name what is supported."""
    del history
    data = message.error.get("data")
    supported = data.get("supported") if isinstance(data, dict) else None
    text = str(message.error.get("message", ""))[:1000]
    dates = (each.date for each in revisions.REVISIONS)
    if not isinstance(supported, list) and not any(date in text for date in dates):
        found = "the error does not list the supported revisions"
        yield make_finding("L-LC-11", found, "/error", message.revision)


_INITIALIZE = On(Subject.RESULT, "initialize")

RULES = (
    Rule(
        "L-LC-02",
        Severity.WARNING,
        "lifecycle",
        "requested revision not used although supported",
        why="Clients lose the features of the revision that they requested.",
        hint="Respond with the requested revision if the server supports it.",
        section="Version Negotiation",
        level="MUST",
        until=4,
        on=(On(Subject.RUNS, "initialize"),),
        check=check_echo,
    ),
    Rule(
        "L-LC-03",
        Severity.WARNING,
        "lifecycle",
        "response is not the newest supported revision",
        why="Client and server may use an older revision than necessary.",
        hint="Respond to an unsupported revision with the newest that the server supports.",
        section="Version Negotiation",
        level="SHOULD",
        until=4,
        on=(On(Subject.RUNS, "initialize"),),
        check=check_counter_offer,
    ),
    Rule(
        "L-LC-05",
        Severity.INFO,
        "lifecycle",
        "requested revision rejected with an error",
        why="Clients that also support an older revision do not learn which one to use.",
        hint="Return a result with a revision that the server supports.",
        section="Version Negotiation",
        level="MUST",
        until=4,
        on=(On(Subject.ERROR, "initialize"),),
        check=check_unsupported,
    ),
    Rule(
        "L-LC-06",
        Severity.WARNING,
        "lifecycle",
        "request before the client is initialized",
        why="Clients are not ready for the request, and reject it or fail.",
        hint="Wait for `notifications/initialized` before sending requests other than `ping`.",
        typescript="Send it in `server.oninitialized`, or `mcpServer.server.oninitialized` of an `McpServer`.",
        section="Initialization",
        level="SHOULD NOT",
        until=4,
        on=(On(Subject.REQUEST),),
        check=check_early_request,
        when=_is_no_ping,
    ),
    Rule(
        "L-LC-07",
        Severity.INFO,
        "lifecycle",
        "requests served before the handshake",
        why="The server does not yet know the revision and the capabilities of the client.",
        hint="Reject requests other than `ping` before `initialize` is complete.",
        section="Initialization",
        level="quality",
        until=4,
        kind=Kind.ACTIVE,
        on=(_INITIALIZE,),
    ),
    Rule(
        "L-LC-08",
        Severity.ERROR,
        "ping",
        "ping response late or not empty",
        why="Clients treat a late response as a lost connection, and reconnect.",
        hint="Respond to `ping` at once with an empty object, even while a tool runs.",
        section="Behavior Requirements",
        level="MUST",
        until=4,
        on=(On(Subject.RESULT, "ping"),),
        check=check_ping,
    ),
    Rule(
        "L-LC-09",
        Severity.INFO,
        "lifecycle",
        "identity or capabilities differ from the last run",
        why="Clients that cache server data find another server at the same address.",
        hint="Return the same name and capabilities in every `initialize` result.",
        section="Initialization",
        level="quality",
        until=4,
        on=(On(Subject.RUNS, "initialize"),),
        check=check_identity,
    ),
    Rule(
        "L-LC-11",
        Severity.WARNING,
        "lifecycle",
        "error to initialize names no revisions",
        why="Older clients can only report that the connection failed, and not what to update.",
        hint="Name the supported revisions in the message or in `data.supported`.",
        section="Backward Compatibility with Initialization-Based Versions",
        level="SHOULD",
        since=4,
        on=(On(Subject.ERROR, "initialize"),),
        check=check_named_versions,
        when=_is_stateless_alone,
    ),
)

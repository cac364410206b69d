"""Log messages: their level, their rate, and what must not be in them.

Source: server/utilities/logging.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.families.key_formats import KEYS, TOKENS, keys_in
from inspector.checks.remembered import level_index
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import LOG_LEVELS
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json

MAX_PER_SECOND = 100
"""Log messages within a second before they count as a flood."""

MAX_SCANNED = 10_000
"""Characters of a log message that are searched for secrets."""


def check_level(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a message below the level that was set."""
    logs, level = history.logs, level_index(message.params.get("level"))
    if 0 <= level < logs.level and message.monotonic_s - logs.level_s > RACE_SECONDS:
        text = f"`{LOG_LEVELS[level]}` is below the set level `{LOG_LEVELS[logs.level]}`"
        yield make_finding("L-LOG-02", text, "/params/level", message.revision)


def _is_level_set(message: ReceivedMessage, history: History) -> bool:
    del message
    return history.logs.level >= 0


def check_level_accepted(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a level that does not exist, and that is accepted."""
    del history
    level = _level_asked(message)
    if level_index(level) < 0:
        text = f"the unknown level {one_line(format_value(level), 40)} was accepted"
        yield make_finding("L-LOG-03", text, "", message.revision)


def _level_asked(message: ReceivedMessage) -> Json:
    params = message.request_params()
    return params.get("level") if isinstance(params, dict) else None


def _requested_level(message: ReceivedMessage, history: History) -> str | None:
    """Return the level that the request of the stream asks for, empty for none; None if it is not known which request that is."""
    calls = history.calls
    number = message.stream or message.request
    if number:
        call = calls.known.get(number)
        return call.meta.log_level if call is not None and call.meta is not None else None
    metas = [calls.known.get(each) for each in calls.open]
    levels = {call.meta.log_level for call in metas if call is not None and call.meta is not None}
    return levels.pop() if len(levels) == 1 else None


def check_unrequested(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a log message that no request asked for."""
    if _requested_level(message, history) == "":
        text = "log messages must not be sent for a request without `logLevel`"
        yield make_finding("L-LOG-04", text, "/method", message.revision)


def _is_request_known(message: ReceivedMessage, history: History) -> bool:
    return _requested_level(message, history) is not None


def check_requested_level(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a log message below the level of its request."""
    lowest, level = (
        level_index(_requested_level(message, history)),
        level_index(message.params.get("level")),
    )
    if 0 <= level < lowest:
        text = f"`{LOG_LEVELS[level]}` is below `{LOG_LEVELS[lowest]}`, the level of the request"
        yield make_finding("L-LOG-05", text, "/params/level", message.revision)


def check_secrets(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a key in a log message; the key itself is not quoted."""
    del history
    data = json_codec.write_beginning(message.params.get("data"), MAX_SCANNED)
    kinds = [kind for kind, _ in keys_in(data, KEYS + TOKENS)]
    if kinds:
        text = f"the log message contains what looks like a key: {', '.join(kinds)}"
        yield make_finding("L-LOG-06", text, "/params/data", message.revision)


def check_flood(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about the first message beyond what is useful within a second."""
    if history.logs.is_flood(message.monotonic_s, MAX_PER_SECOND):
        text = f"more than {MAX_PER_SECOND} log messages within a second"
        yield make_finding("L-LOG-07", text, "", message.revision)


def check_loggers(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about loggers whose names differ by their spelling alone."""
    spellings: dict[str, str] = {}
    for logger in history.logs.loggers:
        other = spellings.setdefault(re.sub(r"[\W_]+", "", logger).lower(), logger)
        if other != logger:
            text = f"the logger is spelled “{one_line(other, 40)}” and “{one_line(logger, 40)}”"
            yield make_finding("L-LOG-08", text, "", history.revision)
            return


def _has_loggers(history: History, _: History) -> bool:
    return bool(history.logs.loggers)


def check_after_end(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a log message on a stream whose response has come."""
    if message.stream in history.calls.answered:
        text = f"the log message was sent after the response to #{message.stream}"
        yield make_finding("L-LOG-09", text, "", message.revision)


def _has_stream(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.stream > 0


def check_use(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about log messages of the protocol, which are deprecated."""
    text = f"{history.logs.count:,} log message{'' if history.logs.count == 1 else 's'} sent"
    yield make_finding("L-LOG-10", text, "", history.revision)


def _has_logged(history: History, _: History) -> bool:
    return history.logs.count > 0


def check_unknown_level(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a request with a level that does not exist, and that is served."""
    call = history.calls.known.get(message.request)
    level = call.meta.log_level if call is not None and call.meta is not None else ""
    text = f"the unknown level {one_line(level, 40)!r} was accepted"
    yield make_finding("L-LOG-11", text, "", message.revision)


def _has_unknown_level(message: ReceivedMessage, history: History) -> bool:
    call = history.calls.known.get(message.request) if message.request else None
    level = call.meta.log_level if call is not None and call.meta is not None else ""
    return bool(level) and level_index(level) < 0


_LOG = On(Subject.NOTIFICATION, "notifications/message")
_END = On(Subject.CONNECTION)

RULES = (
    Rule(
        "L-LOG-02",
        Severity.WARNING,
        "logging",
        "log message below the level set",
        why="Users get more messages than they requested, and miss the important ones.",
        hint="Send only messages at or above the level set with `logging/setLevel`.",
        section="Setting Log Level",
        level="should",
        until=4,
        on=(_LOG,),
        check=check_level,
        when=_is_level_set,
    ),
    Rule(
        "L-LOG-03",
        Severity.WARNING,
        "logging",
        "unknown log level accepted",
        why="Clients assume that the level was set.",
        hint="Reject an unknown level with error -32602.",
        section="Error Handling",
        level="SHOULD",
        until=4,
        on=(On(Subject.RESULT, "logging/setLevel"),),
        check=check_level_accepted,
    ),
    Rule(
        "L-LOG-04",
        Severity.ERROR,
        "logging",
        "log message that was not requested",
        why="Clients that requested no log messages may reject the stream.",
        hint="Send log messages only for requests with `logLevel` in `_meta`.",
        level="MUST NOT",
        since=5,
        on=(_LOG,),
        check=check_unrequested,
        when=_is_request_known,
    ),
    Rule(
        "L-LOG-05",
        Severity.ERROR,
        "logging",
        "log message below the level of its request",
        why="Users get more messages than they requested, and miss the important ones.",
        hint="Send only messages at or above the level in the request.",
        level="MUST NOT",
        since=5,
        on=(_LOG,),
        check=check_requested_level,
        when=_is_request_known,
    ),
    Rule(
        "L-LOG-06",
        Severity.ERROR,
        "logging",
        "secret in a log message",
        why="Logs are stored and shared, and anyone who reads the key can use it.",
        hint="Remove keys and tokens from log messages, and revoke this one.",
        section="Security",
        level="MUST NOT",
        on=(_LOG,),
        check=check_secrets,
    ),
    Rule(
        "L-LOG-07",
        Severity.WARNING,
        "logging",
        "too many log messages",
        why="They delay other messages, and users cannot follow them.",
        hint="Limit the rate, or use a level that clients can filter out.",
        level="SHOULD",
        on=(_LOG,),
        check=check_flood,
    ),
    Rule(
        "L-LOG-08",
        Severity.INFO,
        "logging",
        "logger with several spellings",
        why="Users who filter by the logger miss half of its messages.",
        hint="Use one name for each logger.",
        level="SHOULD",
        on=(_END,),
        check=check_loggers,
        when=_has_loggers,
    ),
    Rule(
        "L-LOG-09",
        Severity.WARNING,
        "logging",
        "log message after the response",
        why="Clients close the stream at the response, and lose the message.",
        hint="Send log messages before the response.",
        level="RULE",
        since=5,
        on=(_LOG,),
        check=check_after_end,
        when=_has_stream,
    ),
    Rule(
        "L-LOG-10",
        Severity.INFO,
        "deprecated",
        "protocol logging is deprecated",
        why="Clients may drop support for it in one of the next revisions.",
        hint="Write logs to stderr, or send them with OpenTelemetry.",
        level="deprecated",
        since=5,
        on=(_END,),
        check=check_use,
        when=_has_logged,
    ),
    Rule(
        "L-LOG-11",
        Severity.WARNING,
        "logging",
        "unknown logLevel accepted",
        why="Clients assume that the level is in effect.",
        hint="Reject a request with an unknown `logLevel` with error -32602.",
        section="Error Handling",
        level="SHOULD",
        since=5,
        on=(On(Subject.RESULT),),
        check=check_unknown_level,
        when=_has_unknown_level,
    ),
)

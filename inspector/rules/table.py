"""The rules that readers decide while they read: `spec`, `auth`, `transport`, and the older checks."""

from __future__ import annotations

from inspector.finding import Severity
from inspector.rules.rule import Rule

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


_ROWS: dict[str, tuple[tuple[str, Severity, str], ...]] = {
    "authorization": (
        ("L-AUT-01", ERROR, "401 without a link to resource metadata"),
        ("L-AUT-02", ERROR, "no resource metadata where it should be"),
        ("L-AUT-03", ERROR, "resource metadata without authorization servers"),
        ("L-AUT-04", ERROR, "resource metadata of another server"),
        ("L-AUT-05", ERROR, "no authorization server metadata where it should be"),
        ("L-AUT-06", ERROR, "issuer differs from the requested one"),
        ("L-AUT-07", ERROR, "PKCE with S256 not listed"),
        ("L-AUT-08", ERROR, "endpoint without https"),
        ("L-AUT-09", WARNING, "challenge without scope"),
        ("L-AUT-10", WARNING, "offline_access as a scope of the resource"),
        ("L-AUT-13", ERROR, "request without a valid token not refused with 401"),
        ("L-AUT-14", ERROR, "iss and its advertisement do not agree"),
        ("L-AUT-15", INFO, "callback without iss"),
        ("L-AUT-16", WARNING, "no way to register a client"),
        ("L-AUT-17", INFO, "dynamic registration alone"),
        ("L-AUT-19", WARNING, "access token that lives long"),
        ("L-AUT-22", INFO, "scopes for everything"),
        ("L-AUT-23", ERROR, "authorization endpoint that is dangerous to open"),
    ),
    "caching": (
        ("L-CCH-01", ERROR, "ttlMs or cacheScope missing"),
        ("L-CCH-02", ERROR, "ttlMs is not a non-negative integer"),
        ("L-CCH-03", ERROR, "cacheScope is neither public nor private"),
    ),
    "http": (("L-MOD-09", WARNING, "missing parameter header accepted"),),
    "input-required": (
        ("L-MRTR-01", ERROR, "neither inputRequests nor requestState"),
        ("L-MRTR-02", ERROR, "input required by a method that must not"),
        ("L-MRTR-05", ERROR, "requestState or inputRequests malformed"),
    ),
    "messages": (("wrong-id", WARNING, "response with an unknown id"),),
    "subscriptions": (
        ("L-SUB-01", ERROR, "stream without an acknowledgment at its start"),
        ("L-SUB-02", ERROR, "subscriptionId missing or wrong"),
        ("L-SUB-03", ERROR, "notification that was not requested"),
        ("L-SUB-05", ERROR, "more acknowledged than requested"),
        ("L-SUB-07", ERROR, "final result incomplete"),
        ("L-SUB-08", ERROR, "progress or log message on a listen stream"),
        ("L-SUB-09", ERROR, "notification outside of a listen stream"),
        ("L-SUB-13", ERROR, "task ids accepted without the tasks extension"),
    ),
    "tasks": (
        ("L-TK4-01", ERROR, "create task result malformed"),
        ("L-TK4-02", ERROR, "task does not start as working"),
        ("L-TK4-03", ERROR, "invalid change of the status of a task"),
        ("L-TK4-09", WARNING, "related task where none belongs"),
        ("L-TK4-11", ERROR, "task error without code -32602"),
        ("L-TK4-12", ERROR, "cancelled task is not cancelled"),
        ("L-TK4-15", ERROR, "task times malformed or not advancing"),
        ("L-TKX-02", ERROR, "task and resultType do not fit"),
        ("L-TKX-03", ERROR, "task for a method that cannot have one"),
        ("L-TKX-04", ERROR, "task malformed"),
        ("L-TKX-06", INFO, "task result without resultType complete"),
        ("L-TKX-07", ERROR, "task status and members do not fit"),
        ("L-TKX-08", ERROR, "failed used for a tool error"),
        ("L-TKX-10", ERROR, "unknown task without code -32602"),
        ("L-TKX-11", ERROR, "undeclared client not refused with -32021"),
        ("L-TKX-12", ERROR, "acknowledgment is not empty"),
        ("L-TKX-13", ERROR, "progress or log message of a task on a listen stream"),
        ("L-TKX-14", ERROR, "task changes after its end"),
        ("L-TKX-15", WARNING, "task method of an earlier revision"),
        ("L-TKX-16", WARNING, "task id can be guessed"),
        ("L-TKX-17", ERROR, "task notification incomplete"),
        ("L-TKX-19", ERROR, "task parameter of an earlier revision has an effect"),
        ("L-TKX-20", WARNING, "task required without saying so"),
    ),
    "tools": (("unlisted-tool", WARNING, "call of a tool that is not listed"),),
    "": (
        ("announced-after-end", INFO, "notification on a stream that has ended"),
        ("cancel-unknown", INFO, "cancellation of a request that is not pending"),
        ("late-response", INFO, "response after its request was done"),
        ("line-budget", ERROR, "line longer than the budget"),
        ("media-ends-early", WARNING, "media data that ends early"),
        ("more-findings", INFO, "findings beyond the number that is kept"),
        ("id-in-use", ERROR, "id of a request that is still open"),
        ("id-spelling", ERROR, "id not written as an integer"),
        ("not-a-message", ERROR, "line that is not a message"),
        ("not-judged", INFO, "too large or too deep to be validated"),
        ("probe-ignored", INFO, "no response to server/discover"),
        ("progress-after-end", INFO, "progress of a request that is done"),
        ("session-gone", INFO, "session unknown to the server"),
        ("slow-start", INFO, "slow first response"),
        ("stored-number", WARNING, "number of a recording that cannot be right"),
        ("stored-value", WARNING, "value of a recording that cannot be right"),
        ("too-many-items", WARNING, "list page with too many items"),
        ("unassigned-error", ERROR, "error without a request id"),
        ("unreadable-frame", ERROR, "frame of a recording that cannot be read"),
        ("missing-frame", ERROR, "frame missing from a recording"),
    ),
}
"""Topic → the rules that it describes: id, severity, title."""

READER_RULES: tuple[Rule, ...] = tuple(
    Rule(id_, severity, subject, title)
    for subject, rows in _ROWS.items()
    for id_, severity, title in rows
)

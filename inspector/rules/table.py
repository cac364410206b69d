"""The rules that readers decide while they read: `spec`, `auth`, `transport`, and the older checks."""

from __future__ import annotations

from inspector.finding import Severity
from inspector.rules.rule import Rule

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO


_ROWS: dict[str, tuple[tuple[str, Severity, str], ...]] = {
    "messages": (("wrong-id", WARNING, "response with an unknown id"),),
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

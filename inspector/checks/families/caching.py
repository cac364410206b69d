"""How long results may be kept, and by whom.

Source: server/utilities/caching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import number_of
from inspector.spec.keys import RESULT_INPUT_REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

MAX_TTL_MS = 30 * 86_400_000
"""A result that may be kept longer is as good as never read again."""
MANY_RESULTS = 5
"""Results without any time to live after which it looks like a default."""

_LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


def check_scopes(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a page has another scope than the page before."""
    before, scope = history.cached.scopes.get(message.method), message.result.get("cacheScope")
    if before is not None and isinstance(scope, str) and scope != before:
        text = f"the page before is {before!r}, this one {scope[:40]!r}: all pages of a list have one scope"
        yield make_finding("L-CCH-04", text, "/result/cacheScope", message.revision)


def _is_later_page(message: ReceivedMessage, history: History) -> bool:
    is_known = history.cached.scopes.get(message.method) is not None
    return is_known and _cursor(message) is not None


def _cursor(message: ReceivedMessage) -> object:
    params = message.request_params()
    return params.get("cursor") if isinstance(params, dict) else None


def check_question(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a result that asks for input says how long it may be kept."""
    del history
    for key in ("ttlMs", "cacheScope"):
        if key in message.result:
            text = f"`{key}` is on a result that asks for input, which must not be kept"
            yield make_finding("L-CCH-05", text, f"/result/{key}", message.revision)
            return


def _is_question(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.result.get("resultType") == RESULT_INPUT_REQUIRED


def check_early_change(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a list changed before its time, and was not announced as changed."""
    before = history.cached.lists.get(message.method)
    if before is not None and before.digest != history.cached.digest_of(message):
        seconds = message.monotonic_s - before.received_s
        text = f"the list changed {seconds:.0f} s after it was sent with a time to live of {before.ttl_ms / 1000:g} s, and no change was announced"
        yield make_finding("L-CCH-06", text, "/result", message.revision)


def _is_early(message: ReceivedMessage, history: History) -> bool:
    before = history.cached.lists.get(message.method)
    if before is None or _cursor(message) is not None:
        return False
    return message.monotonic_s - before.received_s < before.ttl_ms / 1000


def check_public(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a result that anyone may keep is another with another token."""
    before = history.cached.of_others(message, history.http)
    if before is not None and before != history.cached.digest_of(message):
        text = "the result is `public`, and was another for the same request with another token: a shared cache gives it to the wrong user"
        yield make_finding("L-CCH-07", text, "/result/cacheScope", message.revision)


def _is_public_again(message: ReceivedMessage, history: History) -> bool:
    is_public = message.result.get("cacheScope") == "public"
    return is_public and history.cached.of_others(message, history.http) is not None


def check_time(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a time to live that is very long, or always nothing; each once."""
    ttl = number_of(message.result.get("ttlMs"))
    if ttl is None:
        return
    is_long = ttl > MAX_TTL_MS
    is_never = history.cached.results == history.cached.zeros == MANY_RESULTS
    if (is_long or is_never) and history.is_first("L-CCH-08"):
        text = f"`ttlMs` is {ttl:,.0f}: clients do not ask again for {ttl / 86_400_000:,.0f} days"
        if not is_long:
            text = f"`ttlMs` is 0 on each of {MANY_RESULTS} results: clients ask again every time"
        yield make_finding("L-CCH-08", text, "/result/ttlMs", message.revision)


def _has_time(message: ReceivedMessage, history: History) -> bool:
    del history
    return "ttlMs" in message.result


_ON_LISTS = tuple(On(Subject.RESULT, method) for method in _LISTS)
_ON_READS = (*_ON_LISTS, On(Subject.RESULT, "resources/read"))

RULES = (
    Rule(
        "L-CCH-04",
        Severity.ERROR,
        "caching",
        "pages of one list with different scopes",
        why="A cache keeps some pages for everyone and others for one user, and mixes the lists.",
        hint="Send the same `cacheScope` with every page of a list.",
        section="Pagination",
        level="MUST",
        since=5,
        on=_ON_LISTS,
        check=check_scopes,
        when=_is_later_page,
    ),
    Rule(
        "L-CCH-05",
        Severity.WARNING,
        "caching",
        "cache hints on a result that asks for input",
        why="A cache may answer the next call with a question that is long over.",
        hint="Leave out `ttlMs` and `cacheScope` where `resultType` is `input_required`.",
        level="RULE",
        since=5,
        on=(On(Subject.RESULT),),
        check=check_question,
        when=_is_question,
    ),
    Rule(
        "L-CCH-06",
        Severity.INFO,
        "caching",
        "list changed before its time, unannounced",
        why="Clients go on with the old list until its time is over.",
        hint="Send `list_changed` when a list changes, or set a shorter `ttlMs`.",
        section="TTL",
        level="quality",
        since=5,
        on=_ON_LISTS,
        check=check_early_change,
        when=_is_early,
    ),
    Rule(
        "L-CCH-07",
        Severity.WARNING,
        "caching",
        "public result that differs by token",
        why="A shared cache gives one user what belongs to another.",
        hint="Set `cacheScope` to `private` where a result depends on who asks.",
        section="Security",
        level="quality",
        since=5,
        transports=HTTP_ONLY,
        on=_ON_READS,
        check=check_public,
        when=_is_public_again,
    ),
    Rule(
        "L-CCH-08",
        Severity.INFO,
        "caching",
        "time to live that helps nobody",
        why="Clients ask again every time, or never learn of a change.",
        hint="Set `ttlMs` to how long the result will probably stay the same.",
        section="TTL",
        level="quality",
        since=5,
        on=_ON_READS,
        check=check_time,
        when=_has_time,
    ),
)

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
        text = f"`cacheScope` must be the same on all pages: {scope[:40]!r} follows {before!r}"
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
            text = f"`{key}` is set on an `input_required` result, which must not be cached"
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
        text = f"the list changed after {seconds:.0f} s without a notification, although `ttlMs` was {before.ttl_ms:g}"
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
        text = "`cacheScope` is `public`, but the same request with another token had a different result"
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
        text = (
            f"`ttlMs` is {ttl:,.0f}: clients may cache the result for {ttl / 86_400_000:,.0f} days"
        )
        if not is_long:
            text = (
                f"`ttlMs` is 0 on each of {MANY_RESULTS} results: clients cannot cache any of them"
            )
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
        why="Caches store some pages for everyone and others for one user, and mix the lists.",
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
        "cache hints on an input_required result",
        why="A cache may return an input request that is no longer valid.",
        hint="Leave out `ttlMs` and `cacheScope` if `resultType` is `input_required`.",
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
        "list changed before ttlMs, without a notification",
        why="Clients use the old list until `ttlMs` has passed.",
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
        why="A shared cache returns the data of one user to another.",
        hint="Set `cacheScope` to `private` if a result depends on the user.",
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
        "ttlMs always 0 or very long",
        why="Clients request the data every time, or never see a change.",
        hint="Set `ttlMs` to the time for which the result will probably stay the same.",
        section="TTL",
        level="quality",
        since=5,
        on=_ON_READS,
        check=check_time,
        when=_has_time,
    ),
)

"""What is wrong with what comes on a stream of announcements, beside the request that opened it.

Pure, so that a live stream and a recording are judged alike.

Source: basic/patterns/subscriptions; L-SUB-01, L-SUB-03, L-SUB-05, L-SUB-07.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec import tasks
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.subscription_filter import KINDS, UPDATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.spec.subscription_filter import SubscriptionFilter
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson


def of_announcement(
    requested: SubscriptionFilter,
    method: str,
    params: JsonObject,
    revision: Revision | None,
    *,
    is_acknowledged: bool,
) -> Iterator[Finding]:
    """Yield what is wrong with an announcement on a stream that asked for `wanted`."""
    if not is_acknowledged:
        text = "it came before the subscription was acknowledged"
        yield _finding("L-SUB-01", text, revision)
    if method in KINDS and method not in requested.kinds:
        yield _finding("L-SUB-03", f"{method} was not asked for", revision)
    if method == UPDATED and not _is_watched(requested, params.get("uri")):
        yield _finding("L-SUB-03", "changes of this resource were not asked for", revision)
    if method == tasks.EXTENSION.announced and not _follows(requested, params.get("taskId")):
        yield _finding("L-SUB-03", "news of this task were not asked for", revision)


def of_agreement(
    requested: SubscriptionFilter, agreed: Json, revision: Revision | None
) -> Iterator[Finding]:
    """Yield what is wrong with what the server agreed to."""
    more = requested.exceeded(agreed)
    if more:
        text = f"the server agreed to more than was asked: {more[0]}"
        yield _finding("L-SUB-05", text, revision)


def of_end(id_: MaybeJson, result: Json, revision: Revision | None) -> Iterator[Finding]:
    """Yield what is wrong with the result that ends a stream; that the tag is missing is seen in the message alone."""
    meta = result.get(META) if isinstance(result, dict) else None
    if not isinstance(meta, dict) or META_SUBSCRIPTION_ID not in meta:
        return
    if meta[META_SUBSCRIPTION_ID] != id_:
        text = f"the tag is {format_value(meta[META_SUBSCRIPTION_ID])}, the subscription {id_}"
        yield _finding("L-SUB-07", text, revision, "/result/_meta")


def _is_watched(requested: SubscriptionFilter, uri: Json) -> bool:
    """An update may name a resource below the one that is watched."""
    return isinstance(uri, str) and any(uri.startswith(each) for each in requested.uris)


def _follows(requested: SubscriptionFilter, task: Json) -> bool:
    asked = requested.more.get(tasks.FILTER)
    return isinstance(asked, list) and task in asked


def _finding(rule: str, text: str, revision: Revision | None, pointer: str = "/method") -> Finding:
    return make_finding(rule, text, pointer, revision)

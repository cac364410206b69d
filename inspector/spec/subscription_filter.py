"""The filter of a notification stream: what is requested, what a server acknowledged, and what is wrong with what it sends.

Pure, so that a live stream and a recording are checked alike.

Source: basic/patterns/subscriptions, "Opening a Stream", "Acknowledgment"; the schema, SubscriptionFilter (L-SUB-01, L-SUB-03,
L-SUB-05, L-SUB-07).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from inspector.frozen import FrozenStruct
from inspector.spec import tasks
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.keys import META, META_SUBSCRIPTION_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import MaybeJson

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"

KINDS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}
"""Announcements, and the member of the filter that asks for each."""

_URIS = "resourceSubscriptions"


def read_filter(asked: Json) -> SubscriptionFilter:
    """Return the filter that the member `notifications` of a request is."""
    members = asked if isinstance(asked, dict) else {}
    uris = members.get(_URIS)
    named = {_URIS, *KINDS.values()}
    return SubscriptionFilter(
        frozenset(method for method, key in KINDS.items() if members.get(key) is True),
        tuple(uri for uri in (uris if isinstance(uris, list) else []) if isinstance(uri, str)),
        {key: value for key, value in members.items() if key not in named},
    )


class SubscriptionFilter(FrozenStruct, frozen=True):
    """What is asked for."""

    kinds: frozenset[str] = frozenset()
    """Methods of announcements, from `KINDS`."""
    uris: tuple[str, ...] = ()
    """Resources whose changes are announced."""
    more: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of extensions, sent as they are."""

    def __hash__(self) -> int:
        """`more` has none, and filters rarely differ by it alone."""
        return hash((self.kinds, self.uris))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.kinds or self.uris or self.more)

    def as_json(self) -> JsonObject:
        """The member `notifications` of the request; what is not wanted is left out."""
        found: JsonObject = {key: True for method, key in KINDS.items() if method in self.kinds}
        if self.uris:
            found[_URIS] = list(self.uris)
        return {**found, **self.more}

    def refused(self, acknowledged: Json) -> tuple[str, ...]:
        """What the server did not agree to: members of the filter, and addresses (C-SUB-02)."""
        agreed = acknowledged if isinstance(acknowledged, dict) else {}
        kinds = [key for m, key in KINDS.items() if m in self.kinds and agreed.get(key) is not True]
        listed = agreed.get(_URIS)
        uris = listed if isinstance(listed, list) else []
        more = [key for key in self.more if key not in agreed]
        return (*kinds, *(uri for uri in self.uris if uri not in uris), *more)

    def exceeded(self, acknowledged: Json) -> tuple[str, ...]:
        """What the server acknowledged without a request."""
        agreed = acknowledged if isinstance(acknowledged, dict) else {}
        asked = self.as_json()
        return tuple(key for key, value in agreed.items() if value and key not in asked)


def check_notification(
    requested: SubscriptionFilter,
    method: str,
    params: JsonObject,
    revision: Revision | None,
    *,
    is_acknowledged: bool,
) -> Iterator[Finding]:
    """Yield what is wrong with an announcement on a stream that asked for `wanted`."""
    if not is_acknowledged:
        text = "the notification was sent before the acknowledgment of the subscription"
        yield _finding("L-SUB-01", text, revision)
    if method in KINDS and method not in requested.kinds:
        yield _finding("L-SUB-03", f"{method} was not requested", revision)
    if method == UPDATED and not _is_watched(requested, params.get("uri")):
        yield _finding("L-SUB-03", "changes of this resource were not requested", revision)
    if method == tasks.EXTENSION.announced and not _follows(requested, params.get("taskId")):
        yield _finding("L-SUB-03", "notifications of this task were not requested", revision)


def check_acknowledgment(
    requested: SubscriptionFilter, agreed: Json, revision: Revision | None
) -> Iterator[Finding]:
    """Yield what is wrong with what the server agreed to."""
    more = requested.exceeded(agreed)
    if more:
        text = f"the acknowledgment includes {more[0]}, which was not requested"
        yield _finding("L-SUB-05", text, revision)


def check_stream_end(id_: MaybeJson, result: Json, revision: Revision | None) -> Iterator[Finding]:
    """Yield what is wrong with the result that ends a stream; that the tag is missing is seen in the message alone."""
    meta = result.get(META) if isinstance(result, dict) else None
    if not isinstance(meta, dict) or META_SUBSCRIPTION_ID not in meta:
        return
    if meta[META_SUBSCRIPTION_ID] != id_:
        text = f"`subscriptionId` must be {id_}, not {format_value(meta[META_SUBSCRIPTION_ID])}"
        yield _finding("L-SUB-07", text, revision, "/result/_meta")


def _is_watched(requested: SubscriptionFilter, uri: Json) -> bool:
    """An update may name a resource below the one that is watched."""
    return isinstance(uri, str) and any(uri.startswith(each) for each in requested.uris)


def _follows(requested: SubscriptionFilter, task: Json) -> bool:
    asked = requested.more.get(tasks.FILTER)
    return isinstance(asked, list) and task in asked


def _finding(rule: str, text: str, revision: Revision | None, pointer: str = "/method") -> Finding:
    return make_finding(rule, text, pointer, revision)

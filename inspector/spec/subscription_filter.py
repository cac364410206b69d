"""The filter of a notification stream: what is requested, and what a server acknowledged.

Source: basic/patterns/subscriptions, "Opening a Stream", "Acknowledgment"; the schema, SubscriptionFilter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

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

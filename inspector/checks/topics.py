"""What rules know of a connection by topic: messages, and what HTTP, rounds, streams and tasks make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.http_history import HttpHistory
from inspector.checks.remembered import Remembered

if TYPE_CHECKING:
    from inspector.checks.seen import ReceivedMessage


class Topics(Remembered):
    """What is known of one connection by the topics of what crossed the wire."""

    def __init__(self) -> None:
        """Begin before the first message."""
        super().__init__()
        self.http = HttpHistory()
        """The exchanges of HTTP."""
        self.supported_versions: tuple[str, ...] = ()
        """The revisions that the server named in the result of `server/discover`."""
        self._broken: set[str] = set()

    def is_first(self, rule: str) -> bool:
        """Return whether a rule is broken for the first time: what a server does with every response is reported once."""
        is_new = rule not in self._broken
        self._broken.add(rule)
        return is_new

    def remember_received(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, before the rules look at it."""
        versions = message.result.get("supportedVersions")
        if message.method == "server/discover" and isinstance(versions, list):
            self.supported_versions = tuple(each for each in versions if isinstance(each, str))

    def add_checked(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, after the rules have looked at it."""
        super().add_checked(message)
        self.http.add_message(message)

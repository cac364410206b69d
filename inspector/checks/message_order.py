"""Rules over several messages of the server in order: progress, pages of lists, lines that form one message, undeclared log messages.

Source: basic/utilities/progress ("The progress value MUST increase with each notification"; L-PRG-03, L-PRG-04, L-PRG-06);
server/utilities/pagination (L-PAG-04 to L-PAG-06); basic/transports, "stdio" (messages must not contain embedded newlines; L-STD-02);
server/utilities/logging, "Capabilities" ("Servers that emit log message notifications MUST declare the logging capability").
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.spec_urls import link
from inspector.spec.views.notifications import ProgressView
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "notifications/progress"

MAX_TOKENS = 1_000
"""Tokens remembered; the oldest is forgotten, and its next notification counts as the first."""

MAX_PER_SECOND = 50
"""Notifications of one token within a second before it counts as a flood: no display shows more."""


@dataclass(slots=True)
class _Last:
    """What is known of one token."""

    progress: int | float | None = None
    second: int = -1
    """The second, by the clock of the frames, in which `count` came."""
    count: int = 0
    has_flooded: bool = False


class ProgressOrder:
    """Compares each progress notification with the one before it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._tokens: OrderedDict[str, _Last] = OrderedDict()

    def judge(self, params: JsonObject, at_seconds: float, revision: Revision) -> Iterator[Finding]:
        """Yield what is wrong with a notification that came at `at_seconds` (monotonic)."""
        view = ProgressView(params, revision=revision)
        if not view.has_token:
            return
        last = self._of(json_codec.write(view.token))
        page = link(ProgressView.SUBJECT, revision)
        value, before = view.progress, last.progress
        if value is not None:
            if before is not None and not value > before:
                text = (
                    f"`progress` must increase with each notification: {value} came after {before}"
                )
                yield Finding("L-PRG-03", Severity.ERROR, text, "/params/progress", page)
            last.progress = value
        yield from self._flood(last, at_seconds, page)

    def _of(self, token: str) -> _Last:
        last = self._tokens.setdefault(token, _Last())
        self._tokens.move_to_end(token)
        if len(self._tokens) > MAX_TOKENS:
            self._tokens.popitem(last=False)
        return last

    @staticmethod
    def _flood(last: _Last, at_seconds: float, page: str) -> Iterator[Finding]:
        second = int(at_seconds)
        last.count = last.count + 1 if second == last.second else 1
        last.second = second
        if last.count > MAX_PER_SECOND and not last.has_flooded:
            last.has_flooded = True
            text = f"more than {MAX_PER_SECOND} progress notifications for one token within a second; servers should limit the rate"
            yield Finding("L-PRG-06", Severity.WARNING, text, "", page)


LISTS = {
    "tools/list": ("tools", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
}
"""By the method: the member with the items, and the member by which an item is told from others."""

MAX_NAMES = 200_000
"""Names of one list that are remembered; beyond them nothing is found."""


class ListPages:
    """Remembers the items of the pages of each list, from the request without a cursor on."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seen: dict[str, set[str]] = {}
        self._cursors: dict[str, set[int]] = {}
        """By the method, hashes of the cursors that its pages named."""

    def judge(
        self, method: str, params: Json, result: Json, revision: Revision
    ) -> Iterator[Finding]:
        """Yield what is wrong with the `result` of a request for a page with `params`."""
        if method not in LISTS or not isinstance(result, dict):
            return
        is_next = isinstance(params, dict) and params.get("cursor") is not None
        seen = self._seen.setdefault(method, set())
        cursors = self._cursors.setdefault(method, set())
        if not is_next:
            seen.clear()
            cursors.clear()
        key, name = LISTS[method]
        names = _names(result, key, name)
        yield from self._of_cursor(result, key, cursors, revision)
        repeated = [each for each in names if each in seen]
        if len(seen) < MAX_NAMES:
            seen.update(names)
        if repeated:
            shown = ", ".join(f"`{each[:60]}`" for each in repeated[:3])
            more = f" and {len(repeated) - 3:,} more" if len(repeated) > 3 else ""
            text = f"this page repeats items of earlier pages: {shown}{more}"
            page = link("pagination", revision)
            yield Finding("L-PAG-05", Severity.WARNING, text, f"/result/{key}", page)

    @staticmethod
    def _of_cursor(
        result: JsonObject, key: str, cursors: set[int], revision: Revision
    ) -> Iterator[Finding]:
        cursor, items = result.get("nextCursor"), result.get(key)
        if not isinstance(cursor, str):
            return
        page = link("pagination", revision)
        if hash(cursor) in cursors:
            text = f"the cursor {one_line(cursor, 60)!r} came before: the list never ends"
            yield Finding("L-PAG-04", Severity.WARNING, text, "/result/nextCursor", page)
        if items == []:
            text = "this page has no items, and names a page after it"
            yield Finding("L-PAG-06", Severity.INFO, text, f"/result/{key}", page)
        if len(cursors) < MAX_NAMES:
            cursors.add(hash(cursor))


def _names(result: JsonObject, key: str, name: str) -> list[str]:
    items = result.get(key)
    found = (
        [item.get(name) for item in items if isinstance(item, dict)]
        if isinstance(items, list)
        else []
    )
    return [each for each in found if isinstance(each, str)]


MAX_LINES = 2000
"""Lines that are taken together at most."""

MAX_BYTES = 1 << 20
"""Bytes that are taken together at most."""

SPLIT_MESSAGE = "split-message"
"""The rule's name in findings."""


class SplitMessages:
    """Gathers lines that are no JSON by themselves and tries them together."""

    def __init__(self) -> None:
        """Start with nothing gathered."""
        self._lines: list[bytes] = []
        self._first = 0
        self._size = 0

    def take(self, number: int, raw: bytes) -> tuple[int, int] | None:
        """Take the next unreadable line; gives the first and last frame when together they are JSON."""
        text = raw.strip()
        if not self._lines or number != self._first + len(self._lines):
            if not text.startswith((b"{", b"[")):
                self._lines = []
                return None
            self._lines, self._first, self._size = [], number, 0
        self._lines.append(text)
        self._size += len(text)
        if len(self._lines) > MAX_LINES or self._size > MAX_BYTES:
            self._lines = []
            return None
        return self._try(number) if text.endswith((b"}", b"]")) else None

    def _try(self, number: int) -> tuple[int, int] | None:
        if len(self._lines) < 2:
            return None
        try:
            json_codec.read(b"\n".join(self._lines))
        except JsonSyntaxError:
            return None
        self._lines = []
        return self._first, number


def split_text(first: int, last: int) -> str:
    """What to say about it."""
    return f"message split across lines #{first}–#{last}; each message must be a single line"


OPENINGS = ("initialize", "server/discover")
"""The requests whose result declares the capabilities of the server."""


class UndeclaredLogging:
    """Remembers what the server declared; reports its first log message that is not covered."""

    def __init__(self) -> None:
        """Begin before the server has declared anything."""
        self._is_declared: bool | None = None

    def judge(
        self, kind: MessageKind, method: str, value: JsonObject, revision: Revision
    ) -> Iterator[Finding]:
        """Yield what is wrong with a message of the server; `method` is that of the request for a response."""
        if kind is MessageKind.RESPONSE and method in OPENINGS:
            result = value.get("result")
            declared = result.get("capabilities") if isinstance(result, dict) else None
            self._is_declared = isinstance(declared, dict) and "logging" in declared
        elif method == "notifications/message" and self._is_declared is False:
            self._is_declared = None  # once is enough
            text = "the server sends log messages and does not declare the capability `logging`"
            yield Finding("L-CAP-01", Severity.WARNING, text, "/method", link("logging", revision))

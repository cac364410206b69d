"""Rules over several messages of the server in order: progress, pages of lists, lines that form one message.

Source: basic/utilities/progress ("The progress value MUST increase with each notification"; L-PRG-03, L-PRG-04, L-PRG-06);
server/utilities/pagination (L-PAG-04 to L-PAG-06); basic/transports, "stdio" (messages must not contain embedded newlines; L-STD-02).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from inspector.checks.latest import json_key
from inspector.checks.seen import batched
from inspector.spec.findings import make_finding
from inspector.spec.view import PAGE_BUDGET
from inspector.spec.views.notifications import ProgressView
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.background_tasks import Steps
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "notifications/progress"


MessageRule: TypeAlias = "Callable[[ReceivedMessage], Iterable[Finding]]"
"""Yields what is wrong with a message; called for each message of the server, in order."""

MAX_TOKENS = 1_000
"""Tokens remembered; the oldest is forgotten, and its next notification counts as the first."""

MAX_PER_SECOND = 50
"""Notifications of one token within a second before it counts as a flood: no display shows more."""


@dataclass(slots=True)
class _Last:
    """What is known of one token."""

    progress: int | float | None = None
    whole_s: int = -1
    """The second, by the clock of the frames, in which `count` notifications were received."""
    count: int = 0
    has_flooded: bool = False


class ProgressOrder:
    """Compares each progress notification with the one before it."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, _Last] = OrderedDict()

    def check(self, message: ReceivedMessage) -> Iterable[Finding]:
        """Return what is wrong with a progress notification."""
        return self._check(message) if message.method == METHOD else ()

    def _check(self, message: ReceivedMessage) -> Iterator[Finding]:
        revision = message.revision
        view = ProgressView(message.value.get("params"), revision=revision)
        if not view.has_token:
            return
        last = self._of(json_key(view.token))
        value, before = view.progress, last.progress
        if value is not None:
            if before is not None and not value > before:
                text = (
                    f"`progress` must increase with each notification: {value} came after {before}"
                )
                yield make_finding("L-PRG-03", text, "/params/progress", revision)
            last.progress = value
        yield from self._flood(last, message.monotonic_s, revision)

    def _of(self, token: str) -> _Last:
        last = self._tokens.setdefault(token, _Last())
        self._tokens.move_to_end(token)
        if len(self._tokens) > MAX_TOKENS:
            self._tokens.popitem(last=False)
        return last

    @staticmethod
    def _flood(last: _Last, at_seconds: float, revision: Revision) -> Iterator[Finding]:
        whole_s = int(at_seconds)
        last.count = last.count + 1 if whole_s == last.whole_s else 1
        last.whole_s = whole_s
        if last.count > MAX_PER_SECOND and not last.has_flooded:
            last.has_flooded = True
            text = (
                f"more than {MAX_PER_SECOND} progress notifications for one token within a second"
            )
            yield make_finding("L-PRG-06", text, "", revision)


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
    """Remembers the items of the pages of each list, as long as each page was requested by the cursor of the one before."""

    def __init__(self) -> None:
        self._seen: dict[str, set[str]] = {}
        self._cursors: dict[str, set[int]] = {}
        """By the method, hashes of the cursors that its pages named."""
        self._following: dict[str, Json] = {}
        """By the method, the cursor that its latest page named."""

    def check(self, message: ReceivedMessage) -> Iterator[Finding | None]:
        """Yield what is wrong with a page of one of `LISTS`, and None for each pause."""
        method, revision, result = message.method, message.revision, message.value.get("result")
        if not isinstance(result, dict):
            return
        params = message.request_params()
        cursor = params.get("cursor") if isinstance(params, dict) else None
        seen = self._seen.setdefault(method, set())
        cursors = self._cursors.setdefault(method, set())
        follows = cursor is not None and cursor == self._following.get(method)
        self._following[method] = result.get("nextCursor")
        if not follows:  # the first page, or one that comes after a page that was not read
            seen.clear()
            cursors.clear()
        key, name = LISTS[method]
        yield from self._of_cursor(result, key, cursors, revision)
        names = yield from _names(result, key, name)
        repeated = list[str]()
        for some in batched(names):
            repeated += (each for each in some if each in seen)
            yield None
        for some in batched(names) if len(seen) < MAX_NAMES else ():
            seen.update(some)
            yield None
        if repeated:
            listed = ", ".join(f"`{each[:60]}`" for each in repeated[:3])
            more = f" and {len(repeated) - 3:,} more" if len(repeated) > 3 else ""
            text = f"the page repeats items of earlier pages: {listed}{more}"
            yield make_finding("L-PAG-05", text, f"/result/{key}", revision)

    @staticmethod
    def _of_cursor(
        result: JsonObject, key: str, cursors: set[int], revision: Revision
    ) -> Iterator[Finding]:
        cursor, items = result.get("nextCursor"), result.get(key)
        if not isinstance(cursor, str):
            return
        if items == []:
            text = "the page has no items, but `nextCursor` is set"
            yield make_finding("L-PAG-06", text, f"/result/{key}", revision)
        if hash(cursor) in cursors:
            text = f"the cursor “{one_line(cursor, 60)}” was already returned for an earlier page"
            yield make_finding("L-PAG-04", text, "/result/nextCursor", revision)
        elif len(cursors) == PAGE_BUDGET - 1:
            text = f"{PAGE_BUDGET:,} pages in a row name another one that follows"
            yield make_finding("L-PAG-04", text, "/result/nextCursor", revision)
        if len(cursors) < MAX_NAMES:
            cursors.add(hash(cursor))


def _names(result: JsonObject, key: str, name: str) -> Steps[list[str]]:
    items, names = result.get(key), list[str]()
    for some in batched(items) if isinstance(items, list) else ():
        found = (item.get(name) for item in some if isinstance(item, dict))
        names += (each for each in found if isinstance(each, str))
        yield
    return names


MAX_LINES = 2000
"""Lines that are tried together."""

MAX_BYTES = 1 << 20
"""Bytes that are tried together."""

SPLIT_MESSAGE = "L-STD-02"
"""The rule's name in findings."""


_NEWLINES = (b"\n", b"\\n")
"""What the newline between two lines stands for: white space, or a part of a string that was not escaped."""


class SplitMessages:
    """Collects lines that are not valid JSON, and tries them together once: when all brackets are closed."""

    def __init__(self) -> None:
        self._start_at(0)

    def _start_at(self, number: int) -> None:
        self._lines: list[bytes] = []
        self._start = number
        self._size = self._depth = 0
        self._is_in_string = False

    def add(self, number: int, raw: bytes) -> tuple[int, int] | None:
        """Add the next invalid line; return the first and last frame if the lines are JSON together."""
        text = raw.strip()
        if not self._lines or number != self._start + len(self._lines):
            self._start_at(number)
            if not text.startswith((b"{", b"[")):
                return None
        self._lines.append(text)
        self._size += len(text)
        if len(self._lines) > MAX_LINES or self._size > MAX_BYTES:
            self._start_at(0)
            return None
        self._count_brackets(text)
        if self._is_in_string or self._depth > 0:
            return None
        lines, start = self._lines, self._start
        self._start_at(0)
        return (start, number) if _are_json(lines) else None

    def _count_brackets(self, text: bytes) -> None:
        parts = text.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
        outside = b"".join(parts[self._is_in_string :: 2])
        self._is_in_string ^= len(parts) % 2 == 0
        opened = outside.count(b"{") + outside.count(b"[")
        self._depth += opened - outside.count(b"}") - outside.count(b"]")


def _are_json(lines: list[bytes]) -> bool:
    return len(lines) > 1 and any(json_codec.is_json(each.join(lines)) for each in _NEWLINES)


def split_text(start: int, end: int) -> str:
    """Return the summary of the finding about the lines `start` to `end`."""
    return f"message split across lines #{start}–#{end}; each message must be a single line"

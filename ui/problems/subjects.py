"""What a finding is about: a tool, another item of a list, or a method. Knows no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.spec.pointer import MAX_DIGITS, parts
from inspector.transcript.index import KINDS
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

MAX_NAME = 80
"""Characters of a name."""

MAX_LIST_BYTES = 1 << 20
"""The items of a larger page of a list have no names here: reading it takes too long."""

MAX_LISTS, MAX_FRAMES = 200, 10_000
"""Pages of lists whose names are kept, and frames of which it is kept what they are about."""

_LISTS = {
    "tools/list": ("tools", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
}
"""Method → the member of its result with the items, and the member of an item that names it."""

_KINDS = {
    MessageKind.HTTP: "HTTP",
    MessageKind.STDERR: "Standard error",
    MessageKind.NOTE: "Connection",
    MessageKind.MALFORMED: "Invalid message",
    MessageKind.RESPONSE: "Response without a request",
    MessageKind.ERROR: "Response without a request",
}
"""What a frame is that belongs to no request."""


class AboutFinding(NamedTuple):
    """What a finding is about."""

    name: str
    """The name of a tool, prompt or resource; otherwise a method, or what the frame is."""
    is_tool: bool = False
    """Whether it is a tool."""


class Subjects:
    """Finds what the findings of one transcript are about; reads a page of a list once."""

    def __init__(self, transcript: Transcript) -> None:
        """Read from `transcript`."""
        self._transcript = transcript
        self._names: dict[int, tuple[str, ...]] = {}
        self._known: dict[int, AboutFinding] = {}

    def about(self, number: int, pointer: str) -> AboutFinding:
        """Return what a finding at `pointer` of frame `number` is about."""
        columns, at = self._transcript.columns, number - 1
        method = columns.methods.texts[columns.method[at]]
        if method in _LISTS and pointer.startswith("/result/"):
            name = self._item(number, method, pointer)
            if name:
                return AboutFinding(name, method == "tools/list")
        known = self._known.get(number)
        if known is None:
            if len(self._known) >= MAX_FRAMES:
                self._known.clear()
            known = self._known[number] = self._of_frame(number, method)
        return known

    def _of_frame(self, number: int, method: str) -> AboutFinding:
        columns = self._transcript.columns
        owner = columns.request[number - 1]
        if owner and (label := columns.labels.texts[columns.label[owner - 1]]):
            is_tool = columns.methods.texts[columns.method[owner - 1]] == "tools/call"
            return AboutFinding(one_line(label, MAX_NAME), is_tool)
        if method:
            return AboutFinding(one_line(method, MAX_NAME))
        return AboutFinding(_KINDS.get(KINDS[columns.kind[number - 1]], "Message"))

    def _item(self, number: int, method: str, pointer: str) -> str:
        member, key = _LISTS[method]
        steps = parts(pointer)[1:3]
        if len(steps) < 2 or steps[0] != member or not steps[1].isdecimal():
            return ""
        names = self._names.get(number)
        if names is None:
            if len(self._names) >= MAX_LISTS:
                self._names.clear()
            names = self._names[number] = self._read(number, member, key)
        at = int(steps[1]) if len(steps[1]) < MAX_DIGITS else len(names)
        return names[at] if at < len(names) else ""

    def _read(self, number: int, member: str, key: str) -> tuple[str, ...]:
        """Return the names of the items in a page of a list."""
        if self._transcript.columns.size[number - 1] > MAX_LIST_BYTES:
            return ()
        try:
            result = or_null(self._transcript.message(number).result)
        except StorageError:
            return ()
        items = result.get(member) if isinstance(result, dict) else None
        names: list[str] = []
        for item in items if isinstance(items, list) else ():
            name = item.get(key) if isinstance(item, dict) else None
            names.append(one_line(name, MAX_NAME) if isinstance(name, str) else "")
        return tuple(names)

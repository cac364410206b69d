"""Keeps the tree and the raw text of one message at the same value: what is selected in one is selected in the other when it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer

from inspector.spec.pointer import member
from inspector.wire.json_spans import keys_at, locate
from inspector.wire.message import Absent
from ui.widgets.json_text import pointer_keys, pointer_part
from ui.widgets.units import size

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from inspector.wire.json_codec import Json
    from ui.widgets.json_view import JsonView
    from ui.widgets.text_view import TextView

_Result = TypeVar("_Result")

MAX_LENGTH = 8 << 20
"""Bytes of a message that are searched for a value at most."""

TOO_LARGE = f"Values of the tree are not found in texts above {size(MAX_LENGTH)}"

SLICE = 3
"""Pauses of the search in one turn of the event loop; a few milliseconds."""


class TreeAndText(QObject):
    """Selects in one of the two what was selected in the other."""

    def __init__(self, tree: JsonView, raw: TextView, *, parent: QObject) -> None:
        """Both show one message; say so by `forget` when it is another."""
        super().__init__(parent)
        self._tree, self._raw = tree, raw
        self._pointer = ""
        """The value that both are at."""
        self._position = 0
        """The position in the text where it is."""
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    def forget(self) -> None:
        """Begin with another message, at no value."""
        self.stop()
        self._pointer, self._position = "", 0

    def stop(self) -> None:
        """Select nothing that is still searched for."""
        self._timer.stop()
        self._steps = iter(())

    def show_in_text(self) -> None:
        """Select the value of the tree in the text, which was just shown."""
        self.stop()
        node = self._tree.tree.current()
        pointer = node.pointer() if node is not None else ""
        is_other = bool(pointer) and pointer != self._pointer
        self._raw.bar.set_note(TOO_LARGE if is_other and not self._is_searchable() else "")
        if is_other and self._is_searchable():
            self._pointer = pointer
            self._start(_then(locate(self._raw.text(), pointer_keys(pointer)), self._select))

    def show_in_tree(self) -> None:
        """Select the value at the caret of the text in the tree, which was just shown."""
        self.stop()
        position = self._raw.edit.position()
        if position != self._position and self._is_searchable():
            self._position = position
            self._start(_then(keys_at(self._raw.text(), position), self._reveal))

    def show_pointer(self, pointer: str, *, in_text: bool) -> None:
        """Select the value at a JSON pointer, or the one around it that exists; the other one follows when it is displayed."""
        self.stop()
        self._pointer = ""
        if not in_text:
            if at := nearest(self._tree.tree.value(), pointer):
                self._tree.reveal(at)
        elif self._is_searchable():
            self._start(self._select_nearest(pointer))

    def _select_nearest(self, pointer: str) -> Iterator[None]:
        text = self._raw.text()
        for each in pointers_up(pointer):
            span = yield from locate(text, pointer_keys(each))
            if span is not None:
                self._raw.select(*span)
                return

    def _is_searchable(self) -> bool:
        return self._raw.length() <= MAX_LENGTH

    def _start(self, steps: Iterator[None]) -> None:
        self._steps = steps
        self._timer.start()
        self._go_on()

    def _go_on(self) -> None:
        for _ in range(SLICE):
            if next(self._steps, self) is self:
                self._timer.stop()
                return

    def _select(self, span: tuple[int, int] | None) -> None:
        if span is not None:
            self._raw.select(*span)
            self._position = self._raw.edit.position()

    def _reveal(self, keys: list[str | int]) -> None:
        pointer = "".join(map(pointer_part, keys))
        if pointer and self._tree.reveal(pointer):
            self._pointer = pointer


def _then(
    steps: Generator[None, None, _Result], finish: Callable[[_Result], None]
) -> Iterator[None]:
    finish((yield from steps))


def pointers_up(pointer: str) -> Iterator[str]:
    """Yield a JSON pointer and those to the values around it, without the outermost one."""
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]


def nearest(value: Json, pointer: str) -> str:
    """Return the pointer to the innermost value that exists of those on the way of `pointer`; empty for the outermost one."""
    found = (each for each in pointers_up(pointer) if not isinstance(member(value, each), Absent))
    return next(found, "")

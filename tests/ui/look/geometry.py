"""Where everything in a window is: its visible widgets, and the parts that views draw without widgets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Path: TypeAlias = tuple[str, ...]
"""Object names from the window down; the class where there is no name, and a number where that is not enough."""

Rect: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height in pixels of the screen."""

Geometry: TypeAlias = dict[Path, Rect]

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def geometry_of(window: QWidget) -> Geometry:
    """Everything that is visible in `window`, outermost first; other windows over it are not part of it."""
    found: Geometry = {}
    rest: list[tuple[QWidget, Path]] = [(window, (_name(window),))]
    while rest:
        widget, path = rest.pop()
        found[path] = _rect(widget, widget.rect())
        found.update(_painted(widget, path))
        seen: Counter[str] = Counter()
        for part in widget.findChildren(QWidget, options=DIRECT):
            if not (part.isHidden() or part.isWindow()):
                name = _name(part)
                seen[name] += 1
                rest.append((part, (*path, name if seen[name] == 1 else f"{name}#{seen[name]}")))
    return found


def _painted(widget: QWidget, path: Path) -> Iterable[tuple[Path, Rect]]:
    """The parts that a widget paints itself and that the mouse can hit."""
    if isinstance(widget, QTabBar):
        return _tabs(widget, path)
    if isinstance(widget, QHeaderView):
        return _sections(widget, path)
    if isinstance(widget, QAbstractItemView):
        return _current_row(widget, path)
    return ()


def _name(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def _rect(widget: QWidget, part: QRect) -> Rect:
    corner = widget.mapToGlobal(part.topLeft())
    return corner.x(), corner.y(), part.width(), part.height()


def _tabs(bar: QTabBar, path: Path) -> Iterator[tuple[Path, Rect]]:
    for at in range(bar.count()):
        if bar.isTabVisible(at):
            yield (*path, f"tab {at}"), _rect(bar, bar.tabRect(at))


def _sections(header: QHeaderView, path: Path) -> Iterator[tuple[Path, Rect]]:
    if header.orientation() == Qt.Orientation.Vertical:
        return
    for at in range(header.count()):
        if not header.isSectionHidden(at):
            left, width = header.sectionViewportPosition(at), header.sectionSize(at)
            yield (*path, f"section {at}"), _rect(header, QRect(left, 0, width, header.height()))


def _current_row(view: QAbstractItemView, path: Path) -> Iterator[tuple[Path, Rect]]:
    index = view.currentIndex()
    if index.isValid() and isinstance(view, QTableView | QTreeView):
        index = index.siblingAtColumn(0)
    rect = view.visualRect(index) if index.isValid() else QRect()
    if not rect.isEmpty():
        yield (*path, "current row"), _rect(view.viewport(), rect)


@dataclass(frozen=True)
class Move:
    """What differs of one part; `None` where it was not visible."""

    path: Path
    before: Rect | None
    after: Rect | None

    def __str__(self) -> str:
        """The path, and in which way it differs."""
        name = "/".join(self.path[-4:])
        if self.before is None:
            return f"{name} appeared at {self.after}"
        if self.after is None:
            return f"{name} vanished from {self.before}"
        changes = zip(["x", "y", "width", "height"], self.before, self.after, strict=True)
        amounts = (f"{what} {new - old:+}" for what, old, new in changes if new != old)
        return f"{name}: {', '.join(amounts)}"


def moves(before: Geometry, after: Geometry, own: frozenset[str]) -> list[Move]:
    """What differs outside of the parts named in `own`; what is in something that differs itself is left out."""
    differ = {path for path in {**before, **after} if before.get(path) != after.get(path)}
    return [
        Move(path, before.get(path), after.get(path))
        for path in {**before, **after}
        if path in differ and path[:-1] not in differ and own.isdisjoint(map(_plain, path))
    ]


def _plain(name: str) -> str:
    return name.partition("#")[0]

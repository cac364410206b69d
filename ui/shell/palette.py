"""The command palette, which finds commands, servers, tools, resources and prompts by a few letters, and frames by their number."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QVBoxLayout, QWidget

from inspector.config.profile import endpoint_text
from inspector.frozen import FrozenStruct
from inspector.transcript.filter.quantities import run_number
from inspector.visible_text import one_line
from ui.pages import PROMPTS, RESOURCES, TOOLS
from ui.widgets.buttons import displayed_keys
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, ListDelegate, accessible_row_text
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import set_dialog_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.config.profile import Profile
    from ui.features.prompts.page import PromptsPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tools.page import ToolsPage
    from ui.shell.main_window import MainWindow
    from ui.theme import Theme

MAX_ROWS = 200
"""Matches listed; the last line says how many more there are."""

MAX_RUNS = 5
"""Runs of which the frame of a number is offered: the latest ones."""

_NUMBER = re.compile(r"\s*#?\s*([1-9]\d{0,8})\s*", re.ASCII)

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Entry(FrozenStruct, frozen=True):
    """Something that can be found."""

    text: str
    """What it is called."""
    kind: str
    """`server`, `tool`, `command`."""
    run: Callable[[], object]
    """Goes there or does it."""
    detail: str = ""
    """Address, name or description."""
    keys: str = ""
    """Its shortcut."""


class Palette(QDialog):
    """A line to type into and what matches."""

    def __init__(
        self,
        entries: Iterable[Entry],
        *,
        theme: Theme,
        find_frames: Callable[[int], Iterable[Entry]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Offer `entries`, in their order as long as nothing is typed; `find_frames` returns those of a number that is typed."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAccessibleName("Go to…")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._find_frames = find_frames
        self._entries = list(entries)
        self._texts = [f"{e.text} {e.kind} {e.detail} {e.keys}".casefold() for e in self._entries]
        self._build(theme)
        self._wire()
        self._on_text_changed("")
        self.field.setFocus()

    def _build(self, theme: Theme) -> None:
        self.field = QLineEdit(self)
        self.field.setObjectName("palette_field")
        self.field.setAccessibleName("Find")
        self.field.setPlaceholderText(
            "Server, tool, resource, prompt, command, or frame such as #12"
        )
        self.view = QListView(self)
        self.view.setObjectName("palette_view")
        self.view.setAccessibleName("Results")
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the cursor stays in the line
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setItemDelegate(ListDelegate(theme=theme, parent=self.view))
        self._model = _Matches(self)
        self.view.setModel(self._model)
        self._more = plain_label(tone="muted", name="palette_more", parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.PADDING_PX] * 4)
        layout.setSpacing(theme.SPACING_PX)
        for part in (self.field, self.view, self._more):
            layout.addWidget(part)
        set_dialog_size(self, theme, 560, 420)

    def _wire(self) -> None:
        self.field.textChanged.connect(self._on_text_changed)
        self.view.clicked.connect(self._on_clicked)

    def entries(self) -> Sequence[Entry]:
        """What matches now, best first."""
        return self._model.entries

    def _on_text_changed(self, text: str) -> None:
        message = text.casefold().split()
        found = [
            entry
            for entry, whole in zip(self._entries, self._texts, strict=True)
            if all(word in whole for word in message)
        ]
        if message:
            found.sort(key=lambda entry: _rank(entry, message))
        number = _NUMBER.fullmatch(text)
        if number is not None and self._find_frames is not None:
            found = [*self._find_frames(int(number[1])), *found]
        self._model.set_entries(found[:MAX_ROWS])
        self._go_to(0)
        more = len(found) - MAX_ROWS
        message = f"and {more:,} more" if more > 0 else "" if found else "No results"
        self._more.setText(message)
        self._more.setVisible(bool(message))

    def _go_to(self, row: int) -> None:
        """Mark a match, and let assistive technology say it although the keyboard stays in the line."""
        index = self._model.index(row)
        self.view.setCurrentIndex(index)
        self.field.setAccessibleDescription(accessible_row_text(index) if index.isValid() else "")
        if index.isValid():
            event = QAccessibleEvent(self.view, QAccessible.Event.Focus)
            event.setChild(row)
            QAccessible.updateAccessibility(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._take(index.row())

    def _take(self, row: int) -> None:
        """Close, then do what the entry does: it may open something itself."""
        if 0 <= row < len(self._model.entries):
            entry = self._model.entries[row]
            self.close()
            entry.run()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move in the list while the cursor stays in the line; Enter takes the match."""
        row = self.view.currentIndex().row()
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: 10,
            Qt.Key.Key_PageUp: -10,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self._model.rowCount():
            row = min(max(row + step, 0), self._model.rowCount() - 1)
            self._go_to(row)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._take(row)
        else:
            super().keyPressEvent(event)


def _rank(entry: Entry, texts: Sequence[str]) -> int:
    """What is called exactly so comes first, then what begins with the first word, has a word that does, or has it in its name."""
    name, first = entry.text.casefold(), texts[0]
    parts = re.split(r"[\W_]+", name)
    fits = (
        name.split() == list(texts),
        name.startswith(first),
        any(part.startswith(first) for part in parts),
        first in name,
        True,
    )
    return fits.index(True)


class _Matches(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: Sequence[Entry] = ()

    def set_entries(self, entries: Sequence[Entry]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_row_text(index)
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(entry.text, 200)
        if role == SECONDARY_ROLE:
            return one_line(entry.kind if entry.keys else f"{entry.kind}  {entry.detail}", 200)
        if role == BADGES_ROLE:
            return [(entry.keys, "muted")] if entry.keys else []
        return None


def open_palette(window: MainWindow) -> Palette:
    """Open the palette over the window."""
    entries = [*_commands(window), *_servers(window), *_offers(window)]
    palette = Palette(
        entries, theme=window.theme, find_frames=partial(_frames, window), parent=window
    )
    area = window.rect().adjusted(*[window.theme.PADDING_PX * n for n in (1, 1, -1, -1)])
    palette.resize(palette.size().boundedTo(area.size()))
    left = area.center().x() - palette.width() // 2
    top = area.top() + (area.height() - palette.height()) // 6
    palette.move(window.mapToGlobal(QPoint(left, top)))
    palette.show()
    return palette


def _commands(window: MainWindow) -> Iterator[Entry]:
    for command in window.commands.actions.commands:
        if command.enabled() and command.key != "palette":
            text = command.text.replace("&", "")
            run = window.commands.actions[command.key].trigger
            yield Entry(
                text, "command", run, keys=displayed_keys(command.shortcut.partition(",")[0])
            )


def _servers(window: MainWindow) -> Iterator[Entry]:
    for profile in window.parts.server_list.profiles:
        yield Entry(
            profile.name, "server", partial(_go_to_server, window, profile), endpoint_text(profile)
        )


def _offers(window: MainWindow) -> Iterator[Entry]:
    session = window.parts.controller.session
    if session is None:
        return
    for at, tool in enumerate(session.tools.items):
        yield Entry(tool.label, "tool", partial(_go_to_tool, window, at), tool.id_label)
    for at, resource in enumerate(session.resources.items):
        go = partial(_go_to_resource, window, at, template=False)
        yield Entry(resource.label, "resource", go, resource.id_label)
    for at, template in enumerate(session.resources.templates.items):
        go = partial(_go_to_resource, window, at, template=True)
        yield Entry(template.label, "template", go, template.id_label)
    for at, prompt in enumerate(session.prompts.items):
        yield Entry(prompt.label, "prompt", partial(_go_to_prompt, window, at), prompt.id_label)


def _frames(window: MainWindow, number: int) -> Iterator[Entry]:
    timeline = window.parts.traffic.model.timeline
    for transcript in reversed(timeline.transcripts[-MAX_RUNS:]):
        if number <= timeline.length(transcript):
            row = transcript.row(number)
            run = f"run {run_number(transcript)}" if len(timeline.transcripts) > 1 else ""
            detail = " · ".join(filter(None, (run, row.kind.name.lower(), row.method)))
            yield Entry(
                f"#{number}", "frame", partial(window.show_frame, number, transcript), detail
            )


def _go_to_server(window: MainWindow, profile: Profile) -> None:
    controller = window.parts.controller
    window.parts.servers.select(profile)
    controller.show_profile(profile)
    if not controller.is_live:
        controller.connect_to(profile)


def _go_to_tool(window: MainWindow, position: int) -> None:
    cast("ToolsPage", window.go(TOOLS.key)).choose(position)


def _go_to_resource(window: MainWindow, position: int, *, template: bool) -> None:
    cast("ResourcesPage", window.go(RESOURCES.key)).choose(position, template=template)


def _go_to_prompt(window: MainWindow, position: int) -> None:
    cast("PromptsPage", window.go(PROMPTS.key)).choose(position)

"""A field for each argument whose value is text, with suggestions while it is typed.

Texts are handed on exactly as typed. An empty field is not sent, unless the person says that the empty text is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from ui.aio import spawn
from ui.theme import tokens
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.option_box import OptionBox
from ui.widgets.suggest_edit import SuggestEdit
from ui.widgets.visible_text import one_line, tool_tip, visible

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

LABEL_PIXELS = 96
"""Widest label at 100%; longer ones are elided."""

NARROW_PIXELS = 270
"""Below this width at 100%, labels stand above their fields."""

WIDEST = 16_777_215
"""Qt's own limit: as wide as there is room."""

LONGEST_WORDS = 1000
"""Characters of a description."""

PART_SEPARATORS = {"list": ","}
"""Ways to understand a text in which each part has suggestions of its own."""

MOST = 200
"""Fields that are made; more are told of."""


class Argument(NamedTuple):
    """One argument."""

    name: str
    """Its key, exact."""
    label: str = ""
    """What it is called; its name where that is empty."""
    words: str = ""
    """What is said of it."""
    required: bool = False
    """Whether the server wants it."""
    shapes: tuple[str, ...] = ()
    """Ways to understand the text, the first by default; none means text alone."""


class Suggestions(NamedTuple):
    """What may be typed."""

    values: tuple[str, ...]
    """Texts to put in."""
    words: str = ""
    """About them: how many there are, for instance."""


Suggest: TypeAlias = "Callable[[str, str, dict[str, str]], Awaitable[Suggestions]]"
"""Takes the argument's name, what is typed and the other arguments; raises `InspectorError` where there is no answer."""


class ArgumentFields(QWidget):
    """Fields, one below the other.

    Signals:
        changed: a value is different.
        submitted: Ctrl+Enter was pressed in a field.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(
        self, *, theme: Theme, name: str = "arguments", parent: QWidget | None = None
    ) -> None:
        """Start without fields."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._fields: list[ArgumentField] = []
        self._suggest: Suggest | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.PAD)

    @property
    def fields(self) -> tuple[ArgumentField, ...]:
        """The fields, in order."""
        return tuple(self._fields)

    def set_arguments(self, arguments: Sequence[Argument]) -> None:
        """Ask for these instead, all of them unset."""
        for field in self._fields:
            self._column.removeWidget(field)
            field.hide()
            field.deleteLater()
        self._fields = [ArgumentField(a, theme=self._theme, parent=self) for a in arguments[:MOST]]
        for field in self._fields:
            self._column.addWidget(field)
            field.changed.connect(self.changed)
            field.submitted.connect(self.submitted)
            field.wanted.connect(self._on_wanted)
            field.edit.set_suggesting(self._suggest is not None)

    def focus_first(self) -> None:
        """Go to the first field."""
        if self._fields:
            self._fields[0].edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_suggest(self, suggest: Suggest | None) -> None:
        """Where suggestions come from; None for nowhere."""
        self._suggest = suggest
        for field in self._fields:
            field.edit.set_suggesting(suggest is not None)

    def values(self) -> dict[str, str]:
        """The arguments that are set; of two with one name the later."""
        return {f.argument.name: f.value() for f in self._fields if f.is_set()}

    def shapes(self) -> dict[str, str]:
        """How each text is to be understood, where there is a choice."""
        return {f.argument.name: f.shape.current() for f in self._fields if f.argument.shapes}

    def set_values(self, values: Mapping[str, str]) -> None:
        """Put values in; arguments without one become unset."""
        for field in self._fields:
            field.set_value(values.get(field.argument.name))

    def missing(self) -> list[str]:
        """Arguments that the server wants and that are not set."""
        return [f.argument.name for f in self._fields if f.argument.required and not f.is_set()]

    def _on_wanted(self, field: ArgumentField, text: str) -> None:
        if self._suggest is None:
            return
        others = {
            name: value for name, value in self.values().items() if name != field.argument.name
        }
        field.ask(self._suggest, text, others)


class ArgumentField(QWidget):
    """Label, line, and what is said about them.

    Signals:
        changed: the value is different.
        submitted: Ctrl+Enter was pressed.
        wanted: suggestions for this text would help this field.
    """

    changed = Signal()
    submitted = Signal()
    wanted = Signal(object, str)

    def __init__(self, argument: Argument, *, theme: Theme, parent: QWidget) -> None:
        """A field for `argument`, unset."""
        super().__init__(parent)
        self.argument = argument
        self._theme = theme
        self._asking: asyncio.Task[None] | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme, argument = self._theme, self.argument
        label = one_line(argument.label or argument.name, 80) or "(empty name)"
        self.setObjectName(f"argument_{one_line(argument.name, 60)}")
        self._label = ElidedLabel(f"{label} *" if argument.required else label, parent=self)
        self._label.setFont(theme.font(bold=argument.required))
        self._label.setToolTip(tool_tip(argument.name))
        self.edit = SuggestEdit(theme=theme, name=f"{self.objectName()}_line", parent=self)
        spoken = f"{label}, required" if argument.required else label
        self.edit.setAccessibleName(spoken)
        self.edit.setAccessibleDescription(one_line(argument.words, 300))
        self.shape = OptionBox(
            [(shape, shape) for shape in argument.shapes],
            name=f"{self.objectName()}_shape",
            words=f"How {label} is meant",
            parent=self,
        )
        self.shape.setVisible(len(argument.shapes) > 1)
        self.edit.set_separator(PART_SEPARATORS.get(self.shape.current(), ""))
        self.empty = QToolButton(self)
        self.empty.setObjectName(f"{self.objectName()}_empty")
        self.empty.setText('""')
        self.empty.setCheckable(True)
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.empty.setAccessibleName(f"Send the empty text for {label}")
        self.empty.setToolTip("Send the empty text rather than nothing")
        self._words = _plain(visible(argument.words[:LONGEST_WORDS]), "muted", self)
        self._words.setFont(theme.font(tokens.SMALL))
        self._status = _plain("", "warning", self)
        self._lay_out()

    def _lay_out(self) -> None:
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(self._theme.SPACE)
        self._grid.setVerticalSpacing(self._theme.px(2))
        self._grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.edit)
        self._arrange(above=False)

    def _arrange(self, *, above: bool) -> None:
        """Put the label to the left, or above where there is little room."""
        self._above = above
        grid, line = self._grid, 1 if above else 0
        while grid.count():
            grid.takeAt(0)
        if above:
            self._label.setMinimumWidth(0)
            self._label.setMaximumWidth(WIDEST)
            grid.addWidget(self._label, 0, 0, 1, 4)
            grid.addWidget(self.edit, 1, 0, 1, 2)
        else:
            self._label.setFixedWidth(self._theme.px(LABEL_PIXELS))
            grid.addWidget(self._label, 0, 0)
            grid.addWidget(self.edit, 0, 1)
        grid.addWidget(self.shape, line, 2)
        grid.addWidget(self.empty, line, 3)
        start = 0 if above else 1
        grid.addWidget(self._words, line + 1, start, 1, 4 - start)
        grid.addWidget(self._status, line + 2, start, 1, 4 - start)

    def _wire(self) -> None:
        self.edit.textChanged.connect(self._on_edit_text_changed)
        self.edit.wanted.connect(self._on_edit_wanted)
        self.edit.submitted.connect(self.submitted)
        self.empty.toggled.connect(self._on_empty_toggled)
        self.shape.chosen.connect(self._on_shape_chosen)

    def is_set(self) -> bool:
        """Whether it is sent."""
        return bool(self.edit.text()) or self.empty.isChecked()

    def value(self) -> str:
        """The text."""
        return self.edit.text()

    def set_value(self, value: str | None) -> None:
        """Set the text; None makes it unset."""
        self.edit.setText(value or "")
        self.empty.setChecked(value == "")

    def ask(self, suggest: Suggest, text: str, others: dict[str, str]) -> None:
        """Fetch suggestions; an answer to an earlier question is dropped."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = spawn(self, self._ask(suggest, text, others), name="suggest")

    def status(self) -> str:
        """What is said about suggestions."""
        return self._status.text()

    async def _ask(self, suggest: Suggest, text: str, others: dict[str, str]) -> None:
        try:
            found = await suggest(self.argument.name, text, others)
        except InspectorError as error:
            self._say(f"no suggestions: {error.words}")
            return
        self._say("")
        if text == self.edit.part():
            self.edit.show_suggestions(found.values, found.words)

    def _say(self, words: str) -> None:
        self._status.setText(visible(one_line(words, 300)))
        self._status.setVisible(bool(words))

    def _refresh(self) -> None:
        typed = bool(self.edit.text())
        self.empty.setEnabled(not typed)
        self.edit.setPlaceholderText("empty text" if self.empty.isChecked() else "not sent")

    def _on_edit_text_changed(self) -> None:
        self._say("")
        self._refresh()
        self.changed.emit()

    def _on_edit_wanted(self, text: str) -> None:
        self.wanted.emit(self, text)

    def _on_empty_toggled(self) -> None:
        self._refresh()
        self.changed.emit()

    def _on_shape_chosen(self, shape: str) -> None:
        self.edit.set_separator(PART_SEPARATORS.get(shape, ""))
        self.changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow fields have their label above them."""
        super().resizeEvent(event)
        narrow = event.size().width() < self._theme.px(NARROW_PIXELS)
        if narrow != self._above:
            self._arrange(above=narrow)


def _plain(words: str, look: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("look", look)
    label.setVisible(bool(words))
    return label

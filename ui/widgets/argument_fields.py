"""A field for each argument whose value is a string, with suggestions while the user types.

Strings are passed on exactly as typed. An empty field is not sent, unless the user requests the empty string.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from inspector.errors import InspectorError
from inspector.visible_text import one_line, visible
from ui.aio import spawn
from ui.theme.layout_spaces import keep_margins
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.field_label import MAX_WIDTH_PX, REQUIRED, FieldLabel, field_height, label_column
from ui.widgets.form.field_help import HELP_SPACE_PX, FieldHelp, space_below
from ui.widgets.form.layout import Help
from ui.widgets.layout_parts import column_layout
from ui.widgets.suggest_edit import AutoGrowLine

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

MAX_FIELDS = 200
"""Fields that are made; more are told of."""

WIDEST = 16_777_215
"""Qt's own limit: as wide as there is room."""

MAX_DESCRIPTION = 1000
"""Characters of a description."""

PART_SEPARATORS = {"list": ","}
"""Ways to understand a text in which each part has suggestions of its own."""

_TOP = Qt.AlignmentFlag.AlignTop

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
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._fields: list[ArgumentField] = []
        self._suggest: Suggest | None = None
        self._column = column_layout(self, space=0)
        theme.changed.connect(self._on_theme_changed)

    @property
    def fields(self) -> tuple[ArgumentField, ...]:
        """The fields, in order."""
        return tuple(self._fields)

    def set_arguments(self, arguments: Sequence[Argument], *, again: bool = False) -> None:
        """Ask for these instead, all of them unset.

        `again` says that these are the fields the user has been filling in, of arguments that may have changed: values, focus and caret stay.
        """
        before, focused = self._fields, next((f for f in self._fields if f.edit.hasFocus()), None)
        same = {f.argument: f for f in before} if again else {}
        named = {f.argument.name: f for f in before} if again else {}
        self._fields = [
            same.pop(argument, None) or self._made(argument, named.get(argument.name))
            for argument in arguments[:MAX_FIELDS]
        ]
        for at, field in enumerate(self._fields):
            self._column.insertWidget(at, field)
        for field in before:
            if field not in self._fields:
                self._let_go(field, is_focused=field is focused)
        self._align()

    def _made(self, argument: Argument, before: ArgumentField | None) -> ArgumentField:
        """A field for `argument`, with the value of the one that stood there before."""
        field = ArgumentField(argument, theme=self._theme, parent=self)
        if before is not None and before.is_set():
            field.set_value(before.value())
        field.changed.connect(self.changed)
        field.submitted.connect(self.submitted)
        field.suggestions_requested.connect(self._on_suggestions_requested)
        field.edit.set_suggesting(self._suggest is not None)
        return field

    def _let_go(self, field: ArgumentField, *, is_focused: bool) -> None:
        """Remove a field; what was being typed there goes on in the one of that name."""
        heir = next((f for f in self._fields if f.argument.name == field.argument.name), None)
        if is_focused and heir is not None:
            caret = field.edit.cursorPosition()
            heir.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            heir.edit.deselect()
            heir.edit.setCursorPosition(caret)
        self._column.removeWidget(field)
        field.hide()
        field.deleteLater()

    def focus_first(self) -> None:
        """Go to the first field."""
        if self._fields:
            self._fields[0].setFocus(Qt.FocusReason.OtherFocusReason)

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

    def _align(self) -> None:
        """Give all labels one width, the form no more than its limit, and each field space below."""
        spare = max(self.width() - self._theme.px(MAX_WIDTH_PX), 0)
        keep_margins(self._column)
        self._column.setContentsMargins(0, 0, spare, 0)
        widest = max((field.label_width() for field in self._fields), default=0)
        beside = max((field.width_beside() for field in self._fields), default=0)
        width = label_column(self._theme, self, widest, indent=-beside, elides=False)
        for field in self._fields:
            field.set_label_width(width)
            is_last = field is self._fields[-1]
            field.set_space_below(
                0 if is_last else space_below(self._theme, has_help=field.has_help)
            )

    def _on_theme_changed(self) -> None:
        for field in self._fields:
            field.dress()
        self._align()

    def _on_suggestions_requested(self, field: ArgumentField, text: str) -> None:
        if self._suggest is None:
            return
        others = {
            name: value for name, value in self.values().items() if name != field.argument.name
        }
        field.request_suggestions(self._suggest, text, others)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Labels have their share."""
        super().resizeEvent(event)
        self._align()


class Argument(NamedTuple):
    """One argument."""

    name: str
    """Its key, exact."""
    label: str = ""
    """What it is called; its name where that is empty."""
    text: str = ""
    """Its description."""
    required: bool = False
    """Whether the server wants it."""
    shapes: tuple[str, ...] = ()
    """Ways to understand the text, the first by default; none means text alone."""


class Suggestions(NamedTuple):
    """What may be typed."""

    values: tuple[str, ...]
    """Texts to put in."""
    text: str = ""
    """About them: how many there are, for instance."""
    note: str = ""
    """Why there are none, where that is as it should be."""


class ArgumentField(QWidget):
    """Label, line, and what is said about them.

    Signals:
        changed: the value is different.
        submitted: Ctrl+Enter was pressed.
        suggestions_requested: suggestions for this text would help this field.
    """

    changed = Signal()
    submitted = Signal()
    suggestions_requested = Signal(object, str)

    def __init__(self, argument: Argument, *, theme: Theme, parent: QWidget) -> None:
        """A field for `argument`, unset."""
        super().__init__(parent)
        self.argument = argument
        self._theme = theme
        self._asking: asyncio.Task[None] | None = None
        self._label_width = -1
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme, argument = self._theme, self.argument
        label = one_line(argument.label or argument.name, 80) or "(empty name)"
        self.setObjectName(f"argument_{one_line(argument.name, 60)}")
        self._label = FieldLabel(theme=theme, parent=self)
        accessible = f"{label}, {REQUIRED}" if argument.required else label
        self._label.set_label(label, REQUIRED if argument.required else "", accessible)
        title = argument.label if argument.label != argument.name else ""
        self._label.set_about("\n".join(part for part in (title, argument.name) if part))
        self.box = AutoGrowLine(theme=theme, name=f"{self.objectName()}_line", parent=self)
        self.edit = self.box.line
        self.edit.setAccessibleName(accessible)
        self.edit.setAccessibleDescription(one_line(argument.text, 300))
        self.shape = OptionComboBox(
            [(shape, shape) for shape in argument.shapes],
            name=f"{self.objectName()}_shape",
            text=f"Value type of {label}",
            parent=self,
        )
        self.shape.setVisible(len(argument.shapes) > 1)
        self.edit.set_separator(PART_SEPARATORS.get(self.shape.current(), ""))
        self.empty = QToolButton(self)
        self.empty.setObjectName(f"{self.objectName()}_empty")
        self.empty.setText("Empty text")
        self.empty.setCheckable(True)
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.empty.setAccessibleName(f"Empty text: {label}")
        self.empty.setToolTip("Send an empty string instead of omitting the argument")
        self._help = FieldHelp(theme=theme, parent=self)
        self._help.set_help(_about(argument))
        self._lay_out()

    def _lay_out(self) -> None:
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.setFocusProxy(self.box)
        self.dress()

    def _arrange(self) -> None:
        """Put the label to the left, or above where there is no room for it."""
        above = self._label_width <= 0
        grid, line = self._grid, 1 if above else 0
        while grid.count():
            grid.takeAt(0)
        if above:
            self._label.setMinimumSize(0, 0)
            self._label.setMaximumWidth(WIDEST)
            grid.addWidget(self._label, 0, 0, 1, 4)
            grid.addWidget(self.box, 1, 0, 1, 2)
        else:
            self._label.setFixedWidth(self._label_width)
            self._label.setMinimumHeight(field_height(self._theme))  # beside the first line
            grid.addWidget(self._label, 0, 0, _TOP)
            grid.addWidget(self.box, 0, 1)
        grid.addWidget(self.shape, line, 2, _TOP)
        grid.addWidget(self.empty, line, 3, _TOP)
        start = 0 if above else 1
        grid.addWidget(self._help, line + 1, start, 1, 4 - start)

    def _wire(self) -> None:
        self.box.changed.connect(self._on_box_changed)
        self.edit.suggestions_requested.connect(self._on_suggestions_requested)
        self.box.submitted.connect(self.submitted)
        self.empty.toggled.connect(self._on_empty_toggled)
        self.shape.chosen.connect(self._on_shape_chosen)

    def is_set(self) -> bool:
        """Whether it is sent."""
        return bool(self.value()) or self.empty.isChecked()

    def value(self) -> str:
        """The text."""
        return self.box.text()

    def set_value(self, value: str | None) -> None:
        """Set the text; None makes it unset."""
        self.box.show_text(value or "")
        self.empty.setChecked(value == "")

    def label_width(self) -> int:
        """What the whole label would take."""
        return self._label.full_width()

    def width_beside(self) -> int:
        """What the buttons after the field take, in pixels."""
        parts = [each for each in (self.shape, self.empty) if not each.isHidden()]
        return sum(each.sizeHint().width() + self._grid.horizontalSpacing() for each in parts)

    @property
    def has_help(self) -> bool:
        """Whether there is a text under the field."""
        return self._help.has_help

    def set_space_below(self, pixels: int) -> None:
        """Keep so much space to the next field."""
        if self._grid.contentsMargins().bottom() != pixels:
            self._grid.setContentsMargins(0, 0, 0, pixels)

    def dress(self) -> None:
        """Use the sizes of the theme."""
        self._help.dress()
        self._grid.setHorizontalSpacing(self._theme.PADDING_PX)
        self._grid.setVerticalSpacing(self._theme.px(HELP_SPACE_PX))
        self._arrange()

    def set_label_width(self, width: int) -> None:
        """Give the label so much room beside the field; 0 puts it above."""
        if width != self._label_width:
            self._label_width = width
            self._arrange()

    def request_suggestions(self, suggest: Suggest, text: str, others: dict[str, str]) -> None:
        """Fetch suggestions; an answer to an earlier question is dropped."""
        if self._asking is not None:
            self._asking.cancel()
        self._asking = spawn(self, self._ask(suggest, text, others), name="suggest")

    def status(self) -> str:
        """What is said about suggestions."""
        return self._help.message()

    async def _ask(self, suggest: Suggest, text: str, others: dict[str, str]) -> None:
        try:
            found = await suggest(self.argument.name, text, others)
        except InspectorError as error:
            self._show_status(f"No suggestions: {error.reason}")
            return
        self._show_status(found.note, "muted")
        if text == self.edit.part():
            self.edit.show_suggestions(found.values, found.text)

    def _show_status(self, text: str, tone: str = "warning") -> None:
        self._help.show_message(visible(one_line(text, 300)), tone, "status")

    def _refresh(self) -> None:
        typed = bool(self.value())
        self.empty.setEnabled(not typed)
        self.edit.setPlaceholderText("empty string" if self.empty.isChecked() else "omitted")

    def _on_box_changed(self) -> None:
        self._show_status("")
        self._refresh()
        self.changed.emit()

    def _on_suggestions_requested(self, text: str) -> None:
        self.suggestions_requested.emit(self, text)

    def _on_empty_toggled(self) -> None:
        self._refresh()
        self.changed.emit()

    def _on_shape_chosen(self, shape: str) -> None:
        self.edit.set_separator(PART_SEPARATORS.get(shape, ""))
        self.changed.emit()


def _about(argument: Argument) -> Help:
    """Its description, after its name if the label is another one."""
    name = one_line(argument.name, 80) if argument.label not in {"", argument.name} else ""
    return Help(visible(argument.text[:MAX_DESCRIPTION]), lead=name)

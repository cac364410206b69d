"""A field for each argument whose value is a string, with suggestions while the user types.

Strings are passed on exactly as typed. An empty field is not sent, unless the user requests the empty string.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ui.widgets.argument_field import LABEL_PIXELS, ArgumentField
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme
    from ui.widgets.argument_field import Argument, Suggest

NARROW_PIXELS = 270
"""Below this width at 100%, labels stand above their fields."""

LABEL_SHARE = 0.4
"""Most of the width that labels get beside their fields; where one is wider, all stand above."""

MAX_FIELDS = 200
"""Fields that are made; more are told of."""


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
        self._column = column_layout(self, space=theme.PADDING_PX)

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
        """One width for all labels: what the widest wants; above the fields where that leaves those too little."""
        needed = max((field.label_width() for field in self._fields), default=0)
        needed, width = max(needed, self._theme.px(LABEL_PIXELS)), self.width()
        is_narrow = width < self._theme.px(NARROW_PIXELS) or needed > width * LABEL_SHARE
        for field in self._fields:
            field.set_label_width(0 if is_narrow else needed)

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

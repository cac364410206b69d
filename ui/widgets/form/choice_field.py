"""One of a list of values, each sent with its own type, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QComboBox, QListView, QSizePolicy

from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.representable import type_names
from ui.widgets.labels import set_style_property, tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QWheelEvent
    from PySide6.QtWidgets import QStyleOptionComboBox, QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field, FixedChoice

_ROOT = QModelIndex()


class NoWheelComboBox(QComboBox):
    """A drop-down that does not change when the page is scrolled over it, nor asks for the width of its widest entry."""

    _ARROW = 1.8
    """How many times as wide as a line is high is what the arrow takes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        view = QListView(self)
        view.setUniformItemSizes(True)
        self.setView(view)
        self.setMaxVisibleItems(16)
        self.setMinimumContentsLength(6)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._pale_words = ""

    def set_pale_words(self, text: str) -> None:
        """Say something, pale, at the right end."""
        self._pale_words = text
        self.update()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Write what stands in an empty box in pale letters."""
        super().initStyleOption(option)
        if self.currentIndex() < 0:
            pale = self.palette().placeholderText().color()
            option.palette.setColor(QPalette.ColorRole.Text, pale)
            option.palette.setColor(QPalette.ColorRole.ButtonText, pale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, then the pale words on it."""
        super().paintEvent(event)
        taken = self.fontMetrics().horizontalAdvance(f"{self.currentText()}  {self._pale_words}")
        arrow = round(self._ARROW * self.fontMetrics().height())
        if self._pale_words and taken < self.width() - 2 * arrow:
            painter = QPainter(self)
            painter.setPen(self.palette().placeholderText().color())
            aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect().adjusted(0, 0, -arrow, 0), int(aligned), self._pale_words)
            painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


class ChoiceModel(QAbstractListModel):
    """The entries of a drop-down; texts are made when asked for."""

    def __init__(
        self, choices: Sequence[FixedChoice], unset_words: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._choices = choices
        self._unset_words = unset_words
        self.offset = 1 if unset_words else 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """All choices, and an entry for *not set* where there is one."""
        return 0 if parent.isValid() else len(self._choices) + self.offset

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> str | None:
        """The label; the value that is sent as tool tip."""
        at = index.row() - self.offset
        if role == Qt.ItemDataRole.DisplayRole:
            return self._unset_words if at < 0 else self._choices[at].label
        if role == Qt.ItemDataRole.ToolTipRole and at >= 0:
            return tool_tip(f"sends {exact(self._choices[at].value)}")
        return None


class ChoiceField(Editor):
    """Edits an enumeration."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._places: dict[str, int] = {}
        self._build()
        self._combo.activated.connect(self._on_activated)

    def rename(self) -> None:
        """Name the drop-down after the place."""
        self._combo.setObjectName(f"field:{self._place.pointer}")
        self._combo.setAccessibleName(self._place.spoken)

    def set_problem(self, *, wrong: bool) -> None:
        """Draw the frame in the colour of errors."""
        set_style_property(self._combo, "problem", wrong)

    def _build(self) -> None:
        place = self._place
        optional = not place.required and not place.is_added
        self._combo = NoWheelComboBox(self)
        self._model = ChoiceModel(
            self._field.choices, self._absent_words() if optional else "", self._combo
        )
        self._combo.setModel(self._model)
        if self._model.rowCount() > self._combo.maxVisibleItems():
            # Fusion's own pop-up measures every entry before it opens.
            self._combo.setStyleSheet("QComboBox { combobox-popup: 0; }")
        self._combo.setPlaceholderText(self._absent_words())
        column_layout(self, space=0).addWidget(self._combo)
        self.setFocusProxy(self._combo)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        at = -1 if value is MISSING else self._index(value)
        # Not set is no entry but the pale words of an empty box, though it can be chosen from the list.
        self._combo.setCurrentIndex(-1 if at < 0 else at + self._model.offset)
        sent = "" if value is MISSING else exact(value)
        text = f"sends {sent}" if sent else self._absent_words()
        titled = bool(sent) and at >= 0 and bool(self._field.choices[at].title)
        twin = bool(sent) and at >= 0 and self._field.choices[at].has_twin
        kind = "" if value is MISSING or not twin else type_names(value)[-1]
        self._combo.set_pale_words(one_line(sent, 30) if titled and not twin else kind)
        self._combo.setToolTip(tool_tip(text) if titled else "")
        self._combo.setAccessibleDescription(text)

    def _index(self, value: Json) -> int:
        if not self._places:
            texts = [exact(choice.value) for choice in self._field.choices]
            self._places = {text: at for at, text in reversed(list(enumerate(texts)))}
        return self._places.get(exact(value), -1)

    def _on_activated(self, index: int) -> None:
        at = index - self._model.offset
        value = MISSING if at < 0 else self._field.choices[at].value
        self._edit(value)
        self._display(self._value)

"""One of several is selected: the views of a panel as segments, such as [Form] [JSON] [Schema]; the views of a block as links.

Where several can be on at once, use a `ToggleButton` for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QSizePolicy, QToolButton, QWidget

from ui.widgets.labels import set_style_property
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent


class OptionButtons(QWidget):
    """Flat buttons, one of them down; the arrow keys move between them.

    Signals:
        chosen: the user selected the option of this key.
    """

    chosen = Signal(str)

    kind: ClassVar[str]
    """The property by which the style sheet knows the buttons."""

    def __init__(
        self,
        options: Sequence[tuple[str, str]] = (),
        *,
        name: str = "segments",
        parent: QWidget | None = None,
    ) -> None:
        """Offer `options` as (key, label), the first one selected."""
        super().__init__(parent)
        self.setObjectName(name)
        self._build()
        self.set_options(options)

    def _build(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._row = row_layout(self, space=0)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.buttonClicked.connect(self._on_button_clicked)
        self._buttons: dict[str, QToolButton] = {}

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer these from now on, keeping the choice if it is still there."""
        before, known = self.current(), self._buttons
        for key in known.keys() - dict(options).keys():
            self._remove(known[key])
        self._buttons = {key: known.get(key) or self._add(key, message) for key, message in options}
        for key, text in options:  # those that stay keep the focus
            self.set_label(key, text)
            self._row.addWidget(self._buttons[key])
        self.choose(before if before in self._buttons else next(iter(self._buttons), ""))

    def _remove(self, button: QToolButton) -> None:
        self._group.removeButton(button)
        self._row.removeWidget(button)
        button.hide()  # it would be there until the loop deletes it
        button.deleteLater()

    def _add(self, key: str, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setAccessibleName(text)
        button.setObjectName(f"{self.objectName()}_{key}")
        button.setProperty(self.kind, True)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._group.addButton(button)
        return button

    def current(self) -> str:
        """The key of what is chosen; empty if there is nothing to choose."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def choose(self, key: str) -> None:
        """Select an option without a signal; unknown keys change nothing."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)

    def set_label(self, key: str, text: str) -> None:
        """Rename an option, for instance to add a count."""
        self._buttons[key].setText(text)
        self._buttons[key].setAccessibleName(text)

    def _on_button_clicked(self) -> None:
        self.chosen.emit(self.current())


class ViewLinks(OptionButtons):
    """The views of one block: links, the current one in the accent and underlined."""

    kind = "view_link"


class SegmentedControl(OptionButtons):
    """The views of one panel; two to five. Where they do not fit, a drop-down list is there instead: no label is ever elided."""

    kind = "segment"

    def _build(self) -> None:
        super()._build()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("segmented", True)
        self._is_switching = False
        self._width = 0
        """Pixels given by the layout around it; 0 before that."""
        self._box: QComboBox | None = None
        """The drop-down list, made when the segments do not fit for the first time: Qt gives each ten widgets."""
        self._fitting = QTimer(self, singleShot=True, interval=0)
        self._fitting.timeout.connect(self._fit)

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Offer these from now on, keeping the choice if it is still there."""
        super().set_options(options)
        if self._box is not None:
            self._fill(self._box)
        self._show(segments=self._has_segments)

    @property
    def _has_segments(self) -> bool:
        return self._box is None or self._box.isHidden()

    def _make_box(self) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(f"{self.objectName()}_box")
        box.setAccessibleName("View")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.hide()
        self._fill(box)
        box.activated.connect(self._on_box_activated)
        self._row.addWidget(box)
        self._fitting.start()
        return box

    def _fill(self, box: QComboBox) -> None:
        box.clear()
        for key, button in self._buttons.items():
            box.addItem(button.text(), key)
        box.setCurrentIndex(box.findData(self.current()))

    def choose(self, key: str) -> None:
        """Select an option without a signal; unknown keys change nothing."""
        super().choose(key)
        self._follow_choice()

    def set_label(self, key: str, text: str) -> None:
        """Rename an option, for instance to add a count."""
        super().set_label(key, text)
        if self._box is not None:
            self._box.setItemText(self._box.findData(key), text)

    def sizeHint(self) -> QSize:
        """The size of all segments side by side, even while the list is there instead."""
        hints = self._segment_sizes()
        heights = [hint.height() for hint in hints]
        return QSize(sum(hint.width() for hint in hints), max(heights, default=0))

    def minimumSizeHint(self) -> QSize:
        """The size of the list, or what it will need about: the widest segment and an arrow."""
        hint = self.sizeHint()
        if self._box is not None:
            minimum = self._box.sizeHint().width()
        else:
            widest = max((size.width() for size in self._segment_sizes()), default=0)
            minimum = widest + hint.height()
        return QSize(min(minimum, hint.width()), hint.height())

    def _segment_sizes(self) -> list[QSize]:
        buttons = self._buttons.values()
        return [button.sizeHint().boundedTo(button.maximumSize()) for button in buttons]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Segments may fit now, or no longer."""
        super().resizeEvent(event)
        self._width = event.size().width()
        self._fit()

    def event(self, event: QEvent) -> bool:
        """A label or the font has changed: once the layout around it has answered, see whether the segments fit."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fitting.start()
        return super().event(event)

    def _fit(self) -> None:
        if self._is_switching:  # hiding a segment may give the others another width at once
            self._fitting.start()
            return
        if self._box is not None:
            # Qt stops painting a stack while its page changes; a list that is made meanwhile would stay so.
            self._box.setUpdatesEnabled(True)
        fits = not self._width or self._width >= self.sizeHint().width()
        if fits != self._has_segments:
            self._show(segments=fits)

    def _show(self, *, segments: bool) -> None:
        self._is_switching = True
        self._switch(segments=segments)
        self._is_switching = False

    def _switch(self, *, segments: bool) -> None:
        buttons: list[QWidget] = [*self._buttons.values()]
        if not segments:
            self._box = self._box or self._make_box()
        boxes: list[QWidget] = [self._box] if self._box is not None else []
        front, back = (buttons, boxes) if segments else (boxes, buttons)
        had_focus = any(part.hasFocus() for part in (*buttons, *boxes))
        for part in front:
            part.show()
        if had_focus and not any(part.hasFocus() for part in front):
            (self._buttons[self.current()] if segments else front[0]).setFocus()
        for part in back:
            part.hide()
        set_style_property(self, "segmented", segments)

    def _on_button_clicked(self) -> None:
        self._follow_choice()
        super()._on_button_clicked()

    def _follow_choice(self) -> None:
        if self._box is not None:
            self._box.setCurrentIndex(self._box.findData(self.current()))

    def _on_box_activated(self, at: int) -> None:
        self.choose([*self._buttons][at])
        self.chosen.emit(self.current())

"""What is visible and cannot be read or hit: texts with less width than they need, and buttons that are too small.

Texts that are elided on purpose, with the whole text in a tool tip, are the matter of their widgets and not listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStatusBar,
    QTabBar,
    QWidget,
)

from ui.widgets.json_tree import JsonTree
from ui.widgets.key_values import KeyValues
from ui.widgets.labels import ElidedLabel
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_TARGET = 24
"""Pixels. WCAG 2.2, 2.5.8 "Target Size (Minimum)"."""
SLACK = 2
"""Pixels of padding that may be cut: there is no text in them."""
FIELD = 26
"""Pixels of a field of one line."""
FACT_ROW = 20
"""Pixels of a line of names and values."""
ROWS = (22, 38, 40, 44)
"""Pixels of a row: one line, two lines, a step of an authorization, the start of a run."""


def name_of(widget: QWidget) -> str:
    """The object name of a widget; without one, its class below the first object name around it."""
    around: QWidget | None = widget
    while around is not None and (not around.objectName() or around.objectName().startswith("qt_")):
        around = around.parentWidget()
    outer = around.objectName() if around is not None else "?"
    return outer if around is widget else f"{outer} {type(widget).__name__}"


def visible_widgets(window: QWidget) -> Iterator[QWidget]:
    """Every widget below `window` that is on the screen, `window` excepted."""
    for widget in window.findChildren(QWidget):
        if (
            widget.isVisible()
            and widget.window() is window
            and not widget.visibleRegion().isEmpty()
        ):
            yield widget


def clipped(window: QWidget) -> set[str]:
    """The names of what has less room than its text needs."""
    return {name_of(widget) for widget in visible_widgets(window) if is_clipped(widget)}


def is_clipped(widget: QWidget) -> bool:
    """Whether the text of `widget` is cut."""
    if isinstance(widget, (ElidedLabel, ElidedLink)):
        return False
    if isinstance(widget, QLabel):
        return _is_label_clipped(widget)
    if isinstance(widget, QAbstractButton):
        return (bool(widget.text()) and _is_button_clipped(widget)) or _is_outside(widget)
    if isinstance(widget, QTabBar):
        return any(_is_tab_clipped(widget, at) for at in range(widget.count()))
    if isinstance(widget, QHeaderView):
        return any(_is_section_clipped(widget, at) for at in range(widget.count()))
    if isinstance(widget, QComboBox):
        return not widget.isEditable() and _is_box_clipped(widget)
    return False


def _is_button_clipped(button: QAbstractButton) -> bool:
    metrics = button.fontMetrics()
    icon = 0 if button.icon().isNull() else button.iconSize().width()
    needed = metrics.size(int(Qt.TextFlag.TextShowMnemonic), button.text()).width() + icon
    return button.width() < needed or button.height() < metrics.height()


def _is_outside(widget: QWidget) -> bool:
    """Whether a part of `widget` is beyond what it is in, where nothing scrolls."""
    around = widget.parentWidget()
    while around is not None and not around.isWindow():
        if isinstance(around.parentWidget(), QAbstractScrollArea):
            return False
        inner = QRect(widget.mapTo(around, QPoint()), widget.size())
        if not around.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(inner):
            return True
        around = around.parentWidget()
    return False


def _is_label_clipped(label: QLabel) -> bool:
    text = label.text()
    if not text or label.textFormat() is Qt.TextFormat.RichText or _is_outside(label):
        return bool(text) and label.textFormat() is not Qt.TextFormat.RichText
    inner = label.contentsRect()
    metrics = label.fontMetrics()
    if label.wordWrap():
        flags = int(Qt.TextFlag.TextWordWrap)
        needed = metrics.boundingRect(QRect(0, 0, inner.width(), 1 << 16), flags, text).height()
        return inner.height() < needed - 1
    return metrics.size(0, text).width() > inner.width() or metrics.height() > inner.height()


def _is_tab_clipped(bar: QTabBar, at: int) -> bool:
    rect = bar.tabRect(at)
    needed = bar.fontMetrics().horizontalAdvance(bar.tabText(at))
    return bar.isTabVisible(at) and (rect.width() < needed or not bar.rect().contains(rect))


def _is_section_clipped(header: QHeaderView, at: int) -> bool:
    if header.isSectionHidden(at) or header.orientation() is Qt.Orientation.Vertical:
        return False
    text = str(header.model().headerData(at, header.orientation()) or "")
    return header.sectionSize(at) < header.fontMetrics().horizontalAdvance(text)


def _is_box_clipped(box: QComboBox) -> bool:
    return box.width() < box.fontMetrics().horizontalAdvance(box.currentText())


def too_small(window: QWidget, scale: float = 1.0) -> set[str]:
    """The names of buttons that are smaller than a target has to be.

    A field's own button to clear it is as high as the field, and those of the status bar fill it: nothing else is above or below them.
    """
    least = round(MIN_TARGET * scale)
    return {
        f"{name_of(button)} {button.width()}x{button.height()}"
        for button in visible_widgets(window)
        if isinstance(button, QAbstractButton)
        and not isinstance(button.parentWidget(), QLineEdit | QStatusBar)
        and min(button.width(), button.height()) < least
    }


def uneven_facts(window: QWidget, scale: float = 1.0) -> set[str]:
    """The lists of names and values of which a line has two baselines, or another height than the others."""
    return {
        name_of(facts)
        for facts in window.findChildren(KeyValues)
        if facts.isVisible() and not _are_even(facts, round(FACT_ROW * scale))
    }


def _are_even(facts: KeyValues, row: int) -> bool:
    labels = [label for label in facts.findChildren(QLabel) if label.isVisible()]
    pairs = list(zip(labels[::2], labels[1::2], strict=False))
    is_on_line = all(_baseline(name) == _baseline(value) for name, value in pairs)
    tops = [name.y() for name, _ in pairs]
    lines = [
        (after - before, value.height())
        for before, after, (_, value) in zip(tops, tops[1:], pairs, strict=False)
    ]
    return is_on_line and all(step >= row and step == max(row, high) for step, high in lines)


def _baseline(label: QLabel) -> int:
    return label.y() + label.contentsMargins().top() + QFontMetrics(label.font()).ascent()


def other_field_heights(window: QWidget, scale: float = 1.0) -> set[str]:
    """The fields of one line that are not as high as a field."""
    return {
        f"{name_of(field)} {field.height()}"
        for field in visible_widgets(window)
        if isinstance(field, QLineEdit | QComboBox | QAbstractSpinBox)
        and not isinstance(field.parentWidget(), QComboBox | QAbstractSpinBox)
        and field.height() != round(FIELD * scale)
    }


def other_row_heights(window: QWidget, scale: float = 1.0) -> set[str]:
    """The tables, trees and lists with rows of a height that is not in `ROWS`."""
    heights = {round(row * scale) for row in ROWS}
    found: set[str] = set()
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        is_text = isinstance(view, QHeaderView | JsonTree)
        if not view.isVisible() or is_text or not model.rowCount():
            continue
        height = view.visualRect(model.index(0, 0)).height()
        if height and height not in heights:
            found.add(f"{name_of(view)} {height}")
    return found

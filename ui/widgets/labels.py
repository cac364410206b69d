"""Labels for text that may come from a server, and the tone of a text or the background of a box, which the style sheet colors."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def plain_label(
    text: str = "",
    *,
    tone: str = "",
    name: str = "",
    wrap: bool = False,
    selectable: bool = False,
    parent: QWidget | None = None,
) -> QLabel:
    """A label that shows `text` as it is, never as HTML.

    `tone` is a color role of the style sheet, `name` the object name. A label that wraps may become narrower than its longest
    word, which is clipped then: a word of a server must not widen the window. `selectable` is for the mouse.
    """
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setObjectName(name)
    if tone:
        label.setProperty("tone", tone)
    if wrap:
        label.setWordWrap(True)
        label.setMinimumWidth(1)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def set_tone(widget: QWidget, tone: str) -> None:
    """Color the text of a widget by a role of the style sheet: `error`, `muted`, …; "" for the usual one."""
    set_style_property(widget, "tone", tone)


def set_background(widget: QWidget, tone: str) -> None:
    """Color the background of a box by a role of the style sheet; "" for none."""
    set_style_property(widget, "background", tone)


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by.

    Qt reads such properties only when it polishes a widget, so one that is polished already is polished again.
    """
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        widget.style().unpolish(widget)
        widget.style().polish(widget)

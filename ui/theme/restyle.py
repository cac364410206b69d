"""Exchanges the style sheet of a running application in one pass over what is visible.

`QApplication.setStyleSheet` goes through every widget once for each widget that it is in, and taking the old sheet off first polishes every
widget twice. Both spend most of their time on pages that are hidden. Here, Qt forgets what it knows about the widgets, so that it
polishes none when the sheet is set; then the visible widgets are polished, and those in what is hidden
when it is shown.

Qt saves the font of a widget when it polishes it, and brings the saved one back when it polishes it again: after another parent, another
property or a new sheet, which may be long after the widget was given another font. Here, it finds the font of now, and what it saved
is dropped after polishing. That works because the sheet has no fonts: all that a widget has of its own was given to it by `setFont`.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

POLISHED = Qt.WidgetAttribute.WA_WState_Polished
"""Whether the style sheet of the application is applied to a widget."""

SAVED_FONT = "_q_styleSheetWidgetFont"
"""Where Qt saves the font of a widget."""

SEMIBOLD = "semibold"
"""Property of widgets that set nothing of their font but the weight."""


class Restyler(QObject):
    """Applies style sheets to widgets: to visible ones at once, to hidden ones when they are shown."""

    def take_off(self, app: QApplication) -> None:
        """Set no style sheet. Call it while no widget has another font than when the style sheet was set: Qt brings that one back."""
        # Fonts that Qt saved are not dropped here: PySide takes 10 ms for the first list of all widgets.
        app.setStyleSheet("")

    def exchange(self, app: QApplication, text: str) -> bool:
        """Set the style sheet `text`; returns whether Qt has applied it, as it does where there was none.

        Call `polish` once the palette and the font are set too.
        """
        is_exchanged = bool(app.styleSheet())
        if is_exchanged:
            app.style().unpolish(app)  # forgets the rules of every widget
        app.setStyleSheet(text)
        return not is_exchanged

    def drop_fonts(self, app: QApplication) -> None:
        """Drop the fonts that Qt saved when it applied the style sheet."""
        for widget in app.allWidgets():
            widget.setProperty(SAVED_FONT, None)

    def polish(self, app: QApplication, *, is_resized: bool) -> None:
        """Apply the style sheet; `is_resized`: sizes have changed, and not only colors."""
        in_sight: list[QWidget] = []
        for widget in app.allWidgets():
            widget.setProperty(SAVED_FONT, None)
            if widget.testAttribute(POLISHED) and _is_in_sight(widget):
                in_sight.append(widget)
            else:
                widget.setAttribute(POLISHED, False)
                if is_resized and _has_size_of_application(widget):
                    # Qt gives a new size only to what is polished.
                    widget.setFont(_own_font(widget))
            if widget.isHidden():  # itself, and not only what it is in: this will be shown
                widget.installEventFilter(self)
        # Only now: widgets that get another size hide and show others.
        for widget in filter(isValid, in_sight):
            _polish(widget, is_resized=is_resized)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Polish what is shown now with all that is visible in it."""
        if event.type() is QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            for widget in (watched, *watched.findChildren(QWidget)):
                if widget.testAttribute(POLISHED):
                    continue
                if _is_in_sight(widget):
                    widget.setAttribute(POLISHED)
                    _polish(widget, is_resized=True)
                if widget.isHidden():
                    widget.installEventFilter(self)
        return super().eventFilter(watched, event)


def _is_in_sight(widget: QWidget) -> bool:
    """Whether `widget` is visible, or hidden in what is visible, which may ask for its size."""
    parent = widget.parentWidget()
    return widget.isVisible() or (parent is not None and parent.isVisible())


def set_own_font(widget: QWidget, font: QFont) -> None:
    """Give a widget a font that it keeps when it gets another parent; Qt would bring back the one that it had when it was polished.

    It may have been polished by then without having been visible: `setVisible` polishes, and so does a question for a size.
    """
    widget.setFont(font)
    widget.setProperty(SAVED_FONT, None)


def set_semibold(widget: QWidget, *, is_semibold: bool) -> None:
    """Let the text of a widget that has no font of its own stand out by its weight, or no longer; its size follows the theme."""
    widget.setProperty(SEMIBOLD, is_semibold)
    widget.setFont(_own_font(widget) if is_semibold else QFont())


def _has_size_of_application(widget: QWidget) -> bool:
    return bool(widget.property(SEMIBOLD)) or not widget.testAttribute(
        Qt.WidgetAttribute.WA_SetFont
    )


def _own_font(widget: QWidget) -> QFont:
    """Return what a widget sets of its font; the rest is that of the application."""
    font = QFont()
    if widget.property(SEMIBOLD):
        font.setWeight(QFont.Weight.DemiBold)
        return font
    return widget.font() if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) else font


def polish_again(widget: QWidget) -> None:
    """Apply the style sheet to a widget of which a property has changed; not to one that was not polished yet."""
    if widget.testAttribute(POLISHED):
        widget.setProperty(SAVED_FONT, _own_font(widget))
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.setProperty(SAVED_FONT, None)


def _polish(widget: QWidget, *, is_resized: bool) -> None:
    widget.setProperty(SAVED_FONT, _own_font(widget))
    widget.style().polish(widget)
    widget.setProperty(SAVED_FONT, None)
    if is_resized:
        QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
    widget.update()

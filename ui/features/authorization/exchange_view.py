"""Request and response of one step beside each other. Secrets are masked until they are wanted; what is to be sent can be edited."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QPlainTextEdit,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from ui.features.authorization import message_text
from ui.theme import tokens
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.links import set_link_height
from ui.widgets.splitter import Splitter
from ui.widgets.text_view import HTTP_MESSAGE, TextView
from ui.widgets.units import duration, size

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.auth.flow import FlowStep
    from inspector.auth.state import Planned
    from ui.theme import Theme

HEIGHT = 226
"""Of the two texts, at 100%."""

SPLIT = (2, 3)
"""Shares of request and response."""

SHOW, HIDE = "Show secrets", "Hide secrets"
EDIT, STOP_EDITING = "Edit", "Reset"


class ExchangeView(QWidget):
    """Two texts with their captions.

    Signals:
        edited: what is to be sent was changed, or is again what it was.
    """

    edited = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_exchange")
        self._theme = theme
        self._step: FlowStep | None = None
        self._planned: Planned | None = None
        self.with_secrets = False
        self._build()
        self._wire()
        self.dress()

    def _build(self) -> None:
        theme = self._theme
        self._request_title = plain_label("Request")
        self._response_title = plain_label("Response")
        self.edit_link = link_button(EDIT, name="authorization_edit")
        self.reset_link = link_button(STOP_EDITING, name="authorization_reset")
        self._facts = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self._facts.setObjectName("authorization_response_facts")
        set_tone(self._facts, "muted")
        self.reveal_link = link_button(SHOW, name="authorization_reveal")
        self.request = TextView(
            theme=theme,
            name="authorization_request",
            file_name="request.txt",
            mime=HTTP_MESSAGE,
        )
        self.request.edit.setAccessibleName("Request")
        self.response = TextView(
            theme=theme,
            name="authorization_response",
            file_name="response.txt",
            mime=HTTP_MESSAGE,
        )
        self.response.edit.setAccessibleName("Response")
        self.editor = QPlainTextEdit()
        self.editor.setObjectName("authorization_editor")
        self.editor.setAccessibleName("Request to send")
        self.editor.setProperty("field", True)
        self.editor.setTabChangesFocus(True)
        self._error = plain_label(tone="error", name="authorization_edit_error", wrap=True)
        self._left = QStackedWidget()
        self._left.addWidget(self.request)
        self._left.addWidget(self.editor)
        self._arrange()

    def _arrange(self) -> None:
        self._headers: list[QWidget] = []
        self.splitter = Splitter(theme=self._theme, parent=self)
        self.splitter.setProperty("bare", True)
        self.splitter.setObjectName("authorization_exchange_splitter")
        self._request_part = self._column(
            (self._request_title, self.edit_link, self.reset_link), self._left, self._error
        )
        self._right = self._column(
            (self._response_title, self._facts, self.reveal_link), self.response
        )
        for part, share in zip((self._request_part, self._right), SPLIT, strict=True):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(self.splitter.count() - 1, share)
        self.splitter.setSizes([400 * share for share in SPLIT])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter)

    def _column(self, header: tuple[QWidget, ...], *parts: QWidget) -> QWidget:
        part, line = QWidget(), QWidget()
        row = row_layout(line, header[0], space=self._theme.PADDING_PX)
        row.addStretch(1)
        for widget in header[1:]:
            row.addWidget(widget)
        column = column_layout(part, line, space=self._theme.SPACING_PX)
        self._headers.append(line)
        for widget in parts:
            column.addWidget(widget)
        return part

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.edit_link.clicked.connect(self.start_editing)
        self.reset_link.clicked.connect(self.reset)
        self.reveal_link.clicked.connect(self._on_reveal_clicked)
        self.editor.textChanged.connect(self._on_editor_changed)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        theme = self._theme
        for title in (self._request_title, self._response_title):
            title.setFont(theme.font(tokens.SMALL, bold=True))
        for line in self._headers:
            line.setFixedHeight(theme.ROW_HEIGHT_PX)
        for link in (self.edit_link, self.reset_link, self.reveal_link):
            set_link_height(link, theme.ROW_HEIGHT_PX)
        gap = theme.px(4)  # on either side of the line between them
        for part, margins in ((self._request_part, (0, 0, gap, 0)), (self._right, (gap, 0, 0, 0))):
            layout = part.layout()
            if layout is not None:
                layout.setContentsMargins(*margins)
        self.editor.setFont(theme.mono())
        self.splitter.setFixedHeight(theme.px(HEIGHT))
        self._mark()
        if self.is_editing:
            self._mark_changes()

    def show_step(self, step: FlowStep) -> None:
        """Show what a step sent and received."""
        self._step, self._planned = step, None
        self._left.setCurrentWidget(self.request)
        self._show()

    def show_planned(self, planned: Planned) -> None:
        """Show what will be sent; what was edited of the same step stays."""
        if planned is not self._planned or self._step is not None:
            self._step, self._planned = None, planned
            self._left.setCurrentWidget(self.request)
        self._show()

    @property
    def is_editing(self) -> bool:
        """Whether what will be sent is shown in a field."""
        return self._planned is not None and self._left.currentWidget() is self.editor

    @property
    def change_count(self) -> int:
        """How many lines were edited of what will be sent."""
        if not self.is_editing:
            return 0
        return message_text.change_count(self.editor.toPlainText(), self._request_text())

    @property
    def error(self) -> str:
        """Why the edited text cannot be sent; empty where it can."""
        return self._error.text()

    def planned(self) -> Planned | None:
        """What will be sent, as it was edited.

        Raises:
            ValueError: the text describes no request; the argument is a sentence.
        """
        planned = self._planned
        if planned is None or not self.is_editing:
            return planned
        text = self.editor.toPlainText()
        if planned.request is not None:
            return replace(planned, request=message_text.read_request(text, planned.request))
        return replace(planned, visit=message_text.read_visit(text, planned.visit))

    def edited_step(self) -> Planned | None:
        """The next step as the user edited it; None if it was not edited or cannot be sent."""
        if not self.is_editing or self.error:
            return None
        return self.planned()

    def start_editing(self) -> None:
        """Turn what will be sent into a field."""
        if self._planned is None or not self._can_edit():
            return
        self._left.setCurrentWidget(self.editor)
        self.editor.setPlainText(self._request_text())
        self._show()
        self.editor.setFocus()

    def reset(self) -> None:
        """Send what was planned."""
        self._left.setCurrentWidget(self.request)
        self._error.clear()
        self._show()
        self.edited.emit()
        self.edit_link.setFocus()

    def _can_edit(self) -> bool:
        planned = self._planned
        return planned is not None and (planned.request is not None or bool(planned.visit))

    def _request_text(self, *, with_secrets: bool | None = None) -> str:
        unmasked = self.with_secrets if with_secrets is None else with_secrets
        source = self._step or self._planned
        if source is None:
            return ""
        if source.request is not None:
            return message_text.request_text(source.request, with_secrets=unmasked)
        return message_text.visit_text(source.visit, with_secrets=unmasked) if source.visit else ""

    def _response_text(self, *, with_secrets: bool | None = None) -> str:
        unmasked = self.with_secrets if with_secrets is None else with_secrets
        step = self._step
        if step is None:
            return ""
        if step.callback:
            return message_text.callback_text(step.callback, with_secrets=unmasked)
        return message_text.response_text(step.response, with_secrets=unmasked)

    def _show(self) -> None:
        request, response = self._request_text(), self._response_text()
        for view, text in ((self.request, request), (self.response, response)):
            if view.text() != text:
                view.set_text(text)
        hides = request != self._request_text(with_secrets=True)
        hides = hides or response != self._response_text(with_secrets=True)
        self.reveal_link.setVisible(hides or self.with_secrets)
        self.reveal_link.setText(HIDE if self.with_secrets else SHOW)
        self.reveal_link.setAccessibleName(self.reveal_link.text())
        self._request_title.setText("Request to send" if self._planned is not None else "Request")
        self._facts.set_text(self._facts_text())
        self._response_title.setText(
            "Redirect" if self._step and self._step.callback else "Response"
        )
        self.edit_link.setVisible(self._can_edit() and not self.is_editing)
        self.reset_link.setVisible(self.is_editing)
        self._error.setVisible(bool(self._error.text()) and self.is_editing)
        self._request_part.setVisible(bool(request))
        self._right.setVisible(bool(response))
        self.setVisible(bool(request or response))
        self._mark()

    def _facts_text(self) -> str:
        step = self._step
        if step is None or not step.response.status:
            return ""
        parts = [str(step.response.status), size(len(step.response.body))]
        if not math.isnan(step.seconds):
            parts.insert(1, duration(step.seconds))
        return " · ".join(parts)

    def _mark(self) -> None:
        """Lines that broken rules are about have the ground of their tone."""
        step = self._step
        if step is not None:
            for view in (self.request, self.response):
                lines = message_text.checked_lines(view.text(), step.checks)
                self._set_backgrounds(
                    view.edit, {at: f"{tone}_ground" for at, tone in lines.items()}
                )
        else:
            for view in (self.request, self.response):
                self._set_backgrounds(view.edit, {})

    def _set_backgrounds(self, edit: QPlainTextEdit, lines: Mapping[int, str]) -> None:
        selections: list[QTextEdit.ExtraSelection] = []
        for at, background in lines.items():
            look = QTextCharFormat()
            look.setBackground(self._theme.color(background))
            look.setProperty(QTextFormat.Property.FullWidthSelection, True)
            block = edit.document().findBlockByNumber(at)
            if not block.isValid():
                continue
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(block)
            # All lines of a wrapped block.
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            selection.cursor = cursor
            selection.format = look
            selections.append(selection)
        edit.setExtraSelections(selections)

    def _on_reveal_clicked(self) -> None:
        if self.is_editing and self.change_count:
            return  # what was typed is not thrown away
        self.with_secrets = not self.with_secrets
        if self.is_editing:
            self.editor.setPlainText(self._request_text())
        self._show()

    def _on_editor_changed(self) -> None:
        if not self.is_editing:
            return
        try:
            self.planned()
        except ValueError as error:
            self._error.setText(str(error))
        else:
            self._error.clear()
        self._error.setVisible(bool(self._error.text()))
        self._mark_changes()
        self.edited.emit()

    def _mark_changes(self) -> None:
        """Lines that differ from what was sent have the ground of a warning."""
        lines = message_text.changed_lines(self.editor.toPlainText(), self._request_text())
        self._set_backgrounds(self.editor, dict.fromkeys(lines, "warning_ground"))

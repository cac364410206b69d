"""One token in full: its facts beside those of the request, and its content if it is a JSON Web Token. Never verified."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.features.authorization.token_rows import token_document, token_facts
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.code_text import CodeText
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValues
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from ui.features.authorization.token_rows import TokenRow
    from ui.theme import Theme

OPAQUE = "This token is opaque: only its issuer can read it."

SHOW, HIDE = "Show token", "Hide token"


class TokenDetail(QWidget):
    """The selected row of the client and the tokens."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_token")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._row: TokenRow | None = None
        self._build()
        self._wire()
        self.dress()

    def _build(self) -> None:
        theme = self._theme
        self._title = plain_label(name="authorization_token_title", parent=self)
        self._badge = Badge("not verified", theme=theme, tone="warning", parent=self)
        self._badge.setObjectName("authorization_not_verified")
        self.reveal_link = link_button(SHOW, name="authorization_show_token", parent=self)
        self.close_link = link_button("Back to step", name="authorization_back", parent=self)
        self._value = CodeText(theme=theme, name="authorization_token_value", parent=self)
        self.facts = KeyValues(theme=theme, name="authorization_token_facts", parent=self)
        self._opaque = plain_label(
            OPAQUE, tone="muted", name="authorization_opaque", wrap=True, parent=self
        )
        self._content = JsonView(theme=theme, name="authorization_claims", parent=self)
        header = row_layout(None, self._title, self._badge, space=theme.PADDING_PX)
        header.addStretch(1)
        header.addWidget(self.reveal_link)
        header.addWidget(self.close_link)
        self._column = QVBoxLayout(self)
        self._column.addLayout(header)
        for part in (self._value, self.facts, self._opaque):
            self._column.addWidget(part)
        self._column.addWidget(self._content, 1)
        self._column.addStretch(0)

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.reveal_link.clicked.connect(self._on_reveal_clicked)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        theme = self._theme
        pad = theme.px(16)
        self._column.setContentsMargins(pad, theme.px(12), pad, theme.px(12))
        self._column.setSpacing(theme.PADDING_PX)
        self._title.setFont(theme.font(1.1, bold=True))

    def show_row(self, row: TokenRow, grant: Grant | None) -> None:
        """Show `row`; its value is hidden again if it is another token."""
        if self._row is None or self._row.secret != row.secret:
            self._value.hide()
        self._row = row
        self._title.setText(row.name)
        self.facts.set_facts(token_facts(row, grant, time.time()))
        document = token_document(row) if row.secret else None
        self._badge.setVisible(document is not None)
        self._opaque.setVisible(bool(row.secret) and document is None)
        self._content.setVisible(document is not None)
        if document is not None:
            self._content.set_value(document)
        self.reveal_link.setVisible(bool(row.secret))
        self._show_value(visible=not self._value.isHidden())

    def _show_value(self, *, visible: bool) -> None:
        row = self._row
        is_displayed = visible and row is not None and bool(row.secret)
        if is_displayed and row is not None:
            self._value.set_code(row.secret, accessible_name=row.name)
        else:
            self._value.set_code("", accessible_name="hidden")
        self._value.setVisible(is_displayed)
        self.reveal_link.setText(HIDE if is_displayed else SHOW)
        self.reveal_link.setAccessibleName(self.reveal_link.text())

    def _on_reveal_clicked(self) -> None:
        self._show_value(visible=self._value.isHidden())

    def focus(self) -> None:
        """Go to the first button."""
        self.reveal_link.setFocus(Qt.FocusReason.OtherFocusReason)

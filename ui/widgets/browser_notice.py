"""A login that waits for the browser: the URL with its host set off, and the ways to go on. Nothing is opened before the user wants it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button
from ui.widgets.clipboard import copy_text
from ui.widgets.code_text import CodeText
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label, set_background, show_text
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.outcome_line import VisibleClock
from ui.widgets.units import duration

if TYPE_CHECKING:
    from ui.theme import Theme

SCHEMES = {"http", "https"}
"""What is opened at all."""


class BrowserNotice(QFrame):
    """Hidden while no login waits.

    Signals:
        open_requested: open this URL in the browser.
        pasted: the user was redirected to this URL in another browser.
    """

    open_requested = Signal(str)
    pasted = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization_browser")
        set_background(self, "info")
        self._theme = theme
        self._url = ""
        self._began_wall = 0.0
        self._build()
        self._wire()
        self.dress()
        self.hide()

    def _build(self) -> None:
        theme = self._theme
        self._title = plain_label(name="authorization_waiting", parent=self)
        self._host = plain_label(name="authorization_host", wrap=True, parent=self)
        self._address = CodeText(theme=theme, name="authorization_url", parent=self)
        self._address.setStyleSheet("background: transparent")
        self.open_button = push_button(
            "Open in browser", name="authorization_open", primary=True, parent=self
        )
        self._copy = push_button("Copy URL", name="authorization_copy_url", parent=self)
        self._paste = link_button("Paste redirect URL…", name="authorization_paste", parent=self)
        self.field = QLineEdit(self)
        self.field.setObjectName("authorization_redirect")
        self.field.setAccessibleName("URL that the browser was redirected to")
        self.field.setPlaceholderText("http://127.0.0.1:…/callback?code=…")
        self._use = push_button("Continue", name="authorization_use_redirect", parent=self)
        self._error = plain_label(tone="error", name="authorization_redirect_error", parent=self)
        VisibleClock(self, self._show_time, interval_ms=1000)
        self._arrange()

    def _arrange(self) -> None:
        theme = self._theme
        buttons = FlowLayout(theme.PADDING_PX)
        for button in (self.open_button, self._copy, self._paste):
            buttons.addWidget(button)
        pasting = row_layout(None, space=theme.PADDING_PX)
        pasting.addWidget(self.field, 1)
        pasting.addWidget(self._use)
        column_layout(
            self,
            self._title,
            self._host,
            self._address,
            buttons,
            pasting,
            self._error,
            space=theme.SPACING_PX,
            margins=theme.PADDING_PX,
        )

    def _wire(self) -> None:
        self._theme.changed.connect(self.dress)
        self.open_button.clicked.connect(lambda: self.open_requested.emit(self._url))
        self._copy.clicked.connect(lambda: copy_text(self._url))
        self._paste.clicked.connect(self.start_pasting)
        self._use.clicked.connect(self._on_use_clicked)
        self.field.returnPressed.connect(self._on_use_clicked)
        self.field.textChanged.connect(self._error.hide)

    def dress(self) -> None:
        """Set sizes and fonts, which Qt forgets when a part is put into a window with a style sheet."""
        self._title.setFont(self._theme.font(bold=True))
        self._host.setFont(self._theme.font(tokens.TITLE / 1.1, bold=True))

    def show_url(self, url: str, began_wall: float = 0.0) -> None:
        """Show that the login at `url` is waited for since `began_wall`; an empty URL hides the notice."""
        if url == self._url:
            return
        self._url, self._began_wall = url, began_wall
        scheme, host = _parts(url)
        self._host.setText(visible(host or "(no host)"))
        self._address.set_code(url, accessible_name=f"URL: {url}")
        self.open_button.setEnabled(scheme in SCHEMES)
        self.field.clear()
        for part in (self.field, self._use, self._error):
            part.hide()
        self._show_time()
        self.setVisible(bool(url))

    def start_pasting(self) -> None:
        """Show the field for the URL that a browser elsewhere was redirected to."""
        if not self._url:
            return
        self.field.show()
        self._use.show()
        self.field.setFocus()

    def show_error(self, text: str) -> None:
        """Show why the pasted URL cannot be used."""
        show_text(self._error, text)

    def _show_time(self) -> None:
        waited = max(time.time() - self._began_wall, 0.0)
        self._title.setText(f"Waiting for you to log in · {duration(waited)}")

    def _on_use_clicked(self) -> None:
        if self.field.text().strip():
            self.pasted.emit(self.field.text().strip())


def _parts(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.scheme.lower(), parts.netloc

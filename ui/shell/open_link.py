"""Asking before a link of a server is opened: the whole address, with the host set off."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.buttons import push_button
from ui.widgets.clipboard import copy_text
from ui.widgets.dialog_parts import PADDING, DialogFoot, inner_column
from ui.widgets.labels import ElidedLabel, plain_label
from ui.widgets.layout_parts import column_layout, set_dialog_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.theme import Theme

SCHEMES = {"http", "https", "mailto"}
"""What may be opened at all."""


def open_in_browser(url: str) -> None:
    """Hand `url` to the system."""
    QDesktopServices.openUrl(QUrl(url))


class OpenLink(QDialog):
    """A question that leaves everything else usable."""

    def __init__(
        self,
        url: str,
        *,
        theme: Theme,
        open_url: Callable[[str], None] = open_in_browser,
        parent: QWidget | None = None,
    ) -> None:
        """Ask about `url`, which `open_url` opens."""
        super().__init__(parent)
        self.setObjectName("open_link")
        self.setWindowTitle("Open link from server?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self._url = url
        self._open_url = open_url
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        from ui.widgets.text_view import TextView  # with the first link

        scheme, host = _parts(self._url)
        # The end of a host says whose it is, so a long one loses its beginning.
        title = ElidedLabel(visible(host or "(no host)"), elide=Qt.TextElideMode.ElideLeft)
        title.setObjectName("open_link_host")
        set_theme_font(title, theme, tokens.TITLE, bold=True)
        text = plain_label("The server supplied this URL:", wrap=True)
        address = TextView(theme=theme, name="open_link_address")
        address.set_text(self._url)
        opens = push_button("Open in browser", name="open_link_open", primary=True)
        opens.setEnabled(scheme in SCHEMES)
        copies = push_button("Copy", name="open_link_copy")
        cancels = push_button("Cancel", name="open_link_cancel")
        opens.clicked.connect(self._on_open_clicked)
        copies.clicked.connect(lambda: copy_text(self._url))
        cancels.clicked.connect(self.reject)
        foot = DialogFoot(theme=theme, name="open_link_foot", parent=self)
        for button in (copies, cancels, opens):
            foot.add_right(button)
        inner = inner_column(theme)
        inner.setContentsMargins(*[theme.px(PADDING)] * 4)
        for part in (title, text, address):
            inner.addWidget(part)
        column_layout(self, inner, foot, space=0)
        cancels.setFocus()
        set_dialog_size(self, theme, 520, 220)

    def _on_open_clicked(self) -> None:
        self._open_url(self._url)
        self.accept()


def _parts(url: str) -> tuple[str, str]:
    """Scheme and host, as far as there are any."""
    try:
        parts = urlsplit(url)
        return parts.scheme.lower(), parts.hostname or ""
    except ValueError:
        return "", ""

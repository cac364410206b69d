"""The tree of one message, and under it what the selected value stands for where that is encoded: beside the value, never instead of it."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QWidget

from inspector.spec.decodings import decodings
from inspector.transcript.filter.json_paths import path_text
from inspector.wire.message import MessageKind
from ui.render.image_view import ImageView, decode_image, dimensions
from ui.render.rendering import Malformed
from ui.traffic.filter_terms import value_terms
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.evidence_box import EvidenceBox
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel, no_mnemonic, set_tone
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.spec.decodings import Decoding
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from ui.theme import Theme


IMAGES = ("Base64 · image/", "Data URL · image/")
"""What the titles of decoded images begin with."""
MAX_IMAGE = 4 << 20
"""Characters of an image that is drawn: it is decoded while the window waits."""
MAX_PIXELS = 2_000_000
"""Pixels of it, likewise."""
IMAGE_PX = 120
"""Height of an image, at most, at 100%."""

_TEXTS = {MessageKind.STDERR, MessageKind.BLANK_LINE, MessageKind.SSE_OTHER}
"""Kinds of frames that are text and need not be JSON."""


def has_tree(transcript: Transcript, number: int) -> bool:
    """Whether a frame is JSON, or was meant to be."""
    kind = transcript.row(number).kind
    if kind is MessageKind.HTTP:
        return transcript.contents.beginning(number, 1) in {b"{", b"["}
    return kind not in _TEXTS


class MessageTree(JsonView):
    """The tree, its remarks and its search, the decoding of the selected value, and the filters that the value suggests.

    Signals:
        term_requested: narrow the filter of the rows by this term.
        column_requested: show the values at this path as a column of the rows.
    """

    term_requested = Signal(str)
    column_requested = Signal(str)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(theme=theme, name=name, parent=parent)
        self.hide_secrets: Callable[[str], str] = str
        """Masks the known secrets of the session in what is decoded."""
        self.tree.setProperty("flush", True)
        self.decoded = DecodedValue(theme=theme, name=f"{name}_decoded", parent=self)
        if (column := self.layout()) is not None:
            column.addWidget(self.decoded)
        # Once for many moves, as while a key is held.
        self._due = QTimer(self, singleShot=True, interval=0)
        self._due.timeout.connect(self._decode)
        self.tree.noted.connect(self._decode)
        self.tree.selectionModel().currentChanged.connect(lambda: self._due.start())
        self.tree.menu_requested.connect(self._on_menu_requested)

    def _decode(self) -> None:
        node = self.tree.current()
        found = decodings(node.value, str(node.key)) if node is not None else ()
        self.decoded.show_decoding(found[0] if found else None, self.hide_secrets)
        is_image = bool(found) and found[0].title.startswith(IMAGES) and node is not None
        self.decoded.show_image(node.value if is_image and node is not None else "")
        if found and (column := self.layout()) is not None:
            column.activate()  # now, so that the value is not behind what it stands for
            self.tree.scrollTo(self.tree.currentIndex())

    def _on_menu_requested(self, menu: QMenu, pointer: str, value: Json) -> None:
        terms = value_terms(pointer, value)
        if not terms:
            return
        menu.addSeparator()
        for text, term in terms:
            menu.addAction(no_mnemonic(text), partial(self.term_requested.emit, term))
        show = partial(self.column_requested.emit, path_text(pointer))
        menu.addAction("Show as column", show)


class DecodedValue(QWidget):
    """What a value stands for; hidden where it stands for itself."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self.title = ElidedLabel("", elide=Qt.TextElideMode.ElideRight, parent=self)
        self.title.setObjectName(f"{name}_title")
        set_tone(self.title, "muted")
        self.badge = Badge(theme=theme, tone="warning", parent=self)
        self.badge.setObjectName(f"{name}_badge")
        self._copy = link_button("Copy", name=f"{name}_copy", parent=self)
        self._copy.setAccessibleName("Copy decoded value")
        self.box = EvidenceBox(theme=theme, name=f"{name}_text", label="Decoded value", parent=self)
        self._row = row_layout(None, space=0)
        self._row.addWidget(self.title, 1)
        self._row.addWidget(self.badge)
        self._row.addWidget(self._copy)
        self._column = column_layout(self, self._row, self.box, space=0)
        self.image: ImageView | None = None
        """What the value shows; None for most."""
        self._copy.clicked.connect(self._on_copy_clicked)
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def _refresh(self) -> None:
        theme = self._theme
        self._row.setContentsMargins(theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, 0)
        self._row.setSpacing(theme.SPACING_PX)
        self._column.setSpacing(theme.SPACING_PX)

    def show_decoding(self, found: Decoding | None, hide_secrets: Callable[[str], str]) -> None:
        """Show `found`, without known secrets; nothing for None."""
        text = hide_secrets(found.text) if found is not None else ""
        self.title.set_text(found.title if found is not None else "")
        self.badge.set_text("" if found is None or found.is_verified else "not verified")
        self._copy.setVisible(bool(text))
        self.box.set_text(text)
        self.setVisible(found is not None)

    def show_image(self, value: Json) -> None:
        """Draw the image that a value has in base64, if it is one that is drawn here and not large; none for an empty text."""
        if self.image is not None:
            self.image.deleteLater()
            self.image = None
        text = value.rpartition(",")[2] if isinstance(value, str) else ""
        if not text or len(text) > MAX_IMAGE:
            return
        try:
            raw = base64.b64decode(text)
            size = dimensions(raw)
            if size.width() * size.height() > MAX_PIXELS:
                return
            self.image = ImageView(decode_image(raw), theme=self._theme, parent=self)
        except (Malformed, ValueError):
            return
        self.image.set_max_height(IMAGE_PX)
        self._column.addWidget(self.image)

    def _on_copy_clicked(self) -> None:
        copy_text(self.box.text())

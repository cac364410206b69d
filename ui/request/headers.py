"""The HTTP headers that the next request will repeat of itself, shown before it is sent; hidden where nothing is repeated.

They are folded away as long as they say what everybody expects, and unfolded where a value has to be encoded or cannot be said.

Source: basic/transports/streamable-http, "Standard Request Headers", "Custom Headers from Tool Parameters"; C-HTTP-20 to C-HTTP-33.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.spec.mirroring import Mirroring, decode
from inspector.visible_text import one_line, visible
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from inspector.spec.mirroring import Mirror
    from ui.theme import Theme

SETTLE_MS = 80
"""How long it is waited for more keys before the headers are worked out anew."""

MOST = 12
"""Headers shown; the traffic has all of them."""

LONGEST = 160
"""Characters of a value."""


def _nothing() -> Mirroring:
    return Mirroring(())


class RequestHeaders(QWidget):
    """A fold with the headers, and below it what they cannot say."""

    def __init__(
        self, *, theme: Theme, name: str, words: str = "request", parent: QWidget | None = None
    ) -> None:
        """Start hidden; `name` begins the names of its parts, `words` is what is sent."""
        super().__init__(parent)
        self.setObjectName(f"{name}_headers")
        self._words = f"{words} headers"
        self._foretell: Callable[[], Mirroring] = _nothing
        self._is_other = True
        self._is_telling = False
        self._build(theme, name)
        self._wire()
        self.hide()

    def _build(self, theme: Theme, name: str) -> None:
        self._facts = KeyValues(theme=theme, name=f"{name}_header_facts")
        self._facts.setContentsMargins(theme.px(20), 0, 0, 0)
        self._scroll = QScrollArea(self)
        self._scroll.hide()  # until its fold is opened
        self._scroll.setAccessibleName(self._words)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self._facts)
        rows.addStretch(1)
        self._scroll.setWidget(inner)
        self._section = CollapsibleSection(
            self._words,
            lambda: self._scroll,
            theme=theme,
            name=f"{name}_headers_section",
            parent=self,
        )
        self._troubles = plain_label(
            tone="warning", name=f"{name}_header_troubles", wrap=True, parent=self
        )
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._fitting = QTimer(self, interval=0, singleShot=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACING_PX)
        column.setSpacing(0)
        column.addWidget(self._section)
        column.addWidget(self._troubles)

    def _wire(self) -> None:
        self._settle.timeout.connect(self._refresh)
        self._section.toggled.connect(self._fitting.start)
        self._fitting.timeout.connect(self._fit)  # once the facts are shown and have a size

    def begin(self, *, opened: bool = False) -> None:
        """Another request is prepared from now on; `opened` to unfold its headers in any case."""
        self._is_other = True
        self._is_telling = opened

    def show_request(self, foretell: Callable[[], Mirroring] | None) -> None:
        """Tell what the request will repeat, as `foretell` says it; None for no request."""
        self._foretell = foretell if foretell is not None else _nothing
        if self._is_other:
            self._section.set_open(self._is_telling)
            self._is_other = False
            self._refresh()
        else:
            self._settle.start()

    def _refresh(self) -> None:
        found = self._foretell()
        self._section.set_words(self._heading(found))
        self._facts.set_facts([_fact(mirror) for mirror in found.headers[:MOST]])
        self._fitting.start()
        self._troubles.setText("\n".join(f"⚠ {visible(each.words)}" for each in found.troubles))
        self._troubles.setVisible(bool(found.troubles))
        self.setVisible(bool(found.headers or found.troubles))
        is_odd = bool(found.troubles) or any(mirror.is_encoded for mirror in found.headers)
        if is_odd and not self._is_telling:
            self._section.set_open(True)
        self._is_telling = self._is_telling or is_odd

    def _heading(self, found: Mirroring) -> str:
        count = len(found.headers)
        more = f", first {MOST} shown" if count > MOST else ""
        return f"{self._words} · {count}{more}"

    def _fit(self) -> None:
        """As high as the headers where there is room; where there is little, the form goes before them."""
        height = self._facts.heightForWidth(self._scroll.viewport().width()) + 2
        self._scroll.setMaximumHeight(height)
        self._scroll.setMinimumHeight(min(height, 2 * self.fontMetrics().lineSpacing()))
        self._troubles.setMinimumHeight(max(0, self._troubles.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps other lines."""
        super().resizeEvent(event)
        self._fitting.start()


def _fact(mirror: Mirror) -> KeyValue:
    value = one_line(mirror.value, LONGEST)
    source = f"from {mirror.source}" if mirror.source else "protocol revision"
    tip = f"{value}\n{source}"
    if mirror.is_encoded:
        meant = one_line(decode(mirror.value), LONGEST)
        tip = f"{tip}\nbase64-encoded for transport: {meant}"
    return KeyValue(mirror.name, value, tip, tone="" if mirror.is_exact else "warning")

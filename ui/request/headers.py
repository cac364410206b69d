"""The HTTP headers that the next request derives from its own content, shown before it is sent; hidden if there are none.

They are collapsed, and expanded if a value has to be encoded or cannot be sent.

Source: basic/transports/streamable-http, "Standard Request Headers", "Custom Headers from Tool Parameters"; C-HTTP-20 to C-HTTP-33.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.spec.mirrored_headers import MirroredHeaders, decode
from inspector.visible_text import one_line, visible
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from inspector.spec.mirrored_headers import MirroredHeader
    from ui.theme import Theme

SETTLE_MS = 80
"""How long the headers wait for more keystrokes before they are computed again."""

MAX_HEADERS = 12
"""Headers displayed; the traffic has all of them."""

MAX_CHARACTERS = 160
"""Of a value."""


def _nothing() -> MirroredHeaders:
    return MirroredHeaders(())


class RequestHeaders(QWidget):
    """A collapsible list of headers, and below it the problems with them."""

    def __init__(
        self, *, theme: Theme, name: str, label: str = "request", parent: QWidget | None = None
    ) -> None:
        """Start hidden; `name` begins the object names, `label` is what is sent."""
        super().__init__(parent)
        self.setObjectName(f"{name}_headers")
        self._label = f"{label} headers"
        self._preview: Callable[[], MirroredHeaders] = _nothing
        self._is_new = True
        self._is_expanded = False
        self._build(theme, name)
        self._wire()
        self.hide()

    def _build(self, theme: Theme, name: str) -> None:
        self._facts = KeyValues(theme=theme, name=f"{name}_header_facts")
        self._facts.setContentsMargins(theme.px(20), 0, 0, 0)
        self._scroll = QScrollArea(self)
        self._scroll.hide()  # until it is expanded
        self._scroll.setAccessibleName(self._label)
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
            self._label,
            lambda: self._scroll,
            theme=theme,
            name=f"{name}_headers_section",
            parent=self,
        )
        self._problems = plain_label(
            tone="warning", name=f"{name}_header_troubles", wrap=True, parent=self
        )
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._fitting = QTimer(self, interval=0, singleShot=True)
        column_layout(
            self, self._section, self._problems, space=0, margins=(0, 0, 0, theme.SPACING_PX)
        )

    def _wire(self) -> None:
        self._settle.timeout.connect(self._refresh)
        self._section.toggled.connect(self._fitting.start)
        self._fitting.timeout.connect(self._fit)  # once the facts are visible and have a size

    def start(self, *, opened: bool = False) -> None:
        """Prepare another request; `opened` expands its headers in any case."""
        self._is_new = True
        self._is_expanded = opened

    def show_request(self, preview: Callable[[], MirroredHeaders] | None) -> None:
        """Show the headers that `preview` returns; None without a request."""
        self._preview = preview if preview is not None else _nothing
        if self._is_new:
            self._section.set_open(self._is_expanded)
            self._is_new = False
            self._refresh()
        else:
            self._settle.start()

    def _refresh(self) -> None:
        found = self._preview()
        self._section.set_title(self._heading(found))
        self._facts.set_facts([_fact(mirror) for mirror in found.headers[:MAX_HEADERS]])
        self._fitting.start()
        self._problems.setText("\n".join(f"⚠ {visible(each.summary)}" for each in found.problems))
        self._problems.setVisible(bool(found.problems))
        self.setVisible(bool(found.headers or found.problems))
        is_unusual = bool(found.problems) or any(mirror.is_encoded for mirror in found.headers)
        if is_unusual and not self._is_expanded:
            self._section.set_open(True)
        self._is_expanded = self._is_expanded or is_unusual

    def _heading(self, found: MirroredHeaders) -> str:
        count = len(found.headers)
        more = f", first {MAX_HEADERS} shown" if count > MAX_HEADERS else ""
        return f"{self._label} · {count}{more}"

    def _fit(self) -> None:
        """Make the list as high as its headers, or lower where the form needs the height."""
        height = self._facts.heightForWidth(self._scroll.viewport().width()) + 2
        self._scroll.setMaximumHeight(height)
        self._scroll.setMinimumHeight(min(height, 2 * self.fontMetrics().lineSpacing()))
        self._problems.setMinimumHeight(max(0, self._problems.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the new line breaks."""
        super().resizeEvent(event)
        self._fitting.start()


def _fact(mirror: MirroredHeader) -> KeyValue:
    value = one_line(mirror.value, MAX_CHARACTERS)
    source = f"from {mirror.source}" if mirror.source else "protocol revision"
    tip = f"{value}\n{source}"
    if mirror.is_encoded:
        meant = one_line(decode(mirror.value), MAX_CHARACTERS)
        tip = f"{tip}\nbase64-encoded for transport: {meant}"
    return KeyValue(mirror.name, value, tip, tone="" if mirror.is_exact else "warning")

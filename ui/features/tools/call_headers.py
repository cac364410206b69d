"""The HTTP headers that the next call will repeat of itself, shown before it is sent; hidden where nothing is repeated.

Source: basic/transports/streamable-http, "Standard Request Headers", "Custom Headers from Tool Parameters"; C-HTTP-20 to C-HTTP-33.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from inspector.spec.annotated import annotated
from inspector.spec.mirroring import decode
from ui.widgets.key_values import Fact, KeyValues
from ui.widgets.section import Section
from ui.widgets.visible_text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.features.tools import Tools
    from inspector.spec.mirroring import Mirror, Mirroring
    from inspector.spec.views.tool import ToolView
    from inspector.wire.jsontext import JsonObject
    from ui.theme import Theme

SETTLE_MS = 80
"""How long it is waited for more keys before the headers are worked out anew."""

MOST = 12
"""Headers shown; the traffic has all of them."""

LONGEST = 160
"""Characters of a value."""


class CallHeaders(QWidget):
    """A fold with the headers, and below it what cannot be repeated."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("call_headers")
        self._tools: Tools | None = None
        self._tool: ToolView | None = None
        self._arguments: Callable[[], str] = str
        self._meta: Callable[[], JsonObject | None] = lambda: None
        self._build(theme)
        self._wire()
        self.hide()

    def _build(self, theme: Theme) -> None:
        self._facts = KeyValues(theme=theme, name="call_header_facts")
        self._facts.setContentsMargins(theme.px(20), 0, 0, 0)
        self._scroll = QScrollArea(self)
        self._scroll.hide()  # until its fold is opened
        self._scroll.setAccessibleName("Headers of the call")
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self._facts)
        rows.addStretch(1)
        self._scroll.setWidget(inner)
        self._section = Section(
            "Headers of the call",
            lambda: self._scroll,
            theme=theme,
            name="call_headers_section",
            parent=self,
        )
        self._troubles = QLabel(self)
        self._troubles.setObjectName("call_header_troubles")
        self._troubles.setTextFormat(Qt.TextFormat.PlainText)
        self._troubles.setProperty("look", "warning")
        self._troubles.setWordWrap(True)
        self._troubles.setMinimumWidth(1)
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACE)
        column.setSpacing(0)
        column.addWidget(self._section)
        column.addWidget(self._troubles)

    def _wire(self) -> None:
        self._settle.timeout.connect(self._refresh)

    def show_call(
        self,
        tools: Tools | None,
        tool: ToolView | None,
        arguments: Callable[[], str],
        meta: Callable[[], JsonObject | None],
    ) -> None:
        """Tell what a call of `tool` will repeat; `arguments` gives the JSON text as it is typed, `meta` what is set by hand."""
        is_other = tool is not self._tool or tools is not self._tools
        self._tools, self._tool = tools, tool
        self._arguments, self._meta = arguments, meta
        if not is_other:
            self._settle.start()
            return
        if tool is not None:
            self._section.set_open(bool(annotated(tool.input_schema).valid))
        self._refresh()

    def _refresh(self) -> None:
        tools, tool = self._tools, self._tool
        if tools is None or tool is None or not tools.mirrors_headers:
            self.hide()
            return
        found = tools.headers_of(tool, self._arguments(), self._meta())
        self._section.set_words(_heading(found))
        self._facts.set_facts([_fact(mirror) for mirror in found.headers[:MOST]])
        self._fit()
        self._troubles.setText("\n".join(f"⚠ {visible(each.words)}" for each in found.troubles))
        self._troubles.setVisible(bool(found.troubles))
        self.setVisible(bool(found.headers or found.troubles))

    def _fit(self) -> None:
        """As high as the headers where there is room; where there is little, the form goes before them."""
        height = self._facts.sizeHint().height() + 2
        self._scroll.setMaximumHeight(height)
        self._scroll.setMinimumHeight(min(height, 2 * self.fontMetrics().lineSpacing()))


def _heading(found: Mirroring) -> str:
    count = len(found.headers)
    more = f", the first {MOST} of them" if count > MOST else ""
    return f"Headers of the call · {count}{more}"


def _fact(mirror: Mirror) -> Fact:
    value = one_line(mirror.value, LONGEST)
    tip = f"repeats {mirror.source}" if mirror.source else "the revision that is spoken"
    if mirror.is_encoded:
        meant = one_line(decode(mirror.value), LONGEST)
        tip = f"{tip}\nin base64, because it would not survive as it is: {meant}"
    return Fact(mirror.name, value, tip)

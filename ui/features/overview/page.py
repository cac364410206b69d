"""The overview page: who the server is, what was agreed, and what is unusual about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.config.profile import endpoint_text
from inspector.session.negotiation import is_pinned
from inspector.session.transport_factory import transport_kind
from inspector.spec.method import Side
from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.bind import Bindings, bind_coalesced
from ui.features.overview.capability_tree import CapabilityTree
from ui.features.overview.connection_log import ConnectionLog
from ui.features.overview.streams import Streams
from ui.page import Page
from ui.pages import OVERVIEW, PageSpec
from ui.render import render
from ui.theme import tokens
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.empty_state import EmptyState
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import ElidedLabel, QuotingLabel, plain_label
from ui.widgets.layout_parts import column_layout, row_layout, space_in_column
from ui.widgets.markdown_html import is_markdown
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from inspector.open_session import OpenSession
    from inspector.session.protocol_mode import Agreement
    from inspector.session.session import Session
    from inspector.spec.view import View
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

STREAMS = "Notification streams"

MAX_WIDTH = 880
"""Of a column, at 100%: longer lines are hard to read."""

BESIDE_WIDTH = 1400
"""Of the page, at 100%, from which on the capabilities are in a column beside the server."""

SHORT_INSTRUCTIONS = 2000
"""Characters up to which instructions are shown at once."""


class OverviewPage(Page):
    """Who the server is, what was agreed, what both sides can do."""

    info: ClassVar[PageSpec] = OVERVIEW

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self._displayed: Agreement | None = None
        self._headings: list[QLabel] = []
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._empty = EmptyState(
            "Not connected",
            "Connect to see server information and capabilities.",
            theme=theme,
            icon=self.info.icon_name,
            name="overview_empty",
        )
        self._title = ElidedLabel()
        self._title.setObjectName("overview_title")
        self._identity = KeyValues(theme=theme, name="overview_identity")
        self._log = ConnectionLog(theme=theme)
        self._instructions = QVBoxLayout()
        self._server = CapabilityTree(
            theme=theme, name="server_capabilities", text="Server capabilities"
        )
        self._client = CapabilityTree(
            theme=theme, name="client_capabilities", text="Client capabilities"
        )
        self.streams = Streams(theme=theme)
        self._oddities = QuotingLabel(name="overview_oddities", tone="warning")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._dress()

    def _filled(self) -> QWidget:
        theme = self._theme
        scroll = QScrollArea()
        scroll.setObjectName("overview_scroll")
        scroll.setAccessibleName("Server overview")
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._columns.setSpacing(0)
        self._sides = (QWidget(), QWidget())
        for side in self._sides:
            self._columns.addWidget(side)
        first, column = self._parts = tuple(
            column_layout(side, space=theme.px(8)) for side in self._sides
        )
        for part in (self._title, self._identity, self._oddities):
            first.addWidget(part)
        first.addLayout(self._instructions)
        first.addStretch(1)
        for text, part in (
            ("Server capabilities", self._server),
            ("Client capabilities", self._client),
            (STREAMS, self.streams),
            ("Connection log", self._log),
        ):
            heading = self._heading(text)
            if text == STREAMS:
                heading.hide()  # until it is known whether there are any
            column.addWidget(heading)
            column.addWidget(part)
            column.addWidget(space_in_column(theme, 0))  # between two of the spaces
        self._raw = CollapsibleSection(
            "Raw response", self._make_raw, theme=theme, name="raw_greeting"
        )
        column.addWidget(self._raw)
        column.addStretch(1)
        page = QWidget()
        page.setProperty("surface", "panel")
        row = row_layout(page, space=0)
        row.addLayout(self._columns, 1000)
        row.addStretch(1)
        scroll.setWidget(page)
        return scroll

    def _heading(self, text: str) -> QLabel:
        label = plain_label(text)
        self._headings.append(label)
        return label

    def _wire(self) -> None:
        self._theme.changed.connect(self._on_theme_changed)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the server of `session`."""
        self._bindings.replace()
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, session.session.steps.changed, self._show_steps),
            )
        self._displayed = None
        self._log.begin(is_another_run=self.continues(session))
        self.streams.set_session(session.session if session is not None else None)
        super().set_session(session)
        self._refresh()

    def _refresh(self) -> None:
        greeting = self.session.session.greeting if self.session is not None else None
        self._stack.setCurrentIndex(0 if greeting is None else 1)
        if greeting is None or self.session is None:
            return
        lines = anomalies(greeting, self.session.session.interruptions.other_server)
        self._oddities.setText("\n".join(lines))
        self._oddities.setVisible(bool(lines))
        if greeting is self._displayed:
            return
        if not self.isVisible():  # filling the page takes longer than a frame of the display
            return
        self._displayed = greeting
        self._show_streams()
        self._title.set_text(greeting.server.server.label or self.session.profile.name)
        self._identity.set_facts(identity(self.session, greeting))
        self._show_instructions(greeting.server.instructions)
        self._server.show_declared(greeting.server.capabilities, Side.SERVER, greeting.revision)
        declared = self.session.session.client_capabilities
        self._client.show_declared(declared, Side.CLIENT, greeting.revision)
        self._show_steps()
        self._raw.setVisible(greeting.is_declared)
        tree = self._raw.findChild(JsonView)
        if tree is not None:
            tree.set_value(greeting.server.raw)

    def showEvent(self, event: QShowEvent) -> None:
        """Show what came meanwhile."""
        super().showEvent(event)
        if self._displayed is not None:  # otherwise another run begins, behind its steps
            self._log.give_height_back()
        self._refresh()

    def _show_streams(self) -> None:
        visible = self.streams.has_content
        self.streams.setVisible(visible)
        for heading in self._headings:
            if heading.text() == STREAMS:
                heading.setVisible(visible)

    def _show_steps(self) -> None:
        if self.session is not None and self._displayed is not None:
            self._log.show_steps(self.session.session)

    def _show_instructions(self, text: str) -> None:
        while (item := self._instructions.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        if not text:
            return
        section = CollapsibleSection(
            f"Instructions · {size(len(text.encode('utf-8', 'replace')))}",
            lambda: self._render_instructions(text),
            theme=self._theme,
            name="instructions",
            opened=len(text) <= SHORT_INSTRUCTIONS,
        )
        self._instructions.addWidget(section)

    def _render_instructions(self, text: str) -> QWidget:
        block = render({"type": "text", "text": text}, theme=self._theme, parent=self)
        if is_markdown(text):
            block.show_view("markdown")
        return block

    def _make_raw(self) -> QWidget:
        tree = JsonView(theme=self._theme, name="greeting_tree")
        tree.setMinimumHeight(self._theme.px(280))
        if self._displayed is not None:
            tree.set_value(self._displayed.server.raw)
        return tree

    def _dress(self) -> None:
        self._arrange()
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        for heading in self._headings:
            heading.setFont(self._theme.font(bold=True))

    def _arrange(self) -> None:
        """Put the two columns side by side where there is width for both, else one below the other."""
        px = self._theme.px
        is_wide = self.width() >= px(BESIDE_WIDTH)
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        pad, top = px(tokens.READING_PADDING_PX) - tokens.DATA_EDGE, px(12)  # as other pages
        first, second = self._parts
        first.setContentsMargins(pad, top, pad, pad if is_wide else 0)
        second.setContentsMargins(pad, top if is_wide else px(16), pad, pad)
        for at, side in enumerate(self._sides):
            self._columns.setStretch(at, 1 if is_wide or at else 0)
            side.setMaximumWidth(px(MAX_WIDTH))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more width now, or less."""
        super().resizeEvent(event)
        self._arrange()

    def _on_theme_changed(self) -> None:
        self._dress()
        self._displayed = None
        self._refresh()


VALUE_LIMIT = 200
"""Characters of a value that the specification does not define."""

UNKNOWN_SERVER = "The server did not respond to server/discover, so its name and capabilities are unknown. All features stay available."
"""In the place of what is odd about an answer that never came."""

ODDITIES = 30
"""Lines about what is odd; *The answer as it came* has everything."""


def identity(opened: OpenSession, greeting: Agreement) -> list[KeyValue]:
    """Who the server says it is, and how it is reached."""
    server, session = greeting.server.server, opened.session
    icons = plural(len(server.icons), "icon") + " (not loaded)" if server.icons else ""
    facts = [
        KeyValue("Name", server.name),
        KeyValue("Version", server.version),
        KeyValue("Description", server.description, mono=False),
        KeyValue("Website", server.website_url, "Not opened automatically"),
        KeyValue("Icons", icons, mono=False),
        KeyValue("Revision", _revision_text(session, greeting), mono=False),
        KeyValue("Supports", _supported(greeting), "Protocol revisions reported by the server"),
        KeyValue("Extensions", one_line(", ".join(greeting.extensions), VALUE_LIMIT)),
        KeyValue("Transport", transport_kind(session.transport_name).badge, mono=False),
        KeyValue(
            "Command" if transport_kind(session.profile.transport).is_process else "URL",
            endpoint_text(session.profile),
        ),
    ]
    return [fact for fact in facts if fact.value]


def anomalies(greeting: Agreement, other: str = "") -> list[str]:
    """What is wrong with the greeting, and what its revision does not define; `other` is the server that results name instead."""
    if not greeting.is_declared:
        return [f"⚠ {UNKNOWN_SERVER}"]
    server = greeting.server
    lines = [f"⚠ {visible(note.summary)}" for note in server.notes]
    if other:
        named = one_line(other, VALUE_LIMIT)
        lines.insert(0, f"⚠ Results come from another server: {named}. Reconnect to discover it.")
    lines += _unknown(server, greeting, "")
    lines += _unknown(server.server, greeting, "serverInfo.")
    rest = len(lines) - ODDITIES
    return [*lines[:ODDITIES], f"and {rest:,} more"] if rest > 0 else lines


def _unknown(view: View, greeting: Agreement, prefix: str) -> Iterator[str]:
    unknown: JsonObject = view.unknown
    for name, value in unknown.items():
        text = one_line(f"{prefix}{name} = {json_codec.write(value)}", VALUE_LIMIT)
        yield f"Not defined in {greeting.revision}: {text}"


def _supported(greeting: Agreement) -> str:
    """The revisions that the server names, where it names more than the one that is spoken."""
    named = greeting.server.supported_versions
    return one_line(", ".join(named), VALUE_LIMIT) if len(named) > 1 else ""


def _revision_text(session: Session, greeting: Agreement) -> str:
    how = "pinned" if is_pinned(session.profile.revision) else "automatic"
    if not greeting.revision.stateful:
        found = (
            "discovered with server/discover"
            if greeting.is_declared
            else "not confirmed by the server"
        )
        return f"{greeting.revision} · stateless · {found} · {how}"
    if greeting.offered == greeting.revision:
        return f"{greeting.revision} · initialize: requested and accepted · {how}"
    chosen = f"initialize: requested {greeting.offered}, server chose this"
    return f"{greeting.revision} · {chosen} · {how}"

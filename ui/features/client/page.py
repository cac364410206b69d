"""The client page: what Spyglass declares to the server, what it responds without the user, and the rule that responds to sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from inspector.features.client_capabilities import PARENT_OF, is_sent, syntax_problem
from inspector.session.session_state import SessionState
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.visible_text import visible
from inspector.wire import json_codec
from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.features.client.rule_row import RuleRow
from ui.navigator import navigator_of
from ui.page import Page
from ui.pages import CLIENT, PageSpec
from ui.theme import tokens
from ui.theme.layout_spaces import set_space
from ui.widgets.buttons import link_button, push_button
from ui.widgets.json_colors import JsonColors
from ui.widgets.key_values import KeyValue
from ui.widgets.labels import plain_label, set_tone, show_text
from ui.widgets.layout_parts import ScrollColumn, row_layout, space_in_column
from ui.widgets.page_heading import PageHeading
from ui.widgets.wrapping_check_box import WrappingCheckBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.features.client_capabilities import ClientCapabilities
    from inspector.open_session import ClientProfile, OpenSession
    from ui.theme import Theme

SWITCHES = (
    ("sampling", "sampling", "Answer sampling requests (you write the response)", 0),
    ("sampling_tools", "sampling.tools", "Sampling with tools", 1),
    ("sampling_context", "sampling.context", "includeContext (accepted, never filled)", 1),
    ("elicitation", "elicitation (form)", "Form elicitation", 0),
    ("elicitation_url", "elicitation.url", "URL elicitation (confirm before opening)", 0),
    ("roots", "roots", "Provide roots", 0),
    ("roots_list_changed", "roots.listChanged", "Notify when roots change", 1),
    ("tasks", "tasks", "Run sampling and elicitation as tasks", 0),
    ("tasks_extension", "extensions: tasks", "Accept a task instead of a tool result", 0),
)
"""Field of `CapabilityFlags`, what the protocol calls it, what it means, and how far in it stands."""

MAX_LINES = 20
"""Of the free JSON, before it scrolls."""

EXPLAINED = "What Spyglass declares to the server, and how it responds to sampling requests."

AT_ONCE = "Capabilities are sent with every request; changes apply to the next one."
STALE = "Changes apply after you reconnect."
OFFLINE = "Not connected. Changes apply to the next connection."


class ClientPage(Page):
    """Switches, free JSON, and the rule for sampling."""

    info: ClassVar[PageSpec] = CLIENT

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._client: ClientProfile | None = None
        self._bindings = Bindings()
        self._headings: list[QLabel] = []
        self._drafts: WeakKeyDictionary[ClientCapabilities, str] = WeakKeyDictionary()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.heading = PageHeading("Client", EXPLAINED, theme=theme, name="client")
        scroll = ScrollColumn(name="client_scroll", parent=self)
        scroll.setAccessibleName("Client capabilities")
        scroll.setMinimumHeight(1)  # the heading keeps its lines
        column = self._column = scroll.column
        set_space(column, theme.SPACING_PX)
        column.addWidget(self._heading("Declared client capabilities"))
        self.switches: dict[str, QCheckBox] = {}
        for name, path, text, depth in SWITCHES:
            box = self.switches[name] = WrappingCheckBox(f"{path} – {text}")
            box.setObjectName(f"declare_{name}")
            box.setAccessibleDescription(path)
            row = QHBoxLayout()
            row.setContentsMargins(depth * theme.px(20), 0, 0, 0)
            row.addWidget(box)
            row.addStretch()
            column.addLayout(row)
        column.addWidget(space_in_column(theme, tokens.SPACING_PX))
        column.addWidget(self._heading("Override with custom JSON"))
        column.addWidget(self._built_override())
        column.addWidget(self.error)
        column.addLayout(self._built_commit())
        column.addWidget(space_in_column(theme, tokens.SPACING_PX))
        column.addWidget(self._heading("Automatic sampling responses"))
        self.rule = RuleRow(theme=theme)
        column.addWidget(self.rule)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addLayout(
            self._built_stale()
        )  # outside of what scrolls, so that it is always in sight
        layout.addWidget(scroll)
        self._dress()

    def _built_override(self) -> QWidget:
        self.override = QPlainTextEdit()
        self.override.setObjectName("declare_json")
        self.override.setAccessibleName("Client capabilities as JSON")
        self.override.setProperty("field", True)
        self.override.setTabChangesFocus(True)
        self._colors = JsonColors(self.override, theme=self._theme)
        self.error = plain_label(tone="warning", name="declare_trouble", wrap=True)
        return self.override

    def _built_commit(self) -> QHBoxLayout:
        self.apply = push_button("Apply JSON", name="declare_apply")
        self.revert = link_button("Discard changes", name="declare_revert")
        row = row_layout(None, self.apply, self.revert, space=self._theme.PADDING_PX)
        row.addStretch(1)
        return row

    def _built_stale(self) -> QHBoxLayout:
        self.stale = plain_label(STALE, tone="person", name="declare_stale")
        self.reconnect = push_button("Reconnect", name="declare_reconnect")
        row = QHBoxLayout()
        pad = self._theme.PADDING_PX
        row.setContentsMargins(2 * pad, pad, 2 * pad, 0)
        row.setSpacing(pad)
        self.stale.setWordWrap(True)
        row.addWidget(self.stale, 1)
        row.addWidget(self.reconnect)
        return row

    def _heading(self, text: str) -> QLabel:
        label = plain_label(text)
        self._headings.append(label)
        return label

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        for name, box in self.switches.items():
            box.clicked.connect(self._switcher(name))
        self.override.textChanged.connect(self._on_override_edited)
        self.apply.clicked.connect(self._on_apply_clicked)
        self.revert.clicked.connect(self._on_revert_clicked)
        self.reconnect.clicked.connect(lambda: navigator_of(self).reconnect())

    def _switcher(self, name: str) -> Callable[[bool], None]:
        def switch(on: bool) -> None:
            if self.client is not None:
                self.client.capabilities.switch(name, on=on)
                self._redeclare()

        return switch

    def _redeclare(self) -> None:
        if self.session is not None and not is_closed(self.session.session):
            self.session.session.redeclare()

    def set_session(self, session: OpenSession | None) -> None:
        """Show what the server of `session` is told."""
        super().set_session(session)
        self.rule.set_session(session)
        self._follow()

    def set_client(self, client: ClientProfile | None) -> None:
        """Without a session: show what the chosen server will be told."""
        self._client = client
        self._follow()

    @property
    def client(self) -> ClientProfile | None:
        """What we are to the server that is shown, connected or not."""
        return self.session.client if self.session is not None else self._client

    def _follow(self) -> None:
        self._bindings.replace()
        client, session = self.client, self.session
        if client is not None:
            self._bindings.replace(bind_coalesced(self, client.capabilities.changed, self._refresh))
            chosen = client.capabilities
            self._show_override(self._drafts.get(chosen, chosen.override))
        if session is not None:
            self._bindings.add(bind_coalesced(self, session.session.changed, self._refresh))
            self._bindings.add(bind_coalesced(self, session.sampling.changed, self._refresh))
        self._refresh()

    def _refresh(self) -> None:
        client = self.client
        self.setEnabled(client is not None)
        if client is None:
            return
        chosen = client.capabilities
        agreed = self.session.session.revision if self.session is not None else None
        for name, path, text, _depth in SWITCHES:
            box = self.switches[name]
            box.setChecked(getattr(chosen.switches, name))
            box.setEnabled(not chosen.is_overridden and self._is_reachable(name))
            absent = agreed is not None and not is_sent(name, agreed)
            box.setText(f"{path} – {text}" + (f" (not available in {agreed})" if absent else ""))
            set_tone(box, "muted" if absent else "")
        self.heading.facts.set_facts(self._facts(client))
        revision = agreed or NEWEST_STATEFUL
        now = json_codec.write(chosen.enabled(revision), indent=2)
        self.override.setPlaceholderText(now)
        self._fit_override(now)
        self._show_draft(chosen)
        self._show_stale(self.session)

    def _facts(self, client: ClientProfile) -> list[KeyValue]:
        session = self.session
        agreed = session.session.revision if session is not None else None
        chosen = client.capabilities
        declared = chosen.enabled(agreed or NEWEST_STATEFUL)
        facts = [KeyValue("Declared", ", ".join(declared) or "none")]
        if chosen.is_overridden:
            facts.append(KeyValue("Source", "custom JSON", mono=False))
        rule = session.sampling.rule if session is not None else None
        responses = "by you" if rule is None else f"automatic, {rule.text}"
        facts.append(KeyValue("Sampling responses", responses, mono=False))
        if agreed is not None:
            facts.append(KeyValue("Revision", str(agreed)))
        return facts

    def _is_reachable(self, name: str) -> bool:
        return name not in PARENT_OF or self.switches[PARENT_OF[name]].isChecked()

    def _show_stale(self, session: OpenSession | None) -> None:
        if session is None or is_closed(session.session):
            self.stale.setText(OFFLINE)
            self.stale.show()
            self.reconnect.hide()
            return
        greeting = session.session.greeting
        differs = greeting is not None and (
            session.client.capabilities.enabled(greeting.offered)
            != session.session.client_capabilities
        )
        at_once = greeting is not None and greeting.revision.has_request_meta
        self.stale.setText(STALE if differs else AT_ONCE)
        set_tone(self.stale, "person" if differs else "muted")
        self.stale.setVisible(differs or at_once)
        self.reconnect.setVisible(differs and session.session.state is not SessionState.CONNECTING)

    def _fit_override(self, now: str) -> None:
        """As high as what stands there, written or only suggested."""
        lines = max(self.override.blockCount(), now.count("\n") + 1)
        row = self.override.fontMetrics().lineSpacing()
        frame = 2 * (round(self.override.document().documentMargin()) + 1)
        self.override.setFixedHeight(min(lines, MAX_LINES) * row + frame)

    def _show_override(self, text: str) -> None:
        if text != self.override.toPlainText():
            self.override.blockSignals(True)
            self.override.setPlainText(text)
            self.override.blockSignals(False)

    def _show_draft(self, chosen: ClientCapabilities) -> None:
        """A text that was not applied is not declared to servers."""
        text = self.override.toPlainText()
        error = syntax_problem(text)
        show_text(self.error, visible(error))
        differs = text != chosen.override
        self.apply.setEnabled(not error)
        for button in (self.apply, self.revert):
            button.setVisible(differs)

    def _on_override_edited(self) -> None:
        client = self.client
        if client is None:
            return
        text = self.override.toPlainText()
        if text == client.capabilities.override:
            self._drafts.pop(client.capabilities, None)
        else:
            self._drafts[client.capabilities] = text
        self._refresh()

    def _on_apply_clicked(self) -> None:
        client = self.client
        if client is None:
            return
        self._drafts.pop(client.capabilities, None)
        client.capabilities.set_override(self.override.toPlainText())
        self._redeclare()
        self._refresh()
        self.override.setFocus()

    def _on_revert_clicked(self) -> None:
        client = self.client
        if client is None:
            return
        self._drafts.pop(client.capabilities, None)
        self._show_override(client.capabilities.override)
        self._refresh()
        self.override.setFocus()

    def _dress(self) -> None:
        self.override.setFont(self._theme.mono())
        self.override.viewport().setFont(self._theme.mono())  # which draws the placeholder
        self._fit_override(self.override.placeholderText())
        edge = self._theme.px(tokens.READING_PADDING_PX)
        self._column.setContentsMargins(edge, edge, edge, edge)
        for heading in self._headings:
            heading.setFont(self._theme.font(bold=True))

"""Everything of the authorization page about a flow: its steps as a ladder, one of them in full, and the tokens that it obtained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.features.authorization.command_bar import CommandBar
from ui.features.authorization.empty_texts import rejection_text
from ui.features.authorization.flow_runner import FlowRunner
from ui.features.authorization.ladder import Ladder
from ui.features.authorization.ladder_rows import ladder_rows
from ui.features.authorization.panes import Pane, Panes
from ui.features.authorization.step_detail import StepDetail
from ui.features.authorization.token_commands import TokenCommands
from ui.features.authorization.token_detail import TokenDetail, token_rows
from ui.features.authorization.tokens_panel import TokensPanel
from ui.navigator import navigator_of
from ui.widgets.layout_parts import MinHeightScroll, column_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from inspector.auth.flow import FlowStep
    from inspector.auth.state import Planned, Stage
    from inspector.open_session import OpenSession
    from ui.features.authorization.step_transcripts import StepTranscripts
    from ui.features.authorization.token_detail import TokenRow
    from ui.theme import Theme

TOKEN_HEIGHT = 420
"""What a token takes, at 100%."""


class AuthorizationContent(QWidget):
    """Ladder, detail and tokens.

    Signals:
        changed: the flow went on, or another one is shown.
        edit_requested: edit the settings of the server.
        waiver_accepted: the user allows this server to break a rule (a `Waiver`), from now on.
        browser_requested: open this URL, which the user has seen, in the browser.
    """

    changed = Signal()
    edit_requested = Signal()
    waiver_accepted = Signal(object)
    browser_requested = Signal(str)

    def __init__(
        self, transcripts: StepTranscripts, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Without a session, until `set_session`; `transcripts` has the recording of each step."""
        super().__init__(parent)
        self._theme = theme
        self._session: OpenSession | None = None
        self._transcripts = transcripts
        self._edits_next = False
        """Whether the next step is to be edited as soon as it is known."""
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.runner = FlowRunner(self)
        self.bar = CommandBar(runner=self.runner, theme=theme)
        self.ladder = Ladder(theme=theme)
        self.detail = StepDetail(theme=theme)
        self.tokens = TokensPanel(theme=theme)
        self.token_commands = TokenCommands(self)
        self.token = TokenDetail(theme=theme)
        self._side = QStackedWidget()
        self._side.addWidget(self.detail)
        self._token_scroll = MinHeightScroll(
            self.token, name="authorization_token_scroll", label="Token"
        )
        self._side.addWidget(self._token_scroll)
        self.panes = Panes(
            bar=self.bar, ladder=self.ladder, side=self._side, tokens=self.tokens, theme=theme
        )
        self._scroll = MinHeightScroll(
            self.panes, name="authorization_scroll", label="Authorization"
        )
        column_layout(self, self._scroll, space=0)

    def _wire(self) -> None:
        bar, detail, runner = self.bar, self.detail, self.runner

        def on_pasted(url: str) -> None:
            detail.browser.show_error(runner.paste(url))

        self._theme.changed.connect(self._arrange)
        runner.changed.connect(self.changed)
        runner.authorized.connect(self._on_authorized)
        self.ladder.row_selected.connect(self._show_detail)
        self.ladder.activated.connect(lambda: self.panes.show_pane(Pane.DETAILS))
        bar.run_requested.connect(self.run)
        bar.step_requested.connect(self.step)
        bar.run_to_requested.connect(self.run_to)
        bar.again_requested.connect(self.again_from)
        bar.stop_requested.connect(runner.stop)
        bar.settings_requested.connect(self.edit_requested)
        detail.traffic_requested.connect(self._on_traffic_requested)
        detail.accept_requested.connect(self._on_accept_requested)
        detail.exchange.edited.connect(self._show_bar)
        detail.browser.open_requested.connect(self.browser_requested)
        detail.browser.pasted.connect(on_pasted)
        self._wire_tokens()

    def _wire_tokens(self) -> None:
        tokens, commands = self.tokens, self.token_commands
        tokens.row_selected.connect(self._show_token)
        tokens.refresh_requested.connect(commands.refresh)
        tokens.expire_requested.connect(commands.expire)
        tokens.break_requested.connect(commands.send_broken)
        tokens.revoke_requested.connect(commands.revoke)
        tokens.forget_requested.connect(commands.forget)
        commands.done.connect(tokens.show_outcome)
        self.token.close_link.clicked.connect(tokens.table.clearSelection)
        self.ladder.picked.connect(tokens.table.clearSelection)
        tokens.table.activated.connect(lambda: self.panes.show_pane(Pane.DETAILS))

    # Display

    def set_session(self, session: OpenSession | None, *, continues: bool) -> None:
        """Show how `session` is let in; `continues` says that it is another run of the server that is shown."""
        self._session = session
        if session is not None:
            self.detail.hide_secrets = session.session.transcript.redaction.hide
        if not continues:
            self.tokens.show_outcome("")
        self.runner.set_authorizer(session.authorizer if session is not None else None)
        self.token_commands.set_session(session)
        self.ladder.follow()

    def focus_first(self) -> None:
        """Go to the ladder, or to what is in its place."""
        self.panes.focus_first()

    def refresh(self) -> None:
        """Show the flow and the tokens as they are now."""
        runner = self.runner
        self.ladder.set_rows(
            ladder_rows(runner.steps, runner.planned, runner.settings, has_tokens=runner.has_tokens)
        )
        self._show_tokens()
        self.token_commands.look_at_broken()

    def _show_tokens(self) -> None:
        session, authorizer, flow = self._session, self.runner.authorizer, self.runner.flow
        if session is None or authorizer is None:
            return
        grant = authorizer.grant
        client = flow.state.client if flow is not None else None
        fingerprint = session.session.transcript.redaction.fingerprint
        rows = token_rows(grant, client, fingerprint)
        self.tokens.show_rows(rows, can_revoke=bool(grant and grant.revocation_endpoint))
        self.panes.fold_tokens()
        self._show_token(self.tokens.selected_row())

    def _show_token(self, row: TokenRow | None) -> None:
        """Show the selected row of the tokens in the place of the step, or the step again."""
        authorizer = self.runner.authorizer
        if row is None or authorizer is None:
            self._side.setCurrentWidget(self.detail)
            return
        self.token.show_row(row, authorizer.grant)
        self._side.setCurrentWidget(self._token_scroll)

    def _show_detail(self) -> None:
        row = self.ladder.current_row()
        self.detail.show_row(row)
        if self._edits_next and row is not None and row.planned is not None:
            self._edits_next = False
            self.detail.exchange.start_editing()
        self._show_bar()

    def _show_bar(self) -> None:
        exchange = self.detail.exchange
        flow = self.runner.flow
        rules = f"rules of {flow.state.revision}" if flow is not None else ""
        self.bar.show_state(
            self.ladder.current_row(),
            self.ladder.rows.rows,
            exchange.change_count,
            exchange.error if exchange.is_editing else "",
            rules,
            rejection_text(self._session) if self._session is not None else "",
        )

    # Commands

    def run(self) -> None:
        """Run to the end, with the next step as it was edited."""
        self._run_if_possible(self.runner.run)

    def step(self) -> None:
        """Run one step, as it was edited."""
        self._run_if_possible(self.runner.step)

    def _run_if_possible(self, run: Callable[[Planned | None], None]) -> None:
        # Checked again: the buttons follow a moment later.
        exchange = self.detail.exchange
        if self.runner.can_run and not (exchange.is_editing and exchange.error):
            self._begin()
            run(exchange.edited_step())

    def run_to(self, stage: Stage) -> None:
        """Go on until before a step of that kind."""
        self._begin()
        self.runner.run(self.detail.exchange.edited_step(), until=stage)

    def again_from(self, number: int) -> None:
        """Take the steps from `number` on back, and let the user edit that one before it is sent."""
        self._begin()
        self._edits_next = True
        self.runner.rewind(number)

    def _begin(self) -> None:
        """From here on the row that matters most is selected again."""
        self.ladder.follow()
        self._edits_next = False

    def _on_traffic_requested(self, step: FlowStep) -> None:
        flow = self.runner.flow
        transcript = self._transcripts.find(flow, step) if flow is not None else None
        if transcript is not None:
            navigator_of(self).show_frame(step.frame, transcript)

    def _on_accept_requested(self) -> None:
        failed = self.runner.failed_step
        if failed is not None and failed.waiver is not None:
            self.ladder.follow()
            self.runner.accept(failed.waiver)
            self.waiver_accepted.emit(failed.waiver)

    def _on_authorized(self) -> None:
        session = self._session
        if session is not None and session.session.greeting is None:
            navigator_of(self).reconnect()

    # Layout

    def _arrange(self) -> None:
        self._token_scroll.set_min_height(self._theme.px(TOKEN_HEIGHT))
        self._scroll.set_min_height(self.panes.arrange(self.width(), self.height()))

    def showEvent(self, event: QShowEvent) -> None:
        """All parts are in their places now."""
        super().showEvent(event)
        detail = self.detail
        parts = (detail, detail.exchange, detail.notice, detail.browser, self.tokens, self.token)
        for part in parts:
            part.dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room beside the ladder, the detail goes under it, or takes turns with it."""
        super().resizeEvent(event)
        self._arrange()

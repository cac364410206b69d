"""The authorization page: how the server authorizes Spyglass, or why there is nothing to authorize."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from inspector.session.transport_factory import transport_kind
from ui.bind import Bindings, bind, bind_coalesced
from ui.features.authorization.empty_texts import empty_text, rejection_status
from ui.features.authorization.step_transcripts import StepTranscripts
from ui.page import Page
from ui.pages import AUTHORIZATION, PageSpec
from ui.widgets.empty_state import EmptyState
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.open_session import OpenSession
    from ui.features.authorization.content import AuthorizationContent
    from ui.theme import Theme


class AuthorizationPage(Page):
    """The content, or an empty state. The content is made for those who look at a flow or token: most servers have none.

    Signals:
        edit_requested: edit the settings of the server.
        waiver_accepted: the user allows this server to break a rule (a `Waiver`), from now on.
        browser_requested: open this URL, which the user has seen, in the browser.
    """

    edit_requested = Signal()
    waiver_accepted = Signal(object)
    browser_requested = Signal(str)

    info: ClassVar[PageSpec] = AUTHORIZATION

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self._flow_binding = Bindings()
        self._transcripts = StepTranscripts()
        self._content: AuthorizationContent | None = None
        self._empty = EmptyState(
            "", theme=theme, icon=self.info.icon_name, name="authorization_empty"
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        column_layout(self, self._stack, space=0)
        self._empty.action_triggered.connect(self.edit_requested)

    @property
    def content(self) -> AuthorizationContent:
        """The flow and the tokens, made now if they were not needed before."""
        if self._content is None:
            self._content = self._make_content()
            self._content.set_session(self.session, continues=False)
            self._content.refresh()
        return self._content

    def _make_content(self) -> AuthorizationContent:
        from ui.features.authorization.content import AuthorizationContent

        content = AuthorizationContent(self._transcripts, theme=self._theme, parent=self._stack)
        self._flow_binding.replace()  # the content follows it from here on
        self._stack.addWidget(content)
        content.changed.connect(self._refresh)
        content.edit_requested.connect(self.edit_requested)
        content.waiver_accepted.connect(self.waiver_accepted)
        content.browser_requested.connect(self.browser_requested)
        return content

    # Display

    def set_session(self, session: OpenSession | None) -> None:
        """Show how `session` is let in."""
        self._bindings.replace()
        continues = self.continues(session)
        super().set_session(session)
        if session is not None:
            self._bindings.add(bind_coalesced(self, session.session.changed, self._refresh))
            if session.authorizer is not None:
                self._bindings.add(
                    bind(self, session.authorizer.changed, self._on_authorizer_changed)
                )
        if self._content is not None:
            self._content.set_session(session, continues=continues)
            self._refresh()
        else:
            self._on_authorizer_changed()

    def badge(self) -> str:
        """Whether a step failed."""
        flow = self._flow
        return "1" if flow is not None and flow.steps and flow.steps[-1].has_failed else ""

    def missing(self) -> str:
        """Why there is nothing to authorize."""
        session = self.session
        if session is None or self._is_of_use():
            return ""
        if not transport_kind(session.profile.transport).has_headers:
            return "stdio servers take no access tokens"
        is_rejected = rejection_status(session) != 0
        return "" if is_rejected else "the server does not require authorization"

    def focus_first(self) -> bool:
        """Go to the ladder, or to the button of the empty state."""
        if self._content is None or self._stack.currentWidget() is not self._content:
            return super().focus_first()
        self._content.focus_first()
        return True

    @property
    def _authorizer(self) -> Authorizer | None:
        return self.session.authorizer if self.session is not None else None

    @property
    def _flow(self) -> Flow | None:
        authorizer = self._authorizer
        return authorizer.flow if authorizer is not None else None

    def _is_of_use(self) -> bool:
        """Return whether there is a flow, a token, or a rejection to act on."""
        session, authorizer = self.session, self._authorizer
        if session is None or authorizer is None:
            return False
        is_known = authorizer.flow is not None or authorizer.grant is not None
        return is_known or session.session.greeting is None

    def _on_authorizer_changed(self) -> None:
        if self._content is not None:
            return  # it follows the flow
        flow = self._flow
        self._flow_binding.replace(
            *([bind_coalesced(self, flow.changed, self._refresh)] if flow is not None else [])
        )
        self._refresh()

    def _refresh(self) -> None:
        is_of_use = self._is_of_use()
        if is_of_use and self.isVisible():
            _ = self.content  # it is made before it is shown
        content = self._content
        self._stack.setCurrentWidget(content if is_of_use and content else self._empty)
        if self.session is not None:
            if self._flow is not None:
                self._transcripts.add(self._flow, self.session.session.transcript)
            title, text, action = empty_text(self.session)
            self._empty.set_text(title, text, action=action)
        if content is not None:
            content.refresh()
        self.changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the content, if it is of use: it is seen from here on."""
        super().showEvent(event)
        if self._content is None:
            self._refresh()

"""Commands on the tokens of one server, and the outcome of each as a sentence. Knows no widget but its owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.auth.held_grant import BrokenStatus
from inspector.errors import InspectorError
from inspector.session.session_state import SessionState
from ui.aio import spawn
from ui.features.authorization.step_notice import sentence
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from inspector.auth.authorizer import Authorizer
    from inspector.open_session import OpenSession

Outcome = tuple[str, str]
"""A sentence and its tone."""


class TokenCommands(QObject):
    """Acts on the authorizer of the shown session.

    Signals:
        done: what came of a command, and a tone.
    """

    done = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: OpenSession | None = None
        self._waits_for_broken = False

    def set_session(self, session: OpenSession | None) -> None:
        """Act on what lets `session` in."""
        self._session = session

    @property
    def _authorizer(self) -> Authorizer | None:
        return self._session.authorizer if self._session is not None else None

    def refresh(self) -> None:
        """Get another access token with the refresh token."""
        if (authorizer := self._authorizer) is not None:
            self._do(self._refresh(authorizer), "refresh a token")

    def expire(self) -> None:
        """Let the next request refresh the token first."""
        if (authorizer := self._authorizer) is not None:
            authorizer.expire()
            self.done.emit("The next request refreshes the token first.", "muted")

    def send_broken(self) -> None:
        """Send a request whose token has a wrong signature."""
        authorizer, session = self._authorizer, self._session
        if authorizer is None or session is None:
            return
        authorizer.broken.send()
        self._waits_for_broken = True
        if session.session.state is SessionState.READY:
            self._do(self._send_something(session), "send a broken token")
        else:
            navigator_of(self).reconnect()

    def revoke(self) -> None:
        """Revoke the tokens and forget them."""
        if (authorizer := self._authorizer) is not None:
            self._do(self._revoke(authorizer), "revoke tokens")

    def forget(self) -> None:
        """Forget the tokens and the client."""
        if (authorizer := self._authorizer) is not None:
            self._do(self._forget(authorizer), "forget tokens")

    def look_at_broken(self) -> None:
        """Tell what became of the broken token, once that is known."""
        authorizer = self._authorizer
        if authorizer is None or not self._waits_for_broken:
            return
        broken = authorizer.broken
        if broken.status is BrokenStatus.REJECTED:
            self._waits_for_broken = False
            status = broken.rejection.status if broken.rejection is not None else 0
            text = f"The server rejected the broken token with HTTP {status}, as it must. The right token is used again."
            self.done.emit(text, "ok")
        elif broken.status is BrokenStatus.ACCEPTED:
            self._waits_for_broken = False
            text = "The server accepted a token with a wrong signature: it does not verify tokens, and anyone can forge one."
            self.done.emit(text, "error")

    def _do(self, work: Coroutine[object, object, Outcome | None], name: str) -> None:
        spawn(self, self._report(work), name=name)

    async def _report(self, work: Coroutine[object, object, Outcome | None]) -> None:
        try:
            outcome = await work
        except InspectorError as error:
            outcome = (sentence(error.reason), "error")
        if outcome is not None:
            self.done.emit(*outcome)

    async def _refresh(self, authorizer: Authorizer) -> Outcome:
        if await authorizer.refresh():
            return "The access token was refreshed.", "ok"
        return "The token could not be refreshed. The traffic shows the response.", "error"

    async def _revoke(self, authorizer: Authorizer) -> Outcome:
        reason = await authorizer.revoke()
        if reason:
            return f"The tokens were forgotten here, but not revoked: {reason}.", "warning"
        return "The tokens were revoked and forgotten.", "ok"

    async def _forget(self, authorizer: Authorizer) -> Outcome:
        await authorizer.forget()
        return "The tokens and the client were forgotten.", "ok"

    async def _send_something(self, session: OpenSession) -> None:
        """Send the request that does least."""
        if session.ping.offered:
            await session.ping.once()
        else:
            await session.read_lists()

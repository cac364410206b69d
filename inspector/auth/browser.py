"""The browser of this computer as what the user logs in with. Light to import: what it is made of is needed only when a server asks for a login."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.settings import Settings
    from inspector.auth.user_agent import Sender, UserAgent


def browser(
    settings: Settings, open_url: Callable[[str], Awaitable[None]]
) -> Callable[[Sender], UserAgent]:
    """Return what makes the browser for the logins of one server; `open_url` shows a URL to the user."""

    def make(sender: Sender) -> UserAgent:
        from inspector.auth.first_look import LookingFirst
        from inspector.auth.listener import LoopbackListener

        listener = LoopbackListener(
            open_url, host=settings.callback_host, port=settings.callback_port
        )
        return LookingFirst(listener, sender)

    return make

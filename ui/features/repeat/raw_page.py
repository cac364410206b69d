"""The raw page: a message that is written, of a template or any text, valid or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.features.message_templates import PING, harmless_request
from ui.features.repeat.message_page import MessagePage
from ui.features.repeat.work import Work
from ui.pages import RAW, PageSpec

if TYPE_CHECKING:
    from inspector.open_session import OpenSession


class RawPage(MessagePage):
    """Starts with a message that the server understands."""

    info: ClassVar[PageSpec] = RAW
    ID_NAME: ClassVar[str] = "raw"

    def new_work(self, session: OpenSession | None) -> Work:
        """Start with a harmless request."""
        return Work(harmless_request(session.session) if session is not None else PING)

    def set_text(self, text: str) -> None:
        """Put a text in, to be edited and sent."""
        self.editing.start(text)
        self.edit.setFocus()

    def show_revision(self) -> None:
        """Start with another message once the revision is known, if the user wrote nothing."""
        work = self.work
        is_untouched = work.current is None and work.text == PING
        if self.session is not None and is_untouched:
            self.editing.load(harmless_request(self.session.session))
        super().show_revision()

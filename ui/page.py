"""What every feature's screen has in common, so that the shell can hold it without knowing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.tab_order import focus_first

if TYPE_CHECKING:
    from inspector.open_session import ClientProfile, OpenSession
    from ui.pages import PageSpec


class Page(QWidget):
    """One tab of the workbench.

    Signals:
        changed: `badge()` or `missing()` may say something else now.
    """

    changed = Signal()

    info: ClassVar[PageSpec]
    """The row of the page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Without a session, until `set_session`. Subclasses keep their own `theme`."""
        super().__init__(parent)
        self.session: OpenSession | None = None
        self.setObjectName(f"page_{self.info.key}")
        self.setAccessibleName(self.info.title)

    def set_session(self, session: OpenSession | None) -> None:
        """Show `session`, or None for no session. Subclasses call this first, then refresh."""
        self.session = session
        self.changed.emit()

    def continues(self, session: OpenSession | None) -> bool:
        """Whether `session` is another run of the server that is shown, so that everything stays as it is."""
        current = self.session
        return current is not None and session is not None and session.runs is current.runs

    def open_stream_again(self) -> None:
        """Have the stream opened again on which changes of the lists are announced."""
        if self.session is not None:
            self.session.session.listening.open_again()

    def clear(self) -> None:
        """Drop what is shown; called when the user closes the tab."""

    def complete(self) -> None:
        """Make what was left out so that the page appears sooner; called when there is time."""

    def set_client(self, client: ClientProfile | None) -> None:
        """Without a session: what we are to the chosen server. Only pages that work offline take it."""

    def badge(self) -> str:
        """What to say beside the title, such as a count; empty for nothing."""
        return ""

    def badge_tone(self) -> str:
        """The name of the color of the badge; empty for the usual one."""
        return ""

    def count_text(self, count: int) -> str:
        """A number for `badge`; zero counts where the server was greeted and the page can be used."""
        session = self.session
        is_known = session is not None and session.session.greeting is not None
        return f"{count:,}" if count or (is_known and not self.missing()) else ""

    def missing(self) -> str:
        """Why the page cannot be used now (`the server does not declare tools`); empty if it can."""
        return ""

    def focus_first(self) -> bool:
        """Focus the first field or list of the page; False if it has none yet."""
        return focus_first(self)

    def submit(self) -> bool:
        """Click the main button; False if it cannot be clicked now."""
        button = self._main_button()
        if button is not None:
            button.click()
        return button is not None

    def can_submit(self) -> bool:
        """Return whether there is something that can be sent now."""
        return self._main_button() is not None

    def _main_button(self) -> QAbstractButton | None:
        name = self.info.main_button
        button = self.findChild(QAbstractButton, name) if name else None
        is_usable = (
            isinstance(button, QAbstractButton) and button.isVisible() and button.isEnabled()
        )
        return button if is_usable else None

    def focus_filter(self) -> bool:
        """Put the cursor into the page's own filter or search field; False if it has none."""
        return False

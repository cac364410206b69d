"""Nothing destructive is sent before the user agrees: asked once for each tool, and again for each run of many sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.features.repeat import MAX_COMPARED, called_tools
from ui.features.repeat.send_bar import is_destructive

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.open_session import OpenSession
    from ui.features.repeat.editing import Editing
    from ui.features.repeat.send_bar import SendBar


class Consent(QObject):
    """Shows what the called tool may do, and asks before it is called."""

    def __init__(self, *, editing: Editing, bar: SendBar, parent: QWidget) -> None:
        """Ask in `bar` about the message that is edited in `editing`."""
        super().__init__(parent)
        self._editing, self._bar = editing, bar
        self.session: OpenSession | None = None
        """The session whose tools are called."""
        self._action: Callable[[], object] | None = None
        self._destructive: list[str] = []
        """The destructive tools that the text calls."""
        bar.confirmed.connect(self._on_confirmed)
        editing.changed.connect(self._on_changed)

    def show_tool(self) -> None:
        """Show what the tools that the text calls may do: of a batch, the destructive ones first."""
        names = called_tools(self._editing.sending.text)
        tools = self.session.tools.items if self.session is not None and names else ()
        listed = {tool.name: tool.annotations for tool in reversed(tools)}
        self._destructive = [name for name in names if is_destructive(listed.get(name))]
        name = next(iter(self._destructive or names), "")
        is_confirmed = self._editing.work.confirmed.issuperset(self._destructive)
        more = max(0, len(self._destructive) - 1)
        self._bar.show_tool(name, listed.get(name), is_confirmed=is_confirmed, more=more)

    def then(self, action: Callable[[], object], *, count: int = 1) -> None:
        """Do `action`, which sends the message so many times; after the user agreed if that is needed."""
        self.show_tool()
        if self._bar.needs_consent or (count > 1 and self._destructive):
            self._action = action
            self._bar.ask(count)
        else:
            action()

    def _on_changed(self) -> None:
        """What was asked was about another text."""
        self._action = None
        self._bar.stop_asking()
        if len(self._editing.work.text) <= MAX_COMPARED:
            self.show_tool()

    def _on_confirmed(self) -> None:
        self._editing.work.confirmed.update(self._destructive)
        action, self._action = self._action, None
        self.show_tool()
        if action is not None:
            action()

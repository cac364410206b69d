"""Nothing destructive is sent before the user agrees: asked once for each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.features.repeat import MAX_COMPARED, called_tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.workspace import OpenSession
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
        bar.confirmed.connect(self._on_confirmed)
        editing.changed.connect(self._on_changed)

    def show_tool(self) -> None:
        """Show what the tool that the message calls may do."""
        name = called_tool(self._editing.work.text)
        tools = self.session.tools.items if self.session is not None and name else ()
        annotations = next((tool.annotations for tool in tools if tool.name == name), None)
        is_confirmed = name in self._editing.work.confirmed
        self._bar.show_tool(name, annotations, is_confirmed=is_confirmed)

    def then(self, action: Callable[[], object], *, count: int = 1) -> None:
        """Do `action`, which sends the message so many times; after the user agreed if that is needed."""
        self.show_tool()
        if self._bar.needs_consent:
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
        self._editing.work.confirmed.add(called_tool(self._editing.work.text))
        action, self._action = self._action, None
        self.show_tool()
        if action is not None:
            action()

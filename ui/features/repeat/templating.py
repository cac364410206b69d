"""The messages that the method box offers: for every method of the revision, with the names that the server lists, and broken frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.features.message_templates import (
    MAX_NAMES,
    Listed,
    ListedPrompt,
    ListedTool,
    Templates,
    templates,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.open_session import OpenSession
    from inspector.spec.revision import Revision
    from ui.features.repeat.editing import Editing
    from ui.features.repeat.message_bar import MessageBar


class Templating(QObject):
    """Puts the selected template into the editor."""

    def __init__(self, *, editing: Editing, bar: MessageBar, page: QWidget) -> None:
        """Offer templates in `bar` of `page`, for `editing`."""
        super().__init__(page)
        self._editing, self._bar, self._page = editing, bar, page
        self.session: OpenSession | None = None
        """The session whose revision and lists are offered."""
        self._made_of: tuple[Revision | None, Listed] = (None, Listed())
        self.templates = Templates()
        bar.method.entry_selected.connect(self._on_entry_selected)

    def refresh(self) -> None:
        """Offer what the server of now takes; a page that is hidden calls this when it is shown."""
        session = self.session
        if session is None or not self._page.isVisible():
            return
        made_of = (session.session.revision, _listed(session))
        if made_of != self._made_of:
            self._made_of = made_of
            self.templates = templates(session.session, made_of[1])
            groups = self.templates.groups
            self._bar.method.set_entries([[each.title for each in group] for group in groups])

    def _on_entry_selected(self, title: str) -> None:
        template = self.templates.find(title)
        if template is not None:
            self._editing.start(template.text)
        self._editing.refresh()


def _listed(session: OpenSession) -> Listed:
    return Listed(
        tuple(ListedTool(tool.name, tool.input_schema) for tool in session.tools.items[:MAX_NAMES]),
        tuple(
            ListedPrompt(
                prompt.name, tuple(each.name for each in prompt.arguments if each.required)
            )
            for prompt in session.prompts.items[:MAX_NAMES]
        ),
        tuple(resource.uri for resource in session.resources.items[:MAX_NAMES]),
    )

"""How each page is made and wired to the window. A part of the composition root.

Pages are imported when they are made: all of them together take longer to import than the window to appear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.page import PageMaker
from ui.pages import (
    AUTHORIZATION,
    CLIENT,
    LOGS,
    OVERVIEW,
    PROMPTS,
    RAW,
    RESOURCES,
    ROOTS,
    TASKS,
    TOOLS,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.page import Page
    from ui.shell.main_window import MainWindow


class PageFactory:
    """Makes the pages of one window."""

    def __init__(self, window: MainWindow) -> None:
        """For `window`, which need not be furnished before the first page is made."""
        self._window = window
        self._theme = window.theme

    def makers(self) -> tuple[PageMaker, ...]:
        """Those of all pages, in the order of their tabs."""
        return (
            PageMaker(OVERVIEW, self._overview),
            PageMaker(TOOLS, self._tools),
            PageMaker(RESOURCES, self._resources),
            PageMaker(PROMPTS, self._prompts),
            PageMaker(TASKS, self._tasks),
            PageMaker(LOGS, self._logs),
            PageMaker(ROOTS, self._roots),
            PageMaker(CLIENT, self._client),
            PageMaker(AUTHORIZATION, self._authorization),
            PageMaker(RAW, self._raw),
        )

    def _overview(self, room: QWidget) -> Page:
        from ui.features.overview.page import OverviewPage

        return OverviewPage(theme=self._theme, parent=room)

    def _tools(self, room: QWidget) -> Page:
        from ui.features.tools.page import ToolsPage

        return ToolsPage(theme=self._theme, parent=room)

    def _resources(self, room: QWidget) -> Page:
        from ui.features.resources.page import ResourcesPage

        return ResourcesPage(theme=self._theme, parent=room)

    def _prompts(self, room: QWidget) -> Page:
        from ui.features.prompts.page import PromptsPage

        return PromptsPage(theme=self._theme, parent=room)

    def _tasks(self, room: QWidget) -> Page:
        from ui.features.tasks.page import TasksPage

        return TasksPage(theme=self._theme, parent=room)

    def _logs(self, room: QWidget) -> Page:
        from ui.features.logs.page import LogsPage

        return LogsPage(theme=self._theme, parent=room)

    def _roots(self, room: QWidget) -> Page:
        from ui.features.roots.page import RootsPage

        return RootsPage(theme=self._theme, parent=room)

    def _client(self, room: QWidget) -> Page:
        from ui.features.client.page import ClientPage

        return ClientPage(theme=self._theme, parent=room)

    def _authorization(self, room: QWidget) -> Page:
        from ui.features.authorization.page import AuthorizationPage

        page = AuthorizationPage(theme=self._theme, parent=room)
        page.edit_wanted.connect(self._window.commands.session.edit_shown)
        page.browser_wanted.connect(self._window.logins.open_login)
        page.waiver_accepted.connect(self._window.logins.accept)
        return page

    def _raw(self, room: QWidget) -> Page:
        from ui.features.raw.page import RawPage

        return RawPage(theme=self._theme, parent=room)

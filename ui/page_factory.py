"""How each page is made and wired to the window. A part of the composition root.

Pages are imported when they are made: all of them together take longer to import than the window to appear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.page import PageSpec

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

    def specs(self) -> tuple[PageSpec, ...]:
        """Those of all pages, in the order of their tabs."""
        return (
            PageSpec("overview", "Overview", "mdi6.information-outline", self._overview),
            PageSpec("tools", "Tools", "mdi6.hammer-wrench", self._tools),
            PageSpec("resources", "Resources", "mdi6.file-tree-outline", self._resources),
            PageSpec("prompts", "Prompts", "mdi6.message-text-outline", self._prompts),
            PageSpec("tasks", "Tasks", "mdi6.progress-clock", self._tasks),
            PageSpec("logs", "Logs", "mdi6.text-box-outline", self._logs),
            PageSpec("roots", "Roots", "mdi6.folder-outline", self._roots, works_offline=True),
            PageSpec("client", "Client", "mdi6.account-outline", self._client, works_offline=True),
            PageSpec(
                "authorization",
                "Authorization",
                "mdi6.shield-key-outline",
                self._authorization,
                works_unconnected=True,
            ),
            PageSpec("raw", "Raw", "mdi6.code-braces", self._raw),
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

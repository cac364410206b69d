"""A real application on an invisible screen, and a camera."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget

from ui.app import App, AppPaths, demo_profile
from ui.features.authorization.page import AuthorizationPage
from ui.features.tools.page import ToolsPage
from ui.shell.dock_sizes import BOTTOM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QApplication, QWidget

    from inspector.config.profile import Profile
    from inspector.open_session import OpenSession
    from tests.shots.options import Variant

SHOTS = Path(__file__).parents[2] / "build" / "shots"

SETTLE_SECONDS = 0.4
"""Time for what is still being laid out."""

WAIT_SECONDS = 20


class Stage:
    """One application, driven from outside."""

    def __init__(self, qt: QApplication, folder: Path, variants: Sequence[Variant] = ()) -> None:
        """Keep settings and records in `folder`; draw each picture in `variants`."""
        self.qt = qt
        self.folder = folder
        self._variants = tuple(variants)
        self.app = App(qt, AppPaths(folder, folder / "records"))
        self.window = self.app.window
        self.has_bottom = False
        """Whether the bottom dock is open in low windows too."""

    @property
    def session(self) -> OpenSession:
        """The session that is shown."""
        assert self.app.controller.session is not None
        return self.app.controller.session

    @property
    def tools(self) -> ToolsPage:
        """The tools page."""
        page = self.window.parts.workbench.page(ToolsPage.info.key)
        assert isinstance(page, ToolsPage)
        return page

    @property
    def authorization(self) -> AuthorizationPage:
        """The authorization page."""
        page = self.window.parts.workbench.page(AuthorizationPage.info.key)
        assert isinstance(page, AuthorizationPage)
        return page

    async def take(
        self, name: str, widget: QWidget | None = None, *, over: QWidget | None = None
    ) -> None:
        """Draw the window, or another `widget`, in every variant; `over` is a window that is in front of it."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        before = self.window.size()
        for variant in self._variants:
            self.window.resize(QSize(*variant.size) if variant.size else before)
            self.app.theme.apply(self.qt, variant.theme, variant.scale)
            await asyncio.sleep(SETTLE_SECONDS)
            if self.has_bottom:  # chosen anew: what the window does by itself depends on its size
                self.window.layout_state.sizes.choose(BOTTOM, True)
                await asyncio.sleep(SETTLE_SECONDS)
            pixmap = (widget or self.window).grab()
            if over is not None:
                above = over.pos() - self.window.pos()
                painter = QPainter(pixmap)
                painter.drawPixmap(above, over.grab())
                painter.end()
            pixmap.save(str(SHOTS / f"{name}-{variant.suffix}.png"))
        self.window.resize(before)
        self.app.theme.apply(self.qt, "light", 1.0)
        await asyncio.sleep(SETTLE_SECONDS)

    async def take_folded(self, name: str) -> None:
        """Draw the window with the bottom dock folded."""
        self.window.layout_state.sizes.choose(BOTTOM, False)
        await self.take(name)
        self.window.layout_state.sizes.choose(BOTTOM, True)

    async def take_made(self, name: str, make: Callable[[], QWidget]) -> None:
        """Draw what `make` makes: made again for every variant, so that its size is that of the text."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        before = self.window.size()
        for variant in self._variants:
            self.window.resize(QSize(*variant.size) if variant.size else before)
            self.app.theme.apply(self.qt, variant.theme, variant.scale)
            made = make()
            made.show()
            await asyncio.sleep(SETTLE_SECONDS)
            made.grab().save(str(SHOTS / f"{name}-{variant.suffix}.png"))
            made.close()
            made.deleteLater()
        self.window.resize(before)
        self.app.theme.apply(self.qt, "light", 1.0)

    def is_page_made(self) -> bool:
        """Whether everything visible has its content: parts that cost much are made a little later."""
        stacks = self.window.findChildren(QStackedWidget)
        return all(stack.currentWidget() is not None for stack in stacks if stack.isVisible())

    async def until(self, predicate: Callable[[], bool], what: str) -> None:
        """Wait for something, within bounds."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not predicate():  # noqa: ASYNC110 - widgets have no event to wait for
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise TimeoutError(f"waited in vain for: {what}") from None

    async def connect(self, profile: Profile) -> None:
        """Connect and wait for the outcome; what an earlier scene left open ends, so that it does not show up in this one."""
        for opened in self.app.workspace.sessions:
            await opened.aclose()
        await self.until(lambda: not self.app.controller.is_beginning, "the end of what was begun")
        self.app.server_list.replace(profile)
        saved = self.app.server_list.find(profile.id)  # its name may have got a number
        assert saved is not None
        self.app.controller.connect_to(saved)
        controller = self.app.controller
        await self.until(
            lambda: controller.session is not None and controller.session.profile.id == profile.id,
            "the session to begin",
        )

    async def connect_demo(self, *switches: str) -> None:
        """Connect to the demo server and wait for its tools."""
        profile = demo_profile()
        await self.connect(
            type(profile)(
                name=profile.name, command=profile.command, args=(*profile.args, *switches)
            )
        )
        await self.until(lambda: self.session.tools.state == "read", "the tools")

    async def call(self, name: str, arguments: str | None = None, *, wait: bool = True) -> None:
        """Call a tool through the page, as a user would."""
        self.window.go(ToolsPage.info.key)
        names = [tool.name for tool in self.session.tools.items]
        self.tools.choose(names.index(name))
        if arguments is not None:
            self.tools.call_panel.set_arguments(arguments)
        button = self.tools.call_panel.call_button
        await self.until(button.isEnabled, f"{name} to be callable")
        button.click()
        if wait:
            await self.until(
                lambda: self.session.tools.history.operations[-1].is_finished,
                f"the result of {name}",
            )

"""A real application on an invisible screen, and a camera."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ui.app import App, AppPaths, demo_profile
from ui.features.authorization.page import AuthorizationPage
from ui.features.tools.page import ToolsPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from inspector.config.profile import Profile
    from inspector.workspace import OpenSession

SHOTS = Path(__file__).parents[2] / "build" / "shots"

VARIANTS = (("light", 1.0), ("dark", 1.0), ("light", 2.0), ("dark", 2.0))
"""Colours and text scales of every scene."""

SETTLE_SECONDS = 0.4
"""Time for what is still being laid out."""

WAIT_SECONDS = 20


class Stage:
    """One application, driven from outside."""

    def __init__(self, qt: QApplication, folder: Path) -> None:
        """Keep settings and records in `folder`."""
        self.qt = qt
        self.app = App(qt, AppPaths(folder, folder / "records"))
        self.window = self.app.window

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

    async def take(self, name: str) -> None:
        """Draw the window in every variant."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        for mode, scale in VARIANTS:
            self.app.theme.apply(self.qt, mode, scale)
            await asyncio.sleep(SETTLE_SECONDS)
            suffix = f"{mode}{'' if scale == 1 else f'-{scale * 100:.0f}'}"
            self.window.grab().save(str(SHOTS / f"{name}-{suffix}.png"))
        self.app.theme.apply(self.qt, "light", 1.0)
        await asyncio.sleep(SETTLE_SECONDS)

    async def until(self, predicate: Callable[[], bool], what: str) -> None:
        """Wait for something, within bounds."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not predicate():  # noqa: ASYNC110 - widgets have no event to wait for
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise TimeoutError(f"waited in vain for: {what}") from None

    async def connect(self, profile: Profile) -> None:
        """Connect and wait for the outcome."""
        self.app.server_list.replace(profile)
        self.app.controller.connect_to(profile)
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

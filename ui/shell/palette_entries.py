"""What the palette offers: every command, server, tool, resource and prompt of the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint

from inspector.config.profile import endpoint_text
from ui.pages import PROMPTS, RESOURCES, TOOLS
from ui.shell.palette import Entry, Palette

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.config.profile import Profile
    from ui.features.prompts.page import PromptsPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tools.page import ToolsPage
    from ui.shell.main_window import MainWindow


def open_palette(window: MainWindow) -> Palette:
    """Open the palette over the window."""
    entries = [*_commands(window), *_servers(window), *_offers(window)]
    palette = Palette(entries, theme=window.theme, parent=window)
    room = window.rect().adjusted(*[window.theme.PADDING_PX * n for n in (1, 1, -1, -1)])
    palette.resize(palette.size().boundedTo(room.size()))
    left = room.center().x() - palette.width() // 2
    top = room.top() + (room.height() - palette.height()) // 6
    palette.move(window.mapToGlobal(QPoint(left, top)))
    palette.show()
    return palette


def _commands(window: MainWindow) -> Iterator[Entry]:
    for command in window.commands.actions.commands:
        if command.enabled() and command.key != "palette":
            text = command.text.replace("&", "")
            run = window.commands.actions[command.key].trigger
            yield Entry(text, "command", run, keys=command.shortcut.partition(",")[0])


def _servers(window: MainWindow) -> Iterator[Entry]:
    for profile in window.parts.server_list.profiles:
        yield Entry(profile.name, "server", _go_to_server(window, profile), endpoint_text(profile))


def _offers(window: MainWindow) -> Iterator[Entry]:
    session = window.parts.controller.session
    if session is None:
        return
    for at, tool in enumerate(session.tools.items):
        yield Entry(tool.label, "tool", _go_to_tool(window, at), tool.id_label)
    for at, resource in enumerate(session.resources.items):
        go = _go_to_resource(window, at)
        yield Entry(resource.label, "resource", go, resource.id_label)
    for at, template in enumerate(session.resources.templates.items):
        go = _go_to_resource(window, at, template=True)
        yield Entry(template.label, "template", go, template.id_label)
    for at, prompt in enumerate(session.prompts.items):
        yield Entry(prompt.label, "prompt", _go_to_prompt(window, at), prompt.id_label)


def _go_to_server(window: MainWindow, profile: Profile) -> Callable[[], None]:
    def go() -> None:
        window.parts.servers.select(profile)
        window.parts.controller.show_profile(profile)
        if not window.parts.controller.is_live:
            window.parts.controller.connect_to(profile)

    return go


def _go_to_tool(window: MainWindow, position: int) -> Callable[[], None]:
    def go() -> None:
        window.go(TOOLS.key)
        cast("ToolsPage", window.parts.workbench.page(TOOLS.key)).choose(position)

    return go


def _go_to_resource(
    window: MainWindow, position: int, *, template: bool = False
) -> Callable[[], None]:
    def go() -> None:
        window.go(RESOURCES.key)
        page = cast("ResourcesPage", window.parts.workbench.page(RESOURCES.key))
        page.choose(position, template=template)

    return go


def _go_to_prompt(window: MainWindow, position: int) -> Callable[[], None]:
    def go() -> None:
        window.go(PROMPTS.key)
        cast("PromptsPage", window.parts.workbench.page(PROMPTS.key)).choose(position)

    return go

"""The View menu: pages, docks, colours, the size of the text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from ui.shell.actions import Command
from ui.shell.palette_entries import open_palette
from ui.theme import tokens

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow

MENU = "&View"

DOCKS = (
    ("servers", "&Servers", "Ctrl+B"),
    ("traffic", "&Traffic", "Ctrl+J"),
    ("stderr", "Standard &error", "Ctrl+Shift+E"),
    ("inbox", "Re&quests", "Ctrl+I"),
)
"""Name of a dock, words, keys."""

MODES = (("system", "S&ystem theme"), ("light", "&Light theme"), ("dark", "&Dark theme"))


class ViewCommands:
    """What it does."""

    def __init__(self, window: MainWindow) -> None:
        """Act on `window`."""
        self._window = window

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return (
            *self._find_commands(),
            *self._page_commands(),
            *self._dock_commands(),
            *self._stderr_commands(),
            *self._appearance_commands(),
        )

    def _find_commands(self) -> tuple[Command, ...]:
        window = self._window
        return (
            Command("palette", MENU, "&Go to…", self.open_palette, "Ctrl+K", "mdi6.magnify"),
            Command(
                "filter", MENU, "F&ilter current panel", self.focus_filter, "Ctrl+F", yields=True
            ),
            Command("filter_traffic", MENU, "Filter t&raffic", window.filter_traffic, "Ctrl+L"),
        )

    def _page_commands(self) -> tuple[Command, ...]:
        return tuple(
            Command(
                f"page_{maker.info.key}",
                MENU,
                maker.info.title,
                partial(self._window.go, maker.info.key),
                maker.info.shortcut,
                separated=at == 0,
            )
            for at, maker in enumerate(self._window.workbench.makers)
        )

    def _dock_commands(self) -> tuple[Command, ...]:
        window = self._window
        return tuple(
            Command(
                f"dock_{name}",
                MENU,
                text,
                partial(window.toggle_dock, name),
                keys,
                checked=partial(window.is_dock_shown, name),
                separated=name == DOCKS[0][0],
            )
            for name, text, keys in DOCKS
        )

    def _stderr_commands(self) -> tuple[Command, ...]:
        stderr = self._window.stderr
        return (
            Command(
                "stderr_find",
                MENU,
                "Find in standard error",
                self.find_in_stderr,
                "Ctrl+F",
                separated=True,
                is_local=True,
            ),
            Command(
                "stderr_clear",
                MENU,
                "Clear standard error",
                stderr.hide_earlier,
                "Ctrl+Shift+K",
                enabled=lambda: stderr.model.line_count > 0,
            ),
            Command(
                "stderr_earlier",
                MENU,
                "Show cleared lines of standard error",
                stderr.show_earlier,
                enabled=lambda: stderr.hidden_count > 0,
            ),
        )

    def _appearance_commands(self) -> tuple[Command, ...]:
        modes = tuple(
            Command(
                f"theme_{mode}",
                MENU,
                text,
                partial(self.set_theme, mode),
                checked=partial(self._is_mode, mode),
                separated=mode == MODES[0][0],
            )
            for mode, text in MODES
        )
        step, reset = self.step_scale, self._window.reset_layout
        return (
            *modes,
            Command("larger", MENU, "Zoo&m in", partial(step, 1), "Ctrl++; Ctrl+=", separated=True),
            Command("smaller", MENU, "Zoom &out", partial(step, -1), "Ctrl+-"),
            Command("normal", MENU, "&Actual size", partial(step, 0), "Ctrl+0"),
            Command("reset", MENU, "Reset layo&ut", reset, separated=True),
        )

    def open_palette(self) -> None:
        """Offer to find anything."""
        open_palette(self._window)

    def focus_filter(self) -> None:
        """Go to the filter of the part that has the focus: the page, or else the traffic."""
        window = self._window
        focus = QApplication.focusWidget()
        inside = focus is not None and window.workbench.isAncestorOf(focus)
        if not (inside and window.workbench.current.focus_filter()):
            window.filter_traffic()

    def find_in_stderr(self) -> None:
        """Show standard error, with the bar for finding."""
        dock = self._window.docks["stderr"]
        dock.show()
        dock.raise_()
        self._window.stderr.open_find()

    def set_theme(self, mode: str) -> None:
        """Change the colours."""
        self._window.layout_state.apply_columns(mode, self._window.theme.scale)

    def step_scale(self, step: int) -> None:
        """Make the text larger or smaller by one step; 0 for the size of the system."""
        theme, scales = self._window.theme, tokens.SCALES
        at = scales.index(min(scales, key=lambda scale: abs(scale - theme.scale)))
        at = 0 if step == 0 else min(max(at + step, 0), len(scales) - 1)
        self._window.layout_state.apply_columns(theme.mode, scales[at])

    def _is_mode(self, mode: str) -> bool:
        return self._window.theme.mode == mode

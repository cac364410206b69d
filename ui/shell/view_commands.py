"""The View menu: pages, docks, colors, the size of the text."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from ui.shell.actions import Command, CommandGroup
from ui.theme import tokens
from ui.theme.palettes import PALETTES, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.timeline.page import TimelinePage

    _TimelineAct = Callable[[TimelinePage], object]


class ViewCommands(CommandGroup):
    """The commands of the View menu."""

    menu = "&View"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return (
            *self._find_commands(),
            *self._page_commands(),
            *self._dock_commands(),
            *self._bottom_commands(),
            *self._timeline_commands(),
            *self._stderr_commands(),
            *self._appearance_commands(),
        )

    def _find_commands(self) -> tuple[Command, ...]:
        window = self.window
        return (
            Command("palette", "&Go to…", self.open_palette, "Ctrl+K", "mdi6.magnify"),
            Command("filter", "F&ilter current panel", self.focus_filter, "Ctrl+F", yields=True),
            Command("filter_traffic", "Filter t&raffic", window.filter_traffic, "Ctrl+L"),
        )

    def _page_commands(self) -> tuple[Command, ...]:
        workbench = self.parts.workbench
        pages = (
            Command(
                f"page_{spec.key}",
                spec.title,
                partial(self.window.go, spec.key),
                spec.shortcut,
                separated=at == 0,
            )
            for at, spec in enumerate(workbench.specs)
        )
        return (
            *pages,
            Command(
                "close_page",
                "Close page",
                workbench.close_page,
                "Ctrl+W",
                enabled=lambda: workbench.can_close_page,
            ),
        )

    def _dock_commands(self) -> tuple[Command, ...]:
        window = self.window
        return tuple(
            Command(
                f"dock_{spec.key}",
                spec.text,
                partial(window.toggle_dock, spec.key),
                spec.shortcut,
                checked=partial(window.is_dock_visible, spec.key),
                separated=at == 0,
            )
            for at, spec in enumerate((*window.dock_specs, *window.bottom.specs))
        )

    def _bottom_commands(self) -> tuple[Command, ...]:
        window = self.window
        sizes, bottom = window.layout_state.sizes, window.bottom
        return (
            Command(
                "bottom_maximize",
                "Ma&ximize bottom dock",
                sizes.toggle_maximized,
                "Shift+F11",
                checked=lambda: sizes.is_bottom_large,
            ),
            Command(
                "bottom_float",
                "Float bottom dock",
                lambda: bottom.setFloating(not bottom.isFloating()),
                checked=bottom.isFloating,
            ),
        )

    def _timeline_commands(self) -> tuple[Command, ...]:
        rows: tuple[tuple[str, str, _TimelineAct, str], ...] = (
            (
                "latency",
                "Latency by method and tool",
                lambda page: page.show_latency(),
                "Ctrl+Shift+Y",
            ),
            ("timeline_whole", "Timeline of whole session", lambda page: page.show_whole(), "Esc"),
            (
                "timeline_range",
                "Filter traffic to range of timeline",
                lambda page: page.filter_range(),
                "Ctrl+Shift+G",
            ),
        )
        return tuple(
            Command(
                key,
                text,
                partial(self._run_in_timeline, run, raises=key != "timeline_range"),
                keys,
                separated=key == rows[0][0],
                is_local=keys == "Esc",
            )
            for key, text, run, keys in rows
        )

    def _run_in_timeline(self, run: _TimelineAct, *, raises: bool) -> None:
        if raises:
            self.window.raise_dock("timeline")
        run(self.parts.timeline.page)

    def _stderr_commands(self) -> tuple[Command, ...]:
        stderr = self.parts.stderr
        return (
            Command(
                "stderr_find",
                "Find in standard error",
                self.find_in_stderr,
                "Ctrl+F",
                separated=True,
                is_local=True,
            ),
            Command(
                "stderr_clear",
                "Clear standard error",
                stderr.hide_earlier,
                "Ctrl+Shift+K",
                enabled=lambda: stderr.model.line_count > 0,
            ),
            Command(
                "stderr_earlier",
                "Show cleared lines of standard error",
                stderr.show_earlier,
                enabled=lambda: stderr.model.hidden_count > 0,
            ),
        )

    def _appearance_commands(self) -> tuple[Command, ...]:
        themes = {SYSTEM: "S&ystem theme"} | {key: each.text for key, each in PALETTES.items()}
        modes = tuple(
            Command(
                f"theme_{mode}",
                text,
                partial(self.set_theme, mode),
                checked=partial(self._is_mode, mode),
                separated=mode == SYSTEM,
            )
            for mode, text in themes.items()
        )
        step, reset = self.step_scale, self.window.layout_state.reset
        return (
            *modes,
            Command(
                "notifications",
                "Desktop notificatio&ns",
                self.toggle_notifications,
                checked=lambda: self.window.layout_state.settings.notifies,
                separated=True,
            ),
            Command("larger", "Zoo&m in", partial(step, 1), "Ctrl++; Ctrl+=", separated=True),
            Command("smaller", "Zoom &out", partial(step, -1), "Ctrl+-"),
            Command("normal", "&Actual size", partial(step, 0), "Ctrl+0"),
            Command("reset", "Reset layo&ut", reset, separated=True),
        )

    def open_palette(self) -> None:
        """Offer to find anything."""
        from ui.shell.palette import open_palette

        open_palette(self.window)

    def focus_filter(self) -> None:
        """Go to the filter of the part that has the focus: the page, the problems, or else the traffic."""
        window = self.window
        focus = QApplication.focusWidget()
        if focus is not None and self.parts.problems.isAncestorOf(focus):
            self.parts.problems.page.focus_filter()
            return
        inside = focus is not None and self.parts.workbench.isAncestorOf(focus)
        if not (inside and self.parts.workbench.current.focus_filter()):
            window.filter_traffic()

    def find_in_stderr(self) -> None:
        """Show standard error, with the bar for finding."""
        self.window.raise_dock("stderr")
        self.parts.stderr.open_find()

    def set_theme(self, mode: str) -> None:
        """Change the colors."""
        self.window.layout_state.set_theme(mode, self.window.theme.scale)

    def toggle_notifications(self) -> None:
        """Let the desktop notify of requests that arrive in the background, or no longer."""
        state = self.window.layout_state
        state.settings = replace(state.settings, notifies=not state.settings.notifies)
        self.window.refresh_commands()

    def step_scale(self, step: int) -> None:
        """Make the text larger or smaller by one step; 0 for the size of the system."""
        theme, scales = self.window.theme, tokens.SCALES
        at = scales.index(min(scales, key=lambda scale: abs(scale - theme.scale)))
        at = 0 if step == 0 else min(max(at + step, 0), len(scales) - 1)
        self.window.layout_state.set_scale(scales[at])

    def _is_mode(self, mode: str) -> bool:
        return self.window.theme.mode == mode

"""The Traffic menu: the buttons of the traffic, and what can be done with its current row."""

from __future__ import annotations

from functools import partial

from inspector.export.formats import CURL, INDENTED_JSON
from ui.shell.actions import Command, CommandGroup
from ui.shell.exporting import open_bug_report
from ui.traffic.annotating import COMMENT_KEYS, DESTINATIONS, MARK_KEYS, REFERENCE_KEYS


class TrafficCommands(CommandGroup):
    """The commands of the Traffic menu."""

    menu = "&Traffic"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return (*self._view_commands(), *self._frame_commands(), *self._annotation_commands())

    def show_filtered(self, terms: str) -> None:
        """Show the traffic with a filter."""
        self.window.raise_dock("traffic")
        self.parts.traffic.set_filter(terms)

    def _view_commands(self) -> tuple[Command, ...]:
        bar, model = self.parts.traffic.bar, self.parts.traffic.model
        switches = (
            ("pause", "&Pause", bar.pause, "F8"),
            ("follow", "&Follow newest row", bar.follow, "Ctrl+Shift+F"),
            ("detail", "&Detail", bar.detail, "Ctrl+Shift+J"),
        )
        modes = self.parts.traffic.modes
        return (
            Command(
                "operations",
                "&Operations instead of messages",
                modes.toggle,
                "Ctrl+Shift+O",
                checked=lambda: modes.is_operations,
            ),
            Command(
                "follow_operation",
                "Follow ope&ration",
                modes.follow_operation,
                "Ctrl+Return",
                enabled=lambda: modes.is_operations and modes.current_number() > 0,
                is_local=True,
            ),
            *(
                Command(key, text, button.click, keys, checked=button.isChecked)
                for key, text, button, keys in switches
            ),
            Command(
                "clear",
                "&Clear",
                bar.clear.click,
                "Ctrl+Shift+L",
                enabled=lambda: model.transcript is not None,
            ),
        )

    def _frame_commands(self) -> tuple[Command, ...]:
        actions = self.parts.traffic.row_actions
        rows = (
            ("repeat", "R&epeat…", actions.repeat, "Ctrl+E", True),
            (
                "copy_json",
                "Copy as &JSON",
                partial(actions.copy, INDENTED_JSON),
                "Ctrl+Shift+C",
                True,
            ),
            ("copy_curl", "Copy as c&URL", partial(actions.copy, CURL), "Ctrl+Shift+U", False),
            (
                "bug_report",
                "&Bug report…",
                lambda: open_bug_report(self.window, self.parts),
                "Ctrl+Shift+B",
                False,
            ),
        )
        return tuple(
            Command(
                key,
                text,
                run,
                keys,
                enabled=self._has_frame,
                separated=key == rows[0][0],
                is_local=is_local,
            )
            for key, text, run, keys, is_local in rows
        )

    def _annotation_commands(self) -> tuple[Command, ...]:
        actions = self.parts.traffic.row_actions
        annotating = actions.annotating
        rows = (
            ("mark", "&Mark", annotating.toggle_mark, MARK_KEYS),
            ("comment", "Comme&nt…", actions.comment_requested.emit, COMMENT_KEYS),
            ("reference", "&Time reference", annotating.toggle_time_reference, REFERENCE_KEYS),
        )
        saved = self.parts.traffic.saved_filters
        return (
            *(
                Command(key, text, run, keys, enabled=self._has_frame, separated=key == "mark")
                for key, text, run, keys in rows
            ),
            Command(
                "save_filter", "Sa&ve filter…", saved.save_current, "Ctrl+Shift+H", separated=True
            ),
            Command("saved_filters", "Saved f&ilters and row colors…", saved.edit, "Ctrl+H"),
        )

    def _has_frame(self) -> bool:
        return bool(self.parts.traffic.modes.current_number())


class NavigateCommands(CommandGroup):
    """The Navigate menu: to the next and previous row of some sort."""

    menu = "&Navigate"

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        model, annotating = self.parts.traffic.model, self.parts.traffic.row_actions.annotating
        return tuple(
            Command(
                f"{direction}_{each.key}",
                f"{direction.capitalize()} {each.text}",
                partial(annotating.go, each, forward=is_forward),
                each.keys[0 if is_forward else 1],
                enabled=lambda: model.timeline.count > 0,
                separated=is_forward and each is not DESTINATIONS[0],
            )
            for each in DESTINATIONS
            for direction, is_forward in (("next", True), ("previous", False))
        )

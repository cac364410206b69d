"""Sheets over a real engine, as the window would open them, and the cases of the corpus they are tried with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from inspector.clock import SystemClock
from tests.support.wait import wait_until
from ui.features.elicitation.dialog import FormDialog, UrlDialog, make_elicitation_dialog
from ui.features.sampling.dialog import SamplingDialog
from ui.shell.inbox_controller import InboxDialogs

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.inbox import Inbox, InboxItem
    from inspector.wire.json_codec import Json, JsonObject
    from ui.inbox_dialog import InboxDialog
    from ui.theme import Theme


class Table:
    """A window with the dialogs of its inbox; what would be opened in a browser is kept instead."""

    def __init__(self, inbox: Inbox, theme: Theme) -> None:
        self.window = QWidget()
        self.opened: list[str] = []
        self._inbox = inbox
        self._theme = theme
        makers = {"sampling": self._sampling, "elicitation": self._elicitation}
        self.dialogs = InboxDialogs(makers, self.window)

    def sampling(self, ask: InboxItem) -> SamplingDialog:
        """Open the sheet of a sampling request."""
        sheet = self.dialogs.open(ask)
        assert isinstance(sheet, SamplingDialog)
        return sheet

    def form(self, ask: InboxItem) -> FormDialog:
        """Open the sheet of a form."""
        sheet = self.dialogs.open(ask)
        assert isinstance(sheet, FormDialog)
        return sheet

    def visit(self, ask: InboxItem) -> UrlDialog:
        """Open the sheet of a page to visit."""
        sheet = self.dialogs.open(ask)
        assert isinstance(sheet, UrlDialog)
        return sheet

    async def is_cleared(self) -> None:
        """Wait until every sheet is gone."""
        await wait_until(lambda: not self.dialogs.existing)

    def _sampling(self, ask: InboxItem, parent: QWidget) -> InboxDialog:
        clock = SystemClock()
        return SamplingDialog(ask, inbox=self._inbox, clock=clock, theme=self._theme, parent=parent)

    def _elicitation(self, ask: InboxItem, parent: QWidget) -> InboxDialog:
        return make_elicitation_dialog(
            ask,
            inbox=self._inbox,
            clock=SystemClock(),
            theme=self._theme,
            open_url=self.opened.append,
            parent=parent,
        )


def case(folder: Path, name: str) -> JsonObject:
    """What a case says: its `input` and its `expect`."""
    found: Json = json.loads((folder / f"{name}.json").read_text())
    assert isinstance(found, dict)
    assert found["id"] == name
    return found


def member(value: Json, *path: str | int) -> Json:
    """What stands at a place of a case."""
    for step in path:
        if isinstance(step, int):
            assert isinstance(value, list)
            value = value[step]
        else:
            assert isinstance(value, dict)
            value = value[step]
    return value

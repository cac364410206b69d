"""Saving what the compare page displays, and the way from its lines to the traffic."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.compare.difference_text import difference_text
from inspector.visible_text import one_line
from ui.features.compare.bar import MAX_TITLE
from ui.features.compare.subjects import ExchangeSubject
from ui.navigator import navigator_of
from ui.widgets.save import save_as

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QMenu, QWidget

    from inspector.compare.rows import DifferenceRows
    from ui.features.compare.subjects import Subject
    from ui.widgets.notice import Notice


def save_difference(
    rows: DifferenceRows | None,
    subjects: Sequence[Subject],
    part: str,
    notice: Notice,
    parent: QWidget,
) -> None:
    """Ask for a file and save a difference there as text, with secrets masked as on the page; `notice` says how that went."""
    if rows is None:
        return
    titles = [one_line(each.title, MAX_TITLE) for each in subjects]

    def supply() -> bytes:
        text = "\n".join(difference_text(rows, *titles))
        return f"{text}\n".encode("utf-8", "backslashreplace")

    def on_saved(path: str) -> None:
        notice.set_text(f"Saved to {path}")

    saving = save_as(supply, source_name=f"{part}.diff", mime="text/plain", parent=parent)
    saving.failed.connect(partial(notice.set_text, tone="error"))
    saving.saved.connect(on_saved)


def add_frame_actions(menu: QMenu, part: QWidget, subjects: Sequence[Subject]) -> None:
    """Add the way from both sides to their frames."""
    show = navigator_of(part).show_frame
    sides = ("Show before in traffic", "Show after in traffic")
    for text, subject in zip(sides, subjects, strict=False):
        if isinstance(subject, ExchangeSubject):
            frame = subject.frame
            menu.addAction(text, partial(show, frame.number, frame.transcript))

"""The repeat page: a message of the traffic, sent again as it was or edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.features.repeat import MAX_EDITED
from ui.features.repeat.message_page import MessagePage
from ui.pages import REPEAT, PageSpec
from ui.widgets.empty_state import EmptyState
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import size

if TYPE_CHECKING:
    from inspector.compare.compared_frame import ComparedFrame
    from ui.features.repeat.work import Work

EMPTY = (
    "Nothing to repeat",
    "Select a request in the traffic and use Repeat… in its menu (Ctrl+E).",
)


class RepeatPage(MessagePage):
    """Empty until there is a message to repeat."""

    info: ClassVar[PageSpec] = REPEAT
    ID_NAME: ClassVar[str] = "rep"

    def make_holder(self) -> QWidget:
        """Make what shows that there is nothing to repeat, or what is repeated."""
        icon = self.info.icon_name
        self._whole = QStackedWidget(self)
        self._empty = EmptyState(
            *EMPTY, theme=self.theme, icon=icon, name="repeat_empty", parent=self._whole
        )
        self._whole.addWidget(self._empty)
        return self._whole

    def arrange(self, content: QWidget) -> None:
        """Show the empty state until there is something."""
        self._whole.addWidget(content)
        column_layout(self, self._whole, space=0)

    def repeat(self, frame: ComparedFrame) -> None:
        """Put a message into the editor, to be sent again."""
        length = frame.transcript.columns.size[frame.number - 1]
        if length > MAX_EDITED:
            problem = (
                f"#{frame.number} has {size(length)}; at most {size(MAX_EDITED)} can be edited"
            )
            self._empty.set_text("Cannot repeat", problem)
            self.bar.show_problem(problem)
            return
        text = frame.transcript.raw(frame.number).decode(errors="replace")
        self.editing.start(text, frame)
        self.edit.setFocus()

    def restore(self, work: Work) -> None:
        """Show what was there for a server, or nothing."""
        self._empty.set_text(*EMPTY)
        super().restore(work)

    def refresh(self) -> None:
        """Show whether there is something to repeat, and what there is to know of it."""
        work = self.work
        self._whole.setCurrentIndex(work.original is not None or work.current is not None)
        super().refresh()

"""What the four lists on the left of a page have in common. Ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from ui.features.prompts.prompt_list import PromptList
from ui.features.resources.resource_list import ResourceList
from ui.features.tasks.task_list import TaskList
from ui.features.tools.tool_list import ToolList

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.filtered_list import FilteredList
    from ui.theme import Theme

LISTS = (ToolList, PromptList, ResourceList, TaskList)


@pytest.mark.parametrize("make", LISTS)
def test_the_focus_reaches_the_filter_before_the_rows_so_that_nothing_is_selected_unasked(
    make: type[FilteredList], theme: Theme, qtbot: QtBot
) -> None:
    """Ours: Qt selects the first row of a view that gets the focus, as when the part that had it is hidden."""
    filtered = make(theme=theme)
    qtbot.addWidget(filtered)
    made = filtered.findChildren(QWidget)  # Qt's focus chain has the order of construction
    assert made.index(filtered.filter) < made.index(filtered.view)

"""Wire data in a box of a few lines; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ui.widgets.code_text import LINES, CodeText
from ui.widgets.evidence_box import MAX_LINES, EvidenceBox

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize("is_framed", [True, False])
@pytest.mark.parametrize("lines", [1, 2, LINES, LINES + 1])
def test_only_more_lines_than_fit_can_be_scrolled(
    lines: int, is_framed: bool, theme: Theme, qtbot: QtBot
) -> None:
    """Ours: a scroll bar beside one line looks like a mark."""
    code = CodeText(theme=theme, name="code", is_framed=is_framed)
    qtbot.addWidget(code)
    code.resize(500, code.height())
    code.show()

    code.set_code("\n".join(["http://127.0.0.1/"] * lines), accessible_name="URL")

    assert (code.verticalScrollBar().maximum() == 0) == (lines <= LINES)


@pytest.mark.parametrize("lines", [1, 2, MAX_LINES, MAX_LINES + 1])
def test_only_more_evidence_than_fits_can_be_scrolled(
    lines: int, theme: Theme, qtbot: QtBot
) -> None:
    box = EvidenceBox(theme=theme, name="evidence")
    qtbot.addWidget(box)

    box.set_text("\n".join(["Traceback"] * lines))
    box.show()
    box.resize(500, box.maximumHeight())

    assert (box.verticalScrollBar().maximum() == 0) == (lines <= MAX_LINES)

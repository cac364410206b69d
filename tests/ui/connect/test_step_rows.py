"""The rows of connection steps: how high they are, what stays where it is, and where evidence goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inspector.session.steps import Step, StepState
from tests.ui.qt_actions import find
from ui.connect.state_styles import STEPS
from ui.connect.step_row import StepRow
from ui.widgets.evidence_box import EvidenceBox
from ui.widgets.heading_parts import Excerpt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_step_has_one_row_and_a_few_lines_and_what_is_beside_its_time_stays_where_it_is(
    qtbot: QtBot, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours: a link must not move away from under the pointer while a clock runs."""
    theme.apply(qapp, "light", scale)
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    row.resize(round(800 * scale), 60)
    row.show()
    step = Step("initialize", 0.0, frame=3, times_out_at=100.0)
    row.set_step(step, 0.01)
    assert row.sizeHint().height() == 22 * scale
    step.status_text = "waiting for response " * 20
    row.set_step(step, 0.02)
    text = find(row, Excerpt, "step_text")
    height = 22 * scale + 3 * text.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: row.heightForWidth(row.width()) == height, timeout=20_000)
    link, took = find(row, QPushButton, "step_frame"), find(row, QLabel, "step_took")
    qtbot.waitUntil(lambda: took.geometry().right() == row.rect().right(), timeout=20_000)
    before = (link.geometry(), took.geometry())

    row.tick(61.0)
    step.detail = "what the server printed"
    row.set_step(step, 61.0)

    layout = row.layout()
    assert layout is not None
    layout.activate()
    assert (link.geometry(), took.geometry()) == before
    assert took.alignment() & Qt.AlignmentFlag.AlignRight
    theme.apply(qapp, "light", 1.0)


def test_evidence_of_a_failed_step_needs_no_click_and_has_no_tint(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the tint is for the cause and the hint."""
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    row.show()
    step = Step(
        "Start process",
        0.0,
        StepState.FAILED,
        status_text="exited with code 1",
        hint="Install it.",
        detail="Traceback\n" * 40,
    )
    row.set_step(step, 1.0)

    (box,) = row.findChildren(EvidenceBox)
    assert box.isVisible()
    assert "Traceback" in box.toPlainText()
    assert find(row, QWidget, "notice").property("background") == "error"
    assert not find(row, QWidget, "notice").isAncestorOf(box)
    assert not find(row, QPushButton, "step_more").isVisible()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.5, "500 ms"), (9.96, "10.0 s"), (12.34, "12 s"), (75.0, "1 min 15 s")]
)
def test_a_running_time_changes_once_a_second_after_ten_seconds(
    qtbot: QtBot, theme: Theme, seconds: float, text: str
) -> None:
    """Ours: what moves attracts the eye."""
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    row.set_step(Step("initialize", 0.0), seconds)
    took = find(row, QLabel, "step_took")
    assert took.text() == text

    row.set_step(Step("initialize", 0.0, StepState.DONE, ended_at=12.34), 20.0)

    assert took.text() == "12.3 s"


def test_an_attempt_that_was_followed_by_another_is_a_warning(qtbot: QtBot, theme: Theme) -> None:
    """Ours: one error a connection; its whole cause is in the details."""
    row = StepRow(theme=theme)
    qtbot.addWidget(row)
    row.show()
    cause = "HTTP 404 Not Found; the path may be wrong " * 9
    step = Step("initialize", 0.0, StepState.UNSUCCESSFUL, ended_at=1.0, status_text=cause)
    row.set_step(step, 1.0)

    assert not row.findChildren(QWidget, "notice")
    assert row.accessibleName().startswith("initialize, unsuccessful: ")
    assert STEPS[StepState.UNSUCCESSFUL].tone == "warning"
    find(row, QPushButton, "step_more").click()
    (box,) = row.findChildren(EvidenceBox)
    assert cause.strip() in box.toPlainText()

"""A JSON-RPC error in words, and how much of an error is tinted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from inspector.errors import PeerError
from ui.widgets.code_text import LINES, CodeText
from ui.widgets.error_panel import MAX_CAUSE, ErrorPanel, error_text, short_cause
from ui.widgets.evidence_box import MAX_LINES

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

TRACEBACK = "\n".join(f"line {at} of what the server printed" for at in range(40))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (-32601, "-32601 Method not found: no"),
        (0, "code 0: no"),
        (42, "code 42: no"),
        (None, "error without a code: no"),
        ("E1", 'error "E1": no'),
        ({"n": None}, 'error {"n": null}: no'),
        (True, "error true: no"),
    ],
)
def test_a_code_is_named_and_no_value_of_the_program_is_shown(code: Json, text: str) -> None:
    """Ours."""
    assert error_text(PeerError(code, "no"), None).text == text


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    around = QWidget()
    qtbot.addWidget(around)
    return around


@pytest.fixture
def panel(around: QWidget, theme: Theme) -> ErrorPanel:
    panel = ErrorPanel(theme=theme)
    column = QVBoxLayout(around)
    column.addWidget(panel)
    column.addStretch(1)
    around.resize(600, 500)
    around.show()
    return panel


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_evidence_has_no_tint_and_six_whole_lines(
    panel: ErrorPanel, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours: a block of red says no more than a few lines of it."""
    theme.apply(qapp, "light", scale)
    panel.show_text("exited with code 1", hint="Install it.", detail=TRACEBACK)

    evidence = panel.evidence
    line = evidence.fontMetrics().lineSpacing()
    assert not panel.notice.isAncestorOf(evidence)
    assert panel.notice.property("background") == "error"
    assert not panel.property("background")
    assert MAX_LINES * line <= evidence.viewport().height() < MAX_LINES * line + 4
    assert evidence.cursorRect().top() == 0  # no part of a line above or below
    assert evidence.verticalScrollBar().maximum() > 0
    assert evidence.toPlainText() == TRACEBACK
    theme.apply(qapp, "light", 1.0)


def test_a_long_cause_goes_on_in_the_evidence(qtbot: QtBot, panel: ErrorPanel) -> None:
    """Ours: a server may send any length."""
    line = panel.fontMetrics().height()
    cause = "the server sent " + "it all " * 900
    panel.show_text(cause, detail="data")

    assert panel.evidence.toPlainText() == f"{cause}\n\ndata"
    assert panel.as_text() == f"{cause}\n\ndata"
    qtbot.waitUntil(lambda: 0 < panel.notice.height() < 8 * line, timeout=20_000)

    panel.show_text("short")

    assert panel.evidence.isHidden()


def test_a_notice_has_at_most_two_buttons_and_a_link(panel: ErrorPanel) -> None:
    """Ours."""
    panel.show_text("expired", hint="Send it again.", frame=3, detail="d")
    panel.offer("Send again")

    buttons = [each for each in panel.findChildren(QAbstractButton) if each.isVisible()]
    links = [each for each in buttons if each.property("flat_look")]
    assert len(links) == 1
    assert len(buttons) - len(links) <= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short", "short"),
        ("a\nb\nc", "a\nb\nc"),
        ("a\nb\nc\nd", "a\nb\nc…"),
        ("x" * (MAX_CAUSE + 1), "x" * MAX_CAUSE + "…"),
    ],
)
def test_a_cause_takes_a_few_lines(text: str, expected: str) -> None:
    """Ours."""
    assert short_cause(text) == expected


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_long_value_that_scrolls_shows_whole_lines_only(
    qtbot: QtBot, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours: half a line at the edge looks like a fault."""
    theme.apply(qapp, "light", scale)
    code = CodeText(theme=theme, name="code")
    qtbot.addWidget(code)
    code.resize(round(300 * scale), 400)
    code.show()
    code.set_code("https://auth.example/authorize?" + "state=x&" * 200, accessible_name="URL")

    line = code.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: code.verticalScrollBar().maximum() > 0, timeout=20_000)
    assert LINES * line <= code.viewport().height() < LINES * line + 4
    assert code.cursorRect().top() == 0  # no part of a line above or below
    theme.apply(qapp, "light", 1.0)

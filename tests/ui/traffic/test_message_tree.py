"""What the selected value of a message stands for, under its tree; ours throughout."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QPushButton

from inspector.wire.redaction import MASK

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

TOKEN = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln"


def test_an_encoded_value_is_decoded_under_the_tree_and_stays_in_it(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: a token with its badge, text that can be copied, and nothing for what stands for itself."""
    packed = base64.b64encode("Grüße aus Oslo".encode()).decode()
    panel.select_frame(talk.call(7, "send", body=packed, pass_on=TOKEN, plain="none"))
    tree, decoded = panel.detail.tree, panel.detail.tree.decoded
    assert not decoded.isVisible()

    tree.reveal("/params/arguments/body")
    qtbot.waitUntil(decoded.isVisible, timeout=2000)

    node = tree.tree.current()
    assert node is not None
    assert node.value == packed
    assert decoded.box.text() == "Grüße aus Oslo"
    row = tree.tree.visualRect(tree.tree.currentIndex())
    assert tree.tree.viewport().rect().contains(row)
    assert not decoded.badge.isVisible()
    copy = decoded.findChild(QPushButton, "traffic_tree_decoded_copy")
    assert isinstance(copy, QPushButton)
    copy.click()
    assert QApplication.clipboard().text() == "Grüße aus Oslo"

    tree.reveal("/params/arguments/pass_on")
    qtbot.waitUntil(decoded.badge.isVisible, timeout=2000)
    assert decoded.badge.text() == "not verified"
    tree.reveal("/params/arguments/plain")
    qtbot.waitUntil(lambda: not decoded.isVisible(), timeout=2000)


def test_secrets_of_the_session_are_masked_in_what_is_decoded(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours: whatever the member is called."""
    talk.transcript.redaction.know(("correct-horse-9",))
    packed = base64.b64encode(b"it is correct-horse-9, all right").decode()
    panel.select_frame(talk.call(7, "send", body=packed))

    panel.detail.tree.reveal("/params/arguments/body")

    qtbot.waitUntil(panel.detail.tree.decoded.isVisible, timeout=2000)
    assert panel.detail.tree.decoded.box.text() == f"it is {MASK}, all right"


def test_the_next_frame_begins_without_a_decoding(
    panel: TrafficPanel, talk: Talk, qtbot: QtBot
) -> None:
    """Ours."""
    number = talk.call(7, "send", body='{"a": 1}')
    panel.select_frame(number)
    panel.detail.tree.reveal("/params/arguments/body")
    qtbot.waitUntil(panel.detail.tree.decoded.isVisible, timeout=2000)

    panel.select_frame(1)

    assert not panel.detail.tree.decoded.isVisible()

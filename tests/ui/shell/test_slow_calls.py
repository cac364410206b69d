"""Which 1% of the calls is slow, and what do they have in common? Answered from the window alone. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inspector.transcript.transcript import Transcript
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find
from ui.timeline.latency_model import KEYS
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.shell.shell_fixture import ShellFixture


CALLS = 299


async def record(path: Path) -> None:
    """Three hundred calls of two tools; those of one region take two seconds."""
    talk = Talk()
    talk.transcript = Transcript.create(path, facts={"title": "slow"}, clock=talk.clock)
    for id_ in range(CALLS):
        is_slow = id_ % 100 == 50
        talk.call(id_, "search", region="antarctica" if is_slow else "europe", page=id_)
        talk.wait(2 if is_slow else 0.01)
        talk.text_result(id_, "fine")
        talk.call(f"w{id_}", "weather", city="oslo")
        talk.wait(0.02)
        talk.text_result(f"w{id_}", "fine")
    await talk.transcript.aclose()


async def test_the_slow_calls_and_what_they_share_are_two_keys_away(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: open the recording, look at the latency, follow what the slowest have in common to their rows."""
    await record(tmp_path / "slow.spyglass")
    window, parts = shell.window, shell.window.parts
    shell.controller.open_record(tmp_path / "slow.spyglass")
    await wait_until(lambda: parts.traffic.model.rowCount() == 4 * CALLS)

    window.commands.actions["latency"].trigger()
    assert parts.timeline.page.latency is not None
    table = parts.timeline.page.latency.table
    await wait_until(lambda: table.rows.rowCount() == 2)
    assert table.rows.row_at(0).key.name == "search"
    trait = await first_trait(shell)
    assert trait.whole_text().endswith('arguments.region = "antarctica"')

    trait.click()
    await wait_until(lambda: parts.traffic.model.rowCount() == 3)
    assert window.is_dock_visible("traffic")

    click(window, "strip_timeline") if window.bottom.is_folded else window.raise_dock("timeline")
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, KEYS.index("p99")))
    QTest.keyClick(table, Qt.Key.Key_Return)
    await wait_until(lambda: parts.traffic.model.rowCount() == 6)


async def first_trait(shell: ShellFixture) -> ElidedLink:
    timeline = shell.window.parts.timeline.page
    await wait_until(lambda: timeline.findChild(ElidedLink, "timeline_trait") is not None)
    return find(timeline, ElidedLink, "timeline_trait")

"""What came and is no frame yet, under the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.wire.frame import Channel
from tests.support.wait import wait_until
from ui.models.timeline import timeline_of

if TYPE_CHECKING:
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


async def test_an_unfinished_line_is_a_growing_row_after_a_second(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: the traffic is always in sight, raw and whole."""
    unfinished, rows = talk.transcript.unfinished, panel.unfinished
    unfinished.note(Channel.STDOUT, 9, b'{"jsonrpc', b'{"jsonrpc')
    rows.refresh()
    assert rows.texts() == []
    assert rows.isHidden()

    talk.wait(1.5)
    await wait_until(rows.texts)
    (text,) = rows.texts()
    assert all(part in text for part in ("unfinished line", "stdout", "9 B", "1.5 s", '{"jsonrpc'))

    unfinished.note(Channel.STDOUT, 4_000_000, b'{"jsonrpc":"2.0"', b"xxx")
    await wait_until(lambda: "4.0 MB" in rows.texts()[0])
    unfinished.note(Channel.STDOUT, 0)
    await wait_until(rows.isHidden)


async def test_each_channel_has_a_row_of_its_own(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: on standard error, what a terminal shows."""
    bar = b"\rbuilding 1%\rbuilding 2%"
    talk.transcript.unfinished.note(Channel.STDERR, len(bar), bar, bar)
    talk.wait(0.5)
    talk.transcript.unfinished.note(Channel.SSE, 7, b"data: {", b"data: {", stream=1)
    talk.wait(2)
    await wait_until(lambda: len(panel.unfinished.texts()) == 2)

    stderr, event = panel.unfinished.texts()
    assert stderr.endswith("building 2%")
    assert "building 1%" not in stderr
    assert "unfinished event" in event

    panel.set_timeline(timeline_of(None))
    assert panel.unfinished.texts() == []


@pytest.mark.parametrize("raw", [b"\rbuilding 1%\rbuilding 2%\r", b"x" * 5000 + b"\rbuilding 2%"])
async def test_a_line_with_carriage_returns_shows_its_last_part(
    panel: TrafficPanel, talk: Talk, raw: bytes
) -> None:
    """Ours."""
    panel.model.set_folds(False)
    row = panel.model.rowCount()
    talk.stderr(raw)
    await wait_until(lambda: panel.model.rowCount() > row)

    texts = panel.model.painted_row(row).texts
    assert texts[-1] == "building 2%"


async def test_blank_lines_are_counted(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    row = panel.model.rowCount()
    talk.received(b"\n\r\n\n")
    await wait_until(lambda: panel.model.rowCount() > row)

    texts = panel.model.painted_row(row).texts
    assert "4 empty lines" in texts[-1]

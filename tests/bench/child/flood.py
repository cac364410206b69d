"""A flood of notifications into the whole application, its traffic in view and following."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests.bench.child import window
from tests.bench.child.window import BenchWindow, until


async def flood(shell: BenchWindow, count: int, stamp: Path) -> dict[str, float]:
    """Call the tool, wait until everything has arrived, and check that nothing is lost."""
    shell.connect("--stamp", stamp)
    await shell.settled()
    await shell.choose("flood")
    transcript, model = shell.session.session.transcript, shell.app.window.parts.traffic.model
    before = transcript.count
    clicked = shell.click_call(json.dumps({"n": count}))
    await until(lambda: _is_shown(shell))
    shown = time.monotonic()
    await until(lambda: model.rowCount() == transcript.count)
    caught_up = time.monotonic()
    gap_ms = shell.gaps.end_ms()
    _check_all_kept(shell, before, count)
    shell.gaps.begin()
    await until(lambda: not shell.session.sweep.pending)
    written = _moment(stamp)
    return {
        "after_written": max(shown, caught_up) - written,
        "from_click": max(shown, caught_up) - clicked,
        "gap_ms": gap_ms,
        "judged": time.monotonic() - written,
        "judging_gap_ms": shell.gaps.end_ms(),
        "memory_mb": window.memory_mb(),
    }


def _moment(stamp: Path) -> float:
    return float(stamp.read_text())


def _is_shown(shell: BenchWindow) -> bool:
    panel = shell.tools.result_panel
    over = panel.operation is not None and panel.operation.is_finished
    return over and panel.is_rendered and bool(panel.views.isVisible())


def _check_all_kept(shell: BenchWindow, before: int, count: int) -> None:
    """The first, the middle and the last can be read back, from the record and from the rows."""
    transcript, model = shell.session.session.transcript, shell.app.window.parts.traffic.model
    assert transcript.count == before + 1 + count + 1, transcript.count
    for nth in (0, count // 2, count - 1):
        number = before + 2 + nth
        message = f"f {nth:06d} "
        assert message.encode() in transcript.raw(number)
        row = model.visible_frames.row_of(number)
        assert row is not None
        texts = model.painted_row(row).texts
        assert any(message in text for text in texts), texts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50_000)
    count: int = parser.parse_args().count
    with tempfile.TemporaryDirectory() as folder:
        window.run(lambda shell: flood(shell, count, Path(folder) / "stamp"))


if __name__ == "__main__":
    main()

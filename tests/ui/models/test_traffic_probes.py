"""Rows of what Spyglass provoked while it found out how to talk to the server; ours."""

from __future__ import annotations

from inspector.transcript.filter.query import parse
from tests.support.talk import Talk
from ui.models.traffic_cells import PROBE_WORD, TimeFormat
from ui.models.traffic_columns import COLUMNS, make_cells, position


def probed() -> Talk:
    """Frames 1 to 3 are the probe, a line on stderr and the refusal; 4 is the note, 5 and 6 a ping that fails."""
    talk = Talk()
    asked = talk.request(1, "server/discover")
    talk.stderr(b"validation error")
    answer = talk.error(1, -32601, "Method not found")
    talk.note("probe", "a probe", request=asked, until=answer)
    talk.request(2, "ping")
    talk.error(2, -32601, "Method not found")
    return talk


def test_an_expected_refusal_is_quiet_and_named_a_probe() -> None:
    """Ours: red is for what is wrong."""
    transcript = probed().transcript
    for number in (1, 2, 3):
        cells = make_cells(transcript, number, 0, TimeFormat.CLOCK)
        assert cells.texts[position("status")] == PROBE_WORD
        assert set(cells.tones) == {"muted"}
        assert cells.background == ""
    assert make_cells(transcript, 6, 0, TimeFormat.CLOCK).tones[position("status")] == "error"


def test_the_tool_tip_tells_the_outcome_of_the_probe() -> None:
    """Ours: nothing that came is hidden."""
    transcript = probed().transcript
    assert "error" in COLUMNS[position("status")].tip(transcript, 3)
    assert COLUMNS[position("status")].tip(transcript, 6) == ""


def test_probes_are_found_and_left_out_by_a_filter() -> None:
    """Ours."""
    transcript = probed().transcript
    found = {
        value: list(parse(f"status:{value}").matches(transcript, 1, transcript.count + 1))
        for value in ("probe", "failed")
    }
    assert found == {"probe": [1, 3], "failed": [5, 6]}

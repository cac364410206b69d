"""One frame whole: tree, raw text, timing, problems; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from inspector.finding import Finding, Severity
from tests.support.talk import Talk
from tests.ui.qt_actions import reads
from tests.ui.traffic.hands import button
from ui.models.timeline import Timeline
from ui.traffic.frame_details import Tab

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel


def title_of(panel: TrafficPanel, tab: Tab) -> str:
    return panel.detail.tabs.tabText(list(Tab).index(tab))


def test_a_problem_leads_to_its_place_in_the_tree(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    place = "/params/arguments/a"
    talk.transcript.add_finding(1, Finding("odd", Severity.WARNING, "odd", place))
    panel.select_frame(1)
    panel.detail.show_tab(Tab.PROBLEMS)
    assert title_of(panel, Tab.PROBLEMS) == "Problems 1"

    found = panel.detail.problems.findChild(QPushButton, "traffic_problem_place")
    assert isinstance(found, QPushButton)
    found.click()

    assert panel.detail.current_tab() is Tab.TREE
    node = panel.detail.tree.tree.current()
    assert node is not None
    assert node.pointer() == place


def test_problems_that_are_found_later_are_counted(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    panel.select_frame(1)
    assert title_of(panel, Tab.PROBLEMS) == "Problems"

    talk.transcript.add_finding(1, Finding("odd", Severity.WARNING, "odd"))
    panel.detail.refresh_if_changed()

    assert title_of(panel, Tab.PROBLEMS) == "Problems 1"


def test_what_is_only_remarked_is_no_problem(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: the count is the one of the status bar."""
    for severity in (Severity.INFO, Severity.WARNING, Severity.INFO):
        talk.transcript.add_finding(1, Finding(f"odd-{severity}", severity, "odd"))
    talk.transcript.add_finding(2, Finding("odd", Severity.INFO, "odd"))
    panel.select_frame(1)
    assert title_of(panel, Tab.PROBLEMS).startswith("Problems 1 · ")

    panel.select_frame(2)

    assert title_of(panel, Tab.PROBLEMS) == "Problems · 1 note"
    assert talk.transcript.counts.problems == 1


def test_a_frame_names_its_run_where_there_are_several(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: each run has a frame of this number."""
    panel.select_frame(1)
    assert not reads(panel, "traffic_detail_title").startswith("run")
    later = Talk()
    later.call(1, "get_sum")
    transcripts = [talk.transcript, later.transcript]

    panel.set_timeline(Timeline(transcripts, runs=[3, 4]))
    assert reads(panel, "traffic_detail_title").startswith("run 3 · 1 · ")
    panel.select_frame(1)
    assert reads(panel, "traffic_detail_title").startswith("run 4 · 1 · ")

    panel.set_timeline(Timeline([later.transcript], runs=[4]))
    panel.select_frame(1)
    assert reads(panel, "traffic_detail_title").startswith("1 · ")
    panel.select_frame(1, talk.transcript)

    assert reads(panel, "traffic_detail_title").startswith("earlier run · 1 · ")


def test_raw_text_is_what_crossed_the_wire(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: raw is truth."""
    raw = b'{ "method" : "x" ,"params":{"a":1,"a":1.50} }  '
    panel.select_frame(talk.received(raw))

    panel.detail.show_tab(Tab.RAW)

    assert panel.detail.raw.text().encode() == raw


def test_the_bytes_of_a_frame_tell_what_its_text_cannot(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a byte order mark and bytes that are not UTF-8."""
    panel.select_frame(talk.received(b'\xef\xbb\xbf{"method":"x","params":{"a":"\xff"}}'))

    panel.detail.show_tab(Tab.HEX)

    marked = panel.detail.hex.marked.text()
    assert "byte order mark" in marked
    assert "1 invalid UTF-8 sequence" in marked
    panel.select_frame(1)
    assert marked != panel.detail.hex.marked.text()


def test_what_is_not_json_is_explained_beside_the_tree(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    panel.select_frame(talk.received(b"Server listening"))

    assert panel.detail.tree.remarks().startswith("Not JSON")


def test_the_frames_of_an_exchange_are_a_way_to_each_other(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    panel.select_frame(1)
    panel.detail.show_tab(Tab.TIMING)
    rows = panel.detail.timing.list
    second = rows.visualRect(panel.detail.timing.members.index(1)).center()

    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=second)

    assert panel.table.current_number() == 2


def test_progress_of_a_pending_call_joins_its_exchange(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    number = talk.request(9, "tools/call", name="slow", _meta={"progressToken": "p"})
    panel.select_frame(number)
    panel.detail.show_tab(Tab.TIMING)

    talk.received(
        {"method": "notifications/progress", "params": {"progressToken": "p", "progress": 1}}
    )
    panel.detail.refresh_if_changed()

    names = [
        str(panel.detail.timing.members.index(row).data())
        for row in range(panel.detail.timing.members.rowCount())
    ]
    assert [name.split("  ")[2] for name in names] == ["request", "progress"]


def test_only_messages_of_ours_offer_to_be_sent_again(panel: TrafficPanel) -> None:
    """Ours."""
    panel.select_frame(1)
    assert button(panel, "repeat").isVisible()

    panel.select_frame(2)
    assert not button(panel, "repeat").isVisible()
    assert button(panel, "jump").accessibleName() == "Go to the request (Enter)"


def test_a_frame_that_is_no_json_has_no_tree(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a line on standard error is not meant to be JSON; the next message is a tree again."""
    call, line = talk.call(1, "a"), talk.stderr(b"plain words")
    panel.model.feed.pull()
    tree = list(Tab).index(Tab.TREE)

    panel.select_frame(call)
    assert panel.detail.current_tab() is Tab.TREE
    panel.select_frame(line)
    assert not panel.detail.tabs.isTabVisible(tree)
    assert panel.detail.current_tab() is Tab.RAW
    assert panel.detail.raw.text() == "plain words"
    panel.select_frame(call)
    assert panel.detail.current_tab() is Tab.TREE

    panel.select_frame(line)
    panel.detail.show_tab(Tab.TIMING)
    panel.select_frame(call)
    assert panel.detail.current_tab() is Tab.TIMING


def test_a_tab_with_many_facts_needs_no_more_height_than_the_tree(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours: a dock keeps the height that the user gave it, whichever tab is looked at."""
    panel.select_frame(1)

    for tab in Tab:
        panel.detail.show_tab(tab)

    tabs = panel.detail.tabs
    pages = {tab: tabs.widget(at) for at, tab in enumerate(Tab)}
    heights = {tab: page.minimumSizeHint().height() for tab, page in pages.items() if page}
    assert {tab: height for tab, height in heights.items() if height > heights[Tab.TREE]} == {}

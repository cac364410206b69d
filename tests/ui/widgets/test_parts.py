"""Small parts: named, plain text, quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QListView, QMenu, QToolButton, QWidget

from inspector.errors import TimedOut
from ui.widgets.badge import Badge
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, ListDelegate
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.filter_field import MAX_LINES, FilterField
from ui.widgets.heading_parts import TitleLine
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import ElidedLabel
from ui.widgets.links import ElidedLink
from ui.widgets.outcome_line import OutcomeLine, ProgressLine
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

MARKUP = "<b>bold</b><img src='http://127.0.0.1:9/x.png'>"


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def button(widget: QWidget, name: str) -> QAbstractButton:
    found = widget.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_no_part_shows_markup_of_a_server(qtbot: QtBot, theme: Theme) -> None:
    """result-27-markup-in-text."""
    panel, facts = ErrorPanel(theme=theme), KeyValues(theme=theme)
    empty, label = EmptyState(MARKUP, MARKUP, theme=theme), ElidedLabel(MARKUP)
    for widget in (panel, facts, empty, label):
        qtbot.addWidget(widget)
    panel.show_text(MARKUP, hint=MARKUP)
    facts.set_facts([KeyValue(MARKUP, MARKUP, MARKUP)])

    labels = [x for w in (panel, facts, empty, label) for x in w.findChildren(QLabel)] + [label]

    assert all(x.textFormat() is Qt.TextFormat.PlainText for x in labels if "<b>" in x.text())
    assert all("<b>" not in x.toolTip() for x in labels)


def test_a_badge_is_hidden_while_it_says_nothing(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    parent = QWidget()
    qtbot.addWidget(parent)
    badge = Badge("", theme=theme, parent=parent)
    assert badge.isHidden()

    badge.set_text("3", "error")

    assert not badge.isHidden()
    assert badge.accessibleName() == "3"


def test_a_badge_without_a_parent_does_not_become_a_window(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    badge = Badge("x", theme=theme)
    qtbot.addWidget(badge)
    badge.set_text("")
    badge.set_text("y")

    assert not badge.isVisible()


def test_a_long_label_gives_way_and_tells_the_whole(qtbot: QtBot, theme: Theme) -> None:
    """Ours: long names are elided with the whole in the tool tip."""
    label = ElidedLabel("word " * 50)
    qtbot.addWidget(label)
    label.resize(100, 20)
    label.show()

    assert label.is_elided()
    assert "word word" in label.toolTip()
    assert label.minimumSizeHint().width() < 100
    label.set_text("short")
    assert label.toolTip() == ""


def test_buttons_are_named_for_assistive_technology(qtbot: QtBot, theme: Theme) -> None:
    """Ours: every control has an accessible name."""
    first = push_button("&Call", name="call", primary=True)
    second = tool_button(theme, "mdi6.close", "Close", name="close")
    qtbot.addWidget(first)
    qtbot.addWidget(second)

    assert (first.accessibleName(), first.objectName()) == ("Call", "call")
    assert (second.accessibleName(), second.objectName()) == ("Close", "close")


def test_segments_tell_what_a_person_chose_and_not_what_the_program_did(qtbot: QtBot) -> None:
    """Ours."""
    segments = SegmentedControl([("text", "Text"), ("raw", "Raw")])
    qtbot.addWidget(segments)
    heard: list[str] = []
    segments.chosen.connect(heard.append)

    segments.choose("raw")
    button(segments, "segments_text").click()

    assert heard == ["text"]
    assert segments.current() == "text"


def test_segments_keep_the_choice_when_the_options_change(qtbot: QtBot) -> None:
    """Ours."""
    segments = SegmentedControl([("a", "A"), ("b", "B")])
    qtbot.addWidget(segments)
    segments.choose("b")

    segments.set_options([("b", "B"), ("c", "C")])
    assert segments.current() == "b"
    segments.set_options([("c", "C")])
    assert segments.current() == "c"
    segments.set_options([])
    assert segments.current() == ""


def test_a_section_makes_its_content_when_first_opened(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    made: list[QLabel] = []

    def make() -> QLabel:
        made.append(QLabel("content"))
        return made[-1]

    section = CollapsibleSection("_meta", make, theme=theme)
    qtbot.addWidget(section)
    assert (made, section.is_open()) == ([], False)

    for opened in (True, False, True):
        section.set_open(opened)

    assert len(made) == 1
    assert section.is_open()


def test_facts_are_shown_made_visible_and_copied_as_they_are(qtbot: QtBot, theme: Theme) -> None:
    """text-01-bidi-and-invisible."""
    facts = KeyValues(theme=theme)
    qtbot.addWidget(facts)
    facts.set_facts([KeyValue("name", "a\u202eb"), KeyValue("size", "3")])

    shown = [label.text() for label in facts.findChildren(QLabel) if not label.isHidden()]

    assert "a⟨U+202E⟩b" in shown
    assert facts.as_text() == "name: a\u202eb\nsize: 3"


def test_facts_offer_copying(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    facts = KeyValues(theme=theme)
    qtbot.addWidget(facts)
    facts.set_facts([KeyValue("name", "value")])
    facts.show()

    facts.customContextMenuRequested.emit(facts.rect().center())
    menu = facts.findChild(QMenu)
    assert menu is not None
    menu.actions()[-1].trigger()
    menu.close()

    assert clipboard() == "name: value"


def test_an_error_shows_cause_remedy_and_the_way_to_its_frame(qtbot: QtBot, theme: Theme) -> None:
    """Ours: an error belongs to the place where it happened, with what to try next."""
    panel = ErrorPanel(theme=theme)
    qtbot.addWidget(panel)
    assert panel.isHidden()

    panel.show_error(TimedOut("no answer in 60 s", hint="Raise the limit", frame=7), detail="d")

    heard: list[object] = []
    panel.frame_requested.connect(heard.append)
    button(panel, "show_frame").click()
    assert heard == [7]
    assert panel.as_text() == "no answer in 60 s\n\nRaise the limit\n\nd"
    assert panel.accessibleName() == "error: No answer in 60 s"
    panel.clear()
    assert panel.isHidden()


def test_an_empty_state_offers_the_next_step(qtbot: QtBot, theme: Theme) -> None:
    """Ours: empty states say what to do next."""
    state = EmptyState("No servers", "Add one.", theme=theme, action="Add…")
    qtbot.addWidget(state)

    with qtbot.waitSignal(state.action_triggered, timeout=20_000):
        button(state, "empty_state_action").click()
    state.set_text("Nothing")

    assert button(state, "empty_state_action").isHidden()


def test_a_filter_settles_when_typing_pauses_and_at_once_on_enter(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    field = FilterField(theme=theme, placeholder="Filter tools")
    qtbot.addWidget(field)
    heard: list[str] = []
    field.settled.connect(heard.append)

    with qtbot.waitSignal(field.settled, timeout=20_000):
        QTest.keyClicks(field.line, "abc")
    QTest.keyClicks(field.line, "d")
    QTest.keyClick(field.line, Qt.Key.Key_Return)

    assert heard == ["abc", "abcd"]


def test_wrong_filter_syntax_is_explained_under_the_field(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    field = FilterField(theme=theme)
    qtbot.addWidget(field)

    field.set_problem("took: wants a duration")
    assert field.problem() == "took: wants a duration"
    assert field.line.property("problem") is True
    field.set_problem("")

    assert field.line.property("problem") is False


def test_an_explained_filter_needs_no_more_height_than_its_words_take(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: what surrounds the field is not enlarged by more than is seen."""
    field = FilterField(theme=theme)
    qtbot.addWidget(field)
    field.resize(700, 80)
    field.show()
    before = field.minimumSizeHint().height()

    field.set_problem("fields are " + "method, direction, kind, " * 8)

    text = field.findChild(QLabel, "filter_problem")
    assert text is not None
    qtbot.waitUntil(lambda: text.width() == field.width())
    assert text.heightForWidth(700) > text.fontMetrics().height()  # two lines
    spacing = theme.px(2)
    needed = before + spacing + text.heightForWidth(700)
    qtbot.waitUntil(lambda: field.minimumSizeHint().height() <= needed)


def test_a_long_explanation_of_a_filter_takes_a_few_lines_and_is_told_whole(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: in a narrow field it leaves the rows their room."""
    field = FilterField(theme=theme)
    qtbot.addWidget(field)
    field.resize(200, 80)
    field.show()
    text = field.findChild(QLabel, "filter_problem")
    assert text is not None

    field.set_problem("word " * 40)

    most = MAX_LINES * text.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: 0 < text.heightForWidth(field.width()) <= most)
    assert text.text().endswith("…")
    assert field.problem().count("word") == 40
    assert text.toolTip().count("word") == 40

    field.set_problem("word")
    assert (text.text(), text.toolTip()) == ("word", "")


def test_a_link_that_is_too_long_ends_early_and_is_told_whole(qtbot: QtBot, theme: Theme) -> None:
    """Ours: what it counts does not keep a window from being narrow, and nothing of it is lost."""
    text = "29 HTTP header blocks, 1 SSE event without a message hidden"
    link = ElidedLink(name="link")
    qtbot.addWidget(link)
    link.set_text(text)
    link.resize(link.sizeHint())
    link.show()
    whole = link.text()

    link.resize(link.width() // 3, link.height())

    assert whole == text
    assert link.text() != text
    assert link.text().endswith("…")
    assert (link.whole_text(), link.accessibleName()) == (text, text)
    assert link.minimumSizeHint().width() < link.width() < link.sizeHint().width()


@pytest.mark.parametrize("tone", ["ok", "error", "warning", "pending", "muted", "person"])
def test_an_outcome_has_words_for_every_state(qtbot: QtBot, theme: Theme, tone: str) -> None:
    """Ours: information is never in colour alone."""
    line = OutcomeLine(theme=theme)
    qtbot.addWidget(line)

    line.set_outcome("tool error", tone, seconds=0.0123)

    assert line.text() == "tool error"
    assert "12 ms" in [label.text() for label in line.findChildren(QLabel)]


def test_progress_can_be_cancelled(qtbot: QtBot, theme: Theme) -> None:
    """Ours: long work shows progress and a way to stop it."""
    line = ProgressLine(theme=theme)
    qtbot.addWidget(line)
    line.set_progress("Step 3 of 10", 0.3)

    with qtbot.waitSignal(line.cancelled, timeout=20_000):
        button(line, "progress_cancel").click()
    line.set_progress("Working")
    line.finish()

    assert line.isHidden()


def test_dense_rows_are_drawn_for_any_text(qtbot: QtBot, theme: Theme) -> None:
    """text-02-rtl-and-emoji: must not overflow the row."""
    model = QStandardItemModel()
    for name in ("echo", "שלום_tool", "w" * 4000, "\u202eevil", ""):
        item = QStandardItem(name)
        item.setData("مرحبا 123 abc", SECONDARY_ROLE)
        item.setData([("read-only", "ok"), ("destructive", "error")], BADGES_ROLE)
        model.appendRow(item)
    for two_lines in (False, True):
        view = QListView()
        qtbot.addWidget(view)
        view.setModel(model)
        view.setItemDelegate(ListDelegate(theme=theme, two_lines=two_lines, parent=view))
        view.resize(200, 200)
        view.show()

        assert not view.grab().isNull()
        expected = theme.ROW_HEIGHT_PX + (16 if two_lines else 0)
        assert view.visualRect(model.index(0, 0, QModelIndex())).height() == expected


def test_options_that_stay_keep_their_buttons_and_the_others_are_gone_at_once(
    qtbot: QtBot,
) -> None:
    """Ours: a count that changes takes the focus from nobody."""
    segments = SegmentedControl((("a", "A"), ("b", "B")), name="views")
    qtbot.addWidget(segments)
    segments.show()
    gone, kept = (segments.findChild(QToolButton, f"views_{key}") for key in "ab")

    segments.set_options((("c", "C"), ("b", "B 2")))

    assert segments.findChild(QToolButton, "views_b") is kept
    assert isinstance(kept, QToolButton)
    assert kept.text() == "B 2"
    assert isinstance(gone, QToolButton)
    assert not gone.isVisible()


@pytest.mark.parametrize(("title", "is_cut"), [("Short", False), ("A long title " * 9, True)])
def test_a_title_has_room_before_the_name_beside_it(
    qtbot: QtBot, theme: Theme, title: str, is_cut: bool
) -> None:
    """Ours: what is cut has the whole in its tool tip."""
    line = TitleLine(theme=theme, name="x")
    qtbot.addWidget(line)
    line.resize(400, 30)
    line.show()
    line.show_names(title, "file:///a/long/path/" * 9)

    assert line.title.is_elided() == is_cut
    assert line.name.is_elided()
    assert line.name.toolTip()
    assert bool(line.title.toolTip()) == is_cut
    assert line.name.width() >= 400 // 3 - 1
    if is_cut:
        assert line.title.width() > line.name.width()

"""Saved filters are links in the bar and color rows; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton

from inspector.config.saved_filters import COLORS, MAX_SAVED, SavedFilter
from inspector.config.window_settings import WindowSettings, read_settings, write_settings
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, sees
from tests.ui.traffic.hands import choose, chosen_texts, numbers
from ui.models.row_rules import ROW_COLORS, rules_of
from ui.models.traffic_columns import position
from ui.theme.palettes import BACKGROUNDS
from ui.traffic.saved_filter_dialog import SavedFilterDialog
from ui.widgets.links import ElidedLink

if TYPE_CHECKING:
    from inspector.json_value import Json
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel

FILTERS = (
    SavedFilter("Sums", "tool:get_sum", color="green"),
    SavedFilter("Hidden", "kind:stderr", in_bar=False, color="amber"),
    SavedFilter("Requests", "kind:request"),
    SavedFilter("Wrong", "kind:reqest", color="red"),
    SavedFilter("Fourth", "sum"),
)


def links(panel: TrafficPanel) -> list[str]:
    found = panel.bar.saved.findChildren(ElidedLink)
    return [link.whole_text() for link in found if link.isVisible()]


def test_three_saved_filters_are_links_and_all_are_in_the_menu(panel: TrafficPanel) -> None:
    """Ours: a click applies one, another takes it away again."""
    assert not sees(panel, "traffic_saved_filters")
    panel.saved_filters.restore(FILTERS)

    assert links(panel) == ["Sums", "Requests", "Wrong"]
    link = find(panel, ElidedLink, "traffic_saved_filter_0")
    link.click()
    assert panel.filter_text() == "tool:get_sum"
    assert "in force" in link.accessibleName()
    link.click()
    assert panel.filter_text() == ""
    menu = panel.bar.saved.make_menu()
    assert chosen_texts(menu)[:5] == [each.name for each in FILTERS]
    choose(menu, "Fourth")
    assert numbers(panel) == [1, 2]


async def test_links_show_their_names_whole_as_far_as_there_is_space(panel: TrafficPanel) -> None:
    """Ours: those that do not fit are in the menu only."""
    panel.saved_filters.restore(FILTERS)
    await wait_until(lambda: panel.bar.saved.width() == panel.bar.saved.sizeHint().width())

    found = [link for link in panel.bar.saved.findChildren(ElidedLink) if link.isVisible()]
    assert [link.text() for link in found] == ["Sums", "Requests", "Wrong"]
    panel.resize(800, 300)
    await wait_until(lambda: len(links(panel)) == 1)
    await wait_until(lambda: find(panel, ElidedLink, "traffic_saved_filter_0").text() == "Sums")


def test_rows_are_colored_by_the_first_filter_that_matches_with_a_sign(panel: TrafficPanel) -> None:
    """Ours: the sign has another shape for each color, and assistive technology says the name."""
    panel.saved_filters.restore(FILTERS)

    rows = [panel.model.painted_row(row) for row in range(panel.model.rowCount())]
    role = Qt.ItemDataRole.AccessibleTextRole
    said = [panel.model.index(row, position("marks")).data(role) for row in range(5)]

    assert [row.background for row in rows] == ["ok_ground", "ok_ground", "", "", "warning_ground"]
    assert [[tone for _, tone in row.marks] for row in rows] == [
        ["ok"],
        ["ok"],
        [],
        [],
        ["warning"],
    ]
    assert said == ["Sums", "Sums", "", "", "Hidden"]
    assert panel.table.columns.is_visible("marks")


def test_every_color_is_a_background_that_text_is_readable_on() -> None:
    """Ours: and none has the shape of another."""
    assert {look.background for look in ROW_COLORS.values()} <= set(BACKGROUNDS)
    assert len({look.sign for look in ROW_COLORS.values()}) == len(ROW_COLORS)
    assert set(ROW_COLORS) == set(COLORS) - {""}


def test_a_large_frame_is_not_searched_to_color_its_row(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: a row is drawn at once; the dialog says so."""
    panel.saved_filters.restore([SavedFilter("a", "aaa", color="red"), FILTERS[0]])
    number = talk.call(9, "get_sum", text="a" * (1 << 20))
    panel.model.feed.pull()

    assert panel.model.painted_row(number - 1).background == "ok_ground"


def test_the_filter_of_now_is_saved_in_the_dialog(panel: TrafficPanel) -> None:
    """Ours: by keyboard, and one that is wrong cannot be saved."""
    panel.set_filter("kind:request")
    panel.saved_filters.save_current()
    dialog = find(panel, SavedFilterDialog, "saved_filter_dialog")
    name, text = [edit for edit in dialog.findChildren(QLineEdit) if edit.isEnabled()]
    assert text.text() == "kind:request"
    text.setText("kind:reqest")
    assert not find(dialog, QPushButton, "saved_save").isEnabled()
    assert "did you mean" in find(dialog, QLabel, "saved_problem").text()

    name.setText("Asked")
    text.setText("kind:request dir:out")
    dialog.findChildren(QComboBox)[0].setCurrentIndex(COLORS.index("blue"))
    dialog.findChildren(QCheckBox)[0].setChecked(False)
    find(dialog, QPushButton, "saved_save").click()

    saved = SavedFilter("Asked", "kind:request dir:out", in_bar=False, color="blue")
    assert panel.saved_filters.filters == (saved,)
    assert panel.model.painted_row(0).background == "info_ground"


def test_saved_filters_are_in_the_settings_file(panel: TrafficPanel) -> None:
    """Ours: what is invalid in it is left out."""
    settings = WindowSettings(saved_filters=FILTERS, filter_history=("a", "b | c"))

    again = read_settings(write_settings(settings))

    assert (again.saved_filters, again.filter_history) == (FILTERS, ("a", "b | c"))
    odd = read_settings(
        {
            "saved_filters": [
                1,
                {},
                {"name": "", "text": "x"},
                {"name": "n", "text": "x", "color": 5},
            ],
            "filter_history": [1, "x"],
        }
    )
    assert odd.saved_filters == (SavedFilter("n", "x"),)
    assert odd.filter_history == ("x",)
    entries: list[Json] = [{"name": "n", "text": "x"}] * 100
    many = read_settings({"saved_filters": entries})
    assert len(many.saved_filters) == MAX_SAVED
    assert read_settings({"saved_filters": 5, "filter_history": {}}) == WindowSettings()
    assert [rule.name for rule in rules_of(FILTERS)] == ["Sums", "Hidden"]

"""One object that dresses the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QLabel, QLineEdit, QTabWidget, QVBoxLayout, QWidget

from tests.ui.counted import Counted
from ui.theme import Theme, tokens
from ui.theme.icons import glyph
from ui.theme.palettes import PALETTES
from ui.widgets.buttons import PushButton, link_button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def test_a_pinned_scheme_reaches_the_palette(qapp: QApplication, theme: Theme) -> None:
    """Ours."""
    theme.apply(qapp, "dark")

    assert theme.palette.is_dark
    assert theme.mode == "dark"
    assert qapp.palette().window().color().name() == PALETTES["dark"].colors["panel"]
    assert theme.color("text").name() == PALETTES["dark"].colors["text"]


def test_the_scale_enlarges_text_rows_and_icons(qapp: QApplication, theme: Theme) -> None:
    """Ours: text can be enlarged to 200%."""
    before = theme.font().pointSizeF(), theme.mono().pointSizeF(), qapp.font().pointSizeF()

    theme.apply(qapp, "light", 2.0)

    after = theme.font().pointSizeF(), theme.mono().pointSizeF(), qapp.font().pointSizeF()
    assert after == pytest.approx([2 * size for size in before])
    assert (theme.SPACING_PX, theme.PADDING_PX, theme.ROW_HEIGHT_PX, theme.ICON) == (8, 16, 44, 32)


def test_an_absurd_scale_is_bounded(qapp: QApplication, theme: Theme) -> None:
    """Ours."""
    theme.apply(qapp, "light", 50.0)

    assert theme.scale == tokens.SCALES[-1]


def test_a_change_is_told(qapp: QApplication, theme: Theme) -> None:
    """Ours."""
    heard: list[bool] = []
    theme.changed.connect(lambda: heard.append(theme.palette.is_dark))

    theme.apply(qapp, "dark")
    theme.apply(qapp, "light")

    assert heard == [True, False]


@pytest.mark.parametrize(("mode", "times"), [("system", 1), ("light", 0), ("dark", 0)])
def test_a_change_of_the_system_matters_while_the_theme_follows_it(
    qapp: QApplication, theme: Theme, mode: str, times: int
) -> None:
    """Ours."""
    theme.apply(qapp, mode)
    heard: list[bool] = []
    theme.changed.connect(lambda: heard.append(theme.palette.is_dark))

    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)

    assert len(heard) == times


def test_the_style_sheet_can_be_left_out_while_the_window_is_built(
    qapp: QApplication, theme: Theme
) -> None:
    """Ours: with one, everything that is put into a window is polished again and again."""
    theme.apply(qapp, "light")
    before = qapp.styleSheet()

    with theme.stylesheet_suspended():
        assert qapp.styleSheet() == ""
        theme.apply(qapp, "dark")
        assert (theme.palette.is_dark, qapp.styleSheet()) == (True, "")

    assert qapp.styleSheet() not in {"", before}


def test_an_icon_follows_the_scheme_without_being_made_again(
    qapp: QApplication, theme: Theme
) -> None:
    """Ours."""
    icon = theme.icon("mdi6.magnify")
    light = colours_in(icon)

    theme.apply(qapp, "dark")

    assert PALETTES["light"].colors["text"] in light
    assert PALETTES["dark"].colors["text"] in colours_in(icon)
    assert theme.icon("mdi6.magnify") is icon


def colours_in(icon: QIcon) -> set[str]:
    image = icon.pixmap(QSize(48, 48)).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    return {
        image.pixelColor(x, y).name()
        for x in range(48)
        for y in range(48)
        if image.pixelColor(x, y).alpha() == 255
    }


@pytest.mark.parametrize("name", ["mdi6.magnify", "mdi6.refresh"])
def test_icon_names_of_each_font_are_found(qapp: QApplication, name: str) -> None:
    """Ours: guards the files of qtawesome that are read."""
    family, character = glyph(name)

    assert family
    assert len(character) == 1


def test_an_unknown_icon_is_blank_and_does_not_raise(qapp: QApplication, theme: Theme) -> None:
    """Ours."""
    assert theme.icon("mdi6.no-such-icon").pixmap(16, 16).width() == 16
    assert glyph("nofont.plug") == ("", "")


def test_another_theme_starts_from_the_size_of_the_system(qapp: QApplication, theme: Theme) -> None:
    """Ours: enlarging is not added up."""
    before = theme.font().pointSizeF()
    theme.apply(qapp, "light", 2.0)

    another = Theme()
    another.apply(qapp, "light", 1.0)

    assert another.font().pointSizeF() == pytest.approx(before)


DEPTH = 8


def test_a_change_of_looks_goes_through_each_widget_a_few_times_however_deep_it_is(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: exchanging one style sheet for another goes through it once for each widget that it is in."""
    theme.apply(qapp, "light", 2.0)
    outer = inner = QWidget()
    qtbot.addWidget(outer)
    for _ in range(DEPTH):
        column = QVBoxLayout(inner)
        inner = QWidget()
        column.addWidget(inner)
    label = QLabel("words", inner)
    outer.show()
    changes = Counted(label, QEvent.Type.StyleChange)

    theme.apply(qapp, "dark", 1.2)

    assert 1 <= changes.count < DEPTH
    assert label.font().pointSizeF() == pytest.approx(theme.font().pointSizeF())


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("align", ["", "left", "right"])
def test_a_link_that_has_the_focus_has_a_whole_frame_and_its_text_stays(
    qapp: QApplication, qtbot: QtBot, theme: Theme, scale: float, align: str
) -> None:
    """Ours; WCAG 2.2, 2.4.7: its text begins at the edge, and so does the frame."""
    theme.apply(qapp, "light", scale)
    window = QWidget()
    link, other = link_button("Mute rules", name="mute"), link_button("Show", name="show")
    link.setProperty("align", align)
    column = QVBoxLayout(window)
    for button in (link, other):
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    def drawn(button: PushButton) -> tuple[int, QImage]:
        button.setFocus()
        corner = link.height() // 4
        inner = link.rect().adjusted(2, corner, -3, -corner)
        return link.sizeHint().width(), link.grab(inner).toImage()

    before = drawn(other)
    assert drawn(link) == before
    image, middle = link.grab().toImage(), link.height() // 2
    accent = PALETTES["light"].colors["accent"]
    for x in (0, link.width() - 1):
        assert image.pixelColor(x, middle).name() == accent


def test_only_the_tab_that_has_the_focus_has_a_frame(
    qapp: QApplication, qtbot: QtBot, theme: Theme
) -> None:
    """Ours; WCAG 2.2, 2.4.7."""
    theme.apply(qapp, "light")
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    lines = QLineEdit(), QLineEdit()
    for text, line in zip(("Tools", "Raw"), lines, strict=True):
        tabs.addTab(line, text)
    qtbot.addWidget(tabs)
    tabs.resize(400, 200)
    tabs.show()
    tabs.activateWindow()
    qtbot.waitUntil(tabs.isActiveWindow)
    bar = tabs.tabBar()

    def edge(at: int) -> str:
        rect = bar.tabRect(at)
        return bar.grab().toImage().pixelColor(rect.left() + 1, rect.top() + 1).name()

    tabs.setCurrentIndex(1)  # not where the mouse is
    lines[1].setFocus()
    accent = PALETTES["light"].colors["accent"]
    before = bar.tabRect(1)
    assert accent not in {edge(0), edge(1)}
    bar.setFocus()

    assert edge(1) == accent
    assert edge(0) != accent
    assert bar.tabRect(1) == before

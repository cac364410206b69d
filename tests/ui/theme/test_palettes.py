"""Colours can be read: measured, not judged by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor

from resources import path
from tests.support.contrast import contrast
from ui.theme import palettes
from ui.theme.palettes import PALETTES
from ui.widgets.badge import BACKGROUND_ALPHA

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from ui.theme import Theme

LEAST = 4.5
MIN_OF_MARKS = 3.0


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_words_can_be_read_on_every_ground(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    poor = [
        f"{ink} on {ground}"
        for ink in palettes.READABLE
        for ground in palettes.BACKGROUNDS
        if contrast(colour(ink, scheme), colour(ground, scheme)) < LEAST
    ]

    assert poor == []


def colour(name: str, scheme: str) -> QColor:
    return QColor(PALETTES[scheme].colors[name])


def test_the_faint_color_is_for_what_cannot_be_used() -> None:
    """Ours; WCAG 2.2, 1.4.3 exempts disabled parts alone; the handle of a scroll bar is no text."""
    rules = path("style.qss").read_text("utf-8").split("}")
    selectors = [rule.partition("{")[0].strip() for rule in rules if "$faint" in rule]

    assert selectors
    assert [each for each in selectors if ":disabled" not in each] == ["QScrollBar::handle:hover"]


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_words_on_a_button_that_is_pressed_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    pressed = colour("pressed", scheme)

    assert [
        ink for ink in ("text", "muted") if contrast(colour(ink, scheme), pressed) < LEAST
    ] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_the_primary_button_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    assert contrast(colour("on_accent", scheme), colour("accent", scheme)) >= LEAST


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_badges_can_be_read_on_the_tint_of_their_own_colour(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    poor = [
        f"{tone} on {ground}"
        for tone in palettes.READABLE
        for ground in ("panel", "window")
        if badge_contrast(colour(tone, scheme), colour(ground, scheme)) < LEAST
    ]

    assert poor == []


def badge_contrast(ink: QColor, ground: QColor) -> float:
    share = BACKGROUND_ALPHA / 255
    tint = QColor.fromRgbF(
        ground.redF() * (1 - share) + ink.redF() * share,
        ground.greenF() * (1 - share) + ink.greenF() * share,
        ground.blueF() * (1 - share) + ink.blueF() * share,
    )
    return contrast(ink, tint)


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_outlines_and_marks_stand_out_from_what_is_around_them(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.11."""
    poor = [
        f"{mark} on {surface}"
        for mark in palettes.MARKS
        for surface in palettes.SURFACES
        if contrast(colour(mark, scheme), colour(surface, scheme)) < MIN_OF_MARKS
    ]

    assert poor == []


def test_fields_and_check_boxes_are_outlined_with_a_mark(qapp: QApplication, theme: Theme) -> None:
    """Ours; WCAG 2.2, 1.4.11: the pale outline is for what words tell already."""
    theme.apply(qapp, "light")
    edge = PALETTES["light"].colors["edge"]
    rules = qapp.styleSheet().split("}")
    for part in ("QLineEdit, QComboBox", "QCheckBox::indicator, QRadioButton::indicator,"):
        rule = next(rule for rule in rules if part in rule)
        assert edge in rule
    tab = next(rule for rule in rules if "QTabBar::tab {" in rule)
    assert PALETTES["light"].colors["faint"] not in tab


def test_contrast_of_black_and_white_is_the_largest_there_is() -> None:
    """WCAG 2.2, "contrast ratio"."""
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("white"), QColor("white")) == pytest.approx(1)

"""Colours can be read: measured, not judged by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor

from resources import path
from tests.support.contrast import contrast
from ui.theme import palettes
from ui.theme.palettes import PALETTES
from ui.widgets.badge import TINT, TINT_IN_THE_DARK

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

    poor += [
        f"quiet on {ground}"
        for ground in palettes.QUIET_GROUNDS
        if contrast(colour("quiet", scheme), colour(ground, scheme)) < LEAST
    ]

    assert poor == []


def colour(name: str, scheme: str) -> QColor:
    return QColor(PALETTES[scheme].colors[name])


def test_the_color_of_what_cannot_be_used_is_for_nothing_else() -> None:
    """Ours; WCAG 2.2, 1.4.3 exempts disabled parts alone."""
    rules = path("style.qss").read_text("utf-8").split("}")
    selectors = [rule.partition("{")[0].strip() for rule in rules if "$disabled" in rule]

    assert selectors
    assert [each for each in selectors if ":disabled" not in each] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_words_on_a_button_that_is_pressed_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    pressed = colour("pressed", scheme)

    assert [
        ink for ink in ("text", "muted") if contrast(colour(ink, scheme), pressed) < LEAST
    ] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_the_primary_button_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3: at rest, under the pointer and pressed, and so the badge of requests that wait."""
    grounds = ("accent", "accent_hover", "accent_pressed", "person")

    assert [
        ground
        for ground in grounds
        if contrast(colour("on_accent", scheme), colour(ground, scheme)) < LEAST
    ] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_badges_can_be_read_on_the_tint_of_their_own_colour(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    share = TINT_IN_THE_DARK if PALETTES[scheme].is_dark else TINT
    poor = [
        f"{tone} on {ground}"
        for tone in palettes.READABLE
        for ground in ("panel", "window")
        if badge_contrast(colour(tone, scheme), colour(ground, scheme), share) < LEAST
    ]

    assert poor == []


def badge_contrast(ink: QColor, ground: QColor, share: float) -> float:
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
    outline = PALETTES["light"].colors["outline"]
    rules = qapp.styleSheet().split("}")
    for part in ("QLineEdit, QComboBox", "QCheckBox::indicator, QRadioButton::indicator,"):
        rule = next(rule for rule in rules if part in rule)
        assert outline in rule
    tab = next(rule for rule in rules if "QTabBar::tab {" in rule)
    assert PALETTES["light"].colors["disabled"] not in tab


def test_contrast_of_black_and_white_is_the_largest_there_is() -> None:
    """WCAG 2.2, "contrast ratio"."""
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("white"), QColor("white")) == pytest.approx(1)


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_every_theme_has_every_color(scheme: str) -> None:
    """Ours."""
    assert PALETTES[scheme].colors.keys() == palettes.LIGHT.keys()


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_what_cannot_be_used_is_still_seen(scheme: str) -> None:
    """Ours: paler than the secondary text, and not gone."""
    disabled, muted, panel = (colour(each, scheme) for each in ("disabled", "muted", "panel"))

    assert MIN_OF_MARKS <= contrast(disabled, panel) < contrast(muted, panel)


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_the_outline_of_a_button_is_seen_where_its_ground_is_the_one_around_it(
    qapp: QApplication, theme: Theme, scheme: str
) -> None:
    """Ours; WCAG 2.2, 1.4.11."""
    theme.apply(qapp, scheme)
    rule = next(rule for rule in qapp.styleSheet().split("}") if "\nQPushButton {" in rule)
    palette = PALETTES[scheme]
    border = "outline" if palette.has_borders else "button"

    assert f"border: 1px solid {palette.colors[border]}" in rule
    assert palette.has_borders == (palette.colors["button"] == palette.colors["panel"])


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("has_high_contrast", [False, True])
def test_the_theme_of_the_system_follows_scheme_and_contrast(
    is_dark: bool, has_high_contrast: bool
) -> None:
    """Ours."""
    name = palettes.system_palette(is_dark=is_dark, has_high_contrast=has_high_contrast)

    assert (PALETTES[name].is_dark, PALETTES[name].has_borders) == (is_dark, has_high_contrast)

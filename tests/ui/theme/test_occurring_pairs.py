"""Every pair of a text color and a ground that the style sheet and the palette of Qt make can be read: measured, in every theme."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QPalette

from resources import path
from tests.support.contrast import contrast
from ui.theme.palettes import PALETTES
from ui.theme.stylesheet import NOTICE_TONES, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_OF_TEXT = 4.5
MIN_OF_MARKS = 3.0

_Role = QPalette.ColorRole

ROLE_PAIRS = (
    (_Role.WindowText, _Role.Window),
    (_Role.Text, _Role.Base),
    (_Role.Text, _Role.AlternateBase),
    (_Role.PlaceholderText, _Role.Base),
    (_Role.ButtonText, _Role.Button),
    (_Role.HighlightedText, _Role.Highlight),
    (_Role.ToolTipText, _Role.ToolTipBase),
    (_Role.Link, _Role.Base),
    (_Role.LinkVisited, _Role.Base),
)
"""What Qt writes on what."""


def rules() -> Iterator[tuple[str, str]]:
    """The selector and the declarations of every rule of the style sheet."""
    text = re.sub(r"/\*.*?\*/", "", path("style.qss").read_text("utf-8"), flags=re.DOTALL)
    for rule in text.split("}"):
        selector, _, declarations = rule.partition("{")
        if declarations:
            yield selector.strip(), declarations


def pairs() -> set[tuple[str, str]]:
    """Text and ground of every rule that names both."""
    found: set[tuple[str, str]] = set()
    for selector, declarations in rules():
        text = re.search(r"(?<![-\w])color: \$(\w+)", declarations)
        ground = re.search(r"background: \$(\w+)", declarations)
        if text and ground and ":disabled" not in selector:
            found.add((text.group(1), ground.group(1)))
    return found


def ratio(scheme: str, one: str, other: str) -> float:
    colors = PALETTES[scheme].colors
    return contrast(QColor(colors[one]), QColor(colors[other]))


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_what_a_rule_of_the_style_sheet_writes_on_its_ground_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    found = pairs()

    assert ("on_accent", "accent") in found
    assert ("text", "raised") in found
    assert [pair for pair in sorted(found) if ratio(scheme, *pair) < MIN_OF_TEXT] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_what_qt_writes_on_what_can_be_read(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3."""
    named = [(ROLES[text], ROLES[ground]) for text, ground in ROLE_PAIRS]

    assert [pair for pair in named if ratio(scheme, *pair) < MIN_OF_TEXT] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_parts_without_a_ground_of_their_own_can_be_read_where_they_are(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.3: segments that are not selected, the text of a toggle, texts in notices."""
    grounds = [f"{tone}_ground" for tone in NOTICE_TONES]
    named = [
        ("muted", "button"),
        ("text", "button"),
        ("text", "selection"),
        ("error", "panel"),
        ("error", "hover"),
        *((text, ground) for ground in grounds for text in ("text", "muted", "accent")),
    ]

    assert [pair for pair in named if ratio(scheme, *pair) < MIN_OF_TEXT] == []


@pytest.mark.parametrize("scheme", sorted(PALETTES))
def test_the_bar_and_the_sign_of_a_notice_are_seen_on_its_ground(scheme: str) -> None:
    """Ours; WCAG 2.2, 1.4.11."""
    named = [(color, f"{tone}_ground") for tone, color in NOTICE_TONES.items()]

    assert [pair for pair in named if ratio(scheme, *pair) < MIN_OF_MARKS] == []

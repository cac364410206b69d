"""Icons from the fonts that qtawesome ships, drawn when they are painted.

Only the data of qtawesome is used: importing it costs a quarter of a second and loads eleven fonts, reading one font and
its character map costs ten milliseconds, once, when the first icon is painted. The color is read while painting,
so icons follow the palette without being made again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

if TYPE_CHECKING:
    from collections.abc import Callable

FONTS = {
    "mdi6": "materialdesignicons6-webfont-*.ttf",
}
"""Prefix of an icon's name → its font file in qtawesome."""

GLYPH_SHARE = 0.94
"""How much of the icon's edge the glyph's em square takes."""


@cache
def glyph(name: str) -> tuple[str, str]:
    """The font family and the character of an icon such as `mdi6.magnify`; of an unknown one, a blank."""
    prefix, _, short = name.partition(".")
    family, characters = _font(prefix)
    code = characters.get(short)
    return (family, chr(int(code, 16))) if code else (family, "")


@cache
def _font(prefix: str) -> tuple[str, dict[str, str]]:
    file = _font_file(prefix)
    if file is None:
        return "", {}
    number = QFontDatabase.addApplicationFont(str(file))
    families = QFontDatabase.applicationFontFamilies(number)
    stem, _, version = file.stem.rpartition("-")
    table = file.with_name(f"{stem}-charmap-{version}.json")
    characters = cast("dict[str, str]", json.loads(table.read_text("utf-8")))
    return (families[0] if families else ""), characters


def _font_file(prefix: str) -> Path | None:
    spec = find_spec("qtawesome")
    if spec is None or spec.origin is None or prefix not in FONTS:
        return None
    return next((Path(spec.origin).parent / "fonts").glob(FONTS[prefix]), None)


class GlyphEngine(QIconEngine):
    """Paints one character of an icon font in the colors of the moment."""

    def __init__(self, name: str, color: Callable[[QIcon.Mode, QIcon.State], QColor]) -> None:
        """Draw the icon `name`; `color` is called at each painting."""
        super().__init__()
        self._name = name
        self._color = color

    def clone(self) -> GlyphEngine:
        """The same icon again, as Qt wants before it changes one."""
        return GlyphEngine(self._name, self._color)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the character in the middle of `rect`."""
        family, character = glyph(self._name)
        font = QFont(family)
        font.setPixelSize(max(1, round(rect.height() * GLYPH_SHARE)))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        painter.save()
        painter.setFont(font)
        painter.setPen(self._color(mode, state))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon on nothing; the base class would fill the ground."""
        pixmap = QPixmap(size)
        if size.isEmpty():
            return pixmap
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

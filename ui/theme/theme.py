"""The theme of the window: one object, passed by constructor, that applies palette and tokens and returns them by name.

`changed` fires after a change of scheme or scale. Colors are asked for while painting, so most widgets need not listen;
who caches a color, a font or a size has to.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QIcon,
)

from ui.theme import tokens
from ui.theme.icons import GlyphEngine
from ui.theme.layout_spaces import rescale_layouts
from ui.theme.palettes import PALETTES, SYSTEM, Palette, system_palette
from ui.theme.restyle import Restyler
from ui.theme.stylesheet import make_qpalette, make_stylesheet

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from PySide6.QtWidgets import QApplication


STYLE = "fusion"
"""The style of Qt that the sheet builds on."""

STYLED = "has_style"
"""Property of an application that has it: to set it again takes as long as the first time."""


class Theme(QObject):
    """Colors, sizes, fonts and icons by name.

    Signals:
        changed: colors or sizes are different from now on.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, *, is_styled: bool = False) -> None:
        """Light, at 100%, until `apply` is called.

        `is_styled`: the application was started in `STYLE`. To set it later, a fifth of the time before the first painting goes
        into enumerating styles that are not used.
        """
        super().__init__(parent)
        self._is_styled = is_styled
        self._app: QApplication | None = None
        self.mode = SYSTEM
        """The requested theme: a name in `PALETTES`, or `SYSTEM`."""
        self.palette = PALETTES["light"]
        """The palette in use."""
        self._restyler = Restyler(self)
        self._is_suspended = False
        self.scale = 1.0
        """Text scale, 1.0 to 2.0."""
        self._points = tokens.BASE_POINTS
        self._mono_share: float | None = None
        self._colors = _colors(self.palette)
        self._icons: dict[tuple[str, str], QIcon] = {}
        # Garbage collection would delete icons and what paints them in any order, and crash.
        self.destroyed.connect(self._icons.clear)

    @property
    def SPACING_PX(self) -> int:
        """The unit of spacing, in pixels."""
        return self.px(tokens.SPACING_PX)

    @property
    def PADDING_PX(self) -> int:
        """Between the edge of a panel and what is in it."""
        return self.px(tokens.PADDING_PX)

    @property
    def ROW_HEIGHT_PX(self) -> int:
        """Height of a row of a table or list."""
        return self.px(tokens.ROW_HEIGHT_PX)

    @property
    def ICON(self) -> int:
        """Edge of an icon."""
        return self.px(tokens.ICON)

    def px(self, at_100: float) -> int:
        """A size given in pixels at 100%, scaled."""
        return round(at_100 * self.scale)

    def color(self, name: str) -> QColor:
        """The color called `name` in the palette."""
        return self._colors[name]

    def font(self, size: float = 1.0, *, bold: bool = False) -> QFont:
        """The text font; `size` is relative (`tokens.SMALL`, `tokens.TITLE`)."""
        font = QFont(QGuiApplication.font().family())
        font.setPointSizeF(self._text_points(size))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def mono(self, size: float = 1.0, *, bold: bool = False) -> QFont:
        """The font of wire data, names and values that can be copied; its small letters are at most as high as those of the text."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSizeF(self._text_points(size))
        if self._mono_share is None:
            text = QFontMetricsF(self.font(size)).xHeight()
            mono = QFontMetricsF(font).xHeight()
            self._mono_share = min(max(text / mono, tokens.MIN_MONO), 1.0) if mono else 1.0
        font.setPointSizeF(self._text_points(size) * self._mono_share)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def _text_points(self, size: float) -> float:
        points = self._points * self.scale * size
        return max(points, tokens.MIN_POINTS) if size < 1 else points

    def character_width(self) -> int:
        """Width of a digit of the text font, to size columns by what they hold."""
        return QFontMetrics(self.font()).horizontalAdvance("0")

    def icon(self, name: str, color: str = "text") -> QIcon:
        """The icon `name` (`mdi6.…`) in a named color; it follows the theme."""
        key = (name, color)
        if key not in self._icons:
            self._icons[key] = QIcon(GlyphEngine(name, _ink(self._colors, color)))
        return self._icons[key]

    def apply(self, app: QApplication, mode: str = SYSTEM, scale: float = 1.0) -> None:
        """Apply the theme called `mode` to `app`; `SYSTEM`, or an unknown name, follows the color scheme of the system."""
        if self._app is None:
            self._adopt(app)
        self.mode = mode if mode in PALETTES else SYSTEM
        before, self.scale = self.scale, min(max(scale, tokens.SCALES[0]), tokens.SCALES[-1])
        if self.scale != before:
            rescale_layouts(app, before, self.scale)
        self._apply_theme()

    @contextlib.contextmanager
    def stylesheet_suspended(self) -> Generator[None]:
        """Take the style sheet off while many widgets are built.

        With one, Qt goes through it again for everything inside a widget that is put into another, which is half of the time
        that building takes.
        """
        self._is_suspended = True
        if self._app is not None:
            self._restyler.take_off(self._app)
        try:
            yield
        finally:
            self._is_suspended = False
            self._apply_theme()

    def _adopt(self, app: QApplication) -> None:
        self._app = app
        # Not the application's font, which another theme may have enlarged.
        points = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
        self._points = points if points > 0 else tokens.BASE_POINTS
        self._mono_share = None
        if not self._is_styled and app.property(STYLED) is None:
            app.setStyle(STYLE)
        app.setProperty(STYLED, True)
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_system_changed)

    def _apply_theme(self) -> None:
        app = self._app
        if app is None:
            return
        self.palette = self._choose_palette(app)
        self._colors.update(_colors(self.palette))
        is_resized = app.font() != self.font()
        is_applied = False
        if not self._is_suspended:
            text = make_stylesheet(self._colors, self.px, self.palette)
            is_applied = self._restyler.exchange(app, text)
        app.setPalette(make_qpalette(self.color))
        if is_resized:
            app.setFont(self.font())
        if is_applied and not is_resized:
            self._restyler.drop_fonts(app)
        elif not self._is_suspended:
            self._restyler.polish(app, is_resized=is_resized)
        self.changed.emit()

    def _choose_palette(self, app: QApplication) -> Palette:
        """Return the palette of the requested theme, and have the system draw title bars that fit it."""
        hints = app.styleHints()
        if self.mode == SYSTEM:
            hints.setColorScheme(Qt.ColorScheme.Unknown)
            preference = hints.accessibility().contrastPreference()
            name = system_palette(
                is_dark=hints.colorScheme() is Qt.ColorScheme.Dark,
                has_high_contrast=preference is Qt.ContrastPreference.HighContrast,
            )
            return PALETTES[name]
        palette = PALETTES[self.mode]
        hints.setColorScheme(Qt.ColorScheme.Dark if palette.is_dark else Qt.ColorScheme.Light)
        return palette

    def _on_system_changed(self) -> None:
        if self.mode == SYSTEM:
            self._apply_theme()


def _colors(palette: Palette) -> dict[str, QColor]:
    return {name: QColor(value) for name, value in palette.colors.items()}


def _ink(colors: dict[str, QColor], color: str) -> Callable[[QIcon.Mode, QIcon.State], QColor]:
    """What an icon is drawn with; the icon of what is switched on has the accent.

    It knows the colors and not the theme: the two would keep each other alive in a ring, and Qt does not survive an
    icon that is collected while a widget shows it.
    """

    def ink(mode: QIcon.Mode, state: QIcon.State) -> QColor:
        if mode is QIcon.Mode.Disabled:
            return colors["disabled"]
        return colors["accent" if state is QIcon.State.On else color]

    return ink

"""The look of the window: one object, handed down by constructor, that applies the tokens and hands them out.

`changed` fires after a change of scheme or scale. Colours are asked for while painting, so most widgets need not listen;
who caches a colour, a font or a size has to.
"""

from __future__ import annotations

import contextlib
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QGuiApplication, QIcon

from ui.theme import tokens
from ui.theme.icons import GlyphEngine
from ui.theme.qpalette import make_palette
from ui.theme.stylesheet import make_stylesheet

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from PySide6.QtWidgets import QApplication


class Mode(StrEnum):
    """Which scheme a person wants."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


STYLE = "fusion"
"""The style of Qt that the sheet builds on."""

SCHEMES = {
    Mode.SYSTEM: Qt.ColorScheme.Unknown,
    Mode.LIGHT: Qt.ColorScheme.Light,
    Mode.DARK: Qt.ColorScheme.Dark,
}
"""What is asked of the system; `Unknown` asks for nothing."""


class Theme(QObject):
    """Colours, sizes, fonts and icons by name.

    Signals:
        changed: colours or sizes are different from now on.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None, *, is_styled: bool = False) -> None:
        """Light, at 100%, until `apply` is called.

        `is_styled`: the application was started in `STYLE`. To set it later, a fifth of the time before the first painting goes
        into enumerations of styles that nobody uses.
        """
        super().__init__(parent)
        self._is_styled = is_styled
        self._app: QApplication | None = None
        self._mode = Mode.SYSTEM
        self._dark = False
        self._undressed = False
        self._scale = 1.0
        self._points = tokens.BASE_POINTS
        self._colours = _colours(dark=False)
        self._icons: dict[tuple[str, str], QIcon] = {}
        # Garbage collection would delete icons and what paints them in any order, and crash.
        self.destroyed.connect(self._icons.clear)

    @property
    def mode(self) -> Mode:
        """What was asked for."""
        return self._mode

    @property
    def dark(self) -> bool:
        """Whether the dark scheme is on."""
        return self._dark

    @property
    def scale(self) -> float:
        """Text scale, 1.0 to 2.0."""
        return self._scale

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
        return round(at_100 * self._scale)

    def colour(self, name: str) -> QColor:
        """The colour called `name` in `tokens.COLOURS`."""
        return self._colours[name]

    def font(self, size: float = 1.0, *, bold: bool = False) -> QFont:
        """The text font; `size` is relative (`tokens.SMALL`, `tokens.TITLE`)."""
        font = QFont(QGuiApplication.font().family())
        font.setPointSizeF(self._points * self._scale * size)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def mono(self, size: float = 1.0) -> QFont:
        """The font of wire data, names and values that can be copied."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSizeF(self._points * self._scale * size)
        return font

    def character_width(self) -> int:
        """Width of a digit of the text font, to size columns by what they hold."""
        return QFontMetrics(self.font()).horizontalAdvance("0")

    def icon(self, name: str, colour: str = "text") -> QIcon:
        """The icon `name` (`mdi6.…`, `fa6s.…`) in a named colour; it follows the scheme by itself."""
        key = (name, colour)
        if key not in self._icons:
            self._icons[key] = QIcon(GlyphEngine(name, _ink(self._colours, colour)))
        return self._icons[key]

    def apply(self, app: QApplication, mode: Mode | str = Mode.SYSTEM, scale: float = 1.0) -> None:
        """Dress `app`, and keep following the system's scheme while `mode` is `SYSTEM`."""
        if self._app is None:
            self._adopt(app)
        self._mode = Mode(mode)
        self._scale = min(max(scale, tokens.SCALES[0]), tokens.SCALES[-1])
        self._apply_theme()

    @contextlib.contextmanager
    def stylesheet_suspended(self) -> Generator[None]:
        """Without the style sheet for as long as it takes to build much.

        With one, Qt goes through it again for everything inside a widget that is put into another, which is half of the time
        that building takes.
        """
        self._undressed = True
        if self._app is not None:
            self._app.setStyleSheet("")
        try:
            yield
        finally:
            self._undressed = False
            self._apply_theme()

    def _adopt(self, app: QApplication) -> None:
        self._app = app
        # Not the application's font, which another theme may have enlarged.
        points = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
        self._points = points if points > 0 else tokens.BASE_POINTS
        if not self._is_styled:
            app.setStyle(STYLE)
        app.styleHints().colorSchemeChanged.connect(self._on_color_scheme_changed)

    def _apply_theme(self) -> None:
        app = self._app
        if app is None:
            return
        # For what the system draws itself, such as title bars.
        app.styleHints().setColorScheme(SCHEMES[self._mode])
        self._dark = self._wants_dark(app)
        self._colours.update(_colours(dark=self._dark))
        app.setFont(self.font())
        app.setPalette(make_palette(self.colour))
        if not self._undressed:
            # To exchange one sheet for another, Qt goes through every widget once for each that it is in.
            app.setStyleSheet("")
            app.setStyleSheet(make_stylesheet(self._colours, self.px, dark=self._dark))
        self.changed.emit()

    def _wants_dark(self, app: QApplication) -> bool:
        if self._mode is not Mode.SYSTEM:
            return self._mode is Mode.DARK
        return app.styleHints().colorScheme() is Qt.ColorScheme.Dark

    def _on_color_scheme_changed(self) -> None:
        if self._mode is Mode.SYSTEM:
            self._apply_theme()


def _colours(*, dark: bool) -> dict[str, QColor]:
    return {
        name: QColor(pair.dark if dark else pair.light) for name, pair in tokens.COLOURS.items()
    }


def _ink(colours: dict[str, QColor], colour: str) -> Callable[[QIcon.Mode], QColor]:
    """What an icon is drawn with.

    It knows the colours and not the theme: the two would keep each other alive in a ring, and Qt does not survive an
    icon that is collected while a widget shows it.
    """
    return lambda mode: colours["faint" if mode is QIcon.Mode.Disabled else colour]

"""Both images of a change, and where they differ: in base64 a line says no more than their size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.compare.json_lines import binary_of
from ui.render.image_view import ImageView, decode_image, dimensions
from ui.render.rendering import Malformed
from ui.widgets.labels import plain_label, show_text
from ui.widgets.layout_parts import Hairline, clear_layout, column_layout

if TYPE_CHECKING:
    from inspector.compare.json_difference import Change
    from inspector.compare.json_text import JsonText
    from ui.theme import Theme

MAX_BYTES = 4 << 20
"""Of an image that is drawn: it is decoded while the window waits."""
MAX_PIXELS = 1_000_000
"""Likewise."""
HEIGHT = 120
"""Pixels at 100% of an image on the screen."""
SIDES = ("Before", "After", "Difference")


class ComparedImages(QWidget):
    """The images of the change under the cursor; hidden where it has none."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Without images, until `show_change`."""
        super().__init__(parent)
        self.setObjectName("compare_images")
        self._theme = theme
        self._change: Change | None = None
        self.text = plain_label(name="compare_images_text", parent=self)
        self._row = QHBoxLayout()
        self._column = column_layout(self, Hairline(theme=theme, parent=self), self.text, space=0)
        self._column.addLayout(self._row)
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def _refresh(self) -> None:
        """Let texts begin where the images do, which have a margin."""
        self._column.setContentsMargins(0, 0, 0, self._theme.PADDING_PX)
        self._column.setSpacing(self._theme.SPACING_PX)
        self._row.setContentsMargins(self._theme.PADDING_PX, 0, self._theme.PADDING_PX, 0)
        self.text.setContentsMargins(2 * self._theme.PADDING_PX, 0, 0, 0)

    def show_change(self, change: Change | None) -> None:
        """Show the images of both sides of a change."""
        if change is self._change:
            return
        self._change = change
        clear_layout(self._row)
        before, after = (_image(change.old), _image(change.new)) if change else (None, None)
        if before is not None or after is not None:
            self._add(before, after)
        self.setVisible(before is not None or after is not None)

    def _add(self, before: QImage | None, after: QImage | None) -> None:
        is_comparable = before is not None and after is not None and before.size() == after.size()
        difference = _difference(before, after) if before and after and is_comparable else None
        for side, image in zip(SIDES, (before, after, difference), strict=True):
            if image is not None:
                view = ImageView(image, theme=self._theme, parent=self)
                view.set_max_height(HEIGHT)
                view.setAccessibleName(f"{side}: {view.accessibleName()}")
                part = QWidget(self)
                caption = plain_label(side, tone="muted", parent=part)
                caption.setContentsMargins(self._theme.PADDING_PX, 0, 0, 0)
                column_layout(part, caption, view, space=0).addStretch(1)
                self._row.addWidget(part, 1)
        show_text(self.text, _text(before, after))


def _image(text: JsonText | None) -> QImage | None:
    """Return the image that a value has in base64; None for another value, and for one that is too large or damaged."""
    raw = binary_of(text, MAX_BYTES)
    if not raw:
        return None
    try:
        size = dimensions(raw)
        if size.width() * size.height() > MAX_PIXELS:
            return None
        return decode_image(raw).convertToFormat(QImage.Format.Format_ARGB32)
    except Malformed:
        return None


def _difference(before: QImage, after: QImage) -> QImage:
    """Return an image that is black where both are the same."""
    found = QImage(before.size(), QImage.Format.Format_RGB32)
    found.fill(Qt.GlobalColor.black)
    with QPainter(found) as painter:
        painter.drawImage(0, 0, before)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Difference)
        painter.drawImage(0, 0, after)
    return found


def _text(before: QImage | None, after: QImage | None) -> str:
    sizes = [f"{each.width():,} × {each.height():,}" for each in (before, after) if each]
    if before is None or after is None:
        return f"Image {'removed' if after is None else 'added'}: {sizes[0]} pixels"
    if before.size() != after.size():
        return f"Images of different sizes: {sizes[0]} and {sizes[1]} pixels"
    total = before.width() * before.height()
    count = _differing(before, after)
    if not count:
        return f"All {total:,} pixels are equal"
    return f"{count:,} of {total:,} pixels differ"


def _differing(before: QImage, after: QImage) -> int:
    """Return how many pixels differ, also if in their transparency alone; without a loop in Python, which would be seen to stop the window."""
    total = before.width() * before.height()
    one, other = (int.from_bytes(each.constBits(), "little") for each in (before, after))
    line = (one ^ other).to_bytes(before.sizeInBytes(), "little")
    equal = QImage(line, total, 1, before.format()).createMaskFromColor(0)
    return total - (int.from_bytes(equal.constBits(), "little") & ((1 << total) - 1)).bit_count()

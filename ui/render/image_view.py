"""A picture, decoded only from formats on the allow-list and only within limits, shown no larger than it is.

Source: requirement C-ICO-07, withstand oversized, animated and bomb images: one frame, dimensions read before pixels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.spec.media_types import kind_of
from inspector.visible_text import one_line
from ui.aio import run_one_at_a_time, spawn
from ui.render.payload import PICTURES
from ui.render.rendering import Malformed
from ui.widgets.labels import visible_name

if TYPE_CHECKING:
    from ui.theme import Theme

MAX_PIXELS = 24_000_000
"""Larger pictures are not decoded: that could stop the window, or fill the memory."""
AT_ONCE_PIXELS = 1_000_000
"""Larger pictures are decoded in a thread: the window would stop for a quarter of a second, or longer."""
MAX_EDGE = 2048
"""What is kept for the screen; larger pictures are scaled down while decoding."""
MAX_HEIGHT = 360
"""Pixels in height on screen at 100%."""
TEXT_FLAGS = int(Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
"""How a text in the place of a picture is laid out."""


def dimensions(raw: bytes) -> QSize:
    """Width and height as the header says, without decoding.

    Raises:
        Malformed: no picture that is drawn here.
    """
    _, reader = _reader(raw)
    return _checked_size(reader)


def decode_image(raw: bytes) -> QImage:
    """The first frame.

    Raises:
        Malformed: not a picture that is drawn here, or one too large to be.
    """
    _buffer, reader = _reader(raw)
    size = _checked_size(reader)
    if (kept := _kept_size(size)) != size:
        reader.setScaledSize(kept)
    image = reader.read()
    if image.isNull():
        raise Malformed(_damage(reader, "its pixels cannot be decoded"))
    return image


def _kept_size(size: QSize) -> QSize:
    """Return in which size a picture of this size is kept."""
    if size.width() * size.height() > MAX_PIXELS:
        raise Malformed(f"image too large to show ({size.width():,} × {size.height():,} pixels)")
    if max(size.width(), size.height()) <= MAX_EDGE:
        return size
    return size.scaled(QSize(MAX_EDGE, MAX_EDGE), Qt.AspectRatioMode.KeepAspectRatio)


def view_of_image(raw: bytes, *, theme: Theme, parent: QWidget | None = None) -> ImageView:
    """Return the view of a picture; a large one is drawn when it is decoded, in the place that is kept for it.

    Raises:
        Malformed: not a picture that is drawn here, or one too large to be.
    """
    size = dimensions(raw)
    if size.width() * size.height() <= AT_ONCE_PIXELS:
        return ImageView(decode_image(raw), theme=theme, parent=parent)
    view = ImageView(QImage(), size=_kept_size(size), theme=theme, parent=parent)
    spawn(view, view.decode(raw), name="decode image")
    return view


def _reader(raw: bytes) -> tuple[QBuffer, QImageReader]:
    kind = kind_of(raw)
    if kind not in PICTURES:
        raise Malformed(
            "the bytes are not an image that can be shown (PNG, JPEG, GIF, WebP)"
            if raw
            else "there are no bytes"
        )
    buffer = QBuffer()
    buffer.setData(QByteArray(raw))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(PICTURES[kind]))
    reader.setAutoDetectImageFormat(False)
    return buffer, reader


def _checked_size(reader: QImageReader) -> QSize:
    size = reader.size()
    if not size.isValid() or size.isEmpty():
        raise Malformed(_damage(reader, "its header gives no width and height"))
    return size


def _damage(reader: QImageReader, reason: str) -> str:
    """Return what could not be decoded, with the reason that Qt gives, if any."""
    known = reader.error() not in {
        QImageReader.ImageReaderError.UnknownError,
        QImageReader.ImageReaderError.InvalidDataError,
    }
    kind = bytes(reader.format().data()).decode("ascii", "replace").upper()
    text = f"corrupt {kind or 'image'}: {reason}"
    return f"{text} ({reader.errorString()})" if known else text


class ImageView(QWidget):
    """A picture that shrinks to fit but never grows."""

    def __init__(
        self,
        image: QImage,
        *,
        theme: Theme,
        size: QSize | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Show `image`; one that is decoded later is a null image now, and `size` is what it will have."""
        super().__init__(parent)
        self._theme = theme
        self._pixmap = QPixmap.fromImage(image)
        self._size = size or image.size()
        self._text = "" if size is None else "Decoding…"
        """What is drawn in the place of the picture."""
        self._tone = "muted"
        """The name of its color."""
        self._max_height = MAX_HEIGHT
        self._heights: dict[int, int] = {}
        """Width → height: among hundreds of pictures, layouts ask again and again."""
        self.setObjectName("picture")
        self.setAccessibleName(f"Image, {self._size.width():,} × {self._size.height():,} pixels")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self._refresh)

    async def decode(self, raw: bytes) -> None:
        """Decode the picture in a thread and draw it, or say why that cannot be done.

        Not in the threads of the loop: a server can send a hundred pictures, each of which takes 100 MB while it is decoded.
        """
        try:
            image = await run_one_at_a_time(decode_image, raw)
        except Malformed as error:
            self._show_failure(str(error))
        except Exception as error:  # noqa: BLE001 - a picture that cannot be decoded must not hide the rest
            self._show_failure(f"cannot be displayed: {error!r}")
        else:
            self._pixmap, self._text = QPixmap.fromImage(image), ""
        self.update()

    def _show_failure(self, reason: str) -> None:
        """Say why there is no picture, in no less room than that takes."""
        self._text, self._tone = (
            one_line(f"{reason}. See Raw for the full content.", 400),
            "warning",
        )
        self.setAccessibleName(visible_name(self._text))
        self._refresh()

    @property
    def is_decoded(self) -> bool:
        """Whether the picture is there."""
        return not self._pixmap.isNull()

    def set_max_height(self, pixels: int) -> None:
        """Be no higher than `pixels` at 100%."""
        self._max_height = pixels
        self._refresh()

    def _refresh(self) -> None:
        self._heights.clear()
        self.updateGeometry()

    def _fitted(self, width: int) -> QSize:
        bounds = QSize(width - 2 * self._theme.PADDING_PX, self._theme.px(self._max_height))
        size = self._size
        if size.width() <= bounds.width() and size.height() <= bounds.height():
            return size
        return size.scaled(bounds, Qt.AspectRatioMode.KeepAspectRatio)

    def _text_size(self, width: int) -> QSize:
        """Return what the reason why there is no picture takes of `width`; nothing for a picture, and while it is decoded."""
        if self._tone != "warning":
            return QSize(0, 0)
        inner = max(width - 2 * self._theme.PADDING_PX, 1)
        bounds = QRect(0, 0, inner, self._theme.px(self._max_height))
        return self.fontMetrics().boundingRect(bounds, TEXT_FLAGS, self._text).size()

    def hasHeightForWidth(self) -> bool:
        """The picture keeps its shape."""
        return True

    def heightForWidth(self, width: int) -> int:
        """What it takes at this width."""
        height = self._heights.get(width)
        if height is None:
            inner = max(self._fitted(width).height(), self._text_size(width).height())
            height = self._heights[width] = inner + 2 * self._theme.PADDING_PX
        return height

    def sizeHint(self) -> QSize:
        """As large as it is, within bounds."""
        limit, edges = self._theme.px(640), 2 * self._theme.PADDING_PX
        inner = max(self._size.width(), self._text_size(limit).width())
        width = min(inner + edges, limit)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """At least visible."""
        return QSize(self._theme.px(40), self._theme.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it at the top left."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        edge = self._theme.PADDING_PX
        if self._text:
            painter.setPen(self._theme.color(self._tone))
            painter.drawText(self.rect().adjusted(edge, edge, -edge, -edge), TEXT_FLAGS, self._text)
        else:
            rect = QRect(self.rect().topLeft(), self._fitted(self.width()))
            painter.drawPixmap(rect.translated(edge, edge), self._pixmap)
        painter.end()

"""The tracks as one widget: spans that are zoomed, moved and selected with the mouse and the keyboard.

What is painted is kept as an image until the view or the session changes, so that the line under the pointer costs nothing.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractSlider, QApplication, QSizePolicy, QToolTip, QWidget

from ui.timeline.pointer import Pointer
from ui.timeline.scene import Scene
from ui.timeline.selection import SpanKey
from ui.timeline.span_text import frame_of, label, sentence
from ui.timeline.track_painter import NAMES_WIDTH, TrackPainter
from ui.timeline.track_rows import TITLES, arrange
from ui.widgets.labels import tool_tip, visible_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import (
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QWheelEvent,
    )

    from inspector.clock import Clock
    from ui.theme import Theme
    from ui.timeline.axis import TimeAxis
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.selection import SpanSelection
    from ui.timeline.time_range import TimeRange

ZOOM_STEP = 0.7
"""What is visible after one step of zooming in, as a share of what was before."""
PAN_STEP = 0.1
"""Share of the visible time by which one step moves."""
NOTCH = 120
"""Units of a wheel for one step."""
SHADE = 0.14
"""Opacity of a range that is dragged."""
POSITIONS = 1000
"""Positions of the slider that assistive technology moves."""


class TracksView(QAbstractSlider):
    """All tracks, for the visible part of a session.

    Signals:
        frame_opened: show this frame of this transcript.
        resized: the tracks are wider or narrower.
    """

    frame_opened = Signal(int, object)
    resized = Signal()

    def __init__(
        self,
        feed: TimelineFeed,
        visible: TimeRange,
        selection: SpanSelection,
        axis: TimeAxis,
        *,
        clock: Clock,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show the spans of `feed` in the time of `visible`, with lines at the ticks of `axis`."""
        super().__init__(parent)
        self.setObjectName("timeline_tracks")
        self._feed, self._visible, self._axis = feed, visible, axis
        self.selection, self._clock, self._theme = selection, clock, theme
        self._painter = TrackPainter(theme)
        self._pointer = Pointer(theme)
        self._scene = Scene((), theme)
        self._image: QPixmap | None = None
        self._dragged: tuple[float, float] | None = None
        self._pressed: QPoint | None = None
        self._caption = ""
        self._keys = self._key_table()
        self._set_behavior()
        visible.changed.connect(self.refresh)
        theme.changed.connect(self.refresh)
        selection.changed.connect(self._on_selection_changed)
        self.valueChanged.connect(self._on_value_changed)
        self.refresh()

    def _set_behavior(self) -> None:
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setRange(0, POSITIONS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _key_table(self) -> dict[int, Callable[[], object]]:
        key, visible, selection = Qt.Key, self._visible, self.selection
        zoom_in, zoom_out = partial(visible.zoom, ZOOM_STEP), partial(visible.zoom, 1 / ZOOM_STEP)
        return {
            key.Key_Plus: zoom_in,
            key.Key_Equal: zoom_in,
            key.Key_Minus: zoom_out,
            key.Key_Left: partial(visible.pan, -PAN_STEP),
            key.Key_Right: partial(visible.pan, PAN_STEP),
            key.Key_Home: partial(visible.pan, -inf),
            key.Key_End: partial(visible.pan, inf),
            key.Key_Escape: self._leave,
            key.Key_Up: partial(selection.step_track, -1),
            key.Key_Down: partial(selection.step_track, 1),
            key.Key_Return: self._open,
            key.Key_Enter: self._open,
            key.Key_Z: selection.zoom_to_selected,
            key.Key_M: selection.measure_from_selected,
        }

    def refresh(self) -> None:
        """Paint again: the time, the spans or the look has changed."""
        rows = arrange(self._feed.runs, self._theme)
        if rows != list(self._scene.rows):
            self._scene = Scene(rows, self._theme)
            self.setMinimumHeight(rows[-1].bottom)
        self._image = None
        low, high = self._visible.bounds
        middle = (self._visible.first_s + self._visible.last_s) / 2
        self.blockSignals(True)
        self.setValue(round((middle - low) / (high - low) * POSITIONS) if high > low else 0)
        self.blockSignals(False)
        self.update()

    def set_caption(self, text: str, *, is_new: bool) -> None:
        """Name the visible time for assistive technology, unless it only became longer: what has the focus is read out with each new name."""
        is_first = not self._caption
        self._caption = text
        if is_new or is_first:
            self._name_it()

    @property
    def scene(self) -> Scene:
        """What is where at the moment."""
        if self._image is None:
            self._build_scene()
        return self._scene

    def _build_scene(self) -> None:
        area = self._area()
        times = (self._visible.first_s, self._visible.last_s)
        self._scene.build(self._feed, area.left(), area.width(), times)

    def _area(self) -> QRect:
        left = self._theme.px(NAMES_WIDTH)
        return QRect(left, 0, max(self.width() - left, 1), self.height())

    def _name_it(self) -> None:
        selection = self.selection
        parts = ("Timeline", self._caption, TITLES[selection.track], selection.sentence())
        name = visible_name(". ".join(part for part in parts if part))
        if name != self.accessibleName():
            self.setAccessibleName(name)

    def _open(self) -> None:
        if self.selection.key is not None:
            self.frame_opened.emit(*self.selection.key.frame)

    def _leave(self) -> None:
        """End measuring; else show the whole session."""
        if self.selection.measured is not None:
            self.selection.measured = None
            self.selection.changed.emit()
        else:
            self._visible.show_whole()

    def _on_selection_changed(self) -> None:
        self._name_it()
        self.update()

    def _on_value_changed(self, value: int) -> None:
        """Assistive technology has moved the slider."""
        low, high = self._visible.bounds
        middle = low + (high - low) * value / POSITIONS
        half = self._visible.length_s / 2
        self._visible.show(middle - half, middle + half)

    def sizeHint(self) -> QSize:
        """All tracks."""
        return QSize(self._theme.px(2 * NAMES_WIDTH), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width shows other columns."""
        super().resizeEvent(event)
        self._image = None
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the image of the tracks, and over it what follows the selection and the pointer."""
        del event
        if self._image is None:
            self._build_scene()
            self._image = self._painted()
        theme, area = self._theme, self._area()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._image)
            key = self.selection.key
            if key is not None and key.run in self._feed.runs:
                run = self._feed.runs.index(key.run)
                mark = self._scene.mark_of(run, key.track, key.at)
                if mark is not None:
                    self._painter.paint_selection(painter, mark, area)
            self._paint_track_mark(painter)
            for times in (self._dragged, self.selection.measured):
                if times is not None:
                    self._paint_range(painter, times, area)
            start_s = self._visible.first_s if key is None else key.start_s
            reference_s = self._axis.reference_s
            since_s = start_s if reference_s is None else reference_s
            if self._visible.length_s > 0:
                self._pointer.paint(painter, self._scene, area, self.selection.measured, since_s)
            if self.hasFocus():
                painter.setPen(theme.color("accent"))
                for inset in range(theme.px(2)):
                    painter.drawRect(self.rect().adjusted(inset, inset, -inset - 1, -inset - 1))

    def _painted(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        image = QPixmap(self.size() * ratio)
        image.setDevicePixelRatio(ratio)
        theme, area = self._theme, self._area()
        image.fill(theme.color("panel"))
        with QPainter(image) as painter:
            self._painter.paint_grid(painter, self._scene, self._axis.ticks(), self.height())
            self._painter.paint_runs(painter, self._scene, self._feed, area)
            self._painter.paint(painter, self._scene, self._feed, area)
            rows, overflow = self._scene.rows, self._scene.overflow
            self._painter.paint_names(painter, rows, overflow, self.width())
        return image

    def _paint_track_mark(self, painter: QPainter) -> None:
        """Paint a bar beside the track in which the keyboard selects."""
        if self.hasFocus():
            row = next(row for row in self._scene.rows if row.track is self.selection.track)
            bar = QRect(0, row.top, self._theme.px(3), row.height)
            painter.fillRect(bar, self._theme.color("accent"))

    def _paint_range(self, painter: QPainter, times: tuple[float, float], area: QRect) -> None:
        left, right = sorted(round(self._scene.x(at_s)) for at_s in times)
        color = QColor(self._theme.color("accent"))
        for x in (left, right):
            painter.fillRect(QRect(x, 0, 1, area.height()).intersected(area), color)
        color.setAlphaF(SHADE)
        painter.fillRect(QRect(left, 0, right - left, area.height()).intersected(area), color)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, zoom and select; the help has the keys."""
        is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if is_control and event.key() in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self.selection.select_beside(-1 if event.key() == Qt.Key.Key_Left else 1)
        elif event.key() in self._keys and not is_control:
            self._keys[event.key()]()
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move through time; with Ctrl, zoom at the pointer. Over the names the tracks scroll, if they do not fit."""
        position = event.position().toPoint()
        if not self._area().contains(position):
            event.ignore()
            return
        turned = event.angleDelta()
        notches = (turned.y() or turned.x()) / NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._visible.zoom(ZOOM_STEP**notches, self.scene.time(position.x()))
        else:
            self._visible.pan(-notches * PAN_STEP)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click, a range, or with Shift a measurement."""
        position = event.position().toPoint()
        if event.button() is Qt.MouseButton.LeftButton and self._area().contains(position):
            self._pressed = position
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the time at the pointer, and what is dragged."""
        position, pressed = event.position().toPoint(), self._pressed
        self._pointer.position = position if self._area().contains(position) else None
        if pressed is not None:
            moved = (position - pressed).manhattanLength()
            if moved >= QApplication.startDragDistance() or self._dragged is not None:
                ends = (self.scene.time(pressed.x()), self.scene.time(position.x()))
                if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                    self._dragged = None
                    self.selection.measure(*ends)
                else:
                    self._dragged = (min(ends), max(ends))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select what was clicked, or show the range that was dragged."""
        pressed, self._pressed = self._pressed, None
        dragged, self._dragged = self._dragged, None
        if pressed is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        moved = (event.position().toPoint() - pressed).manhattanLength()
        if dragged is not None:
            self._visible.show(*dragged)
        elif moved < QApplication.startDragDistance():
            self._click(pressed)
        self.update()

    def _click(self, position: QPoint) -> None:
        mark = next(self.scene.marks_at(position.x(), position.y()), None)
        if mark is None:
            self.selection.clear()
        elif mark.at >= 0:
            self.selection.select(SpanKey(self._feed.runs[mark.run], mark.track, mark.at))
        else:
            run = self._feed.runs[mark.run]
            self.selection.frame_selected.emit(frame_of(self._feed, mark), run.transcript)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the frame in the traffic."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._open()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Have the name that is read out say what is visible by now."""
        self._name_it()
        super().focusInEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No pointer, no line."""
        super().leaveEvent(event)
        self._pointer.position = None
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show all about the span at the pointer."""
        if not isinstance(event, QHelpEvent) or event.type() is not QEvent.Type.ToolTip:
            return super().event(event)
        position = event.pos()
        mark = next(self.scene.marks_at(position.x(), position.y()), None)
        if mark is None:
            QToolTip.hideText()
        else:
            name = label(self._feed, mark) if mark.size == 1 else ""
            about = sentence(self._feed, mark, self._clock)
            text = "\n".join(dict.fromkeys(part for part in (name, about) if part))
            QToolTip.showText(event.globalPos(), tool_tip(text), self, mark.rect)
        return True

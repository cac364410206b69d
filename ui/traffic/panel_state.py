"""The arrangement of the panel as bytes: columns, splitter, choices. Unknown or broken bytes change nothing."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QByteArray, Qt

from ui.models.traffic_cells import TimeFormat

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

VERSION = 2
"""Of the columns; raised when one is added, so that an old arrangement does not hide it."""


class _State(msgspec.Struct):
    version: int
    header: str
    splitter: str
    beside: bool = True
    detail: bool = False
    time_format: TimeFormat = TimeFormat.CLOCK
    stderr: bool = True
    http: bool = False


def save(panel: TrafficPanel) -> bytes:
    """The arrangement of `panel`."""
    state = _State(
        version=VERSION,
        header=_text(panel.table.horizontalHeader().saveState()),
        splitter=_text(panel.splitter.saveState()),
        beside=panel.splitter.orientation() is Qt.Orientation.Horizontal,
        detail=panel.bar.detail.isChecked(),
        time_format=panel.model.time_format,
        stderr=panel.filtering.shows_stderr,
        http=panel.filtering.shows_http,
    )
    return msgspec.json.encode(state)


def restore(panel: TrafficPanel, saved: bytes) -> bool:
    """Arrange `panel` as it was saved; False if that cannot be read."""
    try:
        state = msgspec.json.decode(saved, type=_State)
        header, splitter = b64decode(state.header), b64decode(state.splitter)
    except (msgspec.MsgspecError, ValueError):
        return False
    if state.version != VERSION:
        return False
    panel.table.horizontalHeader().restoreState(QByteArray(header))
    panel.splitter.restoreState(QByteArray(splitter))
    panel.set_side(Qt.Orientation.Horizontal if state.beside else Qt.Orientation.Vertical)
    panel.show_detail(state.detail)
    panel.model.set_time_format(state.time_format)
    panel.filtering.show_stderr(state.stderr)
    panel.filtering.show_http(state.http)
    return True


def _text(state: QByteArray) -> str:
    return b64encode(state.data()).decode()

"""Notifications of a server as lines: log messages and progress beside a command, and everything for `listen` and `logs`."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from inspector.features.logs import METHOD as LOG_MESSAGE
from inspector.spec.views.notifications import LogView, ProgressView
from inspector.wire import json_codec
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.cli.console import Console
    from inspector.session.session import Session
    from inspector.wire.message import Message

PROGRESS = "notifications/progress"


def clock_text(wall_s: float) -> str:
    """Return a time of the day here, to the millisecond."""
    when = datetime.datetime.fromtimestamp(wall_s, datetime.UTC).astimezone()
    return when.isoformat(timespec="milliseconds")[11:23]


def log_line(message: Message) -> str:
    """Return a log message as a line: level, logger, data."""
    view = LogView(or_null(message.params))
    data = view.data if isinstance(view.data, str) else json_codec.write(view.data)
    logger = f" {view.logger}" if view.logger else ""
    return f"{view.level}{logger}: {data}"


def notification_line(message: Message) -> str:
    """Return a notification as a line: its method, and what it says."""
    params = or_null(message.params)
    if message.method == LOG_MESSAGE:
        return f"{message.method} {log_line(message)}"
    if message.method == PROGRESS:
        return f"{message.method} {ProgressView(params).status_text}"
    return f"{message.method} {json_codec.write(params)}" if params else message.method


def print_logs(session: Session, console: Console) -> None:
    """Print log messages to stderr from now on."""

    def on_message(_frame: int, message: Message) -> None:
        console.err(f"log {log_line(message)}")

    session.peer.listener(LOG_MESSAGE).subscribe(on_message)

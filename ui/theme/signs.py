"""One sign for each meaning: names of icons for `Theme.icon`, used instead of their names in the font.

A sign is muted; it has a tone only where it means something, and then with a word beside it. Alone, without a word, are only
`REFRESH`, `COPY`, `CLOSE`, the chevrons, `FOLLOW`, `PAUSE`, `CLEAR`, `DETAIL`, `MORE` and `DISCONNECT`.
"""

from __future__ import annotations

from enum import StrEnum


class Sign(StrEnum):
    """A sign by its meaning."""

    NONE = ""
    """Nothing, as wide as the others."""

    ERROR = "mdi6.close-circle-outline"
    WARNING = "mdi6.alert-outline"
    NOTE = "mdi6.information-outline"
    OK = "mdi6.check"
    PENDING = "mdi6.timer-sand"
    CANCELLED = "mdi6.cancel"
    USER = "mdi6.account-outline"
    SAMPLING = "mdi6.robot-outline"
    ELICITATION = "mdi6.form-select"
    TASK = "mdi6.clock-outline"
    STDERR = "mdi6.console-line"
    RUN = "mdi6.restart"
    COMPARE = "mdi6.compare-horizontal"
    MARK = "mdi6.bookmark"
    COMMENT = "mdi6.comment-text-outline"
    TIME_REFERENCE = "mdi6.timer-outline"
    EDITED = "mdi6.pencil-outline"
    NOT_SEEN = "mdi6.eye-off-outline"
    NO_FINDINGS = "mdi6.circle-small"
    MUTED = "mdi6.bell-off-outline"
    PROBE = "mdi6.flask-outline"
    EXPORT = "mdi6.export-variant"

    REFRESH = "mdi6.refresh"
    COPY = "mdi6.content-copy"
    CLOSE = "mdi6.close"
    UP = "mdi6.chevron-up"
    DOWN = "mdi6.chevron-down"
    LEFT = "mdi6.chevron-left"
    RIGHT = "mdi6.chevron-right"
    FOLLOW = "mdi6.arrow-collapse-down"
    PAUSE = "mdi6.pause"
    CLEAR = "mdi6.broom"
    DETAIL = "mdi6.dock-right"
    MORE = "mdi6.dots-horizontal"
    DISCONNECT = "mdi6.power-plug-off-outline"

    RUN_NOW = "mdi6.play"
    SEND_TEXT = "mdi6.send"
    STEP = "mdi6.debug-step-over"
    REPEAT = "mdi6.repeat"

    SEARCH = "mdi6.magnify"
    ADD = "mdi6.plus"
    SAVE = "mdi6.download"


SIGN_OF_TONE = {
    "ok": Sign.OK,
    "warning": Sign.WARNING,
    "error": Sign.ERROR,
    "info": Sign.NOTE,
    "pending": Sign.PENDING,
    "person": Sign.USER,
    "muted": Sign.NOTE,
}
"""Tone → its sign."""

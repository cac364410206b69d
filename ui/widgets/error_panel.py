"""An expected failure, where it happened: the cause and what to try next on a tinted ground, then the two sides beside each other, and the evidence.

Cause and hint take a few lines; what is longer goes on in the evidence, which has no tint and scrolls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from inspector.errors import PeerError, code_text
from inspector.spec.error_codes import APPLICATION_ERROR, NOT_A_CODE, explain
from inspector.visible_text import cut, visible
from inspector.wire import json_codec
from ui.theme.signs import SIGN_OF_TONE, Sign
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.comparison_table import ComparisonTable
from ui.widgets.evidence_box import EvidenceBox
from ui.widgets.labels import QuotingLabel, set_background, set_icon
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import InspectorError
    from inspector.spec.revision import Revision
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

MAX_CAUSE = 280
"""Characters of the cause; a longer one goes on in the evidence."""
MAX_CAUSE_LINES = 3
"""Lines of the cause, as they were sent."""


class ErrorPanel(QWidget):
    """A notice with cause and hint, and the evidence under it; hidden until there is an error.

    Signals:
        frame_requested: show the frame of this number.
        offer_taken: the offer was clicked.
    """

    frame_requested = Signal(int)
    offer_taken = Signal()

    def __init__(
        self, *, theme: Theme, name: str = "error_panel", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._tone = "error"
        self._frame: int | None = None
        self._whole_text = ""
        self._whole_detail = ""
        self._is_built = False
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clear()

    def _build(self) -> None:
        """Make the parts, before the first error: a window has dozens of panels that never have any."""
        if self._is_built:
            return
        self._is_built = True
        self.notice = QFrame(self)
        self.notice.setObjectName("notice")
        self._icon = QLabel(self.notice)
        self._text = QuotingLabel(name="cause", tone="title", parent=self.notice)
        self._hint = QuotingLabel(name="hint", parent=self.notice)
        for label in (self._text, self._hint):
            flags = Qt.TextInteractionFlag
            label.setTextInteractionFlags(
                flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
            )
        self.beside = ComparisonTable(
            theme=self._theme, name="beside", headers=("sent", "server"), parent=self
        )
        self.evidence = EvidenceBox(theme=self._theme, name="detail", parent=self)
        self._copy_button = tool_button(
            self._theme, Sign.COPY, "Copy error", name="copy_error", parent=self.notice
        )
        self._frame_button = link_button("Show in traffic", name="show_frame", parent=self.notice)
        self._offer = push_button("", name="error_offer", parent=self.notice)
        self._arrange()
        self._wire()

    def _arrange(self) -> None:
        theme = self._theme
        self._ways = QWidget(self.notice)
        ways = row_layout(self._ways, self._offer, self._frame_button, space=theme.px(8))
        ways.addStretch(1)
        text = column_layout(None, self._text, self._hint, self._ways, space=theme.px(4))
        row = row_layout(self.notice, space=theme.px(8))
        self._row = row
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)
        row.addWidget(self._copy_button, 0, Qt.AlignmentFlag.AlignTop)
        column_layout(self, self.notice, self.beside, self.evidence, space=theme.px(6))
        self.notice.setSizePolicy(self.sizePolicy())  # neither is higher than what it holds

    def _wire(self) -> None:
        self._offer.clicked.connect(self.offer_taken)
        self._copy_button.clicked.connect(self._on_copy_clicked)
        self._frame_button.clicked.connect(self._on_frame_clicked)
        self._theme.changed.connect(self._refresh)

    def clear(self) -> None:
        """Nothing is wrong any more."""
        self.hide()

    def show_error(self, error: InspectorError, *, detail: str = "") -> None:
        """Show an expected failure."""
        is_ours = not isinstance(error, PeerError)
        self.show_text(
            error.reason,
            hint=error.hint,
            detail=detail,
            frame=error.frame,
            is_quoting=is_ours,
        )

    def show_text(
        self,
        text: str,
        *,
        hint: str = "",
        detail: str = "",
        frame: int | None = None,
        tone: str = "error",
        beside: Sequence[ComparisonRow] = (),
        is_quoting: bool = False,
    ) -> None:
        """Show a text in the `tone` error, warning, info or ok; `beside` compares the values that were sent with those of the server.

        With `is_quoting`, names in backticks are set in monospace: for texts of Spyglass.
        """
        self._build()
        self._tone = tone
        self._frame = frame
        self._whole_text, self._whole_detail = text, detail
        cause = short_cause(text)
        if is_quoting:
            self._text.setText(visible(_sentence(cause)))
        else:
            self._text.set_plain(visible(cause))
        self._hint.setText(visible(hint))
        rest = text if cause != text else ""
        self.evidence.set_text("\n\n".join(part for part in (rest, detail) if part))
        self.beside.set_rows(beside)
        self.offer("")
        self._refresh()
        self.show()

    def offer(self, text: str) -> None:
        """Offer a way out of the displayed error as a button with this label; empty for none."""
        self._build()
        self._offer.setText(text)
        self._offer.setAccessibleName(text)
        self._offer.setVisible(bool(text))
        self._ways.setVisible(bool(text) or self._frame is not None)

    def as_text(self) -> str:
        """Everything, for the clipboard."""
        if not self._is_built:
            return ""
        table = self.beside.as_text() if self.beside.rows() else ""
        parts = (visible(self._whole_text), self._hint.text(), table, self._whole_detail)
        return "\n\n".join(part for part in parts if part)

    def _refresh(self) -> None:
        px = self._theme.px
        self._row.setContentsMargins(px(12), px(8), px(8), px(8))
        set_background(self.notice, self._tone)
        tone = "accent" if self._tone == "info" else self._tone
        set_icon(self._icon, self._theme, SIGN_OF_TONE[self._tone], tone)
        self._hint.setVisible(bool(self._hint.text()))
        self._frame_button.setVisible(self._frame is not None)
        self._copy_button.setVisible(self._tone in {"error", "warning"})
        self.setAccessibleName(f"{self._tone}: {self._text.text()}")

    def _on_copy_clicked(self) -> None:
        copy_text(self.as_text())

    def _on_frame_clicked(self) -> None:
        if self._frame is not None:
            self.frame_requested.emit(self._frame)


def _sentence(text: str) -> str:
    """Return a text of Spyglass, which may also follow another one, as it begins a line.

    A name at its start stays as it is if it has a sign that is no letter: texts put a name that may be a word into backticks.
    """
    start = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if start.isalpha() else text


def short_cause(text: str) -> str:
    """Return what a notice shows of a cause: all, or as much as a few lines take, with an ellipsis."""
    lines = text.split("\n", MAX_CAUSE_LINES)[:MAX_CAUSE_LINES]
    start = cut("\n".join(lines), MAX_CAUSE)
    return start if len(start) == len(text) else f"{start.rstrip()}…"


class ErrorText(NamedTuple):
    """What an error panel shows."""

    text: str
    """Code, name and message."""
    hint: str
    """What to try next."""
    detail: str
    """What the code says, and the data."""
    data: str = ""
    """The data alone."""


def code_and_name(error: PeerError, revision: Revision | None) -> str:
    """What kind of error it is: `-32601 Method not found`, `code 0`, `error without a code`."""
    known = explain(error.code, revision)
    if known is NOT_A_CODE:
        return code_text(error.code)
    return f"code {error.code}" if known is APPLICATION_ERROR else f"{error.code} {known.name}"


def error_text(error: PeerError, revision: Revision | None) -> ErrorText:
    """Return the texts of `error`."""
    known = explain(error.code, revision)
    message = error.message or "(no message)"
    is_named = message.casefold().startswith(known.name.casefold())  # many servers do that
    text = f"{error.code} {message}" if is_named else f"{code_and_name(error, revision)}: {message}"
    hint = error.hint or known.hint
    if error.http is not None and error.http.prevails:
        text, hint = error.reason, error.hint
    elif error.http is not None:
        text += f" ({'; '.join((error.http.line, *error.http.explained))})"
    data = "" if error.data is None else f"data: {json_codec.write_readable(error.data)}"
    return ErrorText(text, hint, f"{known.summary}\n\n{data}" if data else known.summary, data)

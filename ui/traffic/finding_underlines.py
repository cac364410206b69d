"""The values of a message that findings are about, underlined in its tree and in its raw text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from inspector.visible_text import one_line
from inspector.wire.json_spans import locate
from ui.render.rule_text import SEVERITY_TONES
from ui.traffic.problems import MAX_TEXT
from ui.traffic.tree_and_text import MAX_LENGTH, SLICE, nearest, pointers_up
from ui.widgets.json_text import pointer_keys
from ui.widgets.underlines import Underline, UnderlinedSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.finding import Finding
    from ui.widgets.json_view import JsonView
    from ui.widgets.text_view import TextView

MAX_NAME = 200
"""Characters before a value among which its name is."""

_NAME = re.compile(r'"(?:[^"\\]|\\.)*"(?=\s*:\s*\Z)')


class FindingUnderlines(QObject):
    """Underlines in the tree at once, and in the text when it is displayed, as soon as the values are located."""

    def __init__(self, tree: JsonView, raw: TextView | None = None, *, parent: QObject) -> None:
        """Both show one message; without `raw`, there is no text."""
        super().__init__(parent)
        self._tree, self._raw = tree.tree, raw
        self._underlines: dict[str, Underline] = {}
        self._has_text = False
        """Whether the text is the one of the message."""
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        tree.tree.noted.connect(self._show_in_tree)

    def forget_text(self) -> None:
        """The text is not the one of the message, until `show_in_text`."""
        self._has_text = False
        self._timer.stop()

    def set_findings(
        self, findings: Sequence[Finding], *, masked: Callable[[str], str] = str
    ) -> None:
        """Underline what these are about; of several about one value in the tone of the gravest. `masked` hides secrets in their texts."""
        found: dict[str, Underline] = {}
        for finding in sorted(findings, key=lambda each: each.severity):
            if finding.pointer:
                text = one_line(masked(finding.summary), MAX_TEXT)
                known = found.get(finding.pointer)
                lines = f"{text}\n{known.text}" if known is not None else text
                found[finding.pointer] = Underline(SEVERITY_TONES[finding.severity], lines)
        if found == self._underlines:
            return
        self._underlines = found
        self._show_in_tree()
        if self._has_text:
            self.show_in_text()

    def _show_in_tree(self) -> None:
        """Underline the values of the tree; a finding about one that is missing, the value it is missing in."""
        underlines: dict[str, Underline] = {}
        for pointer, underline in self._underlines.items():
            if at := nearest(self._tree.value(), pointer):
                underlines[at] = underline
        self._tree.set_underlines(underlines)

    def show_in_text(self) -> None:
        """Underline in the text, which has the message now."""
        self._timer.stop()
        self._has_text, raw = True, self._raw
        if raw is None:
            return
        raw.set_underlines(())
        if self._underlines and raw.length() * len(self._underlines) <= MAX_LENGTH:
            self._steps = self._locate(raw)
            self._timer.start()

    def _locate(self, raw: TextView) -> Iterator[None]:
        text, spans = raw.text(), list[UnderlinedSpan]()
        for pointer, underline in self._underlines.items():
            for each in pointers_up(pointer):
                span = yield from locate(text, pointer_keys(each))
                if span is not None:
                    start, end = _narrowed(text, *span)
                    spans.append(UnderlinedSpan(start, end, underline.tone))
                    break
        raw.set_underlines(spans)

    def _on_timer_timeout(self) -> None:
        for _ in range(SLICE):
            if next(self._steps, self) is self:
                self._timer.stop()
                return


def _narrowed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return what is underlined of a value: of an object or array its name, because a wave below all of it says nothing."""
    if text[start] not in "{[":
        return start, end
    before = max(start - MAX_NAME, 0)
    name = _NAME.search(text, before, start)
    return name.span() if name is not None else (start, start + 1)
